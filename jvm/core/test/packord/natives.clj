(ns packord.natives
  "The values of Clojure's and Java's own types that the vectors of the defaults name."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [packord.vectors :as v])
  (:import
   (clojure.lang BigInt PersistentQueue Ratio)
   (java.io File)
   (java.lang.ref WeakReference)
   (java.lang.reflect Constructor)
   (java.net InetAddress URI URL URLClassLoader)
   (java.nio ByteBuffer)
   (java.nio.file Files Path)
   (java.nio.file.attribute FileAttribute)
   (java.time DayOfWeek Duration LocalDate LocalDateTime LocalTime Month MonthDay OffsetDateTime OffsetTime Period
              Year YearMonth ZoneId ZoneOffset)
   (java.util ArrayDeque ArrayList Collection Currency Date GregorianCalendar HashMap HashSet LinkedHashMap
              LinkedHashSet LinkedList List Locale Map Optional OptionalDouble OptionalLong UUID)
   (java.util.concurrent ConcurrentLinkedQueue)
   (java.util.function Function)
   (javax.tools ToolProvider)))

(set! *warn-on-reflection* true)

(def ^:dynamic *language*
  "The language whose types are made: \"clojure\" or \"java\"."
  "clojure")

(def ^:dynamic *choice*
  "Which of the types that a native stands for is made. The first ones follow the last."
  0)

(def choices
  "More than there are types for any native."
  6)

(defn- choose [& makers]
  ((nth makers (mod *choice* (count makers)))))

(defn- in-clojure? []
  (= "clojure" *language*))

;; ---------------------------------------------------------------- types of the program

(defrecord Point [x y])
(defrecord Line [start end])
(defrecord Single [x])
(defrecord Empty [])

(def ^:private source
  "public class Natives {
     public enum Color { RED, GREEN, BLUE }
     public record Point(Object x, Object y) {}
     public record Line(Object start, Object end) {}
     public record Single(Object x) {}
     public record Empty() {}
     public static class PointBean extends SingleBean {
       private final Object y;
       public PointBean(Object x, Object y) { super(x); this.y = y; }
       public Object getY() { return y; }
     }
     public static class LineBean {
       public final Object start;
       public final Object end;
       public LineBean(Object start, Object end) { this.start = start; this.end = end; }
     }
     public static class SingleBean {
       private final Object x;
       public SingleBean(Object x) { this.x = x; }
       public Object getX() { return x; }
     }
   }")

(def ^:private classes
  "The classes of the source by their names."
  (delay
    (let [dir (.toFile (Files/createTempDirectory "packord" (make-array FileAttribute 0)))
          file (io/file dir "Natives.java")]
      (try
        (spit file source)
        (assert (zero? (.run (ToolProvider/getSystemJavaCompiler) nil nil nil
                             (into-array String ["-d" (str dir) (str file)]))))
        (let [loader (URLClassLoader. (into-array URL [(.toURL (.toURI dir))]))
              natives (.loadClass loader "Natives")]
          (into {} (for [^Class c (.getDeclaredClasses natives)]
                     (do (.getDeclaredConstructors c) [(.getSimpleName c) c]))))
        (finally (run! #(.delete ^File %) (reverse (file-seq dir))))))))

(defn- object [class-name values]
  (let [^Class c (@classes class-name)]
    (.newInstance ^Constructor (first (.getDeclaredConstructors c)) (object-array values))))

(defn- struct-of [class-name values]
  (let [makers (cond-> [#(object class-name values)]
                 (@classes (str class-name "Bean")) (conj #(object (str class-name "Bean") values))
                 (in-clojure?) (conj #(case class-name
                                        "Point" (apply ->Point values)
                                        "Line" (apply ->Line values)
                                        "Single" (apply ->Single values)
                                        "Empty" (->Empty))))]
    (apply choose makers)))

;; ---------------------------------------------------------------- natives

(declare build)

(defn- built [x]
  (mapv build x))

(defn- array-of
  "A primitive array with these dimensions."
  [element [size & more] values]
  (if more
    (let [rows (map #(array-of element more %) (partition (/ (count values) size) values))]
      (into-array (class (first rows)) rows))
    (case element
      "i8" (byte-array values)
      "i16" (short-array values)
      "i32" (int-array values)
      "i64" (long-array values)
      "f32" (float-array values)
      "f64" (double-array values)
      "bool" (boolean-array values))))

(defn- date-of ^LocalDate [[y m d]]
  (LocalDate/of (int y) (int m) (int d)))

(defn- time-of ^LocalTime [[h m s n]]
  (LocalTime/of (int h) (int m) (int s) (int n)))

(defn- offset ^ZoneOffset [seconds]
  (ZoneOffset/ofTotalSeconds (int seconds)))

(defn- point-in-time [{:strs [date time] :as native}]
  (let [t (OffsetDateTime/of (date-of date) (time-of time) (offset (get native "offset")))
        milliseconds? (zero? (long (mod (peek time) 1000000)))]
    (apply choose (cond-> [#(.toInstant t) (constantly t) #(.toZonedDateTime t)
                           #(.atZoneSimilarLocal t (.getOffset t))]
                    milliseconds? (conj #(Date/from (.toInstant t))
                                        #(GregorianCalendar/from (.toZonedDateTime t)))))))

(defn- calendar [{:strs [type fields text]}]
  (let [[a b c] (map #(if (number? %) (int %) %) fields)]
    (case type
      "year" (Year/of a)
      "year_month" (YearMonth/of (int a) (int b))
      "month_day" (MonthDay/of (int a) (int b))
      "month" (Month/of a)
      "day_of_week" (DayOfWeek/of a)
      "period" (Period/of a b c)
      "zone" (ZoneId/of text)
      "offset" (offset a))))

(defn- sequence-of [type elements]
  (let [all (ArrayList. ^Collection elements)]
    (case type
      "iterator" (choose #(.iterator all) #(lazy-seq (seq elements)) #(eduction (map identity) elements))
      "queue" (choose #(ArrayDeque. all) #(ConcurrentLinkedQueue. all) #(into PersistentQueue/EMPTY elements))
      "linked_list" (choose #(LinkedList. all) #(apply list elements))
      "range" (range (count elements))
      "view" (let [m (LinkedHashMap.)]
               (doseq [x elements] (.put m x 1))
               (choose #(.keySet m) #(or (keys m) ())))
      "stream" (.stream all))))

(defn- optional [{:strs [value] :as native}]
  (let [value (build value)]
    (apply choose (concat [#(Optional/ofNullable value)]
                          (when (int? value) [#(OptionalLong/of value)])
                          (when-not (contains? native "value") [#(OptionalLong/empty) #(OptionalDouble/empty)])))))

(defn- cycle-through [kind]
  (case kind
    "array" (doto (ArrayList.) (as-> l (.add l l)))
    "map" (doto (HashMap.) (as-> m (.put m "a" m)))))

(defn- native-of [{:strs [native type of value text hex name] :as n}]
  (case native
    "bigint" (let [big (biginteger (bigint value))]
               (if (in-clojure?)
                 (choose (constantly big) #(BigInt/fromBigInteger big))
                 big))
    "sized_int" (let [x (parse-long value)]
                  (case type "i8" (byte x) "i16" (short x) "i32" (int x) "i64" x))
    "float32" (Float/intBitsToFloat (Integer/parseUnsignedInt (get n "bits") 16))
    "decimal" (BigDecimal. ^String text)
    "fraction" (Ratio. (biginteger (bigint (get n "numerator"))) (biginteger (bigint (get n "denominator"))))
    "numbers" (array-of type (get n "shape" [(count of)]) (built of))
    "bytes" (choose #(ByteBuffer/wrap (v/hex->bytes hex))
                    #(.position (ByteBuffer/wrap (v/hex->bytes (str "aa" hex))) 1))
    "utf16" (String. (char-array (map char (get n "units"))))
    "character" (first text)
    "keyword" (keyword text)
    "symbol" (symbol text)
    "enum" (Enum/valueOf (@classes "Color") name)
    "uuid" (UUID/fromString text)
    "uri" (choose #(URI. text) #(URL. text))
    "path" (choose #(Path/of text (make-array String 0)) #(File. ^String text))
    "locale" (Locale/forLanguageTag text)
    "currency" (Currency/getInstance ^String text)
    "ip" (InetAddress/getByName text)
    "time" (point-in-time n)
    "date_time" (LocalDateTime/of (date-of (get n "date")) (time-of (get n "time")))
    "date" (date-of (get n "date"))
    "time_of_day" (if-let [o (get n "offset")]
                    (OffsetTime/of (time-of (get n "time")) (offset o))
                    (time-of (get n "time")))
    "duration" (Duration/ofSeconds (parse-long (get n "seconds")) (get n "nanoseconds"))
    "calendar" (calendar n)
    "set" (let [elements (built of)]
            (if (in-clojure?)
              (choose #(set elements) #(HashSet. ^Collection elements))
              (choose #(HashSet. ^Collection elements) #(LinkedHashSet. ^Collection elements))))
    "sequence" (sequence-of type (built of))
    "struct" (struct-of name (map (comp build second) (get n "fields")))
    "optional" (optional n)
    "function" (if (in-clojure?)
                 (choose (constantly inc) (constantly (fn [x] x)))
                 (Function/identity))
    "exception" (choose #(IllegalStateException. ^String (get n "message")) #(ex-info (get n "message") {}))
    "regexp" (re-pattern (get n "source"))
    "weak" (WeakReference. "a")
    "reference" (choose #(atom 1) #(volatile! 1) #(delay 1) #(promise) (constantly #'v/build))
    "opaque" (Object.)
    "cycle" (cycle-through (get n "through"))))

(defn build
  "The value of a NATIVE."
  [x]
  (cond
    (not (map? x)) x
    (contains? x "native") (native-of x)
    (and (contains? x "array") (sequential? (get x "array")))
    (let [elements (built (get x "array"))]
      (if (in-clojure?) elements (ArrayList. ^Collection elements)))
    (and (contains? x "map") (sequential? (get x "map")))
    (let [kv (mapcat (fn [[k e]] [(build k) (build e)]) (get x "map"))]
      (if (in-clojure?)
        (apply array-map kv)
        (let [m (LinkedHashMap.)]
          (doseq [[k e] (partition 2 kv)] (.put m k e))
          m)))
    :else (binding [v/*big* biginteger] (v/build x))))

(defn same?
  "Whether a value that was read is this native."
  [native value]
  (cond
    (and (instance? List native) (instance? List value))
    (and (= (count native) (count value)) (every? true? (map same? native value)))
    (and (instance? Map native) (instance? Map value))
    (and (= (count native) (count value))
         (every? (fn [[k e]] (same? e (get value k))) native))
    (and (some-> native class .isArray) (= (class native) (class value))) (= (seq native) (seq value))
    (integer? native) (and (integer? value) (== native value))
    :else (.equals ^Object native value)))
