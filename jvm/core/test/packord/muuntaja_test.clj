(ns packord.muuntaja-test
  (:require
   [clojure.test :refer [deftest is]]
   [muuntaja.format.core :as format]
   [packord.core :refer [pack unpack]]
   [packord.muuntaja :as msgpack])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream ByteArrayOutputStream)))

(set! *warn-on-reflection* true)

(defn- coder [[make default-opts] opts]
  (make (merge default-opts opts)))

(deftest the-format-encodes-and-decodes
  (is (instance? muuntaja.format.core.Format msgpack/format))
  (is (= "application/msgpack" (:name msgpack/format)))
  (let [decoder (coder (:decoder msgpack/format) nil)
        encoder (coder (:encoder msgpack/format) nil)
        out (ByteArrayOutputStream.)]
    (is (= {:a {:b [1 "x"]}}
           (format/decode decoder (ByteArrayInputStream. (pack {:a {:b [1 :x]}}))
                          "utf-8")))
    (is (= {"a" "b"} (unpack (format/encode-to-bytes encoder {:a :b} "utf-8"))))
    ((format/encode-to-output-stream encoder [1 2] "utf-8") out)
    (is (= [1 2] (unpack (.toByteArray out))))
    (is (thrown? ExceptionInfo
                 (format/decode decoder (ByteArrayInputStream. (byte-array [1 2])) "utf-8"))))
  (is (= {"a" 1} (format/decode (coder (:decoder msgpack/format) {:key-fn false})
                                (ByteArrayInputStream. (pack {:a 1})) nil))))

(defn- decode [opts b]
  (format/decode (coder (:decoder msgpack/format) opts) (ByteArrayInputStream. b) "utf-8"))

(deftest an-empty-body-is-nil-unless-an-option-says-otherwise
  (is (nil? (decode nil (byte-array 0))))
  (is (= {} (decode {:empty-body {}} (byte-array 0))))
  (is (thrown? ExceptionInfo (decode {:empty-body :error} (byte-array 0)))))

(deftest the-limit-of-a-message-holds-for-bodies
  (is (thrown? ExceptionInfo (decode {:max-buffer 100} (pack (vec (range 1000))))))
  (is (= [1] (decode {:max-buffer 100} (pack [1])))))

(deftest the-old-name-of-the-key-function-works
  (is (= {:a 1} (decode {:keywords? true} (pack {:a 1}))))
  (is (= {"a" 1} (decode {:keywords? false} (pack {:a 1})))))
