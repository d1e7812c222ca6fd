#!/bin/bash
# record.sh BUILD: writes shallow_water.csv anew: the first 6000 operations of the dam break that `make demo` shows, some
# 31 time steps. BUILD holds bench_trace_record (PORTABLE_BUILD_BENCH and PORTABLE_BUILD_EXAMPLES on).
# Not in this file: what is recorded, and how (record.c).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1:?usage: record.sh BUILD}/bench_trace_record
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
BENCH_TRACE_FILE=$here/shallow_water.csv "$program" "$here/../../examples/shallow_water/cases/stoker_dam_break.nml" "$work" >/dev/null
wc -l "$here/shallow_water.csv"
