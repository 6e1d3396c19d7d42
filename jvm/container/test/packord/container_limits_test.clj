(ns packord.container-limits-test
  "Container files that are larger than the heap or than the disk, and indexes that were forged."
  (:require
   [clojure.java.io :as io]
   [clojure.test :refer [deftest is testing]]
   [packord.child :as child]
   [packord.container :as container]
   [packord.container-bytes :refer [header index-of mark sync-bytes with-blocks]]
   [packord.core :as packord])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayOutputStream File FileInputStream FileOutputStream IOException)
   (java.nio.file Files)
   (java.nio.file.attribute FileAttribute)
   (java.time Instant)
   (java.util ArrayList Arrays List Random)
   (packord Ext)
   (packord.container Block)))

(set! *warn-on-reflection* true)

(defn- with-folder [f]
  (let [dir (.toFile (Files/createTempDirectory "packord" (make-array FileAttribute 0)))]
    (try (f dir) (finally (run! #(.delete ^File %) (reverse (file-seq dir)))))))

(defn- outcome
  "The rows before the first fault, and its kind."
  [source opts]
  (let [rows (ArrayList.)]
    (try
      (with-open [r (container/reader source opts)]
        (reduce (fn [_ row] (.add rows row)) nil r))
      {:rows (vec rows)}
      (catch ExceptionInfo e {:rows (vec rows) :kind (:kind (ex-data e))}))))

;; ---------------------------------------------------------------- larger than the heap

(defn large
  "What the child does: writes 120 MB of bytes that no codec makes smaller, and reads them in each way."
  [path]
  (let [random (Random. 1)
        row #(let [b (byte-array 100000)] (.nextBytes random b) {"id" % "data" b})
        size (fn [r] (reduce (fn [n row] (+ (long n) (alength ^bytes (get row "data")))) 0 r))
        sum (fn [source opts] (with-open [r (container/reader source opts)] (size r)))]
    (with-open [w (container/writer path)]
      (container/write-all! w (map row (range 1200))))
    (println "larger:" (< (.maxMemory (Runtime/getRuntime)) (.length (io/file path))))
    (println "index:" (sum path {}))
    (println "marks:" (sum path {:index false}))
    (println "stream:" (sum (FileInputStream. (str path)) {:on-bad-block :skip}))
    (println "splits:" (with-open [r (container/reader path)]
                         (reduce + (map #(sum path {:split % :index false}) (container/splits r 5)))))
    (println "conditions:" (sum path {:where [["id" :>= 600]] :index false}))
    (with-open [r (container/reader path), w (container/writer (str path ".copy"))]
      (run! #(container/copy! w %) (container/blocks r)))
    (println "copy:" (sum (str path ".copy") {}))))

(deftest files-larger-than-the-heap-are-written-and-read
  (with-folder
    (fn [dir]
      (is (= {:exit 0
              :out (str "larger: true\nindex: 120000000\nmarks: 120000000\nstream: 120000000\n"
                        "splits: 120000000\nconditions: 60000000\ncopy: 120000000\n")}
             (child/clojure ["-Xmx64m"] "packord.container-limits-test/large" (io/file dir "large.pkd")))))))

(defn- write-hostile
  "Writes a header, a block with the row 1, 60 MB that have `bytes` again and again, the block with the row 2."
  [file ^bytes bytes]
  (let [block (fn [row]
                (let [out (ByteArrayOutputStream.)]
                  (with-open [w (container/writer out {:codec :none :sync sync-bytes})] (container/write! w row))
                  (with-open [r (container/reader (.toByteArray out))]
                    (let [{:keys [offset ^Block block]} (first (container/blocks r))]
                      [(Arrays/copyOf (.toByteArray out) (int offset))
                       (Arrays/copyOfRange (.toByteArray out) (int offset) (int (+ (long offset) (.size block))))]))))
        [header one] (block 1)
        [_ two] (block 2)
        noise (byte-array 250000)]
    (.nextBytes (Random. 2) noise)
    (System/arraycopy bytes 0 noise 0 (alength bytes))
    (with-open [out (FileOutputStream. (str file))]
      (.write out ^bytes header)
      (.write out ^bytes one)
      (dotimes [_ 240] (.write out noise))
      (.write out ^bytes two))))

(def ^:private hostile
  "What a hostile file repeats: blocks and indexes of 4 MB, of which the next ones are a part."
  {"noise" []
   "a block" (concat mark [(unchecked-byte 0x95)] (mapcat packord/pack [1 1 nil [4000000 4000000 7]])
                     (map unchecked-byte [0xc6 0 0x3d 0x09 0]))
   "a body" (concat mark [(unchecked-byte 0x95)] (mapcat packord/pack [1 1 "zstd" [4000000 4000000 7]])
                    (map unchecked-byte [0xc6 0 0x3d 0x09 0]))
   "chunks" (concat mark (map unchecked-byte [0x95 1 1 0xc0 0xdc 0x30 0]))
   "an index" (concat mark (map unchecked-byte [0x92 0xa5 0x69 0x6e 0x64 0x65 0x78 0xc6 0 0x3d 0x09 0]))
   "an array" (concat mark (map unchecked-byte [0xdd 0xff 0xff 0xff 0xff]))})

(defn hostile-files
  "What the child does: reads what is hostile, with less heap than the file has bytes."
  [path]
  (doseq [[what bytes] (sort-by key hostile)
          :let [opts {:on-bad-block :skip :max-block 4000000}
                _ (write-hostile path (byte-array bytes))
                kinds (fn [{:keys [rows kind]}] (vec (concat rows (when kind [kind]))))]]
    (println what
             (kinds (outcome path {}))
             (kinds (outcome path opts))
             (kinds (outcome (FileInputStream. (str path)) opts)))))

(deftest hostile-files-larger-than-the-heap-cost-one-block
  (with-folder
    (fn [dir]
      (let [{:keys [exit out]} (child/clojure ["-Xmx40m"] "packord.container-limits-test/hostile-files" (io/file dir "x.pkd"))]
        (is (= 0 exit))
        (is (= (str "a block [1 :invalid-container] [1 2] [1 2]\n"
                    "a body [1 :invalid-container] [1 2] [1 2]\n"
                    "an array [1 :invalid-utf8] [1 2] [1 2]\n"
                    "an index [1 :invalid-container] [1 2] [1 2]\n"
                    "chunks [1 :invalid-container] [1 2] [1 2]\n"
                    "noise [1 :invalid-container] [1 2] [1 2]\n")
               out))))))

;; ---------------------------------------------------------------- larger than the disk

(defn fill
  "What the child does: appends to a file that cannot grow as far, and prints what happens."
  [path]
  (let [w (container/writer path {:append true :block-rows 10 :codec :none})]
    (println (try (container/write-all! w (map #(hash-map "id" %) (range 100 100000)))
                  (catch IOException e (class e))))
    (println (try (container/write! w 1) (catch IOException e (class e))))
    (println (try (container/flush! w) (catch IOException e (class e))))
    (.close w)
    (println "closed")))

(deftest a-file-that-cannot-grow-keeps-its-whole-blocks
  (when (.exists (io/file "/bin/bash"))
    (with-folder
      (fn [dir]
        (let [path (str (io/file dir "x.pkd"))
              _ (with-open [w (container/writer path {:block-rows 10 :codec :none})]
                  (container/write-all! w (map #(hash-map "id" %) (range 100))))
              before (Files/readAllBytes (.toPath (io/file path)))
              program (str "(require 'packord.container-limits-test) (packord.container-limits-test/fill " (pr-str path) ")")]
          (is (= {:exit 0 :out (apply str (concat (repeat 3 "java.io.IOException\n") ["closed\n"]))}
                 (child/run ["/bin/bash" "-c" "ulimit -f 16 && exec \"$@\"" "bash" child/java-command "-XX:-UsePerfData"
                             "-cp" (System/getProperty "java.class.path") "clojure.main" "-e" program])))
          (let [after (Files/readAllBytes (.toPath (io/file path)))
                {:keys [rows kind]} (outcome path {})]
            (is (= 16384 (alength after)) "all that the disk takes")
            (is (Arrays/equals before (Arrays/copyOf after (alength before))))
            (is (= :eof kind))
            (is (< 200 (count rows)))
            (is (= (map #(hash-map "id" %) (range (count rows))) rows))
            (testing "and is refused by a writer until it is mended"
              (is (= :eof (try (container/writer path {:append true}) nil
                               (catch ExceptionInfo e (:kind (ex-data e)))))))))))))

;; ---------------------------------------------------------------- forged indexes

(defn- any-value
  "A value as an attacker may write it for one of the index."
  [^Random random ^long depth]
  (let [n (.nextInt random 14)
        some-of #(nth % (.nextInt random (count %)))]
    (case n
      0 nil
      1 (some-of [true false])
      2 (some-of [0 1 20 26 45 -1 Long/MAX_VALUE Long/MIN_VALUE 9007199254740992 18446744073709551615N])
      3 (.nextInt random 3000)
      4 (some-of [0.5 ##NaN ##Inf -0.0 1e300])
      5 (some-of ["" "id" "text" "id.x" "." "[]" "count" (apply str (repeat 300 "x"))])
      6 (byte-array (.nextInt random 5))
      7 (Instant/ofEpochSecond (.nextInt random))
      8 (Ext. (some-of [-1 0x72 0x5d 0x5a 5]) (byte-array (.nextInt random 14)))
      (if (neg? depth)
        n
        (let [values (repeatedly (.nextInt random 5) #(any-value random (dec depth)))]
          (if (even? n)
            (vec values)
            ;; Two byte arrays are two keys of the map, and may be one of the message.
            (->> values
                 (map #(vector (if (pos? (.nextInt random 4)) (some-of ["id" "text" "count" "schema"]) (any-value random -1)) %))
                 (into {} (map (fn [[k :as entry]] [(vec (packord/pack k)) entry])))
                 vals
                 (into {}))))))))

(defn- forged
  "Puts another value at some places of an index."
  [^Random random value ^long depth]
  (cond
    (zero? (.nextInt random 12)) (any-value random 3)
    (and (vector? value) (pos? depth)) (mapv #(forged random % (dec depth)) value)
    (and (map? value) (pos? depth)) (into {} (map (fn [[k v]] [k (forged random v (dec depth))])) value)
    :else value))

(deftest forged-indexes-are-not-used-or-are-an-error-where-they-are-wrong
  (let [random (Random. 7)
        rows (mapv #(hash-map "id" % "text" (str "row " (rem % 7))) (range 60))
        out (ByteArrayOutputStream.)
        _ (with-open [w (container/writer out {:block-rows 20 :sync sync-bytes :stats ["id" "text"]})]
            (container/write-all! w rows))
        file (.toByteArray out)
        offset (.getLong (java.nio.ByteBuffer/wrap file) (- (alength file) 12))
        index (packord/unpack (Arrays/copyOfRange file (int (+ offset 18)) (- (alength file) 15)))
        used (atom 0)]
    (dotimes [_ 1000]
      (let [value (forged random index 6)
            file (byte-array (concat (Arrays/copyOf file (int offset)) (index-of offset value)))
            {found :rows kind :kind} (outcome file {})]
        (when-not (or (= rows found) (and (= :invalid-container kind) (= found (take (count found) rows)))
                      ;; An index may leave out blocks at its end.
                      (and (nil? kind) (every? (set rows) found)))
          (is (= [] [value kind found])))
        (with-open [r (container/reader file)]
          (when-let [info (container/info r)]
            (when (:count info) (swap! used inc))
            (doall (container/splits r 3))))
        (doseq [opts [{:where [["id" :>= 30]]} {:prune [["text" :in ["row 1" 2]]]} {:where [["text" :is-null]]}]]
          (is (every? (set rows) (:rows (outcome file opts)))))))
    (is (< 100 @used 900))))
