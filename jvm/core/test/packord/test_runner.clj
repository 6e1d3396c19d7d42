(ns packord.test-runner
  "Runs the tests: all of them, or the namespaces named as arguments or by PACKORD_TESTS in the
  environment. Exits with 1 when one fails, when there is none, and when a namespace compiles with a
  reflection warning."
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

(defn- run-tests
  "Runs the tests on a thread whose stack holds what they do themselves with the deepest values, such
  as comparing them. What the codec does on small stacks is tested on threads of their own."
  [namespaces]
  (let [result (promise)
        run #(deliver result (try (apply test/run-tests namespaces) (catch Throwable t t)))]
    (.start (Thread. nil run "tests" (* 64 1024 1024)))
    (if (instance? Throwable @result) (throw @result) @result)))

(defn -main [& args]
  (let [named (or (seq args) (some-> (System/getenv "PACKORD_TESTS") (str/split #" ")))
        namespaces (or (seq (map symbol named)) (test-namespaces))
        warnings (require-without-warnings namespaces)
        {:keys [test fail error]} (run-tests namespaces)]
    (run! println warnings)
    (shutdown-agents)
    (System/exit (if (and (pos? test) (zero? (+ fail error)) (empty? warnings)) 0 1))))
