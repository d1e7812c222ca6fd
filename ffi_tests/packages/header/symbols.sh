#!/bin/bash
# symbols.sh HEADER ARCHIVE: the global names that the archive defines are exactly the functions that the
# header and its parts (HEADER's name with something after it) declare, and private names by which its members call one another. One
# object has Go and all that every program needs; the linker takes the others if they are called. So nothing of Go is left for another
# Go archive in the same program to clash with. Not in this file: types; the C compiler compares those when Go is built.
set -eu
header=$1 archive=$2
members=$(ar t "$archive" | sed 's/^portable_[0-9]*\.o$/part/' | sort | uniq -c | awk '{print ($2 == "part" ? $1 > 20 : $1) $2}' | tr '\n' ' ')
[ "$members" = "1elementary.o 1part 1portable.o " ] || { echo "FAILED: members $members in $archive"; exit 1; }
# Private names are global only between members.
ours=$(nm --defined-only --extern-only "$archive" | awk 'NF == 3 && $3 ~ /^portable__/ {print $3}' | sort -u)
asked=$(nm --undefined-only "$archive" | awk '$2 ~ /^portable__/ {print $2}' | sort -u)
private=$(comm -12 <(echo "$ours") <(echo "$asked"))
declared=$("$(dirname "$0")/declared.sh" "$header")
defined=$(nm --defined-only --extern-only "$archive" | awk 'NF == 3 {print $3}' | sort -u | grep -v -x -F -f <(comm -23 <(echo "$private") <(echo "$declared")))
if [ "$declared" != "$defined" ]; then
  echo "FAILED: < declared in the header, > defined in the archive"
  diff <(echo "$declared") <(echo "$defined") || true
  exit 1
fi
# gold makes an array of each section of that type and of another name, and the loader runs one array alone.
arrays=$(readelf -SW "$archive" | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $2 == "INIT_ARRAY" && $1 !~ /^\.init_array/ {print $1}')
[ -z "$arrays" ] || { echo "FAILED: sections of type INIT_ARRAY: $arrays"; exit 1; }
commons=$(nm "$archive" | awk '$2 == "C"' | wc -l)
[ "$commons" = 0 ] || { echo "FAILED: $commons common symbols"; exit 1; }
echo "$(wc -l <<<"$declared") names, $(stat -c %s "$archive") bytes"
