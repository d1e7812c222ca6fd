# options.sh - sourced: the options of each launcher. In this file: launch and its options. Not in this file: any test.
#
# launch RANKS BINDING COMMAND...: BINDING is core or none. $mpirun is the launcher. As root, and with more ranks than cores.
# Gives the command's status; ends the test as skipped where the launcher cannot run here at all.

fail() { echo "FAILED: $*"; echo "${output:-}" | head -60; exit 1; }

if "$mpirun" --version 2>&1 | grep -qi 'open.\?mpi\|open-rte'; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  launch() {
    local ranks=$1 binding=$2
    shift 2
    local options=(-n "$ranks" --oversubscribe --bind-to "$binding")
    # more ranks than cores cannot have a core each
    [ "$binding" = core ] && options+=(--bind-to core:overload-allowed)
    timeout "${limit:-100}" "$mpirun" "${options[@]}" "$@" </dev/null
  }
else # MPICH and its relatives
  launch() {
    local ranks=$1 binding=$2
    shift 2
    timeout "${limit:-100}" "$mpirun" -n "$ranks" -bind-to "$binding" "$@" </dev/null
  }
fi
why=$(launch 2 none true 2>&1) || { echo "skipped: $mpirun does not run here: $why" | head -5; exit 77; }
