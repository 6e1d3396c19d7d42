(ns packord.ring-test
  (:require
   [clojure.test :refer [deftest is testing]]
   [packord.core :refer [pack unpack]]
   [packord.ring :refer [wrap-msgpack-request wrap-msgpack-response]])
  (:import
   (java.io ByteArrayInputStream InputStream)))

(set! *warn-on-reflection* true)

(defn- request [body & {:as more}]
  (merge {:request-method :post
          :headers {"content-type" "application/msgpack" "accept" "text/html, application/msgpack;q=0.9"}
          :body (ByteArrayInputStream. body)}
         more))

(deftest msgpack-bodies-of-requests-are-unpacked
  (let [app (wrap-msgpack-request identity {:key-fn true})]
    (is (= {:a 1} (:body-params (app (request (pack {:a 1}))))))
    (is (= {:q 2 :a 1} (:params (app (request (pack {:a 1}) :params {:q 2})))))
    (is (= [1 2] (:body-params (app (request (pack [1 2]))))))
    (is (nil? (:params (app (request (pack [1 2]))))))
    (testing "other bodies are left alone"
      (let [other (request (pack 1) :headers {"content-type" "application/json"})]
        (is (identical? other (app other))))
      (is (nil? (:body-params (app {:request-method :get :headers {}})))))
    (testing "parameters and case of the media type"
      (is (= 1 (:body-params (app (request (pack 1) :headers {"Content-Type" "Application/X-Msgpack; v=1"}))))))
    (testing "malformed bodies"
      (doseq [body [(byte-array [0x93 1]) (byte-array 0) (byte-array [1 2])]]
        (let [response (app (request body))]
          (is (= 400 (:status response)))
          (is (re-find #"at byte" (:body response))))))))

(deftest asynchronous-handlers-work-too
  (let [handler (wrap-msgpack-response
                 (wrap-msgpack-request
                  (fn [request respond _] (respond {:status 200 :body {:got (:body-params request)}}))))
        result (promise)]
    (handler (request (pack 5)) #(deliver result %) nil)
    (is (= {"got" 5} (unpack ^InputStream (:body @result))))
    (let [result (promise)]
      (handler (request (byte-array 0)) #(deliver result %) nil)
      (is (= 400 (:status @result))))))

(deftest collections-in-responses-are-packed
  (let [app #((wrap-msgpack-response (constantly %)) (request (byte-array 0)))
        response (app {:status 200 :body {:a [:b]}})]
    (is (= "application/msgpack" (get-in response [:headers "Content-Type"])))
    (is (= {"a" ["b"]} (unpack (:body response))))
    (is (= "6" (get-in response [:headers "Content-Length"])))
    (testing "what is not packed"
      (is (= "text" (:body (app {:status 200 :body "text"}))))
      (is (= {:a 1} (:body (app {:status 200 :headers {"content-type" "x/y"} :body {:a 1}}))))
      (is (nil? (app nil)))
      (is (= {:a 1} (:body ((wrap-msgpack-response (constantly {:body {:a 1}}))
                            {:headers {"accept" "application/json, application/msgpack;q=0"}})))))))

(deftest bodies-above-the-limit-are-malformed
  (let [app (wrap-msgpack-request identity {:max-buffer 100})]
    (is (= [1 2] (:body-params (app (request (pack [1 2]))))))
    (is (= 400 (:status (app (request (pack (vec (range 1000))))))))))

(deftest responses-vary-by-accept
  (let [vary (fn [response accept]
               (get-in ((wrap-msgpack-response (constantly response)) {:headers {"accept" accept}})
                       [:headers "Vary"]))]
    (is (= "Accept" (vary {:body {}} "application/msgpack")))
    (is (= "Accept" (vary {:body {}} "application/json")) "also of what is not packed")
    (is (= "Origin, Accept" (vary {:body {} :headers {"Vary" "Origin"}} "application/msgpack")))
    (is (= "accept" (vary {:body {} :headers {"Vary" "accept"}} "application/msgpack")))
    (is (nil? (vary {:body "text"} "application/msgpack"))))
  (is (= {:a 1} (:body ((wrap-msgpack-response (constantly {:body {:a 1}}))
                        {:headers {"accept" "application/msgpack;Q=0"}})))))

(deftest requests-without-a-body-stay-as-they-are
  (let [app (wrap-msgpack-request identity)]
    (doseq [method [:get :delete :head]
            :let [empty-request (request (byte-array 0) :request-method method)]]
      (is (identical? empty-request (app empty-request))))
    (is (= 400 (:status (app (request (byte-array [1 2]) :request-method :get)))))))

(deftest any-type-that-is-accepted-may-be-this-one
  (let [packed? (fn [accept]
                  (let [headers (if accept {"accept" accept} {})]
                    (some? (get-in ((wrap-msgpack-response (constantly {:body {:a 1}})) {:headers headers})
                                   [:headers "Content-Type"]))))]
    (doseq [accept [nil "*/*" "application/*" "text/html;q=0, */*;q=0.1" "application/json, application/msgpack;q=0.1"]]
      (is (packed? accept) accept))
    (doseq [accept ["application/json" "text/html, */*;q=0.8" "*/*;q=0" "application/msgpack;q=0, */*" "text/*"]]
      (is (not (packed? accept)) accept))))
