(ns packord.columns
  "Columns of a value that was packed with `:columns true`, read one by one without the rest.

      (require '[packord.core :as packord]
               '[packord.columns :as columns])

      (def rows (mapv (fn [i] {:id i, :price (/ i 2.0), :name (str \"item \" i)}) (range 1000)))
      (def v (columns/view (packord/pack rows {:columns true})))
      (map :path (columns/columns v))             ;=> (\"\" \"[]\" \"[].id\" \"[].price\" \"[].name\")
      (reduce + (columns/longs v \"[].id\"))        ;=> 499500
      (nth (columns/doubles v \"[].price\") 3)     ;=> 1.5
      (nth (columns/values v \"[].name\") 7)        ;=> \"item 7\"

  A path names a column by what is around it: `[]` is the elements of arrays, `.name` the values of a key,
  `{}` the values of maps and `{key}` their keys. The value itself has the path \"\"."
  (:require
   [packord.core :as packord])
  (:import
   (java.nio Buffer)
   (java.util Locale)
   (packord ColumnsView ColumnsView$Column Ext Unpacker))
  (:refer-clojure :exclude [longs doubles]))

(set! *warn-on-reflection* true)

(defn view
  "Returns a view of the columns of a message, a byte array, that is one value stored by column; or of an Ext
  of type 92, which is what such a value is unpacked as without `:columns`.

  `opts`: see [[packord.core/codec]]; `:columns` may be off. Throws ExceptionInfo: of kind
  `:type-mismatch` for another value, and as `unpack`. A fault in a column is found when it is read. The bytes
  are kept, and should not change."
  (^ColumnsView [message]
   (view message nil))
  (^ColumnsView [message opts]
   (let [^Unpacker u (packord/unpacker opts)]
     (if (instance? Ext message)
       (.columns u ^Ext message)
       (.columns u ^bytes message)))))

(defn columns
  "Returns all columns in the order of the payload, each with `:path`, `:kind`, `:n`, the number of its values,
  and `:missing`, the number of maps without its key. The kinds are those of spec/columns.md, such as `:int`,
  `:dict`, `:struct`.

      (columns v)   ; [{:path \"\", :kind :list, :n 1, :missing 0} …]"
  [^ColumnsView v]
  (mapv (fn [^ColumnsView$Column c]
          {:path (.path c)
           :kind (keyword (.toLowerCase (str (.kind c)) Locale/ROOT))
           :n (.size c)
           :missing (.missing c)})
        (.columns v)))

(defn- column ^ColumnsView$Column [^ColumnsView v path]
  (or (.column v path)
      (throw (IllegalArgumentException. (str "no column " (pr-str path))))))

(defn values
  "Returns the values of a column as a vector: what `unpack` returns for them, one for each map that has the key.
  Throws IllegalArgumentException if there is no such column."
  [v path]
  (vec (.values (column v path))))

(defn present
  "Returns which maps have the key of a column, a boolean for each map around it in order; nil if none lacks it,
  or if the column is not that of a key."
  [v path]
  (some-> (.present (column v path)) vec))

(defn lengths
  "Returns the number of elements of each array of a column, or of entries of each map, as a vector; nil if the column
  is not of kind `:list` or `:map`. The columns in it have as many values as these have together."
  [v path]
  (some-> (.lengths (column v path)) vec))

(defn nils
  "Returns the number of nils in a column. What is missing is in [[columns]]."
  [v path]
  (.nils (column v path)))

(defn longs
  "Returns a column of integers as an array; those of 2^63 and more as the long of the same bits. Throws
  IllegalStateException if it has other values."
  ^longs [v path]
  (.longs (column v path)))

(defn doubles
  "Returns a column of floats as an array. Throws IllegalStateException if it has other values."
  ^doubles [v path]
  (.doubles (column v path)))

(defn buffer
  "Returns the numbers of a column in place, without a copy, as a read-only buffer of java.nio: ByteBuffer,
  ShortBuffer, IntBuffer or LongBuffer of integers, FloatBuffer or DoubleBuffer of floats. Returns nil where they
  are stored otherwise. Integers from 0 up have no sign: a byte of -1 is 255."
  ^Buffer [v path]
  (.buffer (column v path)))
