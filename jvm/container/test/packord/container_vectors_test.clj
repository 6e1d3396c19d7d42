(ns packord.container-vectors-test
  "The vectors of container files, read and written by the classes of Java."
  (:require
   [clojure.java.io :as io]
   [clojure.test :refer [deftest is testing]]
   [packord.vectors :as v])
  (:import
   (java.io ByteArrayInputStream ByteArrayOutputStream)
   (java.nio ByteBuffer)
   (java.nio.channels SeekableByteChannel)
   (java.nio.file Files Path)
   (java.nio.file.attribute FileAttribute)
   (java.time Duration)
   (java.util Arrays Iterator List Map)
   (packord Options Packer PackordException Timestamp Unpacker)
   (packord.container Block ContainerIndex ContainerIndex$Entry ContainerReader ContainerWriter DamagedRange
                      PathStatistics PathType Predicate ReadOptions ReadOptions$Builder Split WriteOptions)))

(set! *warn-on-reflection* true)

(defn channel
  "A channel of bytes in memory."
  ^SeekableByteChannel [^bytes b]
  (let [at (volatile! 0)]
    (reify SeekableByteChannel
      (read [_ target]
        (let [from (long @at)
              n (min (.remaining target) (- (alength b) from))]
          (cond
            (pos? n) (do (.put target b (int from) (int n))
                         (vreset! at (+ from n))
                         (int n))
            :else -1)))
      (^long position [_] (long @at))
      (^SeekableByteChannel position [this ^long n] (vreset! at n) this)
      (size [_] (alength b))
      (isOpen [_] true)
      (close [_]))))

(defn error-of [thrown]
  (let [e (PackordException/of thrown)
        inside (re-find #"at byte (\d+) of the body" (.getMessage e))]
    (cond-> {"kind" (.id (.kind e)), "offset" (.offset e)}
      inside (assoc "inside" (parse-long (second inside))))))

(defn- of-java
  "A value as programs in Java have it: large integers are a BigInteger."
  [constant]
  (cond
    (instance? clojure.lang.BigInt constant) (.toBigInteger ^clojure.lang.BigInt constant)
    (instance? List constant) (mapv of-java constant)
    (instance? Map constant) (reduce (fn [^Map m [k x]] (doto m (.put k (of-java x))))
                                     (java.util.LinkedHashMap.)
                                     constant)
    :else constant))

(defn- predicate [conditions]
  (when conditions
    (reduce (fn [^Predicate p [path op constant]]
              (let [constant (of-java (v/build constant))]
                (if p
                  (.and p ^String path ^String op constant)
                  (Predicate/of path op constant))))
            nil
            conditions)))

(defn options ^ReadOptions$Builder [{:strs [on_bad_block split where prune select max_block index]}]
  (cond-> (ReadOptions/builder)
    on_bad_block (.skipDamaged (= "skip" on_bad_block))
    split (.split (Split. (first split) (second split)))
    where (.where (predicate where))
    prune (.prune (predicate prune))
    select (.select select)
    max_block (.maxBlock max_block)
    true (.useIndex (boolean index))))

(defn outcome
  "What reading returns: the rows of an iterator, the error that ends it, and what was passed over."
  [^ContainerReader reader ^Iterator rows]
  (let [found (java.util.ArrayList.)
        end (try (while (.hasNext rows) (.add found (.next rows))) nil
                 (catch RuntimeException e (error-of e)))]
    {:rows (vec found)
     :end end
     :ranges (mapv (fn [^DamagedRange r] [(.from r) (.to r) (error-of (.error r))]) (.damaged reader))}))

(defn- unpacked [pieces]
  (vec (iterator-seq (.reader (Unpacker/standard) (ByteArrayInputStream. (v/expand pieces))))))

(defn- rows-of [c]
  (unpacked (or (get c "rows") (get-in c ["write" "rows"] ""))))

(defn- expected [rows {:strs [take returned] :as read}]
  {:rows (cond returned (unpacked returned)
               take (mapv rows take)
               :else rows)
   :end (get read "end")
   :ranges (get read "ranges" [])})

(defn same? [expected actual]
  (and (= (dissoc expected :rows) (dissoc actual :rows))
       (v/same? (:rows expected) (:rows actual))))

(defn- check [rows read actual]
  (let [e (expected rows read)]
    (is (same? e actual) (pr-str read e actual))))

(defn open-file ^ContainerReader [b opts]
  (ContainerReader/of (channel b) (.build (options opts))))

(defn open-stream ^ContainerReader [b opts]
  (ContainerReader/of (ByteArrayInputStream. b) (.build (options opts))))

(defn- packed-rows
  "The rows of `packed`, unpacked."
  [^ContainerReader reader]
  (let [rows (.packed reader)]
    (reify Iterator
      (hasNext [_] (.hasNext rows))
      (next [_] (.unpack (Unpacker/standard) ^bytes (.next rows))))))

(def ^:private cases (delay (v/cases "container")))

(deftest files-are-read-as-the-vectors-say
  (doseq [c @cases
          :let [b (v/expand (get c "bytes"))
                opts (get c "options")]]
    (testing (str (:file c) ": " (get c "name"))
      (if-let [error (get c "error")]
        (doseq [open [open-file open-stream]]
          (is (= error (try (open b opts) nil (catch RuntimeException e (error-of e))))))
        (let [rows (rows-of c)]
          (doseq [read (get c "reads")
                  :let [opts (merge opts (dissoc read "take" "returned" "end" "ranges"))]
                  open (if (get read "index") [open-file] [open-file open-stream])]
            (with-open [reader ^ContainerReader (open b opts)]
              (check rows read (outcome reader (.iterator reader))))
            (with-open [reader ^ContainerReader (open b opts)]
              (check rows read (outcome reader (packed-rows reader))))))))))

(defn- index-of [^ContainerIndex index]
  (when index
    {"mark" (.offset index)
     "blocks" (mapv (fn [^ContainerIndex$Entry e]
                      [(.offset e) (.size e) (.count e)
                       (into {} (map (fn [[path ^PathStatistics s]] [path [(.nulls s) (.min s) (.max s)]]))
                             (.statistics e))])
                    (.entries index))
     "count" (.count index)
     "schema" (when-let [schema (.schema index)]
                (into {} (map (fn [[path ^PathType t]] [path [(.types t) (.isNullable t)]])) schema))}))

(defn- stats-of [described]
  (into {} (map (fn [[path [nulls low high]]] [path [nulls (v/build low) (v/build high)]])) described))

(deftest indexes-are-read-as-the-vectors-say
  (doseq [c @cases
          :when (contains? c "index")
          :let [b (v/expand (get c "bytes"))
                index (get c "index")]]
    (testing (str (:file c) ": " (get c "name"))
      (with-open [reader (open-file b (assoc (get c "options") "index" true))]
        (let [found (index-of (.index reader))]
          (is (= (boolean index) (boolean found)))
          (when (and index found)
            (is (= (select-keys index ["mark" "count"]) (select-keys found ["mark" "count"])))
            (is (= (map #(take 3 %) (get index "blocks")) (map #(take 3 %) (get found "blocks"))))
            (doseq [[[_ _ _ stats] [_ _ _ actual]] (map vector (get index "blocks") (get found "blocks"))]
              (is (v/same? (stats-of stats) actual)))
            (is (= (get index "schema") (get found "schema")))))
        (doseq [[n ranges] (get c "splits")]
          (is (= ranges (mapv (fn [^Split s] [(.from s) (.to s)]) (.splits reader n)))))))))

(defn- messages
  "The messages of a stream."
  [^bytes b]
  (let [walker (.walker (Unpacker/standard) b)
        starts (loop [starts []]
                 (if (.nextMessage walker)
                   (do (.next walker) (recur (conj starts (.offset walker))))
                   (conj starts (alength b))))]
    (map (fn [[from to]] (Arrays/copyOfRange b (int from) (int to))) (partition 2 1 starts))))

(defn- whole-files
  "The cases without a fault, with what the derived rules need of them."
  []
  (for [c @cases
        :when (contains? c "ends")
        :let [b (v/expand (get c "bytes"))
              counts (with-open [reader (open-file b {})]
                       (mapv #(.count ^Block %) (iterator-seq (.blocks reader))))]]
    {:title (str (:file c) ": " (get c "name"))
     :b b
     :ends (get c "ends")
     :blocks (get c "blocks")
     :mark (get-in c ["index" "mark"])
     :rows (rows-of c)
     ;; The number of rows before each block, and in all.
     :before (vec (reductions + 0 counts))}))

(defn- some-of
  "All numbers below `n`, or `most` of them where there are more."
  [n most]
  (range 0 n (inc (quot n most))))

(defn- open-either
  "Opens a file as a channel or as a stream, by turns."
  ^ContainerReader [n b opts]
  ((if (even? (long n)) open-file open-stream) b opts))

(defn- reads?
  "Whether a file that is opened in this way has this outcome."
  [expected ^ContainerReader reader]
  (with-open [reader reader]
    (same? (merge {:end nil, :ranges []} expected) (outcome reader (.iterator reader)))))

(deftest a-cut-file-has-the-rows-of-its-whole-blocks
  (doseq [{:keys [title ^bytes b ends blocks rows before]} (whole-files)
          :let [opens-with? (fn [n cut]
                              (= {"kind" "eof" "offset" n}
                                 (try (open-either n cut {}) nil (catch RuntimeException e (error-of e)))))
                holds? (fn [n]
                         (let [cut (Arrays/copyOf b (int n))
                               there (subvec rows 0 (nth before (count (filter #(<= (peek %) n) blocks))))
                               eof (when-not (some #{n} ends) {"kind" "eof" "offset" n})]
                           (if (< n (first ends))
                             (opens-with? n cut)
                             (and (reads? {:rows there, :end eof} (open-either n cut {}))
                                  (reads? {:rows there}
                                          (ContainerReader/of (channel cut)
                                                              (.build (.follow (options {}) Duration/ZERO))))))))]]
    (testing title
      (is (empty? (remove holds? (some-of (alength b) 300)))))))

(deftest a-changed-byte-is-found-by-the-crc
  (doseq [{:keys [title ^bytes b blocks rows before]} (whole-files)
          [i [mark array from to end]] (map-indexed vector blocks)
          :let [error {"kind" "invalid_container" "offset" array}
                earlier (subvec rows 0 (nth before i))
                others (into earlier (subvec rows (nth before (inc i))))
                holds? (fn [at]
                         (let [b (aclone b)
                               at (+ from at)]
                           (aset-byte b at (unchecked-byte (bit-xor (aget b at) 0x10)))
                           (and (reads? {:rows earlier, :end error} (open-either at b {}))
                                (reads? {:rows others, :ranges [[mark end error]]}
                                        (open-either at b {"on_bad_block" "skip"})))))]]
    (testing title
      (is (empty? (remove holds? (some-of (- to from) 40)))))))

(defn- with-bit
  "The bytes with one bit changed."
  ^bytes [^bytes b bit]
  (let [at (quot (long bit) 8)]
    (doto (aclone b)
      (aset-byte at (unchecked-byte (bit-xor (aget b at) (bit-shift-left 1 (rem (long bit) 8))))))))

(deftest a-changed-bit-of-the-header-is-found
  (doseq [{:keys [title b ends]} (whole-files)
          :let [refused? (fn [bit]
                           (try (.close (open-either bit (with-bit b bit) {})) false
                                (catch RuntimeException _ true)))]]
    (testing title
      (is (empty? (remove refused? (some-of (* 8 (long (first ends))) 200)))))))

(deftest a-changed-bit-of-the-index-makes-it-one-that-is-not-used
  (doseq [{:keys [title ^bytes b blocks rows before mark]} (whole-files)
          :when mark
          :let [there (subvec rows 0 (nth before (count (filter #(< (long (first %)) (long mark)) blocks))))
                holds? (fn [bit]
                         (with-open [reader (open-file (with-bit b (+ (* 8 (long mark)) (long bit))) {"index" true})]
                           (and (nil? (.index reader))
                                (v/same? there (take (count there) (:rows (outcome reader (.iterator reader))))))))]]
    (testing title
      (is (empty? (remove holds? (some-of (* 8 (- (alength b) (long mark))) 200)))))))

(deftest two-splits-have-all-rows
  (doseq [{:keys [title ^bytes b rows]} (whole-files)
          :let [part (fn [from to index]
                       (with-open [reader (open-file b {"split" [from to] "index" index})]
                         (outcome reader (.iterator reader))))
                holds? (fn [n]
                         (let [parts (for [[from to] [[0 n] [n (alength b)]]] (part from to (even? n)))]
                           (and (every? #(and (nil? (:end %)) (empty? (:ranges %))) parts)
                                (v/same? rows (into [] (mapcat :rows) parts)))))]]
    (testing title
      (is (empty? (remove holds? (some-of (inc (alength b)) 200)))))))

(deftest a-file-is-a-stream-of-plain-messagepack
  (doseq [{:keys [title b ends]} (whole-files)]
    (testing title
      (is (every? (set (reductions + (map #(alength ^bytes %) (messages b)))) ends)))))

(defn- write-options [{:strs [block_size block_rows columns messages stats meta sync]}]
  (.build
   (cond-> (.sync (.codec (WriteOptions/builder) "none") (v/hex->bytes (or sync "000102030405060708090a0b0c0d0e0f")))
     block_size (.blockSize block_size)
     block_rows (.blockRows block_rows)
     (some? columns) (.columns columns)
     messages (.messages true)
     stats (.stats stats)
     meta (.meta (v/build meta)))))

(deftest files-are-written-as-the-vectors-say
  (doseq [c @cases
          :let [{:strs [options rows flush refused append]} (get c "write")]
          :when rows]
    (testing (str (:file c) ": " (get c "name"))
      (let [rows (mapv (comp of-java v/exact) (messages (v/expand rows)))
            path (Files/createTempFile "packord" ".pkd" (make-array FileAttribute 0))]
        (try
          (when append (io/copy (v/expand append) (.toFile path)))
          (let [writer (if append
                         (ContainerWriter/append path (write-options options))
                         (ContainerWriter/create path (write-options options)))]
            (doseq [[i row] (map-indexed vector rows)]
              (is (= (some (fn [[at kind]] (when (= at i) kind)) refused)
                     (try (.write writer row) nil (catch RuntimeException e (.id (.kind (PackordException/of e)))))))
              (when (some #{(inc i)} flush) (.flush writer)))
            (.close writer))
          (is (= (v/bytes->hex (v/expand (get c "bytes"))) (v/bytes->hex (Files/readAllBytes path))))
          (finally (Files/delete path)))))))
