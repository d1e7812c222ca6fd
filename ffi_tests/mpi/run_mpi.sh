#!/bin/bash
# run_mpi.sh MPIRUN RANKS BINDING PROGRAM [ARGUMENT]: PROGRAM on so many ranks, bound to cores or not at all. Where
# the launcher itself cannot run here, says why and gives 77. Not in this file: the programs.
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
if [ "${2:-}" = merged ]; then
  # a row has its label, the ranks that have it and their calls
  row() { [ "$(grep -cE "^$1 +$2 +$3 +[0-9.e+-]+ +[0-9.e+-]+ +[0-9.e+-]+ +[0-9]+$" <<<"$output")" = 1 ] || fail "not one row '$1' of $2 ranks and $3 calls"; }
  [ "$(grep -c '^\*\*\*\*\*\*\* Timers of ' <<<"$output")" = 1 ] || fail "not one report"
  grep -q "^\*\*\*\*\*\*\* Timers of $ranks ranks \*\*\*\*\*\*\*$" <<<"$output" || fail "not of $ranks ranks"
  row main "$ranks" "$ranks"
  row '  work' "$ranks" $((ranks * (ranks + 1) / 2))
  row '  only one' 1 1
  grep -q "\"ranks\": \[$(seq -s ', ' 0 $((ranks - 1)))\]," "$3" || fail "not all ranks in $3"
  grep -qE "\"label\": \"only one\", \"ranks\": 1, \"calls\": 1, .*\"max_rank\": 1, \"timers\": \[\]" "$3" || fail "no rank 1 in $3"
  rm -f "$3"
fi
echo "$ranks ranks, binding $binding: fine"
