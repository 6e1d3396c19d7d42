(ns packord.package-test
  "What Maven Central, Clojars, cljdoc and clj-kondo need of the package."
  (:require
   [clojure.edn :as edn]
   [clojure.java.io :as io]
   [clojure.set :as set]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [clojure.xml :as xml]
   [packord.child :as child]
   [packord.compat.clojure-msgpack])
  (:import
   (java.io ByteArrayInputStream File)
   (java.nio.file Files)
   (java.nio.file.attribute FileAttribute)
   (java.util.jar JarFile)))

(set! *warn-on-reflection* true)

(def ^:private root
  (->> (iterate #(.getParentFile ^File %) (.getAbsoluteFile (io/file ".")))
       (take-while some?)
       (filter #(.isDirectory (io/file % "spec" "vectors")))
       first))

(defn- pom
  "The text at this path of the POM that the artifacts inherit from."
  [& path]
  (loop [element (xml/parse (ByteArrayInputStream. (.getBytes ^String (slurp (io/file root "jvm" "pom.xml")))))
         [tag & more] path]
    (let [child (first (filter #(= tag (:tag %)) (:content element)))]
      (if more (recur child more) (some-> child :content first str/trim)))))

(deftest the-pom-has-what-registries-ask-for
  (is (= ["io.github.packord" "packord-parent" (str/trim (slurp (io/file root "VERSION")))]
         (map pom [:groupId :artifactId :version])))
  (doseq [path [[:name] [:description] [:url] [:licenses :license :name] [:licenses :license :url]
                [:developers :developer :name] [:scm :url] [:scm :connection]
                [:scm :developerConnection] [:scm :tag]]]
    (is (not (str/blank? (apply pom path))) path))
  (testing "the repository is that of the other packages"
    (is (str/includes? (slurp (io/file root "rust" "Cargo.toml"))
                       (str "repository = \"" (pom :scm :url) "\"")))))

(deftest clojurescript-depends-on-the-package-of-npm
  (is (= {:npm-deps {"packord" (pom :version)}}
         (edn/read-string (slurp (io/resource "deps.cljs")))))
  (testing "whose files have the name that the compiler of ClojureScript looks for"
    (is (.isFile (io/file root "js" "host.js")))))

(deftest articles-of-cljdoc-exist
  (let [files (map #(:file (second %))
                   (:cljdoc.doc/tree (edn/read-string (slurp (io/file root "docs" "cljdoc.edn")))))]
    (is (< 5 (count files)))
    (doseq [f files]
      (is (.isFile (io/file root f)) f))
    (testing "and the guides of Clojure are among them"
      (is (set/subset? (set (map second (re-seq #"\((from-[\w-]+\.md)\)"
                                                (re-find #"(?m)^\| Clojure \|.*$"
                                                         (slurp (io/file root "docs" "README.md"))))))
                       (set (map #(.getName (io/file %)) files)))))))

(def ^:private kondo "clj-kondo.exports/io.github.packord/packord/")

(deftest clj-kondo-knows-the-macros
  (let [{{expansions :macroexpand} :hooks} (edn/read-string (slurp (io/resource (str kondo "config.edn"))))]
    (is (seq expansions))
    (doseq [[macro hook] expansions]
      (is (:macro (meta (requiring-resolve macro))) macro)
      (load-reader (io/reader (io/resource (str kondo (-> (namespace hook)
                                                          (str/replace "-" "_")
                                                          (str/replace "." "/"))
                                                ".clj"))))
      (is (= (:arglists (meta (resolve macro))) (:arglists (meta (resolve hook)))) hook))
    (is (= "pack" (eval '(let [f (packord.clojure-msgpack/extend-msgpack Long 1 [a] a [b] (str b))]
                           (f "pack")))))))

(defn- program [program-name]
  (or (->> (str/split (or (System/getenv "PATH") "") (re-pattern File/pathSeparator))
           (map #(io/file % program-name))
           (filter #(.canExecute ^File %))
           first)
      (println "skipped:" program-name "is not installed")))

(defn- copy-tree [^File from ^File to]
  (doseq [^File f (file-seq from)
          :when (.isFile f)
          :let [target (io/file to (str (.relativize (.toPath from) (.toPath f))))]]
    (io/make-parents target)
    (io/copy f target)))

(defn- entries [jar]
  (with-open [jar (JarFile. ^File jar)]
    {:names (into #{} (map #(.getName ^java.util.jar.JarEntry %)) (enumeration-seq (.entries jar)))
     :module (some-> (.getManifest jar) .getMainAttributes (.getValue "Automatic-Module-Name"))}))

(deftest the-jars-of-a-release-are-whole
  (when-let [mvn (program "mvn")]
    (let [dir (.toFile (Files/createTempDirectory "packord" (make-array FileAttribute 0)))
          core (io/file dir "jvm" "core")
          jar (fn [suffix] (entries (io/file core "target" (str "packord-" (pom :version) suffix ".jar"))))]
      (try
        (doseq [licence ["LICENSE-MIT" "LICENSE-APACHE"]]
          (io/copy (io/file root licence) (io/file dir licence)))
        (copy-tree (io/file root "jvm" "core" "src") (io/file core "src"))
        (doseq [path ["jvm/pom.xml" "jvm/core/pom.xml"]]
          (io/copy (io/file root path) (io/file dir path)))
        (let [{:keys [exit out]} (child/run [(str mvn) "-q" "-Prelease" "-DskipTests" "package"]
                                            :dir core)]
          (is (zero? exit) out))
        (let [{:keys [names module]} (jar "")]
          (is (= "packord" module))
          (doseq [entry ["META-INF/LICENSE-MIT" "META-INF/LICENSE-APACHE" "module-info.class"
                         "META-INF/maven/io.github.packord/packord/pom.xml"
                         "packord/Packer.class" "packord/core.clj" "packord/compat/clojure_msgpack.clj"
                         "deps.cljs" "packord/core.cljs" "packord/extension/clojure.cljs"
                         (str kondo "config.edn") (str kondo "packord/clojure_msgpack.clj")]]
            (is (names entry) entry)))
        (is (set/subset? #{"packord/Packer.java" "packord/core.clj" "META-INF/LICENSE-MIT"}
                         (:names (jar "-sources"))))
        (let [{:keys [names]} (jar "-javadoc")]
          (is (set/subset? #{"index.html" "packord/Packer.html"} names))
          (testing "internals are not documented"
            (is (not-any? #(re-find #"packord/(decode|encode|wire|record|compat|typed|ext|columns)/" %) names))))
        (finally (run! #(.delete ^File %) (reverse (file-seq dir))))))))
