(ns packord.bench
  "Measures packord against its peers in one process: all contenders of a row take turns, so that
  whatever disturbs the machine disturbs all. This is done in several processes one after another,
  as the JIT compiler's choices differ from one to the next. Reported are the median and the
  quartiles of all rounds; written to bench/results/clojure.json, and the survey to
  bench/results/clojure-survey.json.

  What is measured is the processor's time of the calling thread, which does not grow when the
  machine has other work. The garbage collector runs in threads of its own, so the bytes that each
  call allocates are reported beside it.

  Arguments narrow it down: how a document's name begins, then `pack` or `unpack`. QUICK=1 in the
  environment takes one process and less time in it; SURVEY=1 measures the survey in place of the
  documents, with fewer contenders and less time for each, as it has many rows."
  (:require
   [clojure.edn :as edn]
   [clojure.java.io :as io]
   [clojure.string :as str]
   [packord.bench-data :as data]
   [packord.bench-survey :as survey]
   [packord.core :as packord])
  (:import
   (com.fasterxml.jackson.databind ObjectMapper ObjectReader ObjectWriter)
   (com.fasterxml.jackson.dataformat.cbor CBORFactory)
   (com.fasterxml.jackson.dataformat.smile SmileFactory)
   (com.sun.management ThreadMXBean)
   (java.lang.management ManagementFactory)
   (org.msgpack.jackson.dataformat MessagePackFactory)
   (packord Packer)
   (packord.bench Floor JacksonData Walker)))

(set! *warn-on-reflection* true)

(def ^:private quick? (= "1" (System/getenv "QUICK")))
(def ^:private survey? (= "1" (System/getenv "SURVEY")))
(def ^:private processes (cond quick? 1 survey? 2 :else 3))
(def ^:private warmup-seconds (if (or quick? survey?) 0.3 1.5))
(def ^:private rounds (if (or quick? survey?) 7 31))
(def ^:private round-seconds 0.01)

;; ---------------------------------------------------------------- contenders

(defn- jackson [name factory doc]
  (let [^ObjectMapper mapper (JacksonData/mapper factory true)
        ^ObjectWriter writer (.writer mapper)
        ^ObjectReader reader (.readerFor mapper Object)
        bytes (.writeValueAsBytes writer doc)]
    {:name name
     :size (alength bytes)
     :pack #(.writeValueAsBytes writer doc)
     :unpack #(.readValue reader bytes)}))

(defn- ours [name opts doc]
  (let [c (packord/codec opts)
        bytes (packord/pack doc c)]
    {:name name
     :size (alength bytes)
     :pack #(packord/pack doc c)
     :unpack #(packord/unpack bytes c)}))

(defn- own-and-peers
  "packord, what any reader must do at least, and the peers that read and write the same."
  [doc]
  (let [packed (packord/pack doc)
        plan (Floor/plan doc)]
    [(ours "packord" {:key-fn true} doc)
     {:name "floor"
      :unpack #(Floor/build plan)}
     (jackson "jackson json" nil doc)
     {:name "msgpack-java walker"
      :size (alength (Walker/pack doc))
      :pack #(Walker/pack doc)
      :unpack #(Walker/unpack packed true)}
     (jackson "jackson msgpack" (MessagePackFactory.) doc)]))

(defn- contenders [doc]
  (let [packed (packord/pack doc)
        [own & peers] (own-and-peers doc)]
    (concat [own
             (ours "packord records" {:key-fn true :records true} doc)
             {:name "packord string keys"
              :unpack #(packord/unpack packed)}]
            peers
            [(jackson "jackson smile" (SmileFactory.) doc)
             (jackson "jackson cbor" (CBORFactory.) doc)])))

(defn- equal-outcomes!
  "All contenders must read `expected`, or their times mean nothing."
  [expected contenders]
  (doseq [{:keys [name unpack]} contenders
          :when (not= "packord string keys" name)]
    (assert (= expected (unpack)) (str name " reads something else"))))

(defn- equal-messages!
  "All contenders must write equal data, and read equal data, whatever it is for the program."
  [contenders]
  (assert (apply = (map #(packord/unpack ((:pack %))) contenders)) "contenders write different data")
  (assert (apply = (map #(packord/unpack (.pack (Packer/standard) ((:unpack %)))) contenders))
          "contenders read different data"))

;; ---------------------------------------------------------------- measuring

(def ^:private ^:dynamic *sink* nil)

(def ^:private ^ThreadMXBean threads (ManagementFactory/getThreadMXBean))

(defn- cpu-seconds ^double []
  (/ (.getCurrentThreadCpuTime threads) 1e9))

(defn- run-for
  "Seconds that `n` calls take."
  ^double [f ^long n]
  (let [start (cpu-seconds)]
    (loop [i 0 last nil]
      (if (< i n)
        (recur (inc i) (f))
        (set! *sink* last)))
    (- (cpu-seconds) start)))

(defn- allocated
  "Bytes that a call allocates."
  [f]
  (let [calls 20
        start (.getCurrentThreadAllocatedBytes threads)]
    (dotimes [_ calls] (f))
    (quot (- (.getCurrentThreadAllocatedBytes threads) start) calls)))

(defn- calls-for [f seconds]
  (loop [n 1]
    (let [t (run-for f n)]
      (if (< t (* 0.5 (double seconds)))
        (recur (* 2 n))
        (max 1 (long (* n (/ (double seconds) t))))))))

(defn- warm-up [fs]
  (let [end (+ (cpu-seconds) (* (double warmup-seconds) (count fs)))]
    (while (< (cpu-seconds) end)
      (run! #(run-for % (calls-for % 0.02)) fs))))

(defn- measure
  "The microseconds that a call of each function takes, in each round; all of them take turns."
  [fs]
  (warm-up fs)
  (let [calls (mapv #(calls-for % round-seconds) fs)
        times (for [_ (range rounds)]
                (mapv (fn [f n] (/ (* 1e6 (run-for f n)) (double n))) fs calls))]
    (apply mapv vector (doall times))))

(defn- row [doc-name op contenders]
  (let [able (filter op contenders)]
    {:document doc-name
     :operation (name op)
     :results (mapv (fn [c times]
                      {:name (:name c) :bytes (:size c) :times times :allocated (allocated (op c))})
                    able (measure (mapv op able)))}))

(defn- checked-rows
  "Pairs of name and a function that makes and checks the contenders."
  []
  (let [of-document (fn [make] (fn [[title doc]]
                                 [title #(doto (make doc) (->> (equal-outcomes! doc)))]))
        of-others (fn [[title all expected]]
                    [title #(do (if expected (equal-outcomes! expected all) (equal-messages! all)) all)])]
    (if survey?
      (concat (map (of-document own-and-peers) (survey/documents))
              (map of-others (survey/others)))
      (concat (map (of-document contenders) (data/documents))
              (map of-others (survey/typed))))))

(defn rows
  "What each process does: prints the rounds of all rows that are asked for."
  [& [beginning only-operation]]
  (binding [*sink* nil]
    (prn (vec (for [[doc-name make] (checked-rows)
                    :when (str/starts-with? doc-name (or beginning ""))
                    :let [all (make)]
                    op [:pack :unpack]
                    :when (or (nil? only-operation) (= only-operation (name op)))]
                (row doc-name op all))))))

;; ---------------------------------------------------------------- results

(defn- rows-of-a-process [args]
  (let [java (str (io/file (System/getProperty "java.home") "bin" "java"))
        command (concat [java "-Xbatch" "-XX:+UseG1GC"]
                        (.getInputArguments (ManagementFactory/getRuntimeMXBean))
                        ["-cp" (System/getProperty "java.class.path") "clojure.main" "-e"
                         (str "(require 'packord.bench) (packord.bench/rows "
                              (str/join " " (map pr-str args)) ") (System/exit 0)")])
        process (-> (ProcessBuilder. ^java.util.List (vec command))
                    (.redirectError java.lang.ProcessBuilder$Redirect/INHERIT)
                    .start)
        out (slurp (.getInputStream process))]
    (assert (zero? (.waitFor process)) out)
    (edn/read-string out)))

(defn- pooled
  "One row of the same row of several processes."
  [same]
  (assoc (first same)
         :results (apply mapv
                         (fn [& results]
                           (assoc (first results) :times (mapcat :times results)))
                         (map :results same))))

(defn- quantile [p xs]
  (nth (sort xs) (long (* (double p) (dec (count xs))))))

(defn- summary [{:keys [results] :as r}]
  (let [own (quantile 0.5 (:times (first results)))]
    (assoc r :results (mapv (fn [{:keys [name bytes times allocated]}]
                              (let [median (quantile 0.5 times)]
                                {:name name
                                 :bytes bytes
                                 :allocated allocated
                                 :median median
                                 :lower-quartile (quantile 0.25 times)
                                 :upper-quartile (quantile 0.75 times)
                                 :ratio (/ (double median) (double own))}))
                            results))))

(defn- print-row [{:keys [document operation results]}]
  (println (str "\n" document ", " operation ", microseconds"))
  (doseq [{:keys [name median lower-quartile upper-quartile ratio bytes allocated]} results]
    (println (format "  %-22s %10.2f  (%.2f to %.2f)  x%5.2f  allocates %d  %s"
                     name median lower-quartile upper-quartile ratio allocated
                     (if bytes (str bytes " bytes") "")))))

(defn- write-results [table]
  (let [file (io/file "results" (if survey? "clojure-survey.json" "clojure.json"))
        plain (fn plain [x]
                (cond (map? x) (update-vals (update-keys x name) plain)
                      (vector? x) (mapv plain x)
                      :else x))]
    (io/make-parents file)
    (.writeValue (.writerWithDefaultPrettyPrinter (ObjectMapper.))
                 file
                 ^Object (plain {:schema 2
                                 :unit "microseconds of the calling thread"
                                 :java (System/getProperty "java.version")
                                 :clojure (clojure-version)
                                 :quick quick?
                                 :processes processes
                                 :rounds rounds
                                 :rows table}))
    (println "\nwritten to" (str file))))

(defn -main [& args]
  (let [all (repeatedly processes #(rows-of-a-process args))
        table (mapv summary (apply map (fn [& same] (pooled same)) all))]
    (run! print-row table)
    (write-results table)
    (shutdown-agents)))
