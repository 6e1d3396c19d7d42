(ns packord.ring
  "Ring middleware for MessagePack bodies, without a library for content negotiation.

      (def app
        (-> handler
            (wrap-msgpack-request {:key-fn true})
            wrap-msgpack-response))

  Works with synchronous and asynchronous handlers."
  (:require
   [clojure.string :as str]
   [packord.core :as packord])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream InputStream)
   (packord ErrorKind PackordException)))

(set! *warn-on-reflection* true)

(def ^:private media-types
  #{"application/msgpack" "application/x-msgpack" "application/vnd.msgpack"})

(defn- header [message header-name]
  (some (fn [[k v]] (when (.equalsIgnoreCase ^String header-name (name k)) v))
        (:headers message)))

(defn- media-type [s]
  (some-> s (str/split #";") first str/trim str/lower-case))

(defn- msgpack-body? [request]
  (and (:body request)
       (contains? media-types (media-type (or (header request "content-type")
                                              (:content-type request))))))

(defn- read-body [body opts]
  (if (instance? InputStream body)
    (.unpackAll (packord/unpacker opts) body)
    (packord/unpack body opts)))

(defn- malformed-response [e]
  {:status 400
   :headers {"Content-Type" "text/plain; charset=utf-8"}
   :body (str "Malformed MessagePack in request body: " (.getMessage (PackordException/of e)))})

(defn- no-body?
  "Whether this is the error of the body without a byte that a server hands over for a request without one."
  [request e]
  (and (contains? #{:get :head :delete :options} (:request-method request))
       (= ErrorKind/EOF (.kind (PackordException/of e)))
       (zero? (.offset (PackordException/of e)))))

(defn- with-body-params [request opts]
  (let [params (try (read-body (:body request) opts)
                    (catch ExceptionInfo e
                      (if (no-body? request e) ::none (throw e))))]
    (if (= ::none params)
      request
      (cond-> (assoc request :body-params params)
        (map? params) (update :params merge params)))))

(defn wrap-msgpack-request
  "Unpacks request bodies of type `application/msgpack` (also `x-msgpack`, `vnd.msgpack`) into
  `:body-params`; a map is merged into `:params` too. A body that is not one MessagePack value is
  answered with status 400, and so is one of more than `:max-buffer` bytes. A GET or DELETE without a body stays as it is. `opts`: see
  `packord.core/codec`."
  ([handler] (wrap-msgpack-request handler nil))
  ([handler opts]
   (let [codec (packord/codec opts)
         prepare (fn [request]
                   (if (msgpack-body? request)
                     (try
                       [(with-body-params request codec) nil]
                       (catch ExceptionInfo e
                         [nil (malformed-response e)]))
                     [request nil]))]
     (fn
       ([request]
        (let [[request response] (prepare request)]
          (or response (handler request))))
       ([request respond raise]
        (let [[request response] (prepare request)]
          (if response
            (respond response)
            (handler request respond raise))))))))

(defn- quality [parameters]
  (or (some #(some-> (re-matches #"\s*[qQ]=([0-9.]+)\s*" %) second parse-double) parameters) 1.0))

(defn- accepts-msgpack?
  "Whether nothing else is asked for more than MessagePack. No Accept header is one of any type."
  [request]
  (let [wanted (into {} (for [part (str/split (or (header request "accept") "*/*") #",")
                              :let [[media & parameters] (str/split part #";")]]
                          [(str/lower-case (str/trim (or media ""))) (double (quality parameters))]))
        named (keep wanted media-types)
        own (if (seq named) (apply max named) (or (wanted "application/*") (wanted "*/*") 0.0))
        others (vals (apply dissoc wanted "*/*" "application/*" media-types))]
    (and (pos? (double own))
         (or (seq named) (every? #(<= (double %) 0.0) others)))))

(defn- varying
  "The response with Accept in its Vary header, so that caches keep it apart from other formats."
  [response]
  (let [[k v] (first (filter #(.equalsIgnoreCase "vary" (name (key %))) (:headers response)))
        names (cond-> v (sequential? v) (->> (str/join ", ")))]
    (if (and names (re-find #"(?i)(^|[\s,])(accept|\*)($|[\s,])" names))
      response
      (assoc-in response [:headers (or k "Vary")] (str (some-> names (str ", ")) "Accept")))))

(defn- pack-response [response request codec]
  (cond
    (not (and (coll? (:body response)) (not (header response "content-type")))) response
    (not (accepts-msgpack? request)) (varying response)
    :else
    (let [^bytes packed (packord/pack (:body response) codec)]
      (-> (varying response)
          (assoc :body (ByteArrayInputStream. packed))
          (update :headers assoc
                  "Content-Type" "application/msgpack"
                  "Content-Length" (str (alength packed)))))))

(defn wrap-msgpack-response
  "Packs response bodies that are collections, when the request's Accept header names
  `application/msgpack`, or allows any type and names none, and the response has no Content-Type yet. `opts`: see
  `packord.core/codec`."
  ([handler] (wrap-msgpack-response handler nil))
  ([handler opts]
   (let [codec (packord/codec opts)]
     (fn
       ([request]
        (pack-response (handler request) request codec))
       ([request respond raise]
        (handler request #(respond (pack-response % request codec)) raise))))))
