/* shapes.c - extents, bounds, byte counts and labels. Not in this file: arrays (arrays.c). */
#include "misuse.h"

/* An extent of zero: a zero-size array that deallocates. */
static void zero_extent(void) {
  int64_t extents[] = {3, 0};
  size_t bytes = 5;
  ASK(portable_array_bytes(2, extents, NULL, 32, 8, &bytes));
  MUST(bytes == 0);
}

static void zero_bytes_gator(void) {
  gatorInit();
  MUST(gatorAllocate(0) == NULL);
  goes_on(0);
  gatorFinalize();
}

/* A negative extent. */
static void negative_extent(void) {
  int64_t extents[] = {3, -1};
  size_t bytes = 5;
  ASK(portable_array_bytes(2, extents, NULL, 32, 8, &bytes));
  MUST(bytes == 0);
}

/* More bytes than 63 bits count. */
static void byte_overflow(void) {
  int64_t extents[] = {INT64_C(1) << 31, INT64_C(1) << 31};
  size_t bytes = 5;
  ASK(portable_array_bytes(2, extents, NULL, 64, 8, &bytes));
  MUST(bytes == 0);
}

/* An upper bound that does not fit 32 bits. */
static void bound_overflow(void) {
  int64_t extents[] = {10}, low[] = {INT32_MAX - 8};
  size_t bytes = 5;
  ASK(portable_array_bytes(1, extents, low, 32, 8, &bytes));
  MUST(bytes == 0);
}

/* An upper bound that does not fit 64 bits. */
static void bound_overflow_64(void) {
  int64_t extents[] = {10}, low[] = {INT64_MAX - 8};
  size_t bytes = 5;
  ASK(portable_array_bytes(1, extents, low, 64, 8, &bytes));
  MUST(bytes == 0);
}

/* A rank that Fortran does not have. */
static void rank_too_large(void) {
  int64_t extents[16] = {0};
  size_t bytes = 5;
  ASK(portable_array_bytes(16, extents, NULL, 32, 8, &bytes));
  MUST(bytes == 0);
}

/* A shape without extents, or with fewer bounds than extents. */
static void no_extents(void) {
  size_t bytes = 5;
  ASK(portable_array_bytes(2, NULL, NULL, 32, 8, &bytes));
  MUST(bytes == 0);
}

/* Elements of no bytes. */
static void no_element_bytes(void) {
  int64_t extents[] = {10};
  size_t bytes = 5;
  ASK(portable_array_bytes(1, extents, NULL, 32, 0, &bytes));
  MUST(bytes == 0);
}

/* Bounds in integers of an invalid width. */
static void index_bits(void) {
  int64_t extents[] = {10};
  size_t bytes = 5;
  ASK(portable_array_bytes(1, extents, NULL, 16, 8, &bytes));
  MUST(bytes == 0);
}

static const struct kind kinds_of_byte_counts[] = {
    {KIND(zero_extent), .settings = "default", PASSES},
    {KIND(zero_extent), .settings = "strict", ERROR(ARG, "an extent is zero && GATOR_STRICT=1")},
    {GATOR(zero_bytes_gator), .settings = "default", PASSES},
    {GATOR(zero_bytes_gator), .settings = "strict",
     ERROR(ARG, "gatorAllocate: 0 bytes were asked for && GATOR_STRICT=1")},
    {KIND(negative_extent), ERROR(ARG, "dimension 2 has the negative extent -1 && look at how it was computed")},
    {KIND(byte_overflow),
     ERROR(OVERFLOW, "byte count of rank 2 with first extent 2147483648 and 8 bytes an element overflows "
                     "&& look at how the extents were computed")},
    {KIND(bound_overflow),
     ERROR(OVERFLOW, "upper bound of dimension 1 (lower bound 2147483639, extent 10) "
                     "&& does not fit 32-bit integers && pass extents and bounds as integer(int64)")},
    {KIND(bound_overflow_64),
     ERROR(OVERFLOW, "upper bound of dimension 1 && extent 10 && does not fit 64-bit integers")},
    {KIND(rank_too_large), ERROR(ARG, "rank 16 && a rank is 0 to 15")},
    {KIND(no_extents), ERROR(ARG, "rank 2 without extents")},
    {KIND(no_element_bytes), ERROR(ARG, "an element of 0 bytes")},
    {KIND(index_bits), ERROR(ARG, "indices of 16 bits && 32 and 64 are known")},
};
const struct table byte_counts_table = TABLE(kinds_of_byte_counts, NULL, NULL);

/* 0 bytes: NULL from gatorAllocate, a block of no bytes from all others. */
static void zero_bytes(void) {
  void *p = NULL;
  ASK(portable_alloc(0, "p", &p));
  MUST(p != NULL && portable_free(p) == 0);
}

/* A label of blanks counts as no label. */
static void label_blank(void) {
  void *p = NULL;
  ASK(portable_alloc(80, "", &p));
  MUST(portable_free(p) == 0);
}

/* A label of 300 characters, of which the first 255 are kept. */
static void label_long(void) {
  char label[301];
  void *p = NULL;
  portable_block found;
  memset(label, 'x', 300);
  label[300] = '\0';
  ASK(portable_alloc(80, label, &p));
  MUST(portable_pool_find(the_pool(), p, &found) == 0 && strlen(found.label) == 255);
  MUST(portable_free(p) == 0);
}

static const struct kind kinds_of_sizes_and_labels[] = {
    {KIND(zero_bytes), PASSES},
    {KIND(label_blank), PASSES},
    {KIND(label_long), PASSES},
};
const struct table sizes_and_labels_table = TABLE(kinds_of_sizes_and_labels, begin_running, end_running);
