(ns packord.options-test
  "The builder of the Java front."
  (:require
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.core :as packord]
   [packord.extension.clojure :as ext.clj]
   [packord.options :as options])
  (:import
   (java.lang.reflect Field Method Modifier)
   (packord Option Options Options$Builder Options$DuplicateKey Options$Timestamps Options$Trailing
            Options$UndefinedRecord Options$UnknownExt Options$Utf8 StructureStore)))

(set! *warn-on-reflection* true)

(defn- option-fields []
  (filter #(and (Modifier/isPublic (.getModifiers ^Field %)) (not (Modifier/isStatic (.getModifiers ^Field %))))
          (.getDeclaredFields Options)))

(defn- values-of [options]
  (into (sorted-map) (map (fn [^Field f] [(.getName f) (.get f options)])) (option-fields)))

(defn- set-by-name ^Options$Builder [^Options$Builder b option value]
  (.invoke ^Method (first (filter #(= option (.getName ^Method %)) (.getMethods Options$Builder)))
           b (object-array [value])))

(def ^:private others
  "Each option with a value that is not its default."
  {"maxDepth" (int 7) "maxStrLen" 7 "maxBinLen" 8 "maxExtLen" 9 "maxArrayLen" 10 "maxMapLen" 11
   "maxNodes" 12 "maxBuffer" 13 "utf8" Options$Utf8/RAW "trailing" Options$Trailing/ALLOW
   "duplicateKey" Options$DuplicateKey/ERROR "unknownExt" Options$UnknownExt/ERROR "canonical" true "sortKeys" true
   "skipNil" true "float32" true "bigint" true "rich" true "timestamps" Options$Timestamps/TIMESTAMP "records" true
   "sequential" true "undefinedRecord" Options$UndefinedRecord/ERROR "structures" (StructureStore/of [["a"]])
   "maxSharedStructures" (int 5) "maxOwnStructures" (int 6) "maxRecordKeys" (int 4)
   "columns" true "maxExpansion" 3})

(deftest a-builder-of-options-has-all-of-them
  (is (= (set (keys (values-of (.build (Options/builder))))) (conj (set (keys others)) "extensions")))
  (doseq [[option value] others
          :let [options (.build (set-by-name (Options/builder) option value))]]
    (testing option
      (is (= value (get (values-of options) option)))
      (is (= (values-of options) (values-of (.build (.toBuilder options)))))
      (is (= (str "Options[" option (when-not (= "structures" option) (str "=" value)) "]") (str options)))))
  (let [options (-> (Options/builder) (.extension ext.clj/set-ext) (.records true) .build)]
    (is (= "Options[records=true, extensions=1]" (str options)))
    (is (= (values-of options) (values-of (.build (.toBuilder options))))))
  (is (= "Options[]" (str (.build (Options/builder)))))
  (testing "what canonical encoding switches off comes back without it"
    (let [options (-> (Options/builder) (.records true) (.float32 true) (.canonical true) .build)]
      (is (not (.-records options)))
      (is (.-records (.build (.canonical (.toBuilder options) false)))))))

(deftest clojure-has-the-options-of-java
  (is (= (set (map name (keys options/table)))
         (into #{"extensions" "key-fn" "types"} (map #(str/replace (str/lower-case (.name ^Option %)) "_" "-")) (Option/values))))
  (doseq [[option [what]] (dissoc options/table :extensions :key-fn :types :structures)
          :let [java (Option/of (name option))]]
    (is (= (set (str/split (.expected java) #"one of |, ")) (set (str/split what #"one of |, "))) option))
  (doseq [[option words] options/choices, word words]
    (is (.accepts (Option/of (name option)) (.choice (Option/of (name option)) (name word))) [option word])))

(deftest the-table-has-all-options
  (is (= (set (map str (Option/values))) (conj (set (keys others)) "maxLen")))
  (let [table (:doc (meta #'packord/codec))]
    (doseq [^Option option (Option/values)
            :let [id (str/replace (str/lower-case (.name option)) "_" "-")]]
      (testing id
        (is (str/includes? table (str "`:" id "`")) "in the docstring of codec")
        (is (= option (Option/of id)))
        (is (thrown-with-msg? IllegalArgumentException (re-pattern (str ":" id " must be "))
                              (packord/codec {(keyword id) (Object.)})))
        (is (thrown-with-msg? IllegalArgumentException (re-pattern (str option " must be "))
                              (.set (Options/builder) option (Object.)))))))
  (testing "max-len stands for the lengths that are not set, whatever the order"
    (doseq [^Options$Builder b [(.maxLen (.maxStrLen (Options/builder) 9) 2) (.maxStrLen (.maxLen (Options/builder) 2) 9)]]
      (is (= [9 2 2 2 2] (mapv (values-of (.build b)) ["maxStrLen" "maxBinLen" "maxExtLen" "maxArrayLen" "maxMapLen"]))))))

(deftest wrong-values-are-refused-by-name
  (doseq [[option value] {"maxDepth" (int -1) "maxStrLen" -1 "maxBuffer" -5 "maxOwnStructures" (int -2)}]
    (is (thrown-with-msg? IllegalArgumentException (re-pattern option)
                          (try (set-by-name (Options/builder) option value)
                               (catch java.lang.reflect.InvocationTargetException e (throw (.getCause e)))))))
  (is (thrown-with-msg? NullPointerException #"utf8" (.utf8 (Options/builder) nil)))
  (is (thrown-with-msg? NullPointerException #"timestamps" (.timestamps (Options/builder) nil)))
  (is (thrown-with-msg? NullPointerException #"extension" (.extension (Options/builder) nil))))

(deftest a-keyword-is-no-function-of-keys
  (doseq [key-fn [:keyword :exakt]]
    (is (thrown-with-msg? IllegalArgumentException #"key-fn" (packord/unpack (byte-array [-128]) {:key-fn key-fn}))))
  (is (= {:a 1} (packord/unpack (packord/pack {:a 1} {:key-fn :exact}) {:key-fn :exact}))))
