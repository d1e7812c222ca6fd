/* nvtx.c - shows the labels of launches, fences and timers as NVTX ranges in NVIDIA's profilers. In
 * C because a launch does not call Go. The build needs no header and no library of NVIDIA. The
 * ranges go to the library that NVTX_INJECTION64_PATH names, which the profiler sets (NVTX 3: it
 * fills the table below), else to libnvToolsExt.so.1 (NVTX 2). Both are opened at the first start
 * that wants them, and stay. The ids are those of nvtxTypes.h. Threads: a range begins and ends on
 * one thread, as observers require. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "../edge/environment.h"
#include "observers.h"
#include "../edge/file.h"
#include "watch.h"

enum { TABLE_CALLBACKS = 1, TABLE_VERSION = 3, MODULE_CORE = 1, MODULES = 6, RANGE_PUSH_A = 9, RANGE_POP = 11, SLOTS = 17 };

typedef void (*slot)(void);

static slot core[SLOTS], others[SLOTS]; /* filled by the profiler; functions in `others` are never called */
static slot *core_table[SLOTS], *other_table[SLOTS];
static int (*push)(const char *text);
static int (*pop)(void);

/* ---- the side that an injected library sees ---- */

static int module_table(int module, slot ***table_out, unsigned *size_out) {
  static const unsigned sizes[MODULES + 1] = {0, 16, 9, 15, 7, 16, 7};
  if (module < MODULE_CORE || module > MODULES) return 0;
  if (table_out) *table_out = module == MODULE_CORE ? core_table : other_table;
  if (size_out) *size_out = sizes[module];
  return 1;
}

static void take_version(uint32_t version) { (void)version; }

static const void *export_table(uint32_t id) {
  static const struct {
    size_t bytes;
    int (*table)(int module, slot ***table_out, unsigned *size_out);
  } callbacks = {sizeof callbacks, module_table};
  static const struct {
    size_t bytes;
    uint32_t version, reserved;
    void (*set)(uint32_t version);
  } version = {sizeof version, 3, 0, take_version};
  return id == TABLE_CALLBACKS ? (const void *)&callbacks : id == TABLE_VERSION ? (const void *)&version : NULL;
}

/* ---- opening ---- */

static int inject(void *library) {
  int (*initialize)(const void *(*table)(uint32_t id)) = NULL;
  *(void **)&initialize = dlsym(library, "InitializeInjectionNvtx2");
  for (int i = 1; i < SLOTS - 1; i++) { /* number 0 is unused, and a NULL ends each table */
    core_table[i] = &core[i];
    other_table[i] = &others[i];
  }
  if (!initialize || initialize(export_table) != 1) return 0;
  memcpy(&push, &core[RANGE_PUSH_A], sizeof push); /* a slot is a function of any type */
  memcpy(&pop, &core[RANGE_POP], sizeof pop);
  return push && pop;
}

static int from_library(void *library) {
  *(void **)&push = dlsym(library, "nvtxRangePushA");
  *(void **)&pop = dlsym(library, "nvtxRangePop");
  return push && pop;
}

/* ---- the observer ---- */

static void begin(struct portable__watched *w) {
  (void)push(w->label);
  w->state[PORTABLE__NVTX] = 1;
}

static void end(struct portable__watched *w, portable_status status) {
  (void)status;
  if (w->state[PORTABLE__NVTX]) (void)pop();
}

static void event(const portable_hook_event *e) {
  if (e->event == PORTABLE_EVENT_REGION_BEGIN) (void)push(e->label);
  if (e->event == PORTABLE_EVENT_REGION_END) (void)pop();
}

static const struct portable__watcher watcher = {begin, end, event, 0};

/* Called under the lock of the instance. */
portable__text portable__nvtx_open(int32_t wanted) {
  static int opened;
  const char *path = portable__getenv("NVTX_INJECTION64_PATH");
  portable__watch_off(PORTABLE__NVTX);
  if (wanted < 0 || (wanted == 0 && !(path && *path))) return NULL;
  if (!opened) {
    void *library = path && *path && portable__check_library(path) == 0 ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
    opened = library && inject(library);
    if (!opened && (library = dlopen("libnvToolsExt.so.1", RTLD_LAZY | RTLD_LOCAL))) opened = from_library(library);
    if (!opened && wanted > 0)
      return path && *path ? "the library that NVTX_INJECTION64_PATH names does not take part, and there is no libnvToolsExt.so.1" :
                             "NVTX_INJECTION64_PATH is not set, as NVIDIA's profilers set it, and there is no libnvToolsExt.so.1";
  }
  if (opened) portable__watch_on(PORTABLE__NVTX, &watcher);
  return NULL;
}
