(ns packord.typed-test
  "Types of Java programs, packed and unpacked by a program of records, enums and classes, which runs
  without Clojure on its class path."
  (:require
   [clojure.java.io :as io]
   [clojure.test :refer [deftest is]]
   [packord.child :as child]
   [packord.core :as packord])
  (:import
   (java.io File)
   (packord ErrorKind PackordException Unpacker)))

(set! *warn-on-reflection* true)

(def ^:private classes-dir
  (-> (io/resource "packord/Packer.class") io/file .getParentFile .getParentFile))

(deftest types-of-a-program-come-back
  (is (= {:exit 0 :out "passed true\n"}
         (child/run [child/java-command "-cp" (str classes-dir)
                     (str (io/file (io/resource "packord/TypedProgram.java")))]))))

(deftest other-jdks-know-records-too
  (doseq [^File jdk (.listFiles (io/file "/usr/lib/jvm"))
          :let [java (io/file jdk "bin" "java")]
          :when (and (.canExecute java) (re-find #"2[0-9]" (.getName jdk)))]
    (is (= {:exit 0 :out "passed true\n"}
           (child/run [(str java) "-cp" (str classes-dir)
                       (str (io/file (io/resource "packord/TypedProgram.java")))])))))

(deftest a-float-that-is-too-large-is-refused
  (let [read #(.unpack (Unpacker/standard) ^bytes (packord/pack %) Float/TYPE)]
    (is (= 1.5 (double (read 1.5))))
    (is (= ##Inf (double (read ##Inf))))
    (doseq [value [1e300 -1e300]]
      (is (= ErrorKind/OUT_OF_RANGE (try (read value) (catch PackordException e (.kind e))))))))
