#!/bin/bash
# run_memory.sh TOOL PROGRAM WHAT SOURCE [SUPPRESSIONS]: PROGRAM WHAT under TOOL (valgrind, asan) must be reported
# with the line of SOURCE that bears the comment WHAT, and for `clean` must not be reported at all.
# Not in this file: the programs (memory.c, memory.f90).
set -u
tool=$1 program=$2 what=$3 source=$4 suppressions=${5:-}
case $tool in
  valgrind)
    output=$(valgrind --error-exitcode=77 --leak-check=full --suppressions="$suppressions" "$program" "$what" 2>&1)
    status=$? ;;
  asan)
    output=$(ASAN_OPTIONS=exitcode=77 "$program" "$what" 2>&1)
    status=$? ;;
esac
bad=77
fail() { echo "FAILED: $tool, $what: $*"; echo "$output" | head -100; exit 1; }
line() { grep -nE "[/!]\*? *$1( \*/)?\$" "$source" | head -1 | cut -d: -f1; }
if [ "$what" = clean ]; then
  [ $status = 0 ] || fail "ended with $status"
  grep -qE 'ERROR SUMMARY: [1-9]|ERROR: AddressSanitizer' <<<"$output" && fail "errors in a right program"
  echo "$tool, clean: nothing to report"
  exit
fi
[ $status = $bad ] || fail "ended with $status, not $bad"
file=$(basename "$source")
if [ "$what" = leak ]; then
  grep -qE '5,?000 bytes in 1 blocks are (definitely|possibly) lost' <<<"$output" || fail "the leak is not reported"
  grep -q "$file:$(line allocated)" <<<"$output" || fail "the line of the allocation is not named"
else
  at="$file:$(line "$what")"
  grep -q "$at" <<<"$output" || fail "$at is not named"
fi
if [ "$tool" = valgrind ] && [ "$what" = overrun ]; then
  grep -qE "is 0 bytes after a block of size (1,000|800) client-defined" <<<"$output" || fail "the block is not named"
fi
echo "$tool, $what: reported"
