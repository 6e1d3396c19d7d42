(ns packord.features-test
  (:require
   [clojure.string :as str]
   [clojure.test :refer [deftest is]]
   [packord.features :as features]))

(set! *warn-on-reflection* true)

(deftest the-table-of-features-is-what-its-program-makes
  (let [[_ text] (features/parts)]
    (is (= text (features/table text)))
    (is (not (str/includes? text "?")))
    (is (every? #(str/includes? % "| ✓ |") (drop 2 (str/split-lines text))) "a row without any package")))
