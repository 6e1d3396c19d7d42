(ns packord.allocation-test
  "Packing leaves no garbage: a message costs the bytes that it is, and at most 64 more."
  (:require
   [clojure.test :refer [deftest is]]
   [packord.core :as packord]
   [packord.measure :refer [allocated]]))

(set! *warn-on-reflection* true)

(defn- least-allocated
  "Bytes that a call of `f` allocates: the least of some rounds, as the JIT compiler and the
  benchmark's own objects are not meant."
  ^long [f]
  (reduce min (repeatedly 50 #(allocated 0 20 f))))

(defn- long-string [word n]
  (apply str (repeat n word)))

(def ^:private documents
  {"tiny" 1
   "English" (long-string "the sun and the moon " 50)
   "one quote" (str (long-string "the sun " 30) "’" (long-string "and the moon " 30))
   "German" (long-string "Äcker und Bäume " 40)
   "Chinese" (long-string "我们今天去图书馆" 60)
   "emoji" (long-string "😀🎉🚀" 200)
   "short strings" (vec (repeat 100 "über ’quotes’"))
   "maps" (vec (for [i (range 100)] {:id i :name (str "user " i) :score 1.5 :active true}))
   "large maps" (vec (for [_ (range 20)] (into {} (map (fn [i] [(keyword (str "column" i)) i])) (range 40))))
   "maps in maps" (nth (iterate #(zipmap (map str (range 12)) (cons % (range 11))) nil) 6)
   "numbers" (vec (range 1000))})

(deftest a-message-costs-at-most-64-bytes-more-than-it-is
  (let [c (packord/codec {:key-fn true})]
    (doseq [[title document] documents
            :let [size (alength ^bytes (packord/pack document c))]]
      (is (<= (least-allocated #(packord/pack document c)) (+ size 64)) title))))
