(ns packord.notation-test
  (:require
   [clojure.test :refer [deftest is testing]]
   [packord.core :as packord :refer [pack]]
   [packord.notation :as notation]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.util Arrays Random)
   (packord PackordException)))

(set! *warn-on-reflection* true)

(defn- hex-of [text opts]
  (v/bytes->hex (notation/bytes-of text opts)))

(defn- text-of [hex]
  (notation/text (v/hex->bytes hex)))

(deftest vectors-have-their-notation-both-ways
  (let [cases (for [c (concat (v/cases "valid") (v/cases "records"))
                    :when (contains? c "notation")]
                c)]
    (is (< 800 (count cases)))
    (doseq [c cases]
      (testing (get c "name")
        (let [b (v/expand (get c "bytes"))
              opts (-> (v/options c) (update :structures #(some-> % deref)) (dissoc :extensions))]
          (is (= (get c "notation") (notation/text b opts)))
          (is (= (v/bytes->hex b) (hex-of (get c "notation") opts)))
          (is (= (v/bytes->hex b) (hex-of (notation/text b (assoc opts :indent true)) opts))))))))

(deftest vectors-of-the-grammar-are-read-or-refused
  (doseq [c (v/cases "notation")]
    (testing (pr-str (get c "text"))
      (let [opts (update (v/options c) :structures #(some-> % deref))
            read #(hex-of (get c "text") opts)]
        (if (get c "refused")
          (is (thrown? ExceptionInfo (read)))
          (is (= (v/bytes->hex (v/expand (get c "bytes"))) (read))))))))

(deftest every-message-that-is-read-has-a-text
  (let [random (Random. 11)
        cases (mapv #(v/expand (get % "bytes")) (concat (v/cases "valid") (filter #(get % "value") (v/cases "records"))))]
    (dotimes [i 6000]
      (let [^bytes b (Arrays/copyOf ^bytes (nth cases (.nextInt random (count cases))) (.nextInt random 80))
            opts {:records (even? i)}]
        (when (pos? (alength b))
          (aset b (.nextInt random (alength b)) (unchecked-byte (.nextInt random))))
        (when-let [text (try (notation/text b opts) (catch PackordException _ nil))]
          (is (= (v/bytes->hex b) (hex-of text opts)) text))))))

(defn- digits [text]
  (.precision (.stripTrailingZeros (bigdec text))))

(deftest floats-have-the-shortest-digits
  (let [random (Random. 3)]
    (dotimes [_ 20000]
      (let [d (Double/longBitsToDouble (.nextLong random))
            f (Float/intBitsToFloat (.nextInt random))]
        (when-not (Double/isNaN d)
          (let [text (notation/text (pack d))]
            (is (= d (Double/parseDouble (.replace text "inf" "Infinity"))))
            (when-not (Double/isInfinite d)
              (is (<= (digits text) (digits (str d))))))
          (is (Arrays/equals ^bytes (pack d) (notation/bytes-of (notation/text (pack d))))))
        (is (Arrays/equals ^bytes (pack f) (notation/bytes-of (notation/text (pack f)))))))
    (is (= "0.002" (notation/text (pack 2.0e-3))))
    (is (= "2e-322" (notation/text (pack 2.0e-322))) "Java before 19 writes 2.0E-322 with more digits")
    (is (= "5e-324" (notation/text (pack Double/MIN_VALUE))))
    (is (= "5.684341886080802e-14" (notation/text (pack (Math/pow 2 -44)))))
    (is (= "1.5000076293945312" (text-of "cb3ff8000800000000")))))

(deftest texts-are-read-with-their-variations
  (doseq [[text hex] [["null" "c0"] ["0xff" "ccff"] ["-0x80" "d080"] ["-0" "00"] ["1E2" "cb4059000000000000"]
                      ["[1, 2,]" "920102"] ["{\"a\":1,}" "81a16101"] ["/* x */ 1 // y\n 2" "0102"] ["" ""]
                      ["h'00 FF'" "c40200ff"] ["\"\\u00e9\\ud83d\\ude00\\/\"" "a7c3a9f09f98802f"]
                      ["5_fix" "05"] ["\"a\"_str8" "d90161"] ["[]_array32" "dd00000000"]
                      ["ext ( 5 , h'00' )_ext16" "c800010500"] ["timestamp( \"1970-01-01T00:00:00.5Z\" )" "d7ff7735940000000000"]
                      ["timestamp(-1, 0)" "c70cff00000000ffffffffffffffff"] ["nan(0x7ff8000000000001)" "cb7ff8000000000001"]]]
    (testing text
      (is (= hex (hex-of text nil)))))
  (testing "records"
    (is (= "d4724091a161cc64" (hex-of "#64[\"a\"](100)" {:records true})))
    (is (= "d5727f0591a16101" (hex-of "##287[\"a\"](1)" {:records true})))
    (is (= "6400c0" (hex-of "##100(nil)" {:records true :structures (vec (for [i (range 40)] [(str i)]))})))))

(deftest faults-have-line-and-column
  (doseq [[text line column] [["[1,\n 300_u8]" 2 2] ["[1, oops]" 1 5] ["[1 2]" 1 4] ["{1}" 1 3] ["{1: }" 1 5]
                              ["\"a" 1 3] ["\"\\x\"" 1 2] ["h'0'" 1 3] ["h'0" 1 3] ["1.e5" 1 3] ["5_f32" 1 1] ["1_u9" 1 2]
                              ["[" 1 2] ["]" 1 1] ["/* x" 1 1] ["\"\\ud800\"" 1 2] ["18446744073709551616" 1 1]
                              ["-9223372036854775809" 1 1] ["1e999" 1 1] ["1e39_f32" 1 1] ["ext(128, h'')" 1 5]
                              ["timestamp(\"x\")" 1 11] ["timestamp(1, 1000000000)" 1 11] ["timestamp(\"2026-02-30T00:00:00Z\")" 1 11]
                              ["nan(1)" 1 1] ["#64(1)" 1 1] ["true_u8" 1 1] ["1a" 1 2] ["-e1" 1 1] ["\"a\nb\"" 1 3]
                              ["[1]_map16" 1 1] ["😀" 1 1] ["[\"😀\", x]" 1 7]
                              ["99999999999999999999999999999999999999999999999999" 1 1] ["-" 1 1] ["1_" 1 2] ["str(h'')_bin8" 1 1]
                              ["timestamp(\"1970-01-01T01:00:00+01:00\")" 1 11] ["7[]" 1 2] ["nan _f32" 1 5]]]
    (testing text
      (is (= [line column] ((juxt :line :column) (ex-data (is (thrown? ExceptionInfo (notation/bytes-of text)))))))))
  (testing "records"
    (doseq [[text column] [["#64(1)" 1] ["#64[\"a\"](1, 2)" 1] ["#63[\"a\"](1)" 1] ["##8256[](1)" 1] ["#64[1](1)" 5]
                           ["[#64[\"a\"](1), 64_fix]" 15] ["ext(114, h'40')" 5] ["#64[\"a\"](1)_map16" 1]]]
      (testing text
        (is (= column (:column (ex-data (is (thrown? ExceptionInfo (notation/bytes-of text {:records true}))))))))))
  (testing "columns"
    (is (= "c70a5c01030301020003920102" (hex-of "columns([1, 2])" nil)))
    (is (.endsWith ^String (hex-of "[#64[\"a\"](1), columns(100), #64(100)]" {:records true}) "00016440cc64"))
    (is (string? (hex-of "columns({\"a\": 1.5_f32})" nil)))
    (doseq [[text column] [["columns(1_u16)" 9] ["columns([1]_array16)" 9] ["columns(\"a\"_str8)" 9]
                           ["columns(ext(5, h'00')_ext8)" 9] ["columns(columns(1))" 9] ["columns(#64[\"a\"](1))" 9]
                           ["columns()" 9] ["columns(" 9] ["columns(1, 2)" 10] ["columns([1)" 11] ["columns(1)_ext8" 1]
                           ["columns(str(h'ff'))" 1] ["columns([ext(-1, h'00')])" 1] ["columns" 8]]]
      (testing text
        (is (= column (:column (ex-data (is (thrown? ExceptionInfo (notation/bytes-of text {:records true}))))))))))
  (testing "the message says what is wrong"
    (is (thrown-with-msg? ExceptionInfo #"^line 1, column 5: expected a value$" (notation/bytes-of "[1, oops]")))))

(deftest hostile-texts-and-bytes-end
  (let [deep (apply str (repeat 1000000 "["))]
    (is (thrown? ExceptionInfo (notation/bytes-of deep)))
    (is (= 1000000 (alength (notation/bytes-of (str deep (apply str (repeat 1000000 "]"))))))))
  (is (thrown? PackordException (text-of "dd7fffffff")))
  (is (thrown? PackordException (text-of "d5ff0000")))
  (is (= "nan(0x7fffffff)_f32" (text-of "ca7fffffff")))
  (is (= :depth-limit (:kind (ex-data (is (thrown? PackordException (notation/text (v/hex->bytes "919191c0") {:max-depth 2})))))))
  (testing "any text"
    (let [random (Random. 2)
          letters (vec "[]{}():,#_\"'h0x1e.-ustrnaifexmap8 /*\n\\é😀")]
      (dotimes [_ 20000]
        (let [text (apply str (repeatedly (.nextInt random 12) #(nth letters (.nextInt random (count letters)))))]
          (try (notation/bytes-of text {:records true})
               (catch ExceptionInfo _)))))))

(deftest indented-text-has-a-line-for-each-element
  (is (= "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}"
         (notation/text (pack (array-map "a" [1 {}] "b" [])) {:indent true})))
  (is (= "1\n[nil]" (text-of "0191c0"))))
