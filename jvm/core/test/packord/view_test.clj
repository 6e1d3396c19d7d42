(ns packord.view-test
  (:require
   [clojure.datafy :refer [datafy nav]]
   [clojure.test :refer [deftest is testing]]
   [clojure.test.check :as check]
   [clojure.test.check.generators :as gen]
   [clojure.test.check.properties :as prop]
   [packord.core :as packord :refer [pack unpack]]
   [packord.vectors :as v]
   [packord.view :as view :refer [view]])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io File)
   (java.nio ByteBuffer)
   (java.nio.file Files OpenOption)
   (java.util ArrayList Arrays Random)
   (packord Token Unpacker)
   (packord.view View)))

(set! *warn-on-reflection* true)

(def ^:private team
  {:users [{:name "Ada" :id 1} {:name "Bo" :tags #{}} {:name nil}], "total" 2, 3 [[[]]]})

(defn- built
  "The data of a view, built by looking at each part."
  [x]
  (if-not (instance? View x)
    x
    (case (view/type-of x)
      :array (mapv #(built (nth x %)) (range (count x)))
      (:map :record) (into {} (map (fn [[k _]] [k (built (get x k))])) (seq x))
      @x)))

(deftest parts-are-read-by-clojure-functions
  (doseq [opts [{:key-fn true} {:key-fn true :records true}]]
    (let [value (update team :users (fn [users] (mapv #(dissoc % :tags) users)))
          v (view (pack value opts) opts)]
      (is (= "Bo" (get-in v [:users 1 :name])))
      (is (= 3 (count (:users v))))
      (is (= 3 (count v)))
      (is (= {:name "Ada" :id 1} @(get-in v [:users 0])))
      (is (= {:name "Ada" :id 1} @(nth (:users v) 0)))
      (is (nil? (get-in v [:users -1 :name])))
      (is (= :none (get-in v [:users 3 :name] :none)))
      (is (nil? (get-in v [:users 2 :name] :none)) "nil is a value")
      (is (= :none (get v :owner :none)))
      (is (nil? (:owner v)))
      (is (= [] @(get-in v [3 0 0])))
      (is (= ["Ada" "Bo" nil] (map :name (:users v))))
      (is (= (unpack (pack value opts) opts) (built v)))
      (is (= :array (view/type-of (:users v))))
      (let [{[{:keys [id]}] :users} v]
        (is (= 1 id)))
      (is (thrown? IndexOutOfBoundsException (nth (:users v) 3)))
      (is (= :none (nth (:users v) 3 :none)))
      (is (= "#<packord.view array of 3>" (pr-str (:users v)))))))

(deftest views-are-data
  (let [v (view (pack team {:key-fn true}) {:key-fn true})
        data (datafy v)]
    (is (= #{:users :total 3} (set (keys data))))
    (is (= 2 (nav data :total (:total data))))
    (is (= "Bo" (:name (datafy (nth (datafy (nav data :users (:users data))) 1)))))))

(deftest scalars-have-a-view
  (doseq [[value type-name] [[5 :integer] [nil :nil] ["x" :str] [1.5 :float] [true :bool]]]
    (let [v (view (pack value))]
      (is (= type-name (view/type-of v)))
      (is (= value @v (datafy v)))
      (is (nil? (get v 0)))
      (is (zero? (count v))))))

(deftest files-and-buffers-have-views
  (let [b (pack team {:key-fn true})
        file (File/createTempFile "packord" ".mp")]
    (try
      (Files/write (.toPath file) ^bytes b ^"[Ljava.nio.file.OpenOption;" (make-array OpenOption 0))
      (doseq [resource [(ByteBuffer/wrap b) (.flip (.put (ByteBuffer/allocateDirect (alength b)) b)) file (.toPath file)]]
        (is (= "Bo" (get-in (view resource {:key-fn true}) [:users 1 :name])))
        (is (= 2 (:total @(view resource {:key-fn true})))))
      (finally (.delete file)))
    (is (thrown? IllegalArgumentException (view "x")))))

(deftest of-equal-keys-the-last-counts
  (let [b (v/hex->bytes "83a16101a16202a16103")]
    (is (= 3 (get (view b) "a")))
    (is (= 2 (count (view b))))
    (is (= :duplicate-key (:kind (ex-data (is (thrown? ExceptionInfo (view b {:duplicate-key :error})))))))))

(deftest definitions-hold-from-where-they-are
  (let [b (v/hex->bytes (str "93" "d4724091a161" "01" "d4724091a162" "02" "4003"))
        v (view b {:records true})]
    (is (= {"b" 3} @(nth v 2)))
    (is (= {"b" 2} @(nth v 1)))
    (is (= {"a" 1} @(nth v 0)))
    (is (= {"b" 3} @(nth v 2)))
    (is (= 1 (get-in v [0 "a"])))))

(deftest only-what-is-asked-for-is-read
  (testing "faults elsewhere are not met"
    (let [b (v/hex->bytes "83a16101a162a1ffa1639103")]
      (is (= 1 (get (view b) "a")))
      (is (= 3 (get-in (view b) ["c" 0])))
      (is (= {:type :packord/error :kind :invalid-utf8 :path "$.b" :offset 7}
             (ex-data (is (thrown? ExceptionInfo (get (view b) "b"))))))))
  (testing "faults have the path and the offset that unpack finds"
    (let [b (v/hex->bytes "81a16192c09281a162c101")
          expected (try (unpack b) (catch ExceptionInfo e (ex-data e)))]
      (is (= expected (ex-data (is (thrown? ExceptionInfo (get-in (view b) ["a" 1 0 "b"]))))))
      (is (= expected (ex-data (is (thrown? ExceptionInfo (get-in (view b) ["a" 1 1]))))))
      (is (= expected (ex-data (is (thrown? ExceptionInfo @(view b))))))))
  (testing "bytes after the message"
    (is (= 1 (get (view (v/hex->bytes "9101c0")) 0)))
    (is (= :trailing-bytes (:kind (ex-data (is (thrown? ExceptionInfo @(view (v/hex->bytes "9101c0")))))))))
  (testing "limits"
    (is (= :depth-limit (:kind (ex-data (is (thrown? ExceptionInfo (get-in (view (v/hex->bytes "91919101") {:max-depth 2}) [0 0])))))))
    (is (= :eof (:kind (ex-data (is (thrown? ExceptionInfo (view (v/hex->bytes "dd7fffffff"))))))))
    (is (= :eof (:kind (ex-data (is (thrown? ExceptionInfo (view (byte-array 0))))))))))

(deftest every-valid-vector-has-a-view
  (doseq [c (concat (v/cases "valid") (remove #(or (contains? % "steps") (contains? % "values")
                                                   (contains? % "error"))
                                              (v/cases "records")))
          :let [b (v/expand (get c "bytes"))
                opts (v/options c)
                opts (update opts :structures #(some-> % deref))]
          :when (not (:extensions opts))
          :let [expected (unpack b opts)]]
    (testing (get c "name")
      (is (v/same? expected @(view b opts)))
      (is (v/same? expected (built (view b opts)))))))

(deftest generated-values-have-views
  (let [result (check/quick-check
                200 (prop/for-all [value (gen/recursive-gen #(gen/one-of [(gen/vector %) (gen/map gen/keyword %)]) gen/small-integer)]
                      (let [opts {:key-fn true :records true}]
                        (= value (built (view (pack value opts) opts))))))]
    (is (:pass? result) (pr-str (:shrunk result)))))

(deftest damaged-messages-are-refused-by-typed-errors
  (let [random (Random. 5)
        cases (mapv #(v/expand (get % "bytes")) (v/cases "valid"))]
    (dotimes [_ 3000]
      (let [^bytes b (Arrays/copyOf ^bytes (nth cases (.nextInt random (count cases))) (.nextInt random 60))]
        (when (pos? (alength b))
          (aset b (.nextInt random (alength b)) (unchecked-byte (.nextInt random))))
        (try
          (let [read (try (unpack b {:trailing :allow :records true}) (catch ExceptionInfo e e))
                viewed (try (built (view b {:records true :trailing :allow})) (catch ExceptionInfo e e))]
            (when-not (instance? ExceptionInfo read)
              (is (v/same? read viewed) (v/bytes->hex b)))
            (when (instance? ExceptionInfo viewed)
              (is (instance? ExceptionInfo read) (v/bytes->hex b))))
          (catch Throwable t
            (is (nil? t) (v/bytes->hex b))))))))

(deftest java-programs-have-views
  (let [of (.view (Unpacker/standard) ^bytes (pack {:a [1 {"b" nil}] 7 "x"}))
        path (fn [& steps] (object-array steps))]
    (is (= Token/MAP (.type of)))
    (is (= ["a" 7] (.keys of)))
    (is (= 1 (.get of (path "a" 0))))
    (is (= "x" (.get of (path (int 7)))))
    (is (nil? (.get of (path "a" 1 "b" "c"))))
    (is (.has of (path "a" -1 "b")))
    (is (not (.has of (path "a" 2))))
    (is (= {"a" [1 {"b" nil}] 7 "x"} (.unpack of)))))

(deftest threads-may-share-a-view
  (let [v (view (pack (vec (for [i (range 1000)] {:id i :tags [i]})) {:key-fn true}) {:key-fn true})
        results (ArrayList.)
        threads (doall (for [n (range 8)]
                         (doto (Thread. #(let [sum (reduce + (for [i (range 1000)] (get-in v [(mod (+ i (* 100 (long n))) 1000) :tags 0])))]
                                           (locking results (.add results sum))))
                           .start)))]
    (run! #(.join ^Thread %) threads)
    (is (= (repeat 8 499500) results))))

(deftest a-view-is-a-collection-for-other-programs
  (let [v (view (pack [1 [2] "x"]))]
    (is (= [1 "x"] [(first (vec v)) (peek (vec v))]))
    (is (= 3 (alength ^objects (into-array Object v)) (count (ArrayList. ^java.util.Collection (vec v)))))
    (is (= [["a" 1]] (vec (view (pack {"a" 1})))))
    (is (= [] (vec (view (pack [])))))))

(deftest a-view-knows-its-keys
  (let [v (view (pack {"a" nil "b" [1 2]}))]
    (is (= [true true false] (map #(contains? v %) ["a" "b" "c"])))
    (is (= [true false] (map #(contains? (get v "b") %) [1 2])))
    (is (= ["a" nil] (find v "a")))
    (is (nil? (find v "c")))
    (is (= {"a" 1 "b" [1 2]} (assoc v "a" 1)))))
