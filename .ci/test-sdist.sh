#!/bin/sh
# Packages the Python package as source, or takes the archive PACKORD_SDIST, unpacks it in a temporary folder,
# builds and installs it from there, and runs the tests that it contains.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
python=$root/python/.venv/bin/python
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cd "$root/python"
if [ -n "${PACKORD_SDIST:-}" ]; then
	cp "$PACKORD_SDIST" "$folder"
else
	.venv/bin/maturin sdist --out "$folder" 2>&1 | tail -n 1
fi
tar xzf "$folder"/packord-*.tar.gz -C "$folder"
cd "$folder"/packord-*/
CARGO_TARGET_DIR="$root/python/target/sdist" PATH="$root/python/.venv/bin:$PATH" \
	"$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --no-index \
	--target "$folder/site" .
for text in LICENSE-MIT LICENSE-APACHE; do
	cmp "$root/$text" "$text"
	cmp "$root/$text" "$folder"/site/packord-*.dist-info/licenses/$text
done
cd python
export PYTHONPATH="$folder/site"
"$python" -c 'import packord, sys; sys.exit(not packord.__file__.startswith(sys.argv[1]))' "$folder/site"
"$python" -m pytest -q -p no:cacheprovider "$@" tests
