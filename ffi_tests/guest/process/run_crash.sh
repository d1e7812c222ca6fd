#!/bin/bash
# run_crash.sh PROGRAM WHAT STATUS [TEXT...]: PROGRAM WHAT must end with STATUS, a shell's (128 + signal), without
# a word of Go, and each TEXT must be in its output. Not in this file: the programs (crash.c, crash.f90).
set -u
program=$1 what=$2 wanted=$3
shift 3
ulimit -c 0
ulimit -s 8192
output=$("$program" "$what" 2>&1)
status=$?
fail() { echo "FAILED: $what: $*"; echo "$output" | head -40; exit 1; }
[ "$status" = "$wanted" ] || fail "ended with $status, not $wanted"
grep -qE 'goroutine|fatal error: |runtime\.' <<<"$output" && fail "Go speaks"
for text; do grep -qE -- "$text" <<<"$output" || fail "the output lacks '$text'"; done
echo "$what: $status, $(wc -l <<<"$output") lines"
