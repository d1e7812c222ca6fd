#!/bin/bash
# steps.sh - what test and test-long share: steps that are announced, timed and counted.
# Sourced, not run. In this file: step, skip, finish, and what Go must know of headers. Not in this file: any step.

passed=0 failed=0 skipped=0 failures=
steps_started=$SECONDS

# Doors, by which tests reach C that no user calls, are in no archive.
test_tags=portable_test_hooks
export GOFLAGS=-tags=$test_tags

# What the build of the archive has compiled, C included, no step compiles again: the flags that cmake/build_archive.cmake has left (with a sum of headers, as
# Go looks for changes in the folder of a package only), the same compiler, and code for any place, as archives have it.
like_the_archive() { # like_the_archive BUILD-FOLDER, once it is built
  [ -e "$1/archive/cgo_flags" ] || return 0
  CC=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$1/CMakeCache.txt")
  CGO_CFLAGS=$(cat "$1/archive/cgo_flags")
  export CC CGO_CFLAGS GOFLAGS="-trimpath -buildmode=pie -tags=$test_tags"
}

# step NAME COMMAND...: announces, runs, and reports the time. A failure is counted and the next step goes
# on, so that one run shows everything that is wrong.
step() {
  local name=$1 began=$SECONDS status=0
  shift
  echo
  echo "==> $name"
  "$@" || status=$?
  if [ $status = 0 ]; then
    passed=$((passed + 1)); echo "==> $name: ok, $((SECONDS - began)) s"
  else
    failed=$((failed + 1)); failures+=" [$name]"
    echo "==> $name: FAILED ($status), $((SECONDS - began)) s"
  fi
  return $status
}

# skip NAME REASON
skip() {
  skipped=$((skipped + 1))
  echo
  echo "==> $1: skipped, because $2"
}

# finish: the summary, the line that machines read, and the exit.
finish() {
  echo
  echo "==> $((SECONDS - steps_started)) s in all${failures:+; failed:$failures}"
  if [ $skipped = 0 ]; then echo "$passed passed, $failed failed"
  else echo "$passed passed, $failed failed, $skipped skipped"; fi
  [ $failed = 0 ]
}
