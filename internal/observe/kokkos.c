/* kokkos.c - loads and calls libraries with the interface of Kokkos Tools, named in the environment
 * or linked into the program. A tool is searched when the library gets its first participant,
 * notified of the end when it loses its last one, and never unloaded. A library that starts again
 * uses the same tools. In C because the interface is C's, and tools are called for each launch. Not
 * in this file: tuning, sections and metadata of tools, which no function here would use; deep
 * copies. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "../edge/above.h"
#include "../team/devices.h"
#include "observers.h"
#include "../edge/file.h"
#include "watch.h"

#define INTERFACE 20211015u /* the version of the interface that this file implements */
#define TOOLS PORTABLE__TOOLS_MAX

/* Kokkos' numbers of devices: a kind in the highest byte, then the number within its kind. */
#define KIND_SERIAL 0u
#define KIND_OPENMP 1u
#define KIND_THREADS 6u
#define KIND_UNKNOWN 9u
#define DEVICE_OF(kind, number) ((uint32_t)(kind) << 24 | (uint32_t)(number) << 17)

struct space {
  char name[64];
};

/* The needs of a tool. The interface demands the question; the answer is not used, because launches here are
 * synchronous. */
struct settings {
  unsigned char needs_fence, padding[255];
};

typedef void (*begin_function)(const char *, uint32_t, uint64_t *);
typedef void (*end_function)(uint64_t);
typedef void (*data_function)(struct space, const char *, const void *, uint64_t);

struct tool {
  void (*request_tool_settings)(uint32_t, struct settings *);
  void (*parse_args)(int, char **);
  void (*init_library)(int, uint64_t, uint32_t, void *);
  void (*finalize_library)(void);
  begin_function begin_parallel_for, begin_parallel_reduce, begin_parallel_scan, begin_fence;
  end_function end_parallel_for, end_parallel_reduce, end_parallel_scan, end_fence;
  void (*push_profile_region)(const char *);
  void (*pop_profile_region)(void);
  data_function allocate_data, deallocate_data;
};

/* The program's own tool, linked into it: statically linked programs have no loader. */
#define WEAK(result, name, ...) extern result kokkosp_##name(__VA_ARGS__) __attribute__((weak))
WEAK(void, request_tool_settings, uint32_t, struct settings *);
WEAK(void, parse_args, int, char **);
WEAK(void, init_library, int, uint64_t, uint32_t, void *);
WEAK(void, finalize_library, void);
WEAK(void, begin_parallel_for, const char *, uint32_t, uint64_t *);
WEAK(void, begin_parallel_reduce, const char *, uint32_t, uint64_t *);
WEAK(void, begin_parallel_scan, const char *, uint32_t, uint64_t *);
WEAK(void, begin_fence, const char *, uint32_t, uint64_t *);
WEAK(void, end_parallel_for, uint64_t);
WEAK(void, end_parallel_reduce, uint64_t);
WEAK(void, end_parallel_scan, uint64_t);
WEAK(void, end_fence, uint64_t);
WEAK(void, push_profile_region, const char *);
WEAK(void, pop_profile_region, void);
WEAK(void, allocate_data, struct space, const char *, const void *, uint64_t);
WEAK(void, deallocate_data, struct space, const char *, const void *, uint64_t);
#pragma weak dlsym /* see static.c */

#define FUNCTIONS(X)                                                                                                       \
  X(request_tool_settings) X(parse_args) X(init_library) X(finalize_library) X(begin_parallel_for) X(begin_parallel_reduce) \
  X(begin_parallel_scan) X(begin_fence) X(end_parallel_for) X(end_parallel_reduce) X(end_parallel_scan) X(end_fence)        \
  X(push_profile_region) X(pop_profile_region) X(allocate_data) X(deallocate_data)

/* A tool may hold a lock of its own while its allocation comes to the pool (portable::allocate): no tool is notified of
 * that. */
static __thread int inside __attribute__((tls_model("initial-exec")));

static struct tool tools[TOOLS]; /* written at a start only, and read while the bit is on */
static _Atomic int count;
static char *wanted, *args; /* set by Go under the lock of the instance, before a start is notified */
static _Atomic int looked;

int32_t portable__tools_set(const char *libraries, size_t bytes, const char *arguments, size_t arguments_bytes) {
  if (looked) return 1;
  free(wanted);
  free(args);
  wanted = strndup(libraries, bytes);
  args = strndup(arguments, arguments_bytes);
  return wanted && args;
}

/* ---- search ---- */

/* The loader's functions by their names; NULL in a static program. */
static void *loader(const char *name) { return dlsym ? dlsym(RTLD_DEFAULT, name) : NULL; }

static int is_tool(const struct tool *t) {
  const void *const *f = (const void *const *)(const void *)t;
  for (size_t i = 0; i < sizeof *t / sizeof *f; i++)
    if (f[i]) return 1;
  return 0;
}

static void add(const struct tool *t) { tools[atomic_fetch_add(&count, 1)] = *t; }

static void find_inside(void) {
  struct tool t;
#define X(name) *(void **)(void *)&t.name = kokkosp_##name ? (void *)(uintptr_t)kokkosp_##name : loader("kokkosp_" #name);
  FUNCTIONS(X)
#undef X
  if (is_tool(&t)) add(&t);
}

static void find_library(const char *path) {
  struct tool t;
  void *(*open)(const char *, int);
  char *(*why)(void);
  *(void **)(void *)&open = loader("dlopen");
  *(void **)(void *)&why = loader("dlerror");
  if (atomic_load(&count) == TOOLS) {
    portable__warn("PORTABLE_TOOLS: there are more than %d tools; %.200s is not loaded", TOOLS, path);
    return;
  }
  if (!open) {
    portable__warn("PORTABLE_TOOLS: a static program cannot load %.200s; link the tool into it", path);
    return;
  }
  int error = portable__check_library(path);
  void *library = error ? NULL : open(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *text = error ? portable__file_reason(error) : why ? why() : NULL;
    portable__warn("PORTABLE_TOOLS: %.200s cannot be loaded (%s); the program runs without it", path, text ? text : "no reason given");
    return;
  }
#define X(name) *(void **)(void *)&t.name = dlsym(library, "kokkosp_" #name);
  FUNCTIONS(X)
#undef X
  if (is_tool(&t))
    add(&t);
  else
    portable__warn("PORTABLE_TOOLS: %.200s has none of the functions of a tool (kokkosp_begin_parallel_for and so on); it does nothing",
                   path);
}

static void find_tools(void) {
  char *rest = wanted;
  if (strcmp(wanted, "0") == 0) return;
  find_inside();
  for (char *path; (path = strsep(&rest, ";"));)
    if (*path) find_library(path);
}

/* ---- notifications ---- */

static uint32_t device_number(int32_t device) {
  if (device == PORTABLE__SERIAL) return DEVICE_OF(KIND_SERIAL, 0);
  if (device == PORTABLE__THREADS) return DEVICE_OF(KIND_THREADS, 0);
  if (strcmp(portable__above_launch.device_name(device), "openmp") == 0) return DEVICE_OF(KIND_OPENMP, 0);
  return DEVICE_OF(KIND_UNKNOWN, device);
}

static begin_function begin_of(const struct tool *t, int32_t kind) {
  return kind == PORTABLE_LAUNCH_FOR      ? t->begin_parallel_for
         : kind == PORTABLE_LAUNCH_REDUCE ? t->begin_parallel_reduce
         : kind == PORTABLE_LAUNCH_SCAN   ? t->begin_parallel_scan
                                          : t->begin_fence;
}

static end_function end_of(const struct tool *t, int32_t kind) {
  return kind == PORTABLE_LAUNCH_FOR      ? t->end_parallel_for
         : kind == PORTABLE_LAUNCH_REDUCE ? t->end_parallel_reduce
         : kind == PORTABLE_LAUNCH_SCAN   ? t->end_parallel_scan
                                          : t->end_fence;
}

/* A tool may leave the number as it is. Then it is ours, which is unique. */
static void begin(struct portable__watched *w) {
  int n = inside ? 0 : atomic_load(&count);
  inside++;
  for (int i = 0; i < n; i++) {
    begin_function f = begin_of(&tools[i], w->kind);
    w->tool_ids[i] = w->id;
    if (f) f(w->label, device_number(w->device), &w->tool_ids[i]);
  }
  inside--;
  w->state[PORTABLE__TOOLS] = (uint64_t)n;
}

static void end(struct portable__watched *w, portable_status status) {
  (void)status;
  inside++;
  for (int i = (int)w->state[PORTABLE__TOOLS]; i-- > 0;) {
    end_function f = end_of(&tools[i], w->kind);
    if (f) f(w->tool_ids[i]);
  }
  inside--;
}

static void initialize(const struct tool *t, int number) {
  struct settings settings = {.needs_fence = 1};
  char *arguments[2] = {args, NULL};
  if (t->request_tool_settings) t->request_tool_settings(1, &settings);
  if (t->parse_args && args[0]) t->parse_args(1, arguments);
  if (t->init_library) t->init_library(number, INTERFACE, 0, NULL);
}

static void tell(const struct tool *t, int number, const portable_hook_event *e) {
  static const struct space host = {"Host"};
  switch (e->event) {
  case PORTABLE_EVENT_INIT: initialize(t, number); break;
  case PORTABLE_EVENT_FINALIZE:
    if (t->finalize_library) t->finalize_library();
    break;
  case PORTABLE_EVENT_REGION_BEGIN:
    if (t->push_profile_region) t->push_profile_region(e->label);
    break;
  case PORTABLE_EVENT_REGION_END:
    if (t->pop_profile_region) t->pop_profile_region();
    break;
  case PORTABLE_EVENT_ALLOC:
    if (t->allocate_data) t->allocate_data(host, e->label, e->address, e->bytes);
    break;
  case PORTABLE_EVENT_FREE:
    if (t->deallocate_data) t->deallocate_data(host, e->label, e->address, e->bytes);
    break;
  default: break;
  }
}

static void event(const portable_hook_event *e) {
  int n = inside ? 0 : atomic_load(&count);
  inside++;
  for (int i = 0; i < n; i++) tell(&tools[i], i, e);
  inside--;
}

/* Blocks are served by the pool itself only if a tool wants each block. */
static const struct portable__watcher watcher = {begin, end, event, 0}, watcher_of_memory = {begin, end, event, 1};

void portable__tools_start(void) {
  if (!wanted || !args) return;
  if (!looked) {
    looked = 1;
    find_tools();
  }
  int n = atomic_load(&count), memory = 0;
  for (int i = 0; i < n; i++) memory |= tools[i].allocate_data || tools[i].deallocate_data;
  if (n) portable__watch_on(PORTABLE__TOOLS, memory ? &watcher_of_memory : &watcher);
}
