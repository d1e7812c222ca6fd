#!/bin/bash
# by_hand.sh COMPILER SOURCE LIBRARIES WORK SUPPRESSIONS: links the programs next to it without CMake, as docs/start/allocate.md says, with
# the flags that change what a link is, and compares; then the links and tools with which nothing may be served.
# Not in this file: flags that only change code.
set -u
here=$(cd "$(dirname "$0")" && pwd)
fc=$1 include=$2/capi/include/c libraries=$3 work=$4
rm -rf "$work"; mkdir -p "$work"; cd "$work" || exit 1
gcc -c "$here/look.c" -o plain_look.o && gcc -DWITH_POOL -I"$include" -c "$here/look.c" -o look.o || exit 1
wrap=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=malloc_usable_size,-u,__wrap_malloc,--wrap=_Znwm,--wrap=_Znam,--wrap=_ZnwmRKSt9nothrow_t,--wrap=_ZnamRKSt9nothrow_t
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

# others.c in every way of the documents' "Where it does not work": it works, unserved, with one line that says so.
archives=("$libraries/libportable_allocate.a" "$libraries/libportable.a" -lpthread -ldl -lm)
c() { gcc -g -gdwarf-4 -O1 -fno-builtin -I"$include" "$here/others.c" "$@" 2>log || { cat log; failed=1; }; }
c -DHELPER -shared -fPIC -o libhelper.so
helper=(-L. -lhelper "-Wl,-rpath,$PWD")
# seen NAME WANTED WARNINGS COMMAND...: what it says, and how often it warns
seen() {
  local name=$1 wanted=$2 warnings=$3 said status=0
  shift 3
  said=$(timeout 60 "$@" 2>warned) || status=$?
  if [ "$status" != 0 ] || [ "$said" != "$wanted" ] || [ "$(grep -c 'portable::allocate serves nothing' warned)" != "$warnings" ] ||
    [ "$(grep -c . warned)" != "$warnings" ]; then
    echo "FAILED: $name: status $status, said '$said':"; cat warned; failed=1
  else
    echo "$name: $said"
  fi
}
c -o others $wrap "${archives[@]}" "${helper[@]}"
seen "a helping library" served 0 ./others
seen "GATOR_DISABLE" "not served" 0 env GATOR_DISABLE=1 ./others
seen "LD_DYNAMIC_WEAK" "not served" 1 env LD_DYNAMIC_WEAK=1 ./others
c -o excluded $wrap -Wl,--exclude-libs,ALL "${archives[@]}" "${helper[@]}"
seen "--exclude-libs" "not served" 1 ./excluded
echo '{ global: main; local: *; };' >script
c -o scripted $wrap -Wl,--version-script=script "${archives[@]}" "${helper[@]}"
seen "a version script" "not served" 1 ./scripted
c -DOWN_FREE -o own $wrap "${archives[@]}" "${helper[@]}"
seen "another free" "not served" 1 ./own
seen "another free, the first rank of a node" "not served" 1 env OMPI_COMM_WORLD_RANK=4 OMPI_COMM_WORLD_LOCAL_RANK=0 ./own
seen "another free, the second rank of a node" "not served" 0 env OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_LOCAL_RANK=1 ./own
c -DOPENED -shared -fPIC -o libopened.so $wrap "${archives[@]}" "${helper[@]}"
c -DOPENER -o opener -ldl
seen "dlopen" "not served" 1 ./opener ./libopened.so
if command -v valgrind >/dev/null; then
  # its own messages about Go's parts go into a file
  seen "valgrind" "not served" 0 valgrind -q --error-exitcode=9 --leak-check=full --log-file=valgrind.log \
    "--suppressions=$5" ./others
  if grep -E '^==[0-9]+==' valgrind.log; then echo "FAILED: valgrind found something"; failed=1; fi
fi
if gcc -fsanitize=address -x c - -o sanitized <<<'int main(void) { return 0; }' 2>/dev/null; then
  c -fsanitize=address -o sanitized $wrap "${archives[@]}" "${helper[@]}"
  seen "AddressSanitizer" "not served" 0 ./sanitized
fi
exit $failed
