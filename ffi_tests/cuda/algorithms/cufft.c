/* cufft.c - stands in for libcufft: sums over memory of the fake driver's device, in the stream. It checks what cuFFT demands, and does what cuFFT may do: it
 * overwrites the input of backward real lines, and uses its work memory. LACKS: without one function. Not here: several dimensions. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct CUstream_st *CUstream;
int fake_cuda_library_kernel(CUstream stream, const char *name, void (*function)(void *), void *payload, const void *in, const void *out, const void *work);
int cuCtxGetCurrent(void **context);

enum { SUCCESS = 0, INVALID_PLAN = 1, ALLOC_FAILED = 2, INVALID_VALUE = 4, EXEC_FAILED = 6, INVALID_SIZE = 8, UNALIGNED_DATA = 9, NOT_MADE = 0, PLANS = 64 };
enum { C2C = 0x29, R2C = 0x2a, C2R = 0x2c, Z2Z = 0x69, D2Z = 0x6a, Z2D = 0x6c };

struct plan {
  int used, type, own_work, has_work;
  long long n, in_step, in_next, out_step, out_next, lines;
  CUstream stream;
  void *work, *context;
};

static struct plan plans[PLANS];
int fake_cufft_executed, fake_cufft_plans, fake_cufft_made;

static int fails(const char *function) {
  const char *const wanted = getenv("FAKE_CUFFT_FAIL");
  const size_t bytes = strlen(function);
  return wanted && strncmp(wanted, function, bytes) == 0 && wanted[bytes] == ':' ? atoi(wanted + bytes + 1) : SUCCESS;
}

static struct plan *of(int handle) { return handle > 0 && handle <= PLANS && plans[handle - 1].used ? &plans[handle - 1] : NULL; }

int cufftCreate(int *handle) {
  const int result = fails("cufftCreate");
  if (result) return result;
  for (int i = 0; i < PLANS; i++) {
    if (plans[i].used) continue;
    memset(&plans[i], 0, sizeof plans[i]);
    plans[i].used = plans[i].own_work = 1;
    if (cuCtxGetCurrent(&plans[i].context) || !plans[i].context) return INVALID_VALUE;
    *handle = i + 1;
    __atomic_fetch_add(&fake_cufft_plans, 1, __ATOMIC_RELAXED);
    return SUCCESS;
  }
  return ALLOC_FAILED;
}

int cufftDestroy(int handle) {
  struct plan *const p = of(handle);
  void *context = NULL;
  if (!p || cuCtxGetCurrent(&context) || context != p->context) {
    fprintf(stderr, "fake cufft: violation: destroy of %d\n", handle);
    return INVALID_PLAN;
  }
  p->used = 0;
  __atomic_fetch_sub(&fake_cufft_plans, 1, __ATOMIC_RELAXED);
  return SUCCESS;
}

int cufftSetAutoAllocation(int handle, int on) {
  struct plan *const p = of(handle);
  if (!p || p->type) return INVALID_PLAN;
  p->own_work = on;
  return fails("cufftSetAutoAllocation");
}

int cufftMakePlanMany64(int handle, int rank, long long *n, long long *inembed, long long istride, long long idist, long long *onembed, long long ostride, long long odist,
                        int type, long long batch, size_t *work) {
  struct plan *const p = of(handle);
  const int result = fails("cufftMakePlanMany64");
  const char *const refused = getenv("FAKE_CUFFT_REFUSES");
  if (!p || p->type) return INVALID_PLAN;
  if (result) return result;
  if (rank != 1 || !n || !inembed || !onembed || !work || istride < 1 || ostride < 1 || idist < 1 || odist < 1) return INVALID_VALUE;
  if (*n < 2 || batch < 1 || (refused && *n == atoi(refused))) return INVALID_SIZE;
  if (type != C2C && type != R2C && type != C2R && type != Z2Z && type != D2Z && type != Z2D) return 3;
  *p = (struct plan){1, type, p->own_work, 0, *n, istride, idist, ostride, odist, batch, NULL, NULL, p->context};
  *work = (size_t)*n * 16;
  __atomic_fetch_add(&fake_cufft_made, 1, __ATOMIC_RELAXED);
  return SUCCESS;
}

int cufftSetStream(int handle, CUstream stream) {
  struct plan *const p = of(handle);
  if (!p || !p->type) return INVALID_PLAN;
  p->stream = stream;
  return fails("cufftSetStream");
}

int cufftSetWorkArea(int handle, void *work) {
  struct plan *const p = of(handle);
  if (!p || !p->type || p->own_work || (uintptr_t)work % 256) return INVALID_PLAN;
  p->work = work;
  p->has_work = 1;
  return fails("cufftSetWorkArea");
}

struct lines {
  struct plan plan;
  char *in, *out;
  int sign;
};

static double number(const char *at, long long i, int bytes) { return bytes == 8 ? ((const double *)(const void *)at)[i] : (double)((const float *)(const void *)at)[i]; }
static void put(char *at, long long i, int bytes, double x) {
  if (bytes == 8)
    ((double *)(void *)at)[i] = x;
  else
    ((float *)(void *)at)[i] = (float)x;
}

static void run(void *payload) {
  struct lines *const l = payload;
  const struct plan *const p = &l->plan;
  const int bytes = p->type & 0x40 ? 8 : 4, from_real = (p->type & 0xf) == 0xa, to_real = (p->type & 0xf) == 0xc;
  const long long n = p->n;
  double *const x = malloc((size_t)(4 * n) * sizeof *x), *const y = x + 2 * n;
  if (!x) abort();
  memset(p->work, 0x5a, (size_t)n * 16);
  for (long long line = 0; line < p->lines; line++) {
    for (long long j = 0; j < n; j++) {
      const long long k = to_real && j > n / 2 ? n - j : j, at = line * p->in_next + k * p->in_step;
      x[2 * j] = number(l->in, from_real ? at : 2 * at, bytes);
      x[2 * j + 1] = from_real ? 0 : (k == j ? 1 : -1) * number(l->in, 2 * at + 1, bytes); /* also the parts that ought to be 0 */
    }
    for (long long k = 0; k < n; k++) {
      long double r = 0, i = 0;
      for (long long j = 0; j < n; j++) {
        const long double angle = l->sign * 2 * acosl(-1.0L) * (long double)(j * k % n) / (long double)n, c = cosl(angle), s = sinl(angle);
        r += x[2 * j] * c - x[2 * j + 1] * s;
        i += x[2 * j] * s + x[2 * j + 1] * c;
      }
      y[2 * k] = (double)r, y[2 * k + 1] = (double)i;
    }
    if (to_real && l->in != l->out)
      for (long long k = 0; k <= n / 2; k++) put(l->in, 2 * (line * p->in_next + k * p->in_step), bytes, -77);
    for (long long k = 0; k < (from_real ? n / 2 + 1 : n); k++) {
      const long long at = line * p->out_next + k * p->out_step;
      put(l->out, to_real ? at : 2 * at, bytes, y[2 * k]);
      if (!to_real) put(l->out, 2 * at + 1, bytes, y[2 * k + 1]);
    }
  }
  free(x);
  free(l);
}

static int execute(const char *function, int handle, int type, void *in, void *out, int sign) {
  const struct plan *const p = of(handle);
  const int result = fails(function);
  struct lines *l;
  if (result) return result;
  if (!p || p->type != type || !p->has_work || (sign != 1 && sign != -1)) return INVALID_PLAN;
  if (((uintptr_t)in | (uintptr_t)out) % (type & 0x40 ? 16 : 8)) return UNALIGNED_DATA;
  if (!(l = malloc(sizeof *l))) return ALLOC_FAILED;
  *l = (struct lines){*p, in, out, sign};
  if (fake_cuda_library_kernel(p->stream, function, run, l, in, out, p->work) != 0) {
    free(l);
    return EXEC_FAILED;
  }
  __atomic_fetch_add(&fake_cufft_executed, 1, __ATOMIC_RELAXED);
  return SUCCESS;
}

int cufftExecC2C(int handle, void *in, void *out, int sign) { return execute("cufftExecC2C", handle, C2C, in, out, sign); }
int cufftExecR2C(int handle, void *in, void *out) { return execute("cufftExecR2C", handle, R2C, in, out, -1); }
int cufftExecC2R(int handle, void *in, void *out) { return execute("cufftExecC2R", handle, C2R, in, out, 1); }
int cufftExecZ2Z(int handle, void *in, void *out, int sign) { return execute("cufftExecZ2Z", handle, Z2Z, in, out, sign); }
int cufftExecD2Z(int handle, void *in, void *out) { return execute("cufftExecD2Z", handle, D2Z, in, out, -1); }
#ifndef LACKS
int cufftExecZ2D(int handle, void *in, void *out) { return execute("cufftExecZ2D", handle, Z2D, in, out, 1); }
#endif
