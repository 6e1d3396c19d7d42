(ns packord.api-test
  (:require
   [clojure.java.io :as io]
   [clojure.test :refer [deftest is testing]]
   [packord.columns :as columns]
   [packord.compat.clojure-msgpack :as clojure-msgpack]
   [packord.compat.msgpack-clj :as compat]
   [packord.core :as packord :refer [codec ext pack pack-all-stream pack-stream unpack unpack-stream]]
   [packord.schema :as schema]
   [packord.tokens :as tokens]
   [packord.vectors :refer [bytes->hex hex->bytes]]
   [packord.view :as view])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream ByteArrayOutputStream File IOException InputStream)
   (java.nio ByteBuffer)
   (java.nio.channels Channels)
   (java.time Instant)
   (java.util ArrayList Date HashMap LinkedHashMap UUID)
   (packord Timestamp)))

(set! *warn-on-reflection* true)

(defrecord Point [x y])

(defn- failure
  "The ex-data of what `f` throws."
  [f]
  (try (f) nil (catch ExceptionInfo e (ex-data e))))

(deftest every-type-is-read-as-the-documented-type
  (doseq [[v expected] [[nil nil] [true true] [(byte 1) 1] [(short -300) -300] [(int 70000) 70000]
                        [5N 5] [(biginteger 7) 7] [18446744073709551615N 18446744073709551615N]
                        [1.5 1.5] [(float 1.5) 1.5] ["é€😀" "é€😀"]
                        [[1 [2]] [1 [2]]] ['(1 2) [1 2]] [(map inc [1 2]) [2 3]] [(range 3) [0 1 2]]
                        [(first {"a" 1}) ["a" 1]] [#{7} [7]] [(sorted-set 2 1) [1 2]]
                        [(->Point 1 2) {"x" 1 "y" 2}] [(sorted-map "b" 1 "a" 2) {"a" 2 "b" 1}]
                        [(long-array [1 2]) [1 2]] [(double-array [0.5]) [0.5]]
                        [(int-array [3]) [3]] [(boolean-array [true]) [true]]
                        [(object-array ["a" nil]) ["a" nil]] [(vector-of :long 1 2) [1 2]]
                        [(subvec [1 2 3] 1) [2 3]] [(ArrayList. [1 2]) [1 2]]
                        [(HashMap. {"a" 1}) {"a" 1}] [(eduction (map inc) [1 2]) [2 3]]
                        [(Instant/ofEpochSecond 1 5) (Instant/ofEpochSecond 1 5)]
                        [(Date. 1500) (Instant/ofEpochMilli 1500)]
                        [(Date. -1) (Instant/ofEpochMilli -1)]
                        [(Timestamp. Long/MAX_VALUE 1) (Timestamp. Long/MAX_VALUE 1)]
                        [(UUID. 1 2) "00000000-0000-0001-0000-000000000002"]
                        [(ext 5 (byte-array [1])) (ext 5 (byte-array [1]))]]]
    (is (= expected (unpack (pack v))) (pr-str v)))
  (is (instance? Double (unpack (pack (float 1.5)))))
  (is (= "ca3fc00000" (bytes->hex (pack (float 1.5)))))
  (is (= "c4020102" (bytes->hex (pack (ByteBuffer/wrap (byte-array [1 2])))))))

(deftest maps-of-all-sizes-are-read-as-written
  (doseq [n (concat (range 40) [64 65 1000 70000])
          :let [m (into {} (map (fn [i] [(keyword (str "key" i)) i])) (range n))]
          opts [{:key-fn true} {:key-fn true :records true} {:key-fn true :canonical true}]]
    (is (= [m m m] (unpack (pack [m m m] opts) opts)))
    (is (= m (unpack (pack m opts) opts)))))

(deftest maps-of-100000-colliding-keys-keep-the-last-values
  (let [n 100000
        entries (for [i (range n)]
                  [(case (int (mod i 7))
                     0 (mod i 3001)
                     1 (str "key" (mod i 20011))
                     2 (str (if (even? (quot i 7)) "Aa" "BB") (mod i 500))
                     3 [(- i) nil]
                     4 (/ (double i) 8)
                     5 {"é" i}
                     6 nil)
                   i])
        out (ByteArrayOutputStream.)]
    (.writeBytes out (hex->bytes (format "df%08x" n)))
    (doseq [[k v] entries]
      (.writeBytes out (pack k))
      (.writeBytes out (pack v)))
    (let [m (unpack (.toByteArray out))
          expected (into {} entries)]
      (is (< 50000 (count expected) n))
      (is (= expected m) "of equal keys the last value wins")
      (is (= (hash expected) (hash m)))
      (is (= (dissoc expected nil) (dissoc m nil))))))

(defn- look-alikes
  "Maps that have the same first keys, the same last keys, or a key in common, in their own order."
  [seed]
  (let [r (java.util.Random. seed)
        names (concat ["id" "profile_image" "profile_image_url" "profile_color" "ключ" "" "a" "b"]
                      (map #(str "name" %) (range 12))
                      [(apply str (repeat 70 "x"))])]
    (repeatedly 400 (fn []
                      (let [m (LinkedHashMap.)]
                        (doseq [k names :when (< (.nextInt r 10) (.nextInt r 18))]
                          (.put m k (if (zero? (.nextInt r 8)) {"id" 1 "a" [2]} (.nextInt r 1000))))
                        m)))))

(deftest maps-that-look-alike-are-not-mixed-up
  (doseq [opts [{} {:records true} {:key-fn true} {:duplicate-key :error}]
          :let [c (codec opts)
                expected (fn [m] (if (:key-fn opts)
                                   (update-vals (update-keys m keyword)
                                                #(if (map? %) (update-keys % keyword) %))
                                   m))
                few (take 7 (look-alikes 1))]
          maps [(look-alikes 2) (take 400 (cycle few))]
          :let [b (pack (vec maps) c)]]
    (is (= (map expected maps) (unpack b c)))
    (is (= (map expected maps) (unpack (ByteArrayInputStream. b) c)))
    (let [cut (java.util.Arrays/copyOf b (- (alength b) 9))]
      (is (= {:kind :eof :offset (alength cut)}
             (select-keys (failure #(unpack cut c)) [:kind :offset])))))
  (testing "keys that are there twice are never taken for distinct ones"
    (let [twice (hex->bytes (apply str "9a" (repeat 10 "83a16101a16202a16103")))]
      (is (= (repeat 10 {"a" 3 "b" 2}) (unpack twice)))
      (is (= (repeat 10 {:a 3 :b 2}) (unpack twice {:key-fn true}))))))

(deftest vectors-of-all-sizes-are-read-as-written
  (doseq [n [0 1 31 32 33 1023 1024 1025 70000]]
    (is (= (vec (range n)) (unpack (pack (vec (range n))))))))

(deftest small-maps-keep-their-order
  (let [m (array-map :z 1 :a 2 :m 3)]
    (is (= ["z" "a" "m"] (keys (unpack (pack m)))))
    (is (= ["a" "m" "z"] (keys (unpack (pack m {:sort-keys true})))))))

(deftest key-functions-map-every-key
  (is (= {:a {:b 1} 5 2} (unpack (pack {:a {:b 1} 5 2}) {:key-fn true})))
  (is (= {"A" 1} (unpack (pack {:a 1}) {:key-fn #(.toUpperCase ^String %)})))
  (is (= {"a" 1} (unpack (pack {:a 1} {:key-fn false}))))
  (is (= "a/b" (unpack (pack :a/b))))
  (is (= {:b 2} (unpack (hex->bytes "82a16201a16202") {:key-fn true})) "the last one wins"))

(deftest every-kind-of-source-is-read
  (let [b (pack {:a 1})
        file (doto (File/createTempFile "packord" ".mp") .deleteOnExit)]
    (io/copy b file)
    (doseq [source [b (ByteBuffer/wrap b) (ByteArrayInputStream. b) file (.toPath file)
                    (.toURL (.toURI file)) (Channels/newChannel (ByteArrayInputStream. b))
                    (doto (ByteBuffer/allocateDirect (alength b)) (.put b) .flip)]]
      (is (= {"a" 1} (unpack source)) (class source)))
    (is (thrown? IllegalArgumentException (unpack "text")))
    (is (thrown? IllegalArgumentException (unpack nil)))
    (io/copy (byte-array [1 2]) file)
    (is (= {:kind :trailing-bytes :offset 1 :path "$" :type :packord/error} (failure #(unpack file))))
    (is (= 1 (unpack file {:trailing :allow})))
    (let [buffer (ByteBuffer/wrap (byte-array [9 1 2]) 1 2)]
      (is (= [1 2] [(unpack buffer {:trailing :allow}) (unpack buffer)]) "the position moves")
      (is (= 0 (.remaining buffer))))))

(deftest each-call-reads-one-value-of-a-stream
  (let [out (ByteArrayOutputStream.)
        values [{"a" 1} [1 2 3] "x" nil 5.5 {"b" {"c" []}}]]
    (is (= 6 (pack-all-stream out values)))
    (let [in (ByteArrayInputStream. (.toByteArray out))]
      (is (= values (vec (repeatedly 6 #(unpack in)))))
      (is (= :eof (:kind (failure #(unpack in))))))))

(defn- closing-stream [^bytes b closed]
  (proxy [ByteArrayInputStream] [b]
    (close [] (reset! closed true))))

(deftest streams-are-reducible
  (let [b (byte-array (range 10))]
    (testing "to the end, then closed"
      (let [closed (atom false)]
        (is (= (range 10) (into [] (unpack-stream (closing-stream b closed)))))
        (is @closed)))
    (testing "stopping early leaves the stream after the last value"
      (let [closed (atom false)
            ^InputStream in (closing-stream b closed)]
        (is (= [0 1 2] (into [] (take 3) (unpack-stream in))))
        (is (not @closed))
        (is (= 3 (.read in)))))
    (is (= 45 (reduce + (unpack-stream (ByteArrayInputStream. b)))))
    (is (= 0 (reduce + (unpack-stream (ByteArrayInputStream. (byte-array 0))))))
    (is (= [1 2] (into [] (comp (filter #{1 2})) (unpack-stream (ByteArrayInputStream. b)))))
    (is (= (range 10) (iterator-seq (.iterator ^Iterable (unpack-stream (ByteArrayInputStream. b))))))
    (is (= (range 10) (seq (unpack-stream (ByteArrayInputStream. b))))))
  (testing "an error in the third message"
    (is (= {:kind :reserved-marker :offset 3 :path "$2[0]" :type :packord/error}
           (failure #(into [] (unpack-stream (ByteArrayInputStream. (hex->bytes "010291c1")))))))))

(deftest arrays-and-buffers-are-streams-too
  (let [values (vec (concat (range 300) [{"a" [1 2]} (apply str (repeat 20000 "x"))]))
        out (ByteArrayOutputStream.)
        _ (pack-all-stream out values)
        b (.toByteArray out)
        padded (doto (ByteBuffer/allocate (+ 2 (alength b))) (.position 2) (.put b) (.position 2))]
    (doseq [resource [b (ByteBuffer/wrap b) (.slice padded) (.asReadOnlyBuffer padded)
                      (doto (ByteBuffer/allocateDirect (alength b)) (.put b) .flip)]
            :let [messages (unpack-stream resource)]]
      (is (= values (into [] messages)) "again and again")
      (is (= values (into [] messages) (seq messages)))
      (is (= [0 1] (into [] (take 2) messages)))
      (is (= 0 (first messages)))
      (when (instance? ByteBuffer resource)
        (is (= (alength b) (.remaining ^ByteBuffer resource)))))
    (is (= [] (into [] (unpack-stream (byte-array 0))) (into [] (unpack-stream (ByteBuffer/allocate 0)))))
    (is (= {:kind :eof :offset 2 :path "$1" :type :packord/error}
           (failure #(into [] (unpack-stream (hex->bytes "0191"))))))))

(deftest io-errors-come-through
  (let [broken (proxy [InputStream] []
                 (read ([] (throw (IOException. "gone")))
                       ([_ _ _] (throw (IOException. "gone")))))]
    (is (thrown-with-msg? IOException #"gone" (unpack broken)))))

(deftest timestamps-are-read-as-the-option-says
  (let [b (pack (Instant/ofEpochSecond 5 7000000))]
    (is (= (Instant/ofEpochSecond 5 7000000) (unpack b)))
    (is (= (Date. 5007) (unpack b {:timestamps :date})))
    (is (= (Timestamp. 5 7000000) (unpack b {:timestamps :timestamp})))))

(deftest options-are-checked-and-have-their-aliases
  (is (thrown-with-msg? IllegalArgumentException #"unknown option :nope" (pack 1 {:nope 1})))
  (is (thrown-with-msg? IllegalArgumentException #":utf8 must be one of" (unpack (pack 1) {:utf8 :x})))
  (is (= :duplicate-key (:kind (failure #(unpack (hex->bytes "82a16101a16102") {:duplicate-key :error})))))
  (is (= :length-limit (:kind (failure #(unpack (hex->bytes "a3616263") {:max-len 2})))))
  (is (= "abc" (unpack (hex->bytes "a3616263") {:max-str-len 3 :max-len 2})))
  (is (= :length-limit (:kind (failure #(unpack (ByteArrayInputStream. (hex->bytes "a3616263"))
                                                {:max-buffer 3})))))
  (is (= :unknown-ext (:kind (failure #(unpack (hex->bytes "d40500") {:unknown-ext :error})))))
  (is (= (ext 5 (byte-array 1)) (unpack (hex->bytes "d40500") {:unknown-ext :keep})))
  (let [c (codec {:key-fn true})]
    (is (identical? c (codec c)))
    (is (= {:a 1} (unpack (pack {:a 1} c) c))))
  (is (= "�" (unpack (hex->bytes "a1ff") {:utf8 :replace})))
  (is (thrown? IllegalArgumentException (codec {:max-own-structures 9000}))))

(deftest errors-of-writing-have-kind-and-path
  (is (= {:kind :unsupported-type :path "$.users[1].name" :type :packord/error}
         (failure #(pack {:users [1 {:name (Object.)}]}))))
  (is (= "$[key 5]" (:path (failure #(pack {5 (Object.)})))))
  (is (= "$[\"a b\"]" (:path (failure #(pack {"a b" (Object.)})))))
  (is (= {:kind :out-of-range :path "$[0]" :type :packord/error}
         (failure #(pack [18446744073709551616N]))))
  (is (= :invalid-utf8 (:kind (failure #(pack "a\ud800b")))))
  (is (= :invalid-utf8 (:kind (failure #(pack (str (apply str (repeat 100 "a")) "\ud800"))))))
  (is (= "a?b" (unpack (pack "a?b"))))
  (is (= "a�b" (unpack (pack "a\ud800b" {:utf8 :replace}))))
  (is (= (str (apply str (repeat 100 "?")) "x") (unpack (pack (str (apply str (repeat 100 "?")) "x")))))
  (let [list (ArrayList.)]
    (.add list 1)
    (.add list {:again list})
    (is (= :cycle (:kind (failure #(pack list))))))
  (is (= :depth-limit (:kind (failure #(pack (nth (iterate vector 1) 1025))))))
  (is (= 2 (unpack (pack 2))) "the codec is usable after errors"))

(deftest every-error-is-an-exception-info
  (let [cut (hex->bytes "9201")
        stream #(ByteArrayInputStream. cut)
        unknown [(Object.)]]
    (doseq [f [#(unpack cut)
               #(unpack (ByteBuffer/wrap cut))
               #(unpack (stream))
               #(into [] (unpack-stream cut))
               #(first (unpack-stream (stream)))
               #(.next (.iterator ^Iterable (unpack-stream cut)))
               #(view/view (hex->bytes "dd7fffffff"))
               #(deref (view/view (hex->bytes "9101c0")))
               #(columns/view cut)
               #(schema/unpack (pack 1) string?)
               #(compat/unpack cut)
               #(clojure-msgpack/unpack cut)
               #(doto (tokens/walker (hex->bytes "c1")) .nextMessage .next)
               #(pack unknown)
               #(pack unknown {:records true})
               #(pack-stream (ByteArrayOutputStream.) unknown)
               #(pack-all-stream (ByteArrayOutputStream.) [1 unknown])
               #(compat/pack unknown)
               #(clojure-msgpack/pack unknown)
               #(tokens/write (tokens/writer (ByteArrayOutputStream.)) unknown)]]
      (is (= :packord/error (try (f) (catch ExceptionInfo e (:type (ex-data e)))))))))

(deftest errors-of-reading-have-offset-and-path
  (is (= {:kind :invalid-utf8 :offset 14 :path "$.users[1].n" :type :packord/error}
         (failure #(unpack (hex->bytes "81a5757365727392c081a16ea261ff"))))))

(deftest canonical-sorts-keys-and-widens-floats
  (is (= "82a16101a162cb3ff8000000000000"
         (bytes->hex (pack (array-map :b (float 1.5) :a 1) {:canonical true}))))
  (is (= :duplicate-key (:kind (failure #(pack (array-map :a 1 "a" 2) {:canonical true})))))
  (is (= "84a161c0a26161c0a162c001c0"
         (bytes->hex (pack (array-map 1 nil "b" nil "aa" nil "a" nil) {:canonical true})))))

(deftest records-share-definitions-as-the-options-say
  (let [rows (vec (for [i (range 100)] {:id i :name (str "n" i)}))
        opts {:records true :key-fn true}]
    (is (= rows (unpack (pack rows opts) opts)))
    (is (< (count (pack rows opts)) (* 0.7 (count (pack rows)))))
    (is (= rows (unpack (pack rows) opts)) "plain MessagePack is read as well"))
  (testing "shared structures live in an atom"
    (let [shared (atom [])
          opts {:records true :structures shared}]
      (is (= "4001" (bytes->hex (pack {:a 1} opts))))
      (is (= [["a"]] @shared))
      (is (= {"a" 1} (unpack (hex->bytes "4001") opts)))
      (is (thrown? ExceptionInfo (pack {:b {:c (Object.)}} opts)))
      (is (= [["a"]] @shared) "an error adds nothing")
      (is (= "410102" (subs (bytes->hex (pack {:d 1 :e 2} opts)) 0 6)))
      (is (= {"a" 5} (unpack (hex->bytes "4005") {:records true :structures [["a"]]})))))
  (testing "sequential"
    (let [opts {:records true :sequential true}
          out (ByteArrayOutputStream.)]
      (pack-all-stream out [{:a 1} {:a 2}] opts)
      (is (= "d4724091a16101" (subs (bytes->hex (.toByteArray out)) 0 14)))
      (is (= "4002" (subs (bytes->hex (.toByteArray out)) 14)))
      (is (= [{"a" 1} {"a" 2}] (into [] (unpack-stream (ByteArrayInputStream. (.toByteArray out)) opts))))
      (is (= (bytes->hex (pack {:a 1} opts)) (bytes->hex (pack {:a 1} opts)))
          "single calls remember nothing")))
  (testing "a failed message defines nothing"
    (let [opts {:records true}]
      (is (thrown? ExceptionInfo (unpack (hex->bytes "92d4724091a16101c1") opts)))
      (is (= 64 (unpack (hex->bytes "40") opts)))))
  (testing "sorted keys make one structure of many orders"
    (let [opts {:records true :sort-keys true}]
      (is (= "92d4724092a161a162010240" (subs (bytes->hex (pack [(array-map :b 2 :a 1) (array-map :a 1 :b 2)] opts)) 0 24))))))

(deftest linked-maps-keep-their-order
  (let [m (LinkedHashMap.)]
    (dotimes [i 20] (.put m (str "k" (- 20 i)) nil))
    (is (= (apply str "de0014" (map (fn [k] (str (bytes->hex (pack k)) "c0")) (keys m)))
           (bytes->hex (pack m))))))

(deftest a-seq-of-a-stream-reads-one-message-at-a-time
  (let [in (java.io.PipedInputStream. 100)
        out (java.io.PipedOutputStream. in)]
    (.write out ^bytes (pack 1))
    (.flush out)
    (is (= 1 (deref (future (first (unpack-stream in))) 120000 :blocked)))
    (.write out ^bytes (hex->bytes "020304"))
    (.flush out)
    (is (= [2 3] (deref (future (doall (take 2 (unpack-stream in)))) 120000 :blocked)))
    (is (= 4 (deref (future (unpack in)) 120000 :blocked)))
    (.write out ^bytes (pack 5))
    (.flush out)
    (is (= 5 (deref (future (reduce (fn [_ v] (reduced v)) nil (unpack-stream in))) 120000 :blocked))))
  (is (= 1 (first (unpack-stream (hex->bytes "01c1")))))
  (is (nil? (seq (unpack-stream (byte-array 0))))))

(deftest maps-as-keys-are-sorted-by-what-they-are
  (doseq [opts [{:records true, :sort-keys true} {:records true, :sort-keys true, :rich true}]
          v [(array-map {} 1 [0] {}) (array-map {"x" 1} 1 [0] {"x" 2}) {{"x" 1} {"x" 2} {"x" 0} {"x" 3}}
             [{{"a" 1 "b" {"c" 2}} {"c" 3}} {"a" 4 "b" 5}]]]
    (is (= v (unpack (pack v opts) opts)))
    (is (= (bytes->hex (pack v {:sort-keys true}))
           (bytes->hex (pack (unpack (pack v opts) opts) {:sort-keys true}))))))

(deftest a-key-is-not-written-twice
  (let [duplicate? (fn [value opts] (= :duplicate-key (:kind (failure #(pack value opts)))))
        many (into {} (for [i (range 40)] [(str "k" i) i]))]
    (doseq [value [{:a 1 "a" 2} {'a 1 "a" 2} {:a 1 'a 2} (assoc many :k7 1) {"x" [{:b {:a 1 "a" 2}}]}
                   (array-map 1 1 :a 2 "a" 3) (doto (HashMap.) (.put (int 1) 1) (.put 1 2))]
            opts [nil {:records true} {:key-fn true} {:sort-keys true} {:columns true}]]
      (is (duplicate? value opts) (pr-str value opts)))
    (is (duplicate? {"a" 1 "b" 2} {:key-fn (constantly "k")}))
    (testing "keys of several classes that differ"
      (doseq [value [{:a 1 "b" 2} {1 :a "1" 2} {[1] 1 :a 2 nil 3} (assoc many :x 1) {:a 1 "b" {:a 1}} {nil 1}]]
        (is (= (count value) (count (unpack (pack value))))))
      (is (= {:a 1 "a" 2} (unpack (pack {:a 1 "a" 2} {:key-fn :exact}) {:key-fn :exact})))
      (is (= {:a 1 "a" 2} (unpack (pack {:a 1 "a" 2} {:rich true}) {:rich true}))))))

(deftest exceptions-of-a-stream-are-those-of-the-stream
  (let [failing #(java.io.SequenceInputStream.
                  (ByteArrayInputStream. (byte-array [1]))
                  (proxy [InputStream] [] (read ([] (throw (IOException. "cut"))) ([_ _ _] (throw (IOException. "cut"))))))]
    (is (thrown-with-msg? IOException #"^cut$" (reduce + (unpack-stream (failing)))))
    (is (thrown-with-msg? IOException #"^cut$" (doall (map inc (unpack-stream (failing))))))
    (is (= 1 (first (unpack-stream (failing)))))))

(deftest an-ext-shows-what-it-is
  (is (= "#<packord ext(5, h'00ff')>" (pr-str (ext 5 (byte-array [0 -1]))))))

(deftest seqs-without-an-end-are-refused
  (doseq [endless [(range) (iterate inc 1) (cycle [1 2])]]
    (is (= {:kind :unsupported-type :path "$[0]"} (select-keys (failure #(pack [endless])) [:kind :path])))))
