// device.h - what a kernel finds when the fake NVRTC compiles it: CUDA's names, put on the processor (words.h), and what the device has of the C library.
// Mathematics and vector types are in device_math.h. No header of C or C++ is included, as NVRTC has none. C++11.
#pragma GCC system_header

typedef decltype(sizeof 0) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
typedef long clock_t;
typedef __builtin_va_list va_list;

#include "words.h"
#if defined(FAKE_HIP)
#include "hip_words.h"
#endif

// ---- what the device has of the C library ----

static inline clock_t clock() { return (clock_t)clock64(); }
extern "C" {
int printf(const char *, ...);
void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
}
static inline void fake_assert(const char *text, const char *file, int line, const char *function) {
  char said[1024];
  __builtin_snprintf(said, sizeof said, "%s:%d: %s: Assertion `%s` failed", file, line, function, text);
  fake_now.runtime->say(said);
  fake_now.runtime->stop(710);
}

static __thread char fake_marker[16] __attribute__((aligned(16)));
static void *fake_touch() { return fake_marker; }
#define FAKE_MODULE(architecture, ...)                                                                                                                     \
  static const fake_entry fake_entries[] = {__VA_ARGS__ fake_entry{}};                                                                                     \
  extern "C" __attribute__((visibility("default"))) const fake_face fake_module = {                                                                        \
      FAKE_FACE_VERSION, architecture, fake_entries, sizeof fake_entries / sizeof fake_entries[0] - 1, &fake_now.thread, &fake_now.block,                  \
      &fake_now.block_size, &fake_now.grid_size, fake_dynamic_shared, sizeof fake_dynamic_shared, &fake_now.runtime, fake_touch};

#include "device_math.h"
