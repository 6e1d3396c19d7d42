(ns packord.consumers-test
  "Projects that use packord: from Java without Clojure, by deps.edn, by Leiningen, on other
  JDKs. Programs that are not installed are named and skipped."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.child :as child])
  (:import
   (java.io File)
   (java.nio.file Files)
   (java.nio.file.attribute FileAttribute)))

(set! *warn-on-reflection* true)

(def ^:private expression
  (str "(require (quote [packord.core :as p])) "
       "(println (p/unpack (p/pack {:a [1 2.5 {:b nil}]} {:records true}) {:records true :key-fn true}))"))

(def ^:private expected "{:a [1 2.5 {:b nil}]}\n")

(defn- temp-dir ^File []
  (.toFile (Files/createTempDirectory "packord" (make-array FileAttribute 0))))

(defn- delete-all [^File dir]
  (run! #(.delete ^File %) (reverse (file-seq dir))))

(defmacro ^:private in-temp-dir [[dir] & body]
  `(let [~dir (temp-dir)]
     (try ~@body (finally (delete-all ~dir)))))

(defn- class-path-entry
  "The entry of the class path whose path contains a string."
  ^String [text]
  (->> (str/split (System/getProperty "java.class.path") (re-pattern File/pathSeparator))
       (filter #(str/includes? % text))
       first))

(def ^:private classes-dir
  (.getParentFile (.getParentFile (io/file (.toURI (io/resource "packord/Packer.class"))))))

(def ^:private project-dir
  (->> (iterate #(.getParentFile ^File %) classes-dir)
       (take-while some?)
       (filter #(.exists (io/file % "deps.edn")))
       first))

(defn- program
  "The path of a program on the PATH, or nil and a line that it is skipped."
  [program-name]
  (or (->> (str/split (or (System/getenv "PATH") "") (re-pattern File/pathSeparator))
           (map #(io/file % program-name))
           (filter #(.canExecute ^File %))
           first
           str
           not-empty)
      (println "skipped:" program-name "is not installed")))

(def ^:private clojure-jars
  (map class-path-entry ["/org/clojure/clojure/" "/spec.alpha/" "/core.specs.alpha/"]))

(defn- class-path [& entries]
  (str/join File/pathSeparator entries))

(deftest java-programs-run-without-clojure
  (in-temp-dir [dir]
    (let [source (io/file dir "Use.java")]
      (spit source
            (str "import java.util.*; import packord.*;\n"
                 "class Use {\n"
                 "  public static void main(String[] args) {\n"
                 "    Map<String, Object> m = new TreeMap<>();\n"
                 "    m.put(\"a\", List.of(1, 2.5, true)); m.put(\"b\", new byte[0].length);\n"
                 "    Options o = Options.builder().records(true).build();\n"
                 "    System.out.println(Unpacker.of(o).unpack(Packer.of(o).pack(m)));\n"
                 "    try { Unpacker.standard().unpack(new byte[] {(byte) 0x91}); }\n"
                 "    catch (PackordException e) { System.out.println(e.kind() + \" \" + e.offset()); }\n"
                 "  }\n}\n"))
      (is (= {:exit 0 :out "{a=[1, 2.5, true], b=0}\nEOF 1\n"}
             (child/run [child/java-command "-cp" (str classes-dir) (str source)]))))))

(deftest a-deps-edn-project-uses-it
  (in-temp-dir [dir]
    (spit (io/file dir "deps.edn")
          (pr-str {:paths []
                   :deps {'org.clojure/clojure {:mvn/version (clojure-version)}
                          'io.github.packord/packord {:local/root (str project-dir)}}}))
    (let [create-basis (requiring-resolve 'clojure.tools.deps/create-basis)
          basis (create-basis {:dir (str dir) :user nil :project (str (io/file dir "deps.edn"))})
          roots (:classpath-roots basis)]
      (is (some #(str/ends-with? % "src/main/clojure") roots))
      (is (= {:exit 0 :out expected}
             (child/run [child/java-command "-cp" (apply class-path (cons (str classes-dir) roots))
                         "clojure.main" "-e" expression]))))))

(deftest the-clojure-command-uses-it
  (when-let [clojure (program "clojure")]
    (testing "Debian's clojure takes a class path"
      (let [{:keys [exit out]} (child/run [clojure "-cp" (str classes-dir) "-e" expression])]
        (is (zero? exit) out)
        (is (str/ends-with? out expected))))))

(defn- copy-artifacts
  "Puts what a project needs into a Maven repository of its own, so that nothing is downloaded."
  [repository]
  (let [^File jar (io/file (first clojure-jars))
        group (-> jar .getParentFile .getParentFile .getParentFile)]
    (doseq [^File f (file-seq group)
            :when (and (.isFile f)
                       (re-find #"/(clojure|spec\.alpha|core\.specs\.alpha|pom\.contrib)/" (str f))
                       (re-find #"\.(jar|pom)$" (.getName f)))
            :let [target (io/file repository "org" "clojure"
                                  (str (.relativize (.toPath group) (.toPath f))))]]
      (io/make-parents target)
      (io/copy f target))))

(deftest a-leiningen-project-uses-it
  (when-let [lein (program "lein")]
    (in-temp-dir [dir]
      (let [repository (io/file dir "repository")
            group (io/file repository "io" "github" "packord")
            installed (io/file group "packord" "0.1.0")
            parent (io/file group "packord-parent" "0.1.0")
            project (io/file dir "project")]
        (.mkdirs installed)
        (.mkdirs project)
        (copy-artifacts repository)
        (.mkdirs parent)
        (io/copy (io/file project-dir ".." "pom.xml") (io/file parent "packord-parent-0.1.0.pom"))
        (io/copy (io/file project-dir "pom.xml") (io/file installed "packord-0.1.0.pom"))
        (is (zero? (:exit (child/run [(str (io/file (System/getProperty "java.home") "bin" "jar"))
                                      "cf" (str (io/file installed "packord-0.1.0.jar"))
                                      "-C" (str classes-dir) "."]))))
        (spit (io/file project "project.clj")
              (pr-str (list 'defproject 'use "1"
                            :local-repo (str repository)
                            :dependencies [['org.clojure/clojure (clojure-version)]
                                           ['io.github.packord/packord "0.1.0"]])))
        (let [{:keys [exit out]} (child/run [lein "-o" "with-profile" "-base,-system,-user" "run"
                                             "-m" "clojure.main" "-e" expression]
                                            :dir project)]
          (is (zero? exit) out)
          (is (str/ends-with? out expected)))))))

(defn- other-jdks []
  (->> (.listFiles (io/file "/usr/lib/jvm"))
       (map #(io/file % "bin" "java"))
       (filter #(.canExecute ^File %))
       (map #(.getCanonicalPath ^File %))
       distinct
       (remove #{(.getCanonicalPath (io/file child/java-command))})))

(deftest other-jdks-print-no-warning
  (let [jdks (other-jdks)]
    (when (empty? jdks) (println "skipped: no other JDK in /usr/lib/jvm"))
    (doseq [java jdks]
      (is (= {:exit 0 :out expected}
             (child/run [java "-cp" (apply class-path (str classes-dir) clojure-jars)
                         "clojure.main" "-e" expression]))
          java))))

(defn- tested
  "Runs tests with a Java command and a class path; returns the lines that tell how it ended."
  [java path & tests]
  (let [{:keys [exit out]} (child/run (into [java "-XX:-UsePerfData" "-XX:+UseSerialGC" "-cp" path "clojure.main" "-e"
                                             "(println (clojure-version))" "-m" "packord.test-runner"]
                                            tests))
        [version] (str/split-lines out)]
    {:exit exit :version version :end (last (re-seq #"\d+ failures, \d+ errors" out))}))

;; The vectors, which are about the codec in Java, run with other JDKs; with an older Clojure what is written in Clojure.
(deftest the-oldest-clojure-passes-the-tests
  (let [oldest (io/file project-dir "target" "oldest-clojure" "clojure.jar")
        path (str/replace (System/getProperty "java.class.path") (str (first clojure-jars)) (str oldest))]
    (is (.exists oldest))
    (is (= {:exit 0 :version "1.11.4" :end "0 failures, 0 errors"} (tested child/java-command path "packord.extension-test" "packord.rich-test" "packord.view-test")))))

(deftest other-jdks-pass-the-tests
  (doseq [java (other-jdks)]
    (is (= {:exit 0 :version (clojure-version) :end "0 failures, 0 errors"}
           (tested java (System/getProperty "java.class.path")
                   "packord.vectors-test" "packord.rich-test" "packord.view-test"))
        java)))

(deftest the-jar-has-its-licences
  (doseq [licence ["LICENSE-MIT" "LICENSE-APACHE"]]
    (is (= (slurp (io/file project-dir ".." ".." licence))
           (some-> (io/resource (str "META-INF/" licence)) slurp)))))

(deftest reflection-is-only-where-types-of-the-program-are-looked-at
  (doseq [^File f (file-seq (io/file project-dir "src" "main" "java"))
          :when (and (str/ends-with? (.getName f) ".java")
                     (not= "typed" (.getName (.getParentFile f))))]
    (is (not (re-find #"java\.lang\.reflect\.(?!Array|.*Type;|TypeVariable)|sun\.misc|Class\.forName|setAccessible|\bnative\b"
                      (slurp f)))
        (.getName f))))
