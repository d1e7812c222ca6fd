#!/bin/bash
# guards.sh GO FOLDER: the tests of internal/guard on aarch64, by a cross compiler and qemu-user: which accesses are reported, and that instructions next
# to closed pages do what they do elsewhere. Not in this file: whole programs (run.sh, in a cross build). Without these tools it is skipped.
set -eu
go=$1 folder=$2 compiler=aarch64-linux-gnu-gcc root=/usr/aarch64-linux-gnu
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for tool in "$compiler" qemu-aarch64; do
  command -v "$tool" >/dev/null || { echo "there is no $tool; scripts/setup aarch64 installs it"; exit 77; }
done
mkdir -p "$folder"
cd "$source/internal/guard"
CGO_ENABLED=1 GOOS=linux GOARCH=arm64 CC=$compiler "$go" test -c -vet=off -tags portable_test_hooks -o "$folder/guard.test" .
qemu-aarch64 -L "$root" "$folder/guard.test" -test.v -test.timeout 500s >"$folder/out" 2>&1 || { cat "$folder/out"; exit 1; }
for test in TestOutOfBounds TestUseAfterFree TestThreadsStepBesideEachOther TestArmStepsDoWhatInstructionsDo TestArmAtomics TestArmTrapsOfSteps; do
  grep -q "^--- PASS: $test " "$folder/out" || { cat "$folder/out"; echo "$test did not run"; exit 1; }
done
