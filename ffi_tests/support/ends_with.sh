#!/bin/sh
# ends_with.sh CODE COMMAND... - runs the command and succeeds if it ends with that code.
want=$1
shift
"$@"
got=$?
[ "$got" -eq "$want" ] || { echo "ended with $got instead of $want: $*" >&2; exit 1; }
