(ns packord.features
  "Makes the table of site/generated/clojure-features.md: each cell is what its piece of code did.

      java -cp … clojure.main -m packord.features

  A cell runs the code of its row with the functions that its package has below: ✓ if the result is
  true, – if it is not, throws, or the package has no such thing. transit-clj is on Maven Central and
  so is always run. A package that is not on the class path keeps the cells that the page has; add
  its source to the class path to run them again."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str])
  (:import
   (java.io File)))

(set! *warn-on-reflection* true)

(def ^:private begin "<!-- features -->\n")
(def ^:private end "<!-- /features -->")

(defn- page ^File []
  (->> (iterate #(.getParentFile ^File %) (.getAbsoluteFile (io/file "x")))
       (take-while some?)
       (map #(io/file % "site" "generated" "clojure-features.md"))
       (filter #(.exists ^File %))
       first))

(defn connector?
  "Whether a folder next to this library has a class that its jar registers for a service."
  [folder service]
  (let [dir (io/file (.getParentFile (.getParentFile (.getParentFile (page)))) "jvm" folder "src" "main")
        named (str/trim (slurp (io/file dir "resources" "META-INF" "services" service)))]
    (.exists (io/file dir "java" (str (str/replace named "." "/") ".java")))))

(def ^:private common
  "What every package's code may use."
  '[(import '(java.io ByteArrayInputStream ByteArrayOutputStream)
            '(java.nio ByteBuffer)
            '(java.time Duration Instant LocalDate LocalDateTime ZonedDateTime)
            '(java.util Arrays UUID))
    (defn octets [& values] (byte-array (map unchecked-byte values)))
    (defn same? [a b] (and (= a b) (= (class a) (class b))))
    (defn caught [f] (try (f) nil (catch Throwable t t)))
    (defn orderly?
      "Whether a call failed, but not for want of stack or memory."
      [f]
      (let [t (caught f)]
        (and t (not (instance? VirtualMachineError t)) (not (instance? VirtualMachineError (.getCause ^Throwable t))))))
    (defn nested [n] (byte-array (concat (repeat n (unchecked-byte 0x91)) [1])))])

(def ^:private packages
  "Each with its title, a namespace that it must have, and the functions that the rows call: `pk` and
  `un` with its defaults, `rich-pk` and `rich-un` with what it offers for Clojure's data."
  [[:packord "packord" 'packord.core
    '[(require '[packord.core :as p] '[packord.view :as view]
               '[packord.schema :as schema] '[packord.columns :as columns] '[packord.container :as container]
               '[packord.ring :as ring]
               '[clojure.spec.alpha :as s])
      (defn container-of [rows opts]
        (let [out (ByteArrayOutputStream.)]
          (with-open [w (container/writer out opts)] (container/write-all! w rows))
          (.toByteArray out)))
      (defn container-rows [source opts] (with-open [r (container/reader source opts)] (vec r)))
      (defn pk [v] (p/pack v)) (defn un [b] (p/unpack b))
      (defn rich-pk [v] (p/pack v {:rich true})) (defn rich-un [b] (p/unpack b {:rich true}))]]
   [:msgpack-clj "msgpack-clj" 'io.julienvincent.msgpack
    '[(require '[io.julienvincent.msgpack :as m] '[io.julienvincent.msgpack.extension.clojure :as c])
      (def x {:extensions [c/keyword-ext c/symbol-ext c/set-ext]})
      (defn pk [v] (m/pack v)) (defn un [b] (m/unpack b))
      (defn rich-pk [v] (m/pack v x)) (defn rich-un [b] (m/unpack b x))]]
   [:clojure-msgpack "clojure-msgpack" 'msgpack.core
    '[(require '[msgpack.core :as m] 'msgpack.clojure-extensions)
      (defn pk [v] (m/pack v)) (defn un [b] (m/unpack b))
      (def rich-pk pk) (def rich-un un)]]
   [:taoensso "taoensso.msgpack" 'taoensso.msgpack
    '[(require '[taoensso.msgpack :as m])
      (defn pk [v] (m/pack v)) (defn un [b] (m/unpack b))
      (def rich-pk pk) (def rich-un un)]]
   [:transit "transit-clj" 'cognitect.transit
    '[(require '[cognitect.transit :as t])
      (defn pk [v] (let [out (ByteArrayOutputStream.)] (t/write (t/writer out :msgpack) v) (.toByteArray out)))
      (defn un [b] (t/read (t/reader (ByteArrayInputStream. b) :msgpack)))
      (def rich-pk pk) (def rich-un un)]]
   [:jsonista "jsonista" 'jsonista.core
    '[(require '[jsonista.core :as j] '[jsonista.tagged :as jt])
      (import '(clojure.lang Keyword PersistentHashSet))
      (def x (j/object-mapper
              {:encode-key-fn true :decode-key-fn true
               :modules [(jt/module {:handlers {Keyword {:tag "!kw" :encode jt/encode-keyword :decode keyword}
                                                PersistentHashSet {:tag "!set" :encode jt/encode-collection :decode set}}})]}))
      (defn pk [v] (j/write-value-as-bytes v)) (defn un [b] (j/read-value b))
      (defn rich-pk [v] (j/write-value-as-bytes v x)) (defn rich-un [b] (j/read-value b x))]]])

(def ^:private rows
  "Each with the code for all packages, or for those that have such a thing."
  [["nil, booleans, numbers, strings, vectors, maps" '(let [v [nil true 1 -70000 "ä" [1.5] {"a" {"b" []}}]] (= v (un (pk v))))]
   ["byte arrays" '(Arrays/equals ^bytes (un (pk (octets 1 2 255))) ^bytes (octets 1 2 255))]
   ["doubles keep their 64 bits" '(same? 0.1 (un (pk 0.1)))]
   ["floats that are whole stay floats" '(same? 1.0 (un (pk 1.0)))]
   ["NaN and infinities" '(and (NaN? (un (pk ##NaN))) (= ##-Inf (un (pk ##-Inf))))]
   ["longs come back as longs, small or large" '(every? #(same? % (un (pk %))) [1 200 70000 5000000000 Long/MIN_VALUE])]
   ["unsigned integers of 64 bits" '(= 18446744073709551615N (bigint (un (pk 18446744073709551615N))))]
   ["integers of any size" '(= (* 10N Long/MAX_VALUE Long/MAX_VALUE) (rich-un (rich-pk (* 10N Long/MAX_VALUE Long/MAX_VALUE))))]
   ["keys that are not strings" '(= {1 "one", [1 2] "pair"} (un (pk {1 "one", [1 2] "pair"})))]
   ["keyword keys come back, with their namespaces" '(= {:a 1 :b/c 2} (rich-un (rich-pk {:a 1 :b/c 2})))]
   ["string keys and keyword keys in one map come back" '(= {:a 1 "a" 2} (rich-un (rich-pk {:a 1 "a" 2})))]
   ["keywords as values come back" '(= [:a :b/c] (rich-un (rich-pk [:a :b/c])))]
   ["symbols come back, with their namespaces" '(= '[a b/c] (rich-un (rich-pk '[a b/c])))]
   ["sets come back" '(= #{1 "a" [2]} (rich-un (rich-pk #{1 "a" [2]})))]
   ["characters come back" '(= [\a \日] (rich-un (rich-pk [\a \日])))]
   ["ratios come back" '(= 1/3 (rich-un (rich-pk 1/3)))]
   ["BigDecimal comes back, with its scale" '(same? 1.50M (rich-un (rich-pk 1.50M)))]
   ["UUID comes back" '(let [v (UUID. 1 2)] (= v (rich-un (rich-pk v))))]
   ["Instant comes back, with its nanoseconds" '(let [v (Instant/ofEpochSecond 5 123456789)] (= v (rich-un (rich-pk v))))]
   ["java.util.Date comes back as a point in time" '(let [v (java.util.Date. 5123) r (rich-un (rich-pk v))] (= (.toInstant v) (if (inst? r) (Instant/ofEpochMilli (inst-ms r)) r)))]
   ["other types of java.time come back" '(let [v [(LocalDate/of 2026 1 2) (Duration/ofMillis 5) (LocalDateTime/of 2026 1 2 3 4) (ZonedDateTime/parse "2026-01-02T03:04Z[Europe/Oslo]")]] (= v (rich-un (rich-pk v))))]
   ["sorted maps are written as maps" '(= {"a" 1, "b" 2} (un (pk (sorted-map "b" 2 "a" 1))))]
   ["types of a program, by extensions of one codec and not of the process"
    {:packord '(let [x (packord.extension/by-class {:type 9 :classes [java.net.URI] :pack (fn [u] (.getBytes (str u))) :unpack (fn [b] (java.net.URI. (String. ^bytes b)))})
                     u (java.net.URI. "a:b")]
                 (= u (p/unpack (p/pack u {:extensions [x]}) {:extensions [x]})))
     :msgpack-clj '(let [x {:extensions [(reify io.julienvincent.msgpack.extension/MsgpackExtension
                                           (can-pack? [_ v] (instance? java.net.URI v))
                                           (can-unpack? [_ t] (= 9 t))
                                           (pack [_ p v _] (.packExtensionTypeHeader ^org.msgpack.core.MessagePacker p 9 3) (.writePayload ^org.msgpack.core.MessagePacker p (.getBytes (str v))))
                                           (unpack [_ u h _] (let [b (byte-array 3)] (.readPayload ^org.msgpack.core.MessageUnpacker u b) (java.net.URI. (String. b)))))]}
                         u (java.net.URI. "a:b")]
                     (= u (m/unpack (m/pack u x) x)))
     :transit '(let [u (java.net.URI. "a:b")
                     h {:handlers {java.net.URI (t/write-handler "my-uri" str)}}
                     out (ByteArrayOutputStream.)]
                 (t/write (t/writer out :msgpack h) u)
                 (= u (t/read (t/reader (ByteArrayInputStream. (.toByteArray out)) :msgpack {:handlers {"my-uri" (t/read-handler #(java.net.URI. %))}}))))
     :jsonista '(let [x (j/object-mapper {:encoders {java.net.URI (fn [v ^com.fasterxml.jackson.core.JsonGenerator g] (.writeString g (str v)))}})]
                  (= "\"a:b\"" (j/write-value-as-string (java.net.URI. "a:b") x)))}]
   ["a `defrecord` comes back with its type"
    {:packord '(do (defrecord City [name]) (let [c (p/codec {:types {"city" City}})] (= (->City "Oslo") (p/unpack (p/pack (->City "Oslo") c) c))))
     :transit '(do (defrecord City [name])
                   (let [out (ByteArrayOutputStream.)]
                     (t/write (t/writer out :msgpack {:handlers (t/record-write-handlers City)}) (->City "Oslo"))
                     (= (->City "Oslo") (t/read (t/reader (ByteArrayInputStream. (.toByteArray out)) :msgpack {:handlers (t/record-read-handlers City)})))))}]
   ["repeated keys are written once"
    {:packord '(let [v (vec (repeat 100 {"name" 1 "surname" 2}))] (and (= v (p/unpack (p/pack v {:records true}) {:records true})) (< (alength ^bytes (p/pack v {:records true})) 500)))
     :transit '(let [v (vec (repeat 100 {"name" 1 "surname" 2}))] (and (= v (un (pk v))) (< (alength ^bytes (pk v)) 1000)))}]
   ["tables are stored by column, and a column is read alone"
    {:packord '(let [v (mapv #(array-map "id" % "town" "Oslo") (range 200))
                     data (p/pack v {:columns true})]
                 (and (= v (p/unpack data {:columns true}))
                      (< (alength ^bytes data) 200)
                      (= (range 200) (seq (columns/values (columns/view data) "[].id")))))}]
   ["files of many rows, in blocks that are compressed, and of which a query reads those that it needs"
    {:packord '(let [rows (mapv #(array-map "id" % "town" "Oslo") (range 5000))
                     file (container-of rows {:block-rows 500})]
                 (and (= rows (container-rows file {}))
                      (< (alength ^bytes file) 10000)
                      (= (subvec rows 4998) (container-rows file {:where [["id" :>= 4998]]}))
                      (= 1 (with-open [r (container/reader file {:prune [["id" :>= 4998]]})] (count (seq (container/blocks r)))))))}]
   ["parts of a file are read at the same time, each row once"
    {:packord '(let [file (container-of (range 5000) {:block-rows 100})
                     splits (with-open [r (container/reader file)] (container/splits r 4))]
                 (and (= 4 (count splits))
                      (= (range 5000) (apply concat (pmap #(container-rows file {:split %}) splits)))))}]
   ["of a file that was cut or changed, the rest is read"
    {:packord '(let [file ^bytes (container-of (range 5000) {:block-rows 500 :codec :none :columns false})
                     changed (doto (aclone file) (aset-byte 200 99))]
                 (and (= (range 500 5000) (container-rows changed {:on-bad-block :skip}))
                      (= (range 4500) (container-rows (Arrays/copyOf file (- (alength file) 1500)) {:on-bad-block :skip}))
                      (some? (caught #(container-rows changed {})))))}]
   ["rows are added to a file that is there"
    {:packord '(let [file (java.io.File/createTempFile "packord" ".pkd")]
                 (try (doseq [i (range 3)] (with-open [w (container/writer file {:append (pos? i)})] (container/write! w i)))
                      (= [0 1 2] (container-rows file {}))
                      (finally (.delete file))))}]
   ["Spark reads and writes such files, with its conditions pushed down"
    {:packord '(packord.features/connector? "spark" "org.apache.spark.sql.sources.DataSourceRegister")}]
   ["classes for Kafka"
    {:packord '(with-open [serde (packord.kafka.PackordSerde.)]
                 (.configure serde {"packord.data" "clojure"} false)
                 (= {:a [1]} (.deserialize (.deserializer serde) "topic" (.serialize (.serializer serde) "topic" {:a [1]}))))}]
   ["a converter for Kafka Connect"
    {:packord '(packord.features/connector? "connect" "org.apache.kafka.connect.storage.Converter")}]
   ["requests and responses of Ring"
    {:packord '(let [handler (ring/wrap-msgpack-response (fn [_] {:status 200 :body {:a 1}}))
                     response (handler {:headers {"accept" "application/msgpack"}})]
                 (= {"a" 1} (p/unpack (:body response))))}]
   ["equal values give equal bytes"
    {:packord '(let [m (into {} (map #(vector (str %) %) (range 50)))] (Arrays/equals ^bytes (p/pack m {:canonical true}) ^bytes (p/pack (into {} (shuffle (seq m))) {:canonical true})))}]
   ["messages of other languages are read" '(= {"a" [1 nil]} (un (octets 0x81 0xa1 0x61 0x92 1 0xc0)))]
   ["bytes after the message are an error"
    {:all '(some? (caught #(un (byte-array (concat (pk [1]) (pk [2]))))))}]
   ["input that ends early is an error" '(some? (caught #(un (Arrays/copyOf ^bytes (pk [1 "abcdef"]) 4))))]
   ["a string that is not UTF-8 is an error"
    {:all '(some? (caught #(un (octets 0xa2 0xc3 0x28))))
     :jsonista '(some? (caught #(un (octets 0x22 0xc3 0x28 0x22))))}]
   ["100,000 nested arrays are an error, not a StackOverflowError"
    {:all '(orderly? #(un (nested 100000)))
     :jsonista '(orderly? #(un (.getBytes (apply str (repeat 100000 "[")))))}]
   ["a header of 2^32 − 1 elements is an error, not an OutOfMemoryError (JSON has no headers)"
    {:all '(orderly? #(un (octets 0xdd 0xff 0xff 0xff 0xff 1)))
     :jsonista 'true}]
   ["errors say which byte" {:packord '(= 2 (:offset (ex-data (caught #(un (octets 0x92 1))))))
                             :jsonista '(some? (re-find #"column: \d+" (str (caught #(un (.getBytes "[1")))))) }]
   ["errors of packing say which value" {:packord '(= "$.a[1]" (:path (ex-data (caught #(pk {"a" [1 (Object.)]})))))}]
   ["a key that occurs twice can be refused" {:packord '(some? (caught #(p/unpack (octets 0x82 0xa1 0x61 1 0xa1 0x61 2) {:duplicate-key :error})))}]
   ["limits on lengths and depth" {:packord '(some? (caught #(p/unpack (p/pack "abc") {:max-str-len 2})))}]
   ["streams of messages"
    {:packord '(= [1 [2]] (vec (p/unpack-stream (ByteArrayInputStream. (octets 1 0x91 2)))))
     :clojure-msgpack '(let [in (java.io.DataInputStream. (ByteArrayInputStream. (octets 1 0x91 2)))] (= [1 [2]] [(m/unpack-stream in) (m/unpack-stream in)]))
     :taoensso '(let [in (java.io.DataInputStream. (ByteArrayInputStream. (octets 1 0x91 2)))] (= [1 [2]] [(m/unpack in) (m/unpack in)]))
     :msgpack-clj '(let [in (ByteArrayInputStream. (octets 1 0x91 2))] (= [1 [2]] [(m/unpack-stream in) (m/unpack-stream in)]))
     :transit '(let [r (t/reader (ByteArrayInputStream. (byte-array (concat (pk [1]) (pk [2])))) :msgpack)] (= [[1] [2]] [(t/read r) (t/read r)]))
     :jsonista '(= [[1] [2]] (with-open [v (j/read-values (.getBytes "[[1],[2]]"))] (into [] v)))}]
   ["a part is read without the rest" {:packord '(= 2 (get-in (view/view (pk {"a" [1 {"b" 2}]})) ["a" 1 "b"]))}]
   ["direct and read-only ByteBuffers" {:packord '(let [b (ByteBuffer/allocateDirect 3)] (.put b ^bytes (octets 0x92 1 2)) (= [1 2] (p/unpack (.asReadOnlyBuffer ^ByteBuffer (.flip b)))))}]
   ["reading by clojure.spec" {:packord '(do (s/def ::n int?) (= 1 (schema/unpack (pk 1) ::n)))}]
   ["packed bytes as a readable string, and back" {:transit '(let [out (ByteArrayOutputStream.)] (t/write (t/writer out :json-verbose) {"a" [:b]}) (= {"a" [:b]} (t/read (t/reader (ByteArrayInputStream. (.toByteArray out)) :json))))
                                      :jsonista '(= {"a" 1} (j/read-value (j/write-value-as-string {"a" 1})))}]
   ["the same functions in ClojureScript" {:packord '(some? (io/resource "packord/core.cljs"))
                                           :taoensso '(some? (io/resource "taoensso/msgpack/impl.cljs"))}]
   ["typed reading and writing for Java" {:packord '(Arrays/equals (int-array [1 2]) ^ints (.unpack (packord.Unpacker/standard) ^bytes (pk [1 2]) (Class/forName "[I")))
                                          :jsonista '(Arrays/equals (int-array [1 2]) ^ints (.readValue ^com.fasterxml.jackson.databind.ObjectMapper j/default-object-mapper ^bytes (pk [1 2]) ^Class (Class/forName "[I")))}]])

(defn- setup
  "Loads a package; returns its namespace, or nil if it is not there."
  [[id _ required code]]
  (when (try (require required) true (catch java.io.FileNotFoundException _ false))
    (let [space (create-ns (symbol (str "packord.features." (name id))))]
      (binding [*ns* space, *warn-on-reflection* false]
        (refer-clojure)
        (require '[clojure.java.io :as io])
        (run! eval (concat common code)))
      space)))

(defn- cell [space code]
  (let [run (fn []
              (binding [*ns* space, *warn-on-reflection* false, *out* (java.io.StringWriter.), *err* (java.io.StringWriter.)]
                (try (boolean (eval code)) (catch Throwable _ false))))
        done (promise)]
    ;; What runs out of stack must not take the program along.
    (.start (Thread. nil #(deliver done (run)) "cell" (* 4 1024 1024)))
    (if (true? (deref done 60000 false)) "✓" "–")))

(defn- cells-of [text]
  (into {}
        (for [line (str/split-lines text)
              :let [[_ label & cells] (map str/trim (str/split line #"\|"))]
              :when (seq cells)]
          [label (vec cells)])))

(defn table
  "Returns the table, with the cells of `text`, an earlier one, for packages that are not here."
  [text]
  (let [known (cells-of text)
        spaces (mapv setup packages)
        titles (map second packages)]
    (str "| | " (str/join " | " titles) " |\n"
         "|" (apply str (repeat (inc (count titles)) "---|")) "\n"
         (apply str
                (for [[label code] rows]
                  (str "| " label " | "
                       (str/join " | "
                                 (map-indexed
                                  (fn [i [id]]
                                    (let [space (spaces i)
                                          own (if (map? code) (get code id (:all code)) code)]
                                      (cond
                                        (nil? own) "–"
                                        space (cell space own)
                                        :else (get-in known [label i] "?"))))
                                  packages))
                       " |\n"))))))

(defn parts
  "The page as what is before the table, the table, and what is after it."
  []
  (let [text (slurp (page))
        from (+ (str/index-of text begin) (count begin))
        to (str/index-of text end)]
    [(subs text 0 from) (subs text from to) (subs text to)]))

(defn -main
  "Writes the page."
  []
  (let [[before text after] (parts)]
    (spit (page) (str before (table text) after)))
  (shutdown-agents))
