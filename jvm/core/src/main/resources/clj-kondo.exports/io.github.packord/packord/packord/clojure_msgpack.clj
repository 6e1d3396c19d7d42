(ns packord.clojure-msgpack
  "What clj-kondo reads in place of macros whose arguments it does not know.")

(defmacro extend-msgpack
  [class type pack-args pack unpack-args unpack]
  `(do ~class ~type (fn ~pack-args ~pack) (fn ~unpack-args ~unpack)))
