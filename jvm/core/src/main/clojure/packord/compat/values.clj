(ns ^:no-doc packord.compat.values
  "What the packages that are replaced refuse to pack, and `packord.core` packs as text or as a time."
  (:require
   [packord.extension :as extension])
  (:import
   (clojure.lang Keyword Symbol)
   (java.net InetAddress URI URL)
   (java.nio.file Path)
   (java.time Duration LocalDate LocalDateTime LocalTime MonthDay OffsetDateTime OffsetTime Period Year
              YearMonth ZoneId ZonedDateTime)
   (java.util Currency Locale Optional)
   (packord ClojureException ErrorKind)))

(set! *warn-on-reflection* true)

(def refused
  "An extension that takes these values, after those of the program, and reports that they have no encoding."
  (extension/of-classes
   [Keyword Symbol Character Enum BigDecimal InetAddress URI URL Path Currency Locale
    Optional Duration LocalDate LocalDateTime LocalTime MonthDay OffsetDateTime
    OffsetTime Period Year YearMonth ZoneId ZonedDateTime]
   (fn [_ value]
     (throw (ClojureException. ErrorKind/UNSUPPORTED_TYPE -1 (.getName (class value)) nil nil)))))
