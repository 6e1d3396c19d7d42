(ns packord.exhaustive-test
  "Short inputs, all of them, against a reader that follows the specification word by word. Of the
  inputs of three bytes one in 61, unless PACKORD_EXHAUSTIVE=1 is in the environment."
  (:require
   [clojure.test :refer [deftest is]]
   [packord.core :refer [unpack]]
   [packord.vectors :as v])
  (:import
   (java.nio ByteBuffer CharBuffer)
   (java.nio.charset CodingErrorAction StandardCharsets)
   (packord PackordException Unpacker)))

(set! *warn-on-reflection* true)

(defn- number-at
  "The unsigned number in `n` bytes."
  ^long [^bytes b ^long at ^long n]
  (loop [i 0 x 0]
    (if (= i n)
      x
      (recur (inc i) (bit-or (bit-shift-left x 8) (bit-and 0xff (aget b (+ at i))))))))

(defn- ill-formed-at
  "The index of the first byte of `b` in `[from, to)` that is not UTF-8, or nil."
  [^bytes b from to]
  (let [bytes (ByteBuffer/wrap b from (- (long to) (long from)))
        decoder (doto (.newDecoder StandardCharsets/UTF_8)
                  (.onMalformedInput CodingErrorAction/REPORT))]
    (when (.isError (.decode decoder bytes (CharBuffer/allocate (alength b)) true))
      (.position bytes))))

(declare read-value)

(defn- read-all
  "Reads `n` values with `pending` more awaited; the position pending them, or the error."
  [^bytes b at n pending]
  (loop [at at left (long n)]
    (if (or (vector? at) (zero? left))
      at
      (recur (read-value b at (+ (long pending) (dec left))) (dec left)))))

(defn- payload-end
  "The end of a payload of `n` bytes, or the error."
  [^bytes b ^long at ^long n]
  (if (< (- (alength b) at) n) ["eof" (alength b)] (+ at n)))

(defn- sized
  "Reads what follows a header with a size of `width` bytes: `(f start size)`."
  [^bytes b ^long at ^long width f]
  (if (< (- (alength b) at) width)
    ["eof" (alength b)]
    (f (+ at width) (number-at b at width))))

(defn- read-text [^bytes b start n]
  (let [end (payload-end b start n)
        bad (when-not (vector? end) (ill-formed-at b start end))]
    (if bad ["invalid_utf8" bad] end)))

(defn- read-container [^bytes b start n pending]
  (if (> (+ (long n) (long pending)) (- (alength b) (long start)))
    ["eof" (alength b)]
    (read-all b start n pending)))

(defn- read-ext
  "Reads the type, which is at `at`, and a payload; all types but -1 are kept as they are."
  [^bytes b ^long mark ^long at ^long n]
  (let [end (payload-end b at (inc n))]
    (cond
      (vector? end) end
      (and (= -1 (aget b at)) (not (#{4 8 12} n))) ["invalid_timestamp" mark]
      :else end)))

(defn- read-value
  "The position pending the value at `at`, or a vector of the error's kind and offset. Numbers of
  nanoseconds are not looked at: they do not fit into three bytes."
  [^bytes b ^long at ^long pending]
  (if (= at (alength b))
    ["eof" at]
    (let [m (bit-and 0xff (aget b at))
          start (inc at)
          width #(bit-shift-left 1 (- m (long %)))]
      (cond
        (or (< m 0x80) (>= m 0xe0) (#{0xc0 0xc2 0xc3} m)) start
        (< m 0x90) (read-container b start (* 2 (- m 0x80)) pending)
        (< m 0xa0) (read-container b start (- m 0x90) pending)
        (< m 0xc0) (read-text b start (- m 0xa0))
        (= m 0xc1) ["reserved_marker" at]
        (<= m 0xc6) (sized b start (width 0xc4) #(payload-end b %1 %2))
        (<= m 0xc9) (let [w (long (width 0xc7))]
                      (if (< (- (alength b) start) (inc w))
                        ["eof" (alength b)]
                        (read-ext b at (+ start w) (number-at b start w))))
        (<= m 0xcb) (payload-end b start (* 4 (long (width 0xca))))
        (<= m 0xcf) (payload-end b start (width 0xcc))
        (<= m 0xd3) (payload-end b start (width 0xd0))
        (<= m 0xd8) (read-ext b at start (width 0xd4))
        (<= m 0xdb) (sized b start (width 0xd9) #(read-text b %1 %2))
        (<= m 0xdd) (sized b start (* 2 (long (width 0xdc))) #(read-container b %1 %2 pending))
        :else (sized b start (* 2 (long (width 0xde)))
                     #(read-container b %1 (* 2 (long %2)) pending))))))

(defn- expected
  "What the specification says about a message: nil, or kind and offset of the error."
  [^bytes b]
  (let [end (read-value b 0 0)]
    (cond
      (vector? end) end
      (< (long end) (alength b)) ["trailing_bytes" end])))

(defn- outcome [f]
  (try (f) nil (catch RuntimeException e [(.id (.kind (PackordException/of e))) (.offset (PackordException/of e))])))

(def ^:private step
  (if (= "1" (System/getenv "PACKORD_EXHAUSTIVE")) 1 61))

(defn- faults
  "The inputs of `n` bytes, every `step`th, that are read otherwise than the specification says."
  [^long n ^long step]
  (let [java (Unpacker/standard)
        b (byte-array n)]
    (loop [x 0 wrong []]
      (if (or (<= (bit-shift-left 1 (* 8 n)) x) (< 20 (count wrong)))
        wrong
        (do
          (dotimes [i n]
            (aset b i (unchecked-byte (bit-shift-right x (* 8 (- n 1 i))))))
          (let [right (expected b)]
            (recur (+ x step)
                   (if (and (= right (outcome #(unpack b)))
                            (= right (outcome #(.unpack java b))))
                     wrong
                     (conj wrong (v/bytes->hex b))))))))))

(deftest every-short-input-gets-the-verdict-of-the-specification
  (is (= ["eof" 0] (expected (byte-array 0)) (outcome #(unpack (byte-array 0)))))
  (is (= [] (faults 1 1)))
  (is (= [] (faults 2 1)))
  (is (= [] (faults 3 step))))
