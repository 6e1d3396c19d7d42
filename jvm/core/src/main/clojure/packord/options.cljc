(ns ^:no-doc packord.options
  "The options of `packord.core` and the rules of `:key-fn`, which Clojure and ClojureScript have in common."
  (:require
   [clojure.string :as str]))

#?(:clj (set! *warn-on-reflection* true))

;; ---------------------------------------------------------------- keys

(defn stringify-keys-mapper [k]
  (if (keyword? k) (subs (str k) 1) k))

(defn keywordize-keys-mapper [k]
  (if (string? k) (keyword k) k))

(defn exact? [key-fn]
  (= :exact key-fn))

(defn standard-key-fn?
  "Whether this `:key-fn` packs keyword keys as their names."
  [f]
  (or (true? f) (exact? f) (identical? f stringify-keys-mapper) (identical? f keywordize-keys-mapper)))

(defn keyword-keys?
  "Whether this `:key-fn` makes keywords of str keys."
  [f]
  (or (true? f) (exact? f) (identical? f keywordize-keys-mapper) (identical? f keyword)))

(defn user-key-fn
  "The `:key-fn` if it is a function of the user's own, else nil."
  [f]
  (when-not (or (nil? f) (false? f) (standard-key-fn? f))
    f))

;; ---------------------------------------------------------------- options

(defn refuse [option what value]
  (throw (#?(:clj IllegalArgumentException. :cljs js/Error.)
          (str option " must be " what ", not " (pr-str value)))))

(defn- natural? [value]
  (and (integer? value) #?(:clj (<= 0 value Long/MAX_VALUE) :cljs (not (neg? value)))))

(defn- structures? [value]
  (or (sequential? value)
      #?(:clj (or (instance? clojure.lang.IAtom value) (instance? java.util.List value) (instance? packord.StructureStore value))
         :cljs (satisfies? IDeref value))))

(def lengths
  "The options that `:max-len` stands for."
  [:max-str-len :max-bin-len :max-ext-len :max-array-len :max-map-len])

(def choices
  {:utf8 #{:error :replace :raw}
   :trailing #{:error :allow}
   :duplicate-key #{:last :error}
   :unknown-ext #{:keep :error}
   :undefined-record #{:integer :error}
   :timestamps #{:native :date :timestamp}})

(def ^:private function?
  #(and (ifn? %) (not (keyword? %))))

(def table
  "What errors say that each option takes, and whether a value is that."
  (merge
   (zipmap (concat [:canonical :sort-keys :skip-nil :float32 :bigint :rich :records :sequential] #?(:clj [:columns]))
           (repeat ["true or false" boolean?]))
   (zipmap (concat [:max-depth :max-len :max-nodes :max-buffer :max-shared-structures :max-own-structures :max-record-keys]
                   lengths
                   #?(:clj [:max-expansion]))
           (repeat ["an integer from 0 to 2^63 - 1" natural?]))
   (update-vals choices (fn [words] [(str "one of " (str/join ", " (sort (map name words)))) words]))
   {:structures ["a sequence of sequences of strings, or an atom of one" structures?]
    :extensions ["a sequence of extensions" #(or (sequential? %) (set? %))]
    :key-fn #?(:clj ["true, false, :exact or a function" #(or (boolean? %) (exact? %) (function? %))]
               :cljs ["true, false or a function (packord for the JVM alone has :exact)" #(or (boolean? %) (function? %))])}
   #?(:clj {:types ["a map of names to classes" map?]})))

(def ^:private elsewhere
  "What to say of options that are not here."
  #?(:clj {:compatibility-mode "packord.compat.clojure-msgpack takes it; packord.core has no such option"}
     :cljs (zipmap [:columns :max-expansion :types] (repeat "packord for the JVM alone has it"))))

(defn checked
  "The options of a map that are not nil. Throws for one that is unknown or has a wrong value."
  [opts]
  (into {}
        (filter (fn [[option value]]
                  (when (some? value)
                    (let [[what right?] (or (table option)
                                            (throw (#?(:clj IllegalArgumentException. :cljs js/Error.)
                                                    (str "unknown option " (pr-str option)
                                                         (some->> (elsewhere option) (str ": "))))))]
                      (or (right? value) (refuse option what value))))))
        opts))
