#!/bin/bash
# run_ranks.sh MPIRUN PROGRAM RANKS: that many ranks on this node, whatever its processors are, with small pools: memory and threads of a rank stay
# small, huge pages are those of pools that use them, and a warning comes once. With little memory, 32 ranks. Not in this file: the program (ranks.c).
set -u
mpirun=$1 program=$2 ranks=$3
. "$(dirname "$0")/options.sh"
unset PORTABLE_NUM_THREADS OMP_NUM_THREADS
available=$(awk '/^MemAvailable/ {print int($2 / 1024)}' /proc/meminfo)
[ "$available" -ge $((ranks * 60)) ] || ranks=32
export GATOR_INITIAL_MB=1 GATOR_GROW_MB=1 PORTABLE_MPI_DEVICE=nonsense
limit=280
output=$(launch "$ranks" none "$program" 2>&1) || fail "$ranks ranks: ended with $?"
[ "$(grep -c "warning: PORTABLE_MPI_DEVICE='nonsense'" <<<"$output")" = 1 ] || fail "not one warning for the node"
# most NAME: the largest number of a rank
most() { sed -n "s/^$ranks ranks: $1.*most \([0-9-]*\)\$/\1/p" <<<"$output"; }
for name in 'start, us' 'first launch, us' 'resident, KiB' 'of it private' 'private with' 'huge pages' threads 'pool, KiB'; do
  [ -n "$(most "$name")" ] || fail "no line '$name'"
done
[ "$(most 'of it private')" -lt 4096 ] || fail "the library takes $(most 'of it private') KiB of a rank"
[ "$(most 'threads')" -le 24 ] || fail "a rank has $(most 'threads') threads"
grep "^$ranks ranks" <<<"$output"
# Threads that the machine does not give: one warning for the node, too.
unset PORTABLE_MPI_DEVICE
output=$(PORTABLE_NUM_THREADS=6 PORTABLE_STACKSIZE=1GB launch 3 none bash -c 'ulimit -v 3000000; exec "$0"' "$program" 2>&1) || fail "3 ranks without addresses: ended with $?"
[ "$(grep -c 'warning: of 6 threads for launches only' <<<"$output")" = 1 ] || fail "not one warning of threads for the node"
