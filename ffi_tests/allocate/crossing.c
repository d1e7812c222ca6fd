/* crossing.c - an allocatable array renewed by the functions of ISO_Fortran_binding.h, which live in the Fortran run-time
 * library: it frees what the program allocated, and allocates what the program frees. */
#include <ISO_Fortran_binding.h>

void renew(CFI_cdesc_t *a);
void renew(CFI_cdesc_t *a) {
  CFI_index_t lower[1] = {1}, upper[1] = {2 * a->dim[0].extent};
  if (CFI_deallocate(a) != CFI_SUCCESS || CFI_allocate(a, lower, upper, 0) != CFI_SUCCESS) return;
  for (CFI_index_t i = 0; i < upper[0]; i++) ((double *)a->base_addr)[i] = (double)i;
}
