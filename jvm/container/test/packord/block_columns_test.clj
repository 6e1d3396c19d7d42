(ns packord.block-columns-test
  "Rows of container files that are read by column are the rows that are read as values."
  (:require
   [clojure.test :refer [deftest is testing]]
   [packord.container-bytes :refer [block-of with-blocks]]
   [packord.container-vectors-test :as container])
  (:import
   (java.io ByteArrayOutputStream)
   (java.util LinkedHashMap List Map Random)
   (packord Ext Options Packer PackordException Unpacker)
   (packord.container Block BlockColumn ContainerReader ContainerWriter ReadOptions WriteOptions)))

(set! *warn-on-reflection* true)

(defn- written ^bytes [rows columns?]
  (let [out (ByteArrayOutputStream.)]
    (with-open [writer (ContainerWriter/of out (.. (WriteOptions/builder) (codec "none") (columns columns?) build))]
      (doseq [row rows] (.write writer row)))
    (.toByteArray out)))

(defn- blocks [bytes]
  (let [reader (ContainerReader/of (container/channel bytes) (ReadOptions/standard))]
    (vec (iterator-seq (.blocks reader)))))

(defn- rows-of [bytes]
  (vec (ContainerReader/of (container/channel bytes) (ReadOptions/standard))))

(def ^:private plain (Unpacker/standard))
(def ^:private with-columns (Unpacker/of (.. (Options/builder) (columns true) build)))

(defn- comparable [value]
  (cond
    (bytes? value) (vec value)
    (instance? List value) (mapv comparable value)
    (instance? Map value) (into {} (map (fn [[k v]] [(comparable k) (comparable v)])) value)
    :else value))

(defn- value-of [^BlockColumn column i]
  (comparable
   (cond
     (.longs column) (aget (.longs column) i)
     (.doubles column) (aget (.doubles column) i)
     :else (.unpack ^Unpacker plain (.bytes column) (.start column i) (- (.end column i) (.start column i))))))

(defn- entries
  "The values of a column by their rows."
  [^BlockColumn column]
  (into {} (map (fn [i] [(.row column i) (value-of column i)])) (range (.count column))))

(defn- expected [rows key]
  (into {} (keep-indexed (fn [i row]
                           (when (and (instance? Map row) (.containsKey ^Map row key))
                             [i (comparable (.get ^Map row key))])))
        rows))

(defn- agree [bytes keys]
  (let [rows (rows-of bytes)]
    (loop [[^Block block & more] (filter #(.hasRows ^Block %) (blocks bytes)) from 0]
      (when block
        (let [here (subvec rows from (+ from (.count block)))
              columns (.columns block keys)]
          (is (= (count keys) (count columns)))
          (doseq [[key ^BlockColumn column] (map vector keys columns)
                  :let [wanted (expected here key)]]
            (is (= wanted (entries column)) key)
            (is (= (= (count wanted) (count here)) (.isInAllRows column)) key)
            (doseq [row (range (inc (count here)))]
              (is (= (count (filter #(< % row) (clojure.core/keys wanted))) (.valueFrom column row)))))
          (is (= (mapv comparable here) (mapv #(value-of (.rows block) %) (range (count here)))))
          (recur more (+ from (.count block))))))))

(defn- random-value [^Random r kind]
  (case (int kind)
    0 (long (.nextInt r 1000))
    1 (/ (.nextInt r 1000) 8.0)
    2 (str "é" (.nextInt r 20))
    3 (if (.nextBoolean r) nil (long (.nextInt r 9)))
    4 (if (.nextBoolean r) 1.5 (long (.nextInt r 9)))
    5 (.nextBoolean r)
    6 (byte-array [1 2 (.nextInt r 100)])
    7 [(long (.nextInt r 5)) "x"]
    8 {"a" (long (.nextInt r 5)), "b" nil}
    9 (java.time.Instant/ofEpochSecond (.nextInt r) (.nextInt r 1000))
    10 (.nextGaussian r)
    11 (BigInteger. "18446744073709551615")
    nil))

(defn- random-rows [seed]
  (let [r (Random. seed)
        kinds (vec (repeatedly 6 #(.nextInt r 13)))
        gaps (vec (repeatedly 6 #(if (.nextBoolean r) 0 (.nextInt r 10))))]
    (vec (for [_ (range (+ 1 (.nextInt r 120)))]
           (if (and (zero? (mod seed 7)) (zero? (.nextInt r 5)))
             (random-value r (.nextInt r 13))
             (let [row (LinkedHashMap.)]
               (dotimes [i 6]
                 (when (>= (.nextInt r 10) (long (gaps i)))
                   (.put row (str "k" i) (random-value r (kinds i)))))
               row))))))

(deftest columns-are-the-values-of-the-rows
  (doseq [seed (range 60) columns? [true false]]
    (testing (str "seed " seed " columns " columns?)
      (agree (written (random-rows seed) columns?) ["k0" "k3" "none" "k5"]))))

(deftest all-columns-at-once-and-none-can-be-read
  (let [bytes (written (random-rows 3) true)]
    (agree bytes (mapv #(str "k" %) (range 6)))
    (is (= [] (.columns ^Block (first (blocks bytes)) [])))))

(deftest numbers-without-gaps-are-arrays
  (let [rows (for [i (range 1000)] {"id" i, "x" (/ i 4.0), "few" (if (< i 10) (long i) "s")})
        [^BlockColumn id ^BlockColumn x ^BlockColumn few]
        (.columns ^Block (first (blocks (written rows true))) ["id" "x" "few"])]
    (is (= (range 1000) (seq (.longs id))))
    (is (= (map #(/ % 4.0) (range 1000)) (seq (.doubles x))))
    (is (nil? (.longs few)))
    (is (nil? (.doubles few)))))

(defn- packed ^bytes [value]
  (.pack (Packer/of (.. (Options/builder) (columns true) build)) value))

(defn- file-of
  "A file of one block with this body."
  ^bytes [^bytes body rows]
  (with-blocks (block-of 1 rows (alength body) nil body)))

(deftest a-body-that-is-packed-otherwise-is-read-as-its-rows
  (let [rows (vec (repeat 30 {"a" 1}))]
    (doseq [[body n] [[(packed rows) 30] [(.pack (Packer/standard) rows) 30] [(packed []) 0]
                      [(packed [1 nil "x"]) 3]
                      ;; The same key twice, of which the last one counts.
                      [(byte-array (map unchecked-byte [0x91 0x82 0xa1 0x61 1 0xa1 0x61 2])) 1]]]
      (agree (file-of body n) ["a" "b"]))))

(deftest faults-in-other-columns-are-not-found-and-those-in-the-same-are
  (let [rows (for [i (range 50)] {"a" (str "text " i), "b" (str "other " (* i i))})
        body (packed rows)
        at (first (filter (fn [i] (= "other" (String. body (int i) 5 "ISO-8859-1"))) (range (- (alength body) 5))))
        wrong (doto (aclone body) (aset (int at) (unchecked-byte 0xff)))
        ^Block block (first (blocks (file-of wrong 50)))]
    (is (= 50 (.count ^BlockColumn (first (.columns block ["a"])))))
    (doseq [keys [["b"] ["a" "b"]]]
      (let [error (try (.columns block keys) (catch PackordException e e))]
        (is (= {"kind" "invalid_ext" "offset" (+ 18 (.offset block)) "inside" 0} (container/error-of error)))))))

;; ---------------------------------------------------------------- rows that are keys and values

(defn- kind-of-rows [^bytes body]
  (let [view (.columns (Unpacker/standard) body)]
    (str (.kind (.column view "[]")))))

(defn- sparse-rows
  "Rows with few of many keys, which are stored as keys and values."
  [seed n]
  (let [r (Random. seed)
        kinds (vec (repeatedly 40 #(.nextInt r 13)))]
    (vec (for [_ (range n)]
           (let [row (LinkedHashMap.)]
             (dotimes [_ (+ 2 (.nextInt r 5))]
               (let [i (.nextInt r 40)]
                 (.put row (if (and (even? seed) (zero? i)) (long i) (str "ké" i)) (random-value r (kinds i)))))
             row)))))

(deftest rows-of-keys-and-values-are-the-values-of-the-rows
  (doseq [seed (range 20), n [40 300]
          :let [rows (sparse-rows seed n)]]
    (is (= "MAP" (kind-of-rows (packed rows))))
    (testing (str "seed " seed)
      (agree (written rows true) (into ["none"] (map #(str "ké" %)) (range 40)))
      (agree (written rows true) ["ké7"])
      (agree (written rows true) []))))

(deftest the-last-of-a-key-twice-counts
  (let [body (byte-array (map unchecked-byte
                              [0xc7 0x1d 0x5c 1 12 9 2 13
                               7 2 1 0x20 2, 9 3 1 2, 0 6 0 3
                               2 1, 0xa1 0x61 0xa1 0x61 0xa1 0x62, 1 2 3]))]
    (is (= [{"a" 2} {"b" 3}] (.unpack ^Unpacker with-columns body)))
    (agree (file-of body 2) ["a" "b" "c"])
    (testing "and wrong lengths are errors"
      (doseq [[at value] [[21 1] [21 3] [21 0xff] [22 0] [22 2]]]
        (let [changed (doto (aclone body) (aset (int at) (unchecked-byte value)))]
          (is (= "invalid_ext" (try (.columns ^Block (first (blocks (file-of changed 2))) ["a"])
                                    (catch PackordException e (.id (.kind e)))))))))))

(deftest keys-and-values-with-changed-bytes-are-read-or-are-an-error
  (let [body (packed (sparse-rows 1 40))
        keys (mapv #(str "ké" %) (range 40))
        random (Random. 2)]
    (is (= "MAP" (kind-of-rows body)))
    (doseq [i (range (alength body)) _ (range 2)]
      (let [changed (doto (aclone body) (aset (int i) (unchecked-byte (.nextInt random))))
            ^Block block (first (blocks (file-of changed 40)))
            value (try (.unpack ^Unpacker with-columns changed) (catch PackordException _ nil))
            all (when (and (instance? List value) (= 40 (count value))) (vec value))]
        (try
          (let [columns (.columns block keys)]
            (when all
              (is (= (map #(expected all %) keys) (map entries columns)))))
          (catch PackordException _ (is (nil? all))))))))

(deftest a-wrong-count-is-an-error
  (doseq [body [(packed (repeat 30 {"a" 1})) (.pack (Packer/standard) (repeat 30 {"a" 1}))]
          rows [29 31 0]]
    (is (thrown? PackordException (.columns ^Block (first (blocks (file-of body rows))) ["a"])))
    (is (thrown? PackordException (.columns ^Block (first (blocks (file-of body rows))) [])))))

(deftest a-body-with-changed-bytes-is-read-or-is-an-error
  (let [rows (for [i (range 40)]
               (cond-> {"id" i, "x" (if (even? i) nil 0.5), "s" (str "v" (mod i 3)), "m" {"k" i}}
                 (zero? (mod i 5)) (dissoc "x")))
        body (packed rows)
        random (Random. 1)]
    (doseq [i (range (alength body)) round (range 6)]
      (let [changed (aclone body)]
        (aset changed (int i) (unchecked-byte (if (< round 3) (bit-xor (aget body i) (bit-shift-left 1 (* 2 round))) (.nextInt random))))
        (let [^Block block (first (blocks (file-of changed 40)))
              value (try (.unpack ^Unpacker with-columns changed) (catch PackordException _ nil))
              all (when (and (instance? List value) (= 40 (count value))) (vec value))]
          (try
            (let [columns (.columns block ["id" "x" "s" "m"])]
              (when all
                (is (= (map #(expected all %) ["id" "x" "s" "m"]) (map entries columns)))))
            (catch PackordException _ (is (nil? all)))))))))

(deftest faults-in-values-that-are-stored-as-they-are-are-found
  (testing "exts of several types are stored as plain MessagePack"
    (let [rows (for [i (range 90)] {"a" (Ext. (+ 5 (mod i 2)) (byte-array [i 7 i])), "b" "the same for all rows"})
          body (packed rows)
          at (.indexOf (String. body "ISO-8859-1") "\u00c7\u0003\u0005\u0000")]
      (is (pos? at))
      (doseq [[offset value] [[2 0xff] [0 0xc1]]]
        (let [changed (doto (aclone body) (aset (int (+ at offset)) (unchecked-byte value)))
              ^Block block (first (blocks (file-of changed 90)))]
          (is (= 90 (.count ^BlockColumn (first (.columns block ["b"])))))
          (doseq [read [#(.columns block ["a"]) #(.rows block)]]
            (is (= "invalid_ext" (try (read) nil (catch PackordException e (.id (.kind e))))))))))))

(deftest the-same-budget-holds-for-all-columns-together
  (testing "each column alone is within the size that the payload announces, all together are not"
    (let [rows (vec (for [i (range 64)] (into {"i" i} (map (fn [k] [(str "k" k) (if (even? i) "same" "other")])) (range 8))))
          body (packed rows)
          ;; plain_size, a uint 16 after the ext header and the version
          at (+ 1 (first (filter #(= [1 0xcd] [(aget body %) (bit-and 0xff (aget body (inc %)))]) (range 2 8))))
          smaller (doto (aclone body)
                    (aset (int (+ at 1)) (byte 5))
                    (aset (int (+ at 2)) (byte 0)))
          keys (mapv #(str "k" %) (range 8))
          ^Block block (first (blocks (file-of smaller 64)))]
      (is (= 64 (.count ^BlockColumn (first (.columns block ["k0"])))))
      (is (thrown? PackordException (.columns block keys))))))

(deftest messages-are-not-rows
  (let [out (ByteArrayOutputStream.)]
    (with-open [writer (ContainerWriter/of out (.. (WriteOptions/builder) (messages true) build))]
      (.write writer {"a" 1}))
    (let [^Block block (first (blocks (.toByteArray out)))]
      (is (thrown? IllegalStateException (.columns block ["a"])))
      (is (thrown? IllegalStateException (.rows block))))))
