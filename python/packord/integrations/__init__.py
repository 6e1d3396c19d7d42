"""packord in frameworks. Each module imports its framework, and nothing else does."""
