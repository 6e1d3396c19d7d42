(ns packord.architecture-test
  "Imports between the packages of the Java core go one way, and only its API is exported.

  The package `packord` is both ends of the order. Packers, unpackers, readers and writers are the
  top. What every package needs, such as errors, options and the interfaces of extensions, is the
  bottom: it must be in the exported package, and it depends on nothing above it."
  (:require
   [clojure.java.io :as io]
   [clojure.set :as set]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.child :as child])
  (:import
   (java.io File InputStream)
   (java.lang.module ModuleDescriptor ModuleDescriptor$Exports)
   (java.nio.file Files)
   (java.nio.file.attribute FileAttribute)))

(set! *warn-on-reflection* true)

(def ^:private classes-dir
  (-> (io/resource "packord/Packer.class") io/file .getParentFile .getParentFile))

(def ^:private source-dir
  (->> (iterate #(.getParentFile ^File %) classes-dir)
       (take-while some?)
       (map #(io/file % "src" "main"))
       (filter #(.isDirectory (io/file % "java")))
       first))

(def ^:private top-classes
  #{"ClojureData" "ColumnsView" "MessageReader" "MessageWriter" "Packer" "Pool" "StepStream" "TokenWriter" "View" "Walker"
    "Unpacker"})

(def ^:private floors
  "From the top to the bottom. Packages of one floor do not know each other."
  [#{"packord (top)"}
   #{"packord.compat"}
   #{"packord.decode"}
   #{"packord.encode"}
   #{"packord.record" "packord.ext" "packord.typed" "packord.columns"}
   #{"packord.wire"}
   #{"packord (bottom)"}])

(defn- without-comments-and-strings [source]
  (str/replace source #"(?s)/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"" ""))

(def ^:private sources
  "The code of each class, by its qualified name."
  (into (sorted-map)
        (for [^File f (file-seq (io/file source-dir "java"))
              :when (str/ends-with? (.getName f) ".java")
              :let [code (without-comments-and-strings (slurp f))
                    package (second (re-find #"(?m)^package ([\w.]+);" code))]]
          [(str package "." (str/replace (.getName f) ".java" "")) code])))

(defn- package-of [class-name]
  (subs class-name 0 (str/last-index-of class-name ".")))

(defn- simple-name [class-name]
  (subs class-name (inc (long (str/last-index-of class-name ".")))))

(defn- room [class-name]
  (let [package (package-of class-name)]
    (cond
      (not= "packord" package) package
      (top-classes (simple-name class-name)) "packord (top)"
      :else "packord (bottom)")))

(defn- floor [class-name]
  (first (keep-indexed (fn [i rooms] (when (rooms (room class-name)) i)) floors)))

(defn- used-by [class-name]
  (let [code (sources class-name)
        body (str/replace code #"(?m)^(?:package|import) .*$" "")
        words (set (re-seq #"\w+" body))]
    (disj (set/union (set (filter sources (map second (re-seq #"import ([\w.]+);" code))))
                     (set (filter #(and (= (package-of class-name) (package-of %))
                                        (words (simple-name %)))
                                  (keys sources))))
          class-name)))

(def ^:private uses
  "The classes that the code of a class names: those that it imports, and others of its package."
  (into {} (map (juxt identity used-by)) (keys sources)))

(deftest each-package-uses-only-packages-below-it
  (is (< 40 (count sources)))
  (doseq [class-name (keys sources)
          used (uses class-name)
          :when (not= (room class-name) (room used))]
    (is (some? (floor class-name)) (str class-name " is in no floor"))
    (is (< (long (floor class-name)) (long (floor used))) (str class-name " uses " used))))

(deftest nothing-is-named-by-its-qualified-name
  (doseq [[class-name code] sources]
    (is (not (re-find #"packord\.\w" (str/replace code #"(?m)^(?:package|import) .*$" "")))
        class-name)))

(def ^:private knows-markers
  "The main loop of the decoder, and the magic of container files. This list may only become shorter."
  #{"Decoder.java" "ScalarDecoder.java" "KeyCache.java" "HeaderReader.java"})

(deftest markers-are-known-in-wire-alone
  (let [files (for [part ["core" "kafka" "jackson" "container" "connect" "spark"]
                    ^File f (file-seq (io/file source-dir ".." ".." ".." part "src" "main" "java"))
                    :when (and (str/ends-with? (.getName f) ".java") (not= "wire" (.getName (.getParentFile f))))]
                f)]
    (is (< 200 (count files)))
    (is (= knows-markers
           (set (for [^File f files
                      :when (re-find #"\bMarker\.[A-Z]|\b0x(?:c[1-9a-f]|d[0-9a-f]|[9ae][0-9a-f])\b"
                                     (without-comments-and-strings (slurp f)))]
                  (.getName f)))))))

(defn- reachable [class-name]
  (loop [found #{}, open (uses class-name)]
    (if (empty? open)
      found
      (let [found (into found open)]
        (recur found (set/difference (set (mapcat uses open)) found))))))

(deftest circles-are-of-three-classes-at-most
  (let [reach (into {} (map (juxt identity reachable)) (keys sources))]
    (doseq [class-name (keys sources)
            :let [circle (filter #(and ((reach class-name) %) ((reach %) class-name))
                                 (keys sources))]]
      (is (<= (count circle) 3) (str/join " " circle)))))

(deftest class-names-are-unique
  (is (apply distinct? (map simple-name (keys sources)))))

(deftest one-package-is-exported-to-all
  (let [^ModuleDescriptor descriptor
        (with-open [in (io/input-stream (io/file classes-dir "module-info.class"))]
          (ModuleDescriptor/read ^InputStream in))]
    (is (= "packord" (.name descriptor)))
    (is (= #{"packord"}
           (set (for [^ModuleDescriptor$Exports e (.exports descriptor) :when (not (.isQualified e))] (.source e)))))
    (is (= #{"packord.connect" "packord.container" "packord.jackson" "packord.spark"} (set (mapcat #(.targets ^ModuleDescriptor$Exports %) (.exports descriptor)))))
    (is (empty? (.opens descriptor)))))

(defn- compile-and-run
  "Compiles a class Use with these statements in a module of its own, and runs it."
  [imports statements & types]
  (let [dir (.toFile (Files/createTempDirectory "packord" (make-array FileAttribute 0)))
        program (fn [p] (str (io/file (System/getProperty "java.home") "bin" p)))]
    (try
      (spit (io/file dir "module-info.java") "module use { requires packord; }")
      (.mkdir (io/file dir "use"))
      (spit (io/file dir "use" "Use.java")
            (str "package use; " imports " public class Use {"
                 " public static void main(String[] args) { " statements " } }"
                 (str/join types)))
      (let [compiled (child/run [(program "javac") "-p" (str classes-dir) "-d" (str dir)
                                 (str (io/file dir "module-info.java"))
                                 (str (io/file dir "use" "Use.java"))])]
        (if (zero? (long (:exit compiled)))
          (child/run [(program "java") "-p" (str classes-dir File/pathSeparator dir)
                      "-m" "use/use.Use"])
          compiled))
      (finally (run! #(.delete ^File %) (reverse (file-seq dir)))))))

(deftest programs-in-modules-see-the-api-alone
  (is (= {:exit 0 :out "[1, x]\n"}
         (compile-and-run "import packord.*; import java.util.List;"
                          (str "System.out.println(Unpacker.standard().unpack("
                               "Packer.standard().pack(List.of(1, \"x\"))));"))))
  (let [{:keys [exit out]} (compile-and-run "import packord.decode.Decoder;" "Decoder d = null;")]
    (is (= 1 exit))
    (is (re-find #"package packord.decode is declared in module packord, which does not export it"
                 out))))

(deftest what-a-module-does-not-open-is-refused
  (let [try-all (str "for (Object value : List.of(new Hidden(1), new Bean())) for (Options options : List.of("
                     "Options.builder().build(), Options.builder().sortKeys(true).build())) try {"
                     " Packer.of(options).pack(List.of(value));"
                     " System.out.println(\"packed\"); } catch (PackordException error) {"
                     " System.out.println(error.getMessage()); }")
        types (str "class Hidden { private final int x; Hidden(int x) { this.x = x; }"
                   " public int getX() { return x; } }"
                   "class Bean { public int y; }")
        line #(str "unsupported_type at $[0]: type has no encoding: use." % ": its module does not open use to packord\n")]
    (is (= {:exit 0 :out (str (line "Hidden") (line "Hidden") (line "Bean") (line "Bean"))}
           (compile-and-run "import packord.*; import java.util.List;" try-all types)))))

(deftest the-clojure-namespaces-use-exported-packages-alone
  (doseq [^File f (file-seq (io/file source-dir "clojure"))
          :when (str/ends-with? (.getName f) ".clj")
          package (map second (re-seq #"(?m)^\s*\(?(?::import\s*)?\((packord[\w.]*) [A-Z]" (slurp f)))]
    (testing (str f)
      (is (#{"packord" "packord.container" "packord.kafka"} package)))))
