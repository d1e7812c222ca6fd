/* cufft.c - functions and plans of the user's cuFFT. Main function: portable__cufft_take. It is not
 * used unless PORTABLE_FFT_LIBRARY names it. Not here: the lines of a call (cufft_lines.c). Making
 * and ending plans is serial. Threads: any; one lock for the list, one of each plan for its stream
 * and work memory. */
#include "cufft.h"

#include <dlfcn.h>
#include <fenv.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../device/devices.h"
#include "../../internal/backend/cuda/shim.h"
#include "../../internal/observe/watch.h"

#define LAYOUTS 16 /* plans of cuFFT for one plan of ours: the least recent one ends for the next one */

/* The numbers of cufft.h. */
enum { SUCCESS = 0, ALLOC_FAILED = 2, INVALID_VALUE = 4, INVALID_SIZE = 8, NOT_IMPLEMENTED = 14, NOT_SUPPORTED = 16, FORWARD = -1, INVERSE = 1 };
static const int types[2][3] = {{0x29, 0x2a, 0x2c}, {0x69, 0x6a, 0x6c}};
static const char *const executes[2][3] = {{"cufftExecC2C", "cufftExecR2C", "cufftExecC2R"}, {"cufftExecZ2Z", "cufftExecD2Z", "cufftExecZ2D"}};

static struct {
  int (*create)(int *plan);
  int (*auto_work)(int plan, int on);
  int (*make)(int plan, int rank, long long *n, long long *in_sizes, long long in_step, long long in_next, long long *out_sizes, long long out_step, long long out_next,
              int type, long long lines, size_t *work);
  int (*stream)(int plan, void *stream);
  int (*work)(int plan, void *work);
  int (*destroy)(int plan);
  int (*complex[2])(int plan, void *in, void *out, int direction);
  int (*real[2][3])(int plan, void *in, void *out);
} cufft;

_Atomic int portable__cufft_is_open;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct portable__cufft_plan *plans;
static uint64_t turns;

/* ---- functions ---- */

#pragma weak dlsym /* a static program has opened no library */

int portable__cufft_bind(void *library, const char **lacks_out) {
  const struct {
    const char *name;
    void *to;
  } functions[] = {
      {"cufftCreate", &cufft.create},           {"cufftSetAutoAllocation", &cufft.auto_work}, {"cufftMakePlanMany64", &cufft.make},
      {"cufftSetStream", &cufft.stream},        {"cufftSetWorkArea", &cufft.work},            {"cufftDestroy", &cufft.destroy},
      {executes[0][0], &cufft.complex[0]},      {executes[1][0], &cufft.complex[1]},          {executes[0][1], &cufft.real[0][1]},
      {executes[0][2], &cufft.real[0][2]},      {executes[1][1], &cufft.real[1][1]},          {executes[1][2], &cufft.real[1][2]},
  };
  *lacks_out = NULL;
  if (!dlsym(library, functions[0].name)) return 0;
  for (size_t i = 0; i < sizeof functions / sizeof *functions && !*lacks_out; i++) {
    void *const found = dlsym(library, functions[i].name);
    if (!found) *lacks_out = functions[i].name;
    memcpy(functions[i].to, &found, sizeof found);
  }
  if (!*lacks_out) atomic_store(&portable__cufft_is_open, 1);
  return !*lacks_out;
}

static const char *result_name(int result) {
  static const char *const names[] = {"CUFFT_SUCCESS", "CUFFT_INVALID_PLAN", "CUFFT_ALLOC_FAILED", "CUFFT_INVALID_TYPE", "CUFFT_INVALID_VALUE", "CUFFT_INTERNAL_ERROR",
                                      "CUFFT_EXEC_FAILED", "CUFFT_SETUP_FAILED", "CUFFT_INVALID_SIZE", "CUFFT_UNALIGNED_DATA", "CUFFT_INCOMPLETE_PARAMETER_LIST",
                                      "CUFFT_INVALID_DEVICE", "CUFFT_PARSE_ERROR", "CUFFT_NO_WORKSPACE", "CUFFT_NOT_IMPLEMENTED", "CUFFT_LICENSE_ERROR", "CUFFT_NOT_SUPPORTED"};
  return result >= 0 && (size_t)result < sizeof names / sizeof *names ? names[result] : "a result without a name";
}

portable_status portable__cufft_fail(int result, const char *function, const char *call, const char *label, const struct portable__cufft_shape *shape) {
  return portable__fail(result == ALLOC_FAILED ? PORTABLE_ERR_NOMEM : PORTABLE_ERR_DEVICE,
                        "%s '%s': %s gives %s (%d) for %" PRId64 " lines of %" PRId64 " numbers on %s; %sour own transforms are used without cuFFT in PORTABLE_FFT_LIBRARY",
                        call, label, function, result_name(result), result, shape->lines, shape->n, portable_device_name(portable__cuda_number(shape->index)), result == ALLOC_FAILED ? "free memory of the device; " : "");
}

/* ---- plans ---- */

/* A library of NVIDIA's computes with floating point, and the program may trap that. */
static int make(struct portable__cufft_plan *p, const char **function_out) {
  struct portable__cufft_shape *const s = &p->shape;
  long long n = s->n, sizes[2];
  sizes[0] = sizes[1] = n;
  if (s->type != PORTABLE__CUFFT_COMPLEX) sizes[s->type == PORTABLE__CUFFT_FORWARD] = n / 2 + 1;
  *function_out = "cufftCreate";
  int result = cufft.create(&p->handle);
  if (result != SUCCESS) return result;
  *function_out = "cufftSetAutoAllocation";
  result = cufft.auto_work(p->handle, 0);
  if (result == SUCCESS) {
    *function_out = "cufftMakePlanMany64";
    result = cufft.make(p->handle, 1, &n, &sizes[0], s->step[0], s->next[0], &sizes[1], s->step[1], s->next[1], types[s->doubles][s->type], s->lines, &p->work);
  }
  if (result != SUCCESS) cufft.destroy(p->handle);
  return result;
}

static int is_refusal(int result) { return result == INVALID_VALUE || result == INVALID_SIZE || result == NOT_IMPLEMENTED || result == NOT_SUPPORTED; }

/* Called under the lock, or with a plan of no list. */
static void end(struct portable__cufft_plan *p) {
  void *before;
  if (!p->refused && portable__cuda_is_open() && portable__cuda_visit(p->shape.index, &before) == 0) { /* a fork's child has no driver */
    cufft.destroy(p->handle);
    portable__cuda_return(before);
  }
  pthread_mutex_destroy(&p->busy);
  free(p);
}

/* The plan of the shape. Without it the least recent one ends, if there are many. */
static struct portable__cufft_plan *find(const struct portable__fft_plan *of, const struct portable__cufft_shape *shape) {
  struct portable__cufft_plan **oldest = NULL;
  int count = 0;
  for (struct portable__cufft_plan **p = &plans; *p; p = &(*p)->next) {
    if ((*p)->of != of) continue;
    if (memcmp(&(*p)->shape, shape, sizeof *shape) == 0) return *p;
    count++;
    if (!(*p)->users && (!oldest || (*p)->turn < (*oldest)->turn)) oldest = p;
  }
  if (count >= LAYOUTS && oldest) {
    struct portable__cufft_plan *const p = *oldest;
    *oldest = p->next;
    end(p);
  }
  return NULL;
}

static struct portable__cufft_plan *add(const struct portable__place *place, const struct portable__fft_plan *of, const struct portable__cufft_shape *shape,
                                        portable_status *status_out) {
  struct portable__cufft_plan *const p = calloc(1, sizeof *p);
  const char *function = "cuCtxSetCurrent";
  void *before;
  if (!p) {
    *status_out = portable__no_scratch(PORTABLE_ERR_NOMEM, place->call, place->label);
    return NULL;
  }
  p->of = of;
  p->shape = *shape;
  const int code = portable__cuda_visit(shape->index, &before);
  if (code) {
    *status_out = portable__cuda_fail(code, function, place->label);
    free(p);
    return NULL;
  }
  fenv_t modes;
  feholdexcept(&modes);
  const int result = make(p, &function);
  fesetenv(&modes);
  portable__cuda_return(before);
  if (result != SUCCESS && !is_refusal(result)) {
    *status_out = portable__cufft_fail(result, function, place->call, place->label, shape);
    free(p);
    return NULL;
  }
  if (result != SUCCESS) {
    p->refused = 1;
    portable__warn("PORTABLE_FFT_LIBRARY: %s gives %s (%d) for lines of %" PRId64 " numbers; using our own transforms for these", function, result_name(result), result, shape->n);
  }
  pthread_mutex_init(&p->busy, NULL);
  p->next = plans;
  return plans = p;
}

struct portable__cufft_plan *portable__cufft_take(const struct portable__place *place, const struct portable__fft_plan *of, const struct portable__cufft_shape *shape,
                                                  portable_status *status_out) {
  *status_out = PORTABLE_OK;
  pthread_mutex_lock(&lock);
  struct portable__cufft_plan *p = find(of, shape);
  if (!p) p = add(place, of, shape, status_out);
  if (p) {
    p->users++;
    p->turn = ++turns;
  }
  pthread_mutex_unlock(&lock);
  return p;
}

void portable__cufft_give(struct portable__cufft_plan *p) {
  pthread_mutex_lock(&lock);
  p->users--;
  pthread_mutex_unlock(&lock);
}

void portable__cufft_end(const struct portable__fft_plan *of) {
  if (!atomic_load(&portable__cufft_is_open)) return;
  pthread_mutex_lock(&lock);
  for (struct portable__cufft_plan **p = &plans; *p;) {
    struct portable__cufft_plan *const q = *p;
    if (of && q->of != of) {
      p = &q->next;
    } else {
      *p = q->next;
      end(q);
    }
  }
  pthread_mutex_unlock(&lock);
}

/* ---- lines ---- */

int portable__cufft_begin(const struct portable__cufft_plan *p, void *native, void *work, const char **function_out) {
  *function_out = "cufftSetStream";
  const int result = cufft.stream(p->handle, native);
  if (result != SUCCESS || !work) return result;
  *function_out = "cufftSetWorkArea";
  return cufft.work(p->handle, work);
}

int portable__cufft_execute(const struct portable__cufft_plan *p, void *in, void *out, int backward, const char **function_out) {
  const struct portable__cufft_shape *const s = &p->shape;
  *function_out = executes[s->doubles][s->type];
  return s->type == PORTABLE__CUFFT_COMPLEX ? cufft.complex[s->doubles](p->handle, in, out, backward ? INVERSE : FORWARD) : cufft.real[s->doubles][s->type](p->handle, in, out);
}
