(ns roundtrip
  "Reads canonical MessagePack files, packs what they hold again, and prints a line for each file:
  its name, `same` or `differs` for the bytes of the canonical form, and the median microseconds of
  reading and of packing with default options, separated by tabs.

    clojure -M roundtrip.clj SECONDS FILE...

  SECONDS is the time to spend on each direction."
  (:require [packord.core :refer [pack unpack]])
  (:import java.nio.file.Files
           java.nio.file.Path
           java.util.Arrays))

(defn- median
  "Returns the median microseconds of a call."
  [seconds call]
  (let [end (+ (System/nanoTime) (long (* 1e9 seconds)))]
    (loop [times []]
      (if (or (< (count times) 3) (< (System/nanoTime) end))
        (let [start (System/nanoTime)]
          (call)
          (recur (conj times (/ (- (System/nanoTime) start) 1e3))))
        (nth (sort times) (quot (count times) 2))))))

(let [[seconds & files] *command-line-args*
      seconds (parse-double seconds)]
  (doseq [^String file files]
    (let [bytes   (Files/readAllBytes (Path/of file (make-array String 0)))
          value   (unpack bytes)
          verdict (if (Arrays/equals bytes ^bytes (pack value {:canonical true})) "same" "differs")
          read    (median seconds #(unpack bytes))
          packed  (median seconds #(pack value))]
      (println (format "%s\t%s\t%.2f\t%.2f" file verdict read packed))))
  (shutdown-agents))
