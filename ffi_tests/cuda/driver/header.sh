#!/bin/bash
# header.sh CC INCLUDE PACKAGES OLD WORK: our cuda.h (INCLUDE) against NVIDIA's own (in PACKAGES): each enumerator and flag has its value, each descriptor its
# size and the places of its fields, each function its arguments, each name stands for the same function, and the list of old names
# (OLD) is whole; and NVIDIA's library has each function. Ends with 77 where NVIDIA's header is not there (scripts/cuda_packages fetches it).
set -eu
cc=$1 include=$2 real=$3/include driver=$3/driver/libcuda.so.1 old=$4 work=$5
[ -e "$real/cuda.h" ] || { echo "skipped: there is no $real/cuda.h; scripts/cuda_packages fetches it"; exit 77; }
mkdir -p "$work"
flags=(-std=gnu11 -w)

# The contents of our header, as assertions that any header can be asked.
{
  grep -hoE '\bCU[A-Z0-9]*_[A-Za-z0-9_]+ = -?[0-9][0-9a-fx]*' "$include"/cuda_*.h |
    awk '{print "_Static_assert((long long)(" $1 ") == " $3 ", \"" $1 "\");"}'
  sed -nE 's/^#define (CU_[A-Z_]+) +(0x[0-9a-f]+|[0-9]+)$/_Static_assert(\1 == \2, "\1");/p' "$include/cuda_types.h"
  # A value that is cast to a pointer cannot be asserted; it is compared as text of numbers at run time (places).
} >"$work/values.inc"
# Fields of the structs, as type and name.
awk '/^typedef struct [A-Za-z0-9_]+ \{/ {inside = 1; n = 0; next}
     inside && /^\}/ {type = $2; sub(";", "", type); print type; for (i = 0; i < n; i++) print type, field[i]; inside = 0; next}
     inside {gsub(/[*;]|\[[0-9]*\]/, " "); m = split($0, part, ","); for (i = 1; i <= m; i++) {k = split(part[i], word, " "); field[n++] = word[k]}}' \
  "$include/cuda_types.h" >"$work/fields"
{
  echo '#include <cuda.h>'
  echo '#include <stddef.h>'
  echo '#include <stdio.h>'
  echo 'int main(void) {'
  awk 'NF == 1 {printf "printf(\"%s %%zu\\n\", sizeof(%s));\n", $1, $1}
       NF == 2 {printf "printf(\"%s.%s %%zu %%zu\\n\", offsetof(%s, %s), sizeof(((%s *)0)->%s));\n", $1, $2, $1, $2, $1, $2}' "$work/fields"
  for type in CUdevice CUdeviceptr CUresult CUuuid CUcontext CUfunction CUstream CUevent cuuint32_t; do
    echo "printf(\"$type %zu\\n\", sizeof($type));"
  done
  for name in CU_STREAM_LEGACY CU_STREAM_PER_THREAD CU_DEVICE_CPU CU_DEVICE_INVALID CU_LAUNCH_PARAM_END CU_LAUNCH_PARAM_BUFFER_POINTER \
    CU_LAUNCH_PARAM_BUFFER_SIZE CUDA_VERSION; do
    echo "printf(\"$name %lld\\n\", (long long)$name);"
  done
  echo '#define TEXT(x) #x'
  echo '#define TEXT_OF(x) TEXT(x)'
  sed -n 's/^#define \(cu[A-Z][A-Za-z0-9]*\) .*/printf("\1 %s\\n", TEXT_OF(\1));/p' "$include/cuda_names.h"
  echo '}'
} >"$work/places.c"
for which in ours real; do
  folder=$include
  [ $which = ours ] || folder=$real
  "$cc" "${flags[@]}" -I"$folder" -o "$work/places_$which" "$work/places.c"
  "$work/places_$which" >"$work/places_$which.txt"
  { echo '#include <cuda.h>'; cat "$work/values.inc"; } >"$work/values_$which.c"
  "$cc" "${flags[@]}" -I"$folder" -fsyntax-only "$work/values_$which.c"
done
diff "$work/places_ours.txt" "$work/places_real.txt" || { echo "FAILED: < ours, > NVIDIA's"; exit 1; }
# A second declaration with other arguments is an error.
printf '%s\n' '#include <cuda.h>' '#define X(name, arguments) CUresult CUDAAPI name arguments;' '#include "cuda_functions.inc"' >"$work/functions.c"
mkdir -p "$work/list"
cp "$include/cuda_functions.inc" "$work/list/"
"$cc" "${flags[@]}" -I"$real" -I"$work/list" -fsyntax-only "$work/functions.c"
# It can fail: sizes of 32 bits, as they were.
sed 's/^X(cuMemAlloc_v2, .*/X(cuMemAlloc_v2, (CUdeviceptr *, unsigned int))/' "$include/cuda_functions.inc" >"$work/list/cuda_functions.inc"
if "$cc" "${flags[@]}" -I"$real" -I"$work/list" -fsyntax-only "$work/functions.c" 2>/dev/null; then echo "FAILED: a wrong declaration is not seen"; exit 1; fi
"$cc" -E -dM "$real/cuda.h" | sed -nE 's/^#define (cu[A-Z][A-Za-z0-9_]*) (__CUDA_API_PT[A-Z]*\()?(cu[A-Z][A-Za-z0-9_]*)\)?$/\1 \3/p' |
  awk '$1 != $2' | LC_ALL=C sort >"$work/old"
diff <(grep -v '^#' "$old" | LC_ALL=C sort) "$work/old" || { echo "FAILED: < names_driver.txt, > NVIDIA's header"; exit 1; }
nm -D --defined-only "$driver" | awk '$2 == "T" {sub(/@.*/, "", $3); print $3}' | LC_ALL=C sort -u >"$work/exported"
missing=$(sed -n 's/^X(\([A-Za-z0-9_]*\),.*/\1/p' "$include/cuda_functions.inc" | LC_ALL=C sort | LC_ALL=C comm -23 - "$work/exported")
[ -z "$missing" ] || { echo "FAILED: not in NVIDIA's library: $missing"; exit 1; }
echo "$(wc -l <"$work/values.inc") values, $(wc -l <"$work/fields") places, $(grep -c '^X(' "$include/cuda_functions.inc") functions"
