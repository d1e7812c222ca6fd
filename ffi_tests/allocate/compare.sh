#!/bin/bash
# compare.sh PLAIN SERVED: the same program without and with portable::allocate prints the same, to the last bit,
# and nothing on standard error.
set -u
want=$("$1" 2>&1) || { echo "FAILED: $1 says: $want"; exit 1; }
got=$("$2" 2>&1) || { echo "FAILED: $2 says: $got"; exit 1; }
[ "$want" = "$got" ] || { echo "FAILED: < without, > with"; diff <(echo "$want") <(echo "$got"); exit 1; }
[ -n "$got" ] || { echo "FAILED: nothing was printed"; exit 1; }
echo "$(wc -l <<<"$got") lines are equal"
