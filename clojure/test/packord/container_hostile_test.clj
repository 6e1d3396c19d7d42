(ns packord.container-hostile-test
  "Container files that are damaged, forged, cut by a kill or wanted by two writers."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.child :as child]
   [packord.container :as container]
   [packord.core :as packord]
   [packord.measure :refer [allocated nanoseconds]])
  (:import
   (java.io ByteArrayInputStream ByteArrayOutputStream File IOException OutputStream RandomAccessFile)
   (java.nio.file Files)
   (java.nio.file.attribute FileAttribute)
   (java.util Arrays List Random)
   (java.util.zip CRC32C Deflater)
   (javax.tools ToolProvider)
   (net.jpountz.lz4 LZ4FrameInputStream LZ4FrameOutputStream LZ4FrameOutputStream$BLOCKSIZE
                    LZ4FrameOutputStream$FLG$Bits)
   (packord PackordException)
   (packord.container Block ContainerLockedException)))

(set! *warn-on-reflection* true)

(defn- file-of
  ^bytes [rows opts]
  (let [out (ByteArrayOutputStream.)]
    (with-open [w (container/writer out opts)]
      (container/write-all! w rows))
    (.toByteArray out)))

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
      (catch PackordException e {:rows (vec rows) :kind (:kind (ex-data e))}))))

(def ^:private rows
  (mapv #(hash-map "id" % "text" (str "row " (rem % 7)) "sizes" [% (/ % 2.0)]) (range 60)))

;; ---------------------------------------------------------------- damage

(deftest any-changed-byte-is-an-error-or-changes-nothing-that-was-written
  (let [random (Random. 3)]
    (doseq [opts [{:codec :none} {:codec :deflate} {:codec :zstd} {:codec :lz4} {:codec :none :columns false}
                  {:codec :none :messages true :structures [["id" "sizes" "text"]]}]
            :let [file (file-of rows (assoc opts :block-rows 20))
                  whole? (set (partition 20 rows))]
            at (range (alength file))
            :let [b (doto (aclone file)
                      (aset-byte at (unchecked-byte (bit-xor (aget file at) (bit-shift-left 1 (.nextInt random 8))))))
                  skip {:on-bad-block :skip}
                  [found skipped] [(outcome b {}) (outcome (ByteArrayInputStream. b) skip)]]]
      ;; The header is not guarded by a checksum: with other options, bodies may be read otherwise.
      (when-not (and (every? #(or (:kind %) (every? whole? (partition-all 20 (:rows %)))) [found skipped])
                     (every? #(<= (count (:rows %)) 60) [found skipped]))
        (is (= [] [opts at found skipped]))))))

(deftest noise-is-an-error
  (let [random (Random. 4)
        header (Arrays/copyOf (file-of [] {:codec :none}) 45)]
    (dotimes [i 300]
      (let [noise (doto (byte-array (.nextInt random 200)) (->> (.nextBytes random)))
            b (byte-array (concat (if (even? i) header []) noise))]
        (is (or (:kind (outcome b {})) (zero? (alength noise))))
        (outcome (ByteArrayInputStream. b) {:on-bad-block :skip})))))

(defn- block-of
  "The mark and the block-array of a block with these bytes."
  ^bytes [sync kind n raw codec ^bytes data]
  (let [crc (doto (CRC32C.) (.update data))]
    (byte-array (concat (map unchecked-byte [0xd8 0x5d]) sync
                        [(unchecked-byte 0x96)]
                        (mapcat packord/pack [kind n raw (.getValue crc) codec data])))))

(def ^:private sync-bytes (byte-array (range 16)))

(defn- with-blocks
  "A file with these blocks and no index."
  ^bytes [& blocks]
  (let [out (ByteArrayOutputStream.)]
    (.write out (Arrays/copyOf ^bytes (file-of [] {:codec :none :sync sync-bytes}) 45))
    (doseq [^bytes block blocks] (.write out block))
    (.toByteArray out)))

(defn- zeros-deflated ^bytes [n]
  (let [d (Deflater. 9 true)
        out (byte-array 200000)]
    (.setInput d (byte-array n))
    (.finish d)
    (Arrays/copyOf out (int (.deflate d out)))))

(deftest what-is-announced-is-not-allocated
  (let [announced (fn [codec raw data] (with-blocks (block-of sync-bytes 1 1 raw codec data)))
        few (byte-array [1 2 3 4])
        max-block (* 64 1024 1024)]
    (doseq [codec ["none" "deflate" "zstd" "lz4"]
            :let [file (announced codec max-block few)]
            source [#(identity file) #(ByteArrayInputStream. file)]]
      (is (= :invalid-ext (:kind (outcome (source) {}))))
      (is (< (allocated 1 1 #(outcome (source) {})) 4000000)))
    (testing "data that are not there"
      (let [file (announced nil 10 (byte-array 100000))
            cut (Arrays/copyOf ^bytes file (int 200))]
        (is (< (allocated 1 1 #(outcome (ByteArrayInputStream. cut) {})) 1000000))))
    (testing "bodies of other sizes than are announced"
      (let [packed (zeros-deflated 1000000)]
        (doseq [raw [0 1 999999 1000001]]
          (is (= {:rows [] :kind :invalid-ext} (outcome (announced "deflate" raw packed) {}))))
        (is (= {:rows [] :kind :length-limit} (outcome (announced "deflate" (inc max-block) packed) {})))
        (is (= {:rows [] :kind :length-limit} (outcome (announced "deflate" 1000000 packed) {:max-block 999999})))))
    (testing "records with long keys"
      (let [key (apply str (repeat 100000 "k"))
            body (byte-array (concat (map unchecked-byte [0xdc 0x27 0x10 0xd4 0x72 0x40 0x91]) (packord/pack key) [1]
                                     (apply concat (repeat 9999 [0x40 1]))))
            file (with-blocks (block-of sync-bytes 1 10000 (alength body) nil body))]
        (is (= 10000 (count (:rows (outcome file {})))))
        (is (= :length-limit (:kind (outcome file {:where [["x" :is-null]]}))))))))

(defn bombs
  "What the child does: 64 MiB of zeros in a few bytes, in a heap that holds one body and its values."
  []
  (let [n (* 64 1024 1024)
        bodies {"deflate" (zeros-deflated n)
                "zstd" (com.github.luben.zstd.Zstd/compress (byte-array n))}]
    (doseq [[codec ^bytes data] bodies
            :let [file (with-blocks (block-of sync-bytes 1 1 n codec data)
                         (block-of sync-bytes 1 1 n codec data)
                         (block-of sync-bytes 1 1 2 nil (byte-array [-111 7])))]]
      (println codec (:kind (outcome file {})) (:rows (outcome file {:on-bad-block :skip}))))))

(deftest bombs-take-one-body
  (is (= {:exit 0 :out "deflate :trailing-bytes [7]\nzstd :trailing-bytes [7]\n"}
         (child/clojure ["-Xmx256m"] "packord.container-hostile-test/bombs"))))

(defn many-blocks
  "What the child does: reads 150 MB of blocks in a small heap, twice."
  []
  (let [block (block-of sync-bytes 1 1 1000005 "deflate"
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
  (let [mark (concat (map unchecked-byte [0xd8 0x5d]) sync-bytes)
        times (fn [n]
                ;; Each mark is followed by a block that is whole, with a wrong crc, or by an index that is cut.
                (let [unit (fn [tail] (byte-array (concat mark tail)))
                      wrong (unit (concat (map unchecked-byte [0x96 1 1 1 0 0xc0 0xc6 0 0x10 0 0])))
                      index (unit (concat (map unchecked-byte [0x9f 0xa1 0x61 0xdd 0 0x10 0 0])))
                      file (with-blocks (byte-array (apply concat (repeat n wrong))) (byte-array (apply concat (repeat n index))))]
                  (nanoseconds #(is (= [] (:rows (outcome file {:on-bad-block :skip})))))))]
    (times 500)
    (is (< (/ (times 8000) 1e9) 10.0))))

(defn- nested
  "Blocks of which each has the next one in its data: all checksums are right, and no body is one of rows."
  ^bytes [n codec]
  (nth (iterate #(let [data (byte-array (cons (unchecked-byte 0xc1) %))]
                   (block-of sync-bytes 1 1 (alength data) codec data))
                (byte-array 0))
       n))

(deftest blocks-within-blocks-at-fault-take-bounded-time
  (doseq [file [(with-blocks (nested 2000 nil)) (with-blocks (nested 2000 "brotli"))]
          source [identity #(ByteArrayInputStream. %)]]
    (is (= [] (:rows (outcome (source file) {:on-bad-block :skip}))) "all are looked at")
    (is (contains? #{nil :length-limit}
                   (:kind (outcome (source file) {:on-bad-block :skip :max-block 100000})))))
  (testing "many are not"
    (is (= {:rows [] :kind :length-limit}
           (outcome (with-blocks (nested 4000 nil)) {:on-bad-block :skip :max-block 1000000}))))
  (testing "honest blocks after each do not count"
    (let [good (block-of sync-bytes 1 1 100000 nil (packord/pack [(apply str (repeat 99994 "x"))]))
          bad (block-of sync-bytes 1 2 2 nil (byte-array [-111 7]))
          file (apply with-blocks (apply concat (repeat 1500 [bad good])))]
      (is (= 1500 (count (:rows (outcome file {:on-bad-block :skip :max-block 1000000}))))))))

;; ---------------------------------------------------------------- stacks and sizes

(defn deep
  "Writes and reads rows as deep as they may be, on small stacks, and prints what fails."
  []
  (doseq [stack [180 1024]
          opts [{} {:columns false} {:messages true} {:structures [["a"]] :columns false}]
          :let [depth (if (:messages opts) 1024 1023)
                row (nth (iterate #(hash-map "a" %) 1) depth)
                list (nth (iterate vector 1) depth)
                result (promise)
                work #(let [file (file-of [row list] (assoc opts :codec :none))]
                        [(= "depth-limit" (try (file-of [[row]] opts)
                                               (catch PackordException e (name (:kind (ex-data e))))))
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
            block (block-of sync-bytes 1 1 2 nil (byte-array [-111 7]))
            far (bit-shift-left 1 39)
            end (bit-shift-left 1 40)]
        (with-open [f (RandomAccessFile. file "rw")]
          (.write f (with-blocks))
          (.seek f far)
          (.write f block)
          (.seek f end)
          (.write f (byte-array (concat (map unchecked-byte [0xd8 0x5d]) sync-bytes
                                        (packord/pack ["index" 1 [[far (alength block) 1 nil]] {"count" 1}])
                                        (map unchecked-byte [0xd7 0x5d 0 0 1 0 0 0 0 0])))))
        (let [work #(with-open [r (container/reader file)]
                      [(:count (container/info r)) (vec r) (count (container/splits r 100))])]
          (is (= [1 [7] 1] (work)))
          (is (< (allocated 1 1 work) 1000000)))
        (testing "without an index the fault is found at once"
          (let [work #(outcome file {:index false})]
            (is (= {:rows [] :kind :invalid-ext} (work)))
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
    (while (and (zero? (.length out)) (.isAlive process))
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
                codec (["none" "deflate" "zstd" "lz4"] (rem i 4))
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
  (doseq [codec [:none :deflate :zstd :lz4]
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

;; ---------------------------------------------------------------- lz4

(defn- with-lz4-java
  "A body of one row, compressed by another library."
  ^bytes [^bytes body flags]
  (let [out (ByteArrayOutputStream.)]
    (with-open [lz4 (LZ4FrameOutputStream. out LZ4FrameOutputStream$BLOCKSIZE/SIZE_64KB (alength body)
                                           (into-array LZ4FrameOutputStream$FLG$Bits flags))]
      (.write lz4 body))
    (.toByteArray out)))

(deftest lz4-is-that-of-another-library
  (let [random (Random. 5)]
    (doseq [n [0 1 11 12 13 64 1000 65535 65536 65537 300000]
            noise [0.0 0.01 0.3 1.0]
            :let [row (byte-array n)
                  _ (dotimes [i n]
                      (aset-byte row i (unchecked-byte (if (< (.nextDouble random) noise) (.nextInt random) (quot i 100)))))
                  body (packord/pack [row])]]
      (testing [n noise]
        (doseq [flags [[LZ4FrameOutputStream$FLG$Bits/BLOCK_INDEPENDENCE]
                       [LZ4FrameOutputStream$FLG$Bits/BLOCK_INDEPENDENCE LZ4FrameOutputStream$FLG$Bits/CONTENT_SIZE
                        LZ4FrameOutputStream$FLG$Bits/CONTENT_CHECKSUM LZ4FrameOutputStream$FLG$Bits/BLOCK_CHECKSUM]]
                :let [data (with-lz4-java body flags)
                      {[read] :rows} (outcome (with-blocks (block-of sync-bytes 1 1 (alength body) "lz4" data)) {})]]
          (is (Arrays/equals row ^bytes read)))
        (with-open [r (container/reader (file-of [row] {:codec :lz4 :columns false}))]
          (let [{:keys [codec ^packord.container.Block block]} (first (container/blocks r))]
            (when (= :lz4 codec)
              (is (Arrays/equals body (.readAllBytes (LZ4FrameInputStream. (ByteArrayInputStream. (.data block)))))))))))))
