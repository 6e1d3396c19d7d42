(ns packord.interop-test
  "msgpack-java reads all that we write without records, and we all that it writes."
  (:require
   [clojure.test :refer [deftest is]]
   [clojure.test.check.clojure-test :refer [defspec]]
   [clojure.test.check.generators :as gen]
   [clojure.test.check.properties :as prop]
   [packord.core :refer [pack unpack]]
   [packord.vectors :as v])
  (:import
   (java.util Arrays)
   (org.msgpack.core MessagePack MessagePacker MessageUnpacker)
   (org.msgpack.value Value)))

(set! *warn-on-reflection* true)

(defn- read-peer ^Value [^bytes b]
  (with-open [^MessageUnpacker u (MessagePack/newDefaultUnpacker b)]
    (let [value (.unpackValue u)]
      (assert (not (.hasNext u)))
      value)))

(defn- beyond-instant?
  "Timestamps that java.time.Instant, and so msgpack-java, cannot hold."
  [c]
  (when-let [[seconds] (and (map? (get c "value")) (get-in c ["value" "timestamp"]))]
    (> (Math/abs (double (parse-long seconds))) 3.1556889864403199E16)))

(defn- write-peer ^bytes [^Value value]
  (with-open [p (MessagePack/newDefaultBufferPacker)]
    (.packValue ^MessagePacker p value)
    (.toByteArray p)))

;; msgpack-java's values widen float 32 to float 64, keep one of 0.0 and -0.0 as keys, and
;; overflow the stack at depth 1024.
(deftest msgpack-java-and-packord-read-each-other
  (doseq [c (v/cases "valid")
          :let [b (v/expand (get c "bytes"))]
          :when (and (get c "default") (not (contains? c "options")) (not (beyond-instant? c))
                     (not (re-find #"nested to|float32|-0.0" (get c "name"))))]
    (let [peer (read-peer b)]
      (is (Arrays/equals b (write-peer peer)) (get c "name"))
      (is (v/same? (v/build (get c "value")) (unpack (write-peer peer))) (get c "name")))))

(defspec what-it-writes-we-read 300
  (prop/for-all [x (gen/recursive-gen
                    (fn [inner] (gen/one-of [(gen/vector inner) (gen/map gen/string inner)]))
                    (gen/one-of [gen/large-integer gen/string gen/boolean (gen/return nil)
                                 (gen/double* {:NaN? false})]))]
    (let [ours (pack x)
          theirs (write-peer (read-peer ours))]
      (and (= x (unpack theirs))
           (= (read-peer ours) (read-peer (pack (unpack theirs))))))))
