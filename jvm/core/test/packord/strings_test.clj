(ns packord.strings-test
  "Strings of every alphabet and length are written as UTF-8, and read back, as the JDK does it."
  (:require
   [clojure.test :refer [deftest is]]
   [packord.core :refer [pack unpack]])
  (:import
   (clojure.lang ExceptionInfo)
   (java.nio.charset StandardCharsets)
   (java.util Arrays Random)))

(set! *warn-on-reflection* true)

(def ^:private alphabets
  "Code points by the bytes that they take, with the question mark that the JDK writes for unknown ones."
  [[(int \a)] [(int \?)] [(int \a) (int \b) (int \c) (int \d) (int \e) (int \?)]
   (into [0xe4 0xff 0x80] (map int "the quick brown fox"))
   (into [0x2019] (map int "the quick brown fox jumps over the lazy dog?"))
   [0x4e2d 0x6587] [0x1f600 0x10ffff] [0x7f 0x80 0x7ff 0x800 0xffff 0x10000 0xd7ff 0xe000]
   (into [0x1f600 0x100 0x4e2d 0xe9] (map int "many ASCII letters, and a question?"))])

(defn- text ^String [^Random random alphabet n]
  (let [b (StringBuilder.)]
    (dotimes [_ n] (.appendCodePoint b (int (nth alphabet (.nextInt random (count alphabet))))))
    (str b)))

(defn- payload [^bytes packed n]
  (Arrays/copyOfRange packed (int (- (alength packed) (long n))) (alength packed)))

(deftest strings-of-every-alphabet-are-utf-8
  (let [random (Random. 5)]
    (doseq [alphabet alphabets
            n (concat (range 0 70) [255 256 1000 5000 65536])
            :let [s (text random alphabet n)
                  utf8 (.getBytes s StandardCharsets/UTF_8)
                  packed (pack s)]]
      (is (= s (unpack packed)))
      (is (Arrays/equals utf8 ^bytes (payload packed (alength utf8)))))))

(deftest lone-surrogates-are-found-at-their-character
  (let [random (Random. 6)]
    (doseq [alphabet alphabets
            n [0 1 7 8 15 16 17 40 300]
            surrogate ["\ud800" "\udc00"]
            more [0 1 9 100]
            :let [before (text random alphabet n)
                  s (str before surrogate (text random [(int \x)] more))
                  message (try (pack s) (catch ExceptionInfo e (ex-message e)))]]
      (is (= (str "invalid_utf8 at $: str is not valid UTF-8: lone surrogate at character "
                  (count before))
             message))
      (is (= (str before "\ufffd" (apply str (repeat more \x)))
             (unpack (pack s {:utf8 :replace})))))))

(deftest ill-formed-strings-are-refused-at-any-place
  (doseq [n [1 8 16 17 40 300]
          at [0 (quot n 2) (dec n)]
          filler ["a" "é" "中"]
          :let [broken (.getBytes (str (apply str (repeat n filler))) StandardCharsets/UTF_8)
                size (quot (alength broken) (long n))
                _ (aset-byte broken (* (long at) size) -1)
                length (alength broken)
                packed (byte-array (concat [0xdb 0 0 (quot length 256) (rem length 256)] broken))]]
    (is (= [:invalid-utf8 (+ 5 (* (long at) size))]
           (try (unpack packed) (catch ExceptionInfo e ((juxt :kind :offset) (ex-data e))))))))
