#!/bin/bash
# run.sh PROJECT HOW GENERATOR: builds one user's project against Portable and runs what came out.
# In this file: the ways, and what must be seen. Not in this file: the projects (folders next to it).
#
# PROJECT  c_only cxx_only fortran_only allocate mixed openmp openmp_c hdf5 other_runtime loops yakl export rebuild refusals no_home
# HOW      find_package add_subdirectory FetchContent
# Environment: CONSUMER_PREFIX (an installed prefix, moved after the install), CONSUMER_SOURCE (the source
# tree), CONSUMER_WORK (a folder to build in), and CMAKE, CC, CXX, FC as ctest sets them. WITHOUT_MORE=ON
# leaves out gator_more_mod, which takes a while to compile.
set -euo pipefail
project=$1 how=$2 generator=$3
here=$(cd "$(dirname "$0")" && pwd)
: "${CONSUMER_PREFIX:?}" "${CONSUMER_SOURCE:?}" "${CONSUMER_WORK:?}" "${CMAKE:=cmake}"
work=$CONSUMER_WORK/$project-$how-${generator// /_}
rm -rf "$work"; mkdir -p "$work"

fail() { echo "FAILED: $*"; exit 1; }

# run COMMAND...: quiet when it works, everything when it does not.
run() {
  "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }
}

# configure SOURCE BUILD [-D...]: as a user would, with the way in as a parameter.
configure() {
  local source=$1 build=$2; shift 2
  run "$CMAKE" -S "$source" -B "$build" -G "$generator" -DHOW="$how" -DPORTABLE_SOURCE="$CONSUMER_SOURCE" \
    -DWITHOUT_MORE="${WITHOUT_MORE:-OFF}" -DCMAKE_PREFIX_PATH="$CONSUMER_PREFIX" "$@"
}

# More jobs than cores: the order must come from dependencies and not from luck.
build() { run "$CMAKE" --build "$1" --parallel 8; }

expect() { # expect TEXT PROGRAM
  local said
  # Standard error too: a program that does nothing wrong hears nothing from the library.
  said=$("$2" 2>&1) || fail "$2 returned $?: $said"
  [ "$said" = "$1" ] || fail "$2 printed '$said'"
}

simple() {
  configure "$here/$project" "$work/build"
  build "$work/build"
  expect "program works" "$work/build/program"
  [ ! -x "$work/build/turned" ] || expect "program works" "$work/build/turned"
  [ ! -x "$work/build/second" ] || expect "second works" "$work/build/second"
}

# A library of the user's is installed with his own install(EXPORT); a third project uses it.
export_() {
  local prefix=$work/prefix
  if [ "$how" = find_package ]; then cp -r "$CONSUMER_PREFIX" "$prefix"; CONSUMER_PREFIX=$prefix; fi
  configure "$here/library" "$work/library"
  build "$work/library"
  # With add_subdirectory this installs Portable too, into the same prefix.
  run "$CMAKE" --install "$work/library" --prefix "$prefix"
  rm -rf "$work/library"
  mv "$prefix" "$work/moved"
  run "$CMAKE" -S "$here/application" -B "$work/application" -G "$generator" -DCMAKE_PREFIX_PATH="$work/moved"
  build "$work/application"
  expect "program works" "$work/application/program"
}

newer() { [ "$1" -nt "$2" ] || fail "$1 is not newer than $2: $3"; }
# The library of the modules that was built last; a change of the sources gives it another folder.
last_library() { find "$1/portable_fortran" -name libportable_fortran.a -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2-; }
only() { [ "$(wc -w <<<"$1")" = 1 ] || fail "not one file: $1"; echo "$1"; }

# The modules are compiled again when flags or sources change, and the user's files with them.
rebuild() {
  WITHOUT_MORE=ON
  local prefix=$work/prefix b=$work/build object library
  cp -r "$CONSUMER_PREFIX" "$prefix"; CONSUMER_PREFIX=$prefix
  configure "$here/fortran_only" "$b"
  build "$b"
  object=$(only "$(find "$b/CMakeFiles/program.dir" -name 'program.f90.o')")
  library=$(only "$(find "$b/portable_fortran" -name libportable_fortran.a)")

  touch "$work/stamp"; sleep 1.1
  build "$b"
  newer "$work/stamp" "$library" "compiled again with nothing changed"
  newer "$work/stamp" "$object" "compiled again with nothing changed"

  configure "$here/fortran_only" "$b" -DCMAKE_Fortran_FLAGS=-fdefault-real-8
  build "$b"
  newer "$library" "$work/stamp" "CMAKE_Fortran_FLAGS changed"
  expect "program works" "$b/program"

  for file in gator_mod.F90 gator_procedures.inc; do
    touch "$work/stamp"; sleep 1.1
    echo "! one more line" >>"$prefix/share/portable/$file"
    build "$b"
    library=$(last_library "$b")
    newer "$library" "$work/stamp" "$file changed"
    newer "$object" "$work/stamp" "$file changed"
    expect "program works" "$b/program"
  done

  # Flags that are not in CMAKE_Fortran_FLAGS, handed to portable_fortran_modules.
  touch "$work/stamp"; sleep 1.1
  configure "$here/fortran_only" "$b" -DEXTRA_FLAGS=-fdefault-integer-8
  build "$b"
  library=$(last_library "$b")
  newer "$library" "$work/stamp" "portable_fortran_modules(FLAGS) changed"
  expect "program works" "$b/program"

  # Another compiler in the same build tree.
  local other
  other=$(command -v gfortran-11 || true)
  if [ -n "$other" ]; then
    # CMake forgets every -D when the compiler changes and may stop for that; the second time it has them.
    "$CMAKE" -S "$here/fortran_only" -B "$b" -DCMAKE_Fortran_COMPILER="$other" >/dev/null 2>&1 || true
    configure "$here/fortran_only" "$b"
    grep -q "CMAKE_Fortran_COMPILER:.*=$other\$" "$b/CMakeCache.txt" || fail "the compiler did not change"
    build "$b"
    expect "program works" "$b/program"
  else
    echo "no gfortran-11: the change of compiler is not tested"
  fi
}

# The loops of three targets are converted; nothing is compiled again without need; an error names the line.
loops() {
  local b=$work/build project=$work/project file threads
  cp -r "$here/loops" "$project"
  cp "$here/get_portable.cmake" "$work"
  configure "$project" "$b"
  build "$b"
  for threads in 1 2 3; do PORTABLE_NUM_THREADS=$threads expect "program works" "$b/program"; done
  for file in grid/portable_loops/grid/grid portable_loops/solver/solver portable_loops/old/old portable_loops/program/sizes portable_loops/program/twice; do
    grep -q portable_parallel "$b/$file.pf.F90" || fail "$b/$file.pf.F90 launches nothing"
  done
  if [ -e "$b/portable_loops/program/program.pf.F90" ]; then fail "a source was converted that FILES does not name"; fi

  objects() { find "$b" -name '*.o' -path '*.dir/*' ! -path '*portable_fortran*' -newer "$work/stamp" -printf '%f\n' | sort | tr '\n' ' '; }
  touch "$work/stamp"; sleep 1.1
  build "$b"
  [ -z "$(objects)" ] || fail "compiled again with nothing changed: $(objects)"
  # The text of one source changes, and no name in it.
  sed -i 's|/4$|*0.25_wp|' "$project/solver.f90"
  build "$b"
  [ "$(objects)" = "solver.pf.F90.o " ] || fail "a line of solver.f90 changed, compiled again: $(objects)"
  expect "program works" "$b/program"
  # An included file counts, and for the source that includes it alone.
  touch "$work/stamp"; sleep 1.1
  echo 'C     a comment' >>"$project/include/sizes.inc"
  build "$b"
  [ "$(objects)" = "old.pf.F90.o " ] || fail "sizes.inc changed, compiled again: $(objects)"
  # A module counts for the sources that use it, also in other targets.
  touch "$work/stamp"; sleep 1.1
  sed -i 's/nx = [0-9]*/nx = 30/' "$project/grid/grid.f90"
  build "$b"
  [ "$(objects)" = "grid.pf.F90.o program.f90.o solver.pf.F90.o " ] || fail "grid_mod changed, compiled again: $(objects)"
  PORTABLE_NUM_THREADS=3 expect "program works" "$b/program"
  # So do flags of one source.
  sed -i 's/EXTENT=17/EXTENT=16/' "$project/CMakeLists.txt"
  build "$b"
  if "$b/program" >/dev/null 2>&1; then fail "EXTENT changed, and sizes.F90 was not converted again"; fi
  sed -i 's/EXTENT=16/EXTENT=17/' "$project/CMakeLists.txt"

  run "$CMAKE" "$b" -DBROKEN=ON
  if "$CMAKE" --build "$b" >"$work/log" 2>&1; then fail "a loop that cannot be parallel was built"; fi
  grep -q "broken.f90:7:5: error: cannot run this loop in parallel: 'x' has distance 1 in loop i" "$work/log" || { cat "$work/log"; fail "no error"; }
  run "$CMAKE" "$b" -DBROKEN=OFF

  # A cross build wants a tool for the machine that builds.
  [ "$how" != find_package ] || {
    configure "$project" "$work/cross" -DCMAKE_SYSTEM_NAME=Linux "-DPORTABLE_PORTABLEF=$CONSUMER_PREFIX/bin/portablef"
    rm -rf "$work/cross"
    if PATH=/usr/bin:/bin "$CMAKE" -S "$project" -B "$work/cross" -G "$generator" -DHOW="$how" -DCMAKE_SYSTEM_NAME=Linux \
        -DCMAKE_PREFIX_PATH="$CONSUMER_PREFIX" >"$work/log" 2>&1; then fail "a cross build took the target's tool"; fi
    tr -s ' \n' ' ' <"$work/log" | grep -qF 'this is a cross build, and PATH has no portablef' || { cat "$work/log"; fail "no reason"; }
  }

  # The original sources again, in the same folder.
  find "$b" -type d -name portable_loops -prune -exec rm -rf {} +
  touch "$work/stamp"; sleep 1.1
  run "$CMAKE" "$b" -DPORTABLE_LOOPS=OFF
  build "$b"
  [ "$(objects)" = "grid.f90.o old.f.o program.f90.o sizes.F90.o solver.f90.o twice.f90.o " ] || fail "PORTABLE_LOOPS=OFF compiled $(objects)"
  expect "program works" "$b/program"
  if find "$b" -name '*.pf.F90' | grep -q .; then fail "PORTABLE_LOOPS=OFF converted something"; fi
}

# A project that names YAKL alone, with each setting of YAKL's that it may have: installed, as a folder of the prefix, and as one of the source tree.
yakl() {
  local b=$work/build home=()
  if [ "$how" = add_subdirectory ]; then home=("-DYAKL_HOME=$CONSUMER_SOURCE/packaging/yakl"); fi
  try() { # try WANTED [-D...]
    local wanted=$1; shift
    configure "$here/yakl" "$b" -DYAKL_ARCH= -DYAKL_DEBUG=OFF -DYAKL_HAVE_MPI=OFF -DYAKL_TARGET_SUFFIX= "${home[@]}" "$@"
    build "$b"
    expect "program works: $wanted" "$b/program"
    expect "second works" "$b/second"
    expect "third works" "$b/third"
  }
  try "serial"
  [ "$(cat "$b/flags.txt")" = "-O1 -DMODEL_FLAG=serial" ] || fail "YAKL_COMPILER_FLAGS is '$(cat "$b/flags.txt")'"
  try "openmp YAKL_ARCH_OPENMP YAKL_DEBUG" -DYAKL_ARCH=OPENMP -DYAKL_DEBUG=ON
  [ "$how $generator" = "find_package Unix Makefiles" ] || return 0 # the others read the same macros
  ! command -v mpicxx >/dev/null || try "serial HAVE_MPI" -DYAKL_HAVE_MPI=ON
  try "serial YAKL_NS_ours" -DYAKL_TARGET_SUFFIX=ours
  configure "$here/yakl" "$work/cuda" -DYAKL_ARCH=CUDA
  grep -q "YAKL_ARCH=CUDA: kernels of YAKL's run on the host" "$work/log" || fail "nothing is said of YAKL_ARCH=CUDA"
  home=("-DYAKL_HOME=$CONSUMER_PREFIX/share/portable/yakl")
  try "openmp YAKL_ARCH_OPENMP" -DYAKL_ARCH=OPENMP
  refused "YAKL_ARCH='FPGA' is no architecture" 'C CXX' $'set(YAKL_ARCH FPGA)\nfind_package(yakl REQUIRED)'
  refused 'yakl_process_target: there is no target model' 'C CXX' $'find_package(yakl REQUIRED)\nyakl_process_target(model)'
}

# refused TEXT LANGUAGE COMMAND: a project with this command must be refused, with this text.
refused() {
  rm -rf "$work/refused"; mkdir "$work/refused"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' "project(x LANGUAGES $2)" "$3" >"$work/refused/CMakeLists.txt"
  if "$CMAKE" -S "$work/refused" -B "$work/refused/build" -G "$generator" \
      -DCMAKE_PREFIX_PATH="$CONSUMER_PREFIX" >"$work/log" 2>&1; then
    fail "was accepted: $3"
  fi
  # CMake folds long messages, so compare without regard to white space.
  tr -s ' \n' ' ' <"$work/log" | grep -qF "$1" || { cat "$work/log"; fail "did not say: $1"; }
}

refusals() {
  refused 'the component Fortran needs Fortran enabled before find_package' C \
    'find_package(portable REQUIRED COMPONENTS Fortran)'
  refused 'compatible with requested version "0.2"' C 'find_package(portable 0.2 REQUIRED)'
  refused 'compatible with requested version "1.0"' Fortran 'find_package(portable 1.0 REQUIRED)'
  refused 'the component hdf5 needs C enabled before find_package' Fortran 'find_package(portable REQUIRED COMPONENTS hdf5)'
  refused 'the component hdf5 needs an MPI and an HDF5 that was built for it' C $'set(CMAKE_DISABLE_FIND_PACKAGE_HDF5 ON)\nfind_package(portable REQUIRED COMPONENTS hdf5)'
  refused 'there is no component Cobol' C 'find_package(portable REQUIRED COMPONENTS Cobol)'
  refused 'this project has no Fortran' C $'find_package(portable REQUIRED)\nportable_fortran_modules()'
  refused 'this project has no Fortran' C $'find_package(portable REQUIRED)\nportable_openmp(LANGUAGE Fortran)'
  refused 'it takes LANGUAGE C' C $'find_package(portable REQUIRED)\nportable_openmp(LANGUAGE Cobol)'
  refused 'unknown argument -O2' Fortran $'find_package(portable REQUIRED)\nportable_fortran_modules(-O2)'
  [ -x "$CONSUMER_PREFIX/bin/portablef" ] || return 0
  local target=$'find_package(portable REQUIRED)\nadd_library(a STATIC a.f90)\n'
  refused 'there is no target b' Fortran "$target"'portable_fortran_loops(b)'
  refused 'unknown argument ALL; it takes FILES' Fortran "$target"'portable_fortran_loops(a ALL)'
  refused 'these FILES are no Fortran sources of the target' Fortran "$target"'portable_fortran_loops(a FILES b.f90)'
  refused 'there is no portable::fortran; enable Fortran before' C $'find_package(portable REQUIRED)\nadd_library(a STATIC a.c)\nportable_fortran_loops(a)'
}

# Configure, build and install as a distribution's build machine does: no HOME, no network, and a source
# tree that cannot be written (for root it can; that nothing new is there is checked afterwards).
no_home() {
  local isolated=(env -i "PATH=$PATH" "GOPROXY=off" "GOSUMDB=off")
  # A network namespace of our own has no network at all; where that is not allowed GOPROXY=off must do.
  if unshare -n true 2>/dev/null; then isolated=(unshare -n "${isolated[@]}"); fi
  [ -z "${CC:-}" ] || isolated+=("CC=$CC")
  [ -z "${FC:-}" ] || isolated+=("FC=$FC")
  run "${isolated[@]}" "$CMAKE" -S "$CONSUMER_SOURCE" -B "$work/build" -G "$generator" \
    -DPORTABLE_BUILD_TESTS=OFF -DPORTABLE_BUILD_EXAMPLES=OFF
  # No modules can be fetched here, and a checkout has none: the library comes without yaklcheck.
  if [ ! -d "$CONSUMER_SOURCE/vendor" ]; then
    grep -q 'yaklcheck is left out' "$work/log" || fail "nothing is said of yaklcheck"
  fi
  run "${isolated[@]}" "$CMAKE" --build "$work/build" --parallel 2
  run "${isolated[@]}" "$CMAKE" --install "$work/build" --prefix "$work/prefix"
  [ -d "$work/build/archive/go-cache" ] || fail "the Go cache is not in the build tree"
  rm -rf "$work/build"
  CONSUMER_PREFIX=$work/prefix project=c_only how=find_package simple
}

case $project in
  c_only|cxx_only|fortran_only|allocate|mixed|other_runtime) simple ;;
  openmp|openmp_c) export OMP_NUM_THREADS=3; simple ;;
  hdf5) export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; cd "$work"; simple ;;
  export) export_ ;;
  rebuild|refusals|no_home) "$project" ;;
  loops|yakl) "$project" ;;
  *) fail "no project '$project'" ;;
esac
# The build trees are large and of no use after success.
rm -rf "$work"
echo "$project by $how with $generator: ok"
