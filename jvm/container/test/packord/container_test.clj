(ns packord.container-test
  "Container files by Clojure's functions: what is written comes back, whatever the options."
  (:require
   [clojure.java.io :as io]
   [clojure.test :refer [deftest is testing]]
   [packord.container :as container]
   [packord.container-bytes :refer [file-of]]
   [packord.core :as packord]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream ByteArrayOutputStream File)
   (java.nio ByteBuffer)
   (java.nio.channels Channels)
   (java.time Instant)
   (java.util Arrays Random)
   (packord TypeRef Unpacker)
   (packord.container ContainerReader ContainerWriter ReadOptions WriteOptions)))

(set! *warn-on-reflection* true)

(defn- rows-of [file opts]
  (with-open [r (container/reader file opts)]
    (into [] r)))

(defn- with-path [f]
  (let [file (File/createTempFile "packord" ".pkd")]
    (try (f file) (finally (.delete file)))))

(def ^:private events
  (mapv (fn [i] {:id i
                 :at (Instant/ofEpochSecond (+ 1000000 (* 7 i)))
                 :price (/ i 4.0)
                 :town (["Oslo" "Graz" "日本" nil] (rem i 4))
                 :user {:name (str "user " (rem i 10)) :tags (vec (range (rem i 3)))}})
        (range 3000)))

(deftest rows-come-back-with-every-codec-and-option
  (doseq [codec [:none :deflate :zstd]
          opts [{} {:columns false} {:messages true} {:block-rows 100} {:block-size 5000}]
          :let [file (file-of events (assoc opts :codec codec))]]
    (testing (pr-str codec opts)
      (is (= events (rows-of file {:key-fn true})))
      (is (= events (rows-of (ByteArrayInputStream. file) {:key-fn true})))
      (is (= events (mapv #(packord/unpack % {:key-fn true})
                          (with-open [r (container/reader file)] (into [] (container/packed r))))))
      (is (= {:codec codec :count 3000}
             (with-open [r (container/reader file)] (select-keys (container/info r) [:codec :count])))))))

(deftest files-are-smaller-with-columns-and-codecs
  (let [size (fn [opts] (alength (file-of events opts)))
        plain (size {:codec :none :columns false})]
    (is (< (* 2 (long (size {:codec :none}))) plain))
    (doseq [codec [:deflate :zstd]]
      (is (< (* 3 (long (size {:codec codec}))) plain))
      (is (< (size {:codec codec}) (size {:codec codec :columns false}))))
    (is (<= (size {:codec :deflate :level 9}) (size {:codec :deflate :level 1})))
    (testing "what cannot be compressed is stored"
      (let [noise (doto (byte-array 10000) (->> (.nextBytes (Random. 1))))]
        (is (< (alength (file-of [noise] {:codec :zstd})) 10300))))))

(deftest every-kind-of-source-is-read
  (let [file (file-of events {:block-rows 500})
        bytes-read #(rows-of % {:key-fn true})]
    (is (= events (bytes-read file)))
    (is (= events (bytes-read (ByteBuffer/wrap file))))
    (is (= events (bytes-read (Channels/newChannel (ByteArrayInputStream. file)))))
    (with-path
      (fn [^File path]
        (io/copy file path)
        (doseq [source [path (str path) (.toPath path) (.toURL (.toURI path))]]
          (is (= events (bytes-read source))))
        (with-open [r (container/reader path {:key-fn true})]
          (is (= events (seq r)) "a seq")
          (is (= events (reduce conj [] r)) "once more")
          (is (= (first events) (first r)))
          (is (= 3000 (reduce (fn [n _] (inc (long n))) 0 r)))
          (is (= :found (reduce (fn [_ row] (when (= 1234 (:id row)) (reduced :found))) nil r)))
          (is (= 6 (reduce + (map :id (take 4 r))))))))
    (is (thrown? IllegalArgumentException (container/reader 7)))
    (is (thrown? java.io.IOException (container/reader "/no/such/file.pkd")))))

(deftest values-are-read-as-the-options-of-core-say
  (let [rows [{:a #{:b} "c" 1/3}]
        opts {:rich true :key-fn :exact :records true}
        file (file-of rows opts)]
    (is (= rows (rows-of file opts))))
  (is (= [{"a" 1}] (rows-of (file-of [{:a 1}] nil) nil)))
  (is (= [[1 2] [3]] (rows-of (file-of [[1 2] [3]] {:messages true}) {})))
  (is (= [7 nil "x"] (rows-of (file-of [7 nil "x"] {}) {}))))

(defn- read-into [^Class type file]
  (with-open [r (ContainerReader/of (ByteArrayInputStream. file) (ReadOptions/standard))]
    (vec (iterator-seq (.rows r type)))))

(deftest rows-are-read-into-types-of-java
  (doseq [opts [{} {:columns false} {:messages true}]]
    (let [numbers (file-of (repeat 1000 [1 2 3]) opts)
          maps (file-of (map #(hash-map "a" %) (range 1000)) opts)]
      (is (every? #(Arrays/equals (long-array [1 2 3]) ^longs %) (read-into (Class/forName "[J") numbers)))
      (is (= (range 1000) (map #(get % "a") (read-into java.util.TreeMap maps))))
      (with-open [r (ContainerReader/of (ByteArrayInputStream. maps) (ReadOptions/standard))]
        (is (= (range 1000) (map #(get % "a") (iterator-seq (.rows r (TypeRef/of java.util.Map)))))))
      (is (= "type_mismatch" (get-in (v/outcome #(read-into String numbers)) [:error "kind"]))))))

(deftest conditions-are-those-of-a-naive-comparison
  (let [random (Random. 7)
        values [nil 1 2 3 2.5 -1.0 ##NaN 9223372036854775807 18446744073709551615N 1e19 "" "a" "ab" "zé"
                true false (Instant/ofEpochSecond 5) (Instant/ofEpochSecond 5 1)]
        any #(nth values (.nextInt random (count values)))
        near (fn [from] #(nth values (+ (long from) (.nextInt random 3))))
        rows (vec (for [block (range 40)
                        :let [a (if (even? block) any (near (rem (* 5 block) 14)))]
                        _ (range 25)]
                    (cond-> {:b {:c (a)}} (< (.nextInt random 9) 8) (assoc :a (a)))))
        kind #(cond (nil? %) nil (number? %) :number (string? %) :string (instance? Instant %) :time :else :other)
        compared (fn [x y] (when (and (= (kind x) (kind y)) (not (and (double? x) (NaN? x))) (not (and (double? y) (NaN? y))))
                             (if (= :number (kind x))
                               (.compareTo (bigdec x) (bigdec y))
                               (compare x y))))
        meets? (fn [op x y]
                 (case op
                   :is-null (nil? x)
                   :is-not-null (some? x)
                   (and (some? x)
                        (let [order (compared x y)
                              same (= 0 order)
                              order (when-not (= :other (kind x)) order)]
                          (case op
                            :== same
                            :!= (not same)
                            :in (boolean (some #(= 0 (compared x %)) [y 2 "a"]))
                            :< (boolean (some-> order neg?))
                            :<= (boolean (some-> order (<= 0)))
                            :> (boolean (some-> order pos?))
                            :>= (boolean (some-> order (>= 0))))))))]
    (doseq [opts [{} {:columns false}]
            :let [file (file-of rows (assoc opts :block-rows 25 :codec :none :stats [:a [:b :c]]))
                  read #(rows-of file (assoc % :key-fn true))
                  same-count (fn [expected found] (is (= (count expected) (count found))))]
            op [:is-null :is-not-null :== :!= :< :<= :> :>= :in]
            y (if (= {} opts) values [nil 2 2.5 18446744073709551615N "a" true])
            :when (or (some? y) (#{:is-null :is-not-null} op))
            [p get-it] [[:a :a] [[:b :c] (comp :c :b)]]
            :let [condition [p op (if (= :in op) [y 2 "a"] y)]
                  expected (filterv #(meets? op (get-it %) y) rows)
                  found (read {:where [condition]})]]
      (testing (pr-str opts condition)
        (same-count expected found)
        (is (= (map (comp str get-it) expected) (map (comp str get-it) found)))
        (testing "skipping alone leaves all of them"
          (is (<= (count found) (count (read {:prune [condition]})) 1000)))
        (when (= {} opts)
          (same-count expected (read {:where [condition] :index false})))))))

(deftest blocks-are-skipped-by-statistics
  (let [file (file-of events {:block-rows 100 :stats [:id :town [:user :name]]})
        blocks #(with-open [r (container/reader file %)] (into [] (map :count) (container/blocks r)))]
    (is (= (repeat 30 100) (blocks {})))
    (is (= [100] (blocks {:where [[:id :== 1234]]})))
    (is (= [100 100] (blocks {:prune [[:id :> 2800]]})))
    (is (= [100] (blocks {:prune [[:id :> 2800] [:id :<= 2850]]})))
    (is (= [] (blocks {:where [["user.name" :> "user 99"]]})))
    (is (= (repeat 30 100) (blocks {:where [[:price :== -1.0]]})) "no statistics")
    (is (= [] (rows-of file {:where [[:price :== -1.0]]})))
    (with-open [r (container/reader file)]
      (is (= {"id" {:nulls 0 :min 0 :max 99}
              "town" {:nulls 25 :min "Graz" :max "日本"}
              "user.name" {:nulls 0 :min "user 0" :max "user 9"}}
             (:statistics (first (container/blocks r))))))))

(deftest splits-have-each-row-once
  (doseq [index [true false], n [1 2 3 7 50]
          :let [file (file-of events {:block-rows 100})
                ranges (with-open [r (container/reader file {:index index})] (container/splits r n))]]
    (is (<= 1 (count ranges) n))
    (is (= 0 (ffirst ranges)))
    (is (= events (mapcat #(rows-of file {:split % :index index :key-fn true}) ranges))))
  (is (thrown? IllegalStateException
               (with-open [r (container/reader (ByteArrayInputStream. (file-of [1] {})))] (container/splits r 2)))))

(deftest splits-are-serializable
  (let [split (packord.container.Split. 5 700)
        out (ByteArrayOutputStream.)]
    (doto (java.io.ObjectOutputStream. out) (.writeObject split) (.flush))
    (is (= split (.readObject (java.io.ObjectInputStream. (ByteArrayInputStream. (.toByteArray out))))))))

(deftest what-a-file-says-of-itself
  (let [file (file-of events {:meta {:made "here"} :stats [:id [:user :name]] :codec :deflate :block-rows 1000})]
    (with-open [r (container/reader file {:key-fn true})]
      (is (= {:codec :deflate
              :meta {:made "here"}
              :stats ["id" "user.name"]
              :count 3000
              :blocks 3
              :schema {"id" {:types [:int] :nullable false}
                       "at" {:types [:timestamp] :nullable false}
                       "price" {:types [:float] :nullable false}
                       "town" {:types [:str] :nullable true}
                       "user" {:types [:map] :nullable false}
                       "user.name" {:types [:str] :nullable false}
                       "user.tags" {:types [:array] :nullable false}
                       "user.tags[]" {:types [:int] :nullable false}}}
             (container/info r))))
    (with-open [r (container/reader (ByteArrayInputStream. file))]
      (is (= {:codec :deflate :count nil :blocks nil :schema nil}
             (select-keys (container/info r) [:codec :count :blocks :schema]))))))

(deftest what-is-damaged-is-passed-over
  (let [file (file-of events {:block-rows 100 :codec :deflate})
        blocks (with-open [r (container/reader file)] (mapv #(dissoc % :block) (container/blocks r)))
        {:keys [offset size]} (nth blocks 4)]
    (aset-byte file (+ offset 100) (unchecked-byte (bit-xor 1 (aget file (+ offset 100)))))
    (doseq [source [#(identity file) #(ByteArrayInputStream. file)]]
      (with-open [r (container/reader (source) {:on-bad-block :skip :key-fn true})]
        (is (= (into (subvec events 0 400) (subvec events 500)) (into [] r)))
        (let [[{:keys [from to error]} & more] (container/damaged r)]
          (is (= [offset (+ offset size)] [from to]))
          (is (= {:type :packord/error :kind :invalid-container :offset (+ offset 18) :path "$"} (ex-data error)))
          (is (nil? more))))
      (let [seen (atom [])]
        (is (thrown? ExceptionInfo
                     (with-open [r (container/reader (source) {:key-fn true})]
                       (run! #(swap! seen conj %) r))))
        (is (= (subvec events 0 400) @seen))))))

(deftest files-are-appended-to
  (with-path
    (fn [path]
      (let [write (fn [rows opts] (with-open [w (container/writer path opts)] (container/write-all! w rows)))]
        (write (subvec events 0 1000) {:block-rows 300 :codec :deflate})
        (write (subvec events 1000 1500) {:append true})
        (let [before (.length ^File path)]
          (write [] {:append true})
          (is (= before (.length ^File path)) "nothing is written for nothing"))
        (write (subvec events 1500) {:append true :codec :none})
        (is (= events (rows-of path {:key-fn true})))
        (is (= events (rows-of (io/input-stream path) {:key-fn true})))
        (with-open [r (container/reader path)]
          (is (= {:codec :deflate :count 3000} (select-keys (container/info r) [:codec :count])))
          (is (some? (:schema (container/info r)))))
        (testing "a cut file is refused"
          (with-open [f (java.io.RandomAccessFile. ^File path "rw")]
            (.setLength f (- (.length f) 3)))
          (is (= :eof (:kind (ex-data (is (thrown? ExceptionInfo (container/writer path {:append true}))))))))
        (write [1] {})
        (is (= [1] (rows-of path {})) "without append the file is replaced")))))

(deftest blocks-are-copied-as-they-are
  (let [file (file-of events {:block-rows 500 :codec :deflate})
        out (ByteArrayOutputStream.)]
    (with-open [r (container/reader file)
                w (container/writer out {:codec :none})]
      (container/write! w {:id -1})
      (run! #(container/copy! w %) (container/blocks r))
      (container/write! w {:id -2}))
    (let [copied (.toByteArray out)]
      (is (= (concat [{:id -1}] events [{:id -2}]) (rows-of copied {:key-fn true})))
      (with-open [a (container/reader file), b (container/reader copied)]
        (is (= (map :statistics (container/blocks a)) (map :statistics (butlast (rest (container/blocks b))))))))))

(deftest a-reader-that-follows-returns-blocks-as-they-are-written
  (with-path
    (fn [path]
      (with-open [w (container/writer path {:block-rows 10})]
        (let [seen (java.util.concurrent.LinkedBlockingQueue.)
              take-some (fn [n] (vec (repeatedly n #(.poll seen 20 java.util.concurrent.TimeUnit/SECONDS))))
              r (container/reader path {:follow true :key-fn true})
              reading (future (run! #(.put seen %) r) :ended)]
          (container/write-all! w (subvec events 0 25))
          (is (= (subvec events 0 20) (take-some 20)))
          (container/flush! w)
          (is (= (subvec events 20 25) (take-some 5)))
          (.finish w)
          (.close w)
          (with-open [more (container/writer path {:append true})]
            (container/write-all! more (subvec events 25 40)))
          (is (= (subvec events 25 40) (take-some 15)))
          (is (nil? (.poll seen)))
          (.close r)
          (is (= :ended (deref reading 120000 :hangs))))))))

(deftest a-reader-that-follows-for-a-time-can-go-on
  (let [file (file-of events {:block-rows 10})
        piped (java.io.PipedInputStream. (* 2 (alength file)))
        to (java.io.PipedOutputStream. piped)]
    (.write to file 0 5000)
    (with-open [r (container/reader (proxy [java.io.InputStream] []
                                      (read
                                        ([] (if (pos? (.available piped)) (.read piped) -1))
                                        ([b] (.read ^java.io.InputStream this b 0 (alength ^bytes b)))
                                        ([b from n] (if (pos? (.available piped)) (.read piped b from n) -1))))
                                    {:follow 0 :key-fn true})]
      (let [first-part (into [] r)]
        (is (< 0 (count first-part) 3000))
        (.write to file 5000 (- (alength file) 5000))
        (is (= events (into first-part r)))))))

(deftest a-row-that-cannot-be-packed-is-left-out
  (let [out (ByteArrayOutputStream.)]
    (with-open [w (container/writer out)]
      (container/write! w {:a 1})
      (is (= {:type :packord/error :kind :unsupported-type :path "$.a"}
             (ex-data (is (thrown? ExceptionInfo (container/write! w {:a (Object.)}))))))
      (is (thrown? RuntimeException (.writePacked w (byte-array [-63]))))
      (.writePacked w (packord/pack {:a 2}))
      (container/write! w {:a (packord/ext 0x72 (byte-array 2))}))
    (is (= [{:a 1} {:a 2} {:a (packord/ext 0x72 (byte-array 2))}] (rows-of (.toByteArray out) {:key-fn true})))))

(deftest large-rows-have-blocks-of-their-own
  (let [large (apply str (repeat 10000 "x"))
        file (file-of ["a" large "b" "c"] {:block-size 5000 :codec :none})]
    (with-open [r (container/reader file)]
      (is (= [1 1 2] (mapv :count (container/blocks r)))))
    (is (= ["a" large "b" "c"] (rows-of file {})))
    (testing "a row of more than 64 MiB"
      (let [out (ByteArrayOutputStream.)]
        (with-open [w (container/writer out {:codec :none})]
          (is (= :length-limit (:kind (ex-data (is (thrown? ExceptionInfo
                                                            (container/write! w (byte-array (* 64 1024 1024)))))))))
          (container/write! w 1))
        (is (= [1] (rows-of (.toByteArray out) {})))))))

(deftest options-that-are-wrong-are-refused
  (let [file (file-of [1] {})]
    (doseq [opts [{:no-such true} {:where [[:a]]} {:where [[:a :like "x"]]} {:where [[1.5 :== 1]]} {:split [1]}
                  {:on-bad-block :ignore} {:max-block -1} {:index 1} {:follow :yes} {:where [[:a :in 1]]} {:select [7]}]]
      (is (thrown? IllegalArgumentException (container/reader file opts)) (pr-str opts)))
    (doseq [opts [{:no-such true} {:codec :brotli} {:block-size 0} {:block-size (* 65 1024 1024)} {:columns 1}
                  {:sync (byte-array 3)} {:stats [7]} {:codec :lz4} {:key ["a"]} {:append true} {:codec :deflate :level 17}]]
      (is (thrown? IllegalArgumentException (container/writer (ByteArrayOutputStream.) opts)) (pr-str opts)))
    (is (thrown? ExceptionInfo (container/reader file {:max-block 3})))))

(deftest a-closed-writer-refuses-rows
  (let [w (container/writer (ByteArrayOutputStream.))]
    (.close w)
    (.close w)
    (is (thrown? java.io.IOException (container/write! w 1)))))

(deftest the-program-that-tries-the-package-runs
  (try
    (is (= "records 21\ncontainer 1000 999\neof at byte 4 ($[1])\n"
           (binding [*ns* (create-ns 'packord.smoke)]
             (refer 'clojure.core)
             (with-out-str (load-file "../../.ci/smoke/smoke.clj")))))
    (finally
      (.delete (io/file "smoke-clojure.pkd")))))
