#!/usr/bin/env bash
# run_demo.sh BUILD_DIRECTORY [OUTPUT_DIRECTORY] - runs each case with four programs of this
# example, compares their results bit by bit, draws them and prints the times, also by phase of a
# step. With PORTABLE_DEVICE=cuda a fifth program runs the plain loops on the GPU. The output
# directory is `out` by default. The programs with threads use as many as the library finds
# processors, or PORTABLE_NUM_THREADS. Exit status: 0 if every check passed.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
build=${1:-}
out=${2:-out}
cases="lake_at_rest stoker_dam_break radial_dam_break"

fail() {
  echo "run_demo: $*" >&2
  exit 1
}

[ -n "$build" ] || fail "usage: run_demo.sh BUILD_DIRECTORY [OUTPUT_DIRECTORY]"
programs=
for directory in "$build" "$build/examples/shallow_water"; do
  if [ -x "$directory/shallow_water" ] && [ -x "$directory/shallow_water_plain" ] &&
    [ -x "$directory/shallow_water_parallel" ]; then
    programs=$directory
    break
  fi
done
[ -n "$programs" ] || fail "no programs shallow_water, shallow_water_plain and shallow_water_parallel in $build; build first (make build)"

# Without its Go modules there is no portablef, and no program of it.
kinds="pool parallel"
if [ -x "$programs/shallow_water_loops" ]; then kinds="loops pool parallel"; else
  echo "run_demo: there is no shallow_water_loops, because portablef was not built; it is left out"
fi
# With PORTABLE_DEVICE=cuda the plain loops run on the GPU; the other programs stay what they are without.
device=${PORTABLE_DEVICE:-}
case $device in
cuda*)
  unset PORTABLE_DEVICE
  [ -x "$programs/shallow_water_device" ] || fail "there is no shallow_water_device, because portablef was not built"
  kinds="device $kinds"
  ;;
esac
mkdir -p "$out/pool" "$out/plain" "$out/parallel" "$out/loops" "$out/device"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run PROGRAM KIND CASE FILTER: runs one program, shows the lines of its summary that the filter lets
# through as they come, keeps the whole summary in OUTPUT/KIND and the processor times in $work.
run() {
  local program=$1 log=$out/$2/$3.log times=$work/$2.$3.time status=0 job
  rm -f "$out/$2/$3.swe"
  : >"$log"
  TIMEFORMAT='%U %S'
  # Timers go into a file of their own; the program without the library knows nothing of them.
  { time PORTABLE_PROFILE="file=$out/$2/$3.timers" "$programs/$program" "$here/cases/$3.nml" "$out/$2" >"$log" 2>"$work/errors"; } 2>"$times" &
  job=$!
  show "$log" "$4" "$job"
  wait "$job" || status=$?
  cat "$work/errors" >&2
  [ "$status" -eq 0 ] || fail "$program $3: exit status $status; its summary is in $log"
}

# show FILE FILTER JOB: prints the lines of a growing file until the job that writes it has ended.
show() {
  local seen=0 total ended=no
  while [ "$ended" = no ]; do
    kill -0 "$3" 2>/dev/null || ended=yes
    [ "$ended" = yes ] || sleep 0.2
    total=$(wc -l <"$1")
    if [ "$total" -gt "$seen" ]; then
      sed -n "$((seen + 1)),${total}p" "$1" | grep -E "$2" || true
      seen=$total
    fi
  done
}

for name in $cases; do
  echo "== $name: work arrays by ALLOCATE"
  run shallow_water_plain plain "$name" '^    step|time per step|FAILED'
  if [[ $kinds = *loops* ]]; then
    echo "== $name: the same files, their loops on threads by portablef"
    run shallow_water_loops loops "$name" '^    step|time per step|FAILED'
  fi
  if [[ $kinds = *device* ]]; then
    echo "== $name: the plain loops on $device, work arrays from the pool, by portablef"
    PORTABLE_DEVICE=$device run shallow_water_device device "$name" '^    step|time per step|FAILED'
  fi
  echo "== $name: the same program, work arrays from the pool"
  run shallow_water pool "$name" '.'
  echo "== $name: the pool, and loops on threads that were moved by hand"
  run shallow_water_parallel parallel "$name" '^    step|time per step|FAILED'
  for kind in $kinds; do
    cmp "$out/plain/$name.swe" "$out/$kind/$name.swe" || fail "$name: the programs do not agree"
  done
  echo "  all these programs     agree bit by bit ($(wc -c <"$out/pool/$name.swe") bytes compared)"
  echo
done

echo "== pictures"
if ! command -v go >/dev/null; then
  echo "  none: go is not in PATH; it draws them"
elif ! (cd "$here" && go list libportable/examples/draw >/dev/null 2>&1); then
  echo "  none: this folder is outside of the tree of libportable, which has the package that draws them"
else
  (cd "$here" && go build -buildvcs=false -o "$work/draw" ./draw)
  for name in stoker_dam_break radial_dam_break; do
    "$work/draw" "$out/pool/$name.swe" "$out/$name.png"
    echo "  $out/$name.png"
  done
fi

echo
"$here/demo_table.sh" "$out" "$work" $cases
timed="pool parallel"
[[ $kinds = *device* ]] && timed="$timed device"
for kind in $timed; do
  timers=$out/$kind/radial_dam_break.timers
  [ -s "$timers" ] || fail "no timers in $timers"
  echo
  echo "== radial_dam_break, $kind: where the time goes [s]; phases by timer_start and timer_stop, loops by their launches"
  cat "$timers"
done
echo
echo "All checks hold: L1 error, mass, symmetry, lake at rest, no array left behind, programs equal bit by bit."
