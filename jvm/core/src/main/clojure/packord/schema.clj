(ns packord.schema
  "Unpacking what a schema describes: a spec of clojure.spec, or a schema of any other library through the
  protocol [[Schema]].

      (require '[clojure.spec.alpha :as s]
               '[packord.core :as packord]
               '[packord.schema :as schema])
      (s/def ::id pos-int?)
      (s/def ::user (s/keys :req-un [::id]))
      (schema/unpack (packord/pack {:id 7}) ::user {:key-fn true})   ;=> {:id 7}

  A value that the schema refuses is an ExceptionInfo of the kind `:type-mismatch`, with the path
  and the offset of the first problem. Its cause has all of them:

      (require '[clojure.spec.alpha :as s])
      (try (schema/unpack (packord/pack {:ids [7 \"x\"]}) (s/map-of keyword? (s/coll-of int?)) {:key-fn true})
           (catch clojure.lang.ExceptionInfo e
             [(:path (ex-data e)) (:offset (ex-data e)) (count (:problems (ex-data (ex-cause e))))]))
      ;=> [\"$.ids[1]\" 7 1]"
  (:require
   [clojure.spec.alpha :as s]
   [packord.core :as packord])
  (:import
   (java.nio ByteBuffer)
   (packord ClojureData Unpacker View)))

(set! *warn-on-reflection* true)

(defrecord ^:no-doc Invalid [problems])

(defn invalid
  "What [[conform]] returns for a value that the schema refuses: the problems, each a map with `:in`, the
  keys and indexes that lead to what is at fault, and `:message`."
  [problems]
  (->Invalid (vec problems)))

(defprotocol Schema
  "What unpacked values are checked by. Extend it to the schemas of a library, or wrap one. For malli:

      (defn malli-schema [form]
        (let [decode (malli.core/decoder form (malli.transform/json-transformer))
              explain (malli.core/explainer form)]
          (reify packord.schema/Schema
            (conform [_ value]
              (let [value (decode value)
                    problems (:errors (explain value))]
                (if problems
                  (packord.schema/invalid (for [p problems]
                                            {:in (:in p) :message (malli.error/error-message p)}))
                  value))))))"
  (conform [schema value]
    "Returns what the value becomes, or what is [[invalid]]."))

;; ---------------------------------------------------------------- clojure.spec

(defn- steps-in
  "The keys and indexes of `value` that `:in` of a problem stands for. clojure.spec has two steps for a
  map entry that it takes as a pair: the key, and 0 for the key or 1 for the value."
  [value in culprit]
  (if-let [[step & more] (seq in)]
    (cond
      (map? value)
      (when-let [entry (find value step)]
        (or (some->> (steps-in (val entry) more culprit) (cons step))
            (when (= 1 (first more))
              (some->> (steps-in (val entry) (rest more) culprit) (cons step)))
            (when (and (= [0] more) (identical? culprit (key entry)))
              ())))
      (and (sequential? value) (nat-int? step) (< (long step) (count value)))
      (some->> (steps-in (nth value step) more culprit) (cons step)))
    (when (identical? culprit value) ())))

(defn- spec-problems [spec value]
  (for [{:keys [in pred val]} (::s/problems (s/explain-data spec value))]
    {:in (or (steps-in value in val) in)
     :message (str "not " (pr-str (s/abbrev pred)))}))

(defn- conform-spec [spec value]
  (let [conformed (s/conform spec value)]
    (if (s/invalid? conformed)
      (invalid (spec-problems spec value))
      conformed)))

;; Specs are names, objects, maps (regular expressions), sets and functions.
(extend-protocol Schema
  Object
  (conform [spec value] (conform-spec spec value)))

;; ---------------------------------------------------------------- unpacking

(defn- view-of ^View [resource opts]
  (let [^Unpacker u (packord/unpacker opts)]
    (if (bytes? resource)
      (.view u ^bytes resource)
      (.view u ^ByteBuffer resource))))

(defn- known-part
  "What there is of a path in a value, as when a key is missing."
  [value in]
  (loop [known [] value value in (seq in)]
    (let [step (first in)]
      (if (and in (if (vector? value)
                    (and (nat-int? step) (< (long step) (count value)))
                    (and (map? value) (contains? value step))))
        (recur (conj known step) (get value step) (next in))
        known))))

(defn- located [value ^View view {:keys [in] :as problem}]
  (let [known (known-part value in)]
    (cond-> (assoc problem :known known :path (ClojureData/path value known))
      view (assoc :offset (.offset view (object-array known))))))

(defn- checked
  "The value as the schema has it; `view` is a delay of a view of it, or nil."
  [schema value view]
  (let [result (conform schema value)]
    (if (instance? Invalid result)
      (let [problems (mapv #(located value (some-> view force) %) (:problems result))
            {:keys [known offset message]} (first problems)]
        (throw (ClojureData/mismatch (or offset -1) value (or known []) message
                                     (ex-info "the schema refused the value"
                                              {:problems (mapv #(dissoc % :known) problems)}))))
      result)))

(defn unpack
  "Unpacks one value as [[packord.core/unpack]] does, and returns what the schema makes of it: for a spec what
  `s/conform` returns. Errors have an offset where `resource` is a byte array or a ByteBuffer."
  ([resource schema]
   (unpack resource schema nil))
  ([resource schema opts]
   (let [codec (packord/codec opts)
         source (cond
                  (bytes? resource) resource
                  (instance? ByteBuffer resource) (.duplicate ^ByteBuffer resource))]
     (checked schema
              (packord/unpack resource codec)
              (when source (delay (view-of source codec)))))))

(defn unpack-stream
  "The values of a stream as [[packord.core/unpack-stream]] has them, each as the schema has it."
  ([resource schema]
   (unpack-stream resource schema nil))
  ([resource schema opts]
   (eduction (map #(checked schema % nil)) (packord/unpack-stream resource opts))))
