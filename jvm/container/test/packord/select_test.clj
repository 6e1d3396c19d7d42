(ns packord.select-test
  "Readings of some keys of container files: what is read of a file, and that it is the same as of all of it."
  (:require
   [clojure.test :refer [deftest is testing]]
   [packord.container :as container]
   [packord.container-bytes :refer [block-array crc file-of mark with-blocks]]
   [packord.container-vectors-test :refer [channel]]
   [packord.core :as packord])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream)
   (java.nio.channels SeekableByteChannel)
   (java.util HashMap Random)
   (packord ErrorKind PackordException)
   (packord.container Block BlockColumn ContainerReader Predicate ReadOptions)))

(set! *warn-on-reflection* true)

(defn- rows-of [source opts]
  (with-open [r (container/reader source opts)]
    (into [] r)))

;; ---------------------------------------------------------------- what is read

(def ^:private names (mapv #(str "column " %) (range 15)))

(defn- noise
  "Values of a column that do not get much smaller."
  [^Random random ^long column]
  (case (rem column 3)
    0 (.nextInt random)
    1 (str (Long/toString (.nextLong random) 36))
    2 (.nextDouble random)))

(def ^:private ^"[B" wide
  "A file of 15 columns, in 3 blocks."
  (let [random (Random. 1)]
    (file-of (repeatedly 30000 #(into {} (map-indexed (fn [i k] [k (noise random i)])) names)) {:block-rows 10000})))

(defn- reading
  "What `f` returns for a reader, and the part of the file that was read for it."
  [opts f]
  (with-open [r (ContainerReader/of ^SeekableByteChannel (channel wide) ^ReadOptions opts)]
    [(f r) (/ (.bytesRead r) (double (alength wide)))]))

(deftest one-column-of-fifteen-reads-little-of-a-file
  (doseq [key names
          :let [options (.. (ReadOptions/builder) (select [key]) (build))
                [n part] (reading options #(count (filter (fn [row] (contains? row key)) (seq %))))
                [values column-part] (reading options
                                              (fn [^ContainerReader r]
                                                (reduce + (map (fn [^Block b] (.count ^BlockColumn (first (.columns b [key]))))
                                                               (iterator-seq (.blocks r))))))]]
    (is (= 30000 n values))
    (is (< part 0.15))
    (is (< column-part 0.15)))
  (testing "and nothing else where no row matches"
    (let [options (fn [op] (.. (ReadOptions/builder) (select (subvec names 1)) (where (Predicate/of (first names) op 0.5)) (build)))]
      (is (< (second (reading (options "==") #(is (nil? (seq %))))) 0.15))
      (is (< 0.9 (second (reading (options "!=") #(is (= 30000 (count (seq %))))))))))
  (testing "without keys and for a count"
    (is (< (second (reading (.. (ReadOptions/builder) (select []) (build)) #(is (= 30000 (count (seq %)))))) 0.05))
    (is (< (second (reading (ReadOptions/standard) #(is (= 30000 (.getAsLong (.count ^ContainerReader %)))))) 0.01))))

;; ---------------------------------------------------------------- random queries

(defn- some-of
  "Some elements of a list, in any order."
  [^Random random n elements]
  (let [all (java.util.ArrayList. ^java.util.Collection elements)]
    (java.util.Collections/shuffle all random)
    (vec (take n all))))

(defn- cell [^Random random]
  (case (.nextInt random 9)
    0 nil
    1 (.nextInt random 5)
    2 (/ (.nextInt random 20) 4.0)
    3 (str "s" (.nextInt random 4))
    4 (.nextBoolean random)
    5 [(.nextInt random 3) "x"]
    6 {"in" (.nextInt random 3)}
    7 (+ 100000 (.nextInt random 99999))
    8 18446744073709551615N))

(defn- table
  "Rows with keys that are often of one type, sometimes missing, sometimes no maps."
  [^Random random]
  (let [keys (mapv #(str "k" %) (range (inc (.nextInt random 7))))
        kinds (mapv (fn [_] (if (pos? (.nextInt random 3)) (constantly nil) cell)) keys)
        seeds (mapv (fn [_] (.nextLong random)) keys)
        gaps (.nextInt random 3)
        mixed (zero? (.nextInt random 5))
        ;; A column of one kind has its own generator, which begins with the same number for each value.
        value (fn [i] (let [own ((nth kinds i) random)]
                        (if (some? own) own (let [r (Random. (nth seeds i))] (if (zero? (.nextInt r 2)) (.nextInt random 50) (str "t" (.nextInt random 9)))))))]
    (mapv (fn [_]
            (if (and mixed (zero? (.nextInt random 9)))
              (cell random)
              (into {} (keep-indexed (fn [i k] (when-not (and (pos? gaps) (zero? (.nextInt random (* 3 gaps)))) [k (value i)]))) keys)))
          (range (inc (.nextInt random 200))))))

(defn- condition [^Random random]
  [(nth ["k0" "k1" "k2" "k3" "k1.in" "k2.0" "none" ""] (.nextInt random 8))
   (nth [:== :!= :< :<= :> :>= :is-null :is-not-null :in] (.nextInt random 9))
   (cell random)])

(deftest random-queries-are-those-of-a-plain-loop
  (let [random (Random. 5)]
    (dotimes [_ 100]
      (let [rows (table random)
            opts {:block-rows (inc (.nextInt random 90)), :codec (nth [:none :deflate :zstd] (.nextInt random 3))
                  :columns (pos? (.nextInt random 4)), :messages (zero? (.nextInt random 8))}
            file (file-of rows opts)]
        (dotimes [_ 10]
          (let [select (when (pos? (.nextInt random 4)) (some-of random (.nextInt random 4) ["k0" "k1" "k2" "k3" "none"]))
                where (mapv (fn [[p op x]] [p op (if (= :in op) [x 1 "s1"] x)])
                            (repeatedly (.nextInt random 3) #(condition random)))
                query (cond-> {:index (.nextBoolean random)} select (assoc :select select) (seq where) (assoc :where where))
                ;; The predicate of the class, on a file of one row: what an index, columns and chunks cannot change.
                matches? (fn [row] (or (empty? where)
                                       (seq (rows-of (file-of [row] {:columns false :codec :none}) {:where where, :index false}))))
                expected (mapv #(if (and select (map? %)) (select-keys % select) %) (filter matches? rows))]
            (when-not (and (= expected (rows-of file query))
                           (= expected (rows-of (ByteArrayInputStream. file) (dissoc query :index)))
                           (= expected (with-open [r (container/reader file query)]
                                         (mapv packord/unpack (into [] (container/packed r))))))
              (is (= expected [opts query (rows-of file query)])))))))))

;; What a column is stored as, and the key of a condition on it that is selected too.
(deftest every-kind-of-column-is-compared-and-selected
  (let [random (Random. 8)
        kinds {"int" #(.nextInt random 1000), "dict" #(str "town " (.nextInt random 5)), "text" #(str (.nextLong random))
               "float" #(.nextDouble random), "scaled" #(/ (.nextInt random 99) 4.0), "list" #(vec (range (.nextInt random 4)))
               "union" #(nth [nil 1 "x" 2.5] (.nextInt random 4)), "map" #(hash-map "in" (.nextInt random 9))
               "same" (constantly ["the" "same"]), "bool" #(.nextBoolean random)
               "numbers" #(* 1000003 (.nextInt random 3)), "time" #(java.time.Instant/ofEpochSecond (.nextInt random))}
        rows (vec (repeatedly 400 #(into {} (map (fn [[k f]] [k (f)])) kinds)))
        file (file-of rows {:block-rows 150})]
    (doseq [k (keys kinds), select [[k] [k "int"] ["dict" k "text"]]]
      (is (= (map #(select-keys % select) (filter #(some? (% k)) rows))
             (rows-of file {:select select, :where [[k :is-not-null]]}))))))

(deftest integers-and-floats-in-other-values-are-not-equal
  (let [rows [{"a" [1]} {"a" [1.0]} {"a" {"x" 2}} {"a" {"x" 2.0}} {"a" {1 "int", 1.0 "float"}}]]
    (doseq [row rows, columns [true false]]
      (is (= [row] (rows-of (file-of rows {:columns columns}) {:where [["a" :== (get row "a")]]}))))))

;; ---------------------------------------------------------------- values, types and cuts

(def ^:private events
  (mapv (fn [i] {"id" i, "name" (str "name " (* i i)), "tags" (vec (range (rem i 4))), "price" (/ i 8.0)}) (range 900)))

(deftest selected-rows-are-read-into-types
  (let [file (file-of events {:block-rows 300})
        read-into (fn [^Class type keys]
                    (with-open [r (ContainerReader/of (ByteArrayInputStream. file) (.. (ReadOptions/builder) (select keys) (build)))]
                      (vec (iterator-seq (.rows r type)))))]
    (is (= (map #(HashMap. ^java.util.Map (select-keys % ["id" "tags"])) events) (read-into HashMap ["tags" "id"])))
    (is (= [{:id 7} {:id 8}] (rows-of file {:select [:id] :key-fn true :where [[:price :>= 0.875] [:price :<= 1.0]]})))
    (let [error (is (thrown? RuntimeException (read-into String ["id"])))]
      (is (= ErrorKind/TYPE_MISMATCH (.kind (PackordException/of error)))))))

(deftest limits-hold-for-selected-rows
  (let [file (file-of events {})]
    (doseq [opts [{:max-array-len 899} {:max-depth 2} {:max-expansion 0} {:max-str-len 5}]]
      (is (thrown? ExceptionInfo (rows-of file (assoc opts :select ["id" "name" "tags"]))) (pr-str opts)))
    (is (= 900 (count (rows-of file {:max-str-len 5, :select ["id" "tags"]}))) "of the keys that are read")))

(deftest a-body-may-be-cut-anywhere
  (let [body (packord/pack events {:columns true})
        random (Random. 3)]
    (dotimes [i 200]
      (let [cuts (sort (repeatedly (.nextInt random 12) #(.nextInt random (alength body))))
            parts (map (fn [[from to]] (java.util.Arrays/copyOfRange body (int from) (int to)))
                       (partition 2 1 (concat [0] cuts [(alength body)])))
            chunks (map (fn [^bytes part] [(alength part) (alength part) (crc part)]) parts)
            file (with-blocks (byte-array (concat mark (block-array 1 900 nil chunks body))))
            select (some-of random (.nextInt random 4) ["id" "name" "tags" "price"])]
        (when-not (and (= events (rows-of file {}))
                       (= (map #(select-keys % select) events) (rows-of file {:select select})))
          (is (= [] [i cuts select])))))))

(deftest changed-chunks-are-an-error-where-they-are-read-and-nowhere-else
  (let [random (Random. 9)
        row (fn [i] {"id" i, "name" (Long/toString (.nextLong random) 36), "text" (apply str (repeatedly 20 #(char (+ 97 (.nextInt random 26)))))})
        rows (mapv row (range 2000))
        file (file-of rows {:codec :none})
        text-at (.indexOf (String. file "ISO-8859-1") ^String (get (first rows) "text"))]
    (dotimes [_ 40]
      (let [at (+ text-at (.nextInt random 30000))
            changed (doto (aclone file) (aset-byte at (unchecked-byte (bit-xor 1 (aget file at)))))]
        (doseq [source [#(identity changed) #(ByteArrayInputStream. changed)]]
          (is (= (map #(select-keys % ["id" "name"]) rows) (rows-of (source) {:select ["name" "id"]})))
          (is (= :invalid-container (try (rows-of (source) {:select ["text"]}) nil
                                         (catch RuntimeException e (:kind (ex-data e))))))
          (is (= [] (rows-of (source) {:select ["text"], :where [["id" :< 0]]})))
          (is (= [] (rows-of (source) {:select ["text"], :on-bad-block :skip}))))))))
