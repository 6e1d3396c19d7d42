(ns packord.container-bytes
  "Pieces of container files, for tests that forge them."
  (:require
   [packord.container :as container]
   [packord.core :as packord])
  (:import
   (java.io ByteArrayOutputStream)
   (java.util Arrays)
   (java.util.zip CRC32C)))

(set! *warn-on-reflection* true)

(def sync-bytes (byte-array (range 16)))

(def mark (byte-array (concat (map unchecked-byte [0xd8 0x5d]) sync-bytes)))

(defn file-of
  "The bytes of a file with these rows."
  ^bytes [rows opts]
  (let [out (ByteArrayOutputStream.)]
    (with-open [w (container/writer out opts)]
      (container/write-all! w rows))
    (.toByteArray out)))

(defn crc [^bytes b]
  (.getValue (doto (CRC32C.) (.update b))))

(def ^"[B" header
  "The header of a file with the codec none."
  (let [file (file-of [] {:codec :none :sync sync-bytes})
        size (first (filter #(Arrays/equals ^bytes mark (Arrays/copyOfRange file (int %) (int (+ 18 %))))
                            (range (alength file))))]
    (Arrays/copyOf file (int size))))

(defn block-array
  "A block-array with these chunks, of each its size, its size in data and its crc."
  ^bytes [kind n codec chunks ^bytes data]
  (packord/pack [kind n codec (vec (apply concat chunks)) data]))

(defn block-of
  "The mark and the block-array of a block of one chunk, which stands for `size` bytes."
  ^bytes [kind n size codec ^bytes data]
  (byte-array (concat mark (block-array kind n codec [[size (alength data) (crc data)]] data))))

(defn with-blocks
  "A file with these blocks and no index."
  ^bytes [& blocks]
  (let [out (ByteArrayOutputStream.)]
    (.write out header)
    (doseq [^bytes block blocks] (.write out block))
    (.toByteArray out)))

(defn index-of
  "The mark, the index-array and the trailer of an index at an offset."
  ^bytes [offset index]
  (let [before (byte-array (concat mark (packord/pack index) (map unchecked-byte [0xc7 0x0c 0x5d])
                                   (.array (.putLong (java.nio.ByteBuffer/allocate 8) offset))))]
    (byte-array (concat before (.array (.putInt (java.nio.ByteBuffer/allocate 4) (unchecked-int (crc before))))))))
