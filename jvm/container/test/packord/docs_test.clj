(ns packord.docs-test
  "The examples of README, guides and docstrings that say what they return do return it. Those for Java run with
  nothing but the two artifacts and zstd-jni."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.child :as child]
   [packord.columns]
   [packord.container]
   [packord.core]
   [packord.extension.clojure]
   [packord.kafka]
   [packord.ring]
   [packord.schema]
   [packord.tokens]
   [packord.view])
  (:import
   (com.github.luben.zstd Zstd)
   (java.io File PushbackReader StringReader)
   (packord Packer)
   (packord.container ContainerReader)))

(set! *warn-on-reflection* true)

(def ^:private root
  (->> (iterate #(.getParentFile ^File %) (.getAbsoluteFile (io/file ".")))
       (take-while some?)
       (filter #(.isDirectory (io/file % "spec" "vectors")))
       first))

(def ^:private documents
  ["jvm/README.md" "docs/from-msgpack-clj.md" "docs/from-clojure-msgpack.md"
   "docs/from-jsonista-and-transit.md"])

(defn- blocks [text]
  (map second (re-seq #"(?s)```clojure\n(.*?)```" text)))

(defn- docstring-blocks []
  (for [n '[packord.columns packord.container packord.core packord.extension.clojure packord.ring packord.schema packord.tokens packord.view]
        doc (cons (:doc (meta (the-ns n))) (map (comp :doc meta val) (ns-publics n)))
        :when doc
        block (re-seq #"(?m)(?:^ {6}.*\n?)+" (str doc "\n"))]
    (str/replace block #"(?m)^ {6}" "")))

(defn- rest-of-line [^PushbackReader r]
  (loop [s (StringBuilder.)]
    (let [c (.read r)]
      (if (or (neg? c) (= c (int \newline)))
        (str s)
        (recur (.append s (char c)))))))

(defn- examples
  "Pairs of form and expected result (or ::none) of a block."
  [block]
  (let [r (PushbackReader. (StringReader. block) 1000)]
    (loop [found []]
      (let [form (read {:eof ::end} r)]
        (if (= ::end form)
          found
          (let [line (rest-of-line r)
                line (if (str/blank? line)
                       (let [next-line (rest-of-line r)]
                         (if (str/starts-with? (str/trim next-line) ";")
                           next-line
                           (do (.unread r (.toCharArray (str next-line "\n"))) "")))
                       line)]
            (recur (conj found [form (or (second (re-find #";=>\s*([^;]*)" line)) ::none)]))))))))

(defn- evaluate [block]
  (let [n (create-ns (gensym "packord.example"))]
    (binding [*ns* n]
      (refer-clojure)
      (require '[packord.core :as packord :refer :all]
               '[packord.extension.clojure :as ext.clj]
               '[packord.columns :as columns]
               '[packord.compat.clojure-msgpack :as msg]
               '[packord.container :as container]
               '[packord.schema :as schema]
               '[packord.tokens :as tokens :refer [begin-array begin-map end walker write write-array writer]]
               '[packord.view :refer [view]])
      (doseq [[form expected] (examples block)]
        (let [value (eval form)]
          (when-not (= ::none expected)
            (testing (pr-str form)
              (is (= (eval (list 'quote (read-string expected))) value)))))))
    (remove-ns (ns-name n))))

(deftest examples-return-what-they-say
  (let [with-results (filter #(str/includes? % ";=>")
                             (concat (mapcat #(blocks (slurp (io/file root %))) documents)
                                     (docstring-blocks)))]
    (is (< 5 (count with-results)))
    (run! evaluate with-results)))

(defn- place-of
  "The folder or jar of a class."
  [^Class c]
  (str (io/file (.toURI (.getLocation (.getCodeSource (.getProtectionDomain c)))))))

(deftest the-examples-for-java-run
  (let [readme (slurp (io/file root "jvm" "README.md"))
        class-path (str/join File/pathSeparator (map place-of [Packer ContainerReader Zstd]))]
    (doseq [[program number] {"TokenProgram" 3, "ContainerProgram" 3}
            :let [source (io/file (io/resource (str "packord/" program ".java")))
                  examples (for [[_ indent example] (re-seq #"(?s)\n( *)// begin: \w+\n(.*?) *// end" (slurp source))]
                             (str/replace example (re-pattern (str "(?m)^" indent)) ""))]]
      (is (= {:exit 0 :out "passed\n"} (child/run [child/java-command "-cp" class-path (str source)])))
      (is (= number (count examples)))
      (doseq [example examples]
        (is (str/includes? readme example))))))
