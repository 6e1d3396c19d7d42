"""The interfaces of other packages, by their own names and defaults."""
