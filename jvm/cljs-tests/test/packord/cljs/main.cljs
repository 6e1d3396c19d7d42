(ns packord.cljs.main
  "What the harness calls: one function, whose arguments and results are JSON."
  (:require
   [cljs.test :as test]
   [goog.object :as gobject]
   [packord.cljs.api-test]
   [packord.cljs.defaults :as defaults]
   [packord.cljs.generated :as generated]
   [packord.cljs.vectors :as vectors]))

(def ^:private finished (volatile! nil))

(defmethod test/report [::test/default :end-run-tests] [m]
  (@finished (clj->js (select-keys m [:test :pass :fail :error]))))

(defn- api []
  (js/Promise. (fn [resolve]
                 (vreset! finished resolve)
                 (test/run-tests 'packord.cljs.api-test))))

(defn- run [task json]
  (let [given (when json (js->clj (js/JSON.parse json)))]
    (case task
      "api" (api)
      "vectors" (clj->js (vectors/run given))
      "defaults" (clj->js (defaults/run given))
      "repacked" (clj->js (vectors/repacked given))
      "samples" (clj->js (generated/samples given))
      "faults" (clj->js (generated/faults given)))))

(gobject/set js/globalThis "packordTests" run)
(gobject/set js/globalThis "packordHostile"
             (fn [case-json bytes] (vectors/hostile (js->clj (js/JSON.parse case-json)) bytes)))
