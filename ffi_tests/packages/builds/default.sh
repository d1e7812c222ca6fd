#!/bin/bash
# default.sh SOURCE WORK: a first build, configured without any option. In this file: what it makes, and what it
# leaves to those who ask for it. Not in this file: the build itself (the tests of consumers build and install).
set -euo pipefail
source=$1 work=$2
: "${CMAKE:=cmake}" "${CC:=cc}"
rm -rf "$work"; mkdir -p "$work"
fail() { echo "FAILED: $*"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }
# The caller's variables must not stand in for options.
run env -u CMAKE_GENERATOR -u CMAKE_BUILD_TYPE "$CMAKE" -S "$source" -B "$work/build" -G "Unix Makefiles" "-DCMAKE_C_COMPILER=$CC"
for room in ffi_tests examples bench; do
  [ ! -e "$work/build/$room" ] || fail "a build without options has the folder $room"
done
# What `all` builds: a target that is left out of it has no such line.
sed -n 's|^all: .*CMakeFiles/\(.*\)\.dir/all$|\1|p' "$work/build/CMakeFiles/Makefile2" | sort >"$work/built"
cat "$work/built"
# A command is left out where its Go modules are not available; configuring says so.
expected=portable_allocate_archive$'\n'portable_archive
for command in portablef yaklcheck; do
  grep -q "$command is left out" "$work/log" || expected+=$'\n'portable_$command
done
[ "$(cat "$work/built")" = "$expected" ] || fail "a build without options makes $(tr '\n' ' ' <"$work/built")"
tests=$(cd "$work/build" && "${CMAKE%cmake}ctest" -N)
grep -q '^Total Tests: 0$' <<<"$tests" || fail "a build without options has tests: $tests"
rm -rf "$work"
