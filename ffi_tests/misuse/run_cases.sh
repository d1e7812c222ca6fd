#!/bin/sh
# run_cases.sh PROGRAM CASES: runs each case of the file CASES with PROGRAM and compares what comes of it.
#
# A line of CASES is: case | environment | outcome. environment is NAME=VALUE words, or nothing. outcome is
#   ok              the case comes to its end, exits with 0, and writes nothing else to standard error
#   says: TEXT      the same, but TEXT is in what it writes
#   warning: TEXT   the same, and exactly one line holds the word warning
#   stop: TEXT      the case does not come to its end, exits with another status, and writes TEXT
#   abort: TEXT     the same, killed by SIGABRT
# TEXT is compared without regard to case. Lines that start with # are comments.
set -u
[ $# -eq 2 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1
case $program in */*) ;; *) program=./$program ;; esac
[ -x "$program" ] || { echo "run_cases.sh: $program is no program" >&2; exit 2; }
output=$(mktemp) || exit 2
trap 'rm -f "$output"' EXIT
passed=0 failed=0

trim() {
  printf '%s' "$1" | sed 's/^[[:space:]]*//;s/[[:space:]]*$//'
}

# verdict OUTCOME STATUS: why the outcome is not met, nothing when it is
verdict() {
  kind=${1%%:*}
  text=
  [ "$kind" = "$1" ] || text=$(trim "${1#*:}")
  case $kind in
  ok | says | warning)
    [ "$2" -eq 0 ] || { echo "exit status $2"; return; }
    grep -q '^end of case$' "$output" || { echo "it did not come to its end"; return; }
    ;;
  stop | abort)
    [ "$2" -ne 0 ] || { echo "exit status 0"; return; }
    grep -q '^end of case$' "$output" && { echo "it came to its end"; return; }
    # 134 is 128 + SIGABRT
    [ "$kind" = stop ] || [ "$2" -eq 134 ] || { echo "exit status $2, not that of SIGABRT"; return; }
    [ "$kind" = abort ] || [ "$2" -lt 128 ] || { echo "killed by signal $(($2 - 128))"; return; }
    ;;
  *) echo "unknown outcome '$1'"; return ;;
  esac
  case $kind in
  ok) [ "$(grep -vc '^end of case$' "$output")" -eq 0 ] || { echo "it wrote something"; return; } ;;
  warning) [ "$(grep -ic 'warning' "$output")" -eq 1 ] || { echo "not exactly one warning"; return; } ;;
  esac
  [ "$kind" = ok ] || grep -Fiq -- "$text" "$output" || echo "'$text' is not in what it wrote"
}

while IFS='|' read -r name settings outcome; do
  name=$(trim "$name")
  case $name in '' | '#'*) continue ;; esac
  settings=$(trim "$settings")
  outcome=$(trim "$outcome")
  # Names in a backtrace would pass for the text that is looked for.
  # shellcheck disable=SC2086 # settings are words
  env -u GATOR_STRICT -u GATOR_DISABLE GFORTRAN_ERROR_BACKTRACE=0 $settings "$program" "$name" >"$output" 2>&1 </dev/null
  why=$(verdict "$outcome" $?)
  if [ -z "$why" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name ($settings): expected $outcome: $why"
    sed -n '1,8s/^/    /p' "$output"
  fi
done <"$2"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
