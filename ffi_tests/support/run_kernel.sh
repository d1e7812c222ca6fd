#!/bin/bash
# run_kernel.sh STATUS LABELS PROGRAM [ARGUMENT...] [-- TEXT...]: PROGRAM must end with STATUS, a shell's (128 + signal), within 30 s,
# must have named a kernel in exactly LABELS lines, and without a word of Go; each TEXT (a regular expression) must be in its
# output. TEXT "line SOURCE WHAT" stands for the line of SOURCE with the comment "the line of WHAT".
# Not in this file: the programs.
set -u
wanted=$1 labels=$2
shift 2
command=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do command+=("$1"); shift; done
[ $# -gt 0 ] && shift
ulimit -c 0
ulimit -s 8192
export PORTABLE_NUM_THREADS=${PORTABLE_NUM_THREADS:-3}
output=$(timeout -k 5 30 "${command[@]}" 2>&1)
status=$?
fail() { echo "FAILED: ${command[*]}: $*"; echo "$output" | head -60; exit 1; }
[ "$status" = "$wanted" ] || fail "ended with $status, not $wanted"
grep -qE 'goroutine|fatal error: |runtime\.' <<<"$output" && fail "Go speaks"
named=$(grep -c "^portable: .*in kernel '" <<<"$output")
[ "$named" = "$labels" ] || fail "a kernel is named $named times, not $labels"
for text; do
  if [[ $text == "line "* ]]; then
    read -r _ source what <<<"$text"
    number=$(grep -n "the line of $what\$" "$source" | cut -d: -f1)
    text="$(basename "$source"):$number\$"
    [ "$(grep -cE -- "$text" <<<"$output")" = 1 ] || fail "the output has not just one '$text'"
  else
    grep -qE -- "$text" <<<"$output" || fail "the output lacks '$text'"
  fi
done
echo "${command[*]}: $status, $(wc -l <<<"$output") lines"
