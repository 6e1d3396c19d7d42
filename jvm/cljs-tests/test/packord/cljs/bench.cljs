(ns packord.cljs.bench
  "packord beside transit-cljs: sizes, and times by turns in one process."
  (:require
   [goog.object :as gobject]
   [cognitect.transit :as transit]
   [packord.core :as packord]))

(defn- row [i]
  {:id i :name (str "user " i) :email (str "user" i "@example.com") :active (even? i)
   :score (* i 1.25) :tags [:a :b] :address {:street "Main Street" :city "Springfield" :zip "12345"}})

(def ^:private documents
  {"one event" [:chat/message {:user/id 17 :text "Hello, how are you?" :at 1700000000000}]
   "100 maps" (mapv row (range 100))
   "1000 numbers" (mapv #(* % 1.5) (range 1000))
   "dictionary" (into {} (map (fn [i] [(keyword (str "key" i)) i])) (range 1000))
   "keywords, sets, UUIDs" (vec (for [i (range 100)]
                                  {:kind :order/line :tags #{:a :b :c}
                                   :id (uuid (str "61a0cd6e-bb9d-4a3a-b1b4-" (.padStart (str i) 12 "0")))}))})

(defn- median [xs]
  (nth (sort xs) (quot (count xs) 2)))

(defn- time-of [n f]
  (let [start (js/performance.now)]
    (dotimes [_ n] (f))
    (- (js/performance.now) start)))

(defn- times
  "Median times of one call of each function, by turns, in microseconds."
  [fs seconds]
  (let [once (time-of 50 (first fs))
        n (max 1 (js/Math.round (/ (* 50 2) (max 0.01 once))))
        rounds (max 5 (js/Math.round (* seconds 100)))]
    (run! #(time-of (* 20 n) %) fs)
    (let [all (vec (for [_ (range rounds)] (mapv #(/ (time-of n %) n) fs)))]
      (mapv (fn [i] (* 1000 (median (map #(nth % i) all)))) (range (count fs))))))

(defn- run [seconds]
  (let [plain (packord/codec {:key-fn true :rich true})
        records (packord/codec {:key-fn true :rich true :records true})
        writer (transit/writer :json)
        reader (transit/reader :json {:handlers {"u" uuid}})]
    (clj->js
     (for [[title v] documents]
       (let [bytes (packord/pack v plain)
             recorded (packord/pack v records)
             text (transit/write writer v)]
         (assert (= v (packord/unpack bytes plain) (packord/unpack recorded records) (transit/read reader text))
                 title)
         {"document" title
          "bytes" [(.-length bytes) (.-length recorded) (.-length (.encode (js/TextEncoder.) text))]
          "pack" (times [#(packord/pack v plain) #(packord/pack v records) #(transit/write writer v)] seconds)
          "unpack" (times [#(packord/unpack bytes plain) #(packord/unpack recorded records)
                           #(transit/read reader text)] seconds)})))))

(gobject/set js/globalThis "packordBench" run)
