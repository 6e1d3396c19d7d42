(ns packord.rich-test
  "The option `:rich`: data are read as they were before packing."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [clojure.test.check :as check]
   [clojure.test.check.generators :as gen]
   [clojure.test.check.properties :as prop]
   [packord.core :refer [codec pack unpack]]
   [packord.extension.types :refer [types-ext]]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.time DayOfWeek Duration Instant LocalDate LocalDateTime LocalTime Month MonthDay OffsetDateTime OffsetTime
              Period Year YearMonth ZoneId ZoneOffset ZonedDateTime)
   (java.util.concurrent TimeUnit)
   (packord Ext)))

(set! *warn-on-reflection* true)

(defrecord Point [x y])
(defrecord Line [from to ^long width])

(def ^:private rich-options {:rich true :key-fn :exact :records true})

(def ^:private rich (codec rich-options))

(def ^:private own
  (codec (assoc rich-options :types {"point" Point, "line" Line, "unit" TimeUnit})))

(defn- back
  ([value] (back value rich))
  ([value opts] (unpack (pack value opts) opts)))

(defn- hex [value opts]
  (v/bytes->hex (pack value opts)))

(defn- same-value-and-class? [value]
  (let [read (back value)]
    (and (= value read) (= (class value) (class read)))))

(deftest generated-values-come-back
  (let [result (check/quick-check 1000 (prop/for-all [value gen/any-equatable]
                                         (= value (back value))))]
    (is (:pass? result) (pr-str (:shrunk result)))))

(deftest keys-come-back
  (let [value {:a 1, "a" 2, 'a 3, :n/a 4, "n/a" 5, "" 6, [:a] 7, nil 8, \a 9, 1/2 10, #{"a"} 11}]
    (is (= value (back value)))
    (is (= value (back value (codec (assoc rich-options :canonical true)))))
    (is (= [value value] (back [value value]))))
  (testing "keyword keys are names, as other languages have them"
    (is (= "81a16101" (hex {:a 1} (codec (dissoc rich-options :records)))))
    (is (= {"a" 1} (unpack (pack {:a 1} (codec (dissoc rich-options :records)))))))
  (testing "string keys are apart, in records too"
    (is (= "81c7035ec0a16101" (hex {"a" 1} rich)))
    (is (= "92d4724091a161014000" (hex [{:a 1} {:a 0}] (codec (assoc rich-options :max-own-structures 1)))))
    (is (thrown? ExceptionInfo (unpack (v/hex->bytes "81c7025ec00101") rich)))))

(def ^:private every-time
  [(Duration/ofSeconds -1 5) (Duration/ofSeconds Long/MAX_VALUE 999999999)
   Instant/EPOCH Instant/MIN Instant/MAX (Instant/ofEpochSecond 1 2)
   LocalDate/EPOCH LocalDate/MIN LocalDate/MAX (LocalDate/ofEpochDay 2147483647) (LocalDate/ofEpochDay 2147483648)
   LocalTime/MIN LocalTime/MAX
   LocalDateTime/MIN LocalDateTime/MAX (LocalDateTime/of 2026 1 2 3 4 5)
   (OffsetDateTime/of (LocalDateTime/of 2026 1 2 3 4 5 6) (ZoneOffset/ofHoursMinutes -3 -30)) OffsetDateTime/MIN OffsetDateTime/MAX
   (ZonedDateTime/of 2026 10 25 2 30 0 0 (ZoneId/of "Europe/Berlin"))
   (.withLaterOffsetAtOverlap (ZonedDateTime/of 2026 10 25 2 30 0 0 (ZoneId/of "Europe/Berlin")))
   (ZonedDateTime/of 2026 1 2 3 4 5 6 ZoneOffset/UTC) (ZonedDateTime/of 2026 1 2 3 4 5 6 (ZoneId/of "UTC"))
   OffsetTime/MIN OffsetTime/MAX
   (Year/of 2026) (Year/of Year/MIN_VALUE) (Year/of Year/MAX_VALUE)
   (YearMonth/of 2026 12) (YearMonth/of -1 1)
   (MonthDay/of 2 29) Month/OCTOBER DayOfWeek/SUNDAY
   (Period/of 1 -2 3) Period/ZERO (Period/of Integer/MIN_VALUE 0 Integer/MAX_VALUE)
   ZoneOffset/UTC (ZoneOffset/ofTotalSeconds -64800) (ZoneId/of "America/Argentina/Buenos_Aires") (ZoneId/of "UTC+01:00")])

(deftest every-type-of-java-time-comes-back
  (doseq [value every-time]
    (is (same-value-and-class? value)))
  (doseq [values [(Month/values) (DayOfWeek/values)], value values]
    (is (same-value-and-class? value)))
  (testing "what the bytes are"
    (is (= "d55f080a" (hex Month/OCTOBER rich)))
    (is (= "d65700000001" (hex (LocalDate/ofEpochDay 1) rich)))
    (is (= "c7065f00ce80000000" (hex (LocalDate/ofEpochDay 2147483648) rich))))
  (testing "an hour that the zone skips is read as the point in time"
    (is (= (ZonedDateTime/of 2026 3 29 3 30 0 0 (ZoneId/of "Europe/Berlin"))
           (unpack (pack (Ext. 95 (byte-array (concat [3] (pack 20541) (pack (* 150 60 1000000000)) (pack 3600)
                                                      (pack "Europe/Berlin")))))
                   rich))))
  (testing "a zone that does not exist"
    (is (= :invalid-ext (:kind (ex-data (is (thrown? ExceptionInfo
                                                     (unpack (pack (Ext. 95 (byte-array (cons 12 (pack "Mars/Base")))))
                                                             rich)))))))))

(deftest other-types-come-back
  (doseq [value [:a :a/b 'a 'a/b #{} #{1 #{:a}} 1/3 -22/7 1e400M 0.10M (bigint 1e30) (- (bigint 1e30)) \a \é
                 (random-uuid) "" {} [] nil true 1.5 ##Inf -0.0 Long/MIN_VALUE]]
    (is (same-value-and-class? value)))
  (doseq [value [(int-array [1 -2]) (long-array [3]) (double-array [1.5]) (float-array [2.5]) (short-array [4])
                 (byte-array [5])]]
    (is (= (class value) (class (back value))))
    (is (= (seq value) (seq (back value))))))

(deftest bytes-are-those-of-the-readme
  (let [readme (slurp (io/file (System/getProperty "user.dir") ".." "README.md"))]
    (doseq [[value opts] [[{:a 1} rich] [{:a 1} (codec (assoc rich-options :records false))] [{"a" 1} rich]
                          [:a/b rich] ['x rich] [\é rich] [#{1 2} rich] [1/3 rich] [1.50M rich]
                          [Month/OCTOBER rich] [(->Point 1 2) own]]]
      (is (str/includes? readme (str "`" (str/join " " (map str/join (partition 2 (hex value opts)))) "`"))
          (pr-str value)))))

(deftest records-and-enums-come-back-if-registered
  (let [value [(->Point 1 2) (assoc (->Point nil [:a]) :more "x") TimeUnit/DAYS
               (->Line (->Point 0 0) #{(->Point 1 1)} 3)]
        read (back value own)]
    (is (= value read))
    (is (= (map class value) (map class read)))
    (is (instance? Point (:from (peek read)))))
  (testing "with each kind of keys"
    (doseq [opts [{} {:key-fn true} {:key-fn true :records true} {:key-fn :exact}]]
      (let [value {:p (->Point 1 {:q TimeUnit/DAYS})}
            read (back value (assoc opts :types {"p" Point, "u" TimeUnit}))]
        (is (instance? Point (or (:p read) (get read "p")))))))
  (testing "what the bytes are"
    (is (= "c70d5ea5706f696e7482a17801a17902" (hex (->Point 1 2) own)) "name, then the map of the fields")
    (is (= "c70a5ea4756e6974a444415953" (hex TimeUnit/DAYS own))))
  (testing "fields that are missing or new"
    (let [read #(unpack (pack (Ext. 94 (byte-array (concat (pack "point") (pack %))))) own)]
      (is (= (->Point nil nil) (read {})))
      (is (= (assoc (->Point 1 nil) :z 2) (read {:x 1 :z 2})))))
  (testing "a name that is not registered is kept"
    (let [packed (pack (->Point 1 2) own)
          read (unpack packed rich)]
      (is (instance? Ext read))
      (is (= (seq packed) (seq (pack read rich))))))
  (testing "what does not fit"
    (doseq [[type-name value] [["point" 5] ["unit" "FORTNIGHTS"] ["unit" 5] ["line" {:from 1}] ["" 1] [5 1]]]
      (is (= :invalid-ext (:kind (ex-data (is (thrown? ExceptionInfo
                                                       (unpack (pack (Ext. 94 (byte-array (concat (pack type-name) (pack value)))))
                                                               own)))))))))
  (testing "wrong registrations"
    (doseq [types [{"a" String} {:a Point} {"" Point} {"a" "Point"}]]
      (is (thrown? IllegalArgumentException (types-ext types))))
    (is (thrown? IllegalArgumentException (codec {:types [Point]})))
    (is (thrown? IllegalArgumentException (codec {:key-fn :exact :keywords :string})))))

(deftest names-that-are-not-registered-stay-exts-within-others
  (let [named (fn [^String n value] (Ext. 94 (byte-array (concat (pack n) (pack value)))))
        inner (named "b" 7)
        middle (named "a" [inner inner 1])
        opts {:rich true :types {}}
        read (unpack (pack [middle #{inner} {inner 2}] opts) opts)]
    (is (= [middle #{inner} {inner 2}] read))
    (is (= (vec (.data ^Ext inner)) (vec (.data ^Ext (first (second read))))))
    (is (= (seq (pack [middle #{inner} {inner 2}] opts)) (seq (pack read opts))))
    (testing "what is wrong within is found"
      (is (= :invalid-ext (:kind (ex-data (is (thrown? ExceptionInfo
                                                       (unpack (pack (named "a" (named "" 1))) opts))))))))))

(deftest sets-in-columns-come-back
  (let [opts {:rich true :columns true}
        rows (mapv #(array-map "id" % "tags" #{1 2 [%]}) (range 500))
        packed (pack rows opts)]
    (is (< (alength ^bytes packed) (alength ^bytes (pack rows (dissoc opts :columns)))))
    (is (= rows (unpack packed opts)))
    (is (= :depth-limit (:kind (ex-data (is (thrown? ExceptionInfo (pack rows (assoc opts :max-depth 3))))))))))

(deftest elements-that-canonical-form-makes-equal-are-refused
  (doseq [opts [{:canonical true} (assoc rich-options :canonical true)]]
    (is (= {:kind :duplicate-key :path "$[1]"}
           (select-keys (ex-data (is (thrown? ExceptionInfo (pack [1 #{1 1.0}] opts)))) [:kind :path])))
    (is (some? (pack #{1 1.5} opts)))))
