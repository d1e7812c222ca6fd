/* fft_library.c - the libraries of PORTABLE_FFT_LIBRARY, and the plans of those with FFTW's
 * interface. They are opened at the first plan of the process, and stay. Not here: the use of plans
 * (internal/kernels/fft/fft_vendor.c); cuFFT (cufft.c). Making and ending plans is serial, because
 * FFTW's planner is no function for threads; one lock. Threads: any. */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/edge/base.h"
#include "../../internal/edge/environment.h"
#include "../../internal/edge/file.h"
#include "../../internal/observe/watch.h"
#include "cufft.h"
#include "fft_plan.h"

/* The numbers of fftw3.h. */
enum { FORWARD = -1, BACKWARD = 1, UNALIGNED = 1 << 1, ESTIMATE = 1 << 6 };

struct library {
  struct portable__fft_vendor run;
  void *(*complex)(int n, void *in, void *out, int sign, unsigned flags);
  void *(*forward)(int n, void *in, void *out, unsigned flags);
  void *(*backward)(int n, void *in, void *out, unsigned flags);
};

static struct library libraries[2]; /* of real32 and real64; run.destroy NULL: none */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

#pragma weak dlsym

/* The loader's functions by their names; NULL in a static program. */
static void *loader(const char *name) { return dlsym ? dlsym(RTLD_DEFAULT, name) : NULL; }

/* 0: the library lacks a function. */
static int bind(void *library, const char *prefix, struct library *to) {
  static const char *const names[] = {"execute_dft", "execute_dft_r2c", "execute_dft_c2r", "destroy_plan", "plan_dft_1d", "plan_dft_r2c_1d", "plan_dft_c2r_1d"};
  void *found[7];
  for (int i = 0; i < 7; i++) {
    char name[40] = "";
    strcat(strcat(name, prefix), names[i]);
    if (!(found[i] = dlsym(library, name))) return 0;
  }
  memcpy(&to->run.complex, &found[0], sizeof(void *));
  memcpy(&to->run.forward, &found[1], sizeof(void *));
  memcpy(&to->run.backward, &found[2], sizeof(void *));
  memcpy(&to->run.destroy, &found[3], sizeof(void *));
  memcpy(&to->complex, &found[4], sizeof(void *));
  memcpy(&to->forward, &found[5], sizeof(void *));
  memcpy(&to->backward, &found[6], sizeof(void *));
  return 1;
}

static void open_library(const char *path) {
  void *(*open)(const char *, int);
  char *(*why)(void);
  *(void **)(void *)&open = loader("dlopen");
  *(void **)(void *)&why = loader("dlerror");
  const int error = portable__check_library(path);
  void *const library = error || !open ? NULL : open(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *const text = error ? portable__file_reason(error) : !open ? "a static program cannot load libraries" : why ? why() : NULL;
    portable__warn("PORTABLE_FFT_LIBRARY='%.200s' is invalid (%s); using our own transforms", path, text ? text : "no reason given");
    return;
  }
  const int doubles = bind(library, "fftw_", &libraries[1]), singles = bind(library, "fftwf_", &libraries[0]);
  const char *lacks = NULL;
  if (doubles || singles || portable__cufft_bind(library, &lacks)) return;
  if (lacks)
    portable__warn("PORTABLE_FFT_LIBRARY='%.200s' is invalid (it lacks %s of cuFFT); using our own transforms; give the libcufft.so of CUDA 10 or later", path, lacks);
  else
    portable__warn("PORTABLE_FFT_LIBRARY='%.200s' is invalid (it lacks fftw_plan_dft_1d or another function of FFTW 3); using our own transforms", path);
}

static void open_libraries(void) {
  char *const list = strdup(portable__getenv("PORTABLE_FFT_LIBRARY") ? portable__getenv("PORTABLE_FFT_LIBRARY") : ""), *rest = list;
  for (char *path; rest && (path = strsep(&rest, ";"));)
    if (*path) open_library(path);
  free(list);
}

void portable__fft_library_plan(struct portable__fft_plan *p) {
  pthread_once(&once, open_libraries);
  for (int kind = 0; kind < 2 && p->n <= INT_MAX / 4; kind++) {
    const struct library *const l = &libraries[kind];
    const size_t bytes = (size_t)(2 * (p->n + 2)) * (kind ? 8 : 4);
    char *const in = l->run.destroy ? malloc(2 * bytes) : NULL, *const out = in ? in + bytes : NULL;
    if (!in) continue;
    pthread_mutex_lock(&planner);
    for (int backward = 0; backward < 2; backward++)
      p->vendor_plan[kind][backward] = !p->real   ? l->complex((int)p->n, in, out, backward ? BACKWARD : FORWARD, ESTIMATE | UNALIGNED)
                                       : backward ? l->backward((int)p->n, in, out, ESTIMATE | UNALIGNED)
                                                  : l->forward((int)p->n, in, out, ESTIMATE | UNALIGNED);
    pthread_mutex_unlock(&planner);
    free(in);
    if (p->vendor_plan[kind][0] && p->vendor_plan[kind][1]) p->vendor[kind] = &l->run;
  }
}

void portable__fft_library_end(struct portable__fft_plan *p) {
  portable__cufft_end(p);
  for (int kind = 0; kind < 2; kind++)
    for (int backward = 0; backward < 2; backward++) {
      if (!p->vendor_plan[kind][backward]) continue;
      pthread_mutex_lock(&planner);
      libraries[kind].run.destroy(p->vendor_plan[kind][backward]);
      pthread_mutex_unlock(&planner);
    }
}
