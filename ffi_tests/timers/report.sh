#!/bin/bash
# report.sh PROGRAM GOLDEN WORK: what PORTABLE_PROFILE makes PROGRAM (report.c) print at its end, against the files in GOLDEN, with
# times masked: each time has its 12 columns. The environment's values, one by one. Not in this file: ranks of MPI (../mpi).
set -u
program=$1 golden=$2 work=$3 failed=0
rm -rf "$work"; mkdir -p "$work"; cd "$work" || exit 1
unset PORTABLE_PROFILE OMPI_COMM_WORLD_RANK PMI_RANK PMIX_RANK SLURM_PROCID PALS_RANKID MV2_COMM_WORLD_RANK
export PORTABLE_NUM_THREADS=2
fail() { echo "FAILED: $*"; failed=1; }
mask() { sed -E 's/[0-9]\.[0-9]{6}e[-+][0-9]{2}/#.######e###/g; s/"(total|last|min|max)": [0-9]+\.[0-9]{9}/"\1": #/g' "$@"; }
same() { # same GOLDEN-NAME FILE: equal but for times
  mask "$2" | diff "$golden/$1" - >difference || { fail "$2 is not as $1:"; cat difference; }
}
run() { # run PROFILE ARGUMENT...: standard error into the file err; nothing on standard output
  local profile=$1
  shift
  PORTABLE_PROFILE=$profile "$program" "$@" >out 2>err || fail "PORTABLE_PROFILE=$profile: ended with $?"
  [ ! -s out ] || { fail "PORTABLE_PROFILE=$profile: on standard output:"; cat out; }
}
empty() { [ ! -s "$1" ] || { fail "$2: not silent:"; cat "$1"; }; }

run 1 once; same report.txt err
run yes threads; same report-threads.txt err
run 1 running; same report-running.txt err
run user once; ! grep -q update err || fail "user: a launch is in the report"; grep -q '^main ' err || fail "user: no main"
run 0 once; empty err 0
run "" once; empty err "nothing"
run json=times.json once; empty err json; same times.json times.json
run "user, json=u.json" once; empty err "user, json"; ! grep -q update u.json || fail "user: a launch in u.json"
run 1,file=r.txt,json=j.json once; same report.txt err; same report.txt r.txt; same times.json j.json
PMI_RANK=0 run 1 once; same report.txt err
PMI_RANK=3 run 1 once; empty err "rank 3"
PMI_RANK=3 run all once; sed -i '1{/^\*\* FOR RANK 3\*\*$/d}' err; same report.txt err
PMI_RANK=3 run file=r.d/x,json=t.json once; sed -i "s/\"rank\": 3,/\"rank\": null,/" t.3.json; same times.json t.3.json
grep -q "^portable: rank 3: warning: .*the timers cannot be written into 'r.d/x.3': [Nn]o such file" err || { fail "no warning of r.d/x"; cat err; }
PMI_RANK=2 run 0 once now.json; empty err "printed by the program"; [ -f now.2.json ] || fail "no now.2.json"
run nonsense once; grep -q "PORTABLE_PROFILE='nonsense' is invalid (0, 1, user, all, file=NAME or json=NAME is wanted, with commas between); using 0" err || { fail "nonsense"; cat err; }
run json= once; grep -q "PORTABLE_PROFILE='json=' is invalid" err || fail "json="
run no,1 once; grep -q "is invalid" err || fail "no,1"
[ $failed = 0 ] && echo "all reports as they should be"
exit $failed
