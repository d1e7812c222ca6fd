#!/bin/bash
# size.sh SOURCE ARCHIVE WORK [KB]: how much larger the library makes a program, on the disk and in memory, and that nothing is in the
# archive that only tests call. In this file: the limits, a little above what was measured. Not in this file: what takes the room
# (docs/build/guest.md).
set -euo pipefail
source=$1 archive=$2 work=$3 more=${4:-0} # KB of a part that a default build lacks
: "${CC:=cc}"
rm -rf "$work"; mkdir -p "$work"
cd "$work"
failed=0
# A program without the library has 16 KB.
limit() { # limit WHAT FOUND AT-MOST
  echo "$1: $2 KB, at most $3 KB"
  [ "$2" -le "$3" ] || { echo "FAILED: $1"; failed=1; }
}
# The least of forty runs. Pages of the program's file are mapped as the system's cache has them, so the resident size depends on the
# machine (5 to 6.9 MB with one archive); the memory that is no page of a file does not. On one core, because Go starts more threads on
# more cores and when they are busy: 1168 KB with other tests at the same time and without, where two cores have 1220 to 1320 KB.
core=$(taskset -cp $$ 2>log | sed 's/.*: \([0-9]*\).*/\1/') || core=
least() { for _ in {1..40}; do ${core:+taskset -c "$core"} "./$1"; done | cut -d' ' -f"$2" | sort -n | head -1; }

"$CC" -O1 -Wall -Wextra -Werror -DPLAIN "$source/ffi_tests/packages/builds/size.c" -o plain
"$CC" -O1 -Wall -Wextra -Werror "-I$source/capi/include/c" "$source/ffi_tests/packages/builds/size.c" "$archive" -o program -lpthread -ldl -lm
strip -o stripped program
limit "a program" $(($(stat -c %s program) / 1024)) $((6290 + more))
limit "a stripped program" $(($(stat -c %s stripped) / 1024)) $((5250 + more))
./program >log
if [ -s log ]; then
  limit "memory of an idle library" $(($(least program 1) - $(least plain 1))) $((7000 + more))
  # The order of symbols decides which share a page: a new one moves this figure by up to 40 KB.
  limit "memory of an idle library, without pages of files" $(($(least program 2) - $(least plain 2))) 1300
else echo "skipped: the system has no figures of resident memory"; fi

# Files of Go with C in them leave their names in the archive.
nm -a "$archive" 2>log | sed -n 's/.* a \(.*\)\.cgo2\.c$/\1/p' | sort >files
grep -q '^api$' files || { echo "FAILED: the archive names none of its files"; failed=1; }
if grep doors files; then echo "FAILED: doors for tests are in the archive"; failed=1; fi
cd /
rm -rf "$work"
exit $failed
