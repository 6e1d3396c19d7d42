(ns packord.child
  "Runs functions of the tests in a JVM of their own."
  (:require
   [clojure.string :as str])
  (:import
   (java.io File)))

(set! *warn-on-reflection* true)

(def java-command
  (str (System/getProperty "java.home") File/separator "bin" File/separator "java"))

(defn run
  "Runs a command in a folder; returns `:exit` and `:out` with both its outputs."
  [command & {:keys [^File dir env]}]
  (let [builder (doto (ProcessBuilder. ^java.util.List (vec command))
                  (.redirectErrorStream true))
        _ (when dir (.directory builder dir))
        _ (doseq [[k v] env] (.put (.environment builder) k v))
        process (.start builder)]
    (.close (.getOutputStream process))
    {:out (slurp (.getInputStream process))
     :exit (.waitFor process)}))

(defn clojure
  "Calls the function with this qualified name, with strings of `args`, in a JVM with `jvm-opts`."
  [jvm-opts function & args]
  (let [[namespace-name] (str/split function #"/")]
    (run (concat [java-command "-XX:-UsePerfData" "-XX:+UseSerialGC"] jvm-opts
                 ["-cp" (System/getProperty "java.class.path") "clojure.main" "-e"
                  (str "(require '" namespace-name ") (" function " "
                       (str/join " " (map (comp pr-str str) args)) ")"
                       "(flush) (System/exit 0)")]))))
