#!/bin/bash
# covered.sh ARCHIVE NM FOLDER: each public function of the archive has a row in FOLDER, and each row is a public function; rows of
# the Fortran edge, portable__fortran_..., may be there, too. The functions of portable_math.h are C without Go, in an object of their own.
set -euo pipefail
[ $# -eq 3 ] || { echo "covered.sh: usage: covered.sh ARCHIVE NM FOLDER" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$2" "$1" 2>/dev/null | awk '$2 == "T" && $3 ~ /^portable_[^_]/ && $3 !~ /^portable_(log_gamma|[a-z0-9]+)_real(32|64)$/ { print $3 }' | sort -u >"$work/public"
sed -nE 's/^ *ROW(_STATUS|_VALUE|_KERNEL|_UNDONE)?\((.*)$/\2/p' "$3"/*.c | grep -oE '^[0-9], [0-9], (PORTABLE_[A-Z_]+, )?portable_[a-z0-9_]+' |
  grep -oE 'portable_[a-z0-9][a-z0-9_]*$' | sort -u >"$work/rows"
[ "$(wc -l <"$work/public")" -gt 100 ] || { echo "covered.sh: only $(wc -l <"$work/public") public functions in $1" >&2; exit 1; }
status=0
while read -r f; do echo "$f has no row in $3: state its crossings"; status=1; done < <(comm -23 "$work/public" "$work/rows")
while read -r f; do echo "$f has a row in $3, and $1 has no such public function"; status=1; done < <(comm -13 "$work/public" "$work/rows")
exit $status
