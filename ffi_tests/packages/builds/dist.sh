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
# The tarball for aarch64: programs in C and Fortran by cross compilers, by each way to link, run by qemu-user.
other=$(echo portable-*-linux-aarch64)
if [ -d "$other" ] && command -v aarch64-linux-gnu-gcc >/dev/null; then
  other=$work/$other
  emulator=()
  for program in qemu-aarch64 qemu-aarch64-static; do
    if [ ${#emulator[@]} = 0 ] && command -v $program >/dev/null; then emulator=($program -L /usr/aarch64-linux-gnu); fi
  done
  [ ${#emulator[@]} != 0 ] || echo "aarch64: programs are linked and not run: qemu-aarch64 is not installed (scripts/setup aarch64)"
  # for_aarch64 FILE: a program, or an archive, all of whose members must be.
  for_aarch64() { [ "$(aarch64-linux-gnu-readelf -h "$1" | sed -n 's/^ *Machine: *//p' | sort -u)" = AArch64 ] || fail "$1 is for another processor"; }
  for file in bin/yaklcheck bin/portablef lib/libportable.a; do for_aarch64 "$other/$file"; done
  # other_runs PROGRAM
  other_runs() {
    for_aarch64 "$1"
    if [ ${#emulator[@]} != 0 ]; then run "${emulator[@]}" "$1"; fi
  }
  printf '#include <portable.h>\nint main(void) { void *p; return portable_init(NULL) || portable_alloc(1000, "x", &p) || portable_free(p) || portable_finalize(); }\n' >program.c
  printf 'program p\nuse gator_mod\nreal(8), pointer :: a(:)\ncall gator_init()\ncall gator_allocate(a, [1000], label=\"a\")\na = 1\nif (sum(a) /= 1000) error stop 1\ncall gator_deallocate(a)\ncall gator_finalize()\nend program\n' >program.f90
  # shellcheck disable=SC2046 # flags are words
  run aarch64-linux-gnu-gcc program.c -o by_config $("$other/bin/portable-config" --cflags --libs)
  other_runs ./by_config
  if command -v pkg-config >/dev/null; then
    # shellcheck disable=SC2046
    run aarch64-linux-gnu-gcc program.c -o by_pkg_config $(PKG_CONFIG_LIBDIR=$other/lib/pkgconfig pkg-config --cflags --libs portable)
    other_runs ./by_pkg_config
  fi
  if command -v aarch64-linux-gnu-gfortran >/dev/null && command -v aarch64-linux-gnu-g++ >/dev/null; then
    run "$other/bin/portable-config" --build-modules --fc aarch64-linux-gnu-gfortran other_modules
    # shellcheck disable=SC2046
    run aarch64-linux-gnu-gfortran $("$other/bin/portable-config" --modules other_modules --fcflags) program.f90 -o fortran_by_config \
      $("$other/bin/portable-config" --modules other_modules --flibs)
    other_runs ./fortran_by_config
    mkdir project
    printf 'cmake_minimum_required(VERSION 3.16)\nproject(other C Fortran)\nfind_package(portable REQUIRED COMPONENTS Fortran)\nadd_executable(in_c ../program.c)\ntarget_link_libraries(in_c portable::portable)\nadd_executable(in_fortran ../program.f90)\ntarget_link_libraries(in_fortran portable::fortran)\n' >project/CMakeLists.txt
    run "$CMAKE" -S project -B project/build "-DCMAKE_TOOLCHAIN_FILE=$source/cmake/aarch64-linux-gnu.cmake" "-Dportable_DIR=$other/lib/cmake/portable"
    run "$CMAKE" --build project/build
    for program in in_c in_fortran; do other_runs "project/build/$program"; done
  fi
  # Its own commands.
  if [ ${#emulator[@]} != 0 ]; then
    for command in yaklcheck portablef; do run "${emulator[@]}" "$other/bin/$command" --version; done
  fi
  echo "aarch64: ok"
else
  echo "aarch64: left out: there is no tarball for it, or no aarch64-linux-gnu-gcc (scripts/setup aarch64)"
fi
chmod -R u+w "$work"
rm -rf "$work"
