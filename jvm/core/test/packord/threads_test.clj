(ns packord.threads-test
  (:require
   [clojure.test :refer [deftest is]]
   [packord.core :refer [codec ext pack unpack]]
   [packord.extension :as extension]
   [packord.extension.clojure :as ext.clj])
  (:import
   (clojure.lang ExceptionInfo)
   (java.util Date)
   (packord StructureStore)))

(set! *warn-on-reflection* true)

(defn- in-parallel [n f]
  (run! deref (mapv #(future (f %)) (range n))))

(deftest threads-can-share-a-codec
  (doseq [opts [{:key-fn true} {:key-fn true :records true}
                {:key-fn true :rich true}
                {:key-fn true :records true :structures (atom [])}]
          :let [c (codec opts)]]
    (in-parallel
     8
     (fn [t]
       (dotimes [i 500]
         (let [v {:thread t :i i
                  :nested [{(keyword (str "k" (mod i 50))) i} {:thread t}]
                  :text (apply str (repeat (mod i 100) "é"))}]
           (when-not (= v (unpack (pack v c) c))
             (throw (ex-info "differs" {:opts opts :v v})))))))
    (is true)))

(deftest keys-that-threads-read-in-another-order-at-the-same-time-are-not-mixed-up
  (let [maps (vec (for [k ["bb" "cccc" "dddddddd" "eeeeeeeeeeeeeeee"]] {"a" 1, k 2}))
        messages (mapv pack maps)]
    (in-parallel
     4
     (fn [_]
       (dotimes [i 200000]
         (let [n (rem i 4)]
           (when-not (= (maps n) (unpack (messages n)))
             (throw (ex-info "differs" {:n n})))))))
    (is true)))

(deftest shared-structures-grow-without-losses
  (let [shared (atom [])
        opts {:records true :structures shared :max-shared-structures 500 :max-own-structures 500
              :key-fn true}
        messages (atom [])]
    (in-parallel
     8
     (fn [t]
       (dotimes [i 40]
         (let [v {(keyword (str "t" (mod t 4) "-" i)) i}]
           (swap! messages conj [v (pack v opts)])))))
    (is (= 160 (count @shared) (count (distinct @shared))))
    (doseq [[v b] @messages]
      (is (= v (unpack b opts))))))

(deftest structures-that-another-encoder-adds-at-once-are-kept
  (let [shared (atom [])
        store (reify StructureStore
                (get [_] @shared)
                (compareAndSet [_ expected longer]
                  (let [set? (compare-and-set! shared expected (mapv vec longer))]
                    (when (and set? (= 1 (count @shared))) (swap! shared conj ["other"]))
                    set?)))
        c (codec {:records true :structures store :key-fn true})]
    (pack {:a 1} c)
    (is (= {:b 2} (unpack (pack {:b 2} c) c)))
    (is (= [["a"] ["other"] ["b"]] @shared))))

(deftest a-codec-can-be-used-within-itself
  (let [c (promise)
        nested (reify extension/MsgpackExtension
                 (can-pack? [_ v] (set? v))
                 (can-unpack? [_ t] (= 40 t))
                 (pack [_ packer v _] (extension/write-ext packer 40 (pack (vec v) @c)))
                 (unpack [_ unpacker header _]
                   (set (unpack (extension/read-payload unpacker header) @c))))]
    (deliver c (codec {:extensions [nested] :records true :key-fn true}))
    (let [v [{:a #{1 #{2 [#{3}]}}} {:a #{{:b 1}}}]]
      (is (= v (unpack (pack v @c) @c)))
      (is (thrown? ExceptionInfo (pack [{:a #{1 #{(Object.)}}}] @c)))
      (is (= v (unpack (pack v @c) @c))))))

(defn- freed?
  "Whether nothing holds the object of a reference any more."
  [^java.lang.ref.WeakReference reference]
  (loop [tries 50]
    (System/gc)
    (cond
      (nil? (.get reference)) true
      (zero? tries) false
      :else (do (Thread/sleep 20) (recur (dec tries))))))

(deftest no-bytes-of-a-caller-are-kept
  (let [c (codec {})
        read (fn []
               (let [bytes (pack [(apply str (repeat 100 "abcdefgh")) (apply str (repeat 100 "äöü ab"))
                                  (apply str (repeat 50 "äbcdefghijklmnopqrstuvwxyzabcdefghijklmnopq"))])]
                 (unpack bytes c)
                 (java.lang.ref.WeakReference. bytes)))]
    (is (freed? (read)))))

(defn- on-small-stack [f]
  (let [result (promise)]
    (.start (Thread. nil #(deliver result (try (f) (catch Throwable t t))) "small" (* 180 1024)))
    @result))

(deftest code-of-the-program-runs-once-and-on-the-thread-of-the-caller
  (let [deep #(nth (iterate vector %) 1000)
        threads (atom [])
        seen (fn [x] (swap! threads conj (.getName (Thread/currentThread))) x)
        dates (extension/by-class {:type 9 :classes [Date] :pack (fn [_] (seen (byte-array 1))) :unpack seen})
        asked (reify extension/MsgpackExtension
                (can-pack? [_ x] (when (= x "asked") (seen x) false))
                (can-unpack? [_ _] false))
        packed (pack (deep {"k" (ext 9 (byte-array 1))}))]
    (doseq [[what f] {"nothing of its own" #(unpack (pack (deep {"k" 1})))
                      "an extension before" #(pack [(Date.) (deep 1)] {:extensions [dates]})
                      "an extension that is asked" #(pack ["asked" (deep 1)] {:extensions [asked]})
                      "an extension within" #(pack (deep (Date.)) {:extensions [dates]})
                      "an extension that reads" #(unpack packed {:extensions [dates]})
                      "a lazy seq before" #(pack [(map seen [1]) (deep 1)])
                      "a lazy seq within" #(pack (deep (map seen [1])))
                      "a seq whose rest is lazy" #(pack (deep (cons 0 (map seen [1]))))
                      "an iterator before" #(pack [(.iterator ^Iterable (eduction (map seen) [1])) (deep 1)])
                      "a key function that writes" #(pack [{:a 1} (deep {:a 1})] {:key-fn seen})
                      "a key function that reads" #(unpack packed {:key-fn seen})
                      "a stream" #(unpack (java.io.ByteArrayInputStream. packed))}
            :let [result (on-small-stack f)]]
      (if (= what "nothing of its own")
        (is (= (deep {"k" 1}) result))
        (is (re-find #"^depth_limit .* the thread's stack is too small$" (str (ex-message result))) what))
      (is (every? #{"small"} @threads) what)
      (is (>= 1 (count @threads)) what)
      (reset! threads []))))

(deftest extensions-that-say-that-they-are-pure-run-on-a-larger-stack
  (let [value (nth (iterate vector {:a/b 'c}) 1000)
        opts {:key-fn true :extensions [ext.clj/keyword-ext ext.clj/symbol-ext]}]
    (is (= value (on-small-stack #(unpack (pack value opts) opts))))))

(deftest a-limit-of-depth-above-the-largest-stack-does-not-end-what-fits
  (is (vector? (on-small-stack #(unpack (pack (nth (iterate vector []) 2000) {:max-depth 20000}) {:max-depth 20000})))))
