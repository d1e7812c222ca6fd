/* descriptors.c - making, holding and dropping arrays from C; views; one element. Not in this file: every shape (go test ./arrays),
 * contents (contents.c), misuse (../misuse). */
#include "check.h"

static int64_t ended;

static void end(void *data, int64_t elements, void *payload) {
  CHECK(data != NULL);
  CHECK(portable_array_use_count(NULL) == 0);
  ended += elements;
  *(int *)payload += 1;
}

static portable_array make(int32_t order, const char *label) {
  const int64_t extents[] = {4, 3, 2};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_array a;
  config.order = order;
  config.zero = 1;
  CHECK_STATUS(portable_array_create(label, PORTABLE_KIND_REAL64, 0, 3, extents, &config, &a), PORTABLE_OK);
  return a;
}

static void test_owner(void) {
  portable_array a = make(PORTABLE_ORDER_FORTRAN, "owned"), b = a, view;
  CHECK(portable_array_use_count(&a) == 1 && portable_array_is_allocated(&a));
  CHECK(strcmp(a.label, "owned") == 0 && a.element_bytes == 8 && ((uintptr_t)a.data & 63) == 0);
  CHECK(portable_array_lbound(&a, 1) == 1 && portable_array_ubound(&a, 1) == 3 && portable_array_size(&a) == 24);
  CHECK(a.stride[0] == 1 && a.stride[1] == 4 && a.stride[2] == 12 && portable_array_is_contiguous(&a));
  CHECK(portable_array_extent(&a, 3) == 0 && portable_array_ubound(&a, -1) == -1);
  CHECK_STATUS(portable_array_retain(&b), PORTABLE_OK);
  CHECK_STATUS(portable_array_permute(&a, NULL, &view), PORTABLE_OK);
  CHECK(portable_array_use_count(&b) == 3 && view.order == PORTABLE_ORDER_C);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  CHECK(a.struct_size == 0 && portable_array_size(&a) == 0 && !portable_array_is_allocated(&a));
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK); /* no array: nothing */
  CHECK_STATUS(portable_array_deallocate(&b), PORTABLE_OK);
  CHECK(!portable_array_is_allocated(&view) && portable_array_use_count(&view) == 1);
  CHECK_STATUS(portable_array_permute(&view, NULL, &b), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_array_permute of 'owned': the memory of this array was released by portable_array_deallocate");
  CHECK(check_stats(check_default_pool()).in_use_blocks == 0);
  portable_array stale = view;
  CHECK_STATUS(portable_array_release(&view), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&stale), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("portable_array_release of 'owned': 0x");
  CHECK_STATUS(portable_array_retain(&stale), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_array_release(NULL), PORTABLE_OK);
  CHECK(portable_array_owner_use_count(stale.owner) == 0);
}

static void test_borrowed(void) {
  double data[24];
  const int64_t extents[] = {4, 3}, strides[] = {2, -8};
  int count = 0;
  portable_array a, view;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  for (int i = 0; i < 24; i++) data[i] = i;
  CHECK_STATUS(portable_array_wrap("borrowed", PORTABLE_KIND_REAL64, 0, data + 16, 2, extents, strides, NULL, &a), PORTABLE_OK);
  CHECK(portable_array_use_count(&a) == 0 && a.owner == 0);
  CHECK(*(double *)portable_array_at2(&a, 3, 1) == 14.0);
  CHECK_STATUS(portable_array_retain(&a), PORTABLE_OK);
  CHECK_STATUS(portable_array_deallocate(&a), PORTABLE_OK);
  CHECK(a.struct_size == 0 && data[14] == 14.0);
  config.end = end;
  config.payload = &count;
  CHECK_STATUS(portable_array_wrap("absorbed", PORTABLE_KIND_REAL64, 0, data, 2, extents, NULL, &config, &a), PORTABLE_OK);
  CHECK(portable_array_use_count(&a) == 1);
  CHECK_STATUS(portable_array_collapse(&a, 5, &view), PORTABLE_OK);
  CHECK(portable_array_lbound(&view, 0) == 5 && portable_array_ubound(&view, 0) == 16);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  CHECK(count == 0);
  CHECK_STATUS(portable_array_release(&view), PORTABLE_OK);
  CHECK(count == 1 && ended == 12);
}

static void test_views(void) {
  portable_array a = make(PORTABLE_ORDER_C, "views"), v, w;
  int64_t index[3], n = 0;
  void *element = NULL;
  for (int32_t more = portable_array_begin(&a, index); more; more = portable_array_next(&a, index)) *(double *)portable_array_at(&a, index) = (double)n++;
  CHECK(n == 24 && ((double *)a.data)[7] == 7.0);
  const portable_array_range ranges[3] = {PORTABLE_RANGE_ALL, PORTABLE_RANGE_INDEX(2), PORTABLE_RANGE_REVERSED};
  CHECK_STATUS(portable_array_slice(&a, ranges, &v), PORTABLE_OK);
  CHECK(v.rank == 2 && v.extent[0] == 4 && v.extent[1] == 2 && v.lower[1] == 0);
  CHECK(*(double *)portable_array_at2(&v, 1, 0) == 6 + 4 + 1 && *(double *)portable_array_at2(&v, 1, 1) == 6 + 4);
  CHECK_STATUS(portable_array_slice(&v, (const portable_array_range[]){PORTABLE_RANGE(1, 2), PORTABLE_RANGE_INDEX(1)}, &v), PORTABLE_OK); /* in place */
  CHECK(v.rank == 1 && portable_array_use_count(&a) == 2 && *(double *)portable_array_at1(&v, 1) == 12 + 4);
  CHECK(!portable_array_is_contiguous(&v));
  CHECK_STATUS(portable_array_subset_slowest(&a, 1, 2, &w), PORTABLE_OK);
  CHECK(w.extent[0] == 2 && *(double *)portable_array_at3(&w, 0, 0, 0) == 6.0 && portable_array_is_contiguous(&w));
  CHECK_STATUS(portable_array_reshape(&w, 2, (const int64_t[]){3, 4}, (const int64_t[]){1, 1}, &w), PORTABLE_OK);
  CHECK(*(double *)portable_array_at2(&w, 2, 1) == 10.0 && portable_array_use_count(&a) == 3);
  CHECK_STATUS(portable_array_rebase(&w, (const int64_t[]){-1, 0}, &w), PORTABLE_OK);
  CHECK(*(double *)portable_array_at2(&w, 0, 0) == 10.0);
  CHECK_STATUS(portable_array_locate(&w, 2, (const int64_t[]){1, 3}, &element), PORTABLE_OK);
  CHECK(*(double *)element == 17.0);
  CHECK_STATUS(portable_array_locate(&w, 2, (const int64_t[]){1, 4}, &element), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_array_locate of 'views': index 4 of dimension 2 is out of its bounds 0:3");
  CHECK(element == NULL);
  CHECK_STATUS(portable_array_data(&w, PORTABLE_SPACE_HOST, &element), PORTABLE_OK);
  CHECK(element == w.data);
  if (portable_stream_kind(0) == PORTABLE_STREAM_SYNC) { /* the default pool of a device of CUDA is reached by it */
    CHECK_STATUS(portable_array_data(&w, PORTABLE_SPACE_DEVICE(0), &element), PORTABLE_ERR_ARG);
    CHECK_TEXT("asked for by a kernel of device 0");
  }
  CHECK_STATUS(portable_array_release(&v), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&w), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
}

static void test_layouts(void) {
  const int32_t kij[] = {2, 0, 1};
  const int64_t extents[] = {5, 3, 4};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_array a;
  portable_pool pool = 0;
  config.order = PORTABLE_ORDER_PERMUTED;
  config.fastest = kij;
  CHECK_STATUS(portable_array_create("kij", PORTABLE_KIND_REAL32, 0, 3, extents, &config, &a), PORTABLE_OK);
  CHECK(a.stride[2] == 1 && a.stride[0] == 4 && a.stride[1] == 20 && a.lower[0] == 1 && a.order == PORTABLE_ORDER_PERMUTED);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  config.order = PORTABLE_ORDER_FORTRAN;
  config.row_bytes = 64;
  CHECK_STATUS(portable_pool_create(NULL, &pool), PORTABLE_OK);
  config.pool = pool;
  CHECK_STATUS(portable_array_create(NULL, PORTABLE_KIND_BYTES, 24, 3, extents, &config, &a), PORTABLE_OK);
  CHECK(a.stride[0] == 1 && a.stride[1] == 8 && a.stride[2] == 24 && strcmp(a.label, "array") == 0);
  CHECK(check_stats(pool).in_use_bytes == 24 * 24 * 4 && !portable_array_is_contiguous(&a));
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  CHECK(check_stats(pool).in_use_blocks == 0);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  CHECK_STATUS(portable_array_create("none", PORTABLE_KIND_INT8, 0, 3, (const int64_t[]){3, 0, INT64_MAX}, NULL, &a), PORTABLE_OK);
  CHECK(portable_array_size(&a) == 0 && portable_array_is_contiguous(&a) && portable_array_is_allocated(&a));
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  CHECK_STATUS(portable_array_create("scalar", PORTABLE_KIND_INT8, 0, 0, NULL, NULL, &a), PORTABLE_OK);
  CHECK(portable_array_size(&a) == 1);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
}

/* A pool that was destroyed has released the memory of its arrays. Releasing one is an error, but the handle is free for another array then. */
static void test_pool_destroyed(void) {
  const int64_t extents[] = {100};
  for (int ends = 0; ends < 2; ends++) {
    portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
    portable_array a;
    portable_pool pool = 0;
    CHECK_STATUS(portable_pool_create(NULL, &pool), PORTABLE_OK);
    config.pool = pool;
    CHECK_STATUS(portable_array_create("of a pool", PORTABLE_KIND_REAL64, 0, 1, extents, &config, &a), PORTABLE_OK);
    CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
    CHECK_STATUS(ends ? portable_array_deallocate(&a) : portable_array_release(&a), PORTABLE_ERR_HANDLE);
    CHECK_TEXT("of 'of a pool': no such pool: ");
    CHECK(!portable_array_is_allocated(&a) && a.struct_size == 0);
    CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  }
}

/* Arrays of an earlier run of the library: their memory is released, and releasing them does nothing. */
static void test_restart(void) {
  portable_array a = make(PORTABLE_ORDER_C, "earlier"), v;
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  portable_array b = make(PORTABLE_ORDER_C, "later");
  CHECK_STATUS(portable_array_collapse(&a, 0, &v), PORTABLE_ERR_STATE);
  CHECK_TEXT("the library was stopped");
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  CHECK(check_stats(check_default_pool()).in_use_blocks == 1);
  CHECK_STATUS(portable_array_release(&b), PORTABLE_OK);
}

struct wrong {
  portable_array a;
};

static void reaches_too_far(const portable_tile *t, void *args) {
  const struct wrong *w = (const struct wrong *)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) *(double *)portable_array_at3(&w->a, i, 3, 0) = 1.0;
}

static void test_checks(void) {
  uint32_t before = portable_checks();
  portable_bounds bounds = portable_bounds_1(4);
  struct wrong w;
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_ARRAYS), PORTABLE_OK);
  w.a = make(PORTABLE_ORDER_C, "checked");
  CHECK(w.a.flags == PORTABLE_ARRAY_CHECKED);
  CHECK_STATUS(portable_set_checks(before), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("far", &bounds, reaches_too_far, &w, sizeof w, NULL), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("of 'checked': index 3 of dimension 2 is out of its bounds 0:2");
  *(double *)portable_array_at3(&w.a, 3, 2, 1) = 5.0;
  CHECK(((double *)w.a.data)[23] == 5.0);
  CHECK_STATUS(portable_array_release(&w.a), PORTABLE_OK);
}

/* Programs can write into descriptors: a damaged one is refused by each call that reads the damaged member, and harms nothing. */
static void refused(const portable_array *bad, const char *text) {
  const int64_t lower[] = {1, 1, 1}, extent = 24;
  const portable_array_range all[] = {PORTABLE_RANGE_ALL, PORTABLE_RANGE_ALL, PORTABLE_RANGE_ALL};
  portable_array good = make(PORTABLE_ORDER_C, "good"), v;
  uint64_t sum;
  int32_t equal;
  struct portable__fortran_view pointer;
#define REFUSED(call)                      \
  do {                                     \
    CHECK_STATUS(call, PORTABLE_ERR_ARG);  \
    CHECK_TEXT("of 'damaged");             \
    CHECK_TEXT(text);                      \
  } while (0)
  REFUSED(portable_array_slice(bad, all, &v));
  REFUSED(portable_array_subset_slowest(bad, 1, 1, &v));
  REFUSED(portable_array_reshape(bad, 1, &extent, NULL, &v));
  REFUSED(portable_array_collapse(bad, 0, &v));
  REFUSED(portable_array_permute(bad, NULL, &v));
  REFUSED(portable_array_rebase(bad, lower, &v));
  REFUSED(portable_array_host_copy(bad, &v));
  REFUSED(portable_array_copy(bad, &good, NULL));
  REFUSED(portable_array_fill(bad, NULL, NULL));
  REFUSED(portable_array_checksum(bad, &sum));
  REFUSED(portable_array_equal(bad, bad, &equal));
  REFUSED(portable__fortran_array_get(PORTABLE_VERSION, bad, PORTABLE_KIND_REAL64, 3, &pointer));
  CHECK_STATUS(portable_array_copy(&good, bad, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT(text);
  CHECK_STATUS(portable_array_collapse(&good, 0, &v), PORTABLE_OK); /* the library goes on */
  CHECK_STATUS(portable_array_release(&v), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&good), PORTABLE_OK);
}

static void test_damaged(void) {
  static const int8_t wrong[][3] = {{0, 1, 3}, {0, 1, 15}, {0, 1, 127}, {-1, 1, 2}, {0, -128, 2}, {0, 0, 2}, {2, 1, 2}, {1, 1, 1}};
  for (int32_t order = 0; order < 2; order++) {
    portable_array a = make(order, "damaged"), b = a;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
      memcpy(b.fastest, wrong[i], 3);
      refused(&b, "the descriptor is damaged: entry ");
    }
    b = a;
    b.extent[1] = -3;
    refused(&b, "the descriptor is damaged: extent 2 is -3");
    b = a;
    b.order = 7;
    refused(&b, "the descriptor is damaged: its order is 7");
    CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  }
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  test_owner();
  test_borrowed();
  test_views();
  test_layouts();
  test_pool_destroyed();
  test_restart();
  test_checks();
  test_damaged();
  return check_end();
}
