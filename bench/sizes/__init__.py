"""Sizes of public documents in row formats and in columnar ones, behind compressors."""
