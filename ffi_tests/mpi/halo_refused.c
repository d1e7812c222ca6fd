/* halo_refused.c - ranks that disagree: about the shape of a halo, about fields, or because one of them has an error. Each rank gets
 * an error that names the cause, and none waits for ever; afterwards a right exchange works. Not in this file: what a single rank
 * refuses (ffi_tests/halo). */
#include "halo.h"

static int rank, ranks;
static double u[64], v[64];
static float w[64];

static portable_fields list(int count, const char *const *names, const int32_t *kinds, int64_t extent, int64_t other) {
  const int64_t extents[2] = {extent, other};
  portable_fields fields;
  int i;
  CHECK_STATUS(portable_fields_create("state", &fields), PORTABLE_OK);
  for (i = 0; i < count; i++) {
    portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
    portable_array a;
    config.order = PORTABLE_ORDER_FORTRAN;
    CHECK_STATUS(portable_array_wrap("a", kinds[i], 0, kinds[i] == PORTABLE_KIND_REAL32 ? (void *)w : i ? (void *)v : (void *)u, 2, extents, NULL, &config, &a), PORTABLE_OK);
    CHECK_STATUS(portable_fields_add(fields, names[i], &a, 0, NULL), PORTABLE_OK);
  }
  return fields;
}

static portable_halo halo_of(int64_t cells, portable_status want) {
  portable_halo_box_options o = PORTABLE_HALO_BOX_OPTIONS_INIT;
  portable_halo halo;
  o.rank = 1;
  o.global = &cells;
  CHECK_STATUS(portable_mpi_halo_box("line", MPI_COMM_WORLD, &o, &halo), want);
  return halo;
}

static void refused(portable_halo halo, portable_fields fields, portable_status status, const char *text) {
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), status);
  CHECK_TEXT(text);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
}

/* The last rank releases the memory of its field after an exchange. Its neighbours end the next ones with an error that names it, their cells stay
 * as they are, the others see nothing, and other fields go on. */
static void released(portable_halo halo) {
  const int odd = rank == ranks - 1, near = rank == ranks - 2;
  const int64_t extent = 6;
  const portable_status want = near ? PORTABLE_ERR_STATE : PORTABLE_OK;
  char text[80];
  portable_fields fields, others;
  portable_array a, b;
  int step;
  snprintf(text, sizeof text, "halo 'line': rank %d has an error, and its cells have not come", ranks - 1);
  CHECK_STATUS(portable_array_create("a", PORTABLE_KIND_REAL64, 0, 1, &extent, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("gone", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "a", &a, 0, NULL), PORTABLE_OK);
  for (step = 0; step < 6; step++) ((double *)a.data)[step] = 10 * rank + step;
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_add(halo, fields, NULL), PORTABLE_OK);
  portable_launch_config wrong = PORTABLE_LAUNCH_CONFIG_INIT;
  wrong.struct_size = 1;
  CHECK_STATUS(portable_halo_begin(halo, fields, odd ? &wrong : NULL), odd ? PORTABLE_ERR_ARG : PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), odd ? PORTABLE_ERR_STATE : want);
  if (near) CHECK_TEXT(text);
  CHECK_STATUS(portable_halo_add(halo, fields, odd ? &wrong : NULL), odd ? PORTABLE_ERR_ARG : want);
  if (near) CHECK_TEXT(text);
  if (odd) CHECK_STATUS(portable_array_deallocate(&a), PORTABLE_OK);
  else ((double *)a.data)[5] = ((double *)a.data)[0] = -1;
  for (step = 0; step < 2; step++) {
    CHECK_STATUS(portable_halo_begin(halo, fields, NULL), odd ? PORTABLE_ERR_STATE : PORTABLE_OK);
    if (odd) CHECK_TEXT("the memory of field 1 'a' was released");
    CHECK_STATUS(portable_halo_end(halo, fields, NULL), odd ? PORTABLE_ERR_STATE : want);
    if (near) CHECK_TEXT(text);
    if (near) CHECK(((double *)a.data)[5] == -1 && ((double *)a.data)[0] == -1);
    CHECK_STATUS(portable_halo_add(halo, fields, NULL), odd ? PORTABLE_ERR_STATE : want);
    if (near) CHECK_TEXT(text);
  }
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), odd ? PORTABLE_ERR_STATE : PORTABLE_OK);
  CHECK_STATUS(portable_halo_cancel(halo), want);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("b", PORTABLE_KIND_REAL64, 0, u, 1, &extent, NULL, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("others", &others), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(others, "b", &b, 0, NULL), PORTABLE_OK);
  u[1] = u[4] = rank + 7;
  CHECK_STATUS(portable_halo_begin(halo, others, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, others, NULL), PORTABLE_OK);
  CHECK(rank == 0 || u[0] == rank + 6);
  CHECK_STATUS(portable_fields_destroy(others), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
}

int main(int argc, char **argv) {
  static const char *const names[3] = {"u", "v", "extra"}, *const swapped[2] = {"v", "u"};
  static const int32_t kinds[3] = {PORTABLE_KIND_REAL64, PORTABLE_KIND_REAL64, PORTABLE_KIND_REAL64}, mixed[2] = {PORTABLE_KIND_REAL64, PORTABLE_KIND_REAL32};
  portable_launch_config wrong = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_fields fields;
  portable_halo halo;
  int odd;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  odd = rank == ranks - 1; /* the rank that differs */
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);

  halo_of(4 * ranks + odd, PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_halo_box 'line': another rank gave another shape, width, period or grid");
  halo_of(ranks - 1, PORTABLE_ERR_ARG);
  CHECK_TEXT("width 1 of dimension 1 is above the 0 cells of a rank there");
  halo = halo_of(odd ? -1 : 4 * ranks, PORTABLE_ERR_ARG);
  CHECK_TEXT(odd ? "dimension 1 has -1 cells" : "another rank has an error; its text is on that rank");
  halo = halo_of(4 * ranks, PORTABLE_OK);

  refused(halo, list(odd ? 3 : 2, names, kinds, 6, 2), PORTABLE_ERR_ARG, odd ? "halo 'line': this rank has 3 fields, another one has more or fewer" : "this rank has 2 fields");
  refused(halo, list(2, names, odd ? mixed : kinds, 6, 2), PORTABLE_ERR_ARG, odd ? "field 2 differs on another rank; here it is 'v', real32, rank 2, dims 1, other extents 2" : "here it is 'v', real64");
  refused(halo, list(2, odd ? swapped : names, kinds, 6, 2), PORTABLE_ERR_ARG, "field 1 differs on another rank");
  refused(halo, list(1, names, kinds, 6, odd ? 3 : 2), PORTABLE_ERR_ARG, odd ? "other extents 3" : "other extents 2");
  refused(halo, list(1, names, kinds, odd ? 7 : 6, 2), PORTABLE_ERR_ARG, odd ? "extent 1 of field 1 'u' is 7; it is 6" : "another rank has an error");
  refused(halo, list(odd ? 0 : 1, names, kinds, 6, 2), PORTABLE_ERR_ARG, odd ? "there is no field" : "another rank has an error");

  fields = list(2, names, kinds, 6, 2);
  wrong.struct_size = 1;
  CHECK_STATUS(portable_halo_begin(halo, fields, odd ? &wrong : NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT(odd ? "launch.struct_size is 1" : "another rank has an error");
  CHECK_STATUS(portable_halo_add(halo, fields, odd ? &wrong : NULL), PORTABLE_ERR_ARG);
  u[1] = u[4] = rank + 1;
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
  CHECK(u[0] == rank && u[5] == (rank + 1 < ranks ? rank + 2 : 0));
  CHECK_STATUS(portable_halo_add(halo, fields, odd ? &wrong : NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT(odd ? "launch.struct_size is 1" : "another rank has an error");
  no_memory = odd;
  CHECK_STATUS(portable_halo_add(halo, fields, NULL), PORTABLE_ERR_DEVICE);
  CHECK_TEXT(odd ? "the transport failed: prepare gave the code" : "another rank has an error");
  no_memory = 0;
  CHECK_STATUS(portable_halo_add(halo, fields, NULL), PORTABLE_OK);
  CHECK(u[1] == rank + 1 + (rank > 0 ? rank + 1 : 0) && u[4] == rank + 1 + (rank + 1 < ranks ? rank + 1 : 0));
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  released(halo);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  odd = check_end();
  MPI_Finalize();
  return odd;
}
