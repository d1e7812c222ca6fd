#!/bin/bash
# measure.sh BUILD: steps.f90 without and with portable::allocate, alternating in one run; the best
# of five of each. BUILD holds libportable.a and libportable_allocate.a. FC chooses the compiler.
# Not in this file: other allocators (../pool).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
wrap=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=malloc_usable_size,-u,__wrap_malloc,--wrap=_Znwm,--wrap=_Znam,--wrap=_ZnwmRKSt9nothrow_t,--wrap=_ZnamRKSt9nothrow_t
"${FC:-gfortran}" -O2 "$here/steps.f90" -o plain
"${FC:-gfortran}" -O2 "$here/steps.f90" -o served $wrap "$build/libportable_allocate.a" "$build/libportable.a" -lpthread
for _ in 1 2 3 4 5; do
  ./plain >>plain.txt
  ./served >>served.txt
  GLIBC_TUNABLES=glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=4294967296 ./plain >>tuned.txt
done
best() { awk '!($1 in t) || $2 < t[$1] {t[$1] = $2} END {for (s in t) print s, t[s]}' "$1" | sort -n; }
echo "microseconds for a call with three automatic arrays, written and read"
printf '%12s %12s %12s %12s %10s %10s\n' "bytes each" glibc "glibc tuned" portable "x glibc" "x tuned"
paste <(best plain.txt) <(best tuned.txt) <(best served.txt) |
  awk '{printf "%12d %12.1f %12.1f %12.1f %10.1f %10.2f\n", $1, $2, $4, $6, $2 / $6, $4 / $6}'
