(ns packord.interop
  "The Clojure end of the interoperability tests; interop/README.md has the protocol."
  (:require
   [packord.container-vectors-test :as files]
   [packord.core :as packord]
   [packord.natives :as natives]
   [packord.peer :as peer]
   [packord.vectors :as v])
  (:import
   (com.fasterxml.jackson.core.io JsonStringEncoder)
   (com.fasterxml.jackson.databind ObjectMapper)
   (com.sun.management ThreadMXBean)
   (java.io BufferedOutputStream ByteArrayInputStream ByteArrayOutputStream DataInputStream
            DataOutputStream EOFException InputStream)
   (java.lang.management ManagementFactory)
   (java.nio.charset StandardCharsets)
   (java.time Instant)
   (java.util List Map)
   (packord.container ContainerReader ContainerWriter DamagedRange WriteOptions WriteOptions$Builder)
   (packord Ext MessageReader MessageWriter PackordException Packer Timestamp Unpacker)))

(set! *warn-on-reflection* true)

(def ^:private ^ObjectMapper json (ObjectMapper.))

;; ---------------------------------------------------------------- typed JSON

(declare write-typed)

(defn- write-string [^StringBuilder out ^String s]
  (.append out "{\"str\":\"")
  (.quoteAsString (JsonStringEncoder/getInstance) ^CharSequence s out)
  (.append out "\"}"))

(defn- write-time [^StringBuilder out seconds nanoseconds]
  (doto out
    (.append "{\"timestamp\":[\"") (.append (str seconds)) (.append "\",")
    (.append (str nanoseconds)) (.append "]}")))

(defn- write-map [^StringBuilder out ^Map m]
  (.append out "{\"map\":[")
  (reduce (fn [first? entry]
            (.append out (if first? "[" ",["))
            (write-typed out (key entry))
            (.append out ",")
            (write-typed out (val entry))
            (.append out "]")
            false)
          true m)
  (.append out "]}"))

(defn- write-array [^StringBuilder out ^List elements]
  (.append out "{\"array\":[")
  (reduce (fn [first? element]
            (when-not first? (.append out ","))
            (write-typed out element)
            false)
          true elements)
  (.append out "]}"))

(defn- write-typed [^StringBuilder out x]
  (cond
    (nil? x) (.append out "null")
    (string? x) (write-string out x)
    (boolean? x) (.append out (str x))
    (integer? x) (doto out (.append "{\"int\":\"") (.append (str x)) (.append "\"}"))
    (double? x) (doto out
                  (.append "{\"f64\":\"")
                  (.append (format "%016x" (Double/doubleToRawLongBits x)))
                  (.append "\"}"))
    (bytes? x) (doto out (.append "{\"bin\":\"") (.append ^String (v/bytes->hex x)) (.append "\"}"))
    (instance? Map x) (write-map out x)
    (instance? List x) (write-array out x)
    (instance? Instant x) (write-time out (.getEpochSecond ^Instant x) (.getNano ^Instant x))
    (instance? Timestamp x) (write-time out (.seconds ^Timestamp x) (.nanos ^Timestamp x))
    (instance? Ext x) (doto out
                        (.append "{\"ext\":[") (.append (str (.type ^Ext x))) (.append ",\"")
                        (.append ^String (v/bytes->hex (.data ^Ext x))) (.append "\"]}"))
    :else (throw (ex-info "a value that the schema lacks" {:class (class x)}))))

(defn- utf8 ^bytes [^String s]
  (.getBytes s StandardCharsets/UTF_8))

(defn- typed ^bytes [x]
  (let [out (StringBuilder.)]
    (write-typed out x)
    (utf8 (.toString out))))

;; ---------------------------------------------------------------- verbs

(defn- place
  "Kind and place of an error: the offset of reading, the path of writing."
  [thrown]
  (let [e (PackordException/of thrown)]
    (str (.id (.kind e)) " " (if (neg? (.offset e)) (.path e) (.offset e)))))

(defn- message [thrown]
  (.getMessage (PackordException/of thrown)))

(defmacro ^:private attempt-with [describe & body]
  `(try
     [0 (do ~@body)]
     (catch RuntimeException e# [1 (utf8 (~describe e#))])))

(defmacro ^:private attempt [& body]
  `(attempt-with place ~@body))

(defn- options-of [{:strs [options]}]
  (v/options {"options" options}))

(defn- value-of [^bytes item]
  (v/build (v/->clj (.readValue json item Object))))

(defmulti ^:private answer (fn [header _items] (get header "verb")))

(defmethod answer "encode" [header items]
  (let [opts (options-of header)
        out (ByteArrayOutputStream.)
        ^MessageWriter writer (.writer ^Packer (packord/packer opts) out)
        written (mapv (fn [item]
                        (.reset out)
                        (attempt (.write writer (value-of item))
                                 (.flush writer)
                                 (.toByteArray out)))
                      items)
        structures (some-> (:structures opts) deref)]
    (conj written [0 (.writeValueAsBytes json (or structures []))])))

(defmethod answer "decode" [header items]
  (let [^Unpacker unpacker (packord/unpacker (options-of header))]
    (mapv (fn [^bytes item] (attempt (typed (.unpack unpacker item)))) items)))

;; The face "java" has the classes of Java and its types.

(defmethod answer "pack" [{:strs [face]} items]
  (mapv (fn [item]
          (let [native (v/->clj (.readValue json ^bytes item Object))]
            (binding [natives/*language* (or face "clojure")]
              (attempt (if (= "java" face)
                         (.pack (Packer/standard) (natives/build native))
                         (packord/pack (natives/build native)))))))
        items))

(defmethod answer "again" [{:strs [face]} items]
  (mapv (fn [^bytes item]
          (attempt (if (= "java" face)
                     (.pack (Packer/standard) (.unpack (Unpacker/standard) item))
                     (packord/pack (packord/unpack item)))))
        items))

(defmethod answer "message" [header items]
  (let [^Unpacker unpacker (packord/unpacker (options-of header))]
    (mapv (fn [^bytes item] (attempt-with message (.unpack unpacker item) (byte-array 0))) items)))

(defmethod answer "transcode" [header items]
  (if (get header "peer")
    (mapv peer/transcode items)
    (mapv (fn [item]
            ;; A shared list grows with use, so each message begins with a fresh one.
            (let [opts (options-of header)]
              (attempt (packord/pack (packord/unpack item opts) (options-of header)))))
          items)))

(defn- in-chunks
  "A stream that hands out at most `size` bytes at a time."
  ^InputStream [^bytes b size]
  (let [in (ByteArrayInputStream. b)]
    (proxy [InputStream] []
      (read
        ([] (.read in))
        ([target] (.read in target 0 (min (alength ^bytes target) (long size))))
        ([target from n] (.read in target (int from) (int (min (long n) (long size)))))))))

(defmethod answer "stream" [header items]
  (let [^Unpacker unpacker (packord/unpacker (options-of header))]
    (mapv (fn [item]
            (let [^MessageReader reader (.reader unpacker (in-chunks item (get header "chunk")))
                  out (StringBuilder. "{\"values\":[")
                  end (try
                        (loop [first? true]
                          (if (.hasNext reader)
                            (let [x (.next reader)]
                              (when-not first? (.append out ","))
                              (write-typed out x)
                              (recur false))
                            "clean"))
                        (catch RuntimeException e (place e)))]
              [0 (utf8 (str out "],\"end\":\"" end "\"}"))]))
          items)))

(defn- write-options ^WriteOptions [{:strs [sync codec block_rows columns messages stats]}]
  (.build ^WriteOptions$Builder
          (cond-> (.sync (WriteOptions/builder) (v/hex->bytes sync))
            codec (.codec codec)
            block_rows (.blockRows block_rows)
            (some? columns) (.columns columns)
            messages (.messages true)
            stats (.stats stats))))

(defmethod answer "file" [header items]
  (mapv (fn [^bytes item]
          (let [out (ByteArrayOutputStream.)]
            (attempt
             (with-open [writer (ContainerWriter/of out (write-options (get header "write")))]
               (doseq [row (iterator-seq (.reader (Unpacker/standard) (ByteArrayInputStream. item)))]
                 (.write writer row)))
             (.toByteArray out))))
        items))

(defn- offset-of [thrown]
  (let [e (PackordException/of thrown)]
    (str (.id (.kind e)) " " (.offset e))))

(defn- read-file
  "The typed rows of a container file, how reading ended, and what was passed over."
  [^bytes item opts]
  (let [out (StringBuilder. "{\"values\":[")
        reader (volatile! nil)
        end (try
              (vreset! reader ((if (get opts "index") files/open-file files/open-stream) item opts))
              (let [rows (.iterator ^ContainerReader @reader)]
                (loop [first? true]
                  (when (.hasNext rows)
                    (let [row (.next rows)]
                      (when-not first? (.append out ","))
                      (write-typed out row)
                      (recur false)))))
              "clean"
              (catch RuntimeException e (offset-of e)))
        ranges (when @reader
                 (for [^DamagedRange range (.damaged ^ContainerReader @reader)]
                   [(.from range) (.to range) (offset-of (.error range))]))]
    (.append out "],\"end\":")
    (.append out (.writeValueAsString json end))
    (.append out ",\"ranges\":")
    (.append out (.writeValueAsString json (vec ranges)))
    (utf8 (str (.append out "}")))))

(defmethod answer "rows" [header items]
  (mapv (fn [item] [0 (read-file item (get header "read"))]) items))

(def ^:private held (atom nil))

(defmethod answer "hold" [_ [item]]
  (reset! held item)
  [])

(defn- allocated
  "Bytes that this thread has allocated so far."
  ^long []
  (.getThreadAllocatedBytes ^ThreadMXBean (ManagementFactory/getThreadMXBean)
                            (.getId (Thread/currentThread))))

(defmethod answer "read" [header _]
  (let [^Unpacker unpacker (packord/unpacker (options-of header))
        ^bytes item @held
        before (allocated)
        outcome (attempt (.unpack unpacker item) (byte-array 0))]
    [outcome [0 (utf8 (str (- (allocated) before)))]]))

;; ---------------------------------------------------------------- frames

(defn- read-frame
  "The items of the next frame, the header first; nil at the end of the input."
  [^DataInputStream in]
  (when-let [size (try (.readInt in) (catch EOFException _))]
    (loop [left (long size), items []]
      (if (pos? left)
        (let [b (byte-array (.readInt in))]
          (.readFully in b)
          (recur (- left 4 (alength b)) (conj items b)))
        items))))

(defn- write-frame [^DataOutputStream out outcomes]
  (.writeInt out (reduce (fn [n [_ ^bytes b]] (+ (long n) 5 (alength b))) 0 outcomes))
  (doseq [[status ^bytes b] outcomes]
    (.writeByte out (int status))
    (.writeInt out (alength b))
    (.write out b))
  (.flush out))

(defn -main []
  (let [in (DataInputStream. (java.io.BufferedInputStream. System/in (bit-shift-left 1 20)))
        out (DataOutputStream. (BufferedOutputStream. System/out (bit-shift-left 1 20)))]
    (loop []
      (when-let [[^bytes header & items] (read-frame in)]
        (write-frame out (answer (v/->clj (.readValue json header Object)) items))
        (recur)))))
