#!/usr/bin/env bash
# Unpacks the archive of the vectors, or that of its argument, elsewhere and runs its example there.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
archive=${1:-$(python3 spec/vectors/archive.py "$folder")}
tar -xzf "$archive" -C "$folder"
cd "$folder"/packord-vectors-*/example
unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { echo "gofmt would change $unformatted" >&2; exit 1; }
go vet .
result=$(go run . .. | tail -1)
echo "$result"
# The library reads no keys that are not text, and checks neither UTF-8 nor timestamps: it is wrong in these cases,
# and right in all others, however many there are.
[[ "$result" =~ ^[1-9][0-9]{3}\ right,\ 183\ wrong$ ]] || { echo "expected 183 wrong" >&2; exit 1; }
