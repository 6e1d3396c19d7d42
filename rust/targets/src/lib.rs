//! The tests of packord that say what the bytes are, for targets that only build or interpret.
