(ns packord.netty-test
  "Buffers of Netty, written and read without an array between them and the codec."
  (:require
   [clojure.test :refer [deftest is testing]]
   [packord.core :refer [pack pack-all-stream pack-stream unpack unpack-stream]]
   [packord.measure :refer [allocated]])
  (:import
   (clojure.lang ExceptionInfo)
   (io.netty.buffer ByteBuf ByteBufInputStream ByteBufOutputStream UnpooledByteBufAllocator)
   (java.util Arrays)))

(set! *warn-on-reflection* true)

(def ^:private value
  {"text" (apply str (repeat 30000 "é")), "rows" (mapv #(hash-map "id" % "on" (even? %)) (range 2000))})

(defn- buffers []
  (let [allocator UnpooledByteBufAllocator/DEFAULT]
    [(.heapBuffer allocator) (.directBuffer allocator)
     (doto (.compositeBuffer allocator 4) (.addComponent true (.directBuffer allocator 16)))]))

(defmacro ^:private with-buffer [b & body]
  `(try ~@body (finally (.release ~(with-meta b {:tag `ByteBuf})))))

(deftest buffers-of-netty-are-written-and-read
  (doseq [opts [nil {:records true}]
          ^ByteBuf buffer (buffers)]
    (with-buffer buffer
      (pack-stream (ByteBufOutputStream. buffer) value opts)
      (let [written (byte-array (.readableBytes buffer))]
        (.getBytes buffer (.readerIndex buffer) written)
        (is (Arrays/equals ^bytes (pack value opts) written)))
      (pack-stream (ByteBufOutputStream. buffer) 5 opts)
      (testing "as a stream: each call takes one message, and the reader index moves"
        (is (= value (unpack (ByteBufInputStream. (.duplicate buffer)) opts)))
        (let [in (ByteBufInputStream. buffer)]
          (is (= value (unpack in opts)))
          (is (= 1 (.readableBytes buffer)))
          (is (= 5 (unpack in opts)))
          (is (= :eof (try (unpack in opts) (catch ExceptionInfo e (:kind (ex-data e))))))))
      (testing "as a ByteBuffer, which shares the memory"
        (let [nio (.nioBuffer buffer 0 (.writerIndex buffer))]
          (is (= value (unpack nio (assoc opts :trailing :allow))))
          (is (= 5 (unpack nio opts))))))))

(deftest many-messages-go-through-one-buffer
  (doseq [^ByteBuf buffer (buffers)]
    (with-buffer buffer
      (is (= 100 (pack-all-stream (ByteBufOutputStream. buffer) (range 100))))
      (is (= (range 100) (into [] (unpack-stream (ByteBufInputStream. buffer))))))))

(deftest no-copy-of-a-message-is-made-to-write-it
  (let [payload (byte-array 500000)
        ^ByteBuf buffer (.directBuffer UnpooledByteBufAllocator/DEFAULT 600000)]
    (with-buffer buffer
      (let [write #(do (.clear buffer) (pack-stream (ByteBufOutputStream. buffer) payload))]
        (is (< (allocated 100 1 write) 20000))
        (is (= 500005 (.readableBytes buffer)))))))
