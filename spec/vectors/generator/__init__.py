"""Builds the vector files; one module for each class. Run ``generate.py``."""
