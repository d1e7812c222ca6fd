#!/bin/bash
# code.sh PROGRAM WORK - the modes of code.c: all that is refused; the cache; a missing NVRTC; an error of each call of driver and compiler.
# TEST_GPU=hip: those of AMD, whose fake ones write their calls under CUDA's names, too.
set -u
program=$1
mkdir -p "$2"
work=$(mktemp -d "$2/XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
gpu=${TEST_GPU:-cuda} nvrtc=nvrtc NVRTC=NVRTC compiler="NVIDIA's compiler NVRTC" cubin=CUBIN
[ "$gpu" = hip ] && nvrtc=hiprtc NVRTC=HIPRTC compiler="AMD's compiler hiprtc" cubin=Code
export PORTABLE_DEVICE=$gpu PORTABLE_CACHE="$work/cache" FAKE_CUDA_STRICT=1
failed=0
say() { echo "FAILED: $*"; failed=$((failed + 1)); }
run() { timeout 60 "$program" "$@" >"$work/out" 2>"$work/err" || { say "$* (code $?)"; cat "$work/out" "$work/err"; }; }
compiled() { cat "$work/nvrtc.log" 2>/dev/null | grep -c '^nvrtcCompileProgram'; }

run all
(export "PORTABLE_${NVRTC}_LIBRARY=/nowhere/lib$nvrtc.so"; run no_compiler; exit "$failed") || failed=1
[ "$(grep -c "warning: $compiler is missing: .*/nowhere/lib$nvrtc.so: .* run on the host; install it" "$work/err")" = 1 ] || say "the fallback is not reported once"
grep -q "$compiler was not found: install it" "$work/err" || say "the list of launches on the host does not name the compiler"

# The cache: nothing is compiled the second time, and all of it again when the files are damaged, or nowhere.
export FAKE_NVRTC_LOG="$work/nvrtc.log"
rm -rf "$work/cache"
run injected -
[ "$(compiled)" = 1 ] || say "the first run compiled $(compiled) times"
ls "$work"/cache/new-* 2>/dev/null && say "a temporary file is left"
rm -f "$work/nvrtc.log"; run injected -
[ "$(compiled)" = 0 ] || say "the second run compiled $(compiled) times"
for f in "$work"/cache/*.bin; do printf 'damaged' | dd of="$f" bs=1 seek=100 conv=notrunc 2>/dev/null; done
rm -f "$work/nvrtc.log"; run injected -
[ "$(compiled)" = 1 ] || say "with damaged files $(compiled) were compiled"
rm -f "$work/nvrtc.log"; PORTABLE_CACHE=off run injected -
[ "$(compiled)" = 1 ] || say "without a cache $(compiled) were compiled"
rm -f "$work/nvrtc.log"; PORTABLE_CACHE=/proc/nowhere run injected -
# Two at once.
rm -rf "$work/cache"
(timeout 60 "$program" injected - >"$work/out2" 2>&1 || say "one of two") & run injected -
wait
rm -f "$work/nvrtc.log"; run injected -
[ "$(compiled)" = 0 ] || say "after two at once $(compiled) were compiled"
# Code that does not compile is tried once each time that it is set.
rm -f "$work/nvrtc.log"; run faulty
[ "$(compiled)" = 3 ] || say "code that is set twice and does not compile, and one that does, were compiled $(compiled) times"
unset FAKE_NVRTC_LOG

# A file without a folder is searched in those of PORTABLE_CUDA_PATH, in their order.
mkdir -p "$work/first" "$work/second"
cp "$(dirname "$0")/bodies.h" "$work/second/only_there.h"
export CODE_FILE=only_there.h
PORTABLE_CUDA_PATH="$work/nowhere:$work/first:$work/second" run injected -
PORTABLE_CUDA_PATH="$work/first" run injected only_there.h
echo '#error of the first folder' > "$work/first/only_there.h"
PORTABLE_CUDA_PATH="$work/first:$work/second" run injected "of the first folder"
unset CODE_FILE

# Where the device reads the host's memory without a copy, the copy of a large block has ended before the block goes.
FAKE_CUDA_ATTRIBUTE=${FAKE_CUDA_ATTRIBUTE:+$FAKE_CUDA_ATTRIBUTE,}pageable_memory_access=1,pageable_memory_access_uses_host_page_tables=1 FAKE_CUDA_LOG="$work/pages.log" run injected -
grep -A2 '^cuMemcpyHtoDAsync' "$work/pages.log" | grep -q '^cuStreamSynchronize' || say "a large block is read later"

# A device without use costs nothing, also at the end.
FAKE_CUDA_DEVICES=2 FAKE_CUDA_LOG="$work/two.log" run injected -
[ "$(grep -c '^cuDevicePrimaryCtxRetain' "$work/two.log")" = 1 ] || say "contexts of two devices, of which one is used"

for fail in cuModuleLoadDataEx:*:2 cuModuleGetFunction:1:500 cuFuncGetAttribute:2:999 cuFuncSetAttribute:1:1 cuLaunchKernel:1:701 cuMemAllocAsync:1:2 \
  cuMemcpyHtoDAsync_v2:1:999; do
  call=${fail%%:*}; call=${call%_v2}
  [ "$gpu,$call" = hip,cuFuncSetAttribute ] && continue # AMD's kernels get all shared memory without asking
  [ "$call" = cuModuleGetFunction ] && call="there is no entry"
  FAKE_CUDA_FAIL=$fail run injected "$call"
done
# Memory that cannot be freed is left in the context, which the fake minds.
FAKE_CUDA_FAIL=cuMemFreeAsync:1:1 timeout 60 "$program" injected cuMemFreeAsync >"$work/out" 2>"$work/err"
grep -q "'large': cuMemFreeAsync answers" "$work/out" || say "cuMemFreeAsync"
# Without memory for notes no observer gets failures; the launch goes on.
FAKE_CUDA_FAIL='cuMemHostAlloc:*:2' run injected -
export PORTABLE_CACHE=off
for fail in nvrtcCreateProgram:1:3 nvrtcCompileProgram:1:11 nvrtcGetProgramLogSize:1:1 nvrtcGetProgramLog:1:1 nvrtcGetCUBINSize:1:4 nvrtcGetCUBIN:1:4; do
  call=${fail%%:*}; call=$nvrtc${call#nvrtc}
  FAKE_NVRTC_FAIL=$fail run injected "${call/CUBIN/$cubin}"
done
[ "$failed" = 0 ] && echo "all modes are right"
exit $((failed > 0))
