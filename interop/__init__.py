"""Tests that the four languages agree, with each other and with other packages."""
