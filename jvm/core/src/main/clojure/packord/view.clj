(ns packord.view
  "Access to a part of a message without unpacking the rest.

      (require '[packord.core :as packord]
               '[packord.view :refer [view]])

      (def v (view (packord/pack {:users [{:name \"Ada\"} {:name \"Bo\"}]}) {:key-fn true}))
      (get-in v [:users 1 :name])   ;=> \"Bo\"
      (count (:users v))            ;=> 2
      @(get-in v [:users 0])        ;=> {:name \"Ada\"}"
  (:require
   [clojure.core.protocols :as protocols]
   [packord.core :as packord])
  (:import
   (clojure.lang Associative Counted IDeref IFn ILookup Indexed MapEntry Seqable SeqIterator Sequential)
   (java.io File Writer)
   (java.nio ByteBuffer)
   (java.nio.channels FileChannel FileChannel$MapMode)
   (java.nio.file OpenOption Path StandardOpenOption)
   (packord Token Unpacker)))

(set! *warn-on-reflection* true)

(declare wrap)

(defn- path ^objects [k]
  (doto (object-array 1) (aset 0 k)))

(defn- lookup [^packord.View v k not-found]
  (let [found (.get v (path k))]
    (if (or (some? found) (.has v (path k)))
      (wrap found)
      not-found)))

(defn- array? [^packord.View v]
  (= Token/ARRAY (.type v)))

(deftype View [^packord.View of]
  ILookup
  (valAt [_ k] (wrap (.get of (path k))))
  (valAt [_ k not-found] (lookup of k not-found))
  IFn
  (invoke [this k] (.valAt this k))
  (invoke [this k not-found] (.valAt this k not-found))
  Associative
  (containsKey [_ k] (.has of (path k)))
  (entryAt [this k] (when (.has of (path k)) (MapEntry/create k (.valAt this k))))
  (assoc [this k v] (assoc @this k v))
  (cons [this x] (conj @this x))
  (empty [this] (empty @this))
  (equiv [this other] (identical? this other))
  Counted
  (count [_] (.size of))
  Indexed
  (nth [this i]
    (if (and (array? of) (< -1 i (.size of)))
      (.valAt this i)
      (throw (IndexOutOfBoundsException. (str i)))))
  (nth [this i not-found]
    (if (and (array? of) (<= 0 i)) (.valAt this i not-found) not-found))
  Iterable
  (iterator [this] (SeqIterator. (seq this)))
  Seqable
  (seq [this]
    (seq (if (array? of)
           (map #(.valAt this %) (range (.size of)))
           (map #(MapEntry/create % (.valAt this %)) (.keys of)))))
  IDeref
  (deref [_] (.unpack of)))

(defn- wrap [value]
  (if (instance? packord.View value) (View. value) value))

(defn type-of
  "What a view is of: `:array`, `:map`, `:record`, or the type of a message that is none of these, such as
  `:integer`."
  [^View v]
  (keyword (str (.type ^packord.View (.-of v)))))

(extend-protocol protocols/Datafiable
  View
  (datafy [v]
    (case (type-of v)
      :array (into [] (seq v))
      (:map :record) (into {} v)
      @v)))

(defmethod print-method View [v ^Writer w]
  (.write w (str "#<packord.view " (name (type-of v)) " of " (count v) ">")))

(defn- mapped ^ByteBuffer [^Path file]
  (with-open [channel (FileChannel/open file (into-array OpenOption [StandardOpenOption/READ]))]
    (.map channel FileChannel$MapMode/READ_ONLY 0 (.size channel))))

(defn view
  "Returns a view of the message in a byte array, ByteBuffer, File or Path; a file is mapped into memory.

  A view of an array, map or record takes `get`, `get-in`, `nth`, `count`, `seq`, destructuring and `datafy`,
  and can be called with a key. What is found in it is a view too if it is an array, map or record, else
  the value itself. `@` unpacks a view as [[packord.core/unpack]] does. An index below 0 counts from the
  end with `get`.

      (let [{:keys [id tags]} (view (packord/pack {:id 1 :tags [\"a\" \"b\"]}) {:key-fn true})]
        [id (nth tags 1)])
      ;=> [1 \"b\"]

  Values that nobody asks for are passed by their headers, and nothing is read after the value that was
  asked for; of a map all keys are. Limits and errors are those of `unpack`: a fault is found when a view
  comes to it. With `:canonical`, `:max-nodes` or `:duplicate-key :error` the whole message is checked at
  first. The bytes are kept and should not change. Threads may share a view.

  `opts`: see [[packord.core/codec]]."
  ([resource]
   (view resource nil))
  ([resource opts]
   (let [^Unpacker u (packord/unpacker opts)]
     (View. (cond
              (bytes? resource) (.view u ^bytes resource)
              (instance? ByteBuffer resource) (.view u ^ByteBuffer resource)
              (instance? File resource) (.view u (mapped (.toPath ^File resource)))
              (instance? Path resource) (.view u (mapped resource))
              :else (throw (IllegalArgumentException.
                            (str "cannot view " (some-> resource class .getName)))))))))
