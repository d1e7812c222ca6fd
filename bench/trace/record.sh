#!/bin/bash
# record.sh BUILD: records the first 6000 operations of the dam break of `make demo`, some 31 time
# steps, and compares them with those that shallow_water.c makes. BUILD holds bench_trace_record and
# bench_trace (PORTABLE_BUILD_BENCH and PORTABLE_BUILD_EXAMPLES on). Not in this file: the recording
# (record.c).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: record.sh BUILD}" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
BENCH_TRACE_FILE=$work/recorded.csv "$build/bench_trace_record" "$here/../../examples/shallow_water/cases/stoker_dam_break.nml" "$work" >/dev/null
"$build/bench_trace" malloc csv shallow_water >"$work/made.csv"
diff "$work/recorded.csv" "$work/made.csv"
wc -l "$work/made.csv"
