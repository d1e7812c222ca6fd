#!/bin/bash
# install.sh BUILD SOURCE WORK MOVED: installs BUILD under WORK, moves the prefix to MOVED, and looks at
# the contents. Not in this file: the use of it (run.sh).
set -eu
cmake=${CMAKE:-cmake} build=$1 source=$2 work=$3 moved=$4
rm -rf "$work"; mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/installed"
mv "$work/installed" "$moved"

fail() { echo "FAILED: $*"; exit 1; }
# No .mod file is of use to another compiler.
[ -z "$(find "$moved" -name '*.mod')" ] || fail "a .mod file was installed"
for file in include/portable.h share/portable/gator_mod.F90 share/portable/gator_more_mod.F90 \
    share/portable/gator_derived.inc; do
  [ -f "$moved/$file" ] || fail "$file was not installed"
done
# The commands need modules that may not have been available; what was built is installed, and works where it is.
for command in yaklcheck portablef; do
  [ -x "$build/bin/$command" ] || continue
  "$moved/bin/$command" --version | grep -q "$command version [0-9]" || fail "$command was not installed"
done
# Nothing that is installed knows where it was built.
if grep -rlF -e "$source" -e "$work" "$moved"; then fail "these files name the place where they were built"; fi
