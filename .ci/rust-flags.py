#!/usr/bin/env python3
"""Prints RUSTFLAGS for artefacts: no path of the machine that builds them gets into them."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
# In the containers in which wheels are built, cargo is that of root.
OF_ROOT = Path(os.path.expanduser("~root")) / ".cargo"
NAMES = {ROOT: "packord", CARGO: "cargo", OF_ROOT: "cargo"}
print(" ".join(f"--remap-path-prefix={path}=/{name}" for path, name in NAMES.items()))
