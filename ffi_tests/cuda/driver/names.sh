#!/bin/bash
# names.sh ARCHIVE FUNCTIONS OLD: the functions of the driver that the archive calls are exactly those of our list (FUNCTIONS,
# cuda_functions.inc), none is left to be found at link time, none is seen outside, and none has a name that in the driver is an older
# function's (OLD, names_driver.txt): that would be called with other arguments than it expects, without any message.
#   names.sh --self-test CC OBJECTS-FOLDER OLD: the last rule is one that can fail.
set -eu
old_names() { # old_names ARCHIVE OLD: those that ARCHIVE has, in whatever role
  nm "$1" 2>/dev/null | awk '$NF ~ /^cu[A-Z]/ {print $NF}' | sort -u | join - <(grep -v '^#' "$2" | sort)
}
if [ "$1" = --self-test ]; then
  cc=$2 work=$3 old=$4
  mkdir -p "$work"
  echo 'int cuMemAlloc(void *, unsigned); int f(void); int f(void) { return cuMemAlloc(0, 1); }' >"$work/old.c"
  "$cc" -c -o "$work/old.o" "$work/old.c"
  found=$(old_names "$work/old.o" "$old")
  [ "$found" = "cuMemAlloc cuMemAlloc_v2" ] || { echo "FAILED: a call of cuMemAlloc is not seen, only '$found'"; exit 1; }
  echo "a call of cuMemAlloc is seen"
  exit
fi
archive=$1 functions=$2 old=$3
failed=0
bad=$(old_names "$archive" "$old")
[ -z "$bad" ] || { echo "FAILED: older functions of the driver (and what is meant):"; echo "$bad"; failed=1; }
listed=$(sed -n 's/^X(\([A-Za-z0-9_]*\),.*/\1/p' "$functions" | sort)
[ "$listed" = "$(sort -u <<<"$listed")" ] || { echo "FAILED: a function is listed twice"; failed=1; }
defined=$(nm --defined-only "$archive" | awk '$2 == "t" && $3 ~ /^cu[A-Z]/ {print $3}' | sort)
# gorgonia.org/cu has three helpers that are named as the driver's functions.
defined=$(grep -vxE 'cuDeviceGetAttributes|cuLaunchAndSync|cuAllocAndCopy' <<<"$defined" || true)
if [ "$listed" != "$defined" ]; then
  echo "FAILED: < listed in cuda_functions.inc, > defined in the archive"
  diff <(echo "$listed") <(echo "$defined") || true
  failed=1
fi
seen=$(nm "$archive" | awk 'NF > 1 && $(NF - 1) ~ /^[A-Z]$/ && $NF ~ /^(cu[A-Z]|cuda|nvrtc)/ {print}')
[ -z "$seen" ] || { echo "FAILED: seen outside, or not to be found:"; echo "$seen"; failed=1; }
[ $failed = 0 ] && echo "$(wc -l <<<"$listed") functions of the driver"
exit $failed
