#!/usr/bin/env bash
# run_demo.sh BUILD_DIRECTORY [OUTPUT_DIRECTORY] - lets the water fall in the plain program and in
# the one whose loops portablef converted, compares their results byte by byte and draws particles.
# Exit status: 0 if every check passed.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
build=${1:-}
out=${2:-out}

fail() {
  echo "dam_break/run_demo: $*" >&2
  exit 1
}

[ -n "$build" ] || fail "usage: run_demo.sh BUILD_DIRECTORY [OUTPUT_DIRECTORY]"
programs=
for directory in "$build" "$build/examples/dam_break"; do
  if [ -x "$directory/plain_dam_break" ]; then
    programs=$directory
    break
  fi
done
[ -n "$programs" ] || fail "no program plain_dam_break in $build; build first (make build)"
command -v go >/dev/null || fail "go is not in PATH; it draws the picture"
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "== dam_break: a column of water falls, as smoothed particles"
"$programs/plain_dam_break" "$work/plain"
if [ -x "$programs/example_dam_break_loops" ]; then
  "$programs/example_dam_break_loops" "$work/loops"
  cmp "$work/plain" "$work/loops" || fail "the programs do not agree"
  echo "  one thread and converted loops agree byte by byte ($(wc -c <"$work/plain") bytes compared)"
else
  echo "  there is no example_dam_break_loops, because portablef was not built; it is left out"
fi
(cd "$here" && go build -buildvcs=false -o "$work/draw" ./draw)
"$work/draw" "$work/plain" "$out/dam_break.png"
echo "  $out/dam_break.png"
