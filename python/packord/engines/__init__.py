"""Container files in engines: each module is one engine, and imports it."""
