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

(defn error-of [^PackordException e]
  (let [inside (re-find #"at byte (\d+) of the body" (.getMessage e))]
    (cond-> {"kind" (.id (.kind e)), "offset" (.offset e)}
      inside (assoc "inside" (parse-long (second inside))))))

(defn- predicate [conditions]
  (when conditions
    (reduce (fn [^Predicate p [path op constant]]
              (let [constant (v/build constant)]
                (if p
                  (.and p ^String path ^String op constant)
                  (Predicate/of path op constant))))
            nil
            conditions)))

(defn options ^ReadOptions$Builder [{:strs [on_bad_block split where prune max_block index]}]
  (cond-> (ReadOptions/builder)
    on_bad_block (.skipDamaged (= "skip" on_bad_block))
    split (.split (Split. (first split) (second split)))
    where (.where (predicate where))
    prune (.prune (predicate prune))
    max_block (.maxBlock max_block)
    true (.useIndex (boolean index))))

(defn outcome
  "What reading returns: the rows of an iterator, the error that ends it, and what was passed over."
  [^ContainerReader reader ^Iterator rows]
  (let [found (java.util.ArrayList.)
        end (try (while (.hasNext rows) (.add found (.next rows))) nil
                 (catch PackordException e (error-of e)))]
    {:rows (vec found)
     :end end
     :ranges (mapv (fn [^DamagedRange r] [(.from r) (.to r) (error-of (.error r))]) (.damaged reader))}))

(defn- rows-of [c]
  (let [reader (.reader (Unpacker/standard) (ByteArrayInputStream. (v/expand (get c "rows" ""))))]
    (vec (iterator-seq reader))))

(defn- expected [rows read]
  {:rows (if-let [take (get read "take")] (mapv rows take) rows)
   :end (get read "end")
   :ranges (get read "ranges" [])})

(defn same? [expected actual]
  (and (= (dissoc expected :rows) (dissoc actual :rows))
       (v/same? (:rows expected) (:rows actual))))

(defn- check [rows read actual]
  (let [e (expected rows read)]
    (is (same? e actual) (pr-str read e actual))))

(defn- open-file ^ContainerReader [b opts]
  (ContainerReader/of (channel b) (.build (options opts))))

(defn- open-stream ^ContainerReader [b opts]
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
          (is (= error (try (open b opts) nil (catch PackordException e (error-of e))))))
        (let [rows (rows-of c)]
          (doseq [read (get c "reads")
                  :let [opts (merge opts (dissoc read "take" "end" "ranges"))]
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

(defn- well-formed
  "The statistics of a vector that are of the right form, as the index returns them."
  [stats]
  (into {} (filter (fn [[path s]]
                     (and (string? path) (instance? List s) (<= 3 (count s))
                          (integer? (first s)) (not (neg? (first s))))))
        stats))

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
            (doseq [[[_ _ _ stats] [_ _ _ actual]] (map vector (get index "blocks") (get found "blocks"))
                    :let [stats (well-formed (v/build stats))]
                    [path s] actual]
              (is (v/same? (take 3 (get stats path)) s)))
            (is (v/same? (v/build (get index "schema")) (get found "schema")))))
        (doseq [[n ranges] (get c "splits")]
          (is (= ranges (mapv (fn [^Split s] [(.from s) (.to s)]) (.splits reader n)))))))))

(deftest derived-rules-hold
  (doseq [c @cases
          :when (contains? c "ends")
          :let [b (v/expand (get c "bytes"))
                ends (get c "ends")
                rows (rows-of c)
                blocks (get c "blocks")]]
    (testing (str (:file c) ": " (get c "name"))
      (let [counts (with-open [reader (open-file b {})]
                     (mapv #(.count ^Block %) (iterator-seq (.blocks reader))))
            before (reductions + 0 counts)
            rows-until (fn [n] (subvec rows 0 (nth before (count (filter #(<= (peek %) n) blocks)))))]
        (testing "cut at each byte"
          (doseq [n (if (< (alength b) 1500) (range (alength b)) (range 0 (alength b) 37))
                  :let [cut (Arrays/copyOf b (int n))]]
            (if (< n (first ends))
              (is (= {"kind" "eof" "offset" n}
                     (try (open-file cut {}) (catch PackordException e (error-of e)))))
              (doseq [open [open-file open-stream]]
                (with-open [reader ^ContainerReader (open cut {})]
                  (is (same? {:rows (rows-until n)
                              :end (when-not (some #{n} ends) {"kind" "eof" "offset" n})
                              :ranges []}
                             (outcome reader (.iterator reader)))))))
            (when (<= (first ends) n)
              (with-open [reader (ContainerReader/of (channel cut) (.build (.follow (options {}) Duration/ZERO)))]
                (is (same? {:rows (rows-until n) :end nil :ranges []} (outcome reader (.iterator reader))))))))
        (testing "each byte of data changed"
          (doseq [[i [mark array from to end]] (map-indexed vector blocks)
                  at (if (< (- to from) 100) (range from to) (range from to 53))
                  :let [flipped (doto (aclone b) (aset-byte at (unchecked-byte (bit-xor (aget b at) 0x10))))
                        error {"kind" "invalid_ext" "offset" array}
                        [first-row end-row] [(nth before i) (nth before (inc i))]]
                  open [open-file open-stream]]
            (with-open [reader ^ContainerReader (open flipped {})]
              (is (same? {:rows (subvec rows 0 first-row) :end error :ranges []}
                         (outcome reader (.iterator reader)))))
            (with-open [reader ^ContainerReader (open flipped {"on_bad_block" "skip"})]
              (is (same? {:rows (into (subvec rows 0 first-row) (subvec rows end-row))
                          :end nil
                          :ranges [[mark end error]]}
                         (outcome reader (.iterator reader)))))))
        (testing "each way to split in two"
          (doseq [n (if (< (alength b) 1500) (range (inc (alength b))) (range 0 (alength b) 31))
                  index [false true]
                  :let [parts (for [split [[0 n] [n (alength b)]]]
                                (with-open [reader (open-file b {"split" split "index" index})]
                                  (outcome reader (.iterator reader))))]]
            (is (every? #(and (nil? (:end %)) (empty? (:ranges %))) parts))
            (is (v/same? rows (into [] (mapcat :rows) parts)))))
        (testing "it is a stream of plain MessagePack"
          (let [walker (.walker (Unpacker/standard) b)
                starts (loop [starts []]
                         (if (.nextMessage walker)
                           (do (.next walker)
                               (let [at (.offset walker)] (recur (conj starts at))))
                           starts))
                values (conj (vec (rest starts)) (alength b))]
            (is (every? (set values) ends))))))))

(defn- write-options [{:strs [block_size block_rows columns messages views key meta structures dictionary sync]}]
  (.build
   (cond-> (.sync (.codec (WriteOptions/builder) "none") (v/hex->bytes (or sync "000102030405060708090a0b0c0d0e0f")))
     block_size (.blockSize block_size)
     block_rows (.blockRows block_rows)
     (some? columns) (.columns columns)
     messages (.messages true)
     views (.views true)
     key (.key key)
     meta (.meta (v/build meta))
     structures (.structures structures)
     dictionary (.dictionary (v/hex->bytes dictionary)))))

(deftest files-are-written-as-the-vectors-say
  (doseq [c @cases
          :let [{:strs [options rows flush refused append]} (get c "write")]
          :when rows]
    (testing (str (:file c) ": " (get c "name"))
      (let [rows (vec (iterator-seq (.reader (Unpacker/of (.build (.datetime (.utf8 (Options/builder) packord.Options$Utf8/ERROR) packord.Options$Datetime/EXT)))
                                             (ByteArrayInputStream. (v/expand rows)))))
            path (Files/createTempFile "packord" ".pkd" (make-array FileAttribute 0))]
        (try
          (when append (io/copy (v/expand append) (.toFile path)))
          (let [writer (if append
                         (ContainerWriter/append path (write-options options))
                         (ContainerWriter/create path (write-options options)))]
            (doseq [[i row] (map-indexed vector rows)]
              (when (some #{i} flush) (.flush writer))
              (is (= (some (fn [[at kind]] (when (= at i) kind)) refused)
                     (try (.write writer row) nil (catch PackordException e (.id (.kind e)))))))
            (.close writer))
          (is (= (v/bytes->hex (v/expand (get c "bytes"))) (v/bytes->hex (Files/readAllBytes path))))
          (finally (Files/delete path)))))))
