#!/usr/bin/env bash
# run_demo.sh BUILD_DIRECTORY [OUTPUT_DIRECTORY] - floods the valley with the plain program and with
# the one whose loops portablef converted, compares their results byte by byte and draws the water
# over its mesh. Exit status: 0 if every check passed.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
build=${1:-}
out=${2:-out}

fail() {
  echo "river/run_demo: $*" >&2
  exit 1
}

[ -n "$build" ] || fail "usage: run_demo.sh BUILD_DIRECTORY [OUTPUT_DIRECTORY]"
programs=
for directory in "$build" "$build/examples/river"; do
  if [ -x "$directory/plain_river" ]; then
    programs=$directory
    break
  fi
done
[ -n "$programs" ] || fail "no program plain_river in $build; build first (make build)"
command -v go >/dev/null || fail "go is not in PATH; it draws the picture"
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "== river: shallow water on triangles, a flood in a valley"
"$programs/plain_river" "$work/plain"
if [ -x "$programs/example_river_loops" ]; then
  "$programs/example_river_loops" "$work/loops"
  cmp "$work/plain" "$work/loops" || fail "the programs do not agree"
  echo "  one thread and converted loops agree byte by byte ($(wc -c <"$work/plain") bytes compared)"
else
  echo "  there is no example_river_loops, because portablef was not built; it is left out"
fi
(cd "$here" && go build -buildvcs=false -o "$work/draw" ./draw)
"$work/draw" "$work/plain" "$out/river.png"
echo "  $out/river.png"
