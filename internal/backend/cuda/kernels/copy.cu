// copy.cu - copies boxes with strides, fills and converts on a device; the arguments are struct
// portable__far_box of exec/device/far_copy.c. Compiled at run time, at the first such copy.
// Neighbouring threads write neighbouring elements: axis 0 has the smallest stride of `to`. If
// `from` has its smallest stride along another axis, that axis is axis 1, and a tile goes through
// shared memory: both sides are accessed in whole cache lines.

struct Axis {
  long long extent, to, from; // bytes from one index to the next
};
struct alignas(16) Box {
  char *to;
  const char *from;
  long long count; // elements
  int rank, reserved;
  Axis axis[16];
  unsigned char value[16]; // of a fill
};

struct alignas(16) Sixteen {
  unsigned long long a, b;
};

// The offsets of an element, in an integer type that holds all counts.
template <class N> __device__ inline void place(const Box &b, int first, N rest, long long &to, long long &from) {
  for (int k = first; k < b.rank; k++) {
    const N extent = static_cast<N>(b.axis[k].extent), next = k + 1 < b.rank ? rest / extent : 0; // the last axis leaves no rest
    const long long i = static_cast<long long>(rest - next * extent);
    to += i * b.axis[k].to;
    from += i * b.axis[k].from;
    rest = next;
  }
}

__device__ inline void place_any(const Box &b, int first, long long i, long long &to, long long &from) {
  if (b.count <= 0xffffffffll)
    place<unsigned int>(b, first, static_cast<unsigned int>(i), to, from);
  else
    place<unsigned long long>(b, first, static_cast<unsigned long long>(i), to, from);
}

template <class To, class From> __device__ inline void copy_box(const Box &b) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < b.count; i += step) {
    long long to = 0, from = 0;
    place_any(b, 0, i, to, from);
    *reinterpret_cast<To *>(b.to + to) = static_cast<To>(*reinterpret_cast<const From *>(b.from + from));
  }
}

template <class T> __device__ inline void fill_box(const Box &b) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  const T value = *reinterpret_cast<const T *>(b.value);
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < b.count; i += step) {
    long long to = 0, from = 0;
    place_any(b, 0, i, to, from);
    *reinterpret_cast<T *>(b.to + to) = value;
  }
}

// A block has 32 x 8 threads. Tiles have 32 x 32 elements and one more column, so that no two threads use one bank.
template <class T> __device__ inline void transpose_box(const Box &b) {
  __shared__ T tile[32][33];
  const long long n = b.axis[0].extent, m = b.axis[1].extent, across = (n + 31) / 32, down = (m + 31) / 32;
  const long long tiles = b.count / (n * m) * across * down;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  for (long long t = blockIdx.x; t < tiles; t += gridDim.x) {
    const long long i0 = t % across * 32, j0 = t / across % down * 32;
    long long to = 0, from = 0;
    place_any(b, 2, t / across / down, to, from);
    for (int k = y; k < 32; k += 8)
      if (i0 + k < n && j0 + x < m)
        tile[k][x] = *reinterpret_cast<const T *>(b.from + from + (i0 + k) * b.axis[0].from + (j0 + x) * b.axis[1].from);
    __syncthreads();
    for (int k = y; k < 32; k += 8)
      if (i0 + x < n && j0 + k < m)
        *reinterpret_cast<T *>(b.to + to + (i0 + x) * b.axis[0].to + (j0 + k) * b.axis[1].to) = tile[x][k];
    __syncthreads();
  }
}

extern "C" {
__global__ void portable_copy_1(Box b) { copy_box<unsigned char, unsigned char>(b); }
__global__ void portable_copy_2(Box b) { copy_box<unsigned short, unsigned short>(b); }
__global__ void portable_copy_4(Box b) { copy_box<unsigned int, unsigned int>(b); }
__global__ void portable_copy_8(Box b) { copy_box<unsigned long long, unsigned long long>(b); }
__global__ void portable_copy_16(Box b) { copy_box<Sixteen, Sixteen>(b); }
__global__ void portable_transpose_1(Box b) { transpose_box<unsigned char>(b); }
__global__ void portable_transpose_2(Box b) { transpose_box<unsigned short>(b); }
__global__ void portable_transpose_4(Box b) { transpose_box<unsigned int>(b); }
__global__ void portable_transpose_8(Box b) { transpose_box<unsigned long long>(b); }
__global__ void portable_transpose_16(Box b) { transpose_box<Sixteen>(b); }
__global__ void portable_fill_1(Box b) { fill_box<unsigned char>(b); }
__global__ void portable_fill_2(Box b) { fill_box<unsigned short>(b); }
__global__ void portable_fill_4(Box b) { fill_box<unsigned int>(b); }
__global__ void portable_fill_8(Box b) { fill_box<unsigned long long>(b); }
__global__ void portable_fill_16(Box b) { fill_box<Sixteen>(b); }
__global__ void portable_widen(Box b) { copy_box<double, float>(b); }
__global__ void portable_narrow(Box b) { copy_box<float, double>(b); }
__global__ void portable_longer(Box b) { copy_box<long long, int>(b); }
}
