(ns packord.measure
  "What a call costs: the processor's time, which says more than the clock where other programs run
  beside the tests, and the bytes that it allocates."
  (:import
   (com.sun.management ThreadMXBean)
   (java.lang.management ManagementFactory)))

(set! *warn-on-reflection* true)

(def ^:private ^ThreadMXBean threads (ManagementFactory/getThreadMXBean))

(defn nanoseconds
  "The nanoseconds that this thread was on a processor while it called `f`."
  ^long [f]
  (let [start (.getCurrentThreadCpuTime threads)]
    (f)
    (- (.getCurrentThreadCpuTime threads) start)))

(defn allocated
  "The bytes that a call of `f` allocates, on average of some calls, after others to warm up."
  ^long [warm calls f]
  (dotimes [_ warm] (f))
  (let [start (.getCurrentThreadAllocatedBytes threads)]
    (dotimes [_ calls] (f))
    (quot (- (.getCurrentThreadAllocatedBytes threads) start) (long calls))))
