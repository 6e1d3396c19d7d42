(ns packord.schema-test
  (:require
   [clojure.java.io :as io]
   [clojure.spec.alpha :as s]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.core :as packord :refer [pack]]
   [packord.schema :as schema])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream)
   (java.nio ByteBuffer)))

(set! *warn-on-reflection* true)

(s/def ::id pos-int?)
(s/def ::name string?)
(s/def ::kind (s/and string? (s/conformer keyword) #{:admin :user}))
(s/def ::user (s/keys :req-un [::id ::name] :opt-un [::kind]))
(s/def ::users (s/coll-of ::user))
(s/def ::scores (s/map-of keyword? (s/coll-of int?)))
(s/def ::range (s/cat :from int? :to int?))

(def ^:private opts {:key-fn true})

(defn- fault [value spec]
  (ex-data (is (thrown? ExceptionInfo (schema/unpack (pack value) spec opts)))))

(deftest values-are-conformed
  (is (= [{:id 1 :name "Ada" :kind :admin}]
         (schema/unpack (pack [{:id 1 :name "Ada" :kind "admin"}]) ::users opts)))
  (is (= {:from 1 :to 2} (schema/unpack (pack [1 2]) ::range)))
  (is (= 5 (schema/unpack (pack 5) int?) (schema/unpack (pack 5) #{5})))
  (is (= {:a [1]} (schema/unpack (ByteArrayInputStream. (pack {:a [1]})) ::scores (packord/codec opts)))))

(deftest errors-have-path-and-offset
  (testing "wherever the fault is"
    (doseq [[value spec path offset] [[[{:id 1 :name "a"} {:id 0 :name "b"}] ::users "$[1].id" 17]
                                      [[{:id 1}] ::users "$[0]" 1]
                                      [{:a [1] :b [1 "x"]} ::scores "$.b[1]" 9]
                                      [{:a 5} ::scores "$.a" 3]
                                      [{"n" {5 "x"}} (s/map-of keyword? (s/map-of int? int?)) "$.n[key 5]" 5]
                                      [[1 "x"] ::range "$[1]" 2]
                                      [5 ::name "$" 0]]]
      (is (= {:type :packord/error :kind :type-mismatch :path path :offset offset} (fault value spec)))))
  (testing "a key at fault is the fault of its map"
    (is (= "$" (:path (fault {9 [1]} ::scores)))))
  (testing "in a buffer, whose position is after the value"
    (let [buffer (ByteBuffer/wrap (pack [{:id 0 :name "b"}]))]
      (is (= 5 (:offset (ex-data (is (thrown? ExceptionInfo (schema/unpack buffer ::users opts)))))))))
  (testing "without an offset in a stream"
    (is (= {:type :packord/error :kind :type-mismatch :path "$[0].id"}
           (ex-data (is (thrown? ExceptionInfo
                                 (schema/unpack (ByteArrayInputStream. (pack [{:id 0 :name "b"}])) ::users opts)))))))
  (testing "the cause has all problems"
    (let [e (is (thrown? ExceptionInfo (schema/unpack (pack [{:id 0 :name 1}]) ::users opts)))]
      (is (= #{["$[0].id" 5] ["$[0].name" 11]}
             (set (map (juxt :path :offset) (:problems (ex-data (ex-cause e)))))))
      (is (str/includes? (ex-message e) "not pos-int?"))))
  (testing "the README has the message"
    (is (str/includes? (slurp (io/file (System/getProperty "user.dir") ".." "README.md"))
                       (ex-message (is (thrown? ExceptionInfo
                                                (schema/unpack (pack {:id 0}) (s/keys :req-un [::id]) opts)))))))
  (testing "bytes that are not a message have the errors of unpack"
    (is (= :eof (:kind (ex-data (is (thrown? ExceptionInfo (schema/unpack (byte-array [0x92 1]) ::range)))))))))

(deftest messages-of-a-stream-are-conformed
  (let [bytes (byte-array (mapcat #(pack {:id % :name "x"}) [1 2 0]))]
    (is (= [1] (into [] (comp (map :id) (take 1)) (schema/unpack-stream bytes ::user opts))))
    (is (= "$.id" (:path (ex-data (is (thrown? ExceptionInfo
                                               (into [] (schema/unpack-stream bytes ::user opts))))))))))

;; A library with malli's functions and the shape of what they return: an :in for each error.
(defn- decoder [form _transformer]
  (fn [value] (if (= :keyword-kind form) (update value :kind keyword) value)))

(defn- explainer [_form]
  (fn [value]
    (when-not (keyword? (:kind value))
      {:value value, :errors [{:path [:kind] :in [:kind] :value (:kind value)}]})))

(defn- error-message [_error] "should be a keyword")

(defn- malli-schema [form]
  (let [decode (decoder form :json-transformer)
        explain (explainer form)]
    (reify schema/Schema
      (conform [_ value]
        (let [value (decode value)
              problems (:errors (explain value))]
          (if problems
            (schema/invalid (for [p problems]
                              {:in (:in p) :message (error-message p)}))
            value))))))

(deftest the-wrapper-in-the-docstring-is-the-one-above
  (let [words #(re-seq #"[^\s()\[\]{}]+" (str/replace % #"malli\.\w+/|packord\.schema/|schema/|\(malli.transform/json-transformer\)|:json-transformer" ""))
        source (slurp (io/file (System/getProperty "user.dir") "test" "packord" "schema_test.clj"))
        wrapper #(subs % (str/index-of % (str "(defn " "malli-schema")) (str/index-of % "value))))))"))]
    (is (= (words (wrapper (str/replace source "defn- malli" "defn malli")))
           (words (wrapper (:doc (meta #'schema/Schema))))))))

(deftest other-libraries-come-in-by-the-protocol
  (is (= {:kind :admin} (schema/unpack (pack {:kind "admin"}) (malli-schema :keyword-kind) opts)))
  (is (= {:type :packord/error :kind :type-mismatch :path "$.kind" :offset 6}
         (ex-data (is (thrown-with-msg? ExceptionInfo #"should be a keyword"
                                        (schema/unpack (pack {:kind "admin"}) (malli-schema :plain) opts)))))))
