(ns packord.errors-test
  "Messages and paths of errors, as spec/errors.md sections 1 and 4 define them."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.core :refer [pack unpack unpack-stream]]
   [packord.vectors :refer [cases expand hex->bytes]])
  (:import
   (java.io ByteArrayInputStream File)
   (java.util ArrayList)
   (packord ErrorKind PackordException Packer Unpacker)))

(set! *warn-on-reflection* true)

(def ^:private specification
  (->> (iterate #(.getParentFile ^File %) (.getAbsoluteFile (io/file ".")))
       (take-while some?)
       (map #(io/file % "spec" "errors.md"))
       (filter #(.exists ^File %))
       first))

(defn- failure [f]
  (try (f) nil (catch RuntimeException e e)))

(defn- path-of-error [e]
  (.path (PackordException/of e)))

(defn- message [f]
  (ex-message (failure f)))

(deftest each-kind-is-described-in-the-words-of-the-specification
  (let [section (re-find #"(?s)## 2\. Kinds.*?\n## " (slurp specification))
        specified (into {} (map (fn [[_ kind description]] [kind description]))
                        (re-seq #"(?m)^\| `(\w+)` \|.*\| ([^|]+) \|$" section))]
    (is (= 18 (count specified)))
    (is (= specified
           (into {} (map (fn [^ErrorKind k] [(.id k) (.description k)])) (ErrorKind/values))))))

(deftest messages-of-reading-have-kind-offset-path-and-description
  (doseq [[expected hex opts]
          [["invalid_utf8 at byte 7 ($.name): str is not valid UTF-8" "81a46e616d65a1ff" {}]
           ["eof at byte 2 ($): input ends before the message does" "9301" {}]
           ["reserved_marker at byte 1 ($[0]): marker c1 is reserved" "91c1" {}]
           ["trailing_bytes at byte 1: bytes follow the message" "0102" {}]
           ["depth_limit at byte 1 ($[0]): nesting exceeds the depth limit: max_depth is 1"
            "9190" {:max-depth 1}]
           ["length_limit at byte 0 ($): value exceeds a length limit: max_str_len is 1" "a26161"
            {:max-str-len 1}]
           ["length_limit at byte 0 ($): value exceeds a length limit: max_map_len is 0" "81c0c0"
            {:max-map-len 0}]
           ["length_limit at byte 1 ($[0]): value exceeds a length limit: max_nodes is 1" "91c0"
            {:max-nodes 1}]
           ["duplicate_key at byte 3 ($): key occurs twice" "8201010102" {:duplicate-key :error}]
           ["invalid_timestamp at byte 0 ($): timestamp is malformed: payload of 1 bytes" "d4ff00" {}]
           ["unknown_ext at byte 0 ($): ext type is not registered: type 5" "d40500"
            {:unknown-ext :error}]
           ["record_malformed at byte 0 ($): record definition is malformed" "d4723f90" {:records true}]
           ["record_undefined at byte 0 ($): record id has no definition" "40"
            {:records true :undefined-record :error}]
           ["not_canonical at byte 0 ($): encoding is not canonical" "cc01" {:canonical true}]]]
    (is (= expected (message #(unpack (hex->bytes hex) opts)))))
  (testing "in a stream the message's number comes first"
    (is (= "reserved_marker at byte 1 ($1): marker c1 is reserved"
           (message #(into [] (unpack-stream (ByteArrayInputStream. (hex->bytes "01c1"))))))))
  (testing "the Java front"
    (is (= "eof at byte 1 ($): input ends before the message does"
           (message #(.unpack (Unpacker/standard) (byte-array [0xffffff91])))))))

(deftest messages-of-writing-have-kind-path-and-description
  (doseq [[expected value opts]
          [["unsupported_type at $.a[0]: type has no encoding: java.lang.Object" {:a [(Object.)]} nil]
           ["unsupported_type at $: type has no encoding: java.sql.SQLException" (java.sql.SQLException. "x") {}]
           ["unsupported_type at $: type has no encoding: a ratio without the option :rich" 1/2 {}]
           ["out_of_range at $: number is out of range: 65 bits without the option :bigint"
            18446744073709551616N {}]
           ["depth_limit at $[0]: nesting exceeds the depth limit: max_depth is 1" [[]] {:max-depth 1}]
           ["duplicate_key at $: key occurs twice" (array-map :a 1 "a" 2) {:canonical true}]
           ["invalid_utf8 at $: str is not valid UTF-8: lone surrogate at character 1" "a\ud800" {}]]]
    (is (= expected (message #(pack value opts)))))
  (let [parent (ArrayList.)]
    (.add parent parent)
    (let [path (apply str "$" (repeat 85 "[0]"))]
      (is (= (str "cycle at " path "…: container contains itself")
             (message #(.pack (Packer/standard) parent)))))))

(defn- path-of [f]
  (let [e (failure f)
        path (:path (ex-data e))]
    (is (= (path-of-error e) path))
    (is (str/includes? (ex-message e) path))
    (is (< (count (ex-message e)) 400))
    path))

(deftest paths-are-cut-after-the-last-character-within-256-bytes
  (doseq [[expected k] [[(str "$." (apply str (repeat 254 "a")) "…") (apply str (repeat 1000000 "a"))]
                        [(str "$." (apply str (repeat 254 "a"))) (apply str (repeat 254 "a"))]
                        [(str "$." (apply str (repeat 254 "a")) "…") (apply str (repeat 255 "a"))]
                        [(str "$[\"" (apply str (repeat 126 "é")) "…") (apply str (repeat 1000000 "é"))]
                        [(str "$[\"" (apply str (repeat 63 "😀")) "…") (apply str (repeat 1000000 "😀"))]
                        [(str "$[\"" (apply str (repeat 126 "é")) "…") (apply str (repeat 125 "éé"))]
                        [(str "$[\"" (apply str (repeat 125 "é")) "\"]") (apply str (repeat 125 "é"))]]
          :let [prefix (hex->bytes (format "81db%08x" (alength (.getBytes ^String k "UTF-8"))))
                packed (byte-array (concat prefix (.getBytes ^String k "UTF-8") [0xffffffc1]))]]
    (is (= expected (path-of #(pack {k (Object.)}))))
    (doseq [opts [{} {:key-fn true} {:canonical false :duplicate-key :error}]]
      (is (= expected (path-of #(unpack packed opts))))))
  (testing "of many short segments"
    (let [nested #(nth (iterate (fn [v] {"a" v}) (Object.)) %)]
      (is (= (str "$" (apply str (repeat 127 ".a"))) (path-of #(pack (nested 127)))))
      (is (= (str "$" (apply str (repeat 127 ".a")) ".…") (path-of #(pack (nested 128)))))
      (is (= (str "$" (apply str (repeat 127 ".a")) ".…") (path-of #(pack (nested 1000)))))))
  (testing "of keys that are not strings"
    (is (= (str "$[key h'" (apply str (repeat 124 "00")) "…")
           (path-of #(pack {(byte-array 1000000) (Object.)}))))))

(deftest keys-in-paths-are-in-diagnostic-notation
  (doseq [[notation hex]
          [["[nil, true, 5]" "93c0c305"]
           ["{\"a\": [\"\\\"\", 1, 2], -1: {}}" "82a16193a1220102ff80"]
           ["[]" "90"]
           ["1e300" "cb7e37e43c8800759c"]
           ["1.5e-7" "cb3e8421f5f40d8376"]
           ["1000000.0" "cb412e848000000000"]
           ["-0.0" "cb8000000000000000"]
           ["nan" "cb7ff8000000000000"]
           ["-inf" "cbfff0000000000000"]
           ["9223372036854775808" "cf8000000000000000"]
           ["h'00ff'" "c40200ff"]
           ["ext(5, h'00')" "d40500"]
           ["timestamp(\"1970-01-01T00:00:01Z\")" "d6ff00000001"]
           ["timestamp(\"1970-01-01T00:00:01.5Z\")" "d7ff7735940000000001"]
           ["timestamp(9223372036854775807, 5)" "c70cff000000057fffffffffffffff"]]
          read [#(unpack %) #(.unpack (Unpacker/standard) ^bytes %)]]
    (is (= (str "$[key " notation "]") (path-of-error (failure #(read (hex->bytes (str "81" hex "c1"))))))))
  (testing "floats with the digits of the vectors"
    (let [floats (filter #(= "floats.json" (:file %)) (cases "valid"))]
      (is (<= 50 (count floats)))
      (doseq [{bytes "bytes" notation "notation"} floats
              :let [message (byte-array (concat [-127] (expand bytes) [-63]))]]
        (is (= (str "$[key " notation "]") (path-of-error (failure #(unpack message))))))))
  (testing "keywords as the strings they become"
    (is (= "$[key [\"a/b\"]]" (path-of #(pack {[:a/b] (Object.)}))))))

(deftest a-fault-within-a-key-has-the-path-of-the-map
  (doseq [[expected hex] [["$" "8191c101"] ["$.a" "81a161819291c101"] ["$" "8181c101"]]
          opts [{} {:key-fn true} {:duplicate-key :error}]]
    (is (= expected (path-of #(unpack (hex->bytes hex) opts)))))
  (doseq [opts [{} {:canonical true} {:records true}]]
    (is (= "$.a" (path-of #(pack {"a" {[1 [(Object.)]] 2 3 4}} opts))))))
