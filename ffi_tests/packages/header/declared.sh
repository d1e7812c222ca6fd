#!/bin/bash
# declared.sh HEADER: the functions that HEADER and its parts (HEADER's name with something after it) declare and the archive has to
# define, a line each. Not among them: what is whole in a header, which begins with PORTABLE_INLINE or PORTABLE__RANDOM, _SOLVER, _MATH or _ROUNDED (or is made by a macro, where
# the name is never written out).
set -eu
# The prelude of kernels for devices (portable_device.h and its parts) is whole, too, in words of its own.
mapfile -t parts < <(ls "${1%.h}"*.h | grep -vE '/portable_device(_[a-z_]+)?\.h$'; ls "${1%.h}"_device_host.h 2>/dev/null)
text=$(sed -e 's@//.*@@' "${parts[@]}" | tr '\n' ' ' | sed -e 's@/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/@ @g')
# A name followed by ( in a declaration; comments are out, and types of callbacks (*name)(...) do not match.
names() { grep -oE '\b(portable_[a-z0-9_]+|gator[A-Z][A-Za-z]*) *\(([^*]|$)' | sed 's/ *(.*//' | sort -u; }
comm -23 <(names <<<"$text") <(grep -oE 'PORTABLE_(INLINE|CONSTEXPR|_RANDOM|_SOLVER|_MATH|_ROUNDED) [^(#]*\(' <<<"$text" | names)
