(ns packord.extension.clojure
  "Extensions for types of Clojure and java.time that MessagePack lacks.

      (require '[packord.core :as packord]
               '[packord.extension.clojure :as ext.clj])

      (def opts {:extensions ext.clj/extensions})
      (packord/unpack (packord/pack 'some-symbol opts) opts)   ;=> some-symbol

  | extension | values | ext type |
  |-----------|--------|----------|
  | [[keyword-ext]] | keywords, with their namespace | 3 |
  | [[symbol-ext]] | symbols, with their namespace | 4 |
  | [[set-ext]] | sets | 5 |
  | [[character-ext]] | Character | 82 |
  | [[ratio-ext]] | Ratio | 83 |
  | [[decimal-ext]] | BigDecimal | 84 |
  | [[uuid-ext]] | UUID | 85 |
  | [[date-ext]] [[time-ext]] [[duration-ext]] | LocalDate, LocalTime, Duration | 87, 88, 89 |
  | [[calendar-ext]] | all other types of java.time but Instant, which is a timestamp | 95 |
  | [[bigint-ext]] | BigInt and BigInteger beyond 64 bits | 66 |
  | [[typed-array-ext]] | arrays of short, int, long, float, double | 116 |

  [[extensions]] has all but the last. Types 3, 4 and 5 are those of msgpack-clj; in
  [[portable-extensions]] keywords, symbols and sets have packord's own types 80, 81 and 86, which
  its other languages know. Either set reads both."
  (:require
   [packord.extension :as extension])
  (:import
   (clojure.lang BigInt IPersistentSet Keyword Ratio Symbol)
   (java.math BigInteger)
   (java.nio ByteBuffer ByteOrder)
   (java.nio.charset StandardCharsets)
   (java.time DayOfWeek Duration LocalDate LocalDateTime LocalTime Month MonthDay OffsetDateTime OffsetTime
              Period Year YearMonth ZoneId ZoneOffset ZonedDateTime)
   (java.util Collections List UUID)
   (java.util.function Consumer)
   (packord ClojureData Ext Extension ExtensionPacker ExtensionUnpacker)))

(set! *warn-on-reflection* true)

(def ^:private array-of-shorts (class (short-array 0)))
(def ^:private array-of-ints (class (int-array 0)))
(def ^:private array-of-longs (class (long-array 0)))
(def ^:private array-of-floats (class (float-array 0)))
(def ^:private array-of-doubles (class (double-array 0)))

(defn- malformed [what]
  (throw (IllegalArgumentException. (str "not a " what))))

(defn- utf8 ^bytes [^String s]
  (.getBytes s StandardCharsets/UTF_8))

(defn- string ^String [^bytes payload what]
  (or (not-empty (ClojureData/utf8 payload))
      (malformed what)))

(defn- extension
  "An extension that packs `classes` as `type` by `pack`, a function of packer and value, and
  unpacks all of `types` by `unpack`, a function of unpacker and payload length."
  ([types classes pack unpack]
   (extension types classes pack unpack Long/MAX_VALUE))
  ([types classes pack unpack max-length]
   (let [classes (into-array Class classes)
         types (set types)]
     (reify Extension
       (classes [_] classes)
       (canPack [_ value] (boolean (some #(instance? % value) classes)))
       (canUnpack [_ type-byte] (contains? types (long type-byte)))
       (maxLength [_ _] (long max-length))
       (pack [_ packer value] (pack packer value))
       (unpack [_ unpacker header] (unpack unpacker (.getLength header)))))))

(defn- keyword-extension [type]
  (extension [3 80] [Keyword]
             (fn [^ExtensionPacker p ^Keyword v]
               (.packExtension p type (utf8 (.toString (.-sym v)))))
             (fn [u _] (or (ClojureData/keyword u) (malformed "name")))))

(defn- symbol-extension [type]
  (extension [4 81] [Symbol]
             (fn [^ExtensionPacker p ^Symbol v]
               (.packExtension p type (utf8 (.toString v))))
             (fn [^ExtensionUnpacker u n] (symbol (string (.readPayload u (int n)) "name")))))

(def keyword-ext
  "Keywords as ext 3, as msgpack-clj writes them; reads 80 too."
  (keyword-extension 3))

(def symbol-ext
  "Symbols as ext 4, the namespace kept; reads 81 too."
  (symbol-extension 4))

(defn- pack-of
  "Writes an ext of what `write` writes to the packer that it is given."
  [^ExtensionPacker packer type write]
  (.packExtensionOf packer type (reify Consumer (accept [_ p] (write p)))))

(defn- at-end? [^ExtensionUnpacker u]
  (zero? (.remaining u)))

(defn- set-extension [type]
  (extension [5 86] [IPersistentSet]
             (fn [packer v]
               (pack-of packer type (fn [^ExtensionPacker p] (.packValue p (Collections/unmodifiableSet v)))))
             (fn [^ExtensionUnpacker u _]
               (let [elements (.unpackValue u)]
                 (when-not (and (instance? List elements) (at-end? u))
                   (malformed "set"))
                 (let [s (ClojureData/set elements)]
                   (if (= (count s) (count elements)) s (malformed "set")))))))

(def set-ext
  "Sets as ext 5, as msgpack-clj writes them; reads 86 too."
  (set-extension 5))

(def character-ext
  "Characters as ext 82. A code point beyond 16 bits, which no Character holds, stays an ext."
  (extension [82] [Character]
             (fn [^ExtensionPacker p v]
               (when (Character/isSurrogate v) (malformed "character"))
               (.packExtension p 82 (utf8 (str v))))
             (fn [^ExtensionUnpacker u n]
               (let [payload (.readPayload u (int n))
                     s (string payload "character")]
                 (cond
                   (= 1 (.length s)) (.charAt s 0)
                   (= 1 (.codePointCount s 0 (.length s))) (Ext. 82 payload)
                   :else (malformed "character"))))))

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
  (extension [83] [Ratio]
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

(def decimal-ext
  "BigDecimals as ext 84, with their scale."
  (extension [84] [BigDecimal]
             (fn [packer ^BigDecimal v]
               (pack-of packer 84 (fn [^ExtensionPacker p]
                                    (.packScalar p (.scale v))
                                    (.writePayload p (.toByteArray (.unscaledValue v))))))
             (fn [^ExtensionUnpacker u _]
               (let [scale (.unpackScalar u)
                     digits (.readPayload u (.remaining u))]
                 (when-not (and (instance? Long scale)
                                (<= Integer/MIN_VALUE (long scale) Integer/MAX_VALUE)
                                (pos? (alength digits)))
                   (malformed "decimal"))
                 (let [unscaled (BigInteger. digits)]
                   (when-not (= (alength digits) (alength (.toByteArray unscaled)))
                     (malformed "decimal"))
                   (BigDecimal. unscaled (int scale)))))
             longest-number))

(defn- fixed-ext
  "An extension whose payload has `size` bytes, written and read through a ByteBuffer."
  [type size class put ->value]
  (extension [type] [class]
             (fn [^ExtensionPacker packer v]
               (let [b (ByteBuffer/allocate size)]
                 (put b v)
                 (.packExtension packer type (.array b))))
             (fn [^ExtensionUnpacker u n]
               (when-not (= size n) (malformed (str type)))
               (->value (ByteBuffer/wrap (.readPayload u (int n)))))))

(def uuid-ext
  "UUIDs as ext 85, 16 bytes. Without it they are packed as strings."
  (fixed-ext 85 16 UUID
             (fn [^ByteBuffer b ^UUID v]
               (.putLong b (.getMostSignificantBits v))
               (.putLong b (.getLeastSignificantBits v)))
             (fn [^ByteBuffer b] (UUID. (.getLong b) (.getLong b)))))

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
  (extension [87] [LocalDate]
             pack-date
             (fn [^ExtensionUnpacker u n]
               (when-not (= 4 (long n)) (malformed "date"))
               (LocalDate/ofEpochDay (.getInt (ByteBuffer/wrap (.readPayload u 4)))))))

(def time-ext
  "LocalTime as ext 88: nanoseconds since midnight."
  (fixed-ext 88 8 LocalTime
             (fn [^ByteBuffer b ^LocalTime v] (.putLong b (.toNanoOfDay v)))
             (fn [^ByteBuffer b] (LocalTime/ofNanoOfDay (.getLong b)))))

(def duration-ext
  "java.time.Duration as ext 89: nanoseconds and seconds."
  (fixed-ext 89 12 Duration
             (fn [^ByteBuffer b ^Duration v]
               (.putInt b (.getNano v))
               (.putLong b (.getSeconds v)))
             (fn [^ByteBuffer b]
               (let [nanos (Integer/toUnsignedLong (.getInt b))]
                 (when (> nanos 999999999) (malformed "duration"))
                 (Duration/ofSeconds (.getLong b) nanos)))))

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
  (extension [95] [LocalDate LocalDateTime OffsetDateTime ZonedDateTime OffsetTime Year YearMonth MonthDay Month
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

(def bigint-ext
  "Integers beyond 64 bits as ext 66, as the option `:bigint` does; smaller ones as usual."
  (extension [66] [BigInt BigInteger]
             (fn [^ExtensionPacker p v] (.packBigInteger p (biginteger v)))
             (fn [^ExtensionUnpacker u n]
               (when (zero? (long n)) (malformed "bigint"))
               (integer-of (BigInteger. (.readPayload u (int n)))))))

(defn- little-endian ^ByteBuffer [^ByteBuffer b]
  (.order b ByteOrder/LITTLE_ENDIAN))

(defn- typed-payload
  "The payload of `n` elements, which `put` copies from an array to a buffer at once."
  ^bytes [code size n put]
  (let [b (little-endian (ByteBuffer/allocate (inc (* (long size) (long n)))))]
    (.put b (unchecked-byte code))
    (put b)
    (.array b)))

(defn- pack-typed [^ExtensionPacker p array]
  (.packExtension
   p 116
   (condp instance? array
     array-of-shorts (typed-payload 3 2 (alength ^shorts array)
                                    (fn [^ByteBuffer b] (.put (.asShortBuffer b) ^shorts array)))
     array-of-ints (typed-payload 5 4 (alength ^ints array)
                                  (fn [^ByteBuffer b] (.put (.asIntBuffer b) ^ints array)))
     array-of-floats (typed-payload 7 4 (alength ^floats array)
                                    (fn [^ByteBuffer b] (.put (.asFloatBuffer b) ^floats array)))
     array-of-doubles (typed-payload 8 8 (alength ^doubles array)
                                     (fn [^ByteBuffer b] (.put (.asDoubleBuffer b) ^doubles array)))
     (typed-payload 9 8 (alength ^longs array)
                    (fn [^ByteBuffer b] (.put (.asLongBuffer b) ^longs array))))))

(defn- size-of [^ByteBuffer b size]
  (when-not (zero? (rem (.remaining b) (long size)))
    (malformed "typed array"))
  (quot (.remaining b) (long size)))

(defn- elements [b size read]
  (mapv (fn [_] (read b)) (range (size-of b size))))

(defn- unpack-typed [^ByteBuffer b]
  (let [code (.get b)]
    (case code
      (0 16 17) (let [a (byte-array (.remaining b))] (.get b a) a)
      (1 2) (short-array (elements b 1 (fn [^ByteBuffer b] (bit-and 0xff (.get b)))))
      3 (let [a (short-array (size-of b 2))] (.get (.asShortBuffer b) a) a)
      4 (int-array (elements b 2 (fn [^ByteBuffer b] (bit-and 0xffff (.getShort b)))))
      5 (let [a (int-array (size-of b 4))] (.get (.asIntBuffer b) a) a)
      6 (long-array (elements b 4 (fn [^ByteBuffer b] (bit-and 0xffffffff (.getInt b)))))
      7 (let [a (float-array (size-of b 4))] (.get (.asFloatBuffer b) a) a)
      8 (let [a (double-array (size-of b 8))] (.get (.asDoubleBuffer b) a) a)
      9 (let [a (long-array (size-of b 8))] (.get (.asLongBuffer b) a) a)
      10 (elements b 8 (fn [^ByteBuffer b]
                         (integer-of (BigInteger. (Long/toUnsignedString (.getLong b))))))
      (malformed "typed array"))))

(def typed-array-ext
  "Arrays of short, int, long, float and double as ext 116, as msgpackr writes typed arrays.
  Unsigned elements are read into the next wider array, 64-bit unsigned ones into a vector."
  (extension [116] [array-of-shorts array-of-ints array-of-longs array-of-floats array-of-doubles]
             pack-typed
             (fn [^ExtensionUnpacker u n]
               (when (zero? (long n)) (malformed "typed array"))
               (unpack-typed (little-endian (ByteBuffer/wrap (.readPayload u (int n))))))))

(def ^:private common
  [character-ext ratio-ext decimal-ext uuid-ext date-ext time-ext duration-ext bigint-ext
   calendar-ext])

(def extensions
  "Extensions for common types; keywords, symbols and sets as msgpack-clj writes them."
  (into [keyword-ext symbol-ext set-ext] common))

(def portable-extensions
  "Extensions for common types, all with packord's own ext types."
  (into [(keyword-extension 80)
         (symbol-extension 81)
         (set-extension 86)]
        common))
