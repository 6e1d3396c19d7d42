#!/usr/bin/env bash
# The shell of the recipes in .ci/run: runs a recipe, and adds a line to $PACKORD_TIMES with the seconds
# that it took, those of the processor and of the system, and what it was.
TIMEFORMAT='%0R %0U %0S'
# Bash chooses the numbers: make's own descriptors, by which cargo takes part in its jobs, have the first ones.
exec {out}>&1 {err}>&2
spent=$({ time bash "$@" >&"$out" 2>&"$err" {out}>&- {err}>&-; } 2>&1)
status=$?
line=${*:2}
printf '%s %s\n' "$spent" "${line//$'\n'/ }" | cut -c 1-140 >>"$PACKORD_TIMES"
exit "$status"
