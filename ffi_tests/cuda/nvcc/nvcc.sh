#!/usr/bin/env bash
# nvcc.sh NVCC INCLUDE ARCHIVE SOURCES WORK - portable_cuda.hpp and portable.hpp under nvcc: what must compile does, without a word, and runs on the device that there is; what
# must not compile says why; loops take no more registers than ones that are written by hand; launches take the way through the engine; all programs of YAKL
# compile for sm_70 to sm_90 and run. 77: there is no nvcc, or it is not able to compile.
#
# As C++17 the host's part is compiled only where nvcc and the host's compiler get along with each other there (nvcc 11 and g++ 12 do not), the device's always.
set -u
nvcc=$1 include=$2 archive=$3 sources=$4 work=$5
if ! command -v "$nvcc" >/dev/null; then
  echo "skipped: there is no nvcc in PATH, CUDA_HOME or /usr/local/cuda; cmake -DPORTABLE_NVCC=/path/to/nvcc names one"
  exit 77
fi
mkdir -p "$work"
failed=0
fail() { echo "$*"; failed=1; }

# -arch: the oldest of these that this nvcc knows.
probe=$work/probe.cu
printf '#include <functional>\n__global__ void f() {}\nint main() { std::function<int(int)> g = [](int i) { return i; }; f<<<1, 1>>>(); return g(0); }\n' >"$probe"
arch=
for a in sm_70 sm_80 sm_90; do
  if "$nvcc" -std=c++14 -arch=$a -c "$probe" -o "$work/probe.o" >"$work/probe.log" 2>&1; then arch=$a; break; fi
done
if [ -z "$arch" ]; then
  echo "skipped: $nvcc cannot compile an empty kernel as C++14 with this machine's C++ compiler:"
  head -n 5 "$work/probe.log"
  exit 77
fi
flags=(-arch="$arch" --extended-lambda -I "$include" -I "$work")

# compiles STANDARD REFUSED: into $work/log, which is to be empty.
host17=-c
"$nvcc" -std=c++17 -arch="$arch" -c "$probe" -o "$work/probe.o" >/dev/null 2>&1 || host17=-cubin
compiles() {
  local how=-c
  [ "$1" = 17 ] && how=$host17
  [ "$2" != 0 ] && how=-cubin
  # nvcc itself puts parentheses into declarations that it hands on.
  "$nvcc" -std=c++"$1" "${flags[@]}" -Xcompiler -Wall,-Wextra,-Wno-parentheses -DREFUSED="$2" $how -o "$work/refused.o" "$sources/refused.cu" >"$work/log" 2>&1
}
for standard in 14 17; do
  if ! compiles $standard 0 || [ -s "$work/log" ]; then fail "C++$standard: refused.cu without what is refused has errors or warnings:"; head -n 20 "$work/log"; fi
done
while read -r number text; do
  standard=14
  [ "$number" -ge 10 ] && standard=17
  if compiles $standard "$number"; then
    fail "refused.cu: case $number compiles"
  elif ! grep -qF -- "$text" "$work/log"; then
    fail "refused.cu: case $number does not say '$text' but:"
    head -n 20 "$work/log"
  fi
done < <(sed -n 's|^#\(el\)\{0,1\}if REFUSED == \([0-9]*\) // |\2 |p' "$sources/refused.cu")

# Registers: the forms that fit 32 bits, whose names begin with <true, ...> (Lb1E).
"$nvcc" -std=c++14 "${flags[@]}" -Xptxas -v -cubin -o "$work/registers.cubin" "$sources/registers.cu" >"$work/log" 2>&1 || fail "registers.cu does not compile: $(cat "$work/log")"
registers_of() { grep -A3 "Compiling entry function '$1" "$work/log" | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' | head -n 1; }
for n in 1 2; do
  ours=$(registers_of "[^']*runILb1ELb0ELi${n}E") hand=$(registers_of "by_hand_$n'")
  echo "registers of a triad in $n dimensions ($arch): $ours, by hand $hand"
  [ -n "$ours" ] && [ -n "$hand" ] && [ "$ours" -le "$hand" ] || fail "the loop in $n dimensions has more registers than the one by hand"
done

# A program, which runs on the host where there is no GPU.
if "$nvcc" -std=c++14 "${flags[@]}" -Xcompiler -Wall,-Wextra -o "$work/loops" "$sources/loops.cu" "$archive" -lpthread -ldl -lm >"$work/log" 2>&1 && [ ! -s "$work/log" ]; then
  env -u PORTABLE_CUDA_LIBRARY "$work/loops" || fail "loops has failed with the code $?"
else
  fail "loops.cu does not compile or link without a word:"
  head -n 20 "$work/log"
fi

# The way to the device, with the fake driver (PORTABLE_CUDA_LIBRARY) and a runtime that writes down what is launched.
if [ -n "${PORTABLE_CUDA_LIBRARY:-}" ]; then
  if "$nvcc" -std=c++14 "${flags[@]}" -Xcompiler -Wall,-Wextra -cudart none -o "$work/engine" "$sources/engine.cu" "$sources/runtime.c" "$archive" -lpthread -ldl -lm \
    >"$work/log" 2>&1 && [ ! -s "$work/log" ]; then
    "$work/engine" || fail "engine has failed with the code $?"
  else
    fail "engine.cu does not compile or link without a word:"
    head -n 20 "$work/log"
  fi
fi
# The programs of YAKL and the reductions of portable.hpp: for each architecture without a word of the headers, and run where they can be linked. YAKL's
# literals of a program, such as 0.5_fp, are of long double, which nvcc warns of (20208).
yakl=("$sources/../yakl/programs.cpp" -x cu -std=c++17 --extended-lambda --expt-relaxed-constexpr --fmad=false -I "$include" -I "$include/portable/compat"
  -diag-suppress 20208)
for a in sm_70 sm_80 sm_90; do
  "$nvcc" -arch=$a -c "$probe" -o "$work/probe.o" >/dev/null 2>&1 || continue
  how=-cubin
  [ $a = "$arch" ] && how=$host17
  "$nvcc" -arch=$a "${yakl[@]}" $how -o "$work/yakl.$a.o" >"$work/log" 2>&1 && [ ! -s "$work/log" ] || { fail "programs.cpp of YAKL has errors or warnings for $a:"; head -n 20 "$work/log"; }
done
if [ "$host17" = -c ]; then
  if "$nvcc" -arch="$arch" -o "$work/yakl" "$work/yakl.$arch.o" "$archive" -lpthread -ldl -lm >"$work/log" 2>&1; then
    for program in $(sed -n 's/.*strcmp(name, "\([a-z]*\)").*/\1/p' "$sources/../yakl/programs.cpp"); do
      env -u PORTABLE_CUDA_LIBRARY PORTABLE_DEVICE="${NVCC_DEVICE:-auto}" "$work/yakl" "$program" >"$work/log" 2>&1 || { fail "YAKL's program $program has failed:"; head -n 20 "$work/log"; }
    done
  else
    fail "the programs of YAKL are not linked:"
    head -n 20 "$work/log"
  fi
fi
exit $failed
