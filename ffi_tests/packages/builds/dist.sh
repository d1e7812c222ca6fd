#!/bin/bash
# dist.sh SOURCE WORK: makes the tarballs, unpacks both, and builds users' programs with each: the source tarball
# without network and without HOME, the binary one without Go. In this file: what is asked of the tarballs. Not
# in this file: their making (scripts/dist), the programs (../consumer).
set -euo pipefail
source=$1 work=$2
: "${CMAKE:=cmake}" "${CC:=cc}" "${FC:=gfortran}"
rm -rf "$work"; mkdir -p "$work"
cd "$work"
fail() { echo "FAILED: $*"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }

run "$source/scripts/dist" "$work/first"
for file in first/*.tar.gz; do tar xzf "$file"; done
(cd first && sha256sum -c --quiet ./*.sha256)
binary=$(echo portable-*-linux-"$(uname -m)") tree=${binary%%-linux-*}
# From the unpacked sources, elsewhere, come the same bytes, of the archive too.
run "$tree/scripts/dist" "$work/second"
for file in first/*.tar.gz; do cmp "$file" "second/${file##*/}" || fail "${file##*/} is not the same twice"; done
[ -d "$tree/vendor" ] && [ -f "$tree/docs/start/loops.md" ] && [ -f "$binary/share/doc/portable/LICENSE-go" ] || fail "not what was expected: $(ls)"
[ -z "$(find "$tree" -name .git; ls -d "$tree"/build "$tree"/out 2>/dev/null)" ] || fail "the source tarball holds what was built"
ls -l first/*.gz

isolated=(env -i "PATH=$PATH" GOPROXY=off GOFLAGS=-mod=vendor "CC=$CC" "FC=$FC")
# A network namespace of our own has no network at all; where that is not allowed GOPROXY=off must do.
if unshare -n true 2>/dev/null; then isolated=(unshare -n "${isolated[@]}"); fi
run "${isolated[@]}" "$CMAKE" -S "$tree" -B build -DPORTABLE_BUILD_TESTS=OFF -DPORTABLE_BUILD_EXAMPLES=OFF
# The tarball carries what internal/gen writes.
[ -e "$tree/gen/stub/portable_stub.F90" ] && [ ! -e build/gen ] || fail "the generator ran for the source tarball"
run "${isolated[@]}" "$CMAKE" --build build --parallel 2
run "${isolated[@]}" "$CMAKE" --install build --prefix "$work/from source"
# The vendored modules are enough for Go's own tests.
run "${isolated[@]}" "GOCACHE=$work/build/archive/go-cache" go -C "$tree" vet ./...

# The way without Go: nothing named go is in PATH.
mkdir bin
for folder in ${PATH//:/ }; do
  [ -d "$folder" ] || continue
  for tool in "$folder"/*; do
    case ${tool##*/} in go | gofmt) ;; *) [ -e "bin/${tool##*/}" ] || ln -s "$tool" bin/ ;; esac
  done
done
without_go=(env -i "PATH=$work/bin" GOPROXY=off "CC=$CC" "FC=$FC" "CMAKE=$CMAKE" "BUILDS_SOURCE=$work/$tree"
  "CONSUMER_SOURCE=$work/$tree" WITHOUT_MORE=ON)
if "${without_go[@]}" bash -c 'command -v go'; then fail "there is still a go"; fi
mv "$binary" "unpacked binary"
for prefix in "from source" "unpacked binary"; do
  for command in yaklcheck portablef; do "$prefix/bin/$command" --version >log || fail "$command is not in $prefix"; done
  way=${prefix// /_}
  run "${without_go[@]}" "CONSUMER_PREFIX=$work/$prefix" "CONSUMER_WORK=$work/$way" \
    bash "$tree/ffi_tests/packages/consumer/run.sh" fortran_only find_package "Unix Makefiles"
  run "${without_go[@]}" "BUILDS_PREFIX=$work/$prefix" "BUILDS_WORK=$work/$way" \
    bash "$tree/ffi_tests/packages/builds/run.sh" makefile
  # The source tool, and what CMake needs for it.
  [ "$way" = from_source ] ||
    run "${without_go[@]}" "CONSUMER_PREFIX=$work/$prefix" "CONSUMER_WORK=$work/$way" \
      bash "$tree/ffi_tests/packages/consumer/run.sh" loops find_package "Unix Makefiles"
  echo "$prefix: ok"
done
# The tarball for aarch64, by a cross compiler without CMake, and by qemu-user.
other=$(echo portable-*-linux-aarch64)
if [ -d "$other" ] && command -v aarch64-linux-gnu-gcc >/dev/null; then
  for file in bin/yaklcheck bin/portablef lib/libportable.a; do
    aarch64-linux-gnu-readelf -h "$other/$file" | grep -q 'Machine: *AArch64' || fail "$file of the tarball for aarch64 is for another processor"
  done
  printf '#include <portable.h>\nint main(void) { void *p; return portable_alloc(1000, "x", &p) || portable_free(p) || portable_finalize(); }\n' >program.c
  # shellcheck disable=SC2046 # flags are words
  run aarch64-linux-gnu-gcc program.c -o program $("$other/bin/portable-config" --cflags --libs)
  if command -v qemu-aarch64 >/dev/null; then run qemu-aarch64 -L /usr/aarch64-linux-gnu ./program; fi
  echo "aarch64: ok"
fi
chmod -R u+w "$work"
rm -rf "$work"
