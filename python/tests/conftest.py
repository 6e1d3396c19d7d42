"""Puts the tests' own helpers on the path."""

import sys
from pathlib import Path

sys.setrecursionlimit(20_000)
sys.path.insert(0, str(Path(__file__).parent))
