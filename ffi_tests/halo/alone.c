/* alone.c - halos without a transport: periodic cells of one rank, bounds of inner and rim cells, and what each function refuses
 * with its text. Not in this file: several ranks (ffi_tests/mpi). */
#include "check.h"

#include <math.h>

enum { NX = 7, NY = 5 };

static portable_halo box(int32_t rank, const int64_t *global, const int64_t *width, const int32_t *periodic) {
  portable_halo_box_options options = PORTABLE_HALO_BOX_OPTIONS_INIT;
  portable_halo halo = 0;
  options.rank = rank;
  options.global = global;
  options.width = width;
  options.periodic = periodic;
  CHECK_STATUS(portable_halo_box("ghosts", NULL, &options, &halo), PORTABLE_OK);
  return halo;
}

/* ---- periodic onto itself ---- */

static void check_periodic(void) {
  static double u[NY + 2][NX + 4];
  const int64_t global[2] = {NX, NY}, width[2] = {2, 1}, extents[2] = {NX + 4, NY + 2};
  const int32_t periodic[2] = {1, 1};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  const portable_halo halo = box(2, global, width, periodic);
  portable_fields fields;
  portable_array a;
  int64_t first[2], last[2];
  int i, j;
  config.order = PORTABLE_ORDER_FORTRAN;
  CHECK_STATUS(portable_array_wrap("u", PORTABLE_KIND_REAL64, 0, u, 2, extents, NULL, &config, &a), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("state", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "u", &a, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_own(halo, first, last), PORTABLE_OK);
  CHECK(first[0] == 0 && last[0] == NX - 1 && first[1] == 0 && last[1] == NY - 1);
  for (j = 0; j < NY; j++)
    for (i = 0; i < NX; i++) u[j + 1][i + 2] = 100 * j + i;
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK(u[0][0] == 0); /* nothing is written before the end */
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
  for (j = 0; j < NY + 2; j++)
    for (i = 0; i < NX + 4; i++) CHECK(u[j][i] == 100 * ((j - 1 + NY) % NY) + (i - 2 + NX) % NX);
  for (j = 0; j < NY + 2; j++)
    for (i = 0; i < NX + 4; i++) u[j][i] = 1;
  CHECK_STATUS(portable_halo_add(halo, fields, NULL), PORTABLE_OK);
  CHECK(u[1][2] == 4 && u[2][2] == 2 && u[1][4] == 2 && u[2][4] == 1 && u[0][0] == 1); /* a corner cell has three copies */
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
}

/* ---- memory for kernels, which of the device `emulated` the host cannot access ---- */

static void copy(const portable_array *from, double (*to)[NX + 4]) {
  const int64_t extents[2] = {NX + 4, NY + 2};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_array here;
  config.order = PORTABLE_ORDER_FORTRAN;
  CHECK_STATUS(portable_array_wrap("here", PORTABLE_KIND_REAL64, 0, to, 2, extents, NULL, &config, &here), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(from, &here, NULL), PORTABLE_OK);
}

static void check_far(void) {
  static double u[NY + 2][NX + 4], after[NY + 2][NX + 4];
  const int64_t global[2] = {NX, NY}, width[2] = {2, 1}, extents[2] = {NX + 4, NY + 2};
  const int32_t periodic[2] = {1, 1};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  const portable_halo halo = box(2, global, width, periodic);
  portable_fields fields;
  portable_array far, here;
  int i, j;
  for (j = 0; j < NY; j++)
    for (i = 0; i < NX; i++) u[j + 1][i + 2] = 100 * j + i;
  config.order = PORTABLE_ORDER_FORTRAN;
  CHECK_STATUS(portable_array_wrap("u", PORTABLE_KIND_REAL64, 0, u, 2, extents, NULL, &config, &here), PORTABLE_OK);
  config.space = portable_space_of_device(0);
  CHECK_STATUS(portable_array_create("far", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &far), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&here, &far, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("far", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "far", &far, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
  copy(&far, after);
  for (j = 0; j < NY + 2; j++)
    for (i = 0; i < NX + 4; i++) CHECK(after[j][i] == 100 * ((j - 1 + NY) % NY) + (i - 2 + NX) % NX);
  CHECK_STATUS(portable_halo_add(halo, fields, NULL), PORTABLE_OK);
  copy(&far, after);
  CHECK(after[1][2] == 0 && after[1][3] == 4 && after[2][4] == 102 && after[3][4] == 202);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&far), PORTABLE_OK);
}

/* ---- inner and rim ---- */

static void check_split(void) {
  const int64_t global[2] = {NX, NY}, width[2] = {2, 1}, lower[2] = {-3, 10}, narrow[1] = {3};
  const portable_halo halo = box(2, global, width, NULL), small = box(1, narrow, width, NULL);
  portable_bounds inner, rim[6];
  int seen[NY][NX] = {{0}};
  int32_t count = 0, k;
  CHECK_STATUS(portable_halo_split(halo, PORTABLE_ORDER_FORTRAN, lower, &inner, rim, &count), PORTABLE_OK);
  CHECK(inner.rank == 2 && inner.order == PORTABLE_ORDER_FORTRAN && inner.lower[0] == -1 && inner.upper[0] == 1 && inner.lower[1] == 11 && inner.upper[1] == 13);
  CHECK(count == 4);
  for (k = -1; k < count; k++) {
    const portable_bounds *b = k < 0 ? &inner : &rim[k];
    int64_t i, j;
    for (j = b->lower[1]; j <= b->upper[1]; j++)
      for (i = b->lower[0]; i <= b->upper[0]; i++) seen[j - 10][i + 3]++;
  }
  for (k = 0; k < NX * NY; k++) CHECK(seen[k / NX][k % NX] == 1);
  CHECK_STATUS(portable_halo_split(small, PORTABLE_ORDER_C, NULL, &inner, rim, &count), PORTABLE_OK);
  CHECK(inner.upper[0] < inner.lower[0] && count == 2 && rim[0].lower[0] == 0 && rim[0].upper[0] == 1 && rim[1].lower[0] == 2 && rim[1].upper[0] == 2);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(small), PORTABLE_OK);
}

/* ---- lists of one rank ---- */

static void check_lists(void) {
  int64_t cells[6] = {10, 11, 12, 0, 0, 0};
  const int64_t extent = 6, row[2] = {1, 4}, send[3] = {2, 2, 1}, receive[3] = {4, 5, 6};
  const int32_t self = 0;
  portable_halo_lists_options options = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  portable_fields fields;
  portable_array a;
  portable_halo halo;
  int64_t first[1], last[1];
  options.neighbours = 1;
  options.neighbour = &self;
  options.send_row = options.recv_row = row;
  options.send_index = send;
  options.recv_index = receive;
  options.base = 1;
  CHECK_STATUS(portable_halo_lists(NULL, NULL, &options, &halo), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("c", PORTABLE_KIND_INT64, 0, cells, 1, &extent, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("cells", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "c", &a, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
  CHECK(cells[3] == 11 && cells[4] == 11 && cells[5] == 10);
  CHECK_STATUS(portable_halo_add(halo, fields, NULL), PORTABLE_OK);
  CHECK(cells[0] == 20 && cells[1] == 33 && cells[2] == 12 && cells[3] == 11);
  CHECK_STATUS(portable_halo_own(halo, first, last), PORTABLE_ERR_ARG);
  CHECK_TEXT("a halo of lists has no block");
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
}

/* ---- particles of one rank ---- */

static void check_particles(void) {
  static double x[5] = {1, 2, 3, 4, 5};
  const int32_t owner[5] = {0, 0, 0, 0, 1};
  const int64_t five = 5;
  portable_fields fields;
  portable_array a;
  int64_t n = -1;
  CHECK_STATUS(portable_array_wrap("x", PORTABLE_KIND_REAL64, 0, x, 1, &five, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("beam", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "x", &a, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_particles_migrate("beam", NULL, owner, 4, fields, NULL, &n), PORTABLE_OK);
  CHECK(n == 4 && x[0] == 1 && x[3] == 4 && x[4] == 5);
  CHECK_STATUS(portable_particles_migrate("beam", NULL, NULL, 0, fields, NULL, &n), PORTABLE_OK);
  CHECK(n == 0);
  CHECK_STATUS(portable_particles_migrate("beam", NULL, owner, 5, fields, NULL, &n), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_particles_migrate 'beam': the owner of particle 5 of 5 is rank 1; the ranks are 0 to 0");
  CHECK_STATUS(portable_particles_migrate("beam", NULL, owner, 6, fields, NULL, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("count_out is NULL");
  portable_messenger none;
  memset(&none, 0, sizeof none);
  CHECK_STATUS(portable_particles_migrate("beam", &none, owner, 4, fields, NULL, &n), PORTABLE_ERR_ARG);
  CHECK_TEXT("messenger.struct_size is 0");
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  launch.struct_size = 1;
  CHECK_STATUS(portable_particles_migrate("beam", NULL, owner, 4, fields, &launch, &n), PORTABLE_ERR_ARG);
  CHECK_TEXT("launch.struct_size is 1");
  launch.struct_size = sizeof launch;
  launch.device = 99; /* the sort refuses it first */
  CHECK_STATUS(portable_particles_migrate("beam", NULL, owner, 4, fields, &launch, &n), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT("portable_particles_migrate 'beam': there is no device 99");
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
}

/* One rank has no ghosts; each argument is looked at. */
static void check_ghosts(void) {
  double x[3] = {0.5, 1.5, 2.5};
  const void *at[3] = {x, x, x};
  portable_ghosts_options o = PORTABLE_GHOSTS_OPTIONS_INIT;
  portable_halo near = 0, before;
  int64_t n = -1;
  CHECK_STATUS(portable_particles_ghosts(NULL, NULL, PORTABLE_KIND_REAL64, 2, at, 3, 0.5, NULL, 0, &near, &n), PORTABLE_OK);
  CHECK(n == 3 && near);
  before = near;
#define REFUSED(status, text, ...) \
  CHECK_STATUS(portable_particles_ghosts("near", __VA_ARGS__), status); \
  CHECK_TEXT(text); \
  CHECK(near == before && n == 3)
  portable_messenger none;
  memset(&none, 0, sizeof none);
  REFUSED(PORTABLE_ERR_ARG, "messenger.struct_size is 0", &none, PORTABLE_KIND_REAL64, 1, at, 3, 0.5, NULL, 0, &near, &n);
  REFUSED(PORTABLE_ERR_ARG, "halo is NULL", NULL, PORTABLE_KIND_REAL64, 1, at, 3, 0.5, NULL, 0, NULL, &n);
  REFUSED(PORTABLE_ERR_ARG, "count_out is NULL", NULL, PORTABLE_KIND_REAL64, 1, at, 3, 0.5, NULL, 0, &near, NULL);
  REFUSED(PORTABLE_ERR_ARG, "kind is 3; positions are", NULL, PORTABLE_KIND_INT32, 1, at, 3, 0.5, NULL, 0, &near, &n);
  REFUSED(PORTABLE_ERR_ARG, "rank is 0; it is 1 to 3", NULL, PORTABLE_KIND_REAL64, 0, at, 3, 0.5, NULL, 0, &near, &n);
  REFUSED(PORTABLE_ERR_ARG, "position of dimension 1 is NULL", NULL, PORTABLE_KIND_REAL64, 1, NULL, 3, 0.5, NULL, 0, &near, &n);
  at[1] = NULL;
  REFUSED(PORTABLE_ERR_ARG, "position of dimension 2 is NULL", NULL, PORTABLE_KIND_REAL64, 2, at, 3, 0.5, NULL, 0, &near, &n);
  REFUSED(PORTABLE_ERR_ARG, "cutoff is inf; it is above 0", NULL, PORTABLE_KIND_REAL64, 1, at, 3, HUGE_VAL, NULL, 0, &near, &n);
  o.periodic[0] = 1;
  o.low[0] = 1;
  o.high[0] = 4;
  REFUSED(PORTABLE_ERR_ARG, "portable_particles_ghosts 'near': coordinate 1 of particle 1 of 3 on rank 0 is 0.5, outside of 1 to 4", NULL, PORTABLE_KIND_REAL64, 1, at, 3, 0.5, &o, 0, &near, &n);
  REFUSED(PORTABLE_ERR_HANDLE, "list of fields", NULL, PORTABLE_KIND_REAL64, 1, at, 3, 0.5, NULL, 77, &near, &n);
#undef REFUSED
  CHECK_STATUS(portable_halo_destroy(near), PORTABLE_OK);
}

/* ---- refusals ---- */

static void refused_box(portable_halo_box_options o, const char *text) {
  portable_halo halo = 1;
  CHECK_STATUS(portable_halo_box("wrong", NULL, &o, &halo), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_halo_box 'wrong': ");
  CHECK_TEXT(text);
  CHECK(halo == 0);
}

static void check_refused_boxes(void) {
  const int64_t global[2] = {4, 6}, wide[2] = {5, 0}, negative[2] = {-1, 1};
  const int32_t periodic[2] = {1, 0}, grid[2] = {2, 1};
  const portable_halo_box_options init = PORTABLE_HALO_BOX_OPTIONS_INIT;
  portable_halo_box_options o = init;
  portable_halo halo;
  CHECK_STATUS(portable_halo_box("wrong", NULL, NULL, &halo), PORTABLE_ERR_ARG);
  CHECK_TEXT("options is NULL");
  refused_box(o, "rank is not 1 to 3");
  o.rank = 2;
  refused_box(o, "global is NULL");
  o.global = global;
  CHECK_STATUS(portable_halo_box("wrong", NULL, &o, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("halo_out is NULL");
  o.width = wide;
  o.periodic = periodic;
  refused_box(o, "width 5 of dimension 1 is above the 4 cells of a rank there");
  o.width = negative;
  refused_box(o, "width of dimension 1 is -1");
  o.width = NULL;
  o.grid = grid;
  refused_box(o, "the grid of ranks has 2 places for 1 ranks");
  o.struct_size = 2;
  refused_box(o, "struct_size");
  portable_messenger none;
  memset(&none, 0, sizeof none);
  CHECK_STATUS(portable_halo_box("wrong", &none, &o, &halo), PORTABLE_ERR_ARG);
  CHECK_TEXT("messenger.struct_size is 0");
}

static void check_refused_lists(void) {
  const int32_t self[2] = {0, 0};
  const int64_t rows[3] = {0, 1, 1}, bad[3] = {0, 2, 1}, two[2] = {0, 2}, send[2] = {0, 1}, same[1] = {0}, last[1] = {2};
  portable_halo_lists_options o = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  portable_halo halo;
#define REFUSED(text) CHECK_STATUS(portable_halo_lists("wrong", NULL, &o, &halo), PORTABLE_ERR_ARG); CHECK_TEXT(text)
  o.neighbours = 1;
  REFUSED("neighbour, send_row or recv_row is NULL");
  o.neighbour = self;
  o.send_row = o.recv_row = rows;
  REFUSED("send_index is NULL");
  o.send_index = send;
  o.recv_index = same;
  REFUSED("cell 0 is sent and received");
  o.send_row = two;
  o.recv_index = last;
  REFUSED("neighbour 1 is this rank: 2 cells are sent and 1 received");
  o.send_row = rows;
  o.recv_index = same;
  o.neighbours = 2;
  o.send_index = send + 1;
  REFUSED("neighbour 2 is rank 0 again");
  o.send_row = bad;
  REFUSED("send_row of neighbour 3 begins at 1 entries");
  o.base = 2;
  REFUSED("base is not 0 or 1");
  CHECK_STATUS(portable_halo_lists("wrong", NULL, NULL, &halo), PORTABLE_ERR_ARG);
  CHECK_TEXT("options is NULL");
}

static void check_refused_fields(void) {
  static double u[9], v[8];
  const int64_t nine = 9, eight = 8, seven = 7;
  const int32_t outside = 1;
  portable_array a, b, none = PORTABLE_ARRAY_NONE, gone;
  portable_fields fields, empty;
  const portable_halo halo = box(1, &seven, NULL, NULL);
  CHECK_STATUS(portable_array_wrap("u", PORTABLE_KIND_REAL64, 0, u, 1, &nine, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("v", PORTABLE_KIND_LOGICAL64, 0, v, 1, &eight, NULL, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("state", NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_fields_create("state", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("empty", &empty), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, NULL, &a, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("no name");
  CHECK_STATUS(portable_fields_add(fields, "u", &none, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_fields_add 'u': there is no array");
  CHECK_STATUS(portable_fields_add(fields, "u", &a, 1, &outside), PORTABLE_ERR_ARG);
  CHECK_TEXT("dims names a dimension");
  CHECK_STATUS(portable_fields_add(fields, "u", &a, 4, &outside), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_fields_add(fields, "u", &a, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "u", &b, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("a field of this name");
  CHECK_STATUS(portable_halo_begin(halo, empty, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("there is no field");
  CHECK_STATUS(portable_fields_add(empty, "v", &b, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, empty, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("halo 'ghosts': extent 1 of field 1 'v' is 8; it is 9: the 7 cells of this rank and 1 ghost cells at each side");
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("no exchange of 'state' is in progress");
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_halo_add(halo, fields, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_fields_add(fields, "w", &a, 0, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_fields_add 'w': an exchange is in progress with the list 'state'");
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_halo_cancel(halo), PORTABLE_OK);
  CHECK_STATUS(portable_halo_cancel(halo), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "w", &a, 0, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("has used the list");
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("list of fields");
  CHECK_STATUS(portable_fields_destroy(empty), PORTABLE_OK);

  /* kinds that cannot be added, and memory that was released */
  CHECK_STATUS(portable_fields_create("kinds", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_array_create("gone", PORTABLE_KIND_LOGICAL8, 0, 1, &nine, NULL, &gone), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "mask", &gone, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_add(halo, fields, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("field 1 'mask' is of kind logical8, which cannot be added");
  CHECK_STATUS(portable_array_deallocate(&gone), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("the memory of field 1 'mask' was released");
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("is not a halo");
}

/* ---- a stop between exchanges ---- */

static void check_stop(void) {
  static double u[9];
  const int64_t nine = 9, seven = 7;
  portable_fields fields;
  portable_array a;
  const portable_halo halo = box(1, &seven, NULL, NULL);
  CHECK_STATUS(portable_array_wrap("u", PORTABLE_KIND_REAL64, 0, u, 1, &nine, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("state", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "u", &a, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("the library stopped after the first exchange of 'state'");
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  check_periodic();
  check_far();
  check_split();
  check_lists();
  check_particles();
  check_ghosts();
  check_refused_boxes();
  check_refused_lists();
  check_refused_fields();
  check_stop();
  return check_end();
}
