(ns packord.extension-test
  (:require
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.core :refer [ext pack unpack unpack-stream]]
   [packord.extension :as extension]
   [packord.extension.clojure :as ext.clj]
   [packord.vectors :refer [bytes->hex hex->bytes]])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream)
   (java.net URI)
   (java.time Duration Instant LocalDate LocalTime)
   (java.util Arrays UUID)
   (java.util.function Consumer)
   (packord ExtensionPacker)))

(set! *warn-on-reflection* true)

(defn- failure [f]
  (try (f) nil (catch ExceptionInfo e e)))

(def values
  [:a :a/b 'x 'x/y #{1 :a "b"} #{} #{#{1} [2]} \a \é 1/3 -7/2 1.50M -1E+300M 0M 1E-200M 1.5E-64M
   (UUID. -1 5) (LocalDate/of 1969 12 31) (LocalTime/of 23 59 59 999999999)
   (Duration/ofSeconds -2 500000000) 340282366920938463463374607431768211456N (Instant/ofEpochSecond 9)
   [1/2 #{\x} {:k 'v}] (/ (bigint 1e30) 7)])

(deftest the-elements-of-a-canonical-set-are-in-the-order-of-the-specification
  (is (= "c7075694a161a1620103"
         (bytes->hex (pack #{3 "b" 1 "a"} {:canonical true :rich true})))))

(deftest extensions-read-what-they-write
  (doseq [extra [{} {:records true} {:canonical true} {:records true :sequential true}]
          :let [opts (merge {:rich true :key-fn true} extra)]
          v values]
    (is (= v (unpack (pack v opts) opts)) (pr-str v opts))
    (is (= (class v) (class (unpack (pack v opts) opts)))))
  (is (= 1.50M (unpack (pack 1.50M {:rich true}) {:rich true})))
  (is (= 2 (.scale ^BigDecimal (unpack (pack 1.50M {:extensions [ext.clj/decimal-ext]})
                                       {:extensions [ext.clj/decimal-ext]})))))

(deftest extensions-write-the-bytes-of-the-specification
  (doseq [[v hex] [[:a/b "c70350612f62"] ['x "d45178"] [\é "d552c3a9"] [-1/3 "d553ff03"]
                   [1.50M "c70354020096"] [#{1} "d5569101"] [(LocalDate/of 1970 1 2) "d65700000001"]
                   [(LocalTime/of 0 0 1) "d758000000003b9aca00"]
                   [(Duration/ofMillis 1500) "c70c591dcd65000000000000000001"]
                   [18446744073709551616N "c70942010000000000000000"]]]
    (is (= hex (bytes->hex (pack v {:rich true})))))
  (testing "types of other packages stay exts"
    (is (= (ext 3 (.getBytes "a")) (unpack (hex->bytes "d40361") {:rich true})))))

(deftest the-ext-type-of-definitions-is-refused-while-records-are-on
  (let [e (ext 0x72 (byte-array [0x40]))
        by-class (extension/by-class {:type 0x72 :classes [URI] :pack #(.getBytes (str %)) :unpack vec})
        header (reify extension/MsgpackExtension
                 (can-pack? [_ v] (symbol? v))
                 (can-unpack? [_ _] false)
                 (pack [_ packer _ _]
                   (.packExtensionTypeHeader ^packord.ExtensionPacker packer (byte 0x72) 1)
                   (.writePayload ^packord.ExtensionPacker packer (byte-array 1)))
                 (unpack [_ _ _ _] nil))
        nested (reify packord.Extension
                 (canPack [_ v] (char? v))
                 (canUnpack [_ _] false)
                 (pack [_ packer _]
                   (.packExtensionOf packer 0x72
                                     (reify java.util.function.Consumer
                                       (accept [_ p]
                                         (.packValue ^packord.ExtensionPacker p 1)))))
                 (unpack [_ _ _] nil))]
    (doseq [[v opts] [[e {}] [(URI. "a") {:extensions [by-class]}] ['s {:extensions [header]}]
                      [\a {:extensions [nested]}]]]
      (is (pack {"k" v} opts))
      (is (= {:kind :unsupported-type :path "$.k"}
             (select-keys (ex-data (failure #(pack {"k" v} (assoc opts :records true))))
                          [:kind :path]))))
    (is (= e (unpack (pack e {:records true :canonical true}) {:records true :canonical true})))))

(deftest typed-arrays-keep-their-class
  (let [opts {:extensions [ext.clj/typed-array-ext]}]
    (doseq [a [(short-array [1 -2]) (int-array [1 -2]) (long-array [1 -2]) (float-array [1.5])
               (double-array [0.1 -0.0])]]
      (is (= (seq a) (seq (unpack (pack a opts) opts))))
      (is (= (class a) (class (unpack (pack a opts) opts)))))
    (testing "many elements, which are copied at once"
      (doseq [n [1000 100000]
              a [(short-array (map unchecked-short (range n))) (int-array (map #(* 99991 %) (range n)))
                 (long-array (map #(* 99999999977 %) (range n))) (float-array (map #(* 1.5 %) (range n)))
                 (double-array (map #(/ % 7.0) (range n)))]
              :let [back (unpack (pack a opts) opts)]]
        (is (= (class a) (class back)))
        (is (= (seq a) (seq back)))))
    (is (= "c7097405" (subs (bytes->hex (pack (int-array [1 -2]) opts)) 0 8)))
    (is (= (ext 116 (byte-array [1 -1 0])) (unpack (hex->bytes "c7037401ff00") opts)) "of a type that Java has not")
    (is (= :invalid-ext (:kind (ex-data (failure #(unpack (hex->bytes "c702740500") opts))))))))

(deftest malformed-payloads-are-invalid-ext
  (doseq [hex ["c70050" "d450ff" "c70052" "d5526161" "d5530204" "d5530200" "d55301ff" "d45402"
               "c70454020000ff" "c703569101c0" "c70356920101" "d45605" "d457ff"
               "d758ffffffffffffffff" "c70c593b9aca000000000000000000" "c70042" "d55680c0"
               "d65500000000"]]
    (is (= :invalid-ext
           (:kind (ex-data (failure #(unpack (hex->bytes hex) {:rich true})))))
        hex))
  (is (= {:kind :invalid-ext :offset 1 :path "$[0]" :type :packord/error}
         (ex-data (failure #(unpack (hex->bytes "91d55692c0") {:rich true})))))
  (testing "an element twice in a set"
    (is (= :invalid-ext (:kind (ex-data (failure #(unpack (hex->bytes "c70356920101")
                                                          {:rich true}))))))))

(def uri-ext
  (extension/by-class {:type 13
                       :classes [URI]
                       :pack (fn [uri] (.getBytes (str uri) "UTF-8"))
                       :unpack (fn [payload] (URI. (String. ^bytes payload "UTF-8")))}))

(def doubled-numbers
  "Takes a built-in type, by the protocol."
  (reify extension/MsgpackExtension
    (can-pack? [_ value] (and (integer? value) (even? value) (< value 1000)))
    (can-unpack? [_ _] false)
    (pack [_ packer value _] (extension/write-value packer (str "even " value)))
    (unpack [_ _ _ _])))

(def stubborn
  "Throws when it can, and reads nothing of its payload."
  (reify extension/MsgpackExtension
    (can-pack? [_ value] (= :bad value))
    (can-unpack? [_ type-byte] (#{20 21} type-byte))
    (pack [_ _ _ _] (throw (IllegalStateException. "packing")))
    (unpack [_ _ header _]
      (if (= 20 (.getType ^packord.ExtensionHeader header))
        (throw (IllegalStateException. "unpacking"))
        :ignored))))

(deftest extensions-of-the-user-are-called-and-their-errors-kept
  (let [opts {:extensions [uri-ext doubled-numbers stubborn]}]
    (is (= [(URI. "http://example.com/a") 1 "even 2"]
           (unpack (pack [(URI. "http://example.com/a") 1 2] opts) opts)))
    (testing "a payload that is left unread"
      (is (= [:ignored 5] (unpack (hex->bytes "92d715000000000000000005") opts))))
    (testing "what an extension throws is the cause of packord's error"
      (let [e (failure #(pack {:a [:bad]} (assoc opts :key-fn true)))]
        (is (= {:kind :unsupported-type :path "$.a[0]" :type :packord/error} (ex-data e)))
        (is (= "packing" (ex-message (ex-cause e)))))
      (let [e (failure #(unpack (hex->bytes "92c0d41400") opts))]
        (is (= {:kind :invalid-ext :offset 2 :path "$[1]" :type :packord/error} (ex-data e)))
        (is (= "unpacking" (ex-message (ex-cause e)))))
      (is (= [1 "even 4"] (unpack (pack [1 4] opts) opts)) "and the codec can still be used"))))

(deftest opts-reach-the-extension
  (let [seen (atom nil)
        spy (reify extension/MsgpackExtension
              (can-pack? [_ value] (= :spy value))
              (can-unpack? [_ type-byte] (= 30 type-byte))
              (pack [_ packer _ opts] (extension/write-ext packer 30 (pack [1 2] (dissoc opts :extensions))))
              (unpack [_ unpacker header opts]
                (reset! seen (:note-key opts (:key-fn opts)))
                (unpack (extension/read-payload unpacker header) (dissoc opts :extensions))))
        opts {:extensions [spy] :key-fn true}]
    (is (= [1 2] (unpack (pack :spy opts) opts)))
    (is (true? @seen))))

(deftest unknown-exts-stay-in-step
  (let [b (hex->bytes "c7030561626305d4060007")]
    (is (= [(ext 5 (.getBytes "abc")) 5 (ext 6 (byte-array 1)) 7]
           (into [] (unpack-stream (ByteArrayInputStream. b)))))
    (is (Arrays/equals (hex->bytes "c70305616263") (pack (unpack (hex->bytes "c70305616263")))))))

(defn- packs?
  "Whether a value can be packed, and then unpacked, with this many containers open at once."
  [value max-depth]
  (let [opts {:rich true :max-depth max-depth}
        kind #(:kind (ex-data (try (%) nil (catch ExceptionInfo e e))))
        writes (kind #(pack value opts))
        reads (kind #(unpack (pack value (dissoc opts :max-depth)) opts))]
    (is (= (nil? writes) (nil? reads)))
    (is (contains? #{nil :depth-limit} writes))
    (nil? writes)))

(deftest exts-of-values-are-containers
  (testing "a set, and the array in it"
    (is (not (packs? #{} 0)))
    (is (not (packs? #{} 1)))
    (is (packs? #{} 2))
    (is (packs? (nth (iterate hash-set nil) 512) 1024))
    (is (not (packs? (nth (iterate hash-set nil) 513) 1024))))
  (testing "what has numbers and names is none"
    (doseq [value [1/3 1.50M java.time.Month/MAY (java.time.ZoneId/of "UTC") :a 'b]]
      (is (packs? value 0) value)))
  (testing "a string key that is packed apart"
    (is (= :depth-limit (:kind (ex-data (is (thrown? ExceptionInfo (pack {"a" 1} {:key-fn :exact :max-depth 1})))))))
    (is (some? (pack {"a" 1} {:key-fn :exact :max-depth 2})))))

(deftest payloads-have-the-shortest-header
  (doseq [n [0 1 2 3 4 8 16 17 255 256 65535 65536 70000]]
    (let [payload (byte-array n (byte 7))
          by-content (reify packord.Extension
                       (canPack [_ value] (symbol? value))
                       (canUnpack [_ _] false)
                       (pack [_ packer _]
                         (.packExtensionOf packer 5 (reify java.util.function.Consumer
                                                      (accept [_ p] (.writePayload ^packord.ExtensionPacker p payload)))))
                       (unpack [_ _ _] nil))]
      (is (= (bytes->hex (pack [(packord.Ext. 5 payload)])) (bytes->hex (pack ['x] {:extensions [by-content]}))) n))))

(deftest payloads-hold-no-records
  (let [opts {:extensions [ext.clj/set-ext] :records true :key-fn true}
        v [{:a 1} #{{:a 100} {:a 2}} {:a 3}]
        hex (bytes->hex (pack v opts))]
    (is (= v (unpack (pack v opts) opts)))
    (is (= 1 (count (re-seq #"d47240" hex))) "one definition, outside the set")
    (is (= [{"a" 1} 7 {"a" 3}]
           (assoc (unpack (pack v opts) {:records true}) 1 7))
        "so who keeps the set as an ext loses no definition")))

(defn- packing
  "An extension that packs symbols by a function of the packer."
  [f]
  (reify packord.Extension
    (canPack [_ value] (symbol? value))
    (canUnpack [_ _] false)
    (pack [_ packer _] (f packer))
    (unpack [_ _ _] nil)))

(defn- packed-by [f]
  (bytes->hex (pack [1 'x 2] {:extensions [(packing f)]})))

(deftest an-extension-writes-exactly-one-value
  (doseq [[expected f]
          [["an extension wrote no value" (fn [_])]
           ["an extension wrote more than one value"
            (fn [^ExtensionPacker p] (.packValue p 1) (.packValue p 2))]
           ["an extension wrote more than one value"
            (fn [^ExtensionPacker p]
              (.packExtension p 5 (byte-array 1))
              (try (.packValue p 2) (catch ExceptionInfo _)))]
           ["an extension wrote fewer bytes of payload than its header announces"
            (fn [^ExtensionPacker p]
              (.packExtensionTypeHeader p (byte 5) 2)
              (.writePayload p (byte-array 1)))]
           ["an extension wrote more bytes of payload than its header announces"
            (fn [^ExtensionPacker p]
              (.packExtensionTypeHeader p (byte 5) 2)
              (.writePayload p (byte-array 3)))]
           ["an extension wrote more bytes of payload than its header announces"
            (fn [^ExtensionPacker p] (.writePayload p (byte-array 1)))]
           ["an extension wrote a part of a value"
            (fn [^ExtensionPacker p]
              (try (.packValue p [1 (Object.)]) (catch ExceptionInfo _))
              (.packValue p 1))]]
          :let [opts {:extensions [(reify packord.Extension
                                     (canPack [_ value] (= 'x value))
                                     (canUnpack [_ _] false)
                                     (pack [_ packer _] (f packer))
                                     (unpack [_ _ _] nil))]}
                e (failure #(pack {"k" ['x]} opts))]]
    (is (= {:kind :unsupported-type :path "$.k[0]" :type :packord/error} (ex-data e)))
    (is (str/ends-with? (str (ex-message e)) expected))
    (is (= "01" (bytes->hex (pack 1 opts))) "and the codec can still be used")))

(deftest an-extension-may-write-in-every-way
  (is (= "9301d5050a0b02" (packed-by (fn [^ExtensionPacker p]
                                       (.packExtensionTypeHeader p (byte 5) 2)
                                       (.writePayload p (byte-array [10]))
                                       (.writePayload p (byte-array [11]))))))
  (is (= "9301c7050505c0c1919002"
         (packed-by (fn [^ExtensionPacker p]
                      (.packExtensionOf p 5 (reify Consumer
                                              (accept [_ inner]
                                                (let [^ExtensionPacker inner inner]
                                                  (.packValue inner 5)
                                                  (.packValue inner nil)
                                                  (.writePayload inner (byte-array [-63]))
                                                  (.packValue inner [[]])))))))))
  (is (= "9301a16202" (packed-by (fn [^ExtensionPacker p]
                                   (try (.packValue p (Object.))
                                        (catch ExceptionInfo _ (.packValue p "b"))))))
      "it may try a value that cannot be packed, and write another"))

(deftest a-packer-that-was-kept-refuses-to-write
  (let [kept (atom [])
        keep-and-write (fn [^ExtensionPacker p]
                         (swap! kept conj p)
                         (.packExtensionOf p 5 (reify Consumer
                                                 (accept [_ inner]
                                                   (swap! kept conj inner)
                                                   (.packValue ^ExtensionPacker inner 1)))))]
    (is (= "9301d4050102" (packed-by keep-and-write)))
    (is (= 2 (count @kept)))
    (doseq [^ExtensionPacker p @kept
            write [#(.packValue p 1) #(.packExtension p 5 (byte-array 1)) #(.packBigInteger p BigInteger/ONE)
                   #(.packExtensionTypeHeader p (byte 5) 1) #(.writePayload p (byte-array 1))]
            :let [e (failure write)]]
      (is (= :unsupported-type (:kind (ex-data e))))
      (is (str/ends-with? (str (ex-message e)) "an extension wrote after its value was finished")))
    (is (= "9301d4050102" (packed-by keep-and-write)) "and nothing of it reaches other messages")))

(deftest checked-exceptions-of-extensions-are-wrapped
  (let [ext (reify packord.Extension
              (canPack [_ value] (symbol? value))
              (canUnpack [_ type-byte] (= 5 type-byte))
              (pack [_ _ _] (throw (java.io.IOException. "disk")))
              (unpack [_ _ _] (throw (java.io.IOException. "disk"))))]
    (doseq [[kind f] [[:unsupported-type #(pack ['x] {:extensions [ext]})]
                      [:invalid-ext #(unpack (hex->bytes "91d40500") {:extensions [ext]})]]
            :let [e (failure f)]]
      (is (= kind (:kind (ex-data e))))
      (is (= "$[0]" (:path (ex-data e))))
      (is (= "disk" (ex-message (ex-cause e)))))))

(deftest keywords-and-symbols-without-a-name-come-back
  (doseq [v [[(keyword "")] [(symbol "")] {:a (keyword "")}]
          :let [opts {:rich true, :key-fn true}]]
    (is (= (if (map? v) {:a ""} [""]) (unpack (pack v opts) opts)))))

(deftest what-an-extension-writes-is-checked
  (let [by (fn [write]
             (reify packord.Extension
               (classes [_] (into-array Class [URI]))
               (canPack [_ value] (instance? URI value))
               (canUnpack [_ _] false)
               (maxLength [_ _] Long/MAX_VALUE)
               (pack [_ packer _] (write packer))
               (unpack [_ _ _] nil)))]
    (doseq [write [#(.packExtension ^ExtensionPacker % 300 (byte-array 1))
                   #(.packExtension ^ExtensionPacker % -129 (byte-array 1))
                   #(.packExtensionOf ^ExtensionPacker % 128 (reify Consumer (accept [_ _])))
                   #(.packExtensionTypeHeader ^ExtensionPacker % 5 -1)]]
      (is (= :out-of-range (:kind (ex-data (failure #(pack (URI. "a:b") {:extensions [(by write)]})))))))
    (is (thrown? NullPointerException (packord.Ext. 1 nil)))
    (is (thrown? IllegalArgumentException
                 (extension/by-class {:type 200 :classes [URI] :pack identity :unpack identity})))))
