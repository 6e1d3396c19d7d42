(ns packord.typed-vectors-test
  "The vectors of typed targets, read into types of Java that are compiled for them."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.core :as packord]
   [packord.vectors :as v])
  (:import
   (java.io File)
   (java.net URL URLClassLoader)
   (java.nio.file Files)
   (java.nio.file.attribute FileAttribute)
   (java.util LinkedHashMap List Map Optional)
   (javax.tools ToolProvider)
   (packord ErrorKind Options PackordException TypeRef Unpacker)))

(set! *warn-on-reflection* true)

(def ^:private nullable
  "Cases of nil where a reference of Java may be null."
  #{"nil as str" "nil as bin" "nil as a list" "nil as a map" "nil as a struct" "nil as an enum"})

(def ^:private numbers
  {"i8" ["byte" "Byte"], "i16" ["short" "Short"], "i32" ["int" "Integer"], "i64" ["long" "Long"]
   "f32" ["float" "Float"], "f64" ["double" "Double"], "bool" ["boolean" "Boolean"]})

(defn- has-type?
  "Whether Java has a type: it has no unsigned integers, and no class that refuses unknown fields."
  [t]
  (cond
    (map? t) (and (not (contains? t "unknown"))
                  (every? has-type? (if (contains? t "struct") (map second (get t "struct")) (vals t))))
    (coll? t) true
    :else (not (#{"u8" "u16" "u32" "u64"} t))))

(def ^:private cases
  (remove #(or (nullable (get % "name")) (not (has-type? (get % "type")))) (v/cases "typed")))

(defn- class-name
  "The name of the record or enum of a type."
  [t]
  (str "T" (Integer/toUnsignedString (hash t))))

(defn- java-type [t boxed?]
  (if (string? t)
    (if-let [names (numbers t)]
      (nth names (if boxed? 1 0))
      (case t "any" "Object", "str" "String", "bin" "byte[]"))
    (let [[kind of] (first t)]
      (case kind
        "option" (str "Optional<" (java-type of true) ">")
        "list" (str "List<" (java-type of true) ">")
        "map" (str "Map<String, " (java-type of true) ">")
        ("struct" "enum") (class-name t)))))

(defn- declarations
  "The records and enums of a type."
  [t]
  (when (map? t)
    (let [[kind of] (first t)]
      (case kind
        "struct" (cons (str "public record " (class-name t) "("
                            (str/join ", " (for [[n f] of] (str (java-type f false) " " n))) ") {}")
                       (mapcat (comp declarations second) of))
        "enum" [(str "public enum " (class-name t) " {" (str/join ", " of) "}")]
        (declarations of)))))

(defn- source [types]
  (str "import java.util.*; import packord.TypeRef; public class Types {\n"
       (str/join "\n" (distinct (mapcat declarations types)))
       "\npublic static List<TypeRef<?>> all() { return List.of(new TypeRef<?>[] {\n"
       (str/join ",\n" (for [t types] (str "new TypeRef<" (java-type t true) ">() {}")))
       "}); } }"))

(defn- compiled
  "The types as Java has them. A primitive type is its class."
  [types]
  (let [dir (.toFile (Files/createTempDirectory "packord" (make-array FileAttribute 0)))
        file (io/file dir "Types.java")]
    (try
      (spit file (source types))
      (let [args (into-array String ["-cp" (System/getProperty "java.class.path") "-d" (str dir) (str file)])
            loader (URLClassLoader. (into-array URL [(.toURL (.toURI dir))]) (.getContextClassLoader (Thread/currentThread)))]
        (assert (zero? (.run (ToolProvider/getSystemJavaCompiler) nil nil nil args)))
        (doseq [^File f (.listFiles dir)
                :when (str/ends-with? (.getName f) ".class")]
          (.loadClass loader (str/replace (.getName f) ".class" "")))
        (zipmap types (.invoke (.getMethod (.loadClass loader "Types") "all" (make-array Class 0)) nil (object-array 0))))
      (finally (run! #(.delete ^File %) (reverse (file-seq dir)))))))

(def ^:private primitives
  {"i8" Byte/TYPE, "i16" Short/TYPE, "i32" Integer/TYPE, "i64" Long/TYPE, "f32" Float/TYPE, "f64" Double/TYPE
   "bool" Boolean/TYPE})

(defn- read-into [^Unpacker unpacker ^bytes b t type-ref]
  (if-let [primitive (primitives t)]
    (.unpack unpacker b ^Class primitive)
    (.unpack unpacker b ^TypeRef type-ref)))

(defn- plain
  "A value of Java as the values of vectors are."
  [x]
  (cond
    (instance? Optional x) (plain (.orElse ^Optional x nil))
    (instance? Enum x) (.name ^Enum x)
    (instance? java.lang.Record x) (let [m (LinkedHashMap.)]
                           (doseq [^java.lang.reflect.RecordComponent c (.getRecordComponents (class x))]
                             (.put m (.getName c) (plain (.invoke (.getAccessor c) x (object-array 0)))))
                           m)
    (instance? Map x) (let [m (LinkedHashMap.)]
                        (doseq [[k e] x] (.put m k (plain e)))
                        m)
    (instance? List x) (mapv plain x)
    (instance? Float x) (double x)
    (and (integer? x) (not (instance? Long x))) (long x)
    :else x))

(defn- detail [^PackordException e]
  (second (str/split (ex-message e) (re-pattern (str ": " (.description ^ErrorKind (.kind e)) ": ")) 2)))

(defn- in-java
  "A detail with Java's names of types."
  [text]
  (some-> text (str/replace #"does not fit (\w+)$" #(str "does not fit " (first (numbers (second %)))))))

(deftest vectors-are-read-into-types-of-java
  (let [types (compiled (distinct (map #(get % "type") cases)))]
    (is (< 130 (count cases)))
    (doseq [c cases]
      (testing (get c "name")
        (let [t (get c "type")
              ^Options options (.options (packord/unpacker (v/options c)))
              outcome (try {:value (read-into (Unpacker/of options) (v/expand (get c "bytes")) t (types t))}
                           (catch PackordException e
                             {:error {"kind" (.id (.kind e)) "offset" (.offset e) "path" (.path e) "detail" (detail e)}}))]
          (if-let [error (get c "error")]
            (is (v/fails? (cond-> error (contains? error "detail") (update "detail" in-java)) outcome))
            (let [value (get c "value")
                  value (if (and (map? value) (contains? value "f32")) {"f32" (get value "f32")} value)]
              (is (v/same? (plain (v/build value)) (plain (:value outcome)))))))))))
