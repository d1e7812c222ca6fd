/* portable_array_element.h - bounds of an array, one element of it, and walks over all of them. Part of portable.h; include that.
 *
 * All that is here is whole in this header but portable_array_element, which is called when an array is checked.
 *
 *     for (int32_t more = portable_array_begin(&h, index); more; more = portable_array_next(&h, index))
 *       *(double *)portable_array_at(&h, index) = 0;
 *
 * Checks: arrays that are made while PORTABLE_CHECK_ARRAYS is on (PORTABLE_CHECK=arrays), and views and copies of those, have the flag
 * PORTABLE_ARRAY_CHECKED. The functions below look at it, so that a loop that asks outside of it what it needs costs nothing.
 */
#ifndef PORTABLE_ARRAY_ELEMENT_H
#define PORTABLE_ARRAY_ELEMENT_H

#ifndef PORTABLE_ARRAY_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- bounds -------------------------------------------------------------------------------------- */

/* Lower and upper bound and extent of dimension d; 0, -1 and 0 of one that there is not.  Since: 0.1 */
PORTABLE_INLINE int64_t portable_array_lbound(const portable_array *array, int32_t d) {
  return d >= 0 && d < array->rank ? array->lower[d] : 0;
}
PORTABLE_INLINE int64_t portable_array_extent(const portable_array *array, int32_t d) {
  return d >= 0 && d < array->rank ? array->extent[d] : 0;
}
PORTABLE_INLINE int64_t portable_array_ubound(const portable_array *array, int32_t d) {
  return portable_array_extent(array, d) - 1 + portable_array_lbound(array, d);
}

/* How many elements there are; 0 in no array.  Since: 0.1 */
PORTABLE_INLINE int64_t portable_array_size(const portable_array *array) {
  int64_t n = array->struct_size != 0;
  for (int32_t d = 0; d < array->rank; d++)
    if (array->extent[d] == 0) return 0; /* the product of the others may not fit */
  for (int32_t d = 0; d < array->rank; d++) n *= array->extent[d];
  return n;
}

/* 1: the elements lie one after the other in the array's order, without gaps; also with no element, or one.  Since: 0.1 */
PORTABLE_INLINE int32_t portable_array_is_contiguous(const portable_array *array) {
  int64_t expected = 1;
  if (portable_array_size(array) < 2) return 1;
  for (int32_t k = 0; k < array->rank; k++) {
    const int32_t d = array->fastest[k];
    if (array->extent[d] > 1 && array->stride[d] != expected) return 0;
    expected *= array->extent[d];
  }
  return 1;
}

/* ---- elements ------------------------------------------------------------------------------------ */

/* The element at index[rank], for arrays that are checked. Where there is none the failure counts as the kernel's, whose launch then
 * ends with ERR_KERNEL; outside of a kernel it is printed. Either way portable_last_error has the text, and the address is that of a
 * place which stands for the element: it begins as 0, and what is written there is lost.
 * Ownership: borrowed while the array is held.  Threads: safe.  Since: 0.1 */
void *portable_array_element(const portable_array *array, int32_t rank, const int64_t *index);

/* The address of an element. Shapes: index[rank] of the array.  Since: 0.1 */
PORTABLE_INLINE void *portable_array_at(const portable_array *array, const int64_t *index) {
  int64_t offset = 0;
  if (array->flags & PORTABLE_ARRAY_CHECKED) return portable_array_element(array, array->rank, index);
  for (int32_t d = 0; d < array->rank; d++) offset += (index[d] - array->lower[d]) * array->stride[d];
  return (char *)array->data + offset * (int64_t)array->element_bytes;
}

/* The same for ranks 1 to 4.  Since: 0.1 */
PORTABLE_INLINE void *portable_array_at1(const portable_array *array, int64_t i) {
  if (array->flags & PORTABLE_ARRAY_CHECKED) return portable_array_element(array, 1, &i);
  return (char *)array->data + (i - array->lower[0]) * array->stride[0] * (int64_t)array->element_bytes;
}
PORTABLE_INLINE void *portable_array_at2(const portable_array *array, int64_t i, int64_t j) {
  if (array->flags & PORTABLE_ARRAY_CHECKED) {
    int64_t index[2];
    index[0] = i;
    index[1] = j;
    return portable_array_element(array, 2, index);
  }
  return (char *)array->data + ((i - array->lower[0]) * array->stride[0] + (j - array->lower[1]) * array->stride[1]) *
                                   (int64_t)array->element_bytes;
}
PORTABLE_INLINE void *portable_array_at3(const portable_array *array, int64_t i, int64_t j, int64_t k) {
  if (array->flags & PORTABLE_ARRAY_CHECKED) {
    int64_t index[3];
    index[0] = i;
    index[1] = j;
    index[2] = k;
    return portable_array_element(array, 3, index);
  }
  return (char *)array->data + ((i - array->lower[0]) * array->stride[0] + (j - array->lower[1]) * array->stride[1] +
                                (k - array->lower[2]) * array->stride[2]) * (int64_t)array->element_bytes;
}
PORTABLE_INLINE void *portable_array_at4(const portable_array *array, int64_t i, int64_t j, int64_t k, int64_t l) {
  if (array->flags & PORTABLE_ARRAY_CHECKED) {
    int64_t index[4];
    index[0] = i;
    index[1] = j;
    index[2] = k;
    index[3] = l;
    return portable_array_element(array, 4, index);
  }
  return (char *)array->data + ((i - array->lower[0]) * array->stride[0] + (j - array->lower[1]) * array->stride[1] +
                                (k - array->lower[2]) * array->stride[2] + (l - array->lower[3]) * array->stride[3]) *
                                   (int64_t)array->element_bytes;
}

/* ---- walks --------------------------------------------------------------------------------------- */

/* Sets index[rank] to the first element, and on to the next one, the fastest dimension first. Both give 1 while there is one, else
 * 0.  Since: 0.1 */
PORTABLE_INLINE int32_t portable_array_begin(const portable_array *array, int64_t *index) {
  for (int32_t d = 0; d < array->rank; d++) index[d] = array->lower[d];
  return portable_array_size(array) > 0;
}
PORTABLE_INLINE int32_t portable_array_next(const portable_array *array, int64_t *index) {
  for (int32_t k = 0; k < array->rank; k++) {
    const int32_t d = array->fastest[k];
    if (++index[d] < array->lower[d] + array->extent[d]) return 1;
    index[d] = array->lower[d];
  }
  return 0;
}

#ifdef __cplusplus
}
#endif

#endif
