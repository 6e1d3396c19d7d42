"""The programs that make the vectors, and readers and writers that follow the specification word for word."""
