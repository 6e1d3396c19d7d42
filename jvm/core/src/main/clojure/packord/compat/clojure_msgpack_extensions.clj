(ns packord.compat.clojure-msgpack-extensions
  "The ext types of clojure-msgpack's `msgpack.clojure-extensions`. Loading this namespace makes
  `packord.compat.clojure-msgpack` pack and unpack keywords (3), symbols (4), characters (5),
  ratios (6) and sets (7), in the whole program."
  (:require
   [packord.compat.clojure-msgpack :as msg :refer [extend-msgpack]])
  (:import
   (clojure.lang IPersistentSet Keyword Ratio Symbol)
   (packord ClojureData)))

(set! *warn-on-reflection* true)

(extend-msgpack Keyword 3
  [k] (msg/pack (subs (str k) 1))
  [payload] (keyword (msg/unpack payload)))

(extend-msgpack Symbol 4
  [s] (msg/pack (str s))
  [payload] (symbol (msg/unpack payload)))

(extend-msgpack Character 5
  [c] (msg/pack (str c))
  [payload] (first (msg/unpack payload)))

(extend-msgpack Ratio 6
  [r] (msg/pack [(numerator r) (denominator r)])
  [payload] (let [[n d] (msg/unpack payload)] (/ n d)))

(extend-msgpack IPersistentSet 7
  [s] (msg/pack (seq s))
  [payload] (ClojureData/set (or (msg/unpack payload) [])))
