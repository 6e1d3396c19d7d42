(ns packord.extension.clojure
  "Extensions for types of Clojure and java.time that MessagePack lacks. The option `:rich` has all of them;
  here they are one by one, for `:extensions`.

  | extension | values | ext type |
  |-----------|--------|----------|
  | [[keyword-ext]] | keywords, with their namespace | 80 |
  | [[symbol-ext]] | symbols, with their namespace | 81 |
  | [[character-ext]] | Character | 82 |
  | [[ratio-ext]] | Ratio | 83 |
  | [[decimal-ext]] | BigDecimal | 84 |
  | [[uuid-ext]] | UUID | 85 |
  | [[set-ext]] | sets | 86 |
  | [[date-ext]] [[time-ext]] [[duration-ext]] | LocalDate, LocalTime, Duration | 87, 88, 89 |
  | [[calendar-ext]] | all other types of java.time but points in time, which are timestamps | 95 |
  | [[typed-array-ext]] | arrays of short, int, long, float, double | 116 |"
  (:require
   [packord.extension :as extension])
  (:import
   (clojure.lang BigInt Keyword Ratio Symbol)
   (java.math BigInteger)
   (java.nio ByteBuffer)
   (java.nio.charset StandardCharsets)
   (java.time DayOfWeek LocalDate LocalDateTime LocalTime Month MonthDay OffsetDateTime OffsetTime
              Period Year YearMonth ZoneId ZoneOffset ZonedDateTime)
   (java.util.function Consumer)
   (packord ClojureData ExtensionPacker ExtensionUnpacker)))

(set! *warn-on-reflection* true)

(defn- malformed [what]
  (throw (IllegalArgumentException. (str "not a " what))))

(defn- utf8 ^bytes [^String s]
  (.getBytes s StandardCharsets/UTF_8))

(defn- string ^String [^bytes payload what]
  (or (not-empty (ClojureData/utf8 payload))
      (malformed what)))

(defn- extension
  ([type classes pack unpack]
   (extension type classes pack unpack Long/MAX_VALUE))
  ([type classes pack unpack max-length]
   (extension/of-classes type classes pack unpack true max-length)))

(def keyword-ext
  "Keywords as ext 80, the namespace kept. One without a name is text, as without the extension."
  (extension 80 [Keyword]
             (fn [^ExtensionPacker p ^Keyword v]
               (let [text (.toString (.-sym v))]
                 (if (= "" text)
                   (.packValue p text)
                   (.packExtension p 80 (utf8 text)))))
             (fn [u _] (or (ClojureData/keyword u) (malformed "name")))))

(def symbol-ext
  "Symbols as ext 81, the namespace kept. One without a name is text, as without the extension."
  (extension 81 [Symbol]
             (fn [^ExtensionPacker p ^Symbol v]
               (let [text (.toString v)]
                 (if (= "" text)
                   (.packValue p text)
                   (.packExtension p 81 (utf8 text)))))
             (fn [^ExtensionUnpacker u n] (symbol (string (.readPayload u (int n)) "name")))))

(def set-ext "Sets as ext 86." (ClojureData/richType 86))

(def character-ext
  "Characters as ext 82. A code point beyond 16 bits, which no Character holds, stays an ext."
  (ClojureData/richType 82))

(def decimal-ext "BigDecimals as ext 84, with their scale." (ClojureData/richType 84))

(def uuid-ext "UUIDs as ext 85, 16 bytes." (ClojureData/richType 85))

(def time-ext "LocalTime as ext 88: nanoseconds since midnight." (ClojureData/richType 88))

(def duration-ext "java.time.Duration as ext 89: nanoseconds and seconds." (ClojureData/richType 89))

(def typed-array-ext
  "Arrays of short, int, long, float and double as ext 116, as msgpackr writes typed arrays. Those of other
  types stay exts."
  (ClojureData/richType 116))

(defn- pack-of
  "Writes an ext of what `write` writes to the packer that it is given."
  [^ExtensionPacker packer type write]
  (.packExtensionOf packer type (reify Consumer (accept [_ p] (write p)))))

(defn- at-end? [^ExtensionUnpacker u]
  (zero? (.remaining u)))

(defn- integer-of
  "A Long if it fits, else a BigInt."
  [^BigInteger n]
  (if (< (.bitLength n) 64) (.longValue n) (BigInt/fromBigInteger n)))

(def ^:private ^:const longest-number
  "Bytes of a payload whose digits are not converted in linear time."
  65536)

(defn- lowest-terms?
  "Whether a fraction is in lowest terms, as far as that is checked in linear time."
  [^BigInteger n ^BigInteger d]
  (or (not (and (ClojureData/isWithin64Bits n) (ClojureData/isWithin64Bits d)))
      (= BigInteger/ONE (.gcd n d))))

(def ratio-ext
  "Ratios as ext 83."
  (extension 83 [Ratio]
             (fn [packer ^Ratio v]
               (pack-of packer 83 (fn [^ExtensionPacker p]
                                    (.packBigInteger p (.-numerator v))
                                    (.packBigInteger p (.-denominator v)))))
             (fn [^ExtensionUnpacker u _]
               (let [n (.unpackBigInteger u)
                     d (.unpackBigInteger u)]
                 (when-not (and (at-end? u) (pos? (.signum d)) (lowest-terms? n d))
                   (malformed "ratio"))
                 (if (= BigInteger/ONE d)
                   (integer-of n)
                   (Ratio. n d))))
             longest-number))

(defn- int-range? [n]
  (<= Integer/MIN_VALUE (long n) Integer/MAX_VALUE))

(defn- pack-calendar [packer kind fields]
  (pack-of packer 95 (fn [^ExtensionPacker p]
                       (doseq [field (cons kind fields)] (.packScalar p field)))))

(defn- pack-date [^ExtensionPacker packer ^LocalDate date]
  (let [day (.toEpochDay date)]
    (if (int-range? day)
      (.packExtension packer 87 (.array (.putInt (ByteBuffer/allocate 4) (int day))))
      (pack-calendar packer 0 [day]))))

(def date-ext
  "LocalDate as ext 87: days since 1970-01-01 in 32 bits. Dates that these do not hold, about six million
  years away, are those of [[calendar-ext]]."
  (extension 87 [LocalDate]
             pack-date
             (fn [^ExtensionUnpacker u n]
               (when-not (= 4 (long n)) (malformed "date"))
               (LocalDate/ofEpochDay (.getInt (ByteBuffer/wrap (.readPayload u 4)))))))

(defn- far-date [days]
  (when (int-range? days) (malformed "date outside 32 bits"))
  (LocalDate/ofEpochDay days))

(defn- date-time [days nanos]
  (LocalDateTime/of (LocalDate/ofEpochDay days) (LocalTime/ofNanoOfDay nanos)))

(defn- date-time-fields [^LocalDateTime v]
  [(.toEpochDay (.toLocalDate v)) (.toNanoOfDay (.toLocalTime v))])

(defn- offset-of ^ZoneOffset [seconds]
  (ZoneOffset/ofTotalSeconds (Math/toIntExact seconds)))

(defn- offset-seconds [^ZoneOffset v]
  (long (.getTotalSeconds v)))

(defn- zoned [days nanos offset ^String zone]
  ;; Not ofStrict: the rules of a zone may have changed since the value was written.
  (ZonedDateTime/ofInstant (date-time days nanos) (offset-of offset) (ZoneId/of zone)))

(def ^:private calendar-kinds
  "What each kind of ext 95 is read by, and how many fields it has."
  [[far-date 1]
   [date-time 2]
   [(fn [days nanos offset] (OffsetDateTime/of ^LocalDateTime (date-time days nanos) (offset-of offset))) 3]
   [zoned 4]
   [(fn [nanos offset] (OffsetTime/of (LocalTime/ofNanoOfDay nanos) (offset-of offset))) 2]
   [(fn [year] (Year/of (Math/toIntExact year))) 1]
   [(fn [year month] (YearMonth/of (Math/toIntExact year) (Math/toIntExact month))) 2]
   [(fn [month day] (MonthDay/of (Math/toIntExact month) (Math/toIntExact day))) 2]
   [(fn [month] (Month/of (Math/toIntExact month))) 1]
   [(fn [day] (DayOfWeek/of (Math/toIntExact day))) 1]
   [(fn [years months days]
      (Period/of (Math/toIntExact years) (Math/toIntExact months) (Math/toIntExact days))) 3]
   [offset-of 1]
   [(fn [^String zone] (ZoneId/of zone)) 1]])

(defprotocol ^:private Calendar
  (calendar-fields [v] "The kind of a value in ext 95, and its fields."))

(extend-protocol Calendar
  LocalDateTime
  (calendar-fields [v] (into [1] (date-time-fields v)))
  OffsetDateTime
  (calendar-fields [v] (conj (into [2] (date-time-fields (.toLocalDateTime v)))
                             (offset-seconds (.getOffset v))))
  ZonedDateTime
  (calendar-fields [v] (conj (into [3] (date-time-fields (.toLocalDateTime v)))
                             (offset-seconds (.getOffset v)) (.getId (.getZone v))))
  OffsetTime
  (calendar-fields [v] [4 (.toNanoOfDay (.toLocalTime v)) (offset-seconds (.getOffset v))])
  Year
  (calendar-fields [v] [5 (.getValue v)])
  YearMonth
  (calendar-fields [v] [6 (.getYear v) (.getMonthValue v)])
  MonthDay
  (calendar-fields [v] [7 (.getMonthValue v) (.getDayOfMonth v)])
  Month
  (calendar-fields [v] [8 (.getValue v)])
  DayOfWeek
  (calendar-fields [v] [9 (.getValue v)])
  Period
  (calendar-fields [v] [10 (.getYears v) (.getMonths v) (.getDays v)])
  ZoneOffset
  (calendar-fields [v] [11 (offset-seconds v)])
  ZoneId
  (calendar-fields [v] [12 (.getId v)]))

(def calendar-ext
  "The types of java.time that are neither points in time nor those of [[date-ext]], [[time-ext]] and
  [[duration-ext]], as ext 95: date-times with and without an offset or zone, OffsetTime, Year, YearMonth,
  MonthDay, Month, DayOfWeek, Period, ZoneOffset, ZoneId."
  (extension 95 [LocalDate LocalDateTime OffsetDateTime ZonedDateTime OffsetTime Year YearMonth MonthDay Month
                   DayOfWeek Period ZoneId]
             (fn [packer v]
               (if (instance? LocalDate v)
                 (pack-date packer v)
                 (let [[kind & fields] (calendar-fields v)]
                   (pack-calendar packer kind fields))))
             (fn [^ExtensionUnpacker u _]
               (let [kind (.unpackScalar u)
                     [make size] (when (int? kind) (get calendar-kinds kind))
                     fields (when make (vec (repeatedly size #(.unpackScalar u))))]
                 (when-not (and make (at-end? u) (every? #(or (int? %) (string? %)) fields))
                   (malformed "calendar value"))
                 (apply make fields)))))

(def extensions
  "All of them."
  [keyword-ext symbol-ext set-ext character-ext ratio-ext decimal-ext uuid-ext date-ext time-ext duration-ext
   calendar-ext typed-array-ext])
