(ns packord.vectors-test
  (:require
   [clojure.test :refer [deftest is testing]]
   [packord.core :as packord]
   [packord.vectors :as v])
  (:import
   (java.io ByteArrayInputStream ByteArrayOutputStream InputStream)
   (java.util ArrayList Arrays)
   (packord MessageReader MessageWriter Packer Unpacker)
   (packord.decode ClojureHost Decoder)))

(set! *warn-on-reflection* true)

(defn- chunked
  "A stream that hands out at most `sizes` bytes at a time, in turn."
  ^InputStream [^bytes b sizes]
  (let [in (ByteArrayInputStream. b)
        sizes (atom (cycle sizes))]
    (proxy [InputStream] []
      (read
        ([] (.read in))
        ([target] (.read ^InputStream this target 0 (alength ^bytes target)))
        ([target from n]
         (let [size (first @sizes)]
           (swap! sizes rest)
           (.read in target (int from) (int (min n size)))))))))

(def ^:private left-out
  "Cases that Clojure's data cannot hold, with the reason."
  {"keys 0.0 and -0.0" "equal keys in a Clojure map"
   "ratio 0/1" "becomes the integer 0"
   "ratio of wider integers" "is read as the ratio, which packs to its minimal payload"})

(defn- cases [class-name]
  (remove #(left-out (get % "name")) (v/cases class-name)))

(def ^:private huge-buffer
  "So that what is announced in vain ends in `eof`, as in an array."
  {:max-buffer (bit-shift-left 1 40)})

(defn- java-outcome [^bytes b opts]
  (let [options (.options ^Unpacker (.-unpacker ^packord.core.Codec (packord/codec opts)))
        unpacker (Unpacker/of options)]
    (v/outcome #(.unpack unpacker b))))

(defn- extension-case? [c]
  (contains? (get c "options") "ext_types"))

(def ^:private unordered-or-unsigned
  "Ext types whose values do not always pack to the same bytes: sets, and typed arrays, whose
  unsigned elements are read into wider ones."
  #{86 116})

(deftest valid-vectors-are-read-and-written
  (doseq [c (cases "valid")]
    (testing (str (:file c) ": " (get c "name"))
      (let [b (v/expand (get c "bytes"))
            opts (v/options c)
            value (v/build (get c "value"))
            read (v/unpack-outcome b opts)]
        (if (extension-case? c)
          (let [ext-type (first (get-in c ["options" "ext_types"]))]
            (is (contains? read :value))
            (when (and (get c "default") (not (unordered-or-unsigned ext-type)))
              (is (= (v/bytes->hex b) (v/bytes->hex (packord/pack (:value read) opts))))))
          (do
            (is (v/same? value (:value read)) (pr-str value read))
            (is (v/same? value (:value (java-outcome b opts))))
            (is (= (get c "default") (Arrays/equals b (packord/pack value opts))))))))))

(deftest valid-vectors-are-canonical-or-refused
  (doseq [c (cases "valid")
          :let [canonical (get c "canonical")]
          :when (some? canonical)]
    (testing (str (:file c) ": " (get c "name"))
      (let [b (v/expand (get c "bytes"))
            opts {:canonical true}
            value (v/build (get c "value"))
            written (v/outcome #(v/bytes->hex (packord/pack value opts)))
            read (v/unpack-outcome b opts)]
        (cond
          (true? canonical) (is (= {:value (v/bytes->hex b)} written))
          (map? canonical) (is (v/fails? canonical written))
          canonical (is (= {:value (v/bytes->hex (v/expand canonical))} written)))
        (if (true? canonical)
          (is (v/same? value (:value read)))
          (is (#{"not_canonical" "duplicate_key"} (get-in read [:error "kind"]))))))))

(defn- prefixes [^bytes b]
  (if (< (alength b) 300)
    (range (alength b))
    (concat (range 40) (range 40 (alength b) (quot (alength b) 60)) [(dec (alength b))])))

(deftest truncated-and-extended-vectors-are-refused
  (doseq [c (cases "valid")
          :let [opts (v/options c)]
          :when (and (nil? (:trailing opts)) (not (extension-case? c)))]
    (testing (str (:file c) ": " (get c "name"))
      (let [b (v/expand (get c "bytes"))
            value (v/build (get c "value"))
            n (alength b)
            more (Arrays/copyOf b (inc n))
            twice (byte-array (concat b b))]
        (doseq [i (prefixes b)]
          (is (v/fails? {"kind" "eof" "offset" i}
                        (v/unpack-outcome (Arrays/copyOf b (int i)) opts))))
        (aset more n (unchecked-byte 0xc0))
        (is (v/fails? {"kind" "trailing_bytes" "offset" n "path" "$"} (v/unpack-outcome more opts)))
        (when (< n 10000)
          (is (v/same? [value value]
                       (into [] (packord/unpack-stream (chunked twice [7 1]) opts)))))))))

(deftest invalid-vectors-have-kind-offset-and-path
  (doseq [c (cases "invalid")]
    (testing (str (:file c) ": " (get c "name"))
      (let [b (v/expand (get c "bytes"))
            opts (v/options c)
            error (get c "error")]
        (is (v/fails? error (v/unpack-outcome b opts)))
        (when-not (extension-case? c)
          (is (v/fails? error (java-outcome b opts))))
        (when-not (= "trailing_bytes" (get error "kind"))
          (is (v/fails? error (v/outcome #(packord/unpack (chunked b [1]) (merge huge-buffer opts))))))))))

(defn- read-stream [^InputStream in opts]
  (let [values (ArrayList.)
        end (v/outcome #(run! (fn [v] (.add values v)) (packord/unpack-stream in opts)))]
    [values (or (:error end) "clean")]))

(deftest streams-cut-anywhere-are-read
  (doseq [c (cases "stream")]
    (testing (str (:file c) ": " (get c "name"))
      (let [b (v/expand (get c "bytes"))
            n (alength b)
            opts (v/options c)
            expected (mapv v/build (get c "values"))]
        (doseq [sizes (concat [[n] [1] [7] [4096]]
                              (when (< n 2000) [[2] [3] [64]])
                              (when (< n 400) (for [i (range 1 n)] [i n])))]
          (let [[values end] (read-stream (chunked b (map #(max 1 %) sizes)) opts)]
            (is (= (get c "end") end) (str "cut by " sizes))
            (is (v/same? expected values) (str "cut by " sizes))))))))

(defn- parts
  "The parts of a stream as one reader has them, each with its values and its end. A reader that has
  ended is asked twice more."
  [^InputStream in opts]
  (let [reader (.reader (packord/unpacker opts) in)
        part (fn []
               (let [values (ArrayList.)
                     end (v/outcome #(while (.hasNext reader) (.add values (.next reader))))]
                 [values (or (:error end) "clean")]))]
    (loop [found [] [_ end :as next-part] (part)]
      (if (= "clean" end)
        (do (is (= [[] "clean"] (part)))
            (conj found next-part))
        (recur (conj found next-part) (part))))))

(deftest streams-go-on-after-faults
  (doseq [c (cases "stream")]
    (testing (str (:file c) ": " (get c "name"))
      (let [b (v/expand (get c "bytes"))
            n (alength b)
            expected (cons c (get c "then"))]
        (doseq [sizes (concat [[n] [1] [7] [4096]]
                              (when (< n 2000) [[2] [3] [64]])
                              (when (< n 400) (for [i (range 1 n)] [i n])))]
          (let [found (parts (chunked b (map #(max 1 %) sizes)) (v/options c))
                found (if (= "clean" (get (last expected) "end")) found (butlast found))]
            (is (= (map #(get % "end") expected) (map second found)) (str "cut by " sizes))
            (doseq [[part [values _]] (map vector expected found)]
              (is (v/same? (mapv v/build (get part "values")) values) (str "cut by " sizes)))))))))

(defn- write-all [values opts]
  (let [out (ByteArrayOutputStream.)]
    (packord/pack-all-stream out values opts)
    (.toByteArray out)))

(defn- check-writing [c b opts values]
  (is (= (v/bytes->hex b) (v/bytes->hex (write-all values opts))))
  (when-let [after (get c "shared_after")]
    (is (= after @(:structures opts))))
  (let [reading (update opts :structures #(some-> % deref))]
    (is (v/same? values (into [] (packord/unpack-stream (chunked b [5]) reading))))))

(defn- check-reading [c b opts values kept]
  (let [before (some-> (:structures opts) deref)]
    (if-let [error (get c "error")]
      (do (is (v/fails? error (v/unpack-outcome b opts)))
          (is (v/fails? error (java-outcome b opts)))
          (when-not (= "trailing_bytes" (get error "kind"))
            (is (v/fails? error (v/outcome #(packord/unpack (chunked b [1]) opts))))))
      (if (contains? c "values")
        (is (v/same? values (into [] (packord/unpack-stream (chunked b [3]) opts))))
        (let [read (v/unpack-outcome b opts)]
          (is (v/same? (first values) (kept (:value read))) (pr-str values read))
          (is (v/same? (first values) (kept (:value (java-outcome b opts))))))))
    (is (= before (some-> (:structures opts) deref)))))

(defn- read-steps [c opts]
  (let [decoder (Decoder. (packord/options opts) (ClojureHost. false nil))]
    (doseq [step (get c "steps")
            :let [b (v/expand (get step "bytes"))
                  outcome (v/outcome #(.message decoder b 0 (alength b)))]]
      (if-let [error (get step "error")]
        (is (v/fails? error outcome))
        (is (v/same? (v/build (get step "value")) (:value outcome)))))))

(defn- write-steps [c opts]
  (let [out (ByteArrayOutputStream.)
        ^MessageWriter writer (.writer (packord/packer opts) out)]
    (doseq [step (get c "steps")
            :let [outcome (v/outcome #(do (.reset out)
                                          (.write writer (v/build (get step "value")))
                                          (.flush writer)
                                          (v/bytes->hex (.toByteArray out))))]]
      (if-let [error (get step "error")]
        (is (= (get error "kind") (get-in outcome [:error "kind"])))
        (is (= (get step "bytes") (:value outcome)))))
    (when-let [after (get c "shared_after")]
      (is (= after @(:structures opts))))))

(deftest errors-leave-structures-as-before
  (doseq [c (cases "records")
          :when (contains? c "steps")]
    (testing (str (:file c) ": " (get c "name"))
      (let [opts (merge {:records true} (v/options c))]
        (if (get c "encode") (write-steps c opts) (read-steps c opts))))))

(deftest record-vectors-are-read-and-written
  (doseq [c (cases "records")
          :when (not (contains? c "steps"))]
    (testing (str (:file c) ": " (get c "name"))
      (let [b (v/expand (get c "bytes"))
            opts (merge {:records true} (v/options c))
            values (if (contains? c "values")
                     (mapv v/build (get c "values"))
                     [(v/build (get c "value"))])]
        (if (get c "encode")
          (check-writing c b opts values)
          (check-reading c b opts values identity))))))

(defn- check-columns-writing [c ^bytes plain opts]
  (is (= (v/bytes->hex plain) (v/bytes->hex (packord/pack (v/exact plain)))))
  (let [structures (some-> (:structures opts) deref)
        written (packord/pack (v/exact plain) opts)]
    (is (= (v/bytes->hex (v/expand (get c "bytes"))) (v/bytes->hex written)))
    (when-let [after (get c "shared_after")]
      (is (= after @(:structures opts))))
    (is (v/same? (packord/unpack plain) (packord/unpack written (update opts :structures #(some-> % deref)))))
    (when structures (reset! (:structures opts) structures)))
  (let [packer (Packer/of (.options (packord/packer opts)))
        value (binding [v/*big* biginteger] (v/exact plain))]
    (is (= (v/bytes->hex (v/expand (get c "bytes"))) (v/bytes->hex (.pack packer value))))))

(deftest columns-vectors-are-written
  (let [written (filter #(get % "encode") (cases "columns"))]
    (is (< 200 (count written)))
    (doseq [c written]
      (testing (str (:file c) ": " (get c "name"))
        (check-columns-writing c (v/expand (get c "plain")) (v/options c))))))

(defn- with-ext-values
  "What was read by extensions, with the ext values that they write."
  [value {:keys [extensions]}]
  (packord/unpack (packord/pack value {:extensions extensions, :canonical true})))

(deftest columns-vectors-are-read-or-refused
  (doseq [c (remove #(get % "encode") (cases "columns"))]
    (testing (str (:file c) ": " (get c "name"))
      (let [b (v/expand (get c "bytes"))
            opts (v/options c)
            values [(some-> (get c "value") v/build)]
            kept (if (extension-case? c) #(with-ext-values % opts) identity)]
        (check-reading c b opts values kept)
        ;; In checked mode.
        (check-reading c b (merge {:max-nodes Long/MAX_VALUE} opts) values kept)))))

(deftest java-packer-writes-the-same
  (let [packer (Packer/standard)]
    (doseq [c (cases "valid")
            :when (and (get c "default") (not (contains? c "options")))]
      (is (= (v/bytes->hex (v/expand (get c "bytes")))
             (v/bytes->hex (.pack packer (binding [v/*big* biginteger] (v/build (get c "value"))))))
          (get c "name")))))

(deftest java-reader-reads-streams
  (let [reader (.reader (Unpacker/standard) (ByteArrayInputStream. (v/hex->bytes "0102c0")))]
    (is (= [1 2 nil] (vec (iterator-seq ^MessageReader reader))))))
