/* cuda_copy.c - plans one copy on a cuda device, and puts it into a stream. In C because that makes
 * no call into Go. */
#include "cuda_copy.h"

#include <string.h>

#include "cuda.h"

#define SHORT_ROW 64                  /* bytes: for shorter rows a kernel is faster, if there is one */
#define LONG_ROW 4096                 /* from here on the driver's copies are as fast */
#define MOST_PITCH INT64_C(2147483647) /* the driver's own limit */
#define THREADS 256
#define TILE 32
#define TILE_ROWS 8

/* ---- the plan ---- */

/* The bytes of one unit: 1, 2, 4, 8 or 16, a divisor of the element, all steps and addresses. */
static int64_t unit_of(const struct portable__copy *c, int constant) {
  uint64_t all = (uint64_t)c->bytes | (uint64_t)(uintptr_t)c->to | 16;
  if (!constant) all |= (uint64_t)(uintptr_t)c->from;
  for (int32_t k = 0; k < c->rank; k++) all |= (uint64_t)c->axis[k].to | (constant ? 0 : (uint64_t)c->axis[k].from);
  return (int64_t)(all & (~all + 1));
}

static void axis(struct portable__cuda_box *b, int64_t extent, int64_t to, int64_t from) {
  b->axis[b->rank].extent = extent;
  b->axis[b->rank].to = to;
  b->axis[b->rank].from = from;
  b->rank++;
  b->count *= extent;
}

static void by_kernel(const struct portable__copy_plan *p, int constant, struct portable__cuda_copy *out) {
  const struct portable__copy *c = &p->copy;
  struct portable__cuda_box *b = &out->box;
  const int64_t unit = unit_of(c, constant);
  out->way = PORTABLE__CUDA_BY_KERNEL;
  b->to = c->to;
  b->from = c->from;
  b->count = 1;
  if (c->conversion != PORTABLE__COPY_SAME) {
    out->entry = PORTABLE__ENTRY_CONVERT + c->conversion;
  } else if (constant) {
    out->entry = PORTABLE__ENTRY_FILL + __builtin_ctzll((uint64_t)c->bytes);
    memcpy(b->value, c->from, (size_t)c->bytes);
  } else {
    out->transposes = p->transposes && unit == c->bytes;
    out->entry = (out->transposes ? PORTABLE__ENTRY_TRANSPOSE : PORTABLE__ENTRY_COPY) + __builtin_ctzll((uint64_t)unit);
    if (unit < c->bytes) axis(b, c->bytes / unit, unit, unit);
  }
  for (int32_t k = 0; k < c->rank; k++) axis(b, c->axis[k].extent, c->axis[k].to, c->axis[k].from);
}

/* The pattern of a constant that the driver can set: 1, 2 or 4 bytes; 0: it is longer. */
static int64_t pattern_of(const char *value, int64_t bytes) {
  for (int64_t n = 1; n <= 4; n *= 2) {
    int64_t i = n;
    if (bytes % n) continue;
    while (i < bytes && value[i] == value[i - n]) i++;
    if (i == bytes) return n;
  }
  return 0;
}

/* 1: the driver can set it. */
static int by_set(const struct portable__copy *c, struct portable__cuda_copy *out) {
  const int64_t n = pattern_of(c->from, c->bytes);
  if (!n || c->rank > 1 || (c->rank == 1 && c->axis[0].to != c->bytes) || (uintptr_t)c->to % (uint64_t)n) return 0;
  out->way = PORTABLE__CUDA_SET;
  out->box.to = c->to;
  out->bytes = n;
  out->times = (c->rank ? c->axis[0].extent : 1) * (c->bytes / n);
  memcpy(out->box.value, c->from, (size_t)n);
  return 1;
}

/* 1: rows with one stride, or slices of such rows; axes of the box: bytes of a row, rows, slices. */
static int64_t by_rows(const struct portable__copy *c, struct portable__cuda_copy *out) {
  int32_t k = 0;
  int64_t width = c->bytes;
  struct portable__cuda_box *b = &out->box;
  if (c->rank > 0 && c->axis[0].to == c->bytes && c->axis[0].from == c->bytes) width *= c->axis[k++].extent;
  const int32_t more = c->rank - k;
  if (more < 1 || more > 2) return 0;
  const struct portable__copy_axis *rows = &c->axis[k], *slices = more == 2 ? &c->axis[k + 1] : NULL;
  if (rows->to < width || rows->from < width || rows->to > MOST_PITCH || rows->from > MOST_PITCH) return 0;
  if (slices && (slices->to % rows->to || slices->from % rows->from || slices->to / rows->to < rows->extent || slices->from / rows->from < rows->extent))
    return 0;
  b->to = c->to;
  b->from = c->from;
  b->count = 1;
  axis(b, width, 1, 1);
  axis(b, rows->extent, rows->to, rows->from);
  if (slices) axis(b, slices->extent, slices->to, slices->from);
  out->way = slices ? PORTABLE__CUDA_SLICES : PORTABLE__CUDA_ROWS;
  return width;
}

/* 1: converted elements are at multiples of their size, as a device requires. */
static int aligned(const struct portable__copy_plan *p) {
  const struct portable__copy *c = &p->copy;
  uint64_t to = (uint64_t)(uintptr_t)c->to, from = (uint64_t)(uintptr_t)c->from;
  for (int32_t k = 0; k < c->rank; k++) {
    to |= (uint64_t)c->axis[k].to;
    from |= (uint64_t)c->axis[k].from;
  }
  return c->conversion == PORTABLE__COPY_SAME || (to % (uint64_t)p->to_bytes == 0 && from % (uint64_t)p->from_bytes == 0);
}

void portable__cuda_copy_plan(const struct portable__copy_plan *p, int32_t constant, int32_t reached, struct portable__cuda_copy *out) {
  const struct portable__copy *c = &p->copy;
  memset(out, 0, sizeof *out);
  if (constant && by_set(c, out)) return;
  if (constant) {
    if (reached && c->bytes <= 16 && (c->bytes & (c->bytes - 1)) == 0 && unit_of(c, 1) == c->bytes) by_kernel(p, 1, out);
    return;
  }
  if (c->conversion == PORTABLE__COPY_SAME && (c->rank == 0 || (c->rank == 1 && c->axis[0].to == c->bytes && c->axis[0].from == c->bytes))) {
    out->way = PORTABLE__CUDA_PLAIN;
    out->bytes = c->bytes * (c->rank ? c->axis[0].extent : 1);
    out->box.to = c->to;
    out->box.from = c->from;
    return;
  }
  if (c->conversion == PORTABLE__COPY_SAME) {
    const int64_t width = by_rows(c, out);
    if (width >= LONG_ROW || (width >= SHORT_ROW && !reached)) return;
    memset(out, 0, sizeof *out);
  }
  if (reached && c->conversion != PORTABLE__COPY_SHORTER && aligned(p)) by_kernel(p, 0, out);
}

void portable__cuda_copy_grid(const struct portable__cuda_copy *work, int32_t multiprocessors, uint32_t grid[3], uint32_t block[3]) {
  const struct portable__cuda_box *b = &work->box;
  int64_t blocks = (b->count + THREADS - 1) / THREADS;
  if (work->transposes) {
    const int64_t n = b->axis[0].extent, m = b->axis[1].extent;
    blocks = b->count / (n * m) * ((n + TILE - 1) / TILE) * ((m + TILE - 1) / TILE);
  }
  const int64_t most = (int64_t)(multiprocessors > 0 ? multiprocessors : 1) * 32;
  grid[0] = (uint32_t)(blocks < most ? blocks : most);
  block[0] = work->transposes ? TILE : THREADS;
  block[1] = work->transposes ? TILE_ROWS : 1;
  grid[1] = grid[2] = block[2] = 1;
}

/* ---- the driver ---- */

static CUresult set(CUstream stream, const struct portable__cuda_copy *w) {
  const CUdeviceptr to = (CUdeviceptr)w->box.to;
  unsigned short two;
  unsigned int four;
  memcpy(&two, w->box.value, sizeof two);
  memcpy(&four, w->box.value, sizeof four);
  if (w->bytes == 1) return cuMemsetD8Async(to, w->box.value[0], (size_t)w->times, stream);
  return w->bytes == 2 ? cuMemsetD16Async(to, two, (size_t)w->times, stream) : cuMemsetD32Async(to, four, (size_t)w->times, stream);
}

static CUresult rows(CUstream stream, const struct portable__cuda_box *b) {
  CUDA_MEMCPY2D m;
  memset(&m, 0, sizeof m);
  m.srcMemoryType = m.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  m.srcDevice = (CUdeviceptr)b->from;
  m.dstDevice = (CUdeviceptr)b->to;
  m.srcPitch = (size_t)b->axis[1].from;
  m.dstPitch = (size_t)b->axis[1].to;
  m.WidthInBytes = (size_t)b->axis[0].extent;
  m.Height = (size_t)b->axis[1].extent;
  return cuMemcpy2DAsync(&m, stream);
}

static CUresult slices(CUstream stream, const struct portable__cuda_box *b) {
  CUDA_MEMCPY3D m;
  memset(&m, 0, sizeof m);
  m.srcMemoryType = m.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  m.srcDevice = (CUdeviceptr)b->from;
  m.dstDevice = (CUdeviceptr)b->to;
  m.srcPitch = (size_t)b->axis[1].from;
  m.dstPitch = (size_t)b->axis[1].to;
  m.srcHeight = (size_t)(b->axis[2].from / b->axis[1].from);
  m.dstHeight = (size_t)(b->axis[2].to / b->axis[1].to);
  m.WidthInBytes = (size_t)b->axis[0].extent;
  m.Height = (size_t)b->axis[1].extent;
  m.Depth = (size_t)b->axis[2].extent;
  return cuMemcpy3DAsync(&m, stream);
}

int portable__cuda_copy_put(void *native, const struct portable__cuda_copy *w, const char **call) {
  CUstream stream = native;
  switch (w->way) {
  case PORTABLE__CUDA_PLAIN:
    *call = "cuMemcpyAsync";
    return (int)cuMemcpyAsync((CUdeviceptr)w->box.to, (CUdeviceptr)w->box.from, (size_t)w->bytes, stream);
  case PORTABLE__CUDA_SET:
    *call = "cuMemsetAsync";
    return (int)set(stream, w);
  case PORTABLE__CUDA_ROWS:
    *call = "cuMemcpy2DAsync";
    return (int)rows(stream, &w->box);
  case PORTABLE__CUDA_SLICES:
    *call = "cuMemcpy3DAsync";
    return (int)slices(stream, &w->box);
  default:
    *call = "";
    return 0;
  }
}
