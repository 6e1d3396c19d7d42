(ns packord.notation
  "Diagnostic notation: packed data as text, and back to the same bytes. It is JSON for every value that JSON
  has, and marks what JSON cannot show.

      (require '[packord.core :as packord]
               '[packord.notation :as notation])

      (notation/text (packord/pack {:id 7 :raw (byte-array [0 -1])}))   ;=> \"{\\\"id\\\": 7, \\\"raw\\\": h'00ff'}\"
      (vec (notation/bytes-of \"[1, 2_u16, nil]\"))                     ;=> [-109 1 -51 0 2 -64]

  Every message has exactly one text, and every text the bytes that it was made of."
  (:require
   [packord.core :as packord])
  (:import
   (packord ClojureData Notation NotationException Unpacker)))

(set! *warn-on-reflection* true)

(defn- options [opts]
  (.options ^Unpacker (packord/unpacker (dissoc opts :indent))))

(defn text
  "Returns the notation of the messages in a byte array, each on a line of its own.

      (text (packord/pack [1 1.5 \"x\"]))                  ;=> \"[1, 1.5, \\\"x\\\"]\"
      (text (packord/pack [{:a 1} {:a 2}] {:records true}) {:records true})
      ;=> \"[#64[\\\"a\\\"](1), #64(2)]\"

  `opts` are those of [[packord.core/codec]], of which `:records` and the limits count, and `:indent true`, which
  puts each element on a line of its own. Throws `packord.PackordException` where the bytes are not
  messages."
  (^String [bytes]
   (text bytes nil))
  (^String [bytes opts]
   (ClojureData/notation bytes (options opts) (boolean (:indent opts)))))

(defn bytes-of
  "Returns the bytes of the messages that a text in the notation has.

      (packord/unpack (bytes-of \"{\\\"a\\\": [0x10, 1.5_f32],} // a comment\"))
      ;=> {\"a\" [16 1.5]}

  `opts`: `:records`, `:structures` and `:sequential` of those with which the bytes will be read. A string that is not
  notation throws an `ExceptionInfo` with `:line` and `:column`."
  (^bytes [text]
   (bytes-of text nil))
  (^bytes [text opts]
   (try
     (Notation/parse text (options opts))
     (catch NotationException e
       (throw (ex-info (ex-message e) {:type :packord/notation :line (.line e) :column (.column e)} e))))))
