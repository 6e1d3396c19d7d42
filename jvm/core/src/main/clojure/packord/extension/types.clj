(ns packord.extension.types
  "An extension for a program's own records and enums, which come back with their type."
  (:import
   (clojure.lang IPersistentMap IRecord PersistentArrayMap)
   (java.lang.reflect InvocationTargetException Method)
   (java.util.function Consumer)
   (packord Extension ExtensionPacker ExtensionUnpacker)))

(set! *warn-on-reflection* true)

(def ^:private ^:const type-code 94)

(defn- fields
  "A record as a map that no extension takes for the record, in the order of its fields."
  [record]
  (PersistentArrayMap. (into-array Object (mapcat identity record))))

(defn- named-fields
  "Keys of the record that were read as strings, as keywords."
  [basis m]
  (when-not (map? m)
    (throw (IllegalArgumentException. "the fields of a record must be a map")))
  (reduce-kv (fn [m k _]
               (if-let [field (basis k)]
                 (assoc (dissoc m k) field (get m k))
                 m))
             m m))

(defn- record-reader [^Class c]
  (let [create (.getMethod c "create" (into-array Class [IPersistentMap]))
        basis (into {} (map (juxt str keyword)) (.invoke (.getMethod c "getBasis" (make-array Class 0))
                                                         nil (object-array 0)))]
    (fn [m]
      (try
        (.invoke ^Method create nil (object-array [(named-fields basis m)]))
        (catch InvocationTargetException e
          (throw (.getCause e)))))))

(defn- reader [[type-name ^Class c]]
  (when-not (and (string? type-name) (seq type-name))
    (throw (IllegalArgumentException. (str "the name of a type must be a string, not " (pr-str type-name)))))
  (cond
    (not (class? c)) (throw (IllegalArgumentException. (str "not a class: " (pr-str c))))
    (.isAssignableFrom IRecord c) (record-reader c)
    (.isEnum c) (fn [constant] (Enum/valueOf c constant))
    :else (throw (IllegalArgumentException. (str "neither a record nor an enum: " (.getName c))))))

(defn types-ext
  "Records made by `defrecord`, and enums, as ext 94: the name that the program gives to the type, and the
  fields as a map, or the name of the constant. A name that is not registered stays a `packord.Ext`; no
  name makes a program load a class. Fields that are missing are nil, further entries are kept.

      (defrecord Point [x y])
      (def opts {:key-fn true :extensions [(types-ext {\"point\" Point})]})
      (unpack (pack [(->Point 1 2)] opts) opts)   ; [#user.Point{:x 1, :y 2}]

  It reads the string keys that `:key-fn :exact` packs apart, too."
  ^Extension [types]
  (let [readers (into {} (map (juxt key reader)) types)
        names (into {} (map (juxt val key)) types)
        classes (into-array Class (vals types))
        name-of (fn [value]
                  (or (names (class value)) ; a constant of an enum may have a class of its own
                      (names (.getDeclaringClass ^Enum value))))]
    (reify Extension
      (classes [_] classes)
      (canPack [_ value] (boolean (some #(instance? % value) classes)))
      (canUnpack [_ type] (= type-code (long type)))
      (isPure [_] true)
      (pack [_ packer value]
        (.packExtensionOf packer type-code
                          (reify Consumer
                            (accept [_ p]
                              (.packValue ^ExtensionPacker p (name-of value))
                              (.packValue ^ExtensionPacker p (if (record? value)
                                                               (fields value)
                                                               (.name ^Enum value)))))))
      (unpack [_ unpacker _]
        (let [type-name (.unpackValue unpacker)
              value (.unpackValue unpacker)
              read-value (readers type-name)]
          (when-not (and (zero? (.remaining unpacker))
                         (if type-name
                           (and (string? type-name) (seq type-name))
                           (string? value)))
            (throw (IllegalArgumentException. "not a named value")))
          (cond
            (nil? type-name) value
            read-value (read-value value)
            :else (.ext unpacker)))))))
