#!/bin/sh
# Packages the crates, or takes those of a folder, unpacks them in a temporary folder and runs the tests that
# they contain.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
version=$(cat "$root/VERSION")
crates="packord packord-derive packord-cli"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

packages=${1:-}
if [ -z "$packages" ]; then
	packages=$root/rust/target/package
	cd "$root/rust"
	# shellcheck disable=SC2046
	cargo package $(printf -- '-p %s ' $crates) --locked --allow-dirty --no-verify --quiet
fi
for crate in $crates; do
	tar xzf "$packages/$crate-$version.crate" -C "$folder"
	# What a registry shows, and what the licences ask for.
	for file in LICENSE-APACHE LICENSE-MIT README.md; do
		test -s "$folder/$crate-$version/$file" || { echo "$crate has no $file" >&2; exit 1; }
	done
	for field in description license repository homepage readme keywords categories; do
		grep -q "^$field = " "$folder/$crate-$version/Cargo.toml" || { echo "$crate has no $field" >&2; exit 1; }
	done
done

cd "$folder"
# The crates depend on each other by version, and this version is not on crates.io yet.
cat >Cargo.toml <<MANIFEST
[workspace]
resolver = "3"
members = ["packord-$version", "packord-cli-$version"]
[patch.crates-io]
packord = { path = "packord-$version" }
packord-derive = { path = "packord-derive-$version" }
# As in the repository.
[profile.dev.package.packord]
opt-level = 1
MANIFEST
cp "$root/rust/Cargo.lock" .
export CARGO_TARGET_DIR="$root/rust/target/crates"
# The tests know their folder, which is another one each time.
# shellcheck disable=SC2046
cargo clean --quiet $(printf -- '-p %s ' $crates)
cargo test --workspace --all-features --no-fail-fast
