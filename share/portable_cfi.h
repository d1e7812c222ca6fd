/* portable_cfi.h - arrays from and to the C descriptors of Fortran 2018, for any rank, type and
 * strides. For C and C++ next to a Fortran compiler that has them; its ISO_Fortran_binding.h is
 * included here. Compile share/portable/portable_cfi.c with the same compiler (in CMake
 * portable::fortran_cfi). Fortran has portable_cfi_mod. The library itself does not know these
 * descriptors. The rules at the head of portable_array.h hold. */
#ifndef PORTABLE_CFI_H
#define PORTABLE_CFI_H

#include <ISO_Fortran_binding.h>
#include <portable.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Describes the array of a C descriptor: an argument with dimension(..) or (:), a pointer, an allocatable. Nothing is
 * copied or freed. Elements of types without a kind here are PORTABLE_KIND_BYTES. Bounds are those of pointers and
 * allocatables, 1 for other arguments; config may give others (lower). label may be NULL: "array"; config too.
 * Ownership: the elements stay the program's. Returns: 0, ERR_ARG (NULL; not associated or allocated; of assumed size;
 * elements that lie no whole number of elements apart), ERR_OVERFLOW. Source: Fortran 2018, 18.5. Since: 0.1 */
portable_status portable_array_from_cfi(const char *label, const CFI_cdesc_t *descriptor, const portable_array_config *config,
                                        portable_array *array_out);

/* Points a Fortran pointer of the array's kind and rank to its elements, with its bounds. Any order and strides; a
 * transpose too. Ownership: valid while a holder of the array is. Returns: 0, ERR_ARG (NULL; no pointer; another kind
 * or rank; device memory), ERR_STATE, ERR_HANDLE. The pointer is null after an error. Source: Fortran 2018, 18.5.
 * Since: 0.1 */
portable_status portable_array_to_cfi(const portable_array *array, CFI_cdesc_t *pointer);

#ifdef __cplusplus
}
#endif

#endif
