(ns packord.bench
  "Measures packord against its peers in one process: all contenders of a row take turns, so that
  whatever disturbs the machine disturbs all. Writes bench/results/clojure.json.

  With QUICK=1 in the environment it takes a few seconds a row less and gives rougher figures."
  (:require
   [clojure.java.io :as io]
   [packord.bench-data :as data]
   [packord.core :as packord])
  (:import
   (com.fasterxml.jackson.databind ObjectMapper ObjectReader ObjectWriter)
   (com.fasterxml.jackson.dataformat.cbor CBORFactory)
   (com.fasterxml.jackson.dataformat.smile SmileFactory)
   (org.msgpack.jackson.dataformat MessagePackFactory)
   (packord.bench Floor JacksonData Walker)))

(set! *warn-on-reflection* true)

(def ^:private quick? (= "1" (System/getenv "QUICK")))
(def ^:private warmup-seconds (if quick? 0.7 2.0))
(def ^:private rounds (if quick? 15 61))
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

(defn- contenders [doc]
  (let [packed (packord/pack doc)
        plan (Floor/plan doc)]
    [(ours "packord" {:key-fn true} doc)
     (ours "packord records" {:key-fn true :records true} doc)
     {:name "packord string keys"
      :unpack #(packord/unpack packed)}
     {:name "floor"
      :unpack #(Floor/build plan)}
     (jackson "jackson json" nil doc)
     {:name "msgpack-java walker"
      :size (alength (Walker/pack doc))
      :pack #(Walker/pack doc)
      :unpack #(Walker/unpack packed true)}
     (jackson "jackson msgpack" (MessagePackFactory.) doc)
     (jackson "jackson smile" (SmileFactory.) doc)
     (jackson "jackson cbor" (CBORFactory.) doc)]))

;; ---------------------------------------------------------------- measuring

(def ^:private ^:dynamic *sink* nil)

(defn- run-for
  "Seconds that `n` calls take."
  ^double [f ^long n]
  (let [start (System/nanoTime)]
    (loop [i 0 last nil]
      (if (< i n)
        (recur (inc i) (f))
        (set! *sink* last)))
    (/ (- (System/nanoTime) start) 1e9)))

(defn- calls-for [f seconds]
  (loop [n 1]
    (let [t (run-for f n)]
      (if (< t (* 0.5 (double seconds)))
        (recur (* 2 n))
        (max 1 (long (* n (/ (double seconds) t))))))))

(defn- lower-quartile
  "Robust against what else the machine does, which only ever adds time."
  [xs]
  (nth (sort xs) (quot (count xs) 4)))

(defn- warm-up [fs]
  (let [end (+ (System/nanoTime) (long (* 1e9 (double warmup-seconds) (count fs))))]
    (while (< (System/nanoTime) end)
      (run! #(run-for % (calls-for % 0.02)) fs))))

(defn- measure
  "The lower quartile of the seconds a call of each function takes, all of them taking turns."
  [fs]
  (warm-up fs)
  (let [calls (mapv #(calls-for % round-seconds) fs)
        times (for [_ (range rounds)]
                (mapv (fn [f n] (/ (run-for f n) (double n))) fs calls))]
    (apply mapv (fn [& xs] (lower-quartile xs)) (doall times))))

(defn- row [doc-name op contenders]
  (let [able (filter op contenders)
        seconds (measure (mapv op able))
        own (first seconds)]
    {:document doc-name
     :operation (name op)
     :results (mapv (fn [c s]
                      {:name (:name c)
                       :microseconds (* 1e6 (double s))
                       :ratio (/ (double s) (double own))
                       :bytes (:size c)})
                    able seconds)}))

(defn- print-row [{:keys [document operation results]}]
  (println (str "\n" document ", " operation))
  (doseq [{:keys [name microseconds ratio bytes]} results]
    (println (format "  %-22s %10.2f us  x%5.2f %s" name microseconds ratio
                     (if bytes (str bytes " bytes") "")))))

(defn- equal-outcomes!
  "All contenders must read what was written, or their times mean nothing."
  [doc contenders]
  (doseq [{:keys [name unpack]} contenders
          :when (not= "packord string keys" name)]
    (assert (= doc (unpack)) (str name " reads something else"))))

(defn -main [& [only]]
  (binding [*sink* nil]
    (let [table (vec (for [[doc-name doc] (data/documents)
                           :let [all (contenders doc)
                                 _ (equal-outcomes! doc all)]
                           op [:pack :unpack]
                           :when (or (nil? only) (= only doc-name))
                           :let [r (row doc-name op all)]]
                       (doto r print-row)))
          file (io/file "results" "clojure.json")]
      (io/make-parents file)
      (.writeValue (.writerWithDefaultPrettyPrinter (ObjectMapper.))
                   file
                   ^Object (update-keys {:schema 1
                                  :java (System/getProperty "java.version")
                                  :clojure (clojure-version)
                                  :quick quick?
                                  :rows (mapv (fn [r]
                                                (-> (update r :results
                                                            (partial mapv #(update-keys % name)))
                                                    (update-keys name)))
                                              table)}
                                 name))
      (println "\nwritten to" (str file)))
    (shutdown-agents)))
