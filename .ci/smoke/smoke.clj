;; Records, a container file, and an error with its byte.
(require '[packord.container :as container]
         '[packord.core :refer [codec pack unpack]])

(def c (codec {:records true}))
(def rows (mapv #(array-map "id" % "size" 9) (range 3)))
(def data (pack rows c))
(assert (= rows (unpack data c)))
(println "records" (count data))

(with-open [w (container/writer "smoke-clojure.pkd")]
  (container/write-all! w (map #(hash-map "id" %) (range 1000))))
(with-open [r (container/reader "smoke-clojure.pkd")]
  (let [ids (mapv #(get % "id") r)]
    (println "container" (count ids) (peek ids))))

(try
  (unpack (byte-array (map unchecked-byte [0x92 0x01 0xa3 0x41])))
  (catch clojure.lang.ExceptionInfo error
    (let [{:keys [kind offset path]} (ex-data error)]
      (println (str (name kind) " at byte " offset " (" path ")")))))
