"""Puts the tests' own helpers on the path."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.setrecursionlimit(20_000)
sys.path.insert(0, str(Path(__file__).parent))
# How long an example takes says how busy the machine is.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
