/* device_streams.h - what the programs of this folder share: the driver's functions, as a program with code of its own for the device has them, and
 * things to put into a stream whose effect is seen in managed memory. C only. */
#ifndef DEVICE_STREAMS_H
#define DEVICE_STREAMS_H

#include "check.h"
#include "gpu.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#define WORDS 64

typedef unsigned long long device_pointer;

static struct {
  int (*managed)(device_pointer *to, size_t bytes, unsigned flags);
  int (*give)(device_pointer p);
  int (*fill)(device_pointer to, unsigned value, size_t words, void *stream);
  int (*sync)(void);
  int (*make)(void **stream, unsigned flags);
  int (*end)(void *stream);
} cu;

static uint32_t *words[2]; /* managed memory, WORDS each */
static device_pointer places[2];
static portable_device device;

static void *driver_function(void *library, const char *name) {
  void *f = dlsym(library, name);
  if (!f) {
    printf("no %s in the library of the driver\n", name);
    exit(2);
  }
  return f;
}

static void device_start(void) {
  const int hip = strcmp(gpu(""), "hip") == 0;
  const char *path = getenv(hip ? "PORTABLE_HIP_LIBRARY" : "PORTABLE_CUDA_LIBRARY");
  void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) exit(2);
  *(void **)&cu.managed = driver_function(library, hip ? "hipMallocManaged" : "cuMemAllocManaged");
  *(void **)&cu.give = driver_function(library, hip ? "hipFree" : "cuMemFree_v2");
  *(void **)&cu.fill = driver_function(library, hip ? "hipMemsetD32Async" : "cuMemsetD32Async");
  *(void **)&cu.sync = driver_function(library, hip ? "hipDeviceSynchronize" : "cuCtxSynchronize");
  *(void **)&cu.make = driver_function(library, hip ? "hipStreamCreateWithFlags" : "cuStreamCreate");
  *(void **)&cu.end = driver_function(library, hip ? "hipStreamDestroy" : "cuStreamDestroy_v2");
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  device = portable_default_device();
  CHECK(strcmp(portable_device_name(device), gpu(":0")) == 0);
}

/* One thing that needs the context on this thread: the library makes it current where the program's function is called. */
static portable_status take_words(void *native, void *payload) {
  (void)native, (void)payload;
  for (int i = 0; i < 2; i++) {
    if (cu.managed(&places[i], WORDS * sizeof(uint32_t), 1)) return PORTABLE_ERR_NOMEM;
    words[i] = (uint32_t *)(uintptr_t)places[i];
  }
  return PORTABLE_OK;
}

static portable_status give_words(void *native, void *payload) {
  (void)native, (void)payload;
  cu.sync();
  for (int i = 0; i < 2; i++) cu.give(places[i]);
  return PORTABLE_OK;
}

static void device_words(void) {
  CHECK_STATUS(portable_device_enqueue("take", device, 0, take_words, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int i = 0; i < 2; i++) memset(words[i], 0, WORDS * sizeof(uint32_t));
}

static int device_end(void) {
  CHECK_STATUS(portable_device_enqueue("give", device, 0, give_words, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  if (check_failures) printf("%d checks failed\n", check_failures);
  return check_failures != 0;
}

struct fill {
  int which;
  uint32_t value;
};

static portable_status fill_words(void *native, void *payload) {
  const struct fill *f = payload;
  return cu.fill(places[f->which], f->value, WORDS, native) ? PORTABLE_ERR_DEVICE : PORTABLE_OK;
}

static portable_status put(portable_stream stream, int which, uint32_t value) {
  struct fill f = {which, value};
  return portable_device_enqueue("fill", device, stream, fill_words, &f, sizeof f);
}

/* A kernel of the host: adds 1. */
static void add_one(const portable_tile *t, void *args) {
  uint32_t *a = words[*(int *)args];
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) a[i]++;
}

static portable_status add(portable_stream stream, const char *label, int which, int32_t bit_for_bit) {
  portable_bounds b = portable_bounds_1(WORDS);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  c.stream = stream;
  c.bit_for_bit = bit_for_bit;
  return portable_parallel_for(label, &b, add_one, &which, sizeof which, &c);
}

/* Asking may make the device get on, so it is asked once. */
static int device_done(portable_stream s) {
  int32_t done = -1;
  CHECK_STATUS(portable_stream_query(s, &done), PORTABLE_OK);
  return done;
}

static portable_stream device_stream(portable_device of) {
  portable_stream s = 0;
  CHECK_STATUS(portable_stream_create(of, PORTABLE_STREAM_ASYNC, &s), PORTABLE_OK);
  return s;
}

/* A library that never sets it fails a test, and does not hang it. */
static int await(_Atomic int *flag, int value) {
  for (time_t end = time(NULL) + 60; atomic_load(flag) < value;) {
    if (time(NULL) > end) return 0;
    sched_yield();
  }
  return 1;
}

/* A callback that holds its stream up. */
struct gate {
  _Atomic int open, reached;
};

static void stand(portable_status status, void *payload) {
  struct gate *g = payload;
  (void)status;
  atomic_store(&g->reached, 1);
  CHECK(await(&g->open, 1));
}

static void hold(portable_stream s, struct gate *g) {
  atomic_store(&g->open, 0);
  atomic_store(&g->reached, 0);
  CHECK_STATUS(portable_stream_call(s, stand, g), PORTABLE_OK);
  CHECK(await(&g->reached, 1));
}

static void go(struct gate *g) { atomic_store(&g->open, 1); }

#endif
