(ns packord.bench-survey
  "The rows of the survey: one for each kind of string, and one for each shape of data, to see which of
  them are slow. Most documents have few of them."
  (:require
   [packord.bench-data :as data]
   [packord.core :as packord]
   [packord.extension.clojure :as ext.clj])
  (:import
   (java.io ByteArrayInputStream ByteArrayOutputStream)
   (java.time Instant)
   (java.util Random)
   (packord.bench ArrayData JavaMaps TypedData Walker)))

(set! *warn-on-reflection* true)

;; ---------------------------------------------------------------- strings

(def ^:private alphabets
  {"english" "The quick brown fox jumps over the lazy dog, and then it sleeps in the sun. "
   "german" "Die schönsten Bücher liegen nächtelang über den Äckern, wie man weiß und hört. "
   "chinese" "我们今天去图书馆看书然后回家吃饭明天再去学校上课"
   "emoji" "😀🎉🚀🐱🍕"})

(defn- cut
  "Returns about `n` characters of a string from index `from` on, never half of a surrogate pair."
  [^String text from n]
  (let [whole (fn [i] (cond-> (long i) (Character/isLowSurrogate (.charAt text i)) inc))]
    (String. (.substring text (whole from) (whole (+ (long from) (long n)))))))

(defn- string
  "About `n` characters of an alphabet; `one quote` has one typographic quote in English."
  [r alphabet n]
  (let [sentence (get alphabets alphabet (alphabets "english"))
        text (apply str (repeat (inc (quot (+ 100 (long n)) (count sentence))) sentence))
        s (cut text (data/below r 80) n)]
    (if (= "one quote" alphabet)
      (str (subs s 0 (quot n 2)) "’" (subs s (inc (quot n 2))))
      s)))

(defn- strings
  "Vectors of strings of one alphabet and length."
  []
  (for [alphabet ["english" "one quote" "german" "chinese" "emoji"]
        n [3 10 50 300 1000 4000 20000]
        :let [r (Random. n)]]
    [(str "strings " alphabet " " n)
     (vec (repeatedly (max 1 (quot 20000 (long n))) #(string r alphabet n)))]))

(defn- articles
  "Documents of long articles, each of a title, an author, tags and paragraphs."
  []
  (for [alphabet ["english" "one quote" "german" "chinese" "emoji"]
        :let [r (Random. 19)]]
    [(str "articles " alphabet)
     (vec (for [id (range 10)]
            {:id id
             :title (string r alphabet 60)
             :author {:name (string r alphabet 12) :mail "author@example.com"}
             :tags [(string r alphabet 6) (string r alphabet 9)]
             :paragraphs (vec (repeatedly 8 #(string r alphabet (+ 200 (data/below r 600)))))}))]))

;; ---------------------------------------------------------------- shapes

(defn- wide-map [r n]
  (into {} (map (fn [i] [(keyword (str "field" i)) (data/below r 1000)])) (range n)))

(defn- shapes
  "Documents of one kind of value each."
  []
  (let [r (Random. 13)
        many (fn [f] (vec (repeatedly 1000 f)))
        below #(data/below r %)]
    [["small integers" (many #(below 128))]
     ["small negative integers" (many #(- -1 (long (below 32))))]
     ["uint 8" (many #(+ 128 (long (below 128))))]
     ["uint 16" (many #(+ 256 (long (below 65000))))]
     ["uint 32" (many #(+ 65536 (long (below 2000000000))))]
     ["uint 64" (many #(+ 4294967296 (long (below 2000000000))))]
     ["int 8" (many #(- -33 (long (below 90))))]
     ["int 16" (many #(- -129 (long (below 30000))))]
     ["int 32" (many #(- -32769 (long (below 2000000000))))]
     ["int 64" (many #(- -2147483649 (long (below 2000000000))))]
     ["integers of all widths" (many #(bit-shift-right (.nextLong r) (long (below 63))))]
     ["booleans" (many #(.nextBoolean r))]
     ["nils" (many (constantly nil))]
     ["doubles" (many #(* 1000 (.nextDouble r)))]
     ["numbers and nils" (many #(case (long (below 3)) 0 nil 1 (below 1000) (.nextDouble r)))]
     ["coordinates" (many #(vector (- (* 360 (.nextDouble r)) 180) (- (* 180 (.nextDouble r)) 90)))]
     ["small vectors" (many #(vector (below 100) (below 100) (below 100)))]
     ["dictionary" (into {} (map #(vector (keyword (str "word" %)) %)) (range 1000))]
     ["distinct keys" (mapv #(hash-map (keyword (str "a" %)) 1 (keyword (str "b" %)) 2) (range 500))]
     ["wide maps" (vec (repeatedly 50 #(wide-map r 40)))]
     ["optional fields" (many #(cond-> {:id (below 1000)}
                                 (.nextBoolean r) (assoc :name "someone")
                                 (.nextBoolean r) (assoc :age (below 100))
                                 (.nextBoolean r) (assoc :active true)))]
     ["maps in maps" (nth (iterate #(hash-map :left % :right 1) nil) 100)]
     ["empty vectors" (many (constantly []))]
     ["empty maps" (many (constantly {}))]
     ["empty strings" (many (constantly ""))]
     ["depth" (nth (iterate vector 1) 500)]
     ["one tiny value" 1]
     ["one tiny map" {:ok true}]
     ["one event" {:type "click" :at 1700000000000 :x 17 :y 400 :target "button"}]]))

;; ---------------------------------------------------------------- rows with peers of their own

(def ^:private rich {:key-fn true :rich true})

(defn- rich-contenders
  "packord with its extensions, beside the bytes of msgpack-clj written by hand."
  [opts v]
  (let [c (packord/codec opts)
        packed ^bytes (packord/pack v c)]
    [{:name "packord" :size (alength packed) :pack #(packord/pack v c) :unpack #(packord/unpack packed c)}
     {:name "msgpack-java walker" :pack #(Walker/pack v) :unpack #(Walker/unpack packed true)}]))

(defrecord Point [id name x y])

(defn- stream-contenders
  "Values one after another, to a stream and back."
  [values]
  (let [c (packord/codec {:key-fn true})
        written (fn [write] (let [out (ByteArrayOutputStream.)] (write out) (.toByteArray out)))
        packed ^bytes (written #(packord/pack-all-stream % values c))]
    [{:name "packord" :size (alength packed)
      :pack (fn [] (written #(packord/pack-all-stream % values c)))
      :unpack #(into [] (packord/unpack-stream (ByteArrayInputStream. packed) c))}
     {:name "msgpack-java walker"
      :pack (fn [] (written #(Walker/packAll values %)))
      :unpack #(Walker/unpackAll (ByteArrayInputStream. packed))}]))

(defn- inline-contenders
  "Options as a map in each call, beside a codec."
  [v]
  (let [c (packord/codec {:key-fn true :sort-keys false})
        packed ^bytes (packord/pack v c)]
    [{:name "packord" :size (alength packed)
      :pack #(packord/pack v {:key-fn true :sort-keys false})
      :unpack #(packord/unpack packed {:key-fn true :sort-keys false})}
     {:name "packord codec" :pack #(packord/pack v c) :unpack #(packord/unpack packed c)}
     {:name "msgpack-java walker" :pack #(Walker/pack v) :unpack #(Walker/unpack packed true)}]))

(defn- special
  "Rows of contenders, each with what every one of them must read."
  []
  (let [r (Random. 23)
        sets (vec (repeatedly 100 #(into #{} (repeatedly 10 (fn [] (data/below r 100000))))))
        words (vec (repeatedly 1000 #(keyword (str "word" (data/below r 100)))))
        event {:type "click" :at 1700000000000 :x 17}
        large (into {} (map #(vector (str "key" %) %)) (range 100000))
        dates (vec (repeatedly 500 #(Instant/ofEpochSecond (data/below r 2000000000) (data/below r 999999999))))
        points (mapv #(->Point % (str "point " %) (* 1.5 (long %)) (* 2.5 (long %))) (range 500))
        rows (vec (take 200 (data/rows)))]
    [["dates" (rich-contenders {:key-fn true} dates) dates]
     ["sets" (rich-contenders rich sets) sets]
     ["keywords as values" (rich-contenders rich words) words]
     ["defrecords" (rich-contenders {:key-fn true} points) (mapv #(into {} %) points)]
     ["large map" (let [packed (packord/pack large)]
                    [{:name "packord" :size (alength ^bytes packed)
                      :pack #(packord/pack large) :unpack #(packord/unpack packed)}
                     {:name "msgpack-java walker"
                      :pack #(Walker/pack large) :unpack #(Walker/unpack packed false)}]) large]
     ["stream of maps" (stream-contenders rows) rows]
     ["options inline" (inline-contenders event) event]]))

;; ---------------------------------------------------------------- classes of Java

(defn- objects
  "Objects of a class. Its msgpack-java is what a program writes by hand for the class."
  [n]
  (let [data (TypedData. n)]
    [{:name "packord" :size (alength (.pack data)) :pack #(.pack data) :unpack #(.unpack data)}
     {:name "msgpack-java by hand" :pack #(.packByHand data) :unpack #(.unpackByHand data)}
     {:name "jackson msgpack" :pack #(.packByJackson data) :unpack #(.unpackByJackson data)}]))

(defn- java-maps [n]
  (let [data (JavaMaps. n)]
    [{:name "packord" :size (alength (.pack data)) :pack #(.pack data) :unpack #(.unpack data)}
     {:name "msgpack-java by hand" :pack #(.packByHand data) :unpack #(.unpackByHand data)}
     {:name "jackson msgpack" :pack #(.packByJackson data) :unpack #(.unpackByJackson data)}]))

(def ^:private arrays (delay (ArrayData.)))

(defn- int-array-row []
  (let [^ArrayData data @arrays]
    [{:name "packord" :pack #(.packInts data) :unpack #(.unpackInts data)}
     {:name "msgpack-java by hand" :pack #(.packIntsByHand data) :unpack #(.unpackIntsByHand data)}
     {:name "jackson msgpack" :pack #(.packIntsByJackson data) :unpack #(.unpackIntsByJackson data)}]))

(defn- double-array-row []
  (let [^ArrayData data @arrays]
    [{:name "packord" :pack #(.packDoubles data) :unpack #(.unpackDoubles data)}
     {:name "msgpack-java by hand" :pack #(.packDoublesByHand data) :unpack #(.unpackDoublesByHand data)}
     {:name "jackson msgpack" :pack #(.packDoublesByJackson data) :unpack #(.unpackDoublesByJackson data)}]))

(defn- typed-array-row []
  (let [^ArrayData data @arrays
        c (packord/codec {:extensions [ext.clj/typed-array-ext]})
        packed (.packExtByHand data)]
    [{:name "packord" :pack #(packord/pack (.-doubles data) c) :unpack #(packord/unpack packed c)}
     {:name "msgpack-java by hand" :pack #(.packExtByHand data) :unpack #(.unpackExtByHand data)}]))

(defn typed
  "Rows of classes and arrays of Java."
  []
  [["1000 objects" (objects 1000)]
   ["one object" (objects 1)]
   ["1000 maps of Java" (java-maps 1000)]
   ["int[]" (int-array-row)]
   ["double[]" (double-array-row)]
   ["double[] as ext" (typed-array-row)]])

(defn documents
  "Pairs of name and value, which every contender of the main benchmark can write and read."
  []
  (concat (strings)
          (articles)
          (map (fn [[title v]] [(str "shape " title) v]) (shapes))))

(defn others
  "Rows of other contenders: name, contenders and the value that all of them read."
  []
  (map (fn [[title & more]] (into [(str "shape " title)] more)) (special)))
