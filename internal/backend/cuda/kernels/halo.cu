// halo.cu - ghost cells: halo_move packs elements of fields into messages, unpacks them, or adds
// them, with the bits of the host (exec/halo/pack.c). A thread moves one element. No two elements
// of a launch share memory.
#include "algorithm.h"

typedef long long i64;
typedef portable__cuda_halo work;
typedef portable__cuda_halo_rows rows;

static __device__ inline void copy(char *to, const char *from, int bytes) {
  const unsigned long long both = (unsigned long long)to | (unsigned long long)from;
  if (bytes == 8 && both % 8 == 0) *(i64 *)to = *(const i64 *)from;
  else if (bytes == 4 && both % 4 == 0) *(int *)to = *(const int *)from;
  else if (bytes == 16 && both % 8 == 0) ((i64 *)to)[0] = ((const i64 *)from)[0], ((i64 *)to)[1] = ((const i64 *)from)[1];
  else
    for (int i = 0; i < bytes; i++) to[i] = from[i];
}

// Elements need not be aligned.
template <typename type> static __device__ inline void add(char *to, const char *from, int parts) {
  for (int i = 0; i < parts; i++, to += sizeof(type), from += sizeof(type)) {
    type a, b;
    copy((char *)&a, to, sizeof a);
    copy((char *)&b, from, sizeof b);
    a = (type)(a + b);
    copy(to, (const char *)&a, sizeof a);
  }
}

static __device__ inline void add_kind(char *to, const char *from, int kind) {
  switch (kind) {
    case 1: add<unsigned char>(to, from, 1); break;
    case 2: add<unsigned short>(to, from, 1); break;
    case 3: add<unsigned>(to, from, 1); break;
    case 4: add<unsigned long long>(to, from, 1); break;
    case 5: add<float>(to, from, 1); break;
    case 6: add<double>(to, from, 1); break;
    case 7: add<float>(to, from, 2); break;
    default: add<double>(to, from, 2);
  }
}

extern "C" __global__ void halo_move(const work w) {
  for (i64 e = w.from + (i64)blockIdx.x * blockDim.x + threadIdx.x; e < w.to; e += (i64)gridDim.x * blockDim.x) {
    int low = 0, high = w.rows_count - 1;
    while (low < high) { // the last rows that begin at e or before
      const int middle = low + (high - low + 1) / 2;
      if (w.rows[middle].first_element <= e) low = middle;
      else high = middle - 1;
    }
    const rows *r = w.rows + low;
    i64 rest = e - r->first_element;
    char *const there = w.buffer + r->offset + rest * r->bytes, *at = r->at;
    for (int k = 0; k < r->axes; k++) {
      at += rest % r->extent[k] * r->step[k];
      rest /= r->extent[k];
    }
    if (r->index) at += r->index[rest] * r->index_step;
    if (w.way == 0) copy(there, at, r->bytes);
    else if (w.way == 1) copy(at, there, r->bytes);
    else add_kind(at, there, r->kind);
  }
}
