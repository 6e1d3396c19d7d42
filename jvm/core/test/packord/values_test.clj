(ns packord.values-test
  "Values of rare classes: they are read as they were before packing, or are refused with a reason."
  (:require
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.compat.msgpack-clj :as compat]
   [packord.core :refer [codec pack unpack]]
   [packord.extension.clojure :as ext.clj]
   [packord.measure :refer [allocated]]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream ByteArrayOutputStream ObjectInputStream ObjectOutputStream)
   (java.util ArrayList Collection ConcurrentModificationException Iterator)
   (packord ErrorKind Options Packer PackordException)))

(set! *warn-on-reflection* true)

(defrecord Point [x y name])

(deftest records-are-written-in-the-order-of-their-fields
  (doseq [i (range 200)]
    (is (= ["x" "y" "name" "more"]
           (keys (unpack (pack (assoc (->Point i (str i) (* 0.5 (long i))) :more i)))))))
  (testing "so that records of one class share one definition"
    (let [points (mapv #(->Point % (str %) %) (range 1000))]
      (is (= 1 (count (re-seq #"d472" (v/bytes->hex (pack points {:records true})))))))))

(deftest equal-values-are-equal-bytes-when-canonical
  (let [random (java.util.Random. 7)
        shuffled (fn [^Collection c]
                   (let [l (ArrayList. c)] (java.util.Collections/shuffle l random) l))
        colliding (fn [n] (map #(str (if (bit-test n %) "Aa" "BB") "x") (range 3)))]
    (doseq [elements [(range 40) (map str (range 40)) [1 "a" [1] {"k" #{3 4 5}} nil 2.5 #{} #{1 2}]
                      (mapcat colliding (range 8))]
            opts [{:canonical true} {:canonical true :rich true}
                  {:canonical true :extensions compat/extensions}]
            :let [made (fn [] (reduce conj #{} (shuffled elements)))
                  expected (v/bytes->hex (pack (made) opts))]
            _ (range 10)
            same [(made) (apply hash-set (shuffled elements)) (java.util.LinkedHashSet. ^Collection (shuffled elements))]
]
      (is (= expected (v/bytes->hex (pack same opts)))))))

(deftest timestamps-of-sql-keep-their-nanoseconds
  (let [t (doto (java.sql.Timestamp. 1500000000123) (.setNanos 123456789))]
    (is (= (.toInstant t) (unpack (pack t)))))
  (is (= (java.time.Instant/ofEpochMilli 86400000) (unpack (pack (java.sql.Date. 86400000))))))

(defn- through-serialization [value]
  (let [out (ByteArrayOutputStream.)]
    (with-open [o (ObjectOutputStream. out)] (.writeObject o value))
    (with-open [in (ObjectInputStream. (ByteArrayInputStream. (.toByteArray out)))]
      (.readObject in))))

(deftest errors-can-be-serialized
  (let [e (try (unpack (v/hex->bytes "81a16191c1")) (catch ExceptionInfo e e))
        copy (through-serialization e)]
    (is (= (ex-message e) (ex-message copy)))
    (is (= "$.a[0]" (.path (PackordException/of copy))))
    (is (= (ex-data e) (ex-data copy)))))

(defn- colliding-names [bits]
  (for [n (range (bit-shift-left 1 bits))]
    (apply str (map #(if (bit-test n %) "Aa" "BB") (range bits)))))

(defn- guarded-map []
  (let [m (java.util.LinkedHashMap.)]
    (doseq [k (colliding-names 10)] (.put m k 1))
    (unpack (pack m))))

(deftest maps-of-colliding-keys-are-maps-in-every-way
  (let [m (guarded-map)]
    (is (= "GuardedMap" (.getSimpleName (class m))))
    (is (= m (through-serialization m)))
    (is (= (assoc m "AaAa" 2) (assoc (through-serialization m) "AaAa" 2)))
    (is (= (-> m (dissoc "AaAaAaAaAaAaAaAaAaAa") (assoc :x 1))
           (-> (transient m) (assoc! :x 1) (dissoc! "AaAaAaAaAaAaAaAaAaAa") persistent!)))
    (is (= 1 (get (transient m) "AaAaAaAaAaAaAaAaAaAa")))
    (is (= 1024 (count (transient m))))
    (let [t (transient m)]
      (persistent! t)
      (is (thrown? IllegalAccessError (assoc! t 1 2)))))
  (let [opts {:rich true}
        s (unpack (pack (packord.core/ext 86 (pack (colliding-names 10)))) opts)]
    (is (= s (through-serialization s)))
    (is (= (disj s "x") (disj (through-serialization s) "x")))))

(deftest arrays-are-written-as-their-elements
  (doseq [a [(short-array [1 -300]) (int-array [1 -70000 Integer/MIN_VALUE]) (long-array [1 Long/MIN_VALUE])
             (float-array [0.5 -1]) (double-array [0.1]) (boolean-array [true false])
             (object-array [1 "a" nil])]]
    (is (= (v/bytes->hex (pack (vec a))) (v/bytes->hex (pack a)))))
  (is (= (v/bytes->hex (pack [0.5] {:canonical true}))
         (v/bytes->hex (pack (float-array [0.5]) {:canonical true}))))
  (testing "an array of Byte is bin"
    (is (= "c40201ff" (v/bytes->hex (pack (into-array Byte [(byte 1) (byte -1)])))))
    (is (= {:kind :unsupported-type :path "$.a[1]" :type :packord/error}
           (try (pack {"a" (into-array Byte [(byte 1) nil])}) (catch ExceptionInfo e (ex-data e)))))))

(deftest what-is-no-data-is-an-error
  (doseq [value [(.generatePublic (java.security.KeyFactory/getInstance "RSA")
                                  (java.security.spec.RSAPublicKeySpec. (.add (.shiftLeft BigInteger/ONE 1023) BigInteger/ONE)
                                                                        (BigInteger/valueOf 65537)))
                 java.nio.charset.StandardCharsets/UTF_8
                 (.newDocument (.newDocumentBuilder (javax.xml.parsers.DocumentBuilderFactory/newInstance)))]
          pack [pack #(.pack (Packer/of (.build (Options/builder))) %)]]
    (is (= [ErrorKind/UNSUPPORTED_TYPE "$[0]"]
           (try (pack [value]) (catch RuntimeException e ((juxt #(.kind ^PackordException %) #(.path ^PackordException %))
                                                          (PackordException/of e)))))
        (str (class value)))))

(deftest collections-that-change-are-an-error
  (let [changing (fn [failure]
                   (proxy [java.util.AbstractCollection] []
                     (size [] 3)
                     (iterator [] (reify Iterator
                                    (hasNext [_] true)
                                    (next [_] (throw (failure)))))))
        emptied (java.util.Collections/unmodifiableCollection
                 (proxy [java.util.AbstractCollection] []
                   (size [] 3)
                   (iterator [] (throw (NullPointerException.)))))
        shrinking (proxy [ArrayList] [] (size [] 3) (get [i] (throw (IndexOutOfBoundsException.))))
        map-of (fn [c] (proxy [java.util.AbstractMap] [] (entrySet [] (java.util.HashSet.)) (size [] 3)))]
    (doseq [value [(changing #(ConcurrentModificationException.))
                   (changing #(java.util.NoSuchElementException.))
                   emptied
                   shrinking
                   (map-of nil)]
            :let [e (try (pack {"k" value}) (catch ExceptionInfo e e))]]
      (is (= :unsupported-type (:kind (ex-data e))))
      (is (re-find #"changed while it was written" (str (ex-message e)))))))

(deftest a-list-or-map-of-another-thread-is-a-value-or-an-error-of-packord
  (doseq [[^Object shared grow shrink]
          [[(ArrayList.) #(.add ^ArrayList %1 %2) (fn [^ArrayList l _] (.clear l))]
           [(java.util.HashMap.) #(.put ^java.util.HashMap %1 %2 %2) (fn [^java.util.HashMap m _] (.clear m))]
           [(java.util.LinkedList.) #(.add ^java.util.LinkedList %1 %2)
            (fn [^java.util.LinkedList l _] (.clear l))]]
          :let [stop (atom false)
                changing (future (while (not @stop)
                                   (dotimes [i 200] (grow shared i))
                                   (shrink shared nil)))]]
    (try
      (dotimes [_ 3000]
        (let [packed (try (pack shared) (catch ExceptionInfo e e))]
          (if (bytes? packed)
            (unpack packed)
            (when-not (= :unsupported-type (:kind (ex-data packed)))
              (is (nil? packed))))))
      (finally
        (reset! stop true)
        @changing))))

(deftest wrong-options-are-refused-by-name
  (doseq [[option value] [[:max-depth -1] [:max-depth "8"] [:max-len -1] [:max-str-len 1.5]
                          [:max-nodes -7] [:max-buffer -1] [:max-own-structures -1] [:canonical "no"]
                          [:records 1] [:float32 :yes] [:rich :yes] [:timestamps :instant] [:unknown 1]
                          [:max_depth 1] ["max-depth" 1] [:key-fn 5] [:extensions 5] [:utf8 :maybe]]]
    (is (thrown-with-msg? IllegalArgumentException (re-pattern (str option)) (codec {option value}))))
  (testing "one that another package has"
    (is (thrown-with-msg? IllegalArgumentException #":compatibility-mode: packord.compat.clojure-msgpack takes it"
                          (codec {:compatibility-mode true}))))
  (is (thrown? IllegalArgumentException (codec 5)))
  (is (thrown? IllegalArgumentException (pack 1 [:records true]))))

(deftest options-given-inline-are-remembered-by-value
  (let [inline (fn [f] #(f {:key-fn (identity true) :extensions (vec ext.clj/extensions)}))]
    (is (< (allocated 2000 1000 (inline #(pack 1 %))) 1200))
    (is (< (allocated 2000 1000 (inline #(unpack (byte-array [1]) %))) 1200))))
