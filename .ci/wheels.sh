#!/bin/sh
# Builds a wheel for each CPython of pyproject.toml that is installed, as python3.N or in pyenv, and the
# source distribution, into out/wheels or a folder; installs each wheel into its interpreter and uses it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/out/wheels}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
versions=$(sed -n 's/.*"Programming Language :: Python :: \(3\.[0-9]*\)".*/\1/p' "$root/python/pyproject.toml")

mkdir -p "$out"
cd "$root/python"
"$root/.ci/dependencies.py" notices packord-python LICENSES-OTHERS.txt
# Flags of their own would build the package of the tests again.
RUSTFLAGS=$("$root/.ci/rust-flags.py")
RUSTC_WRAPPER=$root/.ci/rustc.sh
export RUSTFLAGS RUSTC_WRAPPER CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/python/target/wheels}"
missing=
for version in $versions; do
	interpreter=
	for candidate in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python; do
		if "$candidate" -c '' 2>/dev/null; then interpreter=$candidate; fi
	done
	if [ -z "$interpreter" ]; then
		missing="$missing $version"
		continue
	fi
	.venv/bin/maturin build --release --locked --strip --out "$out" --interpreter "$interpreter" 2>&1 | tail -n 1
	"$interpreter" -m venv "$folder/$version"
	"$folder/$version/bin/python" -m pip install --quiet --disable-pip-version-check --no-index \
		--find-links "$out" packord
	"$folder/$version/bin/python" -I -c '
import packord
from pathlib import Path
rows = [{"id": n, "name": "é"} for n in range(9)]
assert packord.unpackb(packord.packb(rows, records=True), records=True) == rows
assert packord.unpackb(b"\x92\x01\x02", type=tuple[int, int]) == (1, 2)
licences = Path(packord.__file__).parent.parent.glob("packord-*.dist-info/licenses/LICENSE*")
assert len(list(licences)) == 3'
done
.venv/bin/maturin sdist --out "$out" 2>&1 | tail -n 1
[ -z "$missing" ] || echo "not installed here, so without a wheel:$missing" >&2
