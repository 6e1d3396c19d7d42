"""One report from the four languages' benchmarks: `python -m report`, run in `bench/`."""
