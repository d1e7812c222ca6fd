#!/bin/bash
# run_files.sh fifo|log|symlink|outputs|labels PROGRAM TOOL: files that hang, end or mislead others do none of it here.
# PROGRAM is observe_files, TOOL one for PORTABLE_TOOLS. Not in this file: what the files hold when all is well (verbose.c).
set -u
what=$1 program=$2 tool=${3:-}
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
failed=0
fail() { echo "FAILED: $*"; failed=1; [ -e out ] && cut -c1-400 out; }
# run STATUS COMMAND...: what it writes is in `out`.
run() {
  local want=$1 status=0
  shift
  timeout -s KILL 20 "$@" >out 2>&1 || status=$?
  [ $status = "$want" ] || fail "$* ended with $status, not $want"
}
warns() { [ "$(grep -c 'portable: warning:' out)" = 1 ] && grep -qiF -- "$1" out || fail "one warning that says '$1' is wanted"; }

case $what in
fifo) # no process writes, or reads, at the other end
  mkfifo fifo
  run 0 env PORTABLE_VERBOSE="$folder/fifo" "$program"; warns "it is a FIFO that no process reads"
  run 0 env PORTABLE_TRACE="$folder/fifo" "$program"; warns "it is a FIFO that no process reads"
  run 0 env PORTABLE_PROFILE=file="$folder/fifo" "$program"; warns "it is a FIFO that no process reads"
  run 0 env PORTABLE_TUNING="$folder/fifo" "$program"; warns "it is not a regular file"
  run 0 env PORTABLE_TUNING=/dev/zero "$program"; warns "it is not a regular file"
  run 0 env PORTABLE_TOOLS="$folder/fifo" "$program"; warns "it is not a regular file"
  run 0 env PORTABLE_TOOLS="$tool" TOOL_LOG="$folder/tool.log" "$program"; [ -s tool.log ] || fail "a tool that is a file is loaded"
  truncate -s 1T endless
  run 0 env PORTABLE_TUNING="$folder/endless" "$program"; warns "it has more than 4 MB" ;;

log) # the file can no longer be written
  (ulimit -f 4; run 0 env PORTABLE_VERBOSE="$folder/log" "$program" 300; warns "cannot be written any more (File too large)"; exit $failed) || failed=1
  for blocks in 26 27 28 29 30 31; do # the limit falls on different bytes of a line
    (ulimit -f 3; run 0 env PORTABLE_VERBOSE="$folder/log" "$program" $blocks "$(printf '%*s' $blocks x)" && run 0 env PORTABLE_PROFILE=file="$folder/report" "$program"
     exit $failed) || failed=1
  done
  if [ -w /dev/full ]; then
    run 0 env PORTABLE_VERBOSE=/dev/full "$program"; warns "cannot be written any more (No space left on device)"
    run 0 env PORTABLE_PROFILE=file=/dev/full "$program"; warns "No space left on device"
  fi
  mkfifo fifo # its reader goes away
  exec 3<>fifo
  PORTABLE_VERBOSE="$folder/fifo" timeout -s KILL 20 "$program" 20000 >out 2>&1 3<&- &
  head -c 200 fifo >head
  exec 3<&-
  wait $! || fail "it ended with $? when no process read its log any more"
  warns "Broken pipe"
  [ "$(wc -c <head)" = 200 ] || fail "the reader got nothing" ;;

symlink) # names that can be guessed; the number of the process is that of the shell, which becomes the program
  for case in PORTABLE_VERBOSE=1:verbose_pid_%.log PORTABLE_TRACE=1:trace_pid%.trace PORTABLE_CHECK=memory:check_pid%.trace; do
    echo precious >victim
    name=portable_${case#*:}
    run 0 env "${case%%:*}" NAME="$name" sh -c 'ln -s victim "${NAME%%%*}$$${NAME#*%}"; exec "$0"' "$program"
    warns "it is a symbolic link"
    [ "$(cat victim)" = precious ] || fail "$case has written through the link"
  done
  ln -s victim named # the user's own name may be a link
  run 0 env PORTABLE_VERBOSE="$folder/named" "$program"
  grep -q 'the library stops' victim || fail "a link that is named is followed"
  echo precious >victim # a dump gets the name of the trace with .dump behind
  ln -s victim run.trace.dump
  run 0 env PORTABLE_CHECK=hash PORTABLE_HASH=dump=block#0@1 PORTABLE_TRACE="$folder/run.trace" "$program"
  [ "$(cat victim)" = precious ] || fail "the dump has written through the link"
  grep -qa "it is a symbolic link" run.trace || fail "the trace does not say why there is no dump"
  rm run.trace.dump
  run 0 env PORTABLE_CHECK=hash PORTABLE_HASH=dump=block#0@1 PORTABLE_TRACE="$folder/run.trace" "$program"
  [ -s run.trace.dump ] || fail "there is no dump" ;;

outputs) # files that a shell gives a program
  for name in /dev/stdout /dev/stderr /dev/fd/1 /proc/self/fd/1; do
    PORTABLE_VERBOSE=$name "$program" 2>&1 | cat >out
    grep -q 'the library stops' out || fail "a log into $name, a pipe"
    PORTABLE_PROFILE=user,file=$name "$program" 2>&1 | cat >out
    grep -q 'Timer label' out || fail "a report into $name, a pipe"
  done
  PORTABLE_TRACE=/dev/stdout "$program" 2000 2>/dev/null | (sleep 0.3; cat) >out # a pipe that is full for a while
  [ "$(grep -ac block out)" -ge 1 ] && [ "$(tail -c 4096 out | grep -ac 'PTRC')" -ge 1 ] && [ "$(wc -c <out)" -gt 70000 ] || fail "a trace into a pipe"
  run 0 env PORTABLE_VERBOSE=/dev/null PORTABLE_TRACE=/dev/null PORTABLE_PROFILE=file=/dev/null "$program"
  ! grep -q warning out || fail "/dev/null is taken" ;;

labels) # nothing of a label or value acts on the terminal, or looks like a line of the library
  forged=$'red \e[31m\nportable: rank 0: all is well \u202e\xff'
  clean='red \x1b[31m\nportable: rank 0: all is well \u202e\xff'
  control=$'[\001-\010\013-\037\177]' override=$'\u202e'
  look() {
    ! LC_ALL=C grep -qa "$control" "$1" && ! grep -qaF "$override" "$1" || fail "$2: a control character is left"
    ! grep -qa '^portable: rank 0: all is well' "$1" || fail "$2: a line is forged"
  }
  run 0 env PORTABLE_VERBOSE="$folder/log" PORTABLE_PROFILE=1 PORTABLE_CHECK=memory PORTABLE_TRACE="$folder/trace,check" "$program" 1 "$forged"
  look out "standard error"; look log "the log"
  grep -qF "'$clean'" log || fail "the label is not legible in the log"
  run 0 "$program" 1 "$forged"
  look out "the list of blocks"
  grep -qF "$clean  size" out && grep -qF "$clean" <(grep '^error:' out) || fail "the label is not legible"
  run 0 env PORTABLE_CHECK=memory "$program" 1 "$forged"
  look out "a finding"
  run 0 env PORTABLE_PROFILE=json="$folder/report" "$program" 1 "$forged"
  look report "JSON"; grep -qF 'red \u001b[31m\u000aportable' report || fail "the label is not legible as JSON"
  for variable in DEVICE NUM_THREADS CHECK TRACE VERBOSE TUNING PROFILE TOOLS SCHEDULE HASH MEMCHECK NVTX CACHE TWINS HOSTMEM LIMIT_MB; do
    run 0 env PORTABLE_$variable="/none/$forged" "$program"
    look out "PORTABLE_$variable"
    run 0 env PORTABLE_$variable="/none/$(head -c 100000 /dev/zero | tr '\0' x)" "$program"
    [ "$(wc -L <out)" -lt 1000 ] || fail "PORTABLE_$variable: a value of 100 000 bytes is reported whole"
  done
  run 0 "$program" 1 "höhe 温度"
  grep -qF "höhe 温度" out || fail "other languages are legible" ;;
*) exit 2 ;;
esac
exit $failed
