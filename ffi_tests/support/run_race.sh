#!/bin/bash
# run_race.sh TOOL PROGRAM WHAT [SOURCE SUPPRESSIONS]: PROGRAM WHAT under TOOL (tsan, helgrind) must be reported with the line of SOURCE
# that bears the comment WHAT and with no other line of ours, and for `clean` must not be reported at all: with the pool's
# fast path and without, on 2 and 4 threads. Gives 77 with the reason where the tool itself does not work. Not in this file: the programs.
set -u
tool=$1 program=$2 what=$3 source=${4:-} suppressions=${5:-}
fail() { echo "FAILED: $tool, $what, $setting: $*"; echo "$output" | head -80; exit 1; }
for threads in 2 4; do
  for fastpath in 1 0; do
    setting="PORTABLE_NUM_THREADS=$threads PORTABLE_FASTPATH=$fastpath"
    case $tool in
      helgrind)
        output=$(env $setting valgrind --tool=helgrind --error-exitcode=77 --suppressions="$suppressions" "$program" "$what" 2>&1)
        status=$? heading='Possible data race' ;;
      tsan)
        # At its end it waits a second for races of threads that still run; ours have joined.
        output=$(env $setting TSAN_OPTIONS="exitcode=77 atexit_sleep_ms=50" "$program" "$what" 2>&1)
        status=$? heading='WARNING: ThreadSanitizer: data race'
        if grep -q 'FATAL: ThreadSanitizer' <<<"$output"; then
          echo "skipped: ThreadSanitizer does not run here: $(grep -m1 FATAL <<<"$output")"; exit 77
        fi ;;
    esac
    if [ "$what" = clean ]; then
      [ $status = 0 ] || fail "ended with $status"
      grep -q "$heading" <<<"$output" && fail "a race in a right program"
      continue
    fi
    [ $status = 77 ] || fail "ended with $status, not 77"
    at="$(basename "$source"):$(grep -nE "[/!]\*? *$what( \*/)?\$" "$source" | head -1 | cut -d: -f1)"
    grep -q "$at" <<<"$output" || fail "$at is not named"
    # A report has two accesses, in the order in which they came; one of them is at that line.
    places=$(awk -v heading="$heading" -v at="$at" 'index($0, heading) {others += open && !found; open = 1; found = 0} index($0, at) {found = 1}
      END {print others + (open && !found)}' <<<"$output")
    [ "$places" = 0 ] || fail "$places reports are of other lines"
  done
done
echo "$tool, $what: as it should be"
