#!/bin/sh
# rustc for cargo, as RUSTC_WRAPPER: the same bytes in every folder. Cargo gives the symbols of a crate that is outside
# of the workspace, as packord is for the Python package, a hash of its path.
set -eu
# As cargo names it, without symbolic links.
root=$(cd "$(dirname "$0")/.." && pwd -P)
rustc=$1
shift
case ${CARGO_MANIFEST_DIR:-} in
"$root"/*)
	own=$CARGO_PKG_NAME-$CARGO_PKG_VERSION-$CARGO_CRATE_NAME
	for word; do
		shift
		case $word in metadata=*) word=metadata=$own ;; esac
		set -- "$@" "$word"
	done
	;;
esac
exec "$rustc" "$@"
