(ns packord.cljs.generated
  "Values that both platforms have, the options that they are packed with, and what has to hold for
  the bytes that the other platform wrote. EDN, which packord has no part in, says what a value is."
  (:require
   #?@(:clj [[clojure.edn :as edn]]
       :cljs [[cljs.reader :as edn]])
   [packord.core :as packord]))

(def how-many
  "Values that each platform makes for the other."
  10000)

(def options
  "Options with which a value is read as it was written: all but those that lose what a value
  is, and those that the JVM alone has."
  (mapv #(merge {:key-fn true :rich true :timestamps :date} %)
        [{}
         {:key-fn false}
         {:records true}
         {:records true :sequential true :max-own-structures 2 :max-record-keys 3 :undefined-record :error}
         {:records true :sort-keys true :structures [["id" "name" "x"]] :max-shared-structures 1}
         {:canonical true}
         {:float32 true :bigint true}
         {:max-len 1000000 :max-str-len 10000 :max-bin-len 10000 :max-array-len 10000 :max-map-len 10000
          :max-nodes 1000000 :max-depth 20 :max-buffer 10000000
          :utf8 :error :trailing :error :duplicate-key :error :unknown-ext :error}]))

(defn- instant [ms]
  #?(:clj (java.util.Date. (long ms)) :cljs (js/Date. ms)))

(defn- source
  "A source of random numbers: a function of `n` that returns an integer from 0 to n - 1. It is the same
  on both platforms."
  [seed]
  (let [state (volatile! (inc (mod seed 233280)))
        turn #(vswap! state (fn [x] (mod (+ (* x 9301) 49297) 233280)))]
    (dotimes [_ 3] (turn))
    (fn [n]
      (if (<= n 1000)
        (quot (* n (quot (turn) 10)) 23328)
        (mod (+ (* (turn) 233280 16) (* (turn) 16) (mod (turn) 16)) n)))))

(defn- several [random most f]
  (mapv (fn [_] (f)) (range (random (inc most)))))

(def ^:private letters
  ["a" "b" "Z" "0" " " "_" "-" "é" "ß" "日" "本" "😀" "\"" "\\" "\u0000" "\u007f" "\ufeff" "\uffff"])

(defn- text [random]
  (let [kinds (if (zero? (random 3)) (count letters) 7)
        most (if (zero? (random 20)) 400 12)]
    (apply str (several random most #(nth letters (random kinds))))))

(def ^:private names ["a" "b" "id" "name" "x" "user-id" "été" "k?" "*v*"])

(defn- named [random make]
  (if (zero? (random 3))
    (make (nth ["ns" "a.b" "user"] (random 3)) (nth names (random (count names))))
    (make (str (nth names (random (count names))) (if (zero? (random 2)) "" (random 50))))))

(defn- id [random]
  (let [digits (fn [n] (apply str (several (constantly n) n #(nth "0123456789abcdef" (random 16)))))
        text (str (digits 8) "-" (digits 4) "-4" (digits 3) "-a" (digits 3) "-" (digits 12))]
    #?(:clj (java.util.UUID/fromString text) :cljs (uuid text))))

(defn- integer [random]
  (let [n (case (int (random 4))
            0 (random 300)
            1 (random 70000)
            2 (random 4294967296)
            (+ (* 1048576 (random 8589934592)) (random 1048576)))]
    (if (zero? (random 2)) n (- 0 n))))

(defn- scalar [random]
  (case (int (random 10))
    0 nil
    1 (zero? (random 2))
    (2 3) (integer random)
    4 (+ 0.5 (quot (integer random) 4096))
    5 (named random keyword)
    6 (named random symbol)
    7 (id random)
    8 (instant (- (random 4000000000000) 60000000000))
    (text random)))

(defn value
  "A value of at most `depth` levels."
  [random depth]
  (let [inner #(value random (dec depth))
        most (if (zero? (random 30)) 40 5)
        a-map (fn [a-key] (into {} (several random most (fn [] [(a-key) (inner)]))))]
    (case (int (if (zero? depth) 0 (random 8)))
      (0 1) (scalar random)
      2 (several random most inner)
      3 (apply list (several random most inner))
      4 (set (several random most inner))
      5 (a-map #(named random keyword))
      6 (a-map #(case (int (random 3)) 0 (integer random) 1 (id random) (several random 3 (fn [] (random 9)))))
      (several random most (fn [] (zipmap [:id :name :x] [(integer random) (text random) (inner)]))))))

(defn- same-order?
  "Whether both platforms have the parts of the value in the same order."
  [v]
  (cond
    (map? v) (and (<= (count v) 8) (every? same-order? (vals v)) (every? same-order? (keys v)))
    (set? v) (and (<= (count v) 1) (every? same-order? v))
    (sequential? v) (every? same-order? v)
    :else true))

(defn hex [bytes]
  #?(:clj (.formatHex (java.util.HexFormat/of) bytes)
     :cljs (.join (js/Array.from bytes #(.padStart (.toString % 16) 2 "0")) "")))

(defn unhex [digits]
  #?(:clj (.parseHex (java.util.HexFormat/of) digits)
     :cljs (let [bytes (js/Uint8Array. (quot (count digits) 2))]
             (dotimes [i (.-length bytes)]
               (aset bytes i (js/parseInt (.slice digits (* 2 i) (+ 2 (* 2 i))) 16)))
             bytes)))

(defn samples
  "Values as EDN, and packed in hexadecimal with each of the options."
  [seed]
  (vec (for [i (range how-many)
             :let [v (value (source (+ seed (* 7 i))) (mod i 5))]]
         {"edn" (pr-str v)
          "hex" (mapv #(hex (packord/pack v %)) options)})))

(defn- fault
  "What is wrong with a value that the other platform has packed, or nil."
  [v packed opts]
  (let [read (packord/unpack (unhex packed) opts)
        plain #(hex (packord/pack (packord/unpack (unhex packed))))]
    (cond
      (and (same-order? v) (not-any? opts [:records :float32]) (not= packed (plain)))
      (str "wrote " (plain) " without options in place of " packed)
      (not= v read) (str "read " (pr-str read))
      (and (or (:canonical opts) (same-order? v)) (not= packed (hex (packord/pack v opts))))
      (str "wrote " (hex (packord/pack v opts)) " in place of " packed))))

(defn faults
  "What is wrong with the samples of the other platform."
  [samples]
  (into (if (= (repeat how-many (count options)) (map #(count (get % "hex")) samples)) [] ["samples are missing"])
        (for [{:strs [edn] packed "hex"} samples
              :let [v (edn/read-string edn)]
              [opts one] (map vector options packed)
              :let [wrong (fault v one opts)]
              :when wrong]
          (str wrong " for " edn " with " opts))))
