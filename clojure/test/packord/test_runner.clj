(ns packord.test-runner
  "Runs the tests: all of them, or the namespaces named as arguments. Exits with 1 when one fails,
  when there is none, and when a namespace compiles with a reflection warning."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :as test])
  (:import
   (java.io StringWriter)))

(defn- test-namespaces []
  (let [dir (-> (io/resource "packord/test_runner.clj") io/file .getParentFile)]
    (->> (file-seq dir)
         (map #(.getName ^java.io.File %))
         (filter #(str/ends-with? % "_test.clj"))
         (map #(symbol (str "packord." (-> % (str/replace #"\.clj$" "") (str/replace "_" "-")))))
         sort)))

(defn- require-without-warnings
  "Loads the namespaces; returns the lines about reflection in packord's own code."
  [namespaces]
  (let [err (StringWriter.)]
    (binding [*err* err *warn-on-reflection* true]
      (apply require namespaces))
    (print (str err))
    (filter #(and (str/includes? % "eflection warning") (str/includes? % "packord/"))
            (str/split-lines (str err)))))

(defn -main [& args]
  (let [namespaces (or (seq (map symbol args)) (test-namespaces))
        warnings (require-without-warnings namespaces)
        {:keys [test fail error]} (apply test/run-tests namespaces)]
    (run! println warnings)
    (shutdown-agents)
    (System/exit (if (and (pos? test) (zero? (+ fail error)) (empty? warnings)) 0 1))))
