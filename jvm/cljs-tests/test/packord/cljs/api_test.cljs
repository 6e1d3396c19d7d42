(ns packord.cljs.api-test
  (:require
   [cljs.test :refer [async deftest is testing]]
   [packord.cljs.generated :as generated :refer [hex unhex]]
   [packord.core :as packord :refer [codec pack pack-all-stream pack-stream unpack unpack-async unpack-stream]]
   [packord.extension :as extension]
   [packord.extension.clojure :as ext.clj]
   [packord.options :as options]))

(defn- kind [f]
  (try (f) :none (catch ExceptionInfo e (:kind (ex-data e)))))

(deftest docstrings
  (is (= {"a" 1, "b" [1 2 3]} (unpack (pack {:a 1 "b" [1 2 3]}))))
  (is (= {:a 1} (unpack (pack {:a 1}) {:key-fn true})))
  (is (= {:user/id 7} (unpack (pack {:user/id 7}) {:key-fn true})))
  (is (= {":a" 1} (unpack (pack {:a 1} {:key-fn str}))))
  (is (= [1 2 3] (into [] (unpack-stream (js/Uint8Array.of 1 2 3)))))
  (is (= "81a16101" (hex (pack {:a 1}))))
  (is (= "d40500" (hex (pack (packord/ext 5 (js/Uint8Array.of 0))))))
  (is (= {:type :packord/error, :kind :eof, :path "$", :offset 2}
         (try (unpack (js/Uint8Array.of 0x93 1)) (catch ExceptionInfo e (ex-data e)))))
  (let [c (codec {:key-fn true :records true})]
    (is (= [{:a 1} {:a 2}] (unpack (pack [{:a 1} {:a 2}] c) c)))))

(defrecord Row [z a b])

(deftest options-of-the-jvm-are-refused-by-name
  (doseq [[option value message]
          [[:columns true "unknown option :columns: packord for the JVM alone has it"]
           [:max-expansion 2 "unknown option :max-expansion: packord for the JVM alone has it"]
           [:types {"a" Row} "unknown option :types: packord for the JVM alone has it"]
           [:key-fn :exact ":key-fn must be true, false or a function (packord for the JVM alone has :exact), not :exact"]]
          f [#(pack [1] {option value}) #(unpack (js/Uint8Array.of 1) {option value}) #(codec {option value})]]
    (is (= message (try (f) (catch :default e (ex-message e)))))))

(def ^:private outcomes
  "An option, its value, and what is read of some bytes with it, or the kind of the error."
  [[:utf8 :replace "a1ff" "\ufffd"]
   [:trailing :allow "0102" 1]
   [:undefined-record :integer "40" 64]
   [:duplicate-key :error "82a16101a16102" :duplicate-key]
   [:unknown-ext :error "d40500" :unknown-ext]
   [:undefined-record :error "40" :record-undefined]
   [:canonical true "cc01" :not-canonical]
   [:max-depth 1 "9190" :depth-limit]
   [:max-nodes 1 "9101" :length-limit]
   [:max-str-len 1 "a26161" :length-limit]
   [:max-bin-len 1 "c4020000" :length-limit]
   [:max-ext-len 1 "d5050000" :length-limit]
   [:max-array-len 1 "920101" :length-limit]
   [:max-map-len 1 "8201010202" :length-limit]
   [:max-len 1 "8201010202" :length-limit]])

(deftest each-option-does-what-it-does-on-the-jvm
  (doseq [[option value bytes expected] outcomes
          :let [opts {option value :records (= :undefined-record option)}]]
    (is (= expected (try (unpack (unhex bytes) opts) (catch ExceptionInfo e (:kind (ex-data e))))) [option value]))
  (is (= [(js/Date. 1000) (packord/timestamp 1 0)]
         (mapv #(unpack (unhex "d6ff00000001") {:timestamps %}) [:date :timestamp])))
  (is (= :length-limit (kind #(into [] (unpack-stream [(unhex "c464") (js/Uint8Array. 100)] {:max-buffer 50})))))
  (is (= "aa" (unpack (unhex "a26161") {:max-len 1 :max-str-len 2})) "a length of its own goes before :max-len")
  (testing "there is a test for each, here, below or against the JVM"
    (is (= (set (keys options/table))
           (into #{:extensions :skip-nil} (concat (map first outcomes) (mapcat keys generated/options)))))))

(deftest persistent-collections
  (let [v (unpack (pack {"a" (range 100) "b" {} "c" [] "d" (zipmap (range 50) (range 50))}))]
    (is (vector? (get v "a")))
    (is (map? (get v "d")))
    (is (= (range 100) (conj (pop (get v "a")) 99)))
    (is (= {} (get v "b")) (= [] (get v "c")))
    (is (= 50 (count (get v "d"))))))

(deftest keywords-as-values-and-keys
  (is (= "a/b" (unpack (pack :a/b))))
  (is (= "81d4506101" (hex (pack {:a 1} {:rich true})) (hex (pack {:a 1} {:extensions [ext.clj/keyword-ext]}))))
  (is (= "81a16101" (hex (pack {:a 1} {:rich true :key-fn true}))))
  (is (= {:a 1} (unpack (unhex "81d4506101") {:rich true})))
  (is (= {"a" 1} (unpack (pack {:a 1} {:key-fn nil}))))
  (is (= {"A" 1} (unpack (unhex "81a16101") {:key-fn #(.toUpperCase %)}))))

(deftest types-without-extensions
  (is (= "x" (unpack (pack 'x))))
  (is (= :unsupported-type (kind #(pack inc)) (kind #(pack (atom 1)))))
  (is (= [1 2] (sort (unpack (pack #{1 2})))))
  (is (= "61a0cd6e-bb9d-4a3a-b1b4-2b2b2b2b2b2b" (unpack (pack #uuid "61a0cd6e-bb9d-4a3a-b1b4-2b2b2b2b2b2b"))))
  (is (= #inst "2020-01-01T00:00:00.123Z" (unpack (pack #inst "2020-01-01T00:00:00.123Z"))))
  (is (= (packord/timestamp 1 5) (unpack (pack (packord/timestamp 1 5)) {:timestamps :timestamp})))
  (is (= (packord/timestamp 1 5) (unpack (pack (packord/timestamp 1 5)))))
  (is (= {"a" [1 nil]} (unpack (pack #js {"a" #js [1 js/undefined]}))))
  (is (= [1 2] (vec (unpack (pack (js/Uint8Array.of 1 2))))))
  (is (= "cf0020000000000000" (hex (pack (js/BigInt "9007199254740992")))))
  (is (= "05" (hex (pack (js/BigInt 5)))))
  (is (= "a3efbfbd" (hex (pack "\ud800"))))
  (is (= :invalid-utf8 (kind #(pack "\ud800" {:utf8 :error})))))

(deftest entries-that-are-nil-are-left-out-on-request
  (is (= {"b" [nil]} (unpack (pack {:a nil :b [nil]} {:skip-nil true})))))

(deftest rich-values-of-other-languages-have-a-text
  (let [decimal (unpack (unhex "c70354020096") {:rich true})]
    (is (= "1.50" (str decimal)))
    (is (= "c70354020096" (hex (pack decimal {:rich true}))))
    (is (= "a4312e3530" (hex (pack decimal))))))

(deftest records-of-the-program-are-maps-in-the-order-of-their-fields
  (is (= "83a17a01a16102a16203" (hex (pack (->Row 1 2 3))))))

(deftest errors-have-paths
  (is (= "$.a[1]" (try (pack {:a [1 inc]}) (catch ExceptionInfo e (:path (ex-data e))))))
  (is (= {:type :packord/error :kind :reserved-marker :path "$.a" :offset 3}
         (try (unpack (unhex "81a161c1")) (catch ExceptionInfo e (ex-data e)))))
  (is (= :depth-limit (kind #(pack (nth (iterate vector 1) 1025)))))
  (is (= :depth-limit (kind #(pack (nth (iterate vector 1) 100000))))))

(deftest wrong-options
  (doseq [opts [{:max-depth -1} {:max-len "a"} {:records 1} {:unknown 1} {:utf8 :other} {:key-fn :exact} {:timestamps :instant} {:max_depth 1} [] {:extensions 1}]]
    (is (thrown? js/Error (codec opts)) (pr-str opts))))

(deftype Point [x y])

(def ^:private by-protocol
  (reify extension/MsgpackExtension
    (can-pack? [_ value] (instance? Point value))
    (can-unpack? [_ type-byte] (= 12 type-byte))
    (pack [_ packer value _] (extension/write-ext packer 12 (js/Uint8Array.of (.-x value) (.-y value))))
    (unpack [_ unpacker header _]
      (let [^js payload (extension/read-payload unpacker header)]
        (Point. (aget payload 0) (aget payload 1))))))

(def ^:private url-ext
  (extension/by-class {:type 13
                       :classes [js/URL]
                       :pack (fn [url] (.encode (js/TextEncoder.) (str url)))
                       :unpack (fn [payload] (js/URL. (.decode (js/TextDecoder.) payload)))}))

(def ^:private large-numbers
  (reify extension/MsgpackExtension
    (can-pack? [_ value] (and (number? value) (> value 100)))
    (can-unpack? [_ _] false)
    (pack [_ packer value _] (extension/write-value packer (str value)))
    (unpack [_ _ _ _])))

(defn- writing [f]
  (reify extension/MsgpackExtension
    (can-pack? [_ value] (instance? Point value))
    (can-unpack? [_ _] false)
    (pack [_ packer _ _] (f packer))
    (unpack [_ _ _ _])))

(deftest extensions-of-the-program
  (is (= "d50c0102" (hex (pack (Point. 1 2) {:extensions [by-protocol]}))))
  (is (= 2 (.-y (unpack (unhex "d50c0102") {:extensions [by-protocol]}))))
  (is (= "https://a.example/" (str (unpack (pack (js/URL. "https://a.example") {:extensions [url-ext]})
                                           {:extensions [url-ext]}))))
  (is (= [1 "101"] (unpack (pack [1 101] {:extensions [large-numbers]}))))
  (is (= :unsupported-type (kind #(pack [(Point. 1 2)] {:extensions [(writing identity)]}))))
  (is (= :unsupported-type
         (kind #(pack (Point. 1 2)
                      {:extensions [(writing (fn [p] (extension/write-value p 1)
                                               (extension/write-value p 1)))]}))))
  (is (= :invalid-ext (kind #(unpack (unhex "d40c01") {:extensions [(reify extension/MsgpackExtension
                                                                      (can-pack? [_ _] false)
                                                                      (can-unpack? [_ _] true)
                                                                      (pack [_ _ _ _])
                                                                      (unpack [_ _ _ _] (throw (js/Error. "no"))))]})))))

(deftest keys-that-were-made-to-collide-are-refused
  (let [header #(vector 0xde (bit-shift-right (count %) 8) (bit-and 0xff (count %)))
        names (loop [names ["Aa" "BB"] n 13]
                (if (zero? n)
                  names
                  (recur (mapcat #(vector (str "Aa" %) (str "BB" %)) names) (dec n))))
        bytes (js/Uint8Array.from (into (header names) (mapcat #(concat (pack %) [1])) names))]
    (is (= 16384 (count names)))
    (is (= :length-limit (kind #(unpack bytes))))
    (is (= 16384 (count (unpack bytes {:key-fn true}))) "keywords have another hash")))

(deftest a-packer-of-events
  (let [c (codec {:key-fn true :rich true})
        event [:chat/message {:user/id #uuid "61a0cd6e-bb9d-4a3a-b1b4-2b2b2b2b2b2b" :tags #{:a 'b}}]]
    (is (= event (unpack (pack event c) c)))))

(deftest streams
  (let [chunks (atom [])
        sink #js {:write (fn [bytes] (swap! chunks conj bytes))}
        opts {:key-fn true :records true :sequential true}]
    (is (= 3 (pack-all-stream sink (map #(hash-map :n %) (range 3)) opts)))
    (is (= [{:n 0} {:n 1} {:n 2}] (into [] (unpack-stream @chunks opts)) (seq (unpack-stream @chunks opts))))
    (is (= {:n 0} (first (unpack-stream @chunks opts)) (reduce (fn [_ v] (reduced v)) nil (unpack-stream @chunks opts))))
    (is (= 3 (transduce (map :n) + (unpack-stream @chunks opts))))
    (pack-stream sink 7)
    (is (= 7 (unpack (peek @chunks))))))

(deftest streams-that-arrive-later
  (async done
    (let [values (atom [])
          source (fn [& parts]
                   (js/ReadableStream. #js {:start (fn [^js controller]
                                                     (run! #(.enqueue controller (unhex %)) parts)
                                                     (.close controller))}))]
      (-> (unpack-async (source "9301" "0203a1" "61") #(swap! values conj %))
          (.then (fn [n]
                   (is (= 2 n))
                   (is (= [[1 2 3] "a"] @values))))
          (.then #(unpack-async (source "93") identity))
          (.then #(is false) #(is (= :eof (:kind (ex-data %)))))
          (.then #(unpack-async (source "010203") reduced))
          (.then #(is (= 1 %)))
          (.then done)))))
