(ns packord.container
  "Container files (`.pkd`): many rows or messages in blocks, which are compressed one by one, skipped by
  statistics, split between readers, and appended. A cut or damaged file loses only the blocks at fault.

      (require '[packord.container :as container])
      (def out (java.io.ByteArrayOutputStream.))
      (with-open [w (container/writer out)]
        (container/write-all! w (map #(hash-map :id % :town ([\"Oslo\" \"Graz\"] (rem % 2))) (range 10000))))
      (def file (.toByteArray out))   ; or the name of a file
      (with-open [r (container/reader file {:key-fn true, :where [[:id :>= 9998]]})]
        (into [] r))
      ;=> [{:id 9998, :town \"Oslo\"} {:id 9999, :town \"Graz\"}]
      (with-open [r (container/reader file)]
        (select-keys (container/info r) [:count :schema]))
      ;=> {:count 10000, :schema {\"id\" {:types [:int], :nullable false}, \"town\" {:types [:str], :nullable false}}}

  Its classes are in the artifact io.github.packord/packord-container. The format is in spec/container.md. Errors are those
  of `packord.core`; their `:offset` counts from the start of the file."
  (:require
   [clojure.string :as str]
   [packord.core :as packord])
  (:import
   (clojure.lang BigInt IReduce IReduceInit)
   (java.io Closeable File InputStream OutputStream)
   (java.net URL)
   (java.nio ByteBuffer)
   (java.nio.channels Channels ReadableByteChannel SeekableByteChannel)
   (java.nio.file Path)
   (java.time Duration)
   (java.util Collection Iterator List Map)
   (packord Packer Unpacker)
   (packord.container Block ContainerHeader ContainerIndex ContainerReader ContainerWriter DamagedRange
                      PathStatistics PathType Predicate ReadOptions Split WriteOptions)))

(set! *warn-on-reflection* true)

;; ---------------------------------------------------------------- options

(defn- refuse [option what value]
  (throw (IllegalArgumentException. (str option " must be " what ", not " (pr-str value)))))

(defn- int-option [option value]
  (if (and (integer? value) (<= 0 value Integer/MAX_VALUE))
    (int value)
    (refuse option "an integer from 0 to 2^31 - 1" value)))

(defn- switch [option value]
  (if (boolean? value) value (refuse option "true or false" value)))

(defn- values-options
  "The options of packord.core among those of a reader or writer, or nil if there are none."
  [opts own]
  (not-empty (apply dissoc opts own)))

(defn- key-name
  "A key: a string or a keyword."
  ^String [k]
  (cond
    (string? k) k
    (keyword? k) (subs (str k) 1)
    :else (refuse "a key" "a string or a keyword" k)))

(defn- path
  "A path: a string, a keyword, or a vector of keys and positions."
  ^String [p]
  (cond
    (or (string? p) (keyword? p)) (key-name p)
    (vector? p) (str/join "." (map #(if (integer? %) % (path %)) p))
    :else (refuse "a path" "a string, a keyword or a vector of them" p)))

(def ^:private operators
  {:== "==", := "==", :!= "!=", :not= "!=", :< "<", :<= "<=", :> ">", :>= ">=", :in "in"
   :is-null "is_null", :is-not-null "is_not_null"})

(defn- constant [value]
  (if (instance? BigInt value) (biginteger value) value))

(defn- condition [^Predicate p c]
  (let [[at op value] (if (and (vector? c) (<= 2 (count c) 3)) c (refuse "a condition" "[path operator value]" c))
        ^String operator (or (operators op) (refuse "an operator" (str "one of " (keys operators)) op))
        value (if (= :in op) (mapv constant value) (constant value))]
    (if p
      (.and p (path at) operator ^Object value)
      (Predicate/of (path at) operator value))))

(defn- predicate ^Predicate [conditions]
  (reduce condition nil conditions))

(defn- follow-time ^Duration [value]
  (cond
    (or (nil? value) (false? value)) nil
    (true? value) ReadOptions/FOREVER
    (nat-int? value) (Duration/ofMillis value)
    :else (refuse :follow "true, false or milliseconds" value)))

(defn- split-option ^Split [value]
  (if (and (vector? value) (= 2 (count value)) (every? nat-int? value))
    (Split. (first value) (second value))
    (refuse :split "a vector of two offsets" value)))

(def ^:private reading [:max-block :on-bad-block :where :prune :select :split :index :follow])

(defn- read-options ^ReadOptions [{:keys [max-block on-bad-block where prune select split index follow] :as opts}]
  (let [^Unpacker unpacker (packord/unpacker (values-options opts reading))]
    (-> (ReadOptions/builder)
        (.unpacker unpacker)
        (cond->
         max-block (.maxBlock (int-option :max-block max-block))
         on-bad-block (.skipDamaged (case on-bad-block
                                      :skip true
                                      :error false
                                      (refuse :on-bad-block ":error or :skip" on-bad-block)))
         where (.where (predicate where))
         prune (.prune (predicate prune))
         select (.select ^Collection (mapv key-name select))
         split (.split (split-option split))
         (some? index) (.useIndex (switch :index index)))
        (.follow (follow-time follow))
        (.build))))

;; ---------------------------------------------------------------- reading

(defn- reduce-rows [^Iterator rows f init]
  (loop [acc init]
    (cond
      (reduced? acc) @acc
      (.hasNext rows) (recur (f acc (.next rows)))
      :else acc)))

(deftype ^:private Rows [make-iterator]
  Iterable
  (iterator [_] (make-iterator))
  IReduceInit
  (reduce [_ f init] (reduce-rows (make-iterator) f init))
  IReduce
  (reduce [_ f]
    (let [^Iterator rows (make-iterator)]
      (if (.hasNext rows)
        (reduce-rows rows f (.next rows))
        (f)))))

(deftype ^:private Reader [^ContainerReader source]
  Closeable
  (close [_] (.close source))
  Iterable
  (iterator [_] (.iterator source))
  IReduceInit
  (reduce [_ f init] (reduce-rows (.iterator source) f init))
  IReduce
  (reduce [_ f] (.reduce (Rows. #(.iterator source)) f)))

(defn- file-path ^Path [source]
  (packord/as-path (if (string? source) (File. ^String source) source)))

(defn- stream ^InputStream [source]
  (cond
    (instance? InputStream source) source
    (instance? URL source) (.openStream ^URL source)
    (instance? ReadableByteChannel source) (Channels/newInputStream ^ReadableByteChannel source)
    :else (throw (IllegalArgumentException. (str "cannot read a container file from " (some-> source class .getName))))))

(defn reader
  "Opens a container file: the name of a file, a File, Path, byte array, ByteBuffer or SeekableByteChannel, which
  are read by the index if the file has one; or an InputStream, ReadableByteChannel or URL, which are read once,
  from the first byte. The result is a reducible, and seqable, of the rows and messages in their order. Reducing
  it again begins again, but for streams. One block at a time is in memory. Close the reader: it closes what it
  was given.

      (with-open [r (container/reader \"events.pkd\" {:key-fn true})]
        (transduce (map :bytes) + r))

  | option | default | meaning |
  |--------|---------|------|
  | `:where` | none | the conditions that rows meet: blocks are skipped by their statistics, and the rows of the others compared |
  | `:prune` | none | conditions by which only blocks are skipped |
  | `:select` | all | top-level keys that rows and messages have: of rows that are stored by column, the others are not read, and their faults not found |
  | `:split` | none | `[from to]`, offsets: only the blocks whose mark begins there, see [[splits]] |
  | `:on-bad-block` | `:error` | `:skip` passes over what is damaged, and notes it in [[damaged]] |
  | `:max-block` | 64 MiB | the largest body, and the largest data, of a block in bytes |
  | `:index` | `true` | whether the index is used |
  | `:follow` | `false` | `true`: of a file that is growing, wait at its end until the reader is closed; a number: for this number of milliseconds. Reduce such a reader: a seq of it looks ahead. A reduction that has ended can be continued by another one, if the source is a stream |
  | others | | those of [[packord.core/codec]], for the values. Columns are always read, records never |

  A condition is `[path operator value]`, or `[path :is-null]`. A path is a string such as `\"user.id\"` or
  `\"pos.0\"`, a keyword, or a vector of keys and positions. The operators are `:==` (also `:=`), `:!=` (also
  `:not=`), `:<`, `:<=`, `:>`, `:>=`, `:in` with a collection, `:is-null` and `:is-not-null`. Values of different
  types are unequal, but for integers and floats.

      (def out (java.io.ByteArrayOutputStream.))
      (with-open [w (container/writer out)]
        (container/write-all! w [{:a 1} {:a {:b 2.5}} {:a nil} {}]))
      (defn rows [& conditions]
        (with-open [r (container/reader (.toByteArray out) {:key-fn true, :where conditions})]
          (vec r)))
      (rows [:a :== 1])                          ;=> [{:a 1}]
      (rows [[:a :b] :> 2] [\"a.b\" :in #{2.5}])   ;=> [{:a {:b 2.5}}]
      (rows [:a :is-null])                       ;=> [{:a nil} {}]
      (with-open [r (container/reader (.toByteArray out) {:key-fn true, :select [:b]})]
        (into #{} r))                            ;=> #{{}}

  Throws ExceptionInfo where the file is at fault, after all blocks before, and
  IllegalArgumentException for an option that is unknown or has a wrong value."
  (^Closeable [source]
   (reader source nil))
  (^Closeable [source opts]
   (let [options (read-options opts)]
     (Reader.
      (if-let [path (file-path source)]
        (ContainerReader/open path options)
        (if-let [channel (cond
                           (bytes? source) (packord/buffer-channel (ByteBuffer/wrap source))
                           (instance? ByteBuffer source) (packord/buffer-channel source)
                           (instance? SeekableByteChannel source) source
                           :else nil)]
          (ContainerReader/of ^SeekableByteChannel channel options)
          (ContainerReader/of (stream source) options)))))))

(defn- source ^ContainerReader [^Reader r]
  (.-source r))

(defn packed
  "Returns a reducible, and Iterable, of the rows and messages of a reader as byte arrays: each a message of its
  own, without columns."
  [r]
  (Rows. #(.packed (source r))))

(defn- statistics [found]
  (into {} (map (fn [[p ^PathStatistics s]] [p {:nulls (.nulls s), :min (.min s), :max (.max s)}])) found))

(defn- block-map [^Block b]
  {:offset (.offset b)
   :size (.size b)
   :kind (if (.hasRows b) :rows :messages)
   :count (.count b)
   :body-size (.bodySize b)
   :codec (keyword (.codec b))
   :statistics (statistics (.statistics b))
   :block b})

(defn blocks
  "Returns a reducible, and Iterable, of the blocks of a reader that its options do not leave out. Each is a map:
  `:offset` of its mark, `:size` with the mark, `:kind` (`:rows` or `:messages`), `:count`, `:body-size`,
  `:codec`, `:statistics` (from the index: paths to `:nulls`, `:min` and `:max`), and `:block`, the
  `packord.container.Block`, for [[copy!]] and for reading by column in Java."
  [r]
  (Rows. #(let [^Iterator all (.blocks (source r))]
            (reify Iterator
              (hasNext [_] (.hasNext all))
              (next [_] (block-map (.next all)))))))

(defn splits
  "Returns at most `n` ranges `[from to]` of a file that can be read apart, by other threads or machines, with the
  option `:split`. They are of about the same size, and each block is in one of them. With an index they begin
  at blocks. Throws IllegalStateException for a stream.

      (with-open [r (container/reader \"events.pkd\")]
        (->> (container/splits r 4)
             (pmap #(with-open [part (container/reader \"events.pkd\" {:split %})]
                      (count (into [] part))))
             (reduce +)))"
  [r n]
  (mapv (fn [^Split s] [(.from s) (.to s)]) (.splits (source r) (int n))))

(defn damaged
  "Returns what reading with `:on-bad-block :skip` has passed over: maps with `:from` and `:to`, offsets, and
  `:error`, the exception that reading without that option throws."
  [r]
  (mapv (fn [^DamagedRange d] {:from (.from d), :to (.to d), :error (.thrown (.error d))}) (.damaged (source r))))

(defn info
  "Returns what a file says of itself: `:codec`, `:meta` and `:stats` from its header, and from its index `:count`, the number of rows and messages, `:blocks`, their number, and `:schema`, paths to the `:types`
  that occur there and whether the value is `:nullable`. The last three are nil without an index, `:schema` also
  where the index has none."
  [r]
  (let [reader (source r)
        ^ContainerHeader header (.header reader)
        ^ContainerIndex index (.index reader)]
    {:codec (keyword (.codec header))
     :meta (.meta header)
     :stats (some-> (.stats header) vec)
     :count (some-> index .count)
     :blocks (some-> index .entries count)
     :schema (when-let [schema (some-> index .schema)]
               (into {} (map (fn [[p ^PathType t]]
                               [p {:types (mapv keyword (.types t)), :nullable (.isNullable t)}]))
                     schema))}))

;; ---------------------------------------------------------------- writing

(def ^:private writing
  [:codec :level :block-size :block-rows :columns :messages :stats :meta :sync :append])

(defn- write-options
  ^WriteOptions [{:keys [codec level block-size block-rows columns messages stats meta sync] :as opts}]
  (let [values (values-options opts writing)
        ^Packer packer (packord/packer values)
        ^Unpacker unpacker (packord/unpacker values)]
    (-> (WriteOptions/builder)
        (.packer packer)
        (.unpacker unpacker)
        (cond->
         codec (.codec (name codec))
         level (.level (int level))
         block-size (.blockSize (int-option :block-size block-size))
         block-rows (.blockRows (int-option :block-rows block-rows))
         (some? columns) (.columns (switch :columns columns))
         (some? messages) (.messages (switch :messages messages))
         stats (.stats ^List (mapv path stats))
         meta (.meta ^Map meta)
         sync (.sync ^bytes sync))
        (.build))))

(defn writer
  "Opens a container file for writing: the name of a file, a File or Path, which is emptied if it is there and
  locked, so that other writers are refused; or an OutputStream. Returns a `packord.container.ContainerWriter`,
  for one thread. Closing it writes the last block and the index, and closes the stream. A program that is killed
  leaves a file with all blocks that were written.

      (with-open [w (container/writer \"events.pkd\" {:stats [:at :user], :meta {\"made by\" \"example\"}})]
        (container/write-all! w events))

  | option | default | meaning |
  |--------|---------|------|
  | `:codec` | `:zstd` | `:none`, `:deflate`, `:zstd` |
  | `:level` | zstd 3, deflate 6 | of the codec |
  | `:block-size` | 4 MiB | largest body of a block without columns and compression, at most 64 MiB. A larger row has a block of its own |
  | `:block-rows` | 65,536 | most rows of a block |
  | `:columns` | `true` | rows are stored by column |
  | `:messages` | `false` | `true`: blocks of messages, not rows of a table: any values, without statistics and schema |
  | `:stats` | those of the first row | paths whose statistics are kept: smallest and largest value of each block |
  | `:meta` | none | a map for the program's own use, which [[info]] returns |
  | `:sync` | random | the 16 bytes of each mark, for files that must be the same twice |
  | `:append` | `false` | go on with a file that is there, whose header stays. One that is cut or damaged is refused |
  | others | | those of [[packord.core/codec]], for the values |

  Throws `packord.container.ContainerLockedException` when another writer has the file, and
  IllegalArgumentException for an option that is unknown or has a wrong value."
  (^ContainerWriter [target]
   (writer target nil))
  (^ContainerWriter [target opts]
   (let [options (write-options opts)
         append (switch :append (:append opts false))]
     (if-let [path (file-path target)]
       (if append
         (ContainerWriter/append path options)
         (ContainerWriter/create path options))
       (if append
         (refuse :append "false with a stream" true)
         (ContainerWriter/of ^OutputStream target options))))))

(defn write!
  "Writes a row, or with `:messages` a message. It may stay in memory until its block ends. Returns the writer.
  A value that cannot be packed is an error, after which the writer goes on."
  ^ContainerWriter [^ContainerWriter w value]
  (.write w value)
  w)

(defn write-all!
  "Writes the values of a collection or other reducible. Returns the writer."
  ^ContainerWriter [^ContainerWriter w values]
  (reduce (fn [_ value] (.write w value)) nil values)
  w)

(defn copy!
  "Writes a block of [[blocks]], of a reader of another file, without unpacking it. Returns the writer."
  ^ContainerWriter [^ContainerWriter w block]
  (.copy w ^Block (:block block))
  w)

(defn flush!
  "Ends the block, and hands it to the file. Readers that follow the file see it. Returns the writer."
  ^ContainerWriter [^ContainerWriter w]
  (.flush w)
  w)
