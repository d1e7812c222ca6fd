/* pack.c - the launch that copies rows of fields into messages, out of them, or adds them. Main
 * function: portable__halo_move. Threads: any; rows of one launch share no element. */
#include <string.h>

#include "../launch/launch.h"
#include "halo.h"

#define SMALL 32768 /* fewer bytes are moved by the calling thread: they take less time than a wake-up */

struct task {
  const struct portable__halo_list *list;
  char *buffer;
  int64_t from, to, unit; /* rows */
  int32_t way, reserved;
};

/* ---- one row ---- */

#define COPY(n)                                                                                   \
  if (way == PORTABLE__HALO_PACK)                                                                 \
    for (int64_t i = 0; i < extent; i++) memcpy(buffer + i * (n), at + i * step, (size_t)(n));    \
  else                                                                                            \
    for (int64_t i = 0; i < extent; i++) memcpy(at + i * step, buffer + i * (n), (size_t)(n))

static inline void copy_row(char *at, int64_t step, int64_t extent, int32_t bytes, char *buffer, int32_t way) {
  switch (bytes) {
    case 1: COPY(1); break;
    case 2: COPY(2); break;
    case 4: COPY(4); break;
    case 8: COPY(8); break;
    case 16: COPY(16); break;
    default: COPY(bytes);
  }
}

#define ADD(type, parts)                                         \
  for (int64_t i = 0; i < extent; i++)                           \
    for (int32_t k = 0; k < (parts); k++) {                      \
      char *const to = at + i * step + k * (int32_t)sizeof(type); \
      type a, b;                                                 \
      memcpy(&a, to, sizeof a);                                  \
      memcpy(&b, buffer + (i * (parts) + k) * (int64_t)sizeof(type), sizeof b); \
      a = (type)(a + b);                                         \
      memcpy(to, &a, sizeof a);                                  \
    }                                                            \
  break

static void add_row(char *at, int64_t step, int64_t extent, int32_t kind, const char *buffer) {
  switch (kind) {
    case PORTABLE_KIND_INT8: ADD(uint8_t, 1);
    case PORTABLE_KIND_INT16: ADD(uint16_t, 1);
    case PORTABLE_KIND_INT32: ADD(uint32_t, 1);
    case PORTABLE_KIND_INT64: ADD(uint64_t, 1);
    case PORTABLE_KIND_REAL32: ADD(float, 1);
    case PORTABLE_KIND_REAL64: ADD(double, 1);
    case PORTABLE_KIND_COMPLEX32: ADD(float, 2);
    default: ADD(double, 2);
  }
}

/* ---- rows ---- */

#define ROWS(n)                                                                                        \
  if (way == PORTABLE__HALO_PACK)                                                                      \
    for (int64_t i = 0; i < rows; i++) memcpy(buffer + i * (n), at + i * step, (size_t)(n));           \
  else                                                                                                 \
    for (int64_t i = 0; i < rows; i++) memcpy(at + i * step, buffer + i * (n), (size_t)(n));           \
  break

/* Contiguous rows. Those of few ghost cells are short: their sizes are constants here. */
static void copy_rows(char *at, int64_t step, int64_t rows, int64_t bytes, char *buffer, int32_t way) {
  switch (bytes) {
    case 4: ROWS(4);
    case 8: ROWS(8);
    case 12: ROWS(12);
    case 16: ROWS(16);
    case 24: ROWS(24);
    case 32: ROWS(32);
    default: ROWS(bytes);
  }
}

/* Cells of a list with one contiguous row each. */
static void copy_cells(const struct portable__halo_rows *r, int64_t from, int64_t to, int64_t bytes, char *buffer, int32_t way) {
  const int64_t step = 0; /* of ROWS, whose rows are found by the index */
  for (int64_t row = from; row < to; row++, buffer += bytes) {
    char *const at = r->at + r->index[row] * r->index_step;
    const int64_t rows = 1;
    switch (bytes) {
      case 4: ROWS(4);
      case 8: ROWS(8);
      default: ROWS(bytes);
    }
  }
}

static char *indexed(const struct portable__halo_rows *r, int64_t i) { return r->index ? r->at + r->index[i] * r->index_step : r->at; }

static void move(const struct portable__halo_rows *r, int64_t from, int64_t to, char *buffer, int32_t way) {
  const int64_t bytes = r->extent[0] * r->bytes, step = r->axes > 1 ? r->step[1] : 0;
  const int contiguous = way != PORTABLE__HALO_ADD && (r->step[0] == r->bytes || r->extent[0] == 1);
  int64_t at_axis[PORTABLE__HALO_AXES] = {0}, rest = from, run;
  int64_t displacement = 0;
  buffer += r->offset + from * bytes;
  if (contiguous && r->axes == 1 && r->index) {
    copy_cells(r, from, to, bytes, buffer, way);
    return;
  }
  for (int32_t k = 1; k < r->axes; k++) {
    at_axis[k] = rest % r->extent[k];
    rest /= r->extent[k];
    displacement += at_axis[k] * r->step[k];
  }
  char *at = indexed(r, rest) + displacement;
  for (int64_t row = from; row < to; row += run, buffer += run * bytes) { /* runs of rows along the second axis */
    run = r->axes == 1 ? 1 : r->extent[1] - at_axis[1] < to - row ? r->extent[1] - at_axis[1] : to - row;
    if (contiguous) copy_rows(at, step, run, bytes, buffer, way);
    else
      for (int64_t i = 0; i < run; i++)
        if (way == PORTABLE__HALO_ADD) add_row(at + i * step, r->step[0], r->extent[0], r->kind, buffer + i * bytes);
        else copy_row(at + i * step, r->step[0], r->extent[0], r->bytes, buffer + i * bytes, way);
    int32_t k = 1;
    int64_t by = run;
    for (; k < r->axes; k++, by = 1) {
      at += r->step[k] * by;
      if ((at_axis[k] += by) < r->extent[k]) break;
      at -= r->step[k] * r->extent[k];
      at_axis[k] = 0;
    }
    if (k == r->axes && row + run < to) at = indexed(r, ++rest);
  }
}

static void kernel(const portable_tile *t, void *args) {
  const struct task *const task = args;
  const struct portable__halo_list *const list = task->list;
  int64_t from = task->from + t->lower[0] * task->unit, to = task->from + (t->upper[0] + 1) * task->unit;
  int32_t low = 0, high = list->count - 1;
  if (to > task->to) to = task->to;
  while (low < high) { /* the last rows that begin at `from` or before */
    const int32_t middle = low + (high - low + 1) / 2;
    if (list->rows[middle].first <= from) low = middle; else high = middle - 1;
  }
  for (; from < to; low++) {
    const struct portable__halo_rows *const r = &list->rows[low];
    const int64_t end = r->first + r->count < to ? r->first + r->count : to;
    move(r, from - r->first, end - r->first, task->buffer, task->way);
    from = end;
  }
}

portable_status portable__halo_move(const char *label, const struct portable__halo_list *list, char *buffer, int32_t way, int64_t from, int64_t to,
                                    const portable_launch_config *config) {
  struct task task = {.list = list, .buffer = buffer, .from = from, .to = to, .way = way};
  if (from == to) return PORTABLE_OK;
  const int64_t row = list->bytes / list->all + 1;
  task.unit = list->bytes <= SMALL ? to - from : SMALL / 2 / row + 1;
  const portable_bounds units = portable_bounds_1((to - from - 1) / task.unit + 1);
  return portable__launch(label, &units, kernel, &task, 0, config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
}
