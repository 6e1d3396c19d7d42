(ns packord.threads-test
  (:require
   [clojure.test :refer [deftest is]]
   [packord.core :refer [codec pack unpack]]
   [packord.extension :as extension]
   [packord.extension.clojure :as ext.clj])
  (:import
   (packord PackordException StructureStore)))

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
      (is (thrown? PackordException (pack [{:a #{1 #{(Object.)}}}] @c)))
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

(def ^:private ^:dynamic *bound* "of the root")

(defn- on-small-stack [f]
  (let [result (promise)
        run (bound-fn [] (deliver result (try (f) (catch Throwable t t))))
        thread (Thread. nil run "small" (* 180 1024))]
    (.setContextClassLoader thread (ClassLoader/getPlatformClassLoader))
    (.start thread)
    @result))

(deftest what-is-done-on-a-large-stack-sees-what-the-caller-has
  (let [deep #(nth (iterate vector %) 1000)
        inner #(nth (iterate first %) 1000)
        seen #(str *bound* " " (= (ClassLoader/getPlatformClassLoader) (.getContextClassLoader (Thread/currentThread))))
        said (extension/by-class {:type 9 :classes [java.util.Date]
                                  :pack (fn [_] (.getBytes ^String (seen)))
                                  :unpack (fn [^bytes b] (str (String. b) "; " (seen)))})]
    (binding [*bound* "of the caller"]
      (is (= ["of the caller true"]
             (on-small-stack #(inner (unpack (pack (deep (lazy-seq [(seen)]))))))
             (on-small-stack #(inner (unpack (pack (deep (map (fn [_] (seen)) [1]))) {:key-fn true}))))
          "of lazy seqs")
      (is (= "of the caller true; of the caller true"
             (on-small-stack #(inner (unpack (pack (deep (java.util.Date.)) {:extensions [said]}) {:extensions [said]}))))
          "of extensions")
      (is (= "of the caller true"
             (on-small-stack #(first (keys (inner (unpack (pack (deep {"k" 1})) {:key-fn (fn [_] (seen))}))))))
          "of key functions"))))

(deftest a-limit-of-depth-above-the-largest-stack-does-not-end-what-fits
  (is (vector? (on-small-stack #(unpack (pack (nth (iterate vector []) 2000) {:max-depth 20000}) {:max-depth 20000})))))
