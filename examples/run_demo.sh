#!/usr/bin/env bash
# run_demo.sh EXAMPLE TITLE BUILD_DIRECTORY [OUTPUT_DIRECTORY] - runs an example's plain program and
# the one whose loops portablef converted, compares their results byte by byte and draws them by the
# example's room draw. Exit status: 0 if every check passed. Not here: shallow_water's demo.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
example=${1:-}
title=${2:-}
build=${3:-}
out=${4:-out}

fail() {
  echo "run_demo: $*" >&2
  exit 1
}

[ -n "$build" ] || fail "usage: run_demo.sh EXAMPLE TITLE BUILD_DIRECTORY [OUTPUT_DIRECTORY]"
programs=
for directory in "$build" "$build/examples/$example"; do
  if [ -x "$directory/plain_$example" ]; then
    programs=$directory
    break
  fi
done
[ -n "$programs" ] || fail "no program plain_$example in $build; build first (make build)"
command -v go >/dev/null || fail "go is not in PATH; it draws the picture"
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "== $example: $title"
"$programs/plain_$example" "$work/plain"
if [ -x "$programs/example_${example}_loops" ]; then
  "$programs/example_${example}_loops" "$work/loops"
  cmp "$work/plain" "$work/loops" || fail "the programs do not agree"
  echo "  one thread and converted loops agree byte by byte ($(wc -c <"$work/plain") bytes compared)"
else
  echo "  there is no example_${example}_loops, because portablef was not built; it is left out"
fi
(cd "$here/$example" && go build -buildvcs=false -o "$work/draw" ./draw)
"$work/draw" "$work/plain" "$out/$example.png"
echo "  $out/$example.png"
