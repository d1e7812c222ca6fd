/* halo.c - exchanges of boxes of all kinds of fields on ranks: each ghost cell equals the cell of the whole domain, with one
 * message for each neighbour; ghost cells add up exactly. Not in this file: lists (halo_lists.c), errors (halo_refused.c). */
#include "halo.h"

enum { FIELDS = 5 };

/* A field: one of its dimensions, `other`, is not shared, or there is none (-1). */
typedef struct field {
  portable_array array;
  int other;
  int32_t dims[3];
  void *memory;
} field;

static void make(const box *b, int i, field *f) {
  static const int32_t kinds[FIELDS] = {PORTABLE_KIND_REAL64, PORTABLE_KIND_INT16, PORTABLE_KIND_COMPLEX64, PORTABLE_KIND_INT8, PORTABLE_KIND_BYTES};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  int64_t extents[4], lower[4] = {-5, 0, -1, 7}, strides[4], step = 3;
  int32_t rank = b->rank + (i > 0), d, k = 0;
  f->other = i == 0 ? -1 : i % rank;
  f->memory = NULL;
  for (d = 0; d < rank; d++) {
    if (d == f->other) {
      extents[d] = 3;
      continue;
    }
    extents[d] = b->last[k] - b->first[k] + 1 + 2 * b->width[k];
    f->dims[k++] = d;
  }
  config.order = i % 2 ? PORTABLE_ORDER_FORTRAN : PORTABLE_ORDER_C;
  config.lower = lower;
  if (i < 3) { /* handles */
    CHECK_STATUS(portable_array_create("field", kinds[i], 0, rank, extents, &config, &f->array), PORTABLE_OK);
    return;
  }
  for (d = 0; d < rank; d++) { /* plain memory with gaps */
    strides[d] = step;
    step *= extents[d] + 1;
  }
  f->memory = calloc((size_t)step + 1, 24);
  CHECK_STATUS(portable_array_wrap("plain", kinds[i], i == 4 ? 24 : 0, f->memory, rank, extents, strides, &config, &f->array), PORTABLE_OK);
}

typedef void visitor(const box *b, field *f, int i, int64_t cell, int64_t other, int ghost, unsigned char *at, void *payload);

static void visit(const box *b, field *f, int i, visitor *v, void *payload) {
  const portable_array *const a = &f->array;
  int64_t index[4] = {0}, at[3], other = 0, offset;
  int32_t d, k;
  for (d = 0; d < a->rank; d++)
    if (!a->extent[d]) return;
  for (;;) {
    int ghost;
    for (d = k = 0, offset = 0; d < a->rank; d++) {
      offset += index[d] * a->stride[d];
      if (d == f->other) other = index[d]; else at[k++] = index[d];
    }
    const int64_t cell = cell_of(b, at, &ghost);
    v(b, f, i, cell, other, ghost, (unsigned char *)a->data + offset * (int64_t)a->element_bytes, payload);
    for (d = 0; d < a->rank && ++index[d] == a->extent[d]; d++) index[d] = 0;
    if (d == a->rank) return;
  }
}

static void fill(const box *b, field *f, int i, int64_t cell, int64_t other, int ghost, unsigned char *at, void *payload) {
  (void)b, (void)payload;
  memset(at, 0xee, f->array.element_bytes);
  if (!ghost) value_of(cell, other, i, f->array.element_bytes, at);
}

static void compare(const box *b, field *f, int i, int64_t cell, int64_t other, int ghost, unsigned char *at, void *payload) {
  unsigned char want[24];
  (void)b, (void)ghost;
  memset(want, 0xee, sizeof want);
  if (cell >= 0) value_of(cell, other, i, f->array.element_bytes, want);
  *(int64_t *)payload += memcmp(at, want, f->array.element_bytes) != 0;
}

/* ---- additions ---- */

static void number(const box *b, field *f, int i, int64_t cell, int64_t other, int ghost, unsigned char *at, void *payload) {
  const double x = (double)(cell >= 0 ? cell * 3 + 1 : -1000);
  int64_t *const copies = payload;
  (void)b, (void)f, (void)i, (void)other;
  memcpy(at, &x, sizeof x);
  if (ghost && cell >= 0) copies[cell]++;
}

static void added(const box *b, field *f, int i, int64_t cell, int64_t other, int ghost, unsigned char *at, void *payload) {
  const int64_t *const copies = payload;
  double x;
  (void)b, (void)f, (void)i, (void)other;
  memcpy(&x, at, sizeof x);
  CHECK(x == (double)(cell >= 0 ? (cell * 3 + 1) * (ghost ? 1 : 1 + copies[cell]) : -1000)); /* ghost cells stay */
}

static void check_additions(const box *b, portable_halo halo, field *f) {
  portable_fields one;
  int64_t cells = 1, *copies;
  int32_t d;
  for (d = 0; d < b->rank; d++) cells *= b->global[d];
  copies = calloc((size_t)cells + 1, sizeof *copies);
  CHECK_STATUS(portable_fields_create("one", &one), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(one, "sum", &f->array, b->rank, f->dims), PORTABLE_OK);
  visit(b, f, 0, number, copies);
  MPI_Allreduce(MPI_IN_PLACE, copies, (int)cells, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  CHECK_STATUS(portable_halo_add(halo, one, NULL), PORTABLE_OK);
  visit(b, f, 0, added, copies);
  CHECK_STATUS(portable_fields_destroy(one), PORTABLE_OK);
  free(copies);
}

/* ---- one box ---- */

/* Other ranks that this one gets cells from. */
static int neighbours(const portable_messenger *m, const box *b, const int32_t *grid) {
  int at[3], list[27], n = 0, d, k, move;
  int rest = m->rank;
  for (d = b->rank - 1; d >= 0; d--) at[d] = rest % grid[d], rest /= grid[d];
  for (move = 0; move < 27; move++) {
    const int by[3] = {move % 3 - 1, move / 3 % 3 - 1, move / 9 - 1};
    int rank = 0, moves = 0, good = 1;
    for (d = 0; d < 3; d++) moves += by[d] != 0, good &= !by[d] || (d < b->rank && b->width[d]);
    for (d = 0; d < b->rank; d++) {
      const int to = at[d] + by[d];
      if ((to < 0 || to >= grid[d]) && !b->periodic[d]) good = 0;
      rank = rank * grid[d] + (to + grid[d]) % grid[d];
    }
    if (!good || !moves || (b->faces && moves > 1) || rank == m->rank) continue;
    for (k = 0; k < n && list[k] != rank; k++) continue;
    if (k == n) list[n++] = rank;
  }
  return n;
}

static void check_box(MPI_Comm comm, box *b, const int32_t *grid, int cart) {
  portable_halo_box_options options = PORTABLE_HALO_BOX_OPTIONS_INIT;
  portable_messenger me = {0};
  portable_halo halo;
  portable_fields fields;
  field list[FIELDS];
  int64_t wrong = 0;
  int i, step, others;
  options.rank = b->rank;
  options.global = b->global;
  options.width = b->width;
  options.faces = b->faces;
  if (!cart) options.periodic = b->periodic, options.grid = grid;
  MPI_Comm_rank(comm, &me.rank);
  CHECK_STATUS(portable_mpi_halo_box("test", comm, &options, &halo), PORTABLE_OK);
  if (check_failures) MPI_Abort(MPI_COMM_WORLD, 1);
  CHECK_STATUS(portable_halo_own(halo, b->first, b->last), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create(NULL, &fields), PORTABLE_OK);
  for (i = 0; i < FIELDS; i++) {
    char name[8];
    make(b, i, &list[i]);
    snprintf(name, sizeof name, "f%d", i);
    CHECK_STATUS(portable_fields_add(fields, name, &list[i].array, b->rank, list[i].dims), PORTABLE_OK);
  }
  forget_messages();
  others = neighbours(&me, b, grid);
  for (step = 0; step < 2; step++) {
    for (i = 0; i < FIELDS; i++) visit(b, &list[i], i, fill, NULL);
    CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
    for (i = 0; i < FIELDS; i++) visit(b, &list[i], i, compare, &wrong);
  }
  CHECK(wrong == 0);
  CHECK(sent <= others && received <= others && !doubled && started == 2 * (sent + received)); /* fewer: empty blocks of cells */
  CHECK(sent == others || b->global[0] * b->global[b->rank - 1] < 40);
  CHECK(other_messages == 0);
  check_additions(b, halo, &list[0]);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  for (i = 0; i < FIELDS; i++) {
    CHECK_STATUS(portable_array_release(&list[i].array), PORTABLE_OK);
    free(list[i].memory);
  }
}

int main(int argc, char **argv) {
  int ranks, i, d, most = argc > 1 ? atoi(argv[1]) : 20;
  unsigned seed = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (i = 0; i < most && !check_failures; i++) { /* all ranks choose the same boxes */
    box b = {0};
    int32_t grid[3] = {1, 1, 1};
    int dims[3] = {0, 0, 0}, periods[3], cart = i % 2;
    MPI_Comm comm = MPI_COMM_WORLD;
    b.rank = 1 + i % 3;
    MPI_Dims_create(ranks, b.rank, dims);
    for (d = 0; d < b.rank; d++) {
      const int from = i % 4 < 2 ? d : b.rank - 1 - d;
      seed = seed * 1103515245u + 12345u;
      grid[d] = (int32_t)dims[from];
      b.width[d] = (int64_t)(seed >> 16) % 4;
      periods[d] = b.periodic[d] = (int32_t)(seed >> 20) % 2;
      b.global[d] = grid[d] * (b.width[d] + 1) + (int64_t)(seed >> 24) % 3;
    }
    b.faces = (int32_t)(seed >> 28) % 3 == 0;
    if (cart) {
      for (d = 0; d < b.rank; d++) dims[d] = (int)grid[d];
      MPI_Cart_create(MPI_COMM_WORLD, b.rank, dims, periods, 0, &comm);
    }
    check_box(comm, &b, grid, cart);
    if (cart) MPI_Comm_free(&comm);
  }
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  i = check_end();
  MPI_Finalize();
  return i;
}
