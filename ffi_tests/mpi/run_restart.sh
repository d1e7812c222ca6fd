#!/bin/bash
# run_restart.sh MPIRUN PROGRAM FOLDER ranks|tools|kill|refused [RANKS]: restart files: written on 4 ranks and read on 3, 1 and 2; read by h5dump and ncdump; a
# program that is killed while it writes leaves the older file whole; files that do not fit. Not in this file: the programs (restart.c, restart.F90).
set -u
mpirun=$1 program=$2 folder=$3 what=$4
. "$(dirname "$0")/options.sh"
rm -rf "$folder"
mkdir -p "$folder"
# ranks RANKS ARGUMENT...
on() { output=$(launch "$1" none "$program" "${@:2}" 2>&1) || fail "$* ended with $?"; }

case $what in
  ranks)
    on 4 write "$folder/state."
    for ranks in ${5:-3 1 2}; do on "$ranks" read "$folder/state."; done
    [ -z "$(find "$folder" -name '*.new')" ] || fail "a file .new is left" ;;
  tools)
    command -v h5dump >/dev/null && command -v ncdump >/dev/null || { echo "skipped: h5dump or ncdump is not installed (Debian: hdf5-tools, netcdf-bin)"; exit 77; }
    on 2 write "$folder/state."
    output=$(h5dump "$folder/state.2.h5" 2>&1) || fail "h5dump ended with $?"
    for text in 'DATASET "h"' 'ATTRIBUTE "portable_hash"' 'DATASPACE  SIMPLE { ( 13, 11 ) / ( 13, 11 ) }' 'ATTRIBUTE "time"'; do grep -qF "$text" <<<"$output" || fail "h5dump has no $text"; done
    output=$(ncdump "$folder/state.2.h5" 2>&1) || fail "ncdump ended with $?"
    for text in 'cells_1 = 13 ;' 'double h(cells_1, cells_2) ;' 'float tracer(extent_3, cells_1, cells_2) ;' 'short counts(cells_2, cells_1) ;' ':step = 79LL ;'; do grep -qF "$text" <<<"$output" || fail "ncdump has no $text"; done
    first=$(h5dump -d /h -s 0,0 -c 1,2 -y "$folder/state.2.h5" | grep -oE '[-0-9.e+]+, [-0-9.e+]+' | head -1)
    [ -n "$first" ] && grep -qE "^  ?${first%%[,.e]*}" <<<"$output" || fail "ncdump and h5dump differ in the first cell, $first" ;;
  kill)
    on 2 write "$folder/state."
    for delay in 0.3 0.5 0.8; do
      launch 2 none "$program" many "$folder/state." "$folder/pids" >/dev/null 2>&1 &
      job=$!
      for ((i = 0; i < 200; i++)); do [ -s "$folder/pids" ] && break; sleep 0.1; done
      [ -s "$folder/pids" ] || fail "no rank has begun to write"
      sleep $delay
      kill -9 $(cat "$folder/pids")
      wait $job
      rm -f "$folder/pids"
      on 1 read "$folder/state."
    done ;;
  refused) on "${5:-2}" "$folder" ;;
  *) fail "what is $what?" ;;
esac
echo "$what: fine"
