/* reach.c - tests that the memory of arguments can be accessed where a kernel runs. Main function:
 * portable__check_reach. PORTABLE_HOSTMEM decides about host memory at a CUDA device that could
 * read it: error, warn (once for each argument of a label), or allow; Go has warned of invalid
 * values. Not here: owner look-up (internal/backend/cuda/memory.c). */
#define _GNU_SOURCE
#include "questions.h"
#include "../../internal/edge/environment.h"
#include "../../internal/edge/thread.h"
#include "../../internal/tracing/found.h"
#include "../../internal/edge/text.h"
#include "reach.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "../../internal/memcheck/memcheck.h"
#include "../../capi/include/device/portable_device.h"
#include "../../internal/edge/texthash.h"

int portable__host_reaches(uintptr_t p) {
  int32_t space = portable__cuda_space_of(p);
  if (space >= PORTABLE_SPACE_DEVICE(0)) return 0;
  return space || !portable__emulated_at(p, NULL, NULL) || portable__emulated_is_open();
}

static int reached(int32_t index, int32_t space, uintptr_t p) {
  return space == PORTABLE_SPACE_DEVICE(index) || ((space == PORTABLE_SPACE_PINNED || space == PORTABLE_SPACE_MANAGED) && !portable__cuda_is_other(index, p));
}

int portable__cuda_reaches(int32_t index, uintptr_t p) {
  int32_t space = portable__cuda_foreign_space(p);
  return space ? reached(index, space, p) : portable__cuda_facts(index)->pageable != 0;
}

int portable__cuda_takes(int32_t index, uintptr_t p) {
  const char *mode;
  int32_t space = portable__cuda_space_of(p);
  if (!reached(index, space, p) && !space) space = portable__cuda_foreign_space(p);
  if (space) return reached(index, space, p);
  return portable__cuda_facts(index)->pageable && (mode = portable__getenv("PORTABLE_HOSTMEM")) && (!strcmp(mode, "warn") || !strcmp(mode, "allow"));
}

static int32_t far_device(uintptr_t p) {
  int32_t space = portable__cuda_space_of(p);
  const struct portable__cuda_facts *const facts = space >= PORTABLE_SPACE_DEVICE(0) ? portable__cuda_facts(space - PORTABLE_SPACE_DEVICE(0)) : NULL;
  return facts ? facts->number + 1 + (facts->driver << PORTABLE__FAR_BITS) : 0;
}

void portable__reach_begins(void) { atomic_store(&portable__far_device, far_device); }

/* ---- the memory of an address ---- */

PORTABLE__COLD void portable__what_is_at(uintptr_t p, char *text, size_t room) {
  portable_pool pool = 0;
  portable_block block = {.struct_size = sizeof block};
  Dl_info d;
  uintptr_t from, to;
  if (portable__own_stack(&from, &to) && p >= from && p < to) {
    snprintf(text, room, "on the stack of the thread that launches");
  } else if (portable_pool_default(&pool) == PORTABLE_OK && portable_pool_find(pool, (const void *)p, &block) == PORTABLE_OK) {
    portable__message(text, room, "in the block '%s' of %llu bytes, of the default pool, which is memory of the host", block.label, (unsigned long long)block.bytes);
  } else if (dladdr((void *)p, &d) != 0 && d.dli_sname) {
    snprintf(text, room, "in the static data '%s'", d.dli_sname);
  } else if (dladdr((void *)p, &d) != 0) {
    snprintf(text, room, "static data of the program (SAVE, COMMON, a module's)");
  } else {
    snprintf(text, room, "memory that the program has got itself (ALLOCATE, malloc, new)");
  }
}

/* ---- host memory at a device ---- */

#define TOLD 256

/* 1: no warning yet for this argument of the label. With a full table, some warnings repeat. */
static int first_time(const char *label, const char *name) {
  static _Atomic uint64_t told[TOLD];
  uint64_t hash = portable__text_hash(portable__text_hash(0, label) + 1, name) | 1, none = 0;
  _Atomic uint64_t *at = &told[hash % TOLD];
  return atomic_load(at) != hash && (atomic_compare_exchange_strong(at, &none, hash) || none != hash);
}

PORTABLE__COLD static portable_status host_memory(const char *label, size_t i, const char *name, uintptr_t p, int32_t index, portable_device device) {
  const char *mode = portable__getenv("PORTABLE_HOSTMEM");
  const int pageable = portable__cuda_facts(index)->pageable != 0;
  char what[400];
  if (pageable && mode && strcmp(mode, "allow") == 0) return PORTABLE_OK;
  portable__what_is_at(p, what, sizeof what);
  if (pageable && mode && strcmp(mode, "warn") == 0) {
    char line[1024];
    if (!first_time(label, name)) return PORTABLE_OK;
    size_t n = portable__message(line, sizeof line, "portable: warning: portable_launch of '%s': argument %zu%s is %p, %s; the device '%s' reads it over the bus, page by "
                     "page (PORTABLE_HOSTMEM=warn)", label, i + 1, PORTABLE__NAMED(name), (void *)p, what, portable_device_name(device));
    portable__print(line, n);
    return PORTABLE_OK;
  }
  portable__finding(PORTABLE__FOUND_HOST_MEMORY, label, name, (void *)p);
  return portable__fail(PORTABLE_ERR_POINTER, "portable_launch of '%s': argument %zu%s is %p, %s; the device '%s' %s; give it an array of the pool "
                        "(portable_alloc, gator_allocate) or of the device's memory%s", label, i + 1, PORTABLE__NAMED(name), (void *)p, what, portable_device_name(device),
                        pageable ? "would read it over the bus, page by page" : "does not reach it",
                        pageable ? ", or set PORTABLE_HOSTMEM=warn or allow" : "");
}

PORTABLE__COLD static portable_status of_device(const char *label, size_t i, const char *name, uintptr_t p, int32_t space, portable_device device, int32_t on_host) {
  const int32_t owner = space < PORTABLE_SPACE_DEVICE(0) ? portable__cuda_first_of(portable__cuda_driver_of(p)) : space - PORTABLE_SPACE_DEVICE(0);
  const char *of = portable_device_name(portable__cuda_number(owner));
  portable__finding(PORTABLE__FOUND_HOST_ACCESS, label, name, (void *)p);
  if (!on_host)
    return portable__fail(PORTABLE_ERR_POINTER, "portable_launch of '%s': argument %zu%s is %p, which is memory of the device '%s' that a kernel on '%s' does "
                          "not reach; launch it on that device, or give it a copy or an array of managed memory", label, i + 1, PORTABLE__NAMED(name), (void *)p, of,
                          portable_device_name(device));
  return portable__fail(PORTABLE_ERR_POINTER, "portable_launch of '%s': argument %zu%s is %p, which is memory of the device '%s' that %s '%s' does not reach; "
                        "give the kernel a version for the device, or make a copy (portable_array_host_copy) or an array of managed memory", label, i + 1, PORTABLE__NAMED(name), (void *)p,
                        of, portable__cuda_index(device) < 0 ? "a kernel on" : "a kernel that runs on the host for", portable_device_name(device));
}

/* " of 42 x 52 elements": arguments of Fortran mostly have no name, and the shape identifies them. */
static void shape_of(const portable_argument *a, const void *args, char *text, size_t room) {
  portable_array_view view;
  size_t at = 0;
  text[0] = '\0';
  if (a->kind != PORTABLE_ARGUMENT_ARRAY) return;
  memcpy(&view, (const char *)args + a->offset, a->bytes < sizeof view ? a->bytes : sizeof view);
  if (view.rank < 1 || a->bytes < offsetof(portable_array_view, dim) + (size_t)view.rank * sizeof *view.dim) return;
  for (int32_t d = 0; d < view.rank && at < room; d++) {
    int n = snprintf(text + at, room - at, "%s%lld", d == 0 ? ", an array of " : " x ", (long long)view.dim[d].extent);
    at += n > 0 ? (size_t)n : 0;
  }
  if (at < room) snprintf(text + at, room - at, " elements");
}

static portable_status emulated(const char *label, size_t i, const portable_argument *a, const void *args, uintptr_t p) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  int32_t held = portable__launch_go.holds(p);
  portable__cross_out(&crossing);
  if (held) return PORTABLE_OK;
  char shape[200], what[400];
  shape_of(a, args, shape, sizeof shape);
  portable__what_is_at(p, what, sizeof what);
  portable__finding(PORTABLE__FOUND_HOST_MEMORY, label, a->name, (void *)p);
  return portable__fail(PORTABLE_ERR_POINTER, "portable_launch of '%s': argument %zu%s is %p%s, %s; the device '" PORTABLE__EMULATED_NAME "' does not reach "
                        "it; give it an array of the pool (portable_alloc, gator_allocate) or of the device's memory%s", label, i + 1,
                        PORTABLE__NAMED(a->name), (void *)p, shape, what, a->name[0] ? "" : "; name the argument to read it here (Fortran: arg(..., name='...'), C: portable_argument.name)");
}

portable_status portable__check_reach(const char *label, const void *args, const struct portable__argument *arguments, size_t count,
                                      portable_device device, int32_t on_host) {
  const int32_t index = portable__cuda_index(device);
  portable_status status = PORTABLE_OK;
  for (size_t i = 0; args && i < count && status == PORTABLE_OK; i++) {
    const portable_argument *a = &arguments[i].what;
    uintptr_t p;
    if (a->kind < PORTABLE_ARGUMENT_POINTER) continue; /* arrays begin with an address, and live-outs are addresses here */
    memcpy(&p, (const char *)args + a->offset, sizeof p);
    if (!p) continue;
    int32_t space = portable__cuda_space_of(p);
    if (index < 0 || on_host) {
      if (space >= PORTABLE_SPACE_DEVICE(0))
        status = of_device(label, i, a->name, p, space, device, 1);
      else if (!space && device == portable__emulated_number() && !portable__emulated_at(p, NULL, NULL))
        status = emulated(label, i, a, args, p);
    } else if (!reached(index, space, p)) {
      space = space ? space : portable__cuda_foreign_space(p);
      if (!space)
        status = host_memory(label, i, a->name, p, index, device);
      else if (!reached(index, space, p))
        status = of_device(label, i, a->name, p, space, device, 0);
    }
  }
  return status;
}
