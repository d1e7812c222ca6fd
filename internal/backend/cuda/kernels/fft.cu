// fft.cu - Fourier transforms of lines: a thread transforms one line after another, with the
// butterflies of portable_device_fft.h and the order of operations of
// internal/kernels/fft/fft_form.h, and so with the bits of the host: a change there is a change
// here. The work memory of a thread lies side by side with that of its neighbours. At the end:
// copies of lines for cuFFT (exec/algorithm/cufft_lines.c). A module has the kind PORTABLE__KIND.
#include "algorithm.h"
#include "portable_device_fft.h"
#include "portable_solvers.h"

#ifndef PORTABLE__KIND
#define PORTABLE__KIND 6
#endif

typedef long long i64;
#if PORTABLE__KIND == 5
typedef float kind;
#define PORTABLE__FFT_PRODUCT(a, b) PORTABLE__PRODUCT32((kind)(a), (kind)(b))
#else
typedef double kind;
#define PORTABLE__FFT_PRODUCT(a, b) PORTABLE__PRODUCT64((kind)(a), (kind)(b))
#endif
#define PORTABLE__FFT_V kind
#define PORTABLE__FFT_T kind
#define PRODUCT PORTABLE__FFT_PRODUCT

// Complex numbers of a thread.
struct numbers {
  kind *at;
  i64 threads;
  __device__ inline kind &re(i64 k) const { return at[2 * k * threads]; }
  __device__ inline kind &im(i64 k) const { return at[(2 * k + 1) * threads]; }
};

static __device__ inline kind load(const char *at, int aligned) {
  if (aligned) return *(const kind *)at;
  kind x;
  for (unsigned i = 0; i < sizeof x; i++) ((char *)&x)[i] = at[i];
  return x;
}

static __device__ inline void store(char *at, int aligned, kind x) {
  if (aligned) {
    *(kind *)at = x;
    return;
  }
  for (unsigned i = 0; i < sizeof x; i++) at[i] = ((const char *)&x)[i];
}

#define GET(l) kind r##l = x.re((l) * m + s), i##l = x.im((l) * m + s);
#define PUT(j, v) y.re((j) * far + s) = r##v, y.im((j) * far + s) = i##v;
#define FACTOR(l) const kind c##l = w[((l) - 1) * ls + k], d##l = w[(radix + (l) - 2) * ls + k];
#define TURN(l)                                         \
  {                                                     \
    const kind t = r##l;                                \
    r##l = PRODUCT(t, c##l) - PRODUCT(i##l, d##l);      \
    i##l = PRODUCT(t, d##l) + PRODUCT(i##l, c##l);      \
  }
#define PASS(n)                                                                                                     \
  static __device__ void pass_##n(numbers x, numbers y, i64 ls, i64 m, const kind *w, int first) {                  \
    enum { radix = n };                                                                                             \
    const i64 far = ls * m;                                                                                         \
    for (i64 s = 0; s < m && first; s++) {                                                                          \
      PORTABLE__FFT_EACH_##n(GET) PORTABLE__FFT_DFT_##n PORTABLE__FFT_OUT_##n(PUT)                                  \
    }                                                                                                               \
    for (i64 k = 0; k < ls && !first; k++, x.at += 2 * radix * m * x.threads, y.at += 2 * m * y.threads) {          \
      PORTABLE__FFT_REST_##n(FACTOR)                                                                                \
      for (i64 s = 0; s < m; s++) {                                                                                 \
        PORTABLE__FFT_EACH_##n(GET) PORTABLE__FFT_REST_##n(TURN) PORTABLE__FFT_DFT_##n PORTABLE__FFT_OUT_##n(PUT)   \
      }                                                                                                             \
    }                                                                                                               \
  }
PASS(2)
PASS(3)
PASS(4)
PASS(5)
PASS(7)
PASS(8)

static __device__ inline void exchange(numbers &x, numbers &y) {
  const numbers t = x;
  x = y;
  y = t;
}

// The result is in x.
static __device__ void passes(const portable__cuda_fft &f, numbers &x, numbers &y) {
  i64 ls = 1, m = f.length;
  for (int i = 0; i < f.passes; i++) {
    const kind *const w = (const kind *)f.numbers + f.table[i];
    m /= f.radix[i];
    switch (f.radix[i]) {
    case 2: pass_2(x, y, ls, m, w, i == 0); break;
    case 3: pass_3(x, y, ls, m, w, i == 0); break;
    case 4: pass_4(x, y, ls, m, w, i == 0); break;
    case 5: pass_5(x, y, ls, m, w, i == 0); break;
    case 7: pass_7(x, y, ls, m, w, i == 0); break;
    default: pass_8(x, y, ls, m, w, i == 0); break;
    }
    exchange(x, y);
    ls *= f.radix[i];
  }
}

static __device__ void to_real(numbers z, numbers x, i64 m, const kind *w) {
  for (i64 k = 0; k <= m; k++) {
    const i64 p = k < m ? k : 0, q = k ? m - k : 0;
    const kind er = PRODUCT(z.re(p) + z.re(q), 0.5), ei = PRODUCT(z.im(p) - z.im(q), 0.5);
    const kind hr = PRODUCT(z.im(p) + z.im(q), 0.5), hi = PRODUCT(z.re(q) - z.re(p), 0.5);
    x.re(k) = er + (PRODUCT(hr, w[k]) - PRODUCT(hi, w[m + 1 + k]));
    x.im(k) = ei + (PRODUCT(hr, w[m + 1 + k]) + PRODUCT(hi, w[k]));
  }
}

static __device__ void from_real(numbers x, numbers z, i64 m, const kind *w) {
  for (i64 k = 0; k < m; k++) {
    const kind b = k ? x.im(k) : 0, d = k ? x.im(m - k) : 0;
    const kind er = x.re(k) + x.re(m - k), ei = b - d, fr = x.re(k) - x.re(m - k), fi = b + d;
    z.im(k) = er - (PRODUCT(fi, w[k]) - PRODUCT(fr, w[m + 1 + k]));
    z.re(k) = ei + (PRODUCT(fr, w[k]) + PRODUCT(fi, w[m + 1 + k]));
  }
}

static __device__ void complete(numbers x, i64 n) {
  for (i64 k = n / 2; k >= 0; k--) {
    const kind r = x.re(k), i = k ? x.im(k) : 0;
    x.re(k) = i;
    x.im(k) = r;
    if (!k) continue;
    x.re(n - k) = -i;
    x.im(n - k) = r;
  }
}

static __device__ void multiply(numbers x, i64 count, const kind *c, const kind *d, int from, int to) {
  for (i64 k = 0; k < count; k++) {
    const kind r = from ? x.im(k) : x.re(k), i = from ? x.re(k) : x.im(k);
    const kind p = PRODUCT(r, c[k]) - PRODUCT(i, d[k]), q = PRODUCT(r, d[k]) + PRODUCT(i, c[k]);
    x.re(k) = to ? q : p;
    x.im(k) = to ? p : q;
  }
}

// A side of a line: as view_of in internal/kernels/fft/fft.c.
static __device__ void move(const portable__cuda_fft &f, int side, char *at, numbers x, int writes) {
  const int reals = f.real && side == f.backward, exchanged = f.backward && (!f.real || side == 1), lone = reals && f.m == f.n;
  i64 count = f.n, step = f.step[side], part = f.part[side];
  if (reals && !lone) {
    count = f.m;
    part = step;
    step = 2 * step;
  } else if (f.real && !reals) {
    count = f.n / 2 + 1;
  }
  for (i64 k = 0; k < count; k++, at += step) {
    kind &re = exchanged ? x.im(k) : x.re(k), &im = exchanged ? x.re(k) : x.im(k);
    if (writes) {
      store(at, f.aligned, re);
      if (!lone) store(at + part, f.aligned, im);
    } else {
      re = load(at, f.aligned);
      im = lone ? 0 : load(at + part, f.aligned);
    }
  }
}

static __device__ void transform(const portable__cuda_fft &f, numbers &x, numbers &y) {
  const kind *const table = (const kind *)f.numbers;
  if (f.real && f.backward && f.m < f.n) {
    from_real(x, y, f.m, table + f.turns);
    exchange(x, y);
  } else if (f.real && f.backward) {
    complete(x, f.n);
  }
  if (f.padded) {
    multiply(x, f.m, table + f.chirp, table + f.chirp + f.m, 0, 0);
    for (i64 k = f.m; k < f.padded; k++) x.re(k) = x.im(k) = 0;
    passes(f, x, y);
    multiply(x, f.padded, table + f.spectrum, table + f.spectrum + f.padded, 0, 1);
    passes(f, x, y);
    multiply(x, f.m, table + f.chirp, table + f.chirp + f.m, 1, 0);
  } else {
    passes(f, x, y);
  }
  if (f.real && !f.backward && f.m < f.n) {
    to_real(x, y, f.m, table + f.turns);
    exchange(x, y);
  }
}

// The tables come from memory of the host, once for each call.
extern "C" __global__ void fft_tables(const portable__cuda_fft f) {
  const i64 all = (i64)gridDim.x * blockDim.x;
  for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < f.count; i += all) ((kind *)f.numbers)[i] = ((const kind *)f.from)[i];
}

extern "C" __global__ void fft_lines(const portable__cuda_fft f) {
  const i64 thread = (i64)blockIdx.x * blockDim.x + threadIdx.x;
  for (i64 line = thread; line < f.lines; line += f.threads) {
    numbers x = {(kind *)f.work + thread, f.threads}, y = {(kind *)f.work + thread + 2 * f.elements * f.threads, f.threads};
    char *at[2] = {f.at[0], f.at[1]};
    i64 rest = line;
    for (int a = 0; a < f.axes; a++) {
      const i64 i = a == f.axes - 1 ? rest : rest % f.axis[a].extent;
      rest /= f.axis[a].extent;
      at[0] += i * f.axis[a].step[0];
      at[1] += i * f.axis[a].step[1];
    }
    move(f, 0, at[0], x, 0);
    transform(f, x, y);
    move(f, 1, at[1], x, 1);
  }
}

// ---- lines for cuFFT ----

// An element: its two places, and its number in the line.
struct element {
  char *at;
  kind *packed;
  i64 k;
};

static __device__ inline element find(const portable__cuda_fft_side &s, i64 e) {
  element x = {s.at, 0, 0};
  i64 packed = 0;
  for (int a = 0; a < s.axes; a++) {
    const i64 i = a == s.axes - 1 ? e : e % s.extent[a];
    e /= s.extent[a];
    x.at += i * s.step[a];
    packed += i * s.packed_step[a];
    if (a == s.along) x.k = i;
  }
  x.packed = (kind *)s.packed + (s.pairs ? 2 * packed : packed);
  return x;
}

extern "C" __global__ void fft_pack(const portable__cuda_fft_side s) {
  const i64 all = (i64)gridDim.x * blockDim.x;
  for (i64 e = (i64)blockIdx.x * blockDim.x + threadIdx.x; e < s.count; e += all) {
    const element x = find(s, e);
    x.packed[0] = load(x.at, s.aligned);
    if (s.pairs) x.packed[1] = s.half && (x.k == 0 || 2 * x.k == s.n) ? 0 : load(x.at + s.part, s.aligned);
  }
}

extern "C" __global__ void fft_unpack(const portable__cuda_fft_side s) {
  const i64 all = (i64)gridDim.x * blockDim.x;
  for (i64 e = (i64)blockIdx.x * blockDim.x + threadIdx.x; e < s.count; e += all) {
    const element x = find(s, e);
    store(x.at, s.aligned, x.packed[0]);
    if (s.pairs) store(x.at + s.part, s.aligned, x.packed[1]);
  }
}
