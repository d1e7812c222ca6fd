#!/bin/bash
# steps.sh - what test and test-long share: steps that are announced, timed and counted.
# Sourced, not run. In this file: step, skip, finish, and what Go must know of headers. Not in this file: any step.

passed=0 failed=0 skipped=0 failures=
steps_started=$SECONDS

# Go looks for changes in the folder of a package only; with this it sees those of headers in other folders too.
CGO_CFLAGS="-O2 -g -DPORTABLE__HEADERS=0x$(find capi internal \( -name '*.h' -o -name '*.inc' \) -print0 | sort -z | xargs -0 cat | sha256sum | cut -c1-64)"
export CGO_CFLAGS

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
