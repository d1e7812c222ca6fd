#!/bin/bash
# link_matrix.sh ARCHIVE HEADERS SOURCE WORK [FLAGS...]: SOURCE with ARCHIVE under the flags that people link with; each
# program must run and end well. A flag that the compiler refuses without us too is left out, with a word.
# Not in this file: -static of Fortran (CMakeLists.txt).
set -u
archive=$1 headers=$2 source=$3 work=$4 support=$(cd "$(dirname "$0")/../../support" && pwd)
shift 4
mkdir -p "$work"
echo 'int main(void) { return 0; }' >"$work/empty.c"
least=1
[ $# -gt 0 ] || { least=6; set -- "" "-no-pie" "-static-pie" "-static-libgcc" "-O2 -flto" "-O2 -flto -fwhole-program" "-Wl,--gc-sections" \
  "-fuse-ld=gold" "-fuse-ld=lld" "-Wl,-z,now -Wl,-z,relro" "-Wl,--as-needed" "-mcmodel=medium" "-rdynamic" \
  "-fsanitize=address" "-fsanitize=undefined" "-fsanitize=thread" "-pg" "-fstack-protector-all -D_FORTIFY_SOURCE=2 -O2" "-m64 -march=native -O3"; }
tried=0 failed=0
for flags; do
  # shellcheck disable=SC2086
  if ! "${CC:-cc}" $flags -o "$work/empty" "$work/empty.c" 2>/dev/null || ! "$work/empty"; then
    echo "'$flags': not with this compiler"
    continue
  fi
  tried=$((tried + 1))
  # shellcheck disable=SC2086
  if ! "${CC:-cc}" -g $flags -I"$headers" -I"$support" -o "$work/program" "$source" "$archive" -lpthread -lm 2>"$work/log"; then
    echo "FAILED: '$flags' does not link"; head -5 "$work/log"; failed=$((failed + 1))
  elif ! (cd "$work" && timeout 100 ./program) >"$work/log" 2>&1; then
    echo "FAILED: '$flags' does not run"; head -20 "$work/log"; failed=$((failed + 1))
  fi
done
echo "$tried ways to link, $failed failed"
[ "$tried" -ge $least ] && [ $failed = 0 ]
