(ns packord.resources-test
  "Memory, descriptors and limits when reading from and writing to streams, files and buffers."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.child :as child]
   [packord.compat.msgpack-clj :as compat]
   [packord.core :refer [pack pack-stream unpack unpack-stream]]
   [packord.measure :refer [allocated]]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream File InputStream OutputStream)
   (java.nio ByteBuffer)
   (java.nio.channels FileChannel FileChannel$MapMode)
   (java.nio.file StandardOpenOption)))

(set! *warn-on-reflection* true)

(defn- kind [f]
  (try (f) nil (catch ExceptionInfo e (:kind (ex-data e)))))

(defn- with-file [content f]
  (let [file (File/createTempFile "packord" ".mp")]
    (try
      (io/copy content file)
      (f file)
      (finally (.delete file)))))

(defn write-300-mb
  "What the child does: writes 300 MB of one string that is in the value 300 times."
  []
  (let [size (atom 0)
        out (proxy [OutputStream] []
              (write ([b] (swap! size inc))
                ([b from n] (swap! size + n))))
        text (apply str (repeat 100000 "0123456789"))]
    (doseq [opts [nil {:records true} {:rich true}]]
      (reset! size 0)
      (pack-stream out [(vec (repeat 150 text)) (list {"a" (vec (repeat 150 text))})] opts)
      (println (quot (long @size) 1000000)))))

(deftest large-messages-are-written-as-they-grow
  (is (= {:exit 0 :out "300\n300\n300\n"}
         (child/clojure ["-Xmx200m"] "packord.resources-test/write-300-mb"))))

(deftest what-is-written-as-it-grows-is-the-same
  (let [value {"numbers" (vec (range 30000))
               "maps" (mapv #(hash-map :id % :key (keyword (str "k" %))) (range 20000))
               "sets" [(set (range 3000)) (set (map str (range 9000)))]
               "text" (apply str (repeat 100000 "aé😀"))}]
    (doseq [opts [nil {:records true} {:canonical true}
                  {:records true :structures [["id" "key"]]}
                  {:rich true :key-fn true}]
            :let [out (java.io.ByteArrayOutputStream.)]]
      (pack-stream out value opts)
      (is (java.util.Arrays/equals ^bytes (pack value opts) (.toByteArray out))))))

(deftest more-than-64-mib-is-read-from-a-stream-by-the-compatibility-namespace
  (let [b (byte-array (+ 5 (* 65 1024 1024)))]
    (.put (ByteBuffer/wrap b) (v/hex->bytes "c604100000"))
    (is (= (* 65 1024 1024) (alength ^bytes (compat/unpack (ByteArrayInputStream. b)))))
    (is (= :length-limit (kind #(unpack (ByteArrayInputStream. b)))))))

(deftest the-limit-of-a-message-holds-for-files
  (with-file (pack (vec (range 1000)))
    (fn [^File file]
      (is (= (vec (range 1000)) (unpack file)))
      (doseq [resource [file (.toPath file) (.toURL (.toURI file))]]
        (is (= :length-limit (kind #(unpack resource {:max-buffer 100})))))))
  (testing "a file holds one message and nothing else"
    (with-file (byte-array [1 2])
      (fn [file]
        (is (v/fails? {"kind" "trailing_bytes" "offset" 1} (v/outcome #(unpack file))))
        (is (= 1 (unpack file {:trailing :allow})))))
    (with-file (byte-array 0)
      #(is (v/fails? {"kind" "eof" "offset" 0} (v/outcome (fn [] (unpack %))))))))

(defn- mapped ^ByteBuffer [^bytes b]
  (with-file b
    (fn [^File file]
      (with-open [channel (FileChannel/open (.toPath file) (into-array [StandardOpenOption/READ]))]
        (.map channel FileChannel$MapMode/READ_ONLY 0 (alength b))))))

(defn- buffers [^bytes b]
  (let [direct (doto (ByteBuffer/allocateDirect (alength b)) (.put b) (.flip))]
    [direct (mapped b) (.asReadOnlyBuffer (ByteBuffer/wrap b)) (.asReadOnlyBuffer direct)
     (ByteBuffer/wrap b)]))

(deftest buffers-are-not-copied-for-each-message
  (let [b (byte-array 1000000)]
    (doseq [^ByteBuffer buffer (buffers b)]
      (is (< (allocated 50 1 #(unpack (.position buffer 0) {:trailing :allow})) 20000))
      (is (= 1 (.position buffer))))))

(deftest buffers-are-read-as-arrays-are
  (doseq [value [nil (vec (range 5000)) (apply str (repeat 30000 "é")) {"a" (byte-array 20000)}]
          :let [^bytes packed (pack value)
                both (byte-array (concat packed packed))]
          ^ByteBuffer buffer (buffers both)]
    (is (v/fails? {"kind" "trailing_bytes" "offset" (alength packed)} (v/outcome #(unpack buffer))))
    (is (zero? (.position buffer)))
    (is (v/same? value (unpack buffer {:trailing :allow})))
    (is (v/same? value (unpack buffer)))
    (is (= :eof (kind #(unpack buffer)))))
  (doseq [^ByteBuffer buffer (buffers (v/hex->bytes "dd7fffffff01"))]
    (is (v/fails? {"kind" "eof" "offset" 6} (v/outcome #(unpack buffer))))))

(defn- open-descriptors ^long []
  (count (filter #(str/includes? (str %) "packord")
                 (keep #(try (java.nio.file.Files/readSymbolicLink (.toPath ^File %)) (catch Exception _))
                       (.listFiles (io/file "/proc/self/fd"))))))

(deftest a-seq-of-a-file-that-is-left-early-holds-nothing-open
  (with-file (byte-array (mapcat pack (range 100000)))
    (fn [^File file]
      (doseq [resource [file (.toPath file) (.toURL (.toURI file))]]
        (dotimes [_ 100] (is (= 0 (first (unpack-stream resource)))))
        (is (zero? (open-descriptors)))
        (is (= (range 100000) (seq (unpack-stream resource))))
        (is (= 99999 (reduce (fn [_ v] v) nil (unpack-stream resource))))
        (is (zero? (open-descriptors))))))
  (is (thrown? java.io.IOException (first (unpack-stream (io/file "/no/such/file"))))))

(deftest a-stream-that-returns-nothing-does-not-hang
  (let [stingy (fn [^bytes b]
                 (let [in (ByteArrayInputStream. b)]
                   (proxy [InputStream] []
                     (read ([] (.read in))
                       ([_] 0)
                       ([_ _ _] 0)))))]
    (is (= [1 "abc"] (deref (future (unpack (stingy (pack [1 "abc"])))) 120000 :hangs)))
    (is (= :eof (deref (future (kind #(unpack (stingy (byte-array [-111]))))) 120000 :hangs)))))
