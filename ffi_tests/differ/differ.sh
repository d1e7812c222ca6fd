#!/usr/bin/env bash
# differ.sh YAKLCHECK PROGRAM FOREIGN KEPT FOLDER - what yaklcheck diff tells of runs of the programs differ, foreign and kept.
# Exit status: 0 when all is as it should be.
set -uo pipefail
yaklcheck=$1
program=$2
foreign=$3
kept=$4
rm -rf "$5"
mkdir -p "$5"
cd "$5" || exit 2
failed=0

# wants CODE TEXT... -- COMMAND...: the command ends so, and each text is in its output.
wants() {
  local code=$1 texts=() text
  shift
  while [ "$1" != -- ]; do texts+=("$1") && shift; done
  shift
  "$@" >output 2>&1
  local got=$?
  if [ $got != "$code" ]; then echo "FAILED: $* ended with $got and not $code:" && cat output && failed=1; fi
  for text in "${texts[@]}"; do
    grep -qF -- "$text" output || { echo "FAILED: $* does not say: $text" && cat output && failed=1; }
  done
}

# The same bits on any number of threads, with any schedule; launches that one run has alone are no difference.
wants 0 'no findings' '20 launches and checkpoints were compared' -- \
  "$yaklcheck" diff -- PORTABLE_NUM_THREADS=1 "$program" -- PORTABLE_NUM_THREADS=3 PORTABLE_SCHEDULE=dynamic "$program"
wants 0 '4 of the second have no counterpart' -- "$yaklcheck" diff -- "$program" -- "$program" halo

# One element of one step: the launch, the array, the index, both values; and by checkpoints, where the error has been copied on.
wants 1 "after 'smooth', number 3 of that label, 'v' differs first in element (8,6)" '1 of 2604 elements differ' -- \
  "$yaklcheck" diff --shape=62,42 -- PORTABLE_NUM_THREADS=1 "$program" -- PORTABLE_NUM_THREADS=2 "$program" 3 7 5
wants 1 "after 'step', number 3 of that label, 'row' differs" "so do 'u', 'v'" -- "$yaklcheck" diff --checkpoints -- "$program" -- "$program" 3 7 5

# Traces of runs that were made without the command; the remedy for the index is printed, and works.
for run in a b; do
  arguments=()
  [ $run = b ] && arguments=(2 1 1)
  PORTABLE_CHECK=hash PORTABLE_TRACE=$run.trace,check "$program" "${arguments[@]}" || failed=1
done
wants 1 "'v' differs in bytes 0 to 20831 of 20832" "PORTABLE_HASH='dump=v#0@N', N = 6 for the first and 6 for the second" -- \
  "$yaklcheck" diff a.trace b.trace
PORTABLE_HASH='dump=v#0@6' PORTABLE_CHECK=hash PORTABLE_TRACE=a.trace,check "$program" || failed=1
PORTABLE_HASH='dump=v#0@6' PORTABLE_CHECK=hash PORTABLE_TRACE=b.trace,check "$program" 2 1 1 || failed=1
wants 1 "'v' differs first in element 64 of 2604" -- "$yaklcheck" diff a.trace b.trace

# Memory that the host cannot read is left alone.
wants 0 'no findings' '1 launches and checkpoints' -- "$yaklcheck" diff -- "$foreign" -- "$foreign"

# Memory that is older than the run of the library is read, and so is a pool together with many that have ended.
wants 0 'no findings' '2 launches and checkpoints' -- "$yaklcheck" diff -- "$kept" -- "$kept"
wants 1 "after 'second', number 1 of that label" "'ALLOCATE'" "'kept'" -- "$yaklcheck" diff -- "$kept" -- "$kept" other

# Static data of its kernels: there is none; a trace without sums.
wants 0 'no findings' -- "$yaklcheck" statics "$program"
PORTABLE_TRACE=plain.trace "$program" || failed=1
wants 2 'it has no sums of blocks: run the program with PORTABLE_CHECK=hash' -- "$yaklcheck" diff plain.trace a.trace
exit $failed
