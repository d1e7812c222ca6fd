/* arrays.c - misuse of arrays: the checks of portable_array.h. Not in this file: twins and records
 * (twins.c). */
#include "misuse.h"

/* Each kind of this table begins with an array in C order of 4 x 3 elements of real64, which it leaves as it was. */
static const int64_t extents[] = {4, 3};
static portable_array a;

static void begin(void) {
  begin_running();
  MUST(portable_array_create("grid", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &a) == 0);
}

static void end(void) {
  MUST(portable_array_use_count(&a) == 1 && portable_array_size(&a) == 12);
  MUST(portable_array_release(&a) == 0);
  end_running();
}

/* More dimensions than the limit. */
static void array_rank(void) {
  portable_array b;
  ASK(portable_array_create("wide", PORTABLE_KIND_REAL64, 0, 16, extents, NULL, &b));
  MUST(b.struct_size == 0);
}

/* A negative extent. */
static void array_extent(void) {
  portable_array b;
  const int64_t wrong[] = {4, -3};
  ASK(portable_array_create("thin", PORTABLE_KIND_REAL64, 0, 2, wrong, NULL, &b));
}

/* An invalid kind of element. */
static void array_kind(void) {
  portable_array b;
  ASK(portable_array_create("odd", 99, 0, 2, extents, NULL, &b));
}

/* Memory of a device that does not exist. */
static void array_space(void) {
  portable_array b;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.space = PORTABLE_SPACE_DEVICE(90);
  ASK(portable_array_create("far", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &b));
}

/* An array around a NULL address. */
static void array_null(void) {
  portable_array b;
  ASK(portable_array_wrap("null", PORTABLE_KIND_REAL64, 0, NULL, 2, extents, NULL, NULL, &b));
}

/* Fewer indices than the array has dimensions. */
static void array_arity(void) {
  void *element;
  const int64_t index[] = {1, 1};
  ASK(portable_array_locate(&a, 1, index, &element));
  MUST(element == NULL);
}

/* An index out of bounds. */
static void array_index(void) {
  void *element;
  const int64_t index[] = {1, 3};
  ASK(portable_array_locate(&a, 2, index, &element));
  MUST(element == NULL);
}

/* Use of a descriptor without an array. */
static void array_unallocated(void) {
  portable_array b = PORTABLE_ARRAY_NONE;
  ASK(portable_array_fill(&b, NULL, NULL));
}

/* Use by one holder after another one has deallocated. */
static void array_deallocated(void) {
  portable_array b, held;
  MUST(portable_array_create("gone", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &b) == 0);
  held = b;
  MUST(portable_array_retain(&held) == 0 && portable_array_deallocate(&b) == 0);
  ASK(portable_array_fill(&held, NULL, NULL));
  MUST(portable_array_release(&held) == 0);
}

/* A copy of a descriptor, which was not retained, is released again. */
static void array_released(void) {
  portable_array b, copy;
  MUST(portable_array_create("twice", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &b) == 0);
  copy = b;
  MUST(portable_array_release(&b) == 0);
  ASK(portable_array_release(&copy));
}

/* A copy to elements of another kind. */
static void array_copy_kind(void) {
  portable_array b;
  MUST(portable_array_create("whole", PORTABLE_KIND_INT64, 0, 2, extents, NULL, &b) == 0);
  ASK(portable_array_copy(&a, &b, NULL));
  MUST(portable_array_release(&b) == 0);
}

/* A copy to more elements. */
static void array_copy_count(void) {
  portable_array b;
  const int64_t more[] = {5, 3};
  MUST(portable_array_create("more", PORTABLE_KIND_REAL64, 0, 2, more, NULL, &b) == 0);
  ASK(portable_array_copy(&a, &b, NULL));
  MUST(portable_array_release(&b) == 0);
}

/* A part that ends outside its dimension. */
static void array_slice(void) {
  portable_array b;
  const portable_array_range ranges[] = {PORTABLE_RANGE_ALL, PORTABLE_RANGE(1, 3)};
  ASK(portable_array_slice(&a, ranges, &b));
  MUST(b.struct_size == 0);
}

/* A part of the slowest dimension that ends before it begins. */
static void array_subset(void) {
  portable_array b;
  ASK(portable_array_subset_slowest(&a, 2, 1, &b));
}

/* A shape of another count. */
static void array_reshape(void) {
  portable_array b;
  const int64_t other[] = {2, 5};
  ASK(portable_array_reshape(&a, 2, other, NULL, &b));
}

/* A kernel of a device asks for an array of the host. */
static void array_for_device(void) {
  void *data;
  ASK(portable_array_data(&a, PORTABLE_SPACE_DEVICE(0), &data));
  MUST(data == NULL);
}

/* The host asks for an array of a device. */
static void array_for_host(void) {
  portable_array b;
  void *data;
  double here[12];
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.space = PORTABLE_SPACE_DEVICE(0);
  MUST(portable_array_wrap("far", PORTABLE_KIND_REAL64, 0, here, 2, extents, NULL, &config, &b) == 0);
  ASK(portable_array_data(&b, PORTABLE_SPACE_HOST, &data));
  MUST(data == NULL);
}

static const struct kind kinds_of_arrays[] = {
    {KIND(array_rank), ERROR(ARG, "portable_array_create of 'wide': rank is 16; it is 0 to 15")},
    {KIND(array_extent), ERROR(ARG, "portable_array_create of 'thin': extent 2 is -3; it is 0 or more")},
    {KIND(array_kind), ERROR(ARG, "portable_array_create of 'odd': there is no kind 99")},
    {KIND(array_space), ERROR(NODEVICE, "portable_array_create of 'far': there is no such device")},
    {KIND(array_null),
     ERROR(ARG, "portable_array_wrap of 'null': data is NULL, but the array has 12 elements; was it allocated?")},
    {KIND(array_arity), ERROR(ARG, "portable_array_locate of 'grid': 1 indices are given; the array has rank 2")},
    {KIND(array_index),
     ERROR(ARG, "portable_array_locate of 'grid': index 3 of dimension 2 is out of its bounds 0:2")},
    {KIND(array_unallocated),
     ERROR(ARG, "portable_array_fill: this is no array: it was never made, or was released; "
                "portable_array_create makes one")},
    {KIND(array_deallocated),
     ERROR(STATE, "portable_array_fill of 'gone': the memory of this array was released by "
                  "portable_array_deallocate")},
    {KIND(array_released),
     ERROR(HANDLE, "portable_array_release of 'twice': && the last holder has released this array already")},
    {KIND(array_copy_kind),
     ERROR(ARG, "portable_array_copy of 'grid' to 'whole': the elements are of the kind real64 (8 bytes) and "
                "int64 (8 bytes)")},
    {KIND(array_copy_count),
     ERROR(ARG, "portable_array_copy of 'grid': && the one has 12 elements (0:3, 0:2), the other 15 (0:4, 0:2)")},
    {KIND(array_slice),
     ERROR(ARG, "portable_array_slice of 'grid': the range 1:3 by 1 of dimension 2 is out of its bounds 0:2")},
    {KIND(array_subset),
     ERROR(ARG, "portable_array_subset_slowest of 'grid': the subset 2:1 of the slowest dimension ends before it "
                "begins")},
    {KIND(array_reshape),
     ERROR(ARG, "portable_array_reshape of 'grid': the new shape (0:1, 0:4) has 10 elements, the array (0:3, "
                "0:2) has 12; a reshape keeps the count")},
    {KIND(array_for_device),
     ERROR(ARG, "portable_array_data of 'grid': the array is in memory of the host, and is asked for by a kernel "
                "of device 0; make a device copy")},
    {KIND(array_for_host),
     ERROR(ARG, "portable_array_data of 'far': the array is in memory of device 0, which the host does not reach")},
};
const struct table arrays_table = TABLE(kinds_of_arrays, begin, end);

/* An index out of bounds under PORTABLE_CHECK=arrays: it is reported, and the written value is lost. */
static void array_checked_index(void) {
  portable_array b;
  MUST(portable_array_create("grid", PORTABLE_KIND_INT64, 0, 2, extents, NULL, &b) == 0);
  *(int64_t *)portable_array_at2(&b, 0, 3) = 5;
  ASK(PORTABLE_OK);
  MUST(portable_array_release(&b) == 0);
}

static const struct kind kinds_of_arrays_checked[] = {
    {KIND(array_checked_index), .settings = "PORTABLE_CHECK=arrays",
     TELLS("PORTABLE_CHECK=arrays: an element of 'grid': index 3 of dimension 2 is out of its bounds 0:2")},
};
const struct table arrays_checked_table = TABLE(kinds_of_arrays_checked, begin_running, end_running);
