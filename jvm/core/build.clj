(ns build
  "Compiles the Java sources: `clojure -T:build javac`. Tools that use this folder as a dependency
  call it through :deps/prep-lib."
  (:require
   [clojure.tools.build.api :as b]))

(defn javac
  "Compiles src/main/java into target/classes."
  [_]
  (b/javac {:src-dirs ["src/main/java"]
            :class-dir "target/classes"
            :basis (b/create-basis {:project "deps.edn"})
            :javac-opts ["--release" "11"]}))

(defn clean
  "Deletes target."
  [_]
  (b/delete {:path "target"}))
