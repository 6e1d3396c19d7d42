(ns packord.tokens
  "Writing and reading messages piece by piece, for those that are too large to be one value.

      (require '[clojure.java.io :as io]
               '[packord.tokens :as tokens])

      (with-open [w (tokens/writer (io/output-stream \"rows.mp\") {:records true})]
        (tokens/write-array w 1000000 (map row (range 1000000))))

  A message of any length takes no more memory than its largest element. A number of values that is not
  the one in the header is an error."
  (:require
   [packord.core :as packord])
  (:import
   (java.io InputStream OutputStream)
   (java.nio ByteBuffer)
   (packord Packer TokenWriter Unpacker Walker)))

(set! *warn-on-reflection* true)

(defn writer
  "Returns a `packord.TokenWriter` to an OutputStream, for one thread. Closing it closes the stream, and is an
  error in the middle of a message. `opts`: see [[packord.core/codec]]; not `:canonical`, `:sort-keys` and
  `:structures`, which need the whole message.

      (let [out (java.io.ByteArrayOutputStream.)]
        (with-open [w (writer out)]
          (begin-map w 2)
          (write w :total)
          (write w 2)
          (write w :rows)
          (write-array w 2 [{:id 1} {:id 2}])
          (end w))
        (packord/unpack (.toByteArray out) {:key-fn true}))
      ;=> {:total 2, :rows [{:id 1} {:id 2}]}"
  (^TokenWriter [output-stream]
   (writer output-stream nil))
  (^TokenWriter [output-stream opts]
   (.tokens ^Packer (packord/packer opts) ^OutputStream output-stream)))

(defn begin-array
  "Writes the header of an array of `n` elements, which follow by [[write]], and then [[end]]."
  ^TokenWriter [^TokenWriter w n]
  (.beginArray w (int n)))

(defn begin-map
  "Writes the header of a map of `n` entries: keys and values follow in turn by [[write]], and then [[end]]."
  ^TokenWriter [^TokenWriter w n]
  (.beginMap w (int n)))

(defn write
  "Writes a key or value, which may be a collection of any kind."
  ^TokenWriter [^TokenWriter w value]
  (.write w value))

(defn end
  "Ends the array or map that was begun last. It is an error if values are missing."
  ^TokenWriter [^TokenWriter w]
  (.end w))

(defn write-array
  "Writes an array of `n` elements, those of any reducible. It is an error if their number is not `n`."
  ^TokenWriter [w n values]
  (begin-array w n)
  (reduce write w values)
  (end w))

(defn write-map
  "Writes a map of `n` entries, those of any reducible of pairs. It is an error if their number is not `n`."
  ^TokenWriter [w n entries]
  (begin-map w n)
  (reduce (fn [w [k v]] (write w k) (write w v)) w entries)
  (end w))

(defn walker
  "Returns a `packord.Walker` through the messages of a byte array, ByteBuffer or InputStream, for one thread.
  Its method `next` steps to the next `packord.Token`, and others return what is there.

      (let [w (walker (packord/pack [1 [2 3] \"x\"]))]
        (.nextMessage w)
        (loop [sum 0]
          (if-let [token (.next w)]
            (recur (if (= packord.Token/INTEGER token) (+ sum (.longValue w)) sum))
            sum)))
      ;=> 6"
  (^Walker [resource]
   (walker resource nil))
  (^Walker [resource opts]
   (let [^Unpacker u (packord/unpacker opts)]
     (cond
       (bytes? resource) (.walker u ^bytes resource)
       (instance? ByteBuffer resource) (.walker u ^ByteBuffer resource)
       :else (.walker u ^InputStream resource)))))
