/* shim.c - opens the drivers' libraries, and binds each cu* function at its first call. In C
 * because hot calls come from C, not through Go. With several drivers in a process no trampoline
 * is bound: each call asks for the thread's driver. Locks: `lock` guards opening
 * and reasons, `binding` the table. */
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, binding = PTHREAD_MUTEX_INITIALIZER;
static struct {
  _Atomic(void *) library;
  _Atomic int started;
  _Atomic(void *) known[COUNT]; /* functions that a mixed process has called */
  char why[1024]; /* of OpenCL a line for each device */
} drivers[PORTABLE__DRIVERS];
static _Atomic int wanted; /* portable__cuda_open was called */
static _Atomic int mixed;  /* several drivers were started */
static _Atomic int only;   /* the one that was started, if one was */
static _Atomic int child;  /* of a fork; it must not call the driver */
static _Atomic(int32_t (*)(char *, size_t)) opencl_open; /* NULL: this build has no OpenCL */
static void *(*opencl_function)(const char *);
static void *unbound[COUNT]; /* the table before the first call */
static __thread int turn __attribute__((tls_model("initial-exec")));

/* Substitutes of functions. They are called with any arguments, which no ABI here minds. */
static CUresult no_device(void) { return CUDA_ERROR_NO_DEVICE; }
static CUresult not_found(void) { return CUDA_ERROR_NOT_FOUND; }
static CUresult nothing(void) { return CUDA_SUCCESS; }
static CUresult not_initialized(void) { return CUDA_ERROR_NOT_INITIALIZED; }

static int of_thread(void) {
  return atomic_load_explicit(&mixed, memory_order_acquire) ? turn : atomic_load_explicit(&only, memory_order_acquire);
}

static void *symbol(int driver, void *from, const char *name) { return driver == PORTABLE__DRIVER_OPENCL ? opencl_function(name) : dlsym(from, name); }

static void *target(int driver, void *from, size_t index) {
  void *to = driver == PORTABLE__DRIVER_HIP ? portable__hip_function(from, names[index]) : symbol(driver, from, names[index]);
  return to ? to : (void *)not_found;
}

void *portable__cuda_bind(size_t index) {
  if (atomic_load(&child)) return (void *)not_initialized;
  int driver = of_thread();
  void *from = atomic_load_explicit(&drivers[driver].library, memory_order_acquire);
  if (!from) {
    /* gorgonia.org/cu calls cuInit before main, and ends the program when that fails. */
    if (index == INDEX_cuInit && !atomic_load(&wanted)) return (void *)nothing;
    return (void *)no_device; /* not kept: the library may become available */
  }
  void *to = atomic_load_explicit(&drivers[driver].known[index], memory_order_acquire);
  if (to) return to;
  to = target(driver, from, index);
  atomic_store_explicit(&drivers[driver].known[index], to, memory_order_release);
  pthread_mutex_lock(&binding);
  if (driver == of_thread() && !atomic_load(&mixed)) atomic_store_explicit(&portable__cuda_table[index], to, memory_order_release);
  pthread_mutex_unlock(&binding);
  return to;
}

/* A driver has started: calls that were bound to another one, or would be, are bound again. */
static void start(int driver) {
  pthread_mutex_lock(&binding);
  atomic_store(&drivers[driver].started, 1);
  for (int d = 0; d < PORTABLE__DRIVERS; d++)
    if (d != driver && atomic_load(&drivers[d].started)) atomic_store(&mixed, 1);
  atomic_store(&only, driver);
  for (size_t i = 0; i < COUNT; i++) atomic_store_explicit(&portable__cuda_table[i], unbound[i], memory_order_release);
  pthread_mutex_unlock(&binding);
}

/* A child has the parent's driver in its memory, where it does not work. */
static void forked(void) {
  atomic_store(&child, 1);
  for (int d = 0; d < PORTABLE__DRIVERS; d++) atomic_store(&drivers[d].started, 0);
  for (size_t i = 0; i < COUNT; i++) atomic_store_explicit(&portable__cuda_table[i], (void *)not_initialized, memory_order_relaxed);
}

/* ---- opening, under the lock ---- */

static const struct {
  const char *variable, *library[5], *needs[2];
} files[PORTABLE__DRIVERS] = {
    {"PORTABLE_CUDA_LIBRARY", {"libcuda.so.1"}, {"cuInit", "cuMemAlloc_v2"}},
    {"PORTABLE_HIP_LIBRARY", {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}, {"hipInit", "hipModuleLaunchKernel"}},
};

static int opened(int driver, void *found) {
  static int once;
  if (!once) {
    for (size_t i = 0; i < COUNT; i++) unbound[i] = atomic_load(&portable__cuda_table[i]);
    pthread_atfork(NULL, NULL, forked);
  }
  once = 1;
  atomic_store_explicit(&drivers[driver].library, found, memory_order_release);
  return 1;
}

static int open_opencl(char *why, size_t room) {
  int32_t (*const open)(char *, size_t) = atomic_load(&opencl_open);
  if (open) return open(why, room) > 0 && opened(PORTABLE__DRIVER_OPENCL, drivers);
  snprintf(why, room, "this libportable was built without devices of OpenCL (in CMake: -DPORTABLE_OPENCL=ON)");
  return 0;
}

static int open_library(int driver) {
  char *const why = drivers[driver].why;
  const size_t room = sizeof drivers[driver].why;
  if (driver == PORTABLE__DRIVER_OPENCL) return open_opencl(why, room);
  const char *path = portable__getenv(files[driver].variable);
  int error = path ? portable__check_library(path) : 0;
  void *found = NULL;
  if (error) {
    snprintf(why, room, "%s=%.200s: %s", files[driver].variable, path, portable__file_reason(error));
    return 0;
  }
  if (path && !path[0]) path = NULL;
  for (int i = 0; !found && (path ? i == 0 : files[driver].library[i] != NULL); i++) found = dlopen(path ? path : files[driver].library[i], RTLD_NOW | RTLD_LOCAL);
  if (!found) {
    const char *text = dlerror();
    snprintf(why, room, "%s", text ? text : "the driver's library cannot be opened");
    return 0;
  }
  for (int i = 0; i < 2; i++) {
    if (dlsym(found, files[driver].needs[i])) continue;
    snprintf(why, room, "%s is not the library of a driver that we know (it has no %s)", path ? path : files[driver].library[0], files[driver].needs[i]);
    dlclose(found);
    return 0;
  }
  return opened(driver, found);
}

typedef CUresult (*name_of)(CUresult, const char **);

static void say(int driver, CUresult result) {
  const char *name = NULL, *text = NULL;
  void *const from = atomic_load(&drivers[driver].library);
  ((name_of)target(driver, from, INDEX_cuGetErrorName))(result, &name);
  ((name_of)target(driver, from, INDEX_cuGetErrorString))(result, &text);
  snprintf(drivers[driver].why, sizeof drivers[driver].why, "the driver does not start: %s (%d)%s%s", name ? name : "error", (int)result, text ? ", " : "",
           text ? text : "");
}

int portable__cuda_open(int driver) {
  CUresult result = CUDA_ERROR_NO_DEVICE;
  if (atomic_load(&drivers[driver].started)) return CUDA_SUCCESS;
  if (atomic_load(&child)) { /* another thread may have held the lock */
    snprintf(drivers[driver].why, sizeof drivers[driver].why, "this process is a fork of one that has used the driver, which cannot be used here");
    return CUDA_ERROR_NOT_INITIALIZED;
  }
  pthread_mutex_lock(&lock);
  atomic_store(&wanted, 1);
  void *from = atomic_load(&drivers[driver].library);
  if (from || open_library(driver)) {
    from = atomic_load(&drivers[driver].library);
    result = atomic_load(&drivers[driver].started) ? CUDA_SUCCESS : ((CUresult(*)(unsigned int))target(driver, from, INDEX_cuInit))(0);
    if (result != CUDA_SUCCESS) {
      say(driver, result);
    } else if (!atomic_load(&drivers[driver].started)) {
      drivers[driver].why[0] = '\0';
      start(driver);
    }
  }
  pthread_mutex_unlock(&lock);
  return (int)result;
}

const char *portable__cuda_why(int driver) { return drivers[driver].why; }

int portable__cuda_driver_is_open(int driver) { return atomic_load(&drivers[driver].started); }

int portable__cuda_is_open(void) {
  int open = 0;
  for (int d = 0; d < PORTABLE__DRIVERS; d++) open |= portable__cuda_driver_is_open(d);
  return open;
}

void portable__cuda_opencl(int32_t (*open)(char *, size_t), void *(*function)(const char *)) {
  opencl_function = function;
  atomic_store(&opencl_open, open);
}

int portable__cuda_mixed(void) { return atomic_load_explicit(&mixed, memory_order_relaxed); }

int portable__cuda_turn(int driver) {
  const int before = turn;
  turn = driver;
  return before;
}

void *portable__cuda_symbol(const char *name) {
  const int driver = of_thread();
  void *from = atomic_load_explicit(&drivers[driver].library, memory_order_acquire);
  return from && !atomic_load(&child) ? symbol(driver, from, name) : NULL;
}
