#!/usr/bin/env bash
# demo_table.sh OUT TIMES CASE... - prints the table at the end of the demo: time per step of the
# programs, and their ratios. OUT has the summaries (OUT/KIND/CASE.log), TIMES the processor
# times (TIMES/KIND.CASE.time) of run_demo.sh.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
out=$1 times=$2
shift 2

# value KIND CASE LABEL: the first word behind a label of a summary.
value() {
  sed -n "s/^  $3 *\([^ ]*\).*/\1/p" "$out/$1/$2.log"
}

# system_share KIND CASE: the part of the processor time that the system took, in percent.
system_share() {
  awk '{ all = $1 + $2; printf "%.0f", (all > 0) ? 100 * $2 / all : 0 }' "$times/$1.$2.time"
}

ratio() {
  awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

slower=
echo "== time per step [ms], in brackets the part of the processor time that the operating system took"
printf '  %-18s %6s %20s %20s %20s %20s %22s\n' case steps ALLOCATE 'ALLOCATE, portablef' pool 'pool, by hand' 'faster by'
for name; do
  plain=$(value plain "$name" 'time per step')
  pool=$(value pool "$name" 'time per step')
  parallel=$(value parallel "$name" 'time per step')
  by_pool=$(ratio "$plain" "$pool") by_threads=$(ratio "$pool" "$parallel") converted='-' by_tool='-'
  if [ -s "$out/loops/$name.log" ]; then
    loops=$(value loops "$name" 'time per step')
    converted=$(printf '%12s (%3s %%)' "$loops" "$(system_share loops "$name")") by_tool=$(ratio "$plain" "$loops")
  fi
  printf '  %-18s %6s %12s (%3s %%) %20s %12s (%3s %%) %12s (%3s %%) %5sx, %5sx, %5sx\n' "$name" "$(value pool "$name" steps)" \
    "$plain" "$(system_share plain "$name")" "$converted" "$pool" "$(system_share pool "$name")" \
    "$parallel" "$(system_share parallel "$name")" "$by_tool" "$by_pool" "$by_threads"
  case ,$by_tool,$by_pool,$by_threads in *,0.*) slower=yes ;; esac
done
lines=$("$here/count_changes.sh" | sed -n 's/^for threads: //p')
echo "  (faster by: portablef's threads against ALLOCATE, the pool against ALLOCATE, threads by hand against the pool alone;"
echo "  portablef changes no line; by hand, lines changed for threads: $lines)"
if [ -n "$slower" ]; then
  echo "  (below 1.00x it is slower. With threads that mostly means that other work has the processors, or that a step is too"
  echo "  short to share; the results are the same. On a machine that does nothing else, run it again.)"
fi
