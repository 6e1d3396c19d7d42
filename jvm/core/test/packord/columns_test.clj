(ns packord.columns-test
  "Values that are stored by column: spec/columns.md."
  (:require
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [clojure.test.check.clojure-test :refer [defspec]]
   [clojure.test.check.generators :as gen]
   [clojure.test.check.properties :as prop]
   [clojure.walk :as walk]
   [packord.columns :as columns]
   [packord.core :refer [pack unpack]]
   [packord.extension :as extension]
   [packord.measure :refer [nanoseconds]]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.nio Buffer ByteBuffer DoubleBuffer ShortBuffer)
   (java.time Instant)
   (java.util Arrays LinkedHashMap Random)
   (packord ErrorKind Ext Options Packer PackordException StructureStore Timestamp Unpacker)))

(set! *warn-on-reflection* true)

(defn- bytes-of ^bytes [hex]
  (let [hex (str/replace hex #"\s" "")]
    (byte-array (map #(unchecked-byte (Integer/parseInt (apply str %) 16)) (partition 2 hex)))))

(def ^:private ^"[B" rows
  "The worked example of section 8, 24 rows."
  (bytes-of "c8 01 06 5c 01 cd 02 a6 cc d9 02 2b 07 18 01 20 18 08 04 a2 6f 6b a2 61 74 a1 63 a1 74 01 00 18
             01 32 09 cd 03 e8 45 73 0a 02 02 16 01 01 00 02 03 02 01 23 d1 fe a2 c3 c2 c3 c2 c3 c3 c3 c3 c3
             c2 c3 c3 c3 c3 c3 c2 c2 c3 c3 c3 c3 c3 c3 c3 01 01 01 02 00 01 01 01 01 01 01 01 01 01 01 01 01
             01 01 01 01 01 01 4f 73 6c 6f 00 47 72 61 7a 21 00 4f 73 6c 6f 00 42 6f 6e 6e 00 50 6f 00 52 6f
             6d 65 00 00 4c 69 6d 61 00 57 69 65 6e 00 4d 65 74 7a 00 4e 69 63 65 00 42 61 72 69 00 4c 6f 64
             7a 00 43 6f 72 6b 00 42 65 72 6e 00 42 72 6e 6f 00 4b 69 65 6c 00 4c 79 6f 6e 00 50 69 73 61 00
             59 6f 72 6b 00 4c 69 6e 7a 00 42 61 73 65 6c 00 55 6c 6d 00 57 69 65 6e 00 fb ef ff c0 c0 00 00
             07 03 c2 01 58 02 71 02 90 01 b6 03 4c 04 e1 00 7e 04 8a 02 f4 01 e2 04 77 01 a9 01 ee 02 20 03
             52 03 84 03 e8 03 1a 04 b0 04"))

(def ^:private payload-at
  "Where the payload of `rows` begins."
  4)

(defn- columns-of
  "An ext of columns with this payload."
  ^bytes [hex]
  (pack (Ext. 92 (bytes-of hex))))

(def ^:private kinds
  "Payloads, and their values."
  [["0123 21 01 0b 0720 012020 0601 0100 0001 07" (vec (repeat 32 7))]
   ["011c 0a 01 0a 0709 012009 0122cd03e8 000103040607090a0c" [1000 1001 1003 1004 1006 1007 1009 1010 1012]]
   ["0106 06 02 0b 0702 012002 0703 0102 0003 0201 010203" [[1 2] [3]]]
   ["0113 03 01 07 0702 012002 0105 ffffffffffffff7f 0000000000000080" [Long/MAX_VALUE Long/MIN_VALUE]]
   ["0113 03 01 10 0702 012002 0160cfffffffffffffffff" [18446744073709551615N 18446744073709551615N]]
   ["0113 03 01 11 0702 012002 013202cf7fffffffffffffff 01" [Long/MAX_VALUE (+ Long/MIN_VALUE 2)]]
   ["010b 03 01 06 0702 012002 22 0000003f 0000a0bf" [0.5 -1.25]]
   ["0113 03 01 06 0702 012002 02 0000000000000080 000000000000f07f" [-0.0 ##Inf]]
   ["0113 03 01 09 0702 012002 0301 0102 0301" [0.3 0.1]]
   ["0116 03 01 0c 0702 012002 0403 0123d1fc18 d007 0000" [(Instant/ofEpochSecond 1) (Instant/ofEpochSecond -1)]]
   ["0108 03 01 09 0702 012002 0505 0102 c3a4616263 0203" ["ä" "abc"]]
   ["0108 03 01 0a 0702 012002 250503 0102 010203 0201" [(Ext. 5 (byte-array [1 2])) (Ext. 5 (byte-array [3]))]]
   ["0108 03 01 07 0702 012002 4507 e697a500616200" ["日" "ab"]]
   ["0105 04 01 0f 0703 012003 0a020201 0101 0002 0001 02 c0c0 07" [nil 7 nil]]
   ["0109 07 02 0e 0702 012002 0902 012001 4504 0002 61006200 0102" [{"a" 1} {"b" 2}]]
   ["0104 04 02 02 0004 92019102" [1 [2]]]
   ["0103 03 02 08 0702 012002 080001" [{} {}]]])

(deftest columns-are-read
  (doseq [[hex value] kinds, opts [{} {:max-nodes 1000000} {:utf8 :replace} {:records true}]]
    (is (= value (unpack (columns-of hex) (assoc opts :columns true))) hex))
  (let [value (unpack rows {:columns true, :key-fn true})]
    (is (= 24 (count value)))
    (is (= {:ok false, :at 1010, :c "Graz!", :t 4.25} (value 1)))
    (is (= {:ok true, :at 1120, :c "Lodz", :t nil} (value 12)))
    (is (= value (unpack (pack value) {:key-fn true})))))

(deftest columns-are-kept-without-the-option
  (doseq [opts [{} {:columns true, :canonical true}]]
    (let [^Ext ext (unpack rows opts)]
      (is (= 92 (.type ext)))
      (is (Arrays/equals rows ^bytes (pack ext)))))
  (let [later (aclone rows)]
    (aset-byte later (long payload-at) 2)
    (is (instance? Ext (unpack later {:columns true})) "another version")
    (is (= :unknown-ext (:kind (ex-data (is (thrown? ExceptionInfo (unpack later {:columns true, :unknown-ext :error}))))))))
  (testing "in canonical reading"
    (is (instance? Ext (unpack rows {:columns true, :canonical true})))))

(deftest records-go-on-around-columns
  (let [columns (columns-of "0102 02 01 02 0002 9140")
        message (byte-array (concat (bytes-of "93 d4724091a161 01") columns (bytes-of "40 02")))]
    (is (= [{"a" 1} [64] {"a" 2}] (unpack message {:columns true, :records true})))))

(deftest extensions-read-ext-values-in-columns
  (let [columns (columns-of "0108 03 01 0a 0702 012002 250503 0102 010203 0201")
        extension (extension/by-class {:type 5, :classes [], :pack identity, :unpack vec})]
    (is (= [[1 2] [3]] (unpack columns {:columns true, :extensions [extension]})))))

(deftest types-of-java-read-the-value-that-columns-stand-for
  (let [options (.. (Options/builder) (columns true) (build))
        unpacker (Unpacker/of options)
        ints (columns-of (first (second kinds)))
        of-type (fn [message ^Class type] (.unpack unpacker ^bytes message type))]
    (is (= [1000 1001 1003 1004 1006 1007 1009 1010 1012] (vec (of-type ints (Class/forName "[I")))))
    (let [error (is (thrown? PackordException (of-type ints String)))]
      (is (= [ErrorKind/TYPE_MISMATCH 0] [(.kind (PackordException/of error)) (.offset (PackordException/of error))])))))

(defn- outcome [message opts]
  (try
    (unpack message (assoc opts :columns true))
    (catch ExceptionInfo error
      [(:kind (ex-data error)) (.offset (PackordException/of error))])))

(defn- printed
  "As a string, in which byte arrays with the same content are the same."
  [value]
  (pr-str (walk/postwalk #(cond (bytes? %) (vec %) (or (instance? Ext %) (instance? Instant %) (instance? Timestamp %)) (str %) :else %) value)))

(deftest faults-are-one-error-at-the-marker
  (testing "whatever is damaged"
    (let [random (Random. 5)]
      (doseq [hex (cons nil (map first kinds)), _ (range 2000)]
        (let [message (aclone (if hex (columns-of hex) rows))
              at (+ 4 (.nextInt random (- (alength message) 4)))]
          (aset message at (unchecked-byte (bit-xor (aget message at) (bit-shift-left 1 (.nextInt random 8)))))
          (let [found (outcome message {})]
            (when (and (vector? found) (keyword? (first found)))
              (is (contains? #{[:invalid-ext 0] [:length-limit 0] [:depth-limit 0]} found)))
            (is (= (printed found) (printed (outcome message {:max-nodes Long/MAX_VALUE, :max-ext-len 1000})))))))))
  (testing "wherever the payload is cut"
    (doseq [size (range (- (alength rows) (long payload-at)))]
      (is (= [:invalid-ext 0] (outcome (pack (Ext. 92 (Arrays/copyOfRange rows (int payload-at) (int (+ (long payload-at) (long size)))))) {})))))
  (testing "keys that occur twice"
    (let [twice (columns-of "0107 05 01 09 0902 012002 4504 0002 61006100 0102")]
      (is (= {"a" 2} (outcome twice {})))
      (is (= [:invalid-ext 0] (outcome twice {:duplicate-key :error}))))))

(deftest limits-hold
  (is (= [:length-limit 0] (outcome rows {:max-nodes 216})))
  (is (= 24 (count (outcome rows {:max-nodes 217}))))
  (is (= [:depth-limit 0] (outcome rows {:max-depth 1})))
  (is (= [:length-limit 0] (outcome (columns-of "01 cd1388 01 00 02 0001 c0") {})))
  (is (= [:length-limit 0] (outcome (columns-of "01 cd1010 01 00 02 0001 c0") {:max-expansion 1})))
  (doseq [limit [{:max-str-len 4} {:max-array-len 23} {:max-map-len 3}]]
    (is (= [:invalid-ext 0] (outcome rows limit)) limit))
  (is (= 24 (count (outcome rows {:max-str-len 5, :max-array-len 24, :max-map-len 4})))))

(deftest what-is-packed-with-a-limit-is-unpacked-with-it
  (let [rows (mapv #(array-map "id" % "name" "same" "tags" []) (range 300))]
    (doseq [limit [0 1 2 16]
            :let [opts {:columns true :max-expansion limit}]]
      (is (= rows (unpack (pack rows opts) opts)) (str limit)))
    (is (apply < (map #(alength ^bytes (pack rows {:columns true :max-expansion %})) [16 4 2 0])))))

(deftest bombs-end-at-once
  (let [rejected #(is (= [:invalid-ext 0] (outcome (columns-of %) {})))
        ;; 100 dictionaries with 4000 entries of a byte or less, in each of 4000 rows.
        keys (apply str (map #(format "a3%02x%02x%02x" (+ 97 (quot % 10)) (+ 97 (rem % 10)) 97) (range 100)))
        size (+ 4 5 3 400 1 (* 100 8))
        dictionaries (str "01 cd1f40 cd1f40 02 cd" (format "%04x" size) "07cd0fa0 0120cd0fa0 0864" keys "01"
                          (apply str (repeat 100 "06cd0fa0 0100 010000")))
        counts "01 cd1004 cd0fa0 02 13 07ceffffffff 0120ceffffffff 0601 0100 0001 07"]
    (is (< (nanoseconds #(do (rejected dictionaries) (rejected counts))) 2e9))
    (testing "a dictionary of lists"
      (rejected "0105 05 02 0d 0702 012002 0602 0101 0702 0100 0002 02 0102"))))

;; ---------------------------------------------------------------- writing

(defn- ordered
  "A map of these entries in their order, whatever their number."
  [entries]
  (let [m (LinkedHashMap.)]
    (doseq [[k v] entries] (.put m k v))
    m))

(def ^:private gen-cell
  "Generators of cells; each column of a table has one of them."
  [(gen/large-integer* {})
   (gen/large-integer* {:min 1700000000 :max 1700009999})
   gen/nat
   (gen/fmap #(/ % 100.0) gen/small-integer)
   (gen/double* {})
   (gen/elements [-0.0 0.0 ##NaN ##Inf 5e-324 0.1])
   (gen/fmap float gen/small-integer)
   gen/string
   (gen/elements ["Oslo" "Graz" "Zürich" "日本" "a longer name than most"])
   gen/boolean
   (gen/return nil)
   (gen/fmap #(Instant/ofEpochSecond (first %) (* 1000000 (second %))) (gen/tuple (gen/large-integer* {:min -99999999999, :max 99999999999}) gen/nat))
   (gen/fmap #(Ext. 5 (byte-array %)) (gen/vector gen/byte 0 4))
   (gen/fmap byte-array (gen/vector gen/byte 0 9))
   (gen/vector gen/nat 2)
   (gen/vector (gen/one-of [gen/nat gen/string-alphanumeric gen/boolean]) 0 4)
   (gen/fmap (fn [[x y]] (ordered [["x" x] ["y" y]])) (gen/tuple gen/nat gen/double))
   (gen/one-of [gen/nat gen/string (gen/return nil)])])

(def ^:private gen-table
  "Tables as arrays and as maps, of maps and of arrays, in which some cells are missing."
  (gen/let [kinds (gen/vector (gen/elements gen-cell) 1 6)
            missing (gen/elements [0 0 5])
            rows (gen/vector (gen/tuple (apply gen/tuple kinds)
                                        (gen/vector (gen/choose 0 20) (count kinds)))
                             0 80)
            shape (gen/elements [:maps :maps :arrays :map-of-maps])]
    (let [row (fn [[cells dice]]
                (ordered (for [[i cell die] (map vector (range) cells dice)
                               :when (>= die missing)]
                           [(str "column " i) cell])))]
      (case shape
        :maps (mapv row rows)
        :arrays (mapv first rows)
        :map-of-maps (ordered (map-indexed #(vector (str "row " %1) (row %2)) rows))))))

(def ^:private by-expansion
  "An option that no message meets, with which columns are read from their plain encoding."
  {:max-ext-len (dec Long/MAX_VALUE)})

(defn- comes-back?
  "Whether a table comes back from its columns as it does from its plain encoding, by columns and by expansion."
  [table opts]
  (let [expected (unpack (pack table))
        message (pack [{"a" 1} table {"a" 64}] (assoc opts :columns true))]
    (every? #(v/same? [{"a" 1} expected {"a" 64}] (unpack message (merge {:columns true} opts %)))
            [{} by-expansion])))

(defspec tables-come-back-from-columns 150
  (prop/for-all [table gen-table
                 opts (gen/elements [{} {:records true} {:float32 true}])]
    (comes-back? table opts)))

(defspec mutated-columns-are-read-the-same-in-both-ways 150
  (prop/for-all [table gen-table
                 damage (gen/vector (gen/tuple gen/nat gen/nat) 1 30)]
    (let [message (pack table {:columns true})]
      (every? (fn [[at bit]]
                (let [damaged (aclone message)
                      at (rem (* 7919 (long at)) (alength message))]
                  (aset damaged at (unchecked-byte (bit-xor (aget damaged at) (bit-shift-left 1 (rem bit 8)))))
                  (= (printed (outcome damaged {}))
                     (printed (outcome damaged by-expansion)))))
              damage))))

(defn- rows-of [n]
  (mapv (fn [i] {"id" i, "price" (/ i 4.0), "city" (["Oslo" "Graz"] (rem i 2)), "left" (when (odd? i) i)}) (range n)))

(defn- is-columns? [^bytes message]
  (instance? Ext (unpack message)))

(deftest columns-are-written-where-they-are-smaller
  (let [rows (rows-of 100)
        message (pack rows {:columns true})]
    (is (is-columns? message))
    (is (< (alength message) (quot (alength (pack rows)) 5)))
    (is (= rows (unpack message {:columns true})))
    (testing "not with canonical encoding"
      (is (Arrays/equals (pack rows {:canonical true}) (pack rows {:columns true, :canonical true}))))
    (testing "not around an ext of the same type, which comes back"
      (let [ext (Ext. 92 (byte-array [1 2 3]))
            with-ext (conj rows {"id" ext})]
        (is (Arrays/equals (pack with-ext) (pack with-ext {:columns true})))))
    (testing "after an error the packer is as before"
      (is (thrown? ExceptionInfo (pack [rows (Object.)] {:columns true, :records true})))
      (is (Arrays/equals message (pack rows {:columns true}))))
    (testing "to a stream"
      (let [out (java.io.ByteArrayOutputStream.)]
        (packord.core/pack-all-stream out [rows 1 rows] {:columns true})
        (is (= [rows 1 rows] (into [] (packord.core/unpack-stream (.toByteArray out) {:columns true}))))))))

(deftest structures-are-those-of-the-message-without-columns
  (let [store (StructureStore/of [])
        options (.. (Options/builder) (columns true) (records true) (structures store) (build))
        value [{"a" 1} (rows-of 100) {"a" 2, "b" 100}]
        message (.pack (Packer/of options) value)]
    (is (= [["a"] ["a" "b"]] (.get store)) "the keys of the rows are not in the list")
    (is (= value (.unpack (Unpacker/of options) message)))))

(deftest rows-share-nothing-that-a-program-can-change
  (let [rows (mapv (fn [i] {"id" i
                            "list" [(rem i 3) "some text" [1]]
                            "map" {"a" (rem i 2), "b" [i]}
                            "same" {"in" ["all" "rows"]}
                            "bytes" (byte-array [1 2 3 4 5 (rem i 2)])
                            "ext" (Ext. 5 (byte-array [7 7 7 7 7 (rem i 2)]))})
                   (range 120))
        message (pack rows {:columns true})
        java (.unpack (Unpacker/of (.. (Options/builder) (columns true) (build))) message)
        plain (.unpack (Unpacker/standard) ^bytes (pack rows))]
    (is (is-columns? message))
    (is (v/same? plain java))
    (is (v/same? (unpack (pack rows)) (unpack message {:columns true})))
    (doseq [key ["list" "map" "same" "bytes" "ext"]]
      (is (apply distinct? (map #(System/identityHashCode (get % key)) java)) key))
    (is (apply distinct? (map #(System/identityHashCode (get-in % ["same" "in"])) java)))
    (is (apply distinct? (map #(System/identityHashCode (get % "bytes")) (unpack message {:columns true}))))))

;; ---------------------------------------------------------------- views

(deftest columns-are-read-alone
  (let [rows (conj (rows-of 100) {"id" 7})
        message (pack rows {:columns true})
        view (columns/view message)]
    (is (= [{:path "", :kind :list, :n 1, :missing 0}
            {:path "[]", :kind :struct, :n 101, :missing 0}
            {:path "[].id", :kind :int, :n 101, :missing 0}
            {:path "[].price", :kind :scaled, :n 100, :missing 1}
            {:path "[].city", :kind :dict, :n 100, :missing 1}
            {:path "[].left", :kind :union, :n 100, :missing 1}]
           (columns/columns view)))
    (doseq [opts [{} {:max-str-len 10000}], key ["id" "price" "city" "left"]]
      (is (= (keep #(when (contains? % key) [(% key)]) rows)
             (map vector (columns/values (columns/view message opts) (str "[]." key))))))
    (is (= (map #(% "id") rows) (seq (columns/longs view "[].id"))))
    (is (= (map #(/ % 4.0) (range 100)) (seq (columns/doubles view "[].price"))))
    (is (= [50 0] (map #(columns/nils view %) ["[].left" "[].city"])))
    (is (= rows (columns/values view "[]") (first (columns/values view ""))))
    (is (nil? (columns/buffer view "[].id")) "differences")
    (is (= (columns/columns view) (columns/columns (columns/view (unpack message)))))
    (is (thrown? IllegalArgumentException (columns/values view "[].none")))
    (is (thrown-with-msg? IllegalStateException #"String, not only integers" (columns/longs view "[].city")))
    (is (thrown-with-msg? IllegalStateException #"nil, not only floats" (columns/doubles view "[].left")))))

;; columns.md, section 8: {"r1" {"a" 1, "b" [10 20]}, "r2" {"b" …, "a" 2}, "r3" {"a" 3}, "r4" {"a" 4, "b" …}, …}
(def ^:private ^"[B" three-shapes
  (bytes-of (str "c7 9e 5c 01 cc c5 7d 03 23 09 10 01 20 10 45 37 08 02 a1 61 a1 62 03 02 00 01 02 01 00 01 00"
                 "10 0f 01 02 00 10 07 1e 01 20 02 00 1e"
                 (apply str (map (fn [i] (str (apply str (map #(format "%02x" (int %)) (str "r" i))) "00")) (range 1 17)))
                 "00 01 02 00 00 00 00 00 00 00 00 00 00 00 00 00"
                 (apply str (map #(format "%02x" %) (concat (range 1 17) (interleave (range 10 25) (range 20 35))))))))

(deftest columns-tell-which-maps-have-a-key
  (let [random (Random. 11)
        gaps (fn [make] (into {} (for [k ["a" "b" "c" "d"] :when (pos? (.nextInt random 3))] [k (make k)])))
        leaf #(case % "a" (.nextInt random 1000) "b" nil "c" (str "v" (.nextInt random 9)) "d" 0.5)]
    (dotimes [_ 20]
      (let [rows (vec (repeatedly 200 (fn [] (gaps #(if (= "d" %) (gaps leaf) (leaf %))))))
            view (columns/view (pack rows {:columns true}))
            inner (keep #(get % "d") rows)]
        (doseq [[maps path] [[rows "[]."] [inner "[].d."]], key ["a" "b" "c" "d"]
                :let [has (mapv #(contains? % key) maps)]]
          (is (= has (columns/present view (str path key))))
          (is (= (count (remove true? has)) (.missing (.column view (str path key))))))
        (is (nil? (columns/present view "[]")) "not that of a key")
        (is (nil? (columns/present view ""))))))
  (is (nil? (columns/present (columns/view rows) "[].c")) "no map lacks it"))

(deftest columns-tell-how-long-arrays-and-maps-are
  (let [random (Random. 12)
        keyed (fn [] (into {} (repeatedly (.nextInt random 5) #(vector (str "k" (.nextInt random 300)) (.nextInt random 9)))))]
    (dotimes [_ 20]
      (let [rows (vec (repeatedly 200 #(hash-map "tags" (vec (repeatedly (.nextInt random 4) (fn [] (.nextInt random 5000)))) "of" (keyed))))
            view (columns/view (pack rows {:columns true}))
            kinds (into {} (map (juxt :path :kind)) (columns/columns view))]
        (is (= [200] (columns/lengths view "")))
        (is (nil? (columns/lengths view "[]")))
        (doseq [key ["tags" "of"] :let [path (str "[]." key)]]
          (if (#{:list :map} (kinds path))
            (is (= (mapv #(count (get % key)) rows) (columns/lengths view path)))
            (is (nil? (columns/lengths view path)))))
        (is (= :list (kinds "[].tags")))))))

(deftest hostile-shapes-are-errors-of-the-key-that-is-asked-for
  (let [error (fn [f] (try (f) (catch ExceptionInfo e [(:kind (ex-data e)) (.offset (PackordException/of e))])))
        changed (fn [at value] (columns/view (doto (aclone three-shapes) (aset-byte at value))))
        shapes (+ 42 (.indexOf ^java.util.List (subvec (vec three-shapes) 42) (byte 0x72)) 55)
        present (into [true true false] (repeat 13 true))]
    (is (= [0 1 2 0] (subvec (vec three-shapes) shapes (+ 4 shapes))))
    (is (= present (columns/present (columns/view three-shapes) "{}.b")))
    (is (nil? (columns/present (columns/view three-shapes) "{}.a")))
    (doseq [[at value] [[(+ 5 shapes) 3] [shapes -1] [(+ 2 shapes) 0] [(+ 2 shapes) 1] [shapes 2]]]
      (is (= [:invalid-ext 0] (error #(columns/present (changed at value) "{}.b"))) [at value])
      (is (= [:invalid-ext 0] (error #(unpack (doto (aclone three-shapes) (aset-byte at value)) {:columns true})))))
    (testing "whatever is damaged"
      (let [random (Random. 3)]
        (dotimes [_ 3000]
          (when-let [view (try (changed (+ 3 (.nextInt random (- (alength three-shapes) 3))) (unchecked-byte (.nextInt random)))
                               (catch ExceptionInfo _ nil))]
            (doseq [{:keys [path missing]} (columns/columns view)
                    :let [found (error #(columns/present view path))]]
              (is (or (= [:invalid-ext 0] found)
                      (= missing (count (remove true? found)))))
              (let [lengths (error #(columns/lengths view path))]
                (is (or (nil? lengths) (= [:invalid-ext 0] lengths) (every? nat-int? lengths)))))))))))

(deftest numbers-are-in-place-wherever-the-message-begins
  (let [small (fn [i] (+ 300 (rem (* 7919 (long i)) 20011)))
        rows (mapv (fn [i] {"f" (/ i 7.0), "small" (small i), "byte" (bit-and 0xff (* i i 37)), "below" (- (small i))}) (range 100))]
    (doseq [before (range 8)
            :let [columns (pack rows {:columns true})
                  message (byte-array (concat (repeat before 0) columns))
                  view (.columns (Unpacker/standard) message (int before) (alength columns))
                  buffer #(.buffer (.column view %))
                  ^DoubleBuffer f (buffer "[].f")
                  ^ShortBuffer shorts (buffer "[].small")
                  ^ByteBuffer bytes (buffer "[].byte")]]
      (is (every? #(.isReadOnly ^Buffer %) [f shorts bytes]))
      (is (= (map #(% "f") rows) (map #(.get f (int %)) (range 100))))
      (is (= (map #(% "small") rows) (map #(.get shorts (int %)) (range 100))))
      (is (= (map #(% "byte") rows) (map #(bit-and 0xff (.get bytes (int %))) (range 100))))
      (is (nil? (buffer "[].below")) "with a base")
      (is (= [true true false] (map #(.isUnsigned (.column view %)) ["[].small" "[].byte" "[].f"]))))))

(deftest views-of-other-values-and-faults
  (let [error (fn [f] (try (f) nil (catch ExceptionInfo e [(:kind (ex-data e)) (.offset (PackordException/of e))])))]
    (is (= [:type-mismatch 0] (error #(columns/view (pack [1 2])))))
    (is (= [:type-mismatch 0] (error #(columns/view (pack (Ext. 91 (byte-array 3)))))))
    (is (= [:eof 4] (error #(columns/view (Arrays/copyOf rows 4)))))
    (is (= [:eof 0] (error #(columns/view (byte-array 0)))))
    (is (= [:trailing-bytes 266] (error #(columns/view (Arrays/copyOf rows 267)))))
    (is (= [:length-limit 0] (error #(columns/view rows {:max-nodes 216}))))
    (testing "a fault is found in its column"
      (let [damaged (aclone rows)
            _ (aset-byte damaged (.indexOf (String. rows "ISO-8859-1") "Oslo") -1)
            view (columns/view damaged)]
        (is (= [:invalid-ext 0] (error #(columns/values view "[].c"))))
        (is (= 24 (count (columns/values view "[].at"))))))
    (testing "whatever is damaged"
      (let [random (Random. 7)]
        (dotimes [_ 1000]
          (let [damaged (aclone rows)
                at (+ (long payload-at) (.nextInt random 262))]
            (aset damaged at (unchecked-byte (.nextInt random)))
            (when-let [view (try (columns/view damaged) (catch ExceptionInfo _ nil))]
              (doseq [{:keys [path n]} (columns/columns view)
                      read [#(count (columns/values view path)) #(max n (columns/nils view path))]]
                (is (contains? #{n [:invalid-ext 0]}
                               (try (read) (catch ExceptionInfo e [(:kind (ex-data e)) (.offset (PackordException/of e))]))))))))))))

(deftest paths-of-hostile-columns-are-bounded
  (let [out (java.io.ByteArrayOutputStream.)
        put (fn [& values] (doseq [value values] (.write out ^bytes (pack value))))
        outer (apply str (repeat 500000 "k"))
        n 50000
        size (+ 5 1 500005 5 (* n 8))]
    (.write out 8)
    (put 1 outer 1)
    (.write out 8)
    (put n)
    (dotimes [i n] (put (format "%05d" i)))
    (put 1)
    (dotimes [_ n] (.write out 0) (put 1))
    (let [directory (.toByteArray out)
          payload (java.io.ByteArrayOutputStream.)]
      (.write payload 1)
      (doseq [field [size (+ 3 (* 2 n)) 2 (alength directory)]]
        (.write payload ^bytes (pack field)))
      (.write payload directory)
      (.write payload (byte-array n (unchecked-byte 0xc0)))
      (let [error (is (thrown? ExceptionInfo (columns/view (Ext. 92 (.toByteArray payload)))))]
        (is (= [:length-limit 0] [(:kind (ex-data error)) (.offset (PackordException/of error))]))))))
