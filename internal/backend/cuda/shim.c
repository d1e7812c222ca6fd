/* shim.c - opens the driver's library, and binds each cu* function at its first call. In C because
 * hot calls come from C, not through Go. */
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../edge/environment.h"
#include "../../edge/file.h"
#include "cuda.h"

enum {
#define X(name, arguments) INDEX_##name,
#include "cuda_functions.inc"
#undef X
  COUNT
};

static const char *const names[COUNT] = {
#define X(name, arguments) #name,
#include "cuda_functions.inc"
#undef X
};

/* The target of each trampoline: at first code that calls portable__cuda_bind (trampolines.S). */
extern _Atomic(void *) portable__cuda_table[COUNT] __attribute__((visibility("hidden")));
void *portable__cuda_bind(size_t index) __attribute__((visibility("hidden"), used));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the reason and the opening */
static _Atomic(void *) library;
static _Atomic int wanted; /* portable__cuda_open was called */
static _Atomic int started;
static _Atomic int child; /* of a fork; it must not call the driver */
static char why[512];

/* Substitutes of functions. They are called with any arguments, which no ABI here minds. */
static CUresult no_device(void) { return CUDA_ERROR_NO_DEVICE; }
static CUresult not_found(void) { return CUDA_ERROR_NOT_FOUND; }
static CUresult nothing(void) { return CUDA_SUCCESS; }
static CUresult not_initialized(void) { return CUDA_ERROR_NOT_INITIALIZED; }

void *portable__cuda_bind(size_t index) {
  void *to, *from = atomic_load_explicit(&library, memory_order_acquire);
  if (atomic_load(&child)) return (void *)not_initialized;
  if (!from) {
    /* gorgonia.org/cu calls cuInit before main, and ends the program when that fails. */
    if (index == INDEX_cuInit && !atomic_load(&wanted)) return (void *)nothing;
    return (void *)no_device; /* not kept: the library may become available */
  }
  to = dlsym(from, names[index]);
  if (!to) to = (void *)not_found;
  atomic_store_explicit(&portable__cuda_table[index], to, memory_order_release);
  return to;
}

/* A child has the parent's driver in its memory, where it does not work. */
static void forked(void) {
  atomic_store(&child, 1);
  atomic_store(&started, 0);
  for (size_t i = 0; i < COUNT; i++) atomic_store_explicit(&portable__cuda_table[i], (void *)not_initialized, memory_order_relaxed);
}

static int open_library(void) {
  const char *path = portable__getenv("PORTABLE_CUDA_LIBRARY");
  int error = path ? portable__check_library(path) : 0;
  void *found = error ? NULL : dlopen(path && path[0] ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (error) {
    snprintf(why, sizeof why, "PORTABLE_CUDA_LIBRARY=%.200s: %s", path, portable__file_reason(error));
    return 0;
  }
  if (!found) {
    const char *text = dlerror();
    snprintf(why, sizeof why, "%s", text ? text : "the driver's library cannot be opened");
    return 0;
  }
  if (!dlsym(found, "cuInit") || !dlsym(found, "cuMemAlloc_v2")) {
    snprintf(why, sizeof why, "%s is not the library of a driver that we know (it has no %s)", path && path[0] ? path : "libcuda.so.1",
             dlsym(found, "cuInit") ? "cuMemAlloc_v2" : "cuInit");
    dlclose(found);
    return 0;
  }
  pthread_atfork(NULL, NULL, forked);
  atomic_store_explicit(&library, found, memory_order_release);
  return 1;
}

static void say(CUresult result) {
  const char *name = NULL, *text = NULL;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  snprintf(why, sizeof why, "the driver does not start: %s (%d)%s%s", name ? name : "error", (int)result, text ? ", " : "", text ? text : "");
}

int portable__cuda_open(void) {
  CUresult result = CUDA_ERROR_NO_DEVICE;
  if (atomic_load(&started)) return CUDA_SUCCESS;
  if (atomic_load(&child)) { /* another thread may have held the lock */
    snprintf(why, sizeof why, "this process is a fork of one that has used the driver, which cannot be used here");
    return CUDA_ERROR_NOT_INITIALIZED;
  }
  pthread_mutex_lock(&lock);
  atomic_store(&wanted, 1);
  if (atomic_load(&library) || open_library()) {
    result = atomic_load(&started) ? CUDA_SUCCESS : cuInit(0);
    if (result == CUDA_SUCCESS) {
      why[0] = '\0';
      atomic_store(&started, 1);
    } else {
      say(result);
    }
  }
  pthread_mutex_unlock(&lock);
  return (int)result;
}

const char *portable__cuda_why(void) { return why; }

int portable__cuda_is_open(void) { return atomic_load(&started); }

void *portable__cuda_symbol(const char *name) {
  void *from = atomic_load_explicit(&library, memory_order_acquire);
  return from && !atomic_load(&child) ? dlsym(from, name) : NULL;
}
