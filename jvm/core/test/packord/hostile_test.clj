(ns packord.hostile-test
  "Hostile bytes end in a value or a typed error, within bounds of time and memory. The cases run in
  a JVM of their own with a small heap."
  (:require
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [packord.child :as child]
   [packord.compat.clojure-msgpack :as clojure-msgpack]
   [packord.compat.clojure-msgpack-extensions]
   [packord.core :refer [ext pack unpack]]
   [packord.extension :as extension]
   [packord.extension.clojure :as ext.clj]
   [packord.extension.types :refer [types-ext]]
   [packord.measure :refer [nanoseconds]]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.util Arrays LinkedHashMap)
   (packord Ext Packer Unpacker)
   (packord.typed Chain)))

(set! *warn-on-reflection* true)

(def ^:private small (* 400 1024))

(defn- check
  "A line about what is wrong with the outcome of a case, or nil."
  [c ^bytes b]
  (let [result (promise)
        seconds (/ (nanoseconds #(deliver result (v/unpack-outcome b (v/options c)))) 1e9)
        outcome @result
        allowed (+ 2.0 (* 3e-6 (alength b)))]
    (cond
      (and (get c "error") (not (v/fails? (get c "error") outcome)))
      (str (get c "name") ": " (pr-str (:error outcome)) ", not " (pr-str (get c "error")))
      (and (get c "value_ok") (:error outcome))
      (str (get c "name") ": " (pr-str (:error outcome)))
      (> seconds allowed)
      (str (get c "name") ": " seconds " s"))))

(defn run-cases
  "What the child does: all cases of a size, then a line with their number and the faults."
  [from to]
  (let [from (parse-long from)
        to (parse-long to)
        results (for [c (v/cases "hostile")
                      :when (and (<= from (v/size (get c "bytes"))) (< (v/size (get c "bytes")) to))]
                  (check c (v/expand (get c "bytes"))))]
    (println "cases" (count results))
    (run! println (remove nil? results))))

(defn- run-in-child [heap from to]
  (let [{:keys [exit out]} (child/clojure [heap] "packord.hostile-test/run-cases" from to)
        [first-line & faults] (str/split-lines out)]
    (is (zero? exit) out)
    (is (re-matches #"cases [1-9][0-9]*" (str first-line)) out)
    (is (empty? faults))))

(deftest hostile-vectors-fit-128-mb
  (run-in-child "-Xmx128m" 0 small))

(deftest large-hostile-vectors-take-linear-time
  (run-in-child "-Xmx2500m" small (* 24 1024 1024)))

(defn bombs
  "What the child does: headers that announce 2^31 - 1."
  []
  (doseq [hex ["dd7fffffff" "df7fffffff" "c67fffffff" "db7fffffff" "c97fffffff05" "ddffffffff"
               "dfffffffff" "c6ffffffff"]
          opts [{} {:records true} {:key-fn true} {:canonical true}]
          source [identity #(java.io.ByteArrayInputStream. %)]]
    (let [result (promise)
          ms (/ (nanoseconds #(deliver result (v/outcome (fn [] (unpack (source (v/hex->bytes hex)) opts))))) 1e6)
          outcome @result]
      (when-not (and (#{"eof" "length_limit"} (get-in outcome [:error "kind"])) (< ms 1000))
        (println hex outcome ms)))))

(deftest announced-lengths-cost-nothing
  (is (= {:exit 0 :out ""} (child/clojure ["-Xmx128m"] "packord.hostile-test/bombs"))))

(defn- keys-of [alphabet]
  (map #(apply str %) (nth (iterate (fn [words] (for [w words, l alphabet] (conj w l))) [[]]) 14)))

(defn- reading
  "What `f` returns, or the kind of its error."
  [f]
  (try (f) (catch ExceptionInfo e (:kind (ex-data e)))))

(defn- time-ratio
  "How much longer `f` takes than `g`: the least of many times each, warmed up, taking turns."
  [f g]
  (dotimes [_ 30] (f) (g))
  (let [times (vec (repeatedly 15 #(vector (nanoseconds f) (nanoseconds g))))]
    (/ (double (apply min (map first times))) (double (apply min (map second times))))))

(defn- message-of
  "Packs a map of these keys. Java's maps stay fast with colliding keys, Clojure's do not."
  ^bytes [names]
  (let [m (LinkedHashMap.)]
    (run! #(.put m % nil) names)
    (pack m)))

(deftest colliding-keys-take-at-most-five-times-as-long
  (let [message #(message-of (keys-of %))
        colliding (message ["Aa" "BB"])
        normal (message ["Aa" "Ab"])
        ratio (fn [opts]
                (time-ratio #(unpack colliding opts) #(unpack normal opts)))]
    (is (= (count (unpack colliding)) (count (unpack normal)) 16384))
    (testing "strings"
      (is (< (ratio {}) 5))
      (let [m (unpack colliding)]
        (is (every? #(contains? m %) (keys-of ["Aa" "BB"])))
        (is (not (contains? m :x)))
        (is (= 2 (get (assoc m :x 1 [1 2] 2 5 3) [1 2])))))
    (testing "records"
      (is (< (ratio {:records true}) 5)))
    (testing "elements of sets"
      (let [opts {:rich true}
            set-of #(pack (ext 86 (pack (keys-of %))))
            bad (set-of ["Aa" "BB"])
            good (set-of ["Aa" "Ab"])
            s (unpack bad opts)]
        (is (set? s))
        (is (= 16384 (count s)))
        (is (every? #(contains? s %) (keys-of ["Aa" "BB"])))
        (is (< (time-ratio #(unpack bad opts) #(unpack good opts)) 5))))))

(defn- on-thread
  "What `f` returns on a new thread with the stack that the specification asks for, 1 MB."
  [f]
  (let [result (promise)]
    (.start (Thread. nil #(deliver result (try (f) (catch Throwable t t))) "small" (* 1024 1024)))
    @result))

(defrecord ^:private Box [value])

(defn depths
  "What the child does: 1024 containers of every kind, both ways."
  []
  (doseq [[what f] {"vector" vector
                    "map" #(hash-map :a %)
                    "large map" (let [m (zipmap (map #(keyword (str "k" %)) (range 40)) (range))]
                                  #(assoc m :a %))
                    "list" list
                    "sorted map" #(sorted-map "a" %)
                    "lazy seq" #(map identity [%])
                    "record" ->Box
                    "object" #(doto (Chain.) (-> .-next (set! %)))
                    "own iterable" #(reify Iterable (iterator [_] (.iterator ^Iterable (list %))))}
          opts [nil {:records true} {:canonical true} {:key-fn true} {:key-fn #(keyword (name %))}
                {:extensions [(extension/by-class {:type 9 :classes [java.util.Date] :pack str :unpack str})]}]]
    (let [deep (nth (iterate f nil) 1024)
          result (on-thread #(let [b (pack deep opts)]
                               (Arrays/equals ^bytes b ^bytes (pack (unpack b opts) opts))))
          kind (on-thread #(try (pack (f deep) opts) (catch ExceptionInfo e (:kind (ex-data e)))))]
      (when-not (and (boolean? result) (= :depth-limit kind))
        (println what opts result kind))))
  (let [b (pack (nth (iterate #(hash-map "next" %) nil) 1023))
        depth #(count (take-while some? (iterate (fn [^Chain c] (.-next c)) %)))]
    (when-not (= 1023 (on-thread #(depth (.unpack (Unpacker/standard) b Chain))))
      (println "objects"))
    (when-not (bytes? (on-thread #(.pack (Packer/standard) (.unpack (Unpacker/standard) b Chain))))
      (println "objects in Java")))
  (let [opts {:rich true}
        result (on-thread #(v/outcome (fn [] (pack (nth (iterate hash-set nil) 1024) opts))))]
    (when-not (or (:value result) (= "depth_limit" (get-in result [:error "kind"])))
      (println "sets" result)))
  (let [named (fn [n] (nth (iterate #(pack (ext 94 (byte-array (concat (pack "n") %)))) (pack nil)) n))
        opts {:extensions [(types-ext {})]}]
    (when-not (= (unpack (named 1024)) (:value (on-thread #(v/unpack-outcome (named 1024) opts))))
      (println "1024 named values"))
    (when-not (v/fails? {"kind" "invalid_ext" "offset" 0 "path" "$"} (on-thread #(v/unpack-outcome (named 1025) opts)))
      (println "1025 named values")))
  (let [b (byte-array 1000000 (unchecked-byte 0x91))]
    (when-not (v/fails? {"kind" "depth_limit" "offset" 1024} (on-thread #(v/unpack-outcome b {})))
      (println "a million arrays"))
    (when-not (= "depth_limit" (get-in (on-thread #(v/unpack-outcome b {:max-depth 10000000}))
                                       [:error "kind"]))
      (println "a million arrays, with a limit above what the stack holds"))))

(defn shallow
  "What the child does too: 1024 levels on a stack that holds a few of them."
  []
  (let [deep (nth (iterate #(hash-map "a" [%]) 1) 512)
        result (promise)
        work #(let [b (pack deep)
                    direct (doto (java.nio.ByteBuffer/allocateDirect (alength b)) (.put b) (.flip))]
                [(alength b)
                 (alength ^bytes (pack (unpack b)))
                 (alength ^bytes (pack (unpack direct)))])]
    (.start (Thread. nil #(deliver result (try (work) (catch Throwable t t))) "small" (* 180 1024)))
    (when-not (= [2049 2049 2049] @result) (println @result))))

(defn all-depths []
  (depths)
  (shallow))

(deftest depth-1024-fits-a-stack-of-one-megabyte-and-a-smaller-one
  ;; An interpreter takes most of its time for loading Clojure, so all is in one program. With -Xbatch the size of
  ;; frames does not depend on when a busy machine compiles.
  (doseq [mode [[] ["-Xint"] ["-XX:TieredStopAtLevel=1" "-Xbatch"]]]
    (is (= {:exit 0 :out ""} (child/clojure mode "packord.hostile-test/all-depths")) mode)))

(defn- keyword-keys
  "A message of a map with these keys, that nobody has made a keyword of before."
  ^bytes [names]
  (let [prefix (str (gensym))]
    (message-of (map #(str % prefix) names))))

(defn- groups
  "Strings in groups of one hash each."
  [number size]
  (for [g (range number), text (take size (keys-of ["Aa" "BB"]))]
    (str (format "%05d" g) text)))

(defn- spread [number size]
  (for [g (range number), text (take size (keys-of ["Aa" "Ab"]))]
    (str (format "%05d" g) text)))

(defn- read-keywords [b]
  (reading #(count (unpack b {:key-fn true}))))

(deftest colliding-keywords-are-refused
  (testing "a table of the whole process: what would make it slow is refused, and soon"
    (is (= :length-limit (read-keywords (keyword-keys (keys-of ["Aa" "BB"])))))
    (is (= :length-limit (read-keywords (keyword-keys (groups 500 64))))))
  (testing "what is let through takes at most 5 times as long"
    (let [fastest (fn [names]
                    (apply min (repeatedly 7 (fn []
                                               (let [b (keyword-keys names)]
                                                 (nanoseconds #(is (= 16000 (read-keywords b)))))))))
          warm (fastest (spread 1000 16))]
      (is (pos? warm))
      (is (< (/ (double (fastest (groups 1000 16))) (fastest (spread 1000 16))) 5))))
  (testing "honest names are never refused"
    (let [r (java.util.Random. 3)
          letters "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
          random (fn [n] (apply str (repeatedly n #(nth letters (.nextInt r 62)))))
          dates (for [y (range 1990 2030), m (range 1 13), d (range 1 29)]
                  (format "%04d-%02d-%02d" y m d))]
      (doseq [names [(map str (range 50000))
                     (distinct (repeatedly 20000 #(random 5)))
                     (distinct (repeatedly 10000 #(random 22)))
                     (repeatedly 10000 #(str (java.util.UUID. (.nextLong r) (.nextLong r))))
                     dates
                     (for [a letters, b letters, c (take 20 letters)] (str a b c))
                     (for [x (range 200), y (range 200)] (str x "," y))]]
        (is (= (count names) (read-keywords (keyword-keys names))))))))

(deftest keywords-that-collide-are-refused-over-many-messages
  ;; Each message alone has too few of them to be noticed.
  (let [names (groups 1 1024)
        messages (for [part (partition 30 names)] (keyword-keys part))
        keyed (for [part (partition 30 names)] (message-of part))]
    (is (every? #(= 30 %) (map read-keywords messages)) "other hashes")
    (let [kept (unpack (first keyed) {:key-fn true})
          read (mapv read-keywords keyed)]
      (is (contains? (set read) :length-limit))
      (is (= 30 (count kept) (read-keywords (first keyed))) "known ones are read"))
    (testing "names that come again after a collection are read"
      (let [names (map #(str "again" %) (range 100))]
        (dotimes [_ 100]
          (System/gc)
          (is (= 100 (read-keywords (message-of names)))))))))

(defn- keyword-exts
  "A message of keywords as ext 80, that nobody has made before."
  ^bytes [names]
  (let [prefix (str (gensym))]
    (pack (mapv #(ext 80 (.getBytes (str % prefix))) names))))

(deftest colliding-keywords-are-refused-wherever-keywords-are-made
  (let [bad (keys-of ["Aa" "BB"])
        good (keys-of ["Aa" "Ab"])]
    (doseq [opts [{:rich true} {:extensions [ext.clj/keyword-ext]}]]
      (is (= :length-limit (reading #(unpack (keyword-exts bad) opts))))
      (is (= 16384 (reading #(count (unpack (keyword-exts good) opts))))))
    (doseq [f [keyword #(keyword %) #(keyword "ns" %)]]
      (is (= :length-limit (reading #(unpack (keyword-keys bad) {:key-fn f}))))
      (is (= 16384 (reading #(count (unpack (keyword-keys good) {:key-fn f}))))))
    (testing "by an extension of the program's own"
      (let [own {:extensions [(extension/by-class {:type 80 :classes [] :pack identity
                                                   :unpack #(keyword (String. ^bytes %))})]}]
        (is (= :length-limit (reading #(unpack (keyword-exts bad) own))))
        (is (= 16384 (reading #(count (unpack (keyword-exts good) own)))))))
    (testing "by the extensions of clojure-msgpack"
      (let [in-str #(clojure-msgpack/pack (mapv (fn [^Ext e] (ext 3 (pack (String. (.data e)))))
                                                (unpack (keyword-exts %))))]
        (is (= :length-limit (reading #(clojure-msgpack/unpack (in-str bad)))))
        (is (= 16384 (reading #(count (clojure-msgpack/unpack (in-str good))))))))
    (testing "the same few keywords many times are read"
      (let [maps (pack (vec (repeat 5000 (zipmap (take 16 bad) (range)))))]
        (is (= 5000 (reading #(count (unpack maps {:key-fn (fn [k] (keyword k))})))))))))
