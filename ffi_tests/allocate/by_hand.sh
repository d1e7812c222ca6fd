#!/bin/bash
# by_hand.sh COMPILER SOURCE LIBRARIES WORK: links the programs beside it without CMake, as docs/allocate.md says, with
# the flags that change what a link is, and compares. Not in this file: flags that only change code.
set -u
here=$(cd "$(dirname "$0")" && pwd)
fc=$1 include=$2/capi/include libraries=$3 work=$4
rm -rf "$work"; mkdir -p "$work"; cd "$work" || exit 1
gcc -c "$here/look.c" -o plain_look.o && gcc -DWITH_POOL -I"$include" -c "$here/look.c" -o look.o || exit 1
wrap=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=malloc_usable_size,-u,__wrap_malloc
failed=0
for flags in "-O0 -g" "-O2 -fPIE -pie" "-O2 -no-pie" "-O2 -flto" "-O2 -static-libgfortran" "-O2 -static" "-O2 -Wl,--gc-sections" \
    "-O2 -fcheck=all -ffpe-trap=invalid,zero,overflow" "-O2 -fuse-ld=gold"; do
  # The program that it is compared with is never static: gfortran's own static programs with threads may crash.
  plain=${flags% -static}
  for program in features threads; do
    # shellcheck disable=SC2086
    if "$fc" -fopenmp $plain "$here/$program.f90" plain_look.o -o plain 2>log &&
      "$fc" -fopenmp $flags "$here/$program.f90" look.o -o served $wrap \
        "$libraries/libportable_allocate.a" "$libraries/libportable.a" -lpthread 2>>log; then
      echo -n "$program $flags: "
      "$here/compare.sh" ./plain ./served || failed=1
    elif [[ $flags == *gold* ]] && grep -q "cannot find 'ld'" log; then
      echo "no gold here"
    else
      cat log; failed=1
    fi
  done
done
exit $failed
