(ns packord.cljs.runner
  "Compiles the ClojureScript tests, runs them in Node and in Chromium, and compares what they wrote
  with the JVM. Exits with 1 when something differs. With BENCH=1 it measures instead."
  (:require
   [cljs.build.api :as cljs]
   [clojure.java.io :as io]
   [packord.cljs.generated :as generated]
   [packord.core :as packord]
   [packord.vectors :as v])
  (:import
   (com.fasterxml.jackson.databind ObjectMapper)
   (java.io File)
   (java.lang ProcessBuilder$Redirect)
   (java.nio.file Files)
   (java.nio.file.attribute FileAttribute)))

(def ^:private target (io/file "target" "tests"))

(defn- write-json [file-name value]
  (.writeValue (ObjectMapper.) (io/file target file-name) value))

(defn- read-json [file-name type]
  (.readValue (ObjectMapper.) (io/file target file-name) ^Class type))

(defn- link-package
  "Puts the JavaScript package of this repository where npm would install it."
  []
  (let [link (.toPath (io/file "target" "node_modules" "packord"))]
    (.mkdirs (.toFile (.getParent link)))
    (Files/deleteIfExists link)
    (Files/createSymbolicLink link (.toPath (.getCanonicalFile (io/file "../../js")))
                              (make-array FileAttribute 0))))

(defn- compile-tests
  "Compiles to a module that npm's packages are bundled with, as programs for browsers are."
  [main]
  (cljs/build (cljs/inputs main)
              {:main main
               :parallel-build true
               :target :bundle
               :optimizations :advanced
               :infer-externs :auto
               :node-modules-dirs ["target/node_modules"]
               :process-shim false
               :output-dir (str (io/file "target" "cljs"))
               :output-to (str (io/file target "main.js"))
               :install-deps false
               :closure-warnings {:non-standard-jsdoc :off}}))

(defn- run-node [& args]
  (let [builder (ProcessBuilder. ^java.util.List (into ["node" "test/run.mjs"] args))]
    (.redirectErrorStream builder true)
    (.redirectOutput builder ProcessBuilder$Redirect/INHERIT)
    (.waitFor (.start builder))))

(defn- sample-faults [file-name]
  (generated/faults (map #(into {} %) (read-json file-name java.util.List))))

(defn- loosely
  "A value without the difference of 1.0 and 1, which JavaScript has not."
  [x]
  (cond
    (and (double? x) (== x (Math/rint x)) (< (Math/abs (double x)) 9007199254740992.0)
         (not (and (zero? (double x)) (neg? (/ 1.0 (double x)))))) (long x)
    (and (double? x) (Double/isNaN x)) ::nan
    (instance? java.util.Map x) (into {} (map (fn [[k v]] [(loosely k) (loosely v)])) x)
    (instance? java.util.List x) (mapv loosely x)
    (bytes? x) (vec x)
    :else x))

(defn- repacked-faults
  "Valid vectors whose value differs after ClojureScript read and wrote it."
  [file-name]
  (let [repacked (into {} (read-json file-name java.util.Map))]
    (for [c (v/cases "valid")
          :let [written (get repacked (get c "name"))]
          :when (and written
                     (not= (loosely (packord/unpack (v/expand (get c "bytes")) {:timestamps :timestamp}))
                           (loosely (packord/unpack (v/hex->bytes written) {:timestamps :timestamp}))))]
      (str (get c "name") ": " written))))

(defn -main []
  (.mkdirs ^File target)
  (link-package)
  (if (System/getenv "BENCH")
    (do (compile-tests 'packord.cljs.bench)
        (System/exit (run-node "bench")))
    (let [_ (write-json "jvm.json" (generated/samples 1))
          _ (compile-tests 'packord.cljs.main)
          status (run-node)
          faults (when (zero? status)
                   (concat (sample-faults "node.json") (repacked-faults "repacked.json")))]
      (run! println (take 20 faults))
      (shutdown-agents)
      (System/exit (if (and (zero? status) (empty? faults)) 0 1)))))
