(ns packord.core
  "MessagePack for Clojure's data.

      (require '[packord.core :refer [pack unpack]])

      (unpack (pack {:a 1 \"b\" [1 2 3]}))       ;=> {\"a\" 1, \"b\" [1 2 3]}
      (unpack (pack {:a 1}) {:key-fn true})     ;=> {:a 1}

  ## Types

  Packed: nil, booleans, all integer types (BigInt and BigInteger within 64 bits), Float as float 32, Double
  as float 64, strings, byte arrays and ByteBuffers as bin, other arrays, maps with any keys, vectors, lists,
  seqs, sets, iterators and streams as arrays, Clojure's and Java's records and objects with getters as maps,
  java.util collections, `packord.Ext`. Points in time with any offset (Instant, java.util.Date,
  OffsetDateTime, ZonedDateTime) are timestamps, an Optional its value or nil. Text are, as keys too:
  keywords and symbols (`ns/name`), characters, BigDecimal, enums (their names), UUID, URI, URL, Path,
  InetAddress, Locale, Currency and the other classes of java.time. The option `:rich` keeps these types.

  Unpacked: integers as Long (BigInt above), floats as Double, strings, bin as byte arrays,
  vectors, maps, timestamps as Instant, unknown exts as `packord.Ext`, which packs to the same
  bytes again.

  ## Errors

  Every failure is an ExceptionInfo, as in ClojureScript:

      (try (unpack (byte-array [0x93 1]))
           (catch clojure.lang.ExceptionInfo e (ex-data e)))
      ;=> {:type :packord/error, :kind :eof, :path \"$\", :offset 2}

  The kinds are those of packord's specification: `:eof`, `:reserved-marker`, `:invalid-utf8`,
  `:trailing-bytes`, `:depth-limit`, `:length-limit`, `:duplicate-key`, `:invalid-timestamp`,
  `:invalid-ext`, `:invalid-container`, `:unknown-ext`, `:record-undefined`, `:record-malformed`, `:out-of-range`,
  `:unsupported-type`, `:cycle`, `:not-canonical`. Errors of reading have an `:offset` in bytes.

  ## Options

  Every function takes them as a map, or compiled by [[codec]]; its docstring has the table."
  (:require
   [packord.extension :as extension]
   [packord.extension.clojure :as ext.clj]
   [packord.extension.types :refer [types-ext]]
   [packord.options :as options])
  (:import
   (clojure.lang IAtom IDeref IReduce IReduceInit MapEntry Seqable)
   (java.io ByteArrayInputStream File InputStream OutputStream UncheckedIOException Writer)
   (java.net URL)
   (java.nio ByteBuffer)
   (java.nio.channels Channels ReadableByteChannel SeekableByteChannel)
   (java.nio.file Files OpenOption Path)
   (java.util Iterator List)
   (packord ClojureData Ext KeywordMode MessageReader MessageWriter Option Options Packer StructureStore Unpacker)))

(set! *warn-on-reflection* true)

;; ---------------------------------------------------------------- options

(def ^{:arglists '([k])} stringify-keys-mapper
  "Key function for packing: keywords become strings, their namespace kept as `ns/name`; other
  keys stay. The same as `:key-fn true`."
  options/stringify-keys-mapper)

(def ^{:arglists '([k])} keywordize-keys-mapper
  "Key function for unpacking: strings become keywords, `\"ns/name\"` with a namespace; other keys
  stay. The same as `:key-fn true`."
  options/keywordize-keys-mapper)

(defn- structure-store ^StructureStore [structures]
  (cond
    (instance? StructureStore structures) structures
    (instance? IAtom structures)
    (reify StructureStore
      (get [_] (.deref ^IDeref structures))
      (compareAndSet [_ expected longer]
        (compare-and-set! structures expected (mapv vec longer))))
    :else (StructureStore/of (mapv vec structures))))

(defn- java-value
  "A value of an option as the Java core has it."
  [^Option o v]
  (cond
    (= Option/STRUCTURES o) (structure-store v)
    (keyword? v) (.choice o (name v))
    (integer? v) (long v)
    :else v))

(defn ^:no-doc options
  "Returns the options of a map as the Java core has them."
  ^Options [opts]
  (let [b (Options/builder)]
    (doseq [[option v] (dissoc (options/checked opts) :key-fn :extensions :types)
            :let [o (Option/of (name option))]]
      (.set b o (java-value o v)))
    (doseq [x (concat (:extensions opts) (when (:rich opts) ext.clj/extensions))]
      (.extension b (extension/as-extension x opts)))
    (when (or (:types opts) (options/exact? (:key-fn opts)))
      (.extension b (types-ext (:types opts))))
    (.build b)))

(defn- keyword-mode [key-fn]
  (cond
    (options/exact? key-fn) KeywordMode/EXACT
    (options/standard-key-fn? key-fn) KeywordMode/NAMES
    :else KeywordMode/VALUES))

(def ^:private recent-slots 64)

(defn ^:no-doc remembering
  "Returns `make`, a function of a map of options, with its results for the maps that were used
  lately. They are found by the identity of the map, or else by its value."
  [make]
  (let [entries (object-array recent-slots)
        slot (fn [n] (bit-and (int n) (dec (long recent-slots))))]
    (fn [opts]
      (let [by-identity (slot (System/identityHashCode opts))
            ^MapEntry e (aget entries by-identity)]
        (if (and e (identical? opts (.key e)))
          (.val e)
          (let [by-value (slot (hash opts))
                ^MapEntry e (aget entries by-value)]
            (if (and e (= opts (.key e)))
              (.val e)
              (let [e (MapEntry/create opts (make opts))]
                (aset entries by-identity e)
                (aset entries by-value e)
                (.val e)))))))))

(deftype ^:private Codec [opts ^Packer packer ^Unpacker unpacker])

(defn ^:no-doc codec-of
  "As [[codec]]. With `repeats-keys?` a key that a map has as keyword and as string is written twice, as other
  packages do."
  [opts repeats-keys?]
  (when-not (or (nil? opts) (map? opts) (instance? Codec opts))
    (options/refuse "options" "a map or a codec" opts))
  (if (instance? Codec opts)
    opts
    (let [o (options opts)
          key-fn (:key-fn opts)]
      (Codec. opts
              (ClojureData/packer o (options/user-key-fn key-fn) (keyword-mode key-fn) repeats-keys?)
              (ClojureData/unpacker o
                                    (options/keyword-keys? key-fn)
                                    (options/user-key-fn key-fn))))))

(defn codec
  "Compiles options into an object that every function accepts instead of the map. It is immutable,
  can be shared between threads, and saves reading the map with each call.

      (def c (codec {:key-fn true, :records true}))
      (unpack (pack [{:a 1} {:a 2}] c) c)   ;=> [{:a 1} {:a 2}]

  | option | default | meaning |
  |--------|---------|------|
  | `:key-fn` | `false` | `true`: str keys are unpacked as keywords, and keyword keys packed as their names (`ns/name`) even if an extension takes keywords. `false`: keys are as other values. A function: applied to every key, and its result packed as other values are; it may be called once for a key and its result remembered. `:exact`: as `true`, and string keys are packed apart, as ext 94, so that keywords and strings are both unpacked as they were |
  | `:rich` | `false` | keywords, symbols, characters, ratios, decimals, UUIDs, sets, the types of java.time and arrays of numbers are ext, and come back as what they were; see `packord.extension.clojure`. It includes `:bigint` |
  | `:extensions` | none | a sequence of extensions, see `packord.extension` |
  | `:types` | none | records and enums that come back with their type: a map of names to classes, see `packord.extension.types` |
  | `:records` | `false` | read and write records: maps whose keys are written once |
  | `:sequential` | `false` | record definitions last for a stream, not one message |
  | `:structures` | none | shared record structures: a vector of vectors of strings, or an atom of one, which grows |
  | `:max-shared-structures` | 32 with `:structures`, else 0 | at most 8160 |
  | `:max-own-structures` | 32 with `:structures`, else 64 | with the shared ones at most 8192 |
  | `:max-record-keys` | 1024 | keys of a structure that a message defines or a writer makes |
  | `:columns` | `false` | read and write columns, ext 92: arrays and maps of many similar values, stored by column where that is smaller. Else they are kept as other exts |
  | `:max-expansion` | 16 | size of such a value as plain MessagePack, in sizes of its payload |
  | `:undefined-record` | `:integer` | a one-byte record id without a definition: `:integer`, `:error` |
  | `:canonical` | `false` | write one encoding for equal values, elements of sets in order; refuse to read others |
  | `:sort-keys` | `false` | write map entries in canonical order |
  | `:skip-nil` | `false` | write maps without the entries that are nil |
  | `:float32` | `false` | write a double as float 32 when it loses nothing |
  | `:bigint` | `false` | integers beyond 64 bits as ext 0x42; else they are an error |
  | `:timestamps` | `:native` | timestamps are read as Instant if it holds them; `:date`: as java.util.Date, cut to milliseconds; `:timestamp`: always as `packord.Timestamp` |
  | `:utf8` | `:error` | str that is not UTF-8: `:error`, `:replace`, `:raw` (a byte array) |
  | `:trailing` | `:error` | bytes after the message: `:error`, `:allow` |
  | `:duplicate-key` | `:last` | a key twice: `:last` wins, `:error` |
  | `:unknown-ext` | `:keep` | ext types without extension: `:keep`, `:error` |
  | `:max-depth` | 1024 | containers open at once, reading and writing |
  | `:max-len` | none | sets the five that follow |
  | `:max-str-len` `:max-bin-len` `:max-ext-len` | none | bytes; without it, a decimal or ratio has 65,536 |
  | `:max-array-len` `:max-map-len` | none | elements, entries |
  | `:max-nodes` | none | values of one message, keys included |
  | `:max-buffer` | 64 MiB | bytes of one message of a stream, file or request body |

  Throws IllegalArgumentException for an option that is not in the table or has a wrong value."
  [opts]
  (codec-of opts false))

(def ^:private ^Codec default-codec (codec nil))

(def ^:private recent-codec (remembering codec))

(defn ^:no-doc options-of
  "The map that options or a codec were made of."
  [opts]
  (if (instance? Codec opts) (.-opts ^Codec opts) opts))

(defn- as-codec ^Codec [opts]
  (cond
    (instance? Codec opts) opts
    (nil? opts) default-codec
    :else (recent-codec opts)))

(defn packer
  "Returns the `packord.Packer` of these options, for use from Java."
  ^Packer [opts]
  (.-packer (as-codec opts)))

(defn unpacker
  "Returns the `packord.Unpacker` of these options, for use from Java."
  ^Unpacker [opts]
  (.-unpacker (as-codec opts)))

;; ---------------------------------------------------------------- packing

(defn pack
  "Packs `value` to a byte array.

      (pack {:a 1})                      ; 81 a1 61 01
      (unpack (pack {:a 1} {:key-fn str}))   ;=> {\":a\" 1}

  `opts`: see [[codec]]. Throws ExceptionInfo."
  (^bytes [value]
   (.pack ^Packer (.-packer default-codec) value))
  (^bytes [value opts]
   (.pack (packer opts) value)))

(defn pack-stream
  "Packs `value` to an OutputStream and flushes it; does not close it. A message of more than 64 KiB
  is written as it grows, and never in memory as a whole (with `:columns` it is). When a value in it cannot be packed, the
  part before may have been written; of a smaller message nothing is written then.

      (with-open [out (clojure.java.io/output-stream \"test.dat\")]
        (pack-stream out {:a 1}))

  `opts`: see [[codec]]."
  ([output-stream value]
   (pack-stream output-stream value nil))
  ([output-stream value opts]
   (.pack (packer opts) value ^OutputStream output-stream)))

(defn pack-all-stream
  "Packs all values of a collection or any other reducible to an OutputStream, one message after
  another, and flushes it; does not close it. With `:sequential true` record definitions last from
  one message to the next. Returns the number of messages.

      (with-open [out (clojure.java.io/output-stream \"test.dat\")]
        (pack-all-stream out (map #(hash-map :n %) (range 1000)) {:records true :sequential true}))

  `opts`: see [[codec]]."
  ([output-stream values]
   (pack-all-stream output-stream values nil))
  ([output-stream values opts]
   (let [^MessageWriter w (.writer (packer opts) ^OutputStream output-stream)]
     (try
       (reduce (fn [n v] (.write w v) (inc (long n))) 0 values)
       (finally (.flush w))))))

;; ---------------------------------------------------------------- unpacking

(defn- open-stream
  "The bytes of a resource that packord itself opens, or nil for other resources."
  ^InputStream [resource]
  (cond
    (instance? File resource) (open-stream (.toPath ^File resource))
    (instance? Path resource) (java.io.BufferedInputStream.
                               (Files/newInputStream resource (make-array OpenOption 0)))
    (instance? URL resource) (java.io.BufferedInputStream. (.openStream ^URL resource))
    :else nil))

(defn ^:no-doc buffer-channel
  "The bytes of a buffer, whose position stays."
  ^SeekableByteChannel [^ByteBuffer buffer]
  (let [b (.slice buffer)]
    (reify SeekableByteChannel
      (read [_ target]
        (let [n (min (.remaining b) (.remaining target))]
          (if (and (zero? n) (pos? (.remaining target)))
            -1
            (do (.put target ^ByteBuffer (.limit (.slice b) n))
                (.position b (+ n (.position b)))
                n))))
      (^long position [_] (long (.position b)))
      (^SeekableByteChannel position [this ^long n]
        (.position b (int (min n (.limit b))))
        this)
      (size [_] (long (.limit b)))
      (isOpen [_] true)
      (close [_]))))

(defn- memory-stream
  "The bytes of an array or buffer from the first on, or nil for other resources."
  ^InputStream [resource]
  (cond
    (bytes? resource) (ByteArrayInputStream. resource)
    (instance? ByteBuffer resource) (Channels/newInputStream (buffer-channel resource))
    :else nil))

(defn ^:no-doc as-path ^Path [resource]
  (cond
    (instance? Path resource) resource
    (instance? File resource) (.toPath ^File resource)
    (and (instance? URL resource) (= "file" (.getProtocol ^URL resource)))
    (Path/of (.toURI ^URL resource))
    :else nil))

(defn- given-stream ^InputStream [resource]
  (cond
    (instance? InputStream resource) resource
    (instance? ReadableByteChannel resource) (Channels/newInputStream
                                              ^ReadableByteChannel resource)
    :else (throw (IllegalArgumentException.
                  (str "cannot unpack from " (some-> resource class .getName))))))

(defn- unpack-resource [^Unpacker u resource]
  (if-let [in (open-stream resource)]
    (with-open [in in]
      (.unpackAll u in))
    (.unpack u (given-stream resource))))

(defn unpack
  "Unpacks one value from a byte array, ByteBuffer, InputStream, File, Path, URL or
  ReadableByteChannel.

      (unpack (byte-array [0x81 0xa1 0x61 0x01]))                   ;=> {\"a\" 1}
      (unpack (byte-array [0x81 0xa1 0x61 0x01]) {:key-fn true})    ;=> {:a 1}

  Of an InputStream or channel exactly the bytes of the value are read, so that several values can
  be read one by one, and a stream that stays open does not block; it is not closed. All other
  resources must hold nothing else, unless `:trailing :allow`. A ByteBuffer's position is moved
  to the end of the value.

  `opts`: see [[codec]]. Throws ExceptionInfo; never returns nil for missing
  bytes."
  ([resource]
   (unpack resource nil))
  ([resource opts]
   (let [u (unpacker opts)]
     (cond
       (bytes? resource) (.unpack u ^bytes resource)
       (instance? ByteBuffer resource) (.unpack u ^ByteBuffer resource)
       :else (unpack-resource u resource)))))

(defn- more?
  "Whether there is another message. An exception of the stream is thrown as it is."
  [^Iterator messages]
  (try (.hasNext messages)
       (catch UncheckedIOException e (throw (.getCause e)))))

(defn- following [^Iterator messages]
  (try (.next messages)
       (catch UncheckedIOException e (throw (.getCause e)))))

(defn- reduce-messages [^MessageReader reader f init]
  (loop [acc init]
    (cond
      (reduced? acc) @acc
      (more? reader) (recur (f acc (following reader)))
      :else (do (.close reader) acc))))

(defn- one-by-one [messages]
  (lazy-seq
   (when (more? messages)
     (cons (following messages) (one-by-one messages)))))

(deftype ^:private Messages [^Unpacker unpacker resource]
  Iterable
  (iterator [_]
    ;; Nobody closes an iterator that is left before its end, so it must not hold a file open.
    (.reader unpacker (if-let [path (as-path resource)]
                        (ClojureData/steps path)
                        (or (memory-stream resource) (open-stream resource)
                            (given-stream resource)))))
  Seqable
  (seq [this]
    ;; An Iterable's own seq takes 32 messages at a time, for which a socket would be waited.
    (seq (one-by-one (.iterator this))))
  IReduceInit
  (reduce [_ f init]
    (if-let [own (or (memory-stream resource) (open-stream resource))]
      (with-open [own own]
        (reduce-messages (.reader unpacker own) f init))
      (reduce-messages (.reader unpacker (given-stream resource)) f init)))
  IReduce
  (reduce [this f]
    (let [result (.reduce this
                          (fn [acc v] (if (identical? acc this) v (f acc v)))
                          this)]
      (if (identical? result this) (f) result))))

(defn unpack-stream
  "Returns all values of an InputStream, ReadableByteChannel, File, Path, URL, byte array or ByteBuffer,
  as a reducible and Iterable. Only the current message is held in memory.

      (into [] (unpack-stream (byte-array [1 2 3])))   ;=> [1 2 3]

      (with-open [in (clojure.java.io/input-stream \"test.dat\")]
        (transduce (map #(get % \"n\")) + (unpack-stream in)))

  Reducing to the end closes the stream. A reduction that stops early (`reduced`, `take`) stops
  reading: the stream is then at the byte after the last value, and open. A File, Path or URL is opened
  by this function and always closed. A seq of a File or Path opens the file for each step of 64 KiB,
  so that it may be left at any message. A byte array or ByteBuffer is read from its first byte each
  time, and the position of the buffer stays. With `:sequential true` record definitions last from one
  message to the next.

  `opts`: see [[codec]]."
  ([resource]
   (unpack-stream resource nil))
  ([resource opts]
   (Messages. (unpacker opts) resource)))

;; ---------------------------------------------------------------- values

(defn ext
  "Returns an ext value of `type` (-128 to 127) with the byte array `data`.

      (pack (ext 5 (byte-array [0])))   ; d4 05 00"
  ^Ext [type data]
  (Ext. (int type) data))

(defmethod print-method Ext [e ^Writer w]
  (.write w (str "#<packord " e ">")))
