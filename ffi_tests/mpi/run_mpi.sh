#!/bin/bash
# run_mpi.sh MPIRUN RANKS BINDING PROGRAM [ARGUMENT]: PROGRAM on so many ranks, bound to cores or not at all. Where
# the launcher itself can not run here, says why and gives 77. Not in this file: the programs.
set -u
mpirun=$1 ranks=$2 binding=$3
shift 3
. "$(dirname "$0")/options.sh"
output=$(launch "$ranks" "$binding" "$@" 2>&1)
status=$?
[ $status = 0 ] || fail "$ranks ranks, binding $binding: ended with $status"
if [ "${2:-}" = leak ]; then
  for ((r = 0; r < ranks; r++)); do
    grep -q "portable: rank $r: warning: 1 block " <<<"$output" || fail "no report of rank $r"
    grep -q "portable: rank $r:   buffer  size $(((100 + r) * 8)) bytes" <<<"$output" || fail "no block of rank $r"
  done
fi
reports() { grep -c '^\*\*\*\*\*\*\* Timers \*\*\*\*\*\*\*$' <<<"$output"; }
if [ "${2:-}" = profile_one ]; then
  [ "$(reports)" = 1 ] && ! grep -q 'FOR RANK' <<<"$output" || fail "not one report, of rank 0"
  grep -q '^  loop  *1  ' <<<"$output" || fail "it is not rank 0's"
elif [ "${2:-}" = profile_all ]; then
  [ "$(reports)" = "$ranks" ] || fail "not $ranks reports"
  for ((r = 0; r < ranks; r++)); do
    grep -qxF "** FOR RANK $r**" <<<"$output" || fail "no report of rank $r"
    grep -q "^  loop  *$((r + 1))  " <<<"$output" || fail "no row with the launches of rank $r"
    grep -q "\"rank\": $r," "mpi_timers.$r.json" && grep -q "\"label\": \"loop\", \"calls\": $((r + 1))," "mpi_timers.$r.json" ||
      fail "mpi_timers.$r.json"
    rm -f "mpi_timers.$r.json"
  done
fi
echo "$ranks ranks, binding $binding: fine"
