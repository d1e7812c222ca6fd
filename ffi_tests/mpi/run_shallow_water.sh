#!/bin/bash
# run_shallow_water.sh MPIRUN PROGRAM SERIAL_PROGRAM CASE FOLDER ranks|threads|restart|misuse: the shallow-water example on
# ranks gives the bits of its serial program, and of itself without a restart. Not in this file: the programs
# (examples/shallow_water).
set -u
mpirun=$1 program=$2 serial=$3 case=$4 folder=$5 what=$6
. "$(dirname "$0")/options.sh"
rm -rf "$folder"
mkdir -p "$folder/serial"
name=$(basename "$case" .nml).swe
"$serial" "$case" "$folder/serial" >"$folder/serial/log" 2>&1 || fail "the serial program ended with $?"

# run NAME RANKS THREADS [ARGUMENT]...: writes into FOLDER/NAME, where its field file has to come out
run() {
  local to=$folder/$1 ranks=$2
  mkdir "$to"
  export PORTABLE_NUM_THREADS=$3
  shift 3
  output=$(launch "$ranks" none "$program" "$case" "$to" "$@" 2>&1) || fail "$ranks ranks, $PORTABLE_NUM_THREADS threads, $*: ended with $?"
}
same() { cmp "$folder/$1/$name" "$folder/$2/$name" || fail "$1 and $2 differ"; }

case $what in
  ranks)
    for ranks in 1 2 4; do
      run "ranks$ranks" $ranks 1
      same serial "ranks$ranks"
      # the same numbers in the summary, but for times, the pool and what ranks are
      for label in 'steps' 'mass error' 'checksum of the state'; do
        grep -q 'Timers of' <<<"$output" && fail "timers are off, and are printed"
        [ "$(grep "^  $label" <<<"$output")" = "$(grep "^  $label" "$folder/serial/log")" ] || fail "another $label than the serial program"
      done
    done
    PORTABLE_PROFILE=user run ranks3 3 1
    same serial ranks3
    for label in advance ghosts halo; do
      [ "$(grep -cE "^ *$label +3 +[0-9]+( +[0-9.e+-]+){3} +[012]$" <<<"$output")" = 1 ] || fail "no timer '$label' of all ranks"
    done ;;
  threads)
    run one 1 5
    same serial one
    run two 2 3
    same serial two
    PORTABLE_SCHEDULE=dynamic run four 4 2
    same serial four
    PORTABLE_DEVICE=serial run device 2 1
    same serial device
    run five 5 1
    same serial five
    run six 6 1
    same serial six ;;
  restart)
    run twice 2 2 steps=20 to="$folder/twice.restart"
    run once 4 1 steps=10 to="$folder/once.restart"
    cmp "$folder/twice.restart" "$folder/once.restart" >/dev/null && fail "the restart files of two times are the same"
    run again 1 3 from="$folder/once.restart" steps=20 to="$folder/again.restart"
    same twice again
    cmp "$folder/twice.restart" "$folder/again.restart" || fail "20 steps are not 10 and 10"
    run end 3 1 from="$folder/again.restart"
    same serial end
    cmp "$folder/twice/$name" "$folder/end/$name" >/dev/null && fail "nothing moved after step 20" ;;
  misuse)
    head -c 1000 "$case" >"$folder/no_restart"
    run once 2 1 steps=3 to="$folder/once.restart"
    head -c 5000 "$folder/once.restart" >"$folder/cut.restart"
    sed 's/nx = 67/nx = 66/' "$case" >"$folder/other.nml"
    # refused TEXT CASE ARGUMENT...
    refused() {
      local text=$1
      shift
      output=$(launch 2 none "$program" "$1" "$folder/once" "${@:2}" 2>&1) && fail "$*: no failure"
      [ "$(grep -c "shallow_water: .*$text" <<<"$output")" = 1 ] || fail "$*: it does not say '$text' once"
    }
    refused 'is not HDF5 or not complete' "$case" from="$folder/no_restart"
    refused 'is not HDF5 or not complete' "$case" from="$folder/cut.restart"
    refused "field 'h' has 67 x 45 cells in the file, 66 x 45 here" "$folder/other.nml" from="$folder/once.restart"
    refused 'cannot open .*nowhere' "$case" from="$folder/nowhere"
    refused 'cannot open .*no such folder' "$case" steps=1 to="$folder/no such folder/file"
    refused 'usage: ' "$case" steps=many
    sed 's/nx = 67, ny = 45/nx = 4, ny = 4/' "$case" >"$folder/tiny.nml"
    ranks=8
    output=$(launch $ranks none "$program" "$folder/tiny.nml" "$folder/once" 2>&1) && fail "8 ranks on 16 cells: no failure"
    grep -q 'use fewer ranks' <<<"$output" || fail "8 ranks on 16 cells: no reason" ;;
  *) fail "what is $what?" ;;
esac
echo "$what: fine"
