(ns packord.defaults-test
  "The vectors of what is written and read without options, in Clojure and in Java."
  (:require
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.core :as packord :refer [pack unpack]]
   [packord.natives :as natives]
   [packord.vectors :as v])
  (:import
   (java.time Instant OffsetDateTime ZonedDateTime)
   (java.util Arrays Calendar List Map)
   (packord ClojureData Options Options$Builder Options$Utf8 Packer PackordException Timestamp Unpacker)))

(set! *warn-on-reflection* true)

(def ^:private all (v/cases "defaults"))

(defn- about? [c language]
  (some #{language} (get c "languages" [language])))

(defn- clojure-options [options]
  (into {} (for [[k v] options]
             [(keyword (str/replace k "_" "-")) (if (string? v) (keyword v) v)])))

(defn- java-options ^Options [options]
  (let [^Options$Builder b (Options/builder)]
    (doseq [[k v] options]
      (case k
        "utf8" (.utf8 b (Options$Utf8/valueOf (str/upper-case v)))
        "canonical" (.canonical b v)
        "bigint" (.bigint b v)
        "sort_keys" (.sortKeys b v)
        "skip_nil" (.skipNil b v)
        "rich" (.rich b v)))
    (.build b)))

(def ^:private languages
  "How each language packs and unpacks with the options of a case, and how it spells an option."
  {"clojure" {:pack (fn [options] (if options #(pack % (clojure-options options)) pack))
              :unpack (fn [options] (if options #(unpack % (clojure-options options)) unpack))
              :option #(str ":" %)}
   "java" {:pack (fn [options]
                   (let [packer (if options (Packer/of (java-options options)) (Packer/standard))]
                     #(.pack packer %)))
           :unpack (fn [options]
                     (let [unpacker (if options (Unpacker/of (java-options options)) (Unpacker/standard))]
                       (fn [^bytes b] (.unpack unpacker b))))
           :option identity}})

(defn- each-language [f]
  (doseq [[language how] languages
          c all
          :when (about? c language)]
    (binding [natives/*language* language
              v/*big* biginteger]
      (testing (str language ", " (:file c) ": " (get c "name"))
        (f language c (assoc how
                             :pack ((:pack how) (get c "options"))
                             :unpack ((:unpack how) (get c "options"))))))))

(defn- hex [b]
  (v/bytes->hex (if (bytes? b) b (v/expand b))))

(defn- error-of
  "The error of `f` and its message."
  [f]
  (try
    {:value (v/bytes->hex (f))}
    (catch RuntimeException e
      {"kind" (.id (.kind (PackordException/of e))) "path" (.path (PackordException/of e)) :message (ex-message e)})))

(defn- check-refusal [{:strs [kind path option] :as error} outcome spelt]
  (is (contains? #{kind (get error "or")} (get outcome "kind")) (pr-str outcome))
  (when path
    (is (= path (get outcome "path"))))
  (when option
    (is (str/includes? (str (:message outcome)) (spelt option)) (pr-str outcome))))

(deftest natives-are-written
  (let [written (atom {})]
    (each-language
     (fn [language c {write :pack spelt :option}]
       (when (and (contains? c "write") (not= "rich.json" (:file c)))
         (swap! written update language (fnil inc 0))
         (doseq [choice (range natives/choices)]
           (binding [natives/*choice* choice]
             (let [native (natives/build (get c "write"))
                   outcome (error-of #(write native))]
               (if-let [error (get c "error")]
                 (check-refusal error outcome spelt)
                 (is (= (hex (get c "bytes")) (:value outcome)) (pr-str (class native) outcome)))))))))
    (is (< 240 (@written "clojure")) (pr-str @written))
    (is (< 220 (@written "java")) (pr-str @written))))

;; ---------------------------------------------------------------- reading

(defn- kinds
  "The values whose types are told apart, by their paths."
  ([value] (kinds value value []))
  ([root value steps]
   (cond
     (instance? Map value) (mapcat (fn [[k e]] (kinds root e (conj steps k))) value)
     (instance? List value) (mapcat (fn [i e] (kinds root e (conj steps i))) (range) value)
     (or (instance? Instant value) (instance? Timestamp value)
         (instance? BigInteger value) (instance? clojure.lang.BigInt value))
     [[(ClojureData/path root steps) (.getSimpleName (class value))]])))

(defn- check-again [language c value write]
  (let [again (get c "again")
        bytes (hex (if (true? again) (get c "bytes") again))
        written (v/bytes->hex (write value))
        instead (get-in c ["instead" language])]
    (cond
      (nil? (get-in c ["except" language])) (is (= bytes written))
      instead (is (= (v/bytes->hex (write (v/build instead))) written))
      :else (is (not= bytes written)))))

(deftest messages-are-read-and-written-again
  (let [exceptions (atom {})]
    (each-language
     (fn [language c {write :pack unpack :unpack}]
       (when (and (contains? c "bytes") (not (contains? c "write")) (not= "rich.json" (:file c)))
         (let [outcome (v/outcome #(unpack (v/expand (get c "bytes"))))]
           (if-let [error (get c "error")]
             (is (v/fails? error outcome))
             (let [value (:value outcome)]
               (is (v/same? (v/build (get-in c ["instead" language] (get c "value"))) value) (pr-str outcome))
               (is (= (get-in c ["kinds" language] {}) (into {} (kinds value))))
               (when-let [reason (get-in c ["except" language])]
                 (swap! exceptions update language (fnil conj #{}) reason))
               (check-again language c value write)))))))
    (testing "no other exceptions than those of format.md section 7"
      (is (= {"clojure" #{"float 32" "the order of more than 8 entries" "keys 0.0 and −0.0"}
              "java" #{"float 32"}}
             @exceptions)))))

;; ---------------------------------------------------------------- the same bytes again

(defn- values-within [value]
  (tree-seq #(or (instance? Map %) (instance? List %))
            #(if (instance? Map %) (mapcat (juxt key val) %) %)
            value))

(defn- maps-within [value]
  (filter #(instance? Map %) (values-within value)))

(def ^:private exceptions
  "What of format.md section 7 is in a value of a message, for each language: other bytes may be written of it."
  {"float 32" {:languages #{"clojure" "java"}
               :bytes "ca3fc00000"
               :in? (fn [value] (some #(instance? Float %) (values-within value)))}
   "the order of more than 8 entries" {:languages #{"clojure"}
                                       :bytes (str "89" (apply str (for [i (range 9)] (str "a1" (+ 61 i) "0" i))))
                                       :in? (fn [value] (some #(< 8 (count %)) (maps-within value)))}
   "keys 0.0 and −0.0" {:languages #{"clojure"}
                        :bytes "82cb000000000000000001cb800000000000000002"
                        :in? (fn [value] (some #(< 1 (count (filter (fn [k] (and (double? k) (zero? k))) (keys %))))
                                               (maps-within value)))}
   "maps as keys that differ in their order" {:languages #{"clojure"}
                                              :bytes "8282a16101a162020182a16202a1610102"
                                              :in? (fn [value] (some #(< 1 (count (filter (fn [k] (instance? Map k)) (keys %))))
                                                                     (maps-within value)))}})

(defn- excepted? [language ^bytes message]
  (some (fn [{:keys [languages in?]}] (and (languages language) (in? (v/exact message)))) (vals exceptions)))

(defn- again [language]
  (let [{:keys [pack unpack]} (languages language)
        pack (pack nil)
        unpack (unpack nil)]
    #(v/bytes->hex (pack (unpack %)))))

(deftest each-exception-occurs
  (doseq [[what {about :languages :keys [bytes in?]}] exceptions
          language about]
    (testing (str language ": " what)
      (is (in? (v/exact (v/hex->bytes bytes))))
      (is (not= bytes ((again language) (v/hex->bytes bytes)))))))

(deftest valid-messages-are-written-as-they-were
  (doseq [language (keys languages)
          :let [again (again language)
                same (atom 0)]]
    (doseq [c (v/cases "valid")
            :when (and (get c "default") (not (contains? c "options")))
            :let [b (v/expand (get c "bytes"))]
            :when (not (excepted? language b))]
      (swap! same inc)
      (is (= (v/bytes->hex b) (again b)) (str language ": " (get c "name"))))
    (is (< 600 @same))))

(defn- header
  "The header of a length: fix up to a limit, then the markers for 1, 2 and 4 bytes of it, of which the first
  may be missing."
  [n fix limit [marker8 marker16]]
  (cond
    (and fix (<= n limit)) [(+ fix n)]
    (and marker8 (< n 256)) [marker8 n]
    :else [marker16 (bit-shift-right n 8) (bit-and n 255)]))

(defn- big-endian [^long n size]
  (for [i (reverse (range size))] (bit-and 255 (bit-shift-right n (* 8 (long i))))))

(defn- integer [^long n]
  (cond
    (<= -32 n 127) [(bit-and n 255)]
    (<= 0 n 0xff) (cons 0xcc (big-endian n 1))
    (<= 0 n 0xffff) (cons 0xcd (big-endian n 2))
    (<= 0 n 0xffffffff) (cons 0xce (big-endian n 4))
    (<= 0 n) (cons 0xcf (big-endian n 8))
    (<= -0x80 n) (cons 0xd0 (big-endian n 1))
    (<= -0x8000 n) (cons 0xd1 (big-endian n 2))
    (<= -0x80000000 n) (cons 0xd2 (big-endian n 4))
    :else (cons 0xd3 (big-endian n 8))))

(defn- timestamp [^long seconds ^long nanos]
  (cond
    (and (zero? nanos) (<= 0 seconds 0xffffffff)) (concat [0xd6 0xff] (big-endian seconds 4))
    (<= 0 seconds 0x3ffffffff) (concat [0xd7 0xff] (big-endian (bit-or (bit-shift-left nanos 34) seconds) 8))
    :else (concat [0xc7 12 0xff] (big-endian nanos 4) (big-endian seconds 8))))

(defn- message
  "The bytes of a random message, each value in its smallest format."
  [^java.util.Random r depth most-entries]
  (let [n (fn [limit] (.nextInt r (int limit)))
        few (fn [most] (n (inc (long (if (zero? (long (n 10))) most (min 4 (long most)))))))
        blob (fn [] (repeatedly (n (if (zero? (long (n 20))) 400 20)) #(n 256)))
        inner #(message r (dec (long depth)) most-entries)
        letters (fn [] (map #(+ 97 (rem (long %) 26)) (blob)))]
    (case (int (n (if (pos? (long depth)) 12 9)))
      0 [(+ 0xc2 (long (n 2)))]
      1 [0xc0]
      2 (integer (bit-shift-right (.nextLong r) (n 64)))
      3 (cons 0xcf (big-endian (bit-or Long/MIN_VALUE (.nextLong r)) 8))
      4 (cons 0xcb (big-endian (Double/doubleToRawLongBits (.nextGaussian r)) 8))
      5 (let [s (letters)] (concat (header (count s) 0xa0 31 [0xd9 0xda]) s))
      6 (let [b (blob)] (concat (header (count b) nil 0 [0xc4 0xc5]) b))
      7 (let [b (blob)
              size (count b)
              type (nth [0 5 66 80 86 92 114 -2] (n 8))]
          (concat (if-let [fix ({1 0xd4, 2 0xd5, 4 0xd6, 8 0xd7, 16 0xd8} size)]
                    [fix]
                    (header size nil 0 [0xc7 0xc8]))
                  [(bit-and type 255)] b))
      8 (timestamp (bit-shift-right (.nextLong r) (n 64)) (* (long (n 2)) (long (n 1000000000))))
      9 (let [elements (repeatedly (few 20) inner)] (concat (header (count elements) 0x90 15 [nil 0xdc]) (apply concat elements)))
      (let [ks (distinct (repeatedly (few most-entries) #(message r 0 0)))]
        (concat (header (count ks) 0x80 15 [nil 0xde]) (mapcat #(concat % (inner)) ks))))))

(deftest generated-messages-are-written-as-they-were
  (doseq [[language most-entries] {"clojure" 8, "java" 40}
          :let [again (again language)
                r (java.util.Random. 36)]
          _ (range (if (System/getenv "PACKORD_EXHAUSTIVE") 100000 3000))
          :let [b (byte-array (map unchecked-byte (message r 3 most-entries)))]]
    (is (= (v/bytes->hex b) (again b)) language)))

(deftest rich-values-come-back
  (each-language
   (fn [language c {write :pack unpack :unpack}]
     (when (= "rich.json" (:file c))
       (doseq [choice (range natives/choices)]
         (binding [natives/*choice* choice]
           (when (and (contains? c "write") (some #{language} (get c "languages" [language])))
             (is (= (hex (get c "bytes")) (:value (error-of #(write (natives/build (get c "write")))))))))))))
  (doseq [[language how] languages
          c all
          ;; Error, RegExp and Set of msgpackr: elsewhere the ext is a message, and the array after it another.
          :when (and (= "rich.json" (:file c)) (not= ["javascript"] (get c "readers")))]
    (binding [natives/*language* language
              v/*big* biginteger]
      (testing (str language ": " (get c "name"))
        (let [bytes (v/expand (get c "bytes"))
              value (((:unpack how) {"rich" true}) bytes)]
          (if (some #{language} (get c "readers"))
            (is (natives/same? (natives/build (get c "write")) value))
            (is (v/same? (((:unpack how) nil) bytes) value)))
          (is (= (hex (get c "bytes")) (v/bytes->hex (((:pack how) {"rich" true}) value)))))))))

;; ---------------------------------------------------------------- typed targets

(defn- instant [value]
  (cond
    (instance? OffsetDateTime value) (.toInstant ^OffsetDateTime value)
    (instance? ZonedDateTime value) (.toInstant ^ZonedDateTime value)
    :else value))

(defn- equal? [a b]
  (Arrays/deepEquals (object-array [(instant a)]) (object-array [(instant b)])))

(def ^:private without-target
  "Natives that are read into no type of their own: containers of untyped elements, and classes that Java keeps
  for itself."
  #{"set" "sequence" "struct" "optional"})

(defn- target ^Class [value]
  (cond
    (instance? Enum value) (.getDeclaringClass ^Enum value)
    (instance? java.nio.file.Path value) java.nio.file.Path
    (instance? java.net.InetAddress value) java.net.InetAddress
    (instance? java.nio.ByteBuffer value) java.nio.ByteBuffer
    (and (instance? java.time.ZoneId value) (not (instance? java.time.ZoneOffset value))) java.time.ZoneId
    :else (class value)))

(deftest typed-targets-read-what-is-written
  (let [read-back (atom #{})]
    (doseq [c all
            :when (and (about? c "java") (contains? c "bytes")
                       (get-in c ["write" "native"]) (not (without-target (get-in c ["write" "native"]))))
            choice (range natives/choices)]
      (testing (get c "name")
        (binding [natives/*language* "java"
                  natives/*choice* choice]
          (let [native (natives/build (get c "write"))]
            (when-not (instance? Calendar native)
              (swap! read-back conj (class native))
              (let [unpacker (if-let [o (get c "options")] (Unpacker/of (java-options o)) (Unpacker/standard))]
                (when-not (get-in c ["options" "canonical"])
                  (is (equal? native (.unpack unpacker (v/expand (get c "bytes")) (target native)))))))))))
    (is (< 30 (count @read-back)) (pr-str @read-back))))
