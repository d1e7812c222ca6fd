#!/bin/bash
# run_secure.sh PROGRAM TOOL: a set-user-ID program heeds no variable of its user that names a file or a library. PROGRAM and TOOL are those of ../../observe.
# Needs root and a folder in which that bit counts; exits with 77 elsewhere. The rule itself is tested without (go test ./internal/edge).
set -u
program=$1 tool=$2 other=65534
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || { echo "needs root and setpriv"; exit 77; }
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
install -m 755 "$program" "$folder/plain" && install -m 4755 "$program" "$folder/privileged" && install -m 755 "$tool" "$folder/tool.so" || exit 2
mkdir -m 777 "$folder/work"
cd "$folder/work" || exit 2
# as_user PROGRAM VARIABLE...
as_user() {
  local which=$1
  shift
  timeout -s KILL 20 setpriv --reuid $other --regid $other --clear-groups env TOOL_LOG="$folder/work/tool.log" PORTABLE_NUM_THREADS=2 "$@" "$folder/$which" >"$folder/out" 2>&1
}
as_user privileged A=
grep -q 'AT_SECURE is 1' "$folder/out" || { echo "set-user-ID does not count here"; cat "$folder/out"; exit 77; }
failed=0
fail() { echo "FAILED: $*"; cat "$folder/out"; failed=1; }
grep -q warning "$folder/out" && fail "without such variables there is a warning"
files=(PORTABLE_TOOLS="$folder/tool.so" PORTABLE_VERBOSE="$folder/work/log" PORTABLE_TRACE="$folder/work/trace" PORTABLE_PROFILE=file="$folder/work/report")
as_user privileged "${files[@]}" || fail "the program ended with $?"
[ -z "$(ls -A)" ] || fail "it has written: $(ls -A)"
[ "$(grep -c 'portable: warning:' "$folder/out")" = 1 ] || fail "one warning is wanted"
for name in PORTABLE_TOOLS PORTABLE_VERBOSE PORTABLE_TRACE PORTABLE_PROFILE; do grep -q "warning:.*AT_SECURE.*$name" "$folder/out" || fail "it does not say that $name is ignored"; done
as_user privileged PORTABLE_CHECK=memory PORTABLE_VERBOSE=1 PORTABLE_PROFILE=1 || fail "the program ended with $?"
[ -z "$(ls -A)" ] || fail "it has written files with default names: $(ls -A)"
grep -q 'Timer label' "$folder/out" || fail "a report on standard error names no file"
as_user plain "${files[@]}" || fail "the program without privileges ended with $?"
for name in tool.log log trace report; do [ -s $name ] || fail "without privileges $name is written"; done
exit $failed
