#!/bin/bash
# run.sh WHAT: one way to build with Portable other than CMake, against an installed prefix that was moved.
# In this file: the ways, and what must be seen. Not in this file: the users' projects (folders next to it, and
# those of ../consumer, whose programs are used here too), CMake (../consumer).
#
# WHAT         questions installed more makefile pkg_config autotools meson loops_makefile loops_meson shared_install shared dlopen rpath selftest selftest_flags
# Environment: BUILDS_PREFIX (a prefix), BUILDS_SOURCE (the source tree), BUILDS_WORK (a folder to work in), CMAKE,
# CC and FC as ctest sets them.
set -euo pipefail
what=$1
: "${BUILDS_PREFIX:?}" "${BUILDS_SOURCE:?}" "${BUILDS_WORK:?}" "${CMAKE:=cmake}" "${CC:=cc}" "${FC:=gfortran}"
export CC FC
here=$BUILDS_SOURCE/ffi_tests/packages/builds consumer=$BUILDS_SOURCE/ffi_tests/packages/consumer
work=$BUILDS_WORK/$what
rm -rf "$work"; mkdir -p "$work"
# A make above us must not tell one below us what to do.
unset MAKEFLAGS MFLAGS MAKELEVEL PKG_CONFIG_PATH LD_LIBRARY_PATH
config=$BUILDS_PREFIX/bin/portable-config
libdir=$("$config" --libdir)

fail() { echo "FAILED: $*"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }
missing() { echo "skipped: there is no $1"; exit 77; }
expect() { # expect TEXT COMMAND...
  local text=$1 said; shift
  said=$("$@" 2>&1) || fail "$* returned $?: $said"
  [ "$said" = "$text" ] || fail "$* printed '$said', not '$text'"
}
both() { expect "program works" "$1/program"; expect "program works" "$1/program_c"; }
# project NAME: a copy of the user's project with the programs of the CMake consumers in it.
project() {
  cp -r "$here/$1" "$work/project"
  cp "$consumer/fortran_only/program.f90" "$consumer/fortran_only/model/model.f90" "$work/project"
  cp "$consumer/c_only/program.c" "$work/project/program_c.c"
  cd "$work/project"
}

questions() {
  expect "$BUILDS_PREFIX" "$config" --prefix
  expect yes "$config" --has-fortran
  expect "$(pkg-config --version >/dev/null 2>&1 && PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --modversion portable ||
    "$config" --version)" "$config" --version
  [ -f "$("$config" --includedir)/portable.h" ] || fail "--includedir"
  local file sources
  basenames() { echo "${@##*/}"; }
  mapfile -t sources < <("$config" --sources)
  expect "gator_mod.F90 portable_reduce_mod.F90 portable_sort_mod.F90 portable_algorithm_mod.F90 portable_solvers_mod.F90 portable_fft_mod.F90 portable_math_mod.F90 portable_random_mod.F90 portable_random_fill_mod.F90 portable_argument_mod.F90 portable_core_mod.F90 portable_list_mod.F90 portable_mod.F90 portable_pool_mod.F90 portable_system_mod.F90 portable_observe_mod.F90" basenames "${sources[@]}"
  sources+=("$("$config" --openmp)" "$("$config" --fopenmp)" "$("$config" --fmpi)" "$("$config" --fhalo)" "$("$config" --fhdf5)" "$("$config" --chdf5)")
  for file in "${sources[@]}"; do [ -f "$file" ] || fail "--sources names $file, which is not there"; done
  [ -f "$("$config" --moddir)/gator_derived.inc" ] || fail "--moddir"
  expect "$work/modules" "$config" --modules "$work/modules" --moddir
  ln -s "$config" "$work/link"
  expect "$BUILDS_PREFIX" "$work/link" --prefix
  ln -s link "$work/second"
  expect "$BUILDS_PREFIX" "$work/second" --prefix
  expect "$BUILDS_PREFIX" env "PATH=$BUILDS_PREFIX/bin:$PATH" portable-config --prefix
  local status
  for wrong in "" --nonsense --build-modules "--build-modules -x a" "--build-modules a b" "--build-modules --fc"; do
    status=0
    # shellcheck disable=SC2086 # words
    (cd "$work" && "$config" $wrong) >/dev/null 2>"$work/log" || status=$?
    [ $status != 0 ] && [ -s "$work/log" ] || fail "portable-config $wrong was accepted, or said nothing"
  done
  # Generated modules that only call C are not optimised, whatever the user's flags say: 10 s for all instead of 20.
  printf '%s\n' '#!/bin/sh' 'echo "$*" >>../calls' 'for last; do :; done' 'touch "$last" "$(basename "$last" .o).mod"' >"$work/fc"
  chmod +x "$work/fc"
  run "$config" --build-modules --fc "$work/fc" --fcflags -O2 --more "$work/levels"
  basenames() { sed -n 's|.*/\(.*\)\.F90 .*|\1|p' | tr '\n' ' '; }
  expect "portable_reduce_mod portable_sort_mod portable_algorithm_mod portable_random_fill_mod portable_argument_mod portable_array_mod gator_more_mod portable_reduce_more_mod portable_componentwise_mod " \
    basenames < <(grep -e '-O2 -O0 ' "$work/levels/calls")
  expect "gator_mod portable_solvers_mod portable_fft_mod portable_math_mod portable_random_mod portable_core_mod portable_list_mod portable_mod portable_pool_mod portable_system_mod portable_observe_mod portable_twin_mod portable_record_mod portable_records_twin_mod portable_fields_mod portable_mesh_mod portable_particles_mod portable_graph_mod portable_blocks_mod portable " basenames < <(grep -v -e -O0 "$work/levels/calls")
  # A compiler that fails leaves nothing behind that make would take for done.
  if "$config" --build-modules --fc false "$work/broken" 2>/dev/null; then fail "a failing compiler was accepted"; fi
  [ -z "$(ls -A "$work/broken")" ] || fail "a failing compiler left $(ls -A "$work/broken")"
  if "$config" --build-modules --fcflags "-J $work" "$work/broken" 2>/dev/null; then fail "-J was accepted"; fi
}

# What `make install` ends with: the commands work as they stand, and the documents are there.
installed() {
  local said line word
  said=$("$BUILDS_SOURCE/scripts/installed" "$BUILDS_PREFIX")
  case $said in *"is in $BUILDS_PREFIX."*) ;; *) fail "it does not say where: $said" ;; esac
  for word in find_package target_link_libraries -DCMAKE_PREFIX_PATH=; do
    case $said in *"$word"*) ;; *) fail "no $word: $said" ;; esac
  done
  cp "$consumer/c_only/program.c" "$work/model.c"
  line=$(sed -n 's/^  \(eval \)\{0,1\}cc /\1"$CC" /p' <<<"$said")
  [ -n "$line" ] || fail "no line for the C compiler: $said"
  (cd "$work" && run eval "$line")
  expect "program works" "$work/model"
  for word in $(grep -o 'docs/[a-z/-]*\.md' <<<"$said"); do
    [ -f "$BUILDS_SOURCE/$word" ] || fail "$word is not there"
  done
}

# The modules that take a while to compile, in a folder with a blank in its name.
more() {
  run "$config" --build-modules --fc "$FC" --fcflags '-O0 -g' --more "$work/two words"
  [ -f "$work/two words/gator_more_mod.mod" ] || fail "--more made no module"
  case $("$config" --modules "$work/two words" --flibs) in
    *two\\\ words/libportable_fortran_more.a*) ;;
    *) fail "--flibs does not name what --more made" ;;
  esac
}

makefile() {
  project makefile
  # A blank in what $(PORTABLE) names has to be escaped for the shell, as any user's would.
  local escaped=${config// /\\ }
  run make -j4 "PORTABLE=$escaped" FFLAGS=-O0 "LDFLAGS=${LDFLAGS:-}"
  both .
  # -static links glibc's archive, where weak references leave out what the runtime of Fortran needs at its end.
  if [ "$("$config" --has-shared)" = no ] && "$FC" --version | grep -q 'GNU Fortran'; then
    rm program program_c
    run make -j4 "PORTABLE=$escaped" FFLAGS=-O0 LDFLAGS=-static
    both .
    if readelf -d program | grep -q NEEDED; then fail "program is not static"; fi
  fi
  # An unchanged program, whose ALLOCATE is served by nothing but flags of the linker.
  # (flang puts automatic arrays on the stack, so whether they are the pool's cannot be asked there.)
  if "$FC" --version | grep -q 'GNU Fortran'; then
    eval "run $FC -O0 \"\$consumer/allocate/model/model.f90\" \"\$consumer/allocate/program.f90\" -o allocate ${LDFLAGS:-} \
      $("$config" --allocate --flibs)"
    expect "program works" ./allocate
  fi
  # The device openmp is one file more, and his own flag; the modules need none.
  if echo 'int main(void) { return 0; }' >team.c && "$CC" -fopenmp team.c -o team >/dev/null 2>&1; then
    eval "run $CC -fopenmp $("$config" --cflags) \"\$consumer/openmp_c/program.c\" \"$("$config" --openmp)\" -o team ${LDFLAGS:-} $("$config" --libs)"
    expect "program works" env OMP_NUM_THREADS=3 ./team
  fi
  if "$FC" --version | grep -q 'GNU Fortran'; then
    eval "run $FC -fopenmp $("$config" --modules modules --fcflags) \"$("$config" --fopenmp)\" \"\$consumer/openmp/physics.f90\" \
      \"\$consumer/openmp/program.f90\" -o team_f ${LDFLAGS:-} $("$config" --modules modules --flibs)"
    expect "program works" env OMP_NUM_THREADS=3 ./team_f
  fi
  touch -d '1 hour' stamp
  run make "PORTABLE=$escaped" FFLAGS=-O0
  [ -z "$(find . -newer stamp)" ] || fail "a second make built something"
  grep -q 'up to date\|Nothing to be done' "$work/log" || fail "a second make did something"
}

pkg_config() {
  command -v pkg-config >/dev/null || missing pkg-config
  project makefile
  export PKG_CONFIG_PATH=$libdir/pkgconfig
  eval "run $CC $(pkg-config --cflags portable) program_c.c -o program_c $(pkg-config --libs portable)"
  # Without portable-config: the module as one more file of the user's own.
  eval "run $FC $(pkg-config --cflags portable-fortran) $(pkg-config --variable=sources portable-fortran) \
    model.f90 program.f90 -o program ${LDFLAGS:-} $(pkg-config --libs portable-fortran)"
  if [ "$("$config" --has-shared)" = yes ]; then export LD_LIBRARY_PATH=$libdir; fi
  both .
}

autotools() {
  command -v autoreconf >/dev/null && command -v automake >/dev/null || missing autotools
  project autotools
  run autoreconf -i
  export PKG_CONFIG_PATH=$libdir/pkgconfig PATH=$BUILDS_PREFIX/bin:$PATH
  mkdir ../build; cd ../build
  run ../project/configure FCFLAGS=-O0
  run make -j4
  both .
  run make install "DESTDIR=$work/stage"
  both "$work/stage/usr/local/bin"
}

meson() {
  command -v meson >/dev/null && command -v ninja >/dev/null || missing "meson and ninja"
  project meson
  export PKG_CONFIG_PATH=$libdir/pkgconfig PATH=$BUILDS_PREFIX/bin:$PATH
  run command meson setup --buildtype=plain ../build
  run ninja -C ../build
  both ../build
}

# The loops of a program on threads: the recipes of docs/start/loops.md.
loops_project() {
  [ -x "$BUILDS_PREFIX/bin/portablef" ] || missing "portablef in the prefix"
  cp -r "$here/$1" "$work/project"
  cp "$consumer/loops/grid/grid.f90" "$consumer/loops/solver.f90" "$work/project"
  cp "$here/loops_program.f90" "$work/project/program.f90"
  cd "$work/project"
}

loops_makefile() {
  loops_project loops_makefile
  local make=(make -j4 "PORTABLE=${config// /\\ }" "PORTABLEF=${BUILDS_PREFIX// /\\ }/bin/portablef" FFLAGS=-O1 "LDFLAGS=${LDFLAGS:-}")
  run "${make[@]}"
  grep -q portable_parallel loops/solver.pf.F90 || fail "nothing was converted"
  PORTABLE_NUM_THREADS=3 expect "program works" ./program
  touch stamp; sleep 1.1
  run "${make[@]}"
  [ -z "$(find . -name '*.o' -newer stamp)" ] || fail "compiled again with nothing changed"
  sed -i 's|/4$|*0.25_wp|' solver.f90
  run "${make[@]}"
  if [ grid.o -nt stamp ] || [ ! solver.o -nt stamp ]; then fail "solver.f90 changed, compiled again: $(find . -name '*.o' -newer stamp | tr '\n' ' ')"; fi
  PORTABLE_NUM_THREADS=3 expect "program works" ./program
}

loops_meson() {
  command -v meson >/dev/null && command -v ninja >/dev/null || missing "meson and ninja"
  loops_project loops_meson
  export PKG_CONFIG_PATH=$libdir/pkgconfig PATH=$BUILDS_PREFIX/bin:$PATH
  run command meson setup --buildtype=plain ../build
  run ninja -C ../build
  PORTABLE_NUM_THREADS=3 expect "program works" ../build/program
  sed -i 's|/4$|*0.25_wp|' solver.f90
  run ninja -C ../build
  grep -q '0.25_wp' ../build/solver.pf.F90 || fail "solver.f90 changed, and was not converted again"
  PORTABLE_NUM_THREADS=3 expect "program works" ../build/program
}

# Another build tree with BUILD_SHARED_LIBS=ON is installed and moved to BUILDS_PREFIX/../shared prefix.
shared_install() {
  local moved=$BUILDS_WORK/shared_prefix library extra
  run "$CMAKE" -S "$BUILDS_SOURCE" -B "$work/build" -DBUILD_SHARED_LIBS=ON -DPORTABLE_BUILD_TESTS=OFF \
    -DPORTABLE_BUILD_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=Release
  run "$CMAKE" --build "$work/build"
  run "$CMAKE" --install "$work/build" --prefix "$work/prefix"
  rm -rf "$moved" "$work/build"
  mv "$work/prefix" "$moved"
  library=$moved/$(cd "$moved" && find . -name 'libportable.so.0.*')
  [ ! -e "$(dirname "$library")/libportable.a" ] || fail "both kinds of library are installed"
  readelf -d "$library" >"$work/log"
  grep -q 'SONAME.*\[libportable\.so\.0\]' "$work/log" || fail "the soname is not libportable.so.0"
  grep -q NODELETE "$work/log" || fail "it may be unloaded"
  if grep -q 'TEXTREL\|RPATH\|RUNPATH' "$work/log"; then fail "it has text relocations or a path"; fi
  # Only names that the header declares may be seen. The loader skips hidden names; GNU ld 2.40 lists those of __start_portable_text among them.
  extra=$(readelf --dyn-syms -W "$library" | awk '$1 ~ /^[0-9]+:$/ && $5 != "LOCAL" && $6 != "HIDDEN" && $7 != "UND" {sub(/@.*/, "", $8); print $8}' | while read -r name; do
    grep -q "\b$name\b" "$moved"/include/*.h || echo "$name"; done)
  [ -z "$extra" ] || fail "it exports $extra"
  cp "$library" "$work/stripped" && run strip "$work/stripped"
  ls -lL "$library" "$work/stripped"
}

shared_program() {
  "$CC" -O2 "-I$("$config" --includedir)" "$1" -o "$work/program" "${@:2}"
}

# A program that is linked by portable-config finds its library without settings, moved or not.
shared() {
  makefile
  ldd program | grep -q 'libportable.so.0 => /' || fail "libportable.so.0 is not what is linked"
  work=$work/pkg; mkdir -p "$work"
  pkg_config
}

dlopen() {
  shared_program "$here/dlopen.c" -ldl
  expect "program works" "$work/program" "$libdir/libportable.so"
  expect "program works" "$work/program" "$libdir/libportable.so.0"
}

# A user installs his program next to the library: CMake takes the build tree's path out, his own stays.
rpath() {
  cat >"$work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(rpath LANGUAGES C Fortran)
find_package(portable 0.1 REQUIRED COMPONENTS C Fortran)
add_executable(program program.f90)
target_link_libraries(program PRIVATE portable::fortran)
add_executable(program_c program_c.c)
target_link_libraries(program_c PRIVATE portable::portable)
set_target_properties(program program_c PROPERTIES INSTALL_RPATH "\$ORIGIN/../lib")
install(TARGETS program program_c DESTINATION bin)
END
  grep -v 'use model\|work(h)' "$consumer/fortran_only/program.f90" >"$work/program.f90"
  cp "$consumer/c_only/program.c" "$work/program_c.c"
  run "$CMAKE" -S "$work" -B "$work/build" "-DCMAKE_PREFIX_PATH=$BUILDS_PREFIX"
  run "$CMAKE" --build "$work/build"
  both "$work/build"
  cp -a "$BUILDS_PREFIX" "$work/prefix"
  run "$CMAKE" --install "$work/build" --prefix "$work/prefix"
  mv "$work/prefix" "$work/moved"
  both "$work/moved/bin"
  ldd "$work/moved/bin/program" | grep -q "$work/moved" || fail "the installed program uses another library"
}

# With the flags that README names, and with those that make tests of their own kind fail.
selftest_flags() {
  if ! "$FC" --version | grep -q 'GNU Fortran'; then missing "GNU Fortran"; fi
  FCFLAGS='-fdefault-integer-8 -fdefault-real-8' run "$BUILDS_PREFIX/bin/portable-selftest"
  if [ "$("$config" --has-shared)" = no ]; then
    CFLAGS=-fsanitize=address FCFLAGS=-fsanitize=address LDFLAGS=-fsanitize=address run "$BUILDS_PREFIX/bin/portable-selftest"
  fi
}
selftest() {
  local status=0 gnu=no
  if "$FC" --version | grep -q 'GNU Fortran'; then gnu=yes; fi
  # Two minutes at most, the documents say: of processor time here, because others may want the machine too.
  local TIMEFORMAT='%U %S' spent
  # (Most of it is compiling: the same programs are compiled with -O2 by ../CMakeLists.txt.)
  spent=$({ time CFLAGS=-O0 FCFLAGS='-O0 -g' "$BUILDS_PREFIX/bin/portable-selftest" >"$work/report"; } 2>&1) || status=$?
  cat "$work/report"
  awk '{exit !($1 + $2 < 120)}' <<<"$(tail -1 <<<"$spent")" || fail "it took $spent seconds of processor time"
  [ $status = 0 ] || fail "portable-selftest returned $status"
  # flang 16 has not all that allocate.features needs.
  grep -Eq "^[1-9][0-9]* passed, 0 failed, $([ $gnu = yes ] && echo 0 || echo '[01]') skipped\$" "$work/report" || fail "no summary"
  if grep -Fw -e "$BUILDS_PREFIX" -e "$(uname -n)" "$work/report"; then fail "the report names places or hosts"; fi
  # It must be able to fail, and say so by its status.
  if CC=false FC=false "$BUILDS_PREFIX/bin/portable-selftest" >"$work/report"; then fail "a broken compiler passed"; fi
  grep -q '^FAILED  fortran: gator_mod' "$work/report" || fail "a broken compiler is not reported"
}

case $what in
  questions|installed|more|makefile|pkg_config|autotools|meson|loops_makefile|loops_meson|shared_install|shared|dlopen|rpath|selftest|selftest_flags) "$what" ;;
  *) fail "there is no way '$what'" ;;
esac
cd /
rm -rf "$work"
echo "$what: ok"
