(ns packord.container-hostile-test
  "Container files that are damaged, forged, cut by a kill or wanted by two writers."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.child :as child]
   [packord.container :as container]
   [packord.container-bytes :refer [block-of file-of header index-of mark with-blocks sync-bytes]]
   [packord.core :as packord]
   [packord.measure :refer [allocated nanoseconds]])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream ByteArrayOutputStream File IOException OutputStream RandomAccessFile)
   (java.nio.file Files)
   (java.nio.file.attribute FileAttribute)
   (java.util Arrays List Random)
   (java.util.zip Deflater)
   (javax.tools ToolProvider)
   (packord.container Block ContainerLockedException)))

(set! *warn-on-reflection* true)

(defn- with-folder [f]
  (let [dir (.toFile (Files/createTempDirectory "packord" (make-array FileAttribute 0)))]
    (try (f dir) (finally (run! #(.delete ^File %) (reverse (file-seq dir)))))))

(defn- outcome
  "The rows before the first fault, and its kind."
  [source opts]
  (let [rows (java.util.ArrayList.)]
    (try
      (with-open [r (container/reader source opts)]
        (reduce (fn [_ row] (.add rows row)) nil r))
      {:rows (vec rows)}
      (catch ExceptionInfo e {:rows (vec rows) :kind (:kind (ex-data e))}))))

(def ^:private rows
  (mapv #(hash-map "id" % "text" (str "row " (rem % 7)) "sizes" [% (/ % 2.0)]) (range 60)))

;; ---------------------------------------------------------------- damage

(deftest any-changed-byte-is-an-error-or-changes-nothing-that-was-written
  (let [random (Random. 3)]
    (doseq [opts [{:codec :none} {:codec :deflate} {:codec :zstd} {:codec :none :columns false}
                  {:codec :none :messages true}]
            :let [file (file-of rows (assoc opts :block-rows 20))
                  whole? (set (partition 20 rows))]
            at (range (alength file))
            :let [b (doto (aclone file)
                      (aset-byte at (unchecked-byte (bit-xor (aget file at) (bit-shift-left 1 (.nextInt random 8))))))
                  skip {:on-bad-block :skip}
                  [found skipped] [(outcome b {}) (outcome (ByteArrayInputStream. b) skip)]]]
      (when-not (and (every? #(or (:kind %) (every? whole? (partition-all 20 (:rows %)))) [found skipped])
                     (every? #(<= (count (:rows %)) 60) [found skipped]))
        (is (= [] [opts at found skipped]))))))

(deftest noise-is-an-error
  (let [random (Random. 4)]
    (dotimes [i 300]
      (let [noise (doto (byte-array (.nextInt random 200)) (->> (.nextBytes random)))
            b (byte-array (concat (if (even? i) header []) noise))]
        (is (or (:kind (outcome b {})) (zero? (alength noise))))
        (outcome (ByteArrayInputStream. b) {:on-bad-block :skip})))))

(defn- zeros-deflated ^bytes [n]
  (let [d (Deflater. 9 true)
        out (byte-array 200000)]
    (.setInput d (byte-array n))
    (.finish d)
    (Arrays/copyOf out (int (.deflate d out)))))

(deftest what-is-announced-is-not-allocated
  (let [announced (fn [codec raw data] (with-blocks (block-of 1 1 raw codec data)))
        few (byte-array [1 2 3 4])
        max-block (* 64 1024 1024)]
    (doseq [codec ["none" "deflate" "zstd"]
            :let [file (announced codec max-block few)]
            source [#(identity file) #(ByteArrayInputStream. file)]]
      (is (= :invalid-container (:kind (outcome (source) {}))))
      (is (< (allocated 1 1 #(outcome (source) {})) 4000000)))
    (testing "data that are not there"
      (let [file (announced nil 10 (byte-array 100000))
            cut (Arrays/copyOf ^bytes file (int 200))]
        (is (< (allocated 1 1 #(outcome (ByteArrayInputStream. cut) {})) 1000000))))
    (testing "bodies of other sizes than are announced"
      (let [packed (zeros-deflated 1000000)]
        (doseq [raw [0 1 999999 1000001]]
          (is (= {:rows [] :kind :invalid-container} (outcome (announced "deflate" raw packed) {}))))
        (is (= {:rows [] :kind :length-limit} (outcome (announced "deflate" (inc max-block) packed) {})))
        (is (= {:rows [] :kind :length-limit} (outcome (announced "deflate" 1000000 packed) {:max-block 999999})))))
    (testing "columns whose rows have long keys"
      (let [key (apply str (repeat 100000 "k"))
            file (file-of (repeat 600 {key 1}) {:codec :none})]
        (is (= 600 (count (:rows (outcome file {})))))
        (is (= :length-limit (:kind (outcome file {:max-expansion 1}))))))))

(defn bombs
  "What the child does: 64 MiB of zeros in a few bytes, in a heap that holds one body and its values."
  []
  (let [n (* 64 1024 1024)
        bodies {"deflate" (zeros-deflated n)
                "zstd" (com.github.luben.zstd.Zstd/compress (byte-array n))}]
    (doseq [[codec ^bytes data] bodies
            :let [file (with-blocks (block-of 1 1 n codec data)
                         (block-of 1 1 n codec data)
                         (block-of 1 1 2 nil (byte-array [-111 7])))]]
      (println codec (:kind (outcome file {})) (:rows (outcome file {:on-bad-block :skip}))))))

(deftest bombs-take-one-body
  (is (= {:exit 0 :out "deflate :trailing-bytes [7]\nzstd :trailing-bytes [7]\n"}
         (child/clojure ["-Xmx256m"] "packord.container-hostile-test/bombs"))))

(defn many-blocks
  "What the child does: reads 150 MB of blocks in a small heap, twice."
  []
  (let [block (block-of 1 1 1000005 "deflate"
                        (let [d (Deflater. 1 true), out (byte-array 100000)]
                          (.setInput d (packord/pack [(byte-array 999999)]))
                          (.finish d)
                          (Arrays/copyOf out (int (.deflate d out)))))
        file (apply with-blocks (repeat 150 block))]
    (doseq [source [file (ByteArrayInputStream. file)]]
      (println (with-open [r (container/reader source)]
                 (reduce (fn [n ^bytes row] (+ (long n) (alength row))) 0 r))))))

(deftest memory-is-that-of-one-block
  (is (= {:exit 0 :out "149999850\n149999850\n"}
         (child/clojure ["-Xmx48m"] "packord.container-hostile-test/many-blocks"))))

(deftest false-marks-cost-no-more-than-their-bytes
  (let [times (fn [n]
                ;; Each mark is followed by a block that is whole, with a wrong crc, or by an index that is cut.
                (let [unit (fn [tail] (byte-array (concat mark tail)))
                      wrong (unit (concat (map unchecked-byte [0x95 1 1 0xc0 0x93 1 0xce 0 0x10 0 0 0 0xc6 0 0x10 0 0])))
                      index (unit (concat (map unchecked-byte [0x9f 0xa1 0x61 0xdd 0 0x10 0 0])))
                      file (with-blocks (byte-array (apply concat (repeat n wrong))) (byte-array (apply concat (repeat n index))))]
                  (nanoseconds #(is (= [] (:rows (outcome file {:on-bad-block :skip})))))))]
    (times 500)
    (is (< (/ (times 8000) 1e9) 10.0))))

(defn- nested
  "Blocks of which each has the next one in its data: all checksums are right, and no codec is known."
  ^bytes [n]
  (nth (iterate #(block-of 1 1 (alength ^bytes %) "brotli" %) (byte-array 0)) n))

(deftest blocks-within-blocks-at-fault-take-bounded-time
  (doseq [source [identity #(ByteArrayInputStream. %)]]
    (is (= [] (:rows (outcome (source (with-blocks (nested 2000))) {:on-bad-block :skip}))) "all are looked at")
    (is (contains? #{nil :length-limit}
                   (:kind (outcome (source (with-blocks (nested 2000))) {:on-bad-block :skip :max-block 100000})))))
  (testing "many are not"
    (is (= {:rows [] :kind :length-limit}
           (outcome (with-blocks (nested 4000)) {:on-bad-block :skip :max-block 1000000}))))
  (testing "honest blocks after each do not count"
    (let [good (block-of 1 1 100000 nil (packord/pack [(apply str (repeat 99994 "x"))]))
          bad (block-of 1 2 2 nil (byte-array [-111 7]))
          file (apply with-blocks (apply concat (repeat 1500 [bad good])))]
      (is (= 1500 (count (:rows (outcome file {:on-bad-block :skip :max-block 1000000}))))))))

(deftest nobody-inserts-rows-by-a-body-at-fault
  (let [forged (block-of 1 1 2 nil (byte-array [-111 8]))
        body (byte-array (cons (unchecked-byte 0xc1) forged))
        faulty (block-of 1 1 (alength body) nil body)
        file (with-blocks faulty (block-of 1 1 2 nil (byte-array [-111 7])))
        start (alength header)]
    (with-open [r (container/reader (ByteArrayInputStream. file) {:on-bad-block :skip})]
      (is (= [7] (into [] r)))
      (is (= [[start (+ start (alength faulty))]] (map (juxt :from :to) (container/damaged r)))))))

;; ---------------------------------------------------------------- stacks and sizes

(defn deep
  "Writes and reads rows as deep as they may be, on small stacks, and prints what fails."
  []
  (doseq [stack [180 1024]
          opts [{} {:columns false} {:messages true}]
          :let [depth (if (:messages opts) 1024 1023)
                row (nth (iterate #(hash-map "a" %) 1) depth)
                list (nth (iterate vector 1) depth)
                result (promise)
                work #(let [file (file-of [row list] (assoc opts :codec :none))]
                        [(= "depth-limit" (try (file-of [[row]] opts)
                                               (catch ExceptionInfo e (name (:kind (ex-data e))))))
                         (= 2 (count (:rows (outcome file {}))))
                         (= 1 (count (:rows (outcome file {:where [["a.a.a" :is-not-null]]}))))])]]
    (.start (Thread. nil #(deliver result (try (work) (catch Throwable t t))) "small" (* stack 1024)))
    (when-not (= [true true true] @result) (println stack opts @result))))

(deftest deep-rows-need-no-large-stack
  (is (= "" (with-out-str (deep))))
  (testing "nor where the code is interpreted, whose frames are larger"
    (is (= {:exit 0 :out ""}
           (child/clojure ["-XX:CompileCommand=quiet" "-XX:CompileCommand=exclude,packord.*::*"]
                          "packord.container-hostile-test/deep")))))

(deftest a-terabyte-opens-in-constant-memory
  (with-folder
    (fn [dir]
      (let [file (io/file dir "sparse.pkd")
            block (block-of 1 1 2 nil (byte-array [-111 7]))
            far (bit-shift-left 1 39)
            end (bit-shift-left 1 40)]
        (with-open [f (RandomAccessFile. file "rw")]
          (.write f (with-blocks))
          (.seek f far)
          (.write f block)
          (.seek f end)
          (.write f (index-of end ["index" 1 [[far (alength block) 1 nil]] {"count" 1}])))
        (let [work #(with-open [r (container/reader file)]
                      [(:count (container/info r)) (vec r) (count (container/splits r 100))])]
          (is (= [1 [7] 1] (work)))
          (is (< (allocated 1 1 work) 1000000)))
        (testing "without an index the fault is found at once"
          (let [work #(outcome file {:index false})]
            (is (= {:rows [] :kind :invalid-container} (work)))
            (is (< (allocated 1 1 work) 1000000))))))))

;; ---------------------------------------------------------------- writers

(deftest a-full-disk-is-an-error
  (when (.exists (io/file "/dev/full"))
    (let [w (container/writer (io/output-stream "/dev/full") {:block-rows 1000 :codec :none})]
      (is (thrown? IOException (container/write-all! w (range 1000000))))
      (is (thrown? IOException (container/write! w 1)) "the writer has ended")
      (is (thrown? IOException (.close w))))
    (is (thrown? IOException (container/writer "/dev/full")))))

(defn- compiled
  "Compiles the program that writes until it is killed; returns a class path."
  [^File dir]
  (let [source (io/file (io/resource "packord/KilledWriter.java"))
        class-path (System/getProperty "java.class.path")
        arguments (into-array String ["-Xlint:-path" "-d" (str dir) "-cp" class-path (str source)])]
    (assert (zero? (.run (ToolProvider/getSystemJavaCompiler) nil nil nil arguments)))
    (str dir File/pathSeparator class-path)))

(defn- start-writer
  "Starts the program, and waits until it has printed a line. Returns the process and the file of its output."
  [class-path path & arguments]
  (let [out (io/file (str path ".out"))
        command (into [child/java-command "-XX:-UsePerfData" "-XX:TieredStopAtLevel=1" "-cp" class-path "KilledWriter" (str path)]
                      (map str arguments))
        process (.start (.redirectErrorStream (.redirectOutput (ProcessBuilder. ^List command) out) true))]
    (while (and (not (str/ends-with? (slurp out) "\n")) (.isAlive process))
      (Thread/sleep 5))
    [process out]))

(defn- kill [^Process process]
  (.destroyForcibly process)
  (.waitFor process))

(deftest one-writer-at-a-time
  (with-folder
    (fn [dir]
      (let [class-path (compiled dir)
            path (str (io/file dir "x.pkd"))]
        (with-open [w (container/writer path {:block-rows 1})]
          (container/write! w 1)
          (testing "in this program"
            (is (thrown? ContainerLockedException (container/writer path)))
            (is (thrown? ContainerLockedException (container/writer path {:append true})))
            (is (< 0 (.length (io/file path)))))
          (testing "in another one"
            (let [[process out] (start-writer class-path path "none" 1 1)]
              (is (zero? (.waitFor ^Process process)))
              (is (= "locked\n" (slurp out)))))
          (container/write! w 2))
        (is (= [1 2] (:rows (outcome path {}))))
        (testing "a writer that was killed has no file"
          (let [[process out] (start-writer class-path path "none" 1 1)]
            (is (= "1\n" (slurp out)))
            (is (thrown? ContainerLockedException (container/writer path)))
            (kill process)
            (with-open [w (container/writer path {:append true})]
              (container/write! w 3))
            (is (= [{"id" 0, "text" "row 0"} 3] (:rows (outcome path {}))))))))))

(defn- killed-writer
  "Kills the program after some milliseconds. Returns how many rows it has flushed."
  [class-path path codec block-rows millis]
  (let [[process out] (start-writer class-path path codec block-rows Integer/MAX_VALUE)]
    (Thread/sleep (long millis))
    (kill process)
    ;; The last line may be cut.
    (parse-long (last (butlast (str/split (slurp out) #"\n" -1))))))

(deftest files-of-killed-writers-have-all-whole-blocks
  (with-folder
    (fn [dir]
      (let [class-path (compiled dir)
            random (Random. 6)]
        (dotimes [i (if (= "1" (System/getenv "PACKORD_EXHAUSTIVE")) 200 20)]
          (let [file (io/file dir (str i ".pkd"))
                codec (["none" "deflate" "zstd"] (rem i 3))
                flushed (killed-writer class-path file codec (inc (.nextInt random 50)) (.nextInt random 150))
                {:keys [rows kind]} (outcome file {})]
            (is (contains? #{nil :eof} kind))
            (is (<= 1 flushed (count rows)))
            (is (= (map #(hash-map "id" % "text" (str "row " %)) (range (count rows))) rows))
            (testing "what is left out is less than a block"
              (let [size (fn [{:keys [^Block block]}] (.size block))
                    [sizes ends] (with-open [r (container/reader file {:on-bad-block :skip})]
                                   (let [blocks (vec (container/blocks r))]
                                     [(map size blocks) (map #(+ (long (:offset %)) (long (size %))) blocks)]))]
                (is (< (- (.length file) (long (last ends))) (* 2 (long (reduce max sizes)))))))
            (.delete file)))))))

(defn- disk
  "A stream that takes `room` bytes, and then nothing."
  ^OutputStream [^ByteArrayOutputStream taken room]
  (proxy [OutputStream] []
    (write
      ([b] (throw (UnsupportedOperationException.)))
      ([b from n]
       (let [left (- (long room) (.size taken))]
         (.write taken ^bytes b (int from) (int (min left (long n))))
         (when (< left (long n)) (throw (IOException. "No space left on device"))))))))

(deftest a-full-disk-leaves-whole-blocks
  (doseq [codec [:none :deflate :zstd]
          :let [opts {:codec codec :block-rows 5 :sync sync-bytes}
                file (file-of rows opts)
                ends (with-open [r (container/reader file)]
                       (mapv (fn [{:keys [^Block block offset]}] (+ (long offset) (long (.size block))))
                             (container/blocks r)))]
          room (distinct (concat (mapcat #(range (- (long %) 2) (+ 3 (long %))) ends) (range 0 (alength file) 23)))
          :let [taken (ByteArrayOutputStream.)
                error (try
                        (with-open [w (container/writer (disk taken room) opts)]
                          (container/write-all! w rows))
                        nil
                        (catch IOException e (.getMessage e)))
                whole (count (take-while #(<= (long %) (long room)) ends))
                found (outcome (.toByteArray taken) {})]]
    (when-not (and (= "No space left on device" error)
                   (= (take (* 5 whole) rows) (:rows found))
                   (contains? #{nil :eof} (:kind found)))
      (is (= [] [codec room error whole found])))))
