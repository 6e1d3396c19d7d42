"""Builds the vector files; one module for each class. Run ``python3 -m spec.vectors.generate``."""
