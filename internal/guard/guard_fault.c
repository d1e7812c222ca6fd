/* guard_fault.c - handles accesses to closed pages: reports them, and lets them through with their
 * ordinary effect, one instruction at a time (guard_step.c), so one run reports many accesses. A
 * slot with too many accesses stays open. All but portable__guard_handlers runs in signal handlers:
 * no lock, no allocation, no stdio. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "../edge/line.h"
#include "../team/emulated.h"
#include "../team/team.h"
#include "guard_step.h"

void (*_Atomic portable__guard_report)(const struct portable__violation *v);
__thread int portable__guard_looking __attribute__((tls_model("initial-exec")));

/* ---- telling ---- */

/* Prints one line, if no observer reports more. */
static void say(const struct portable__violation *v) {
  char text[512];
  struct portable__line line = PORTABLE__LINE_IN(text);
  if (!v->block) return; /* of a device: crash.c says so */
  uint64_t far = (uint64_t)(v->distance < 0 ? -v->distance : v->distance);
  portable__line_text(&line, "portable: ");
  portable__line_text(&line, v->is_write > 0 ? "write " : v->is_write == 0 ? "read " : "access ");
  if (v->kind == PORTABLE__USE_AFTER_FREE || v->kind == PORTABLE__NEVER_WRITTEN) {
    portable__line_text(&line, v->kind == PORTABLE__USE_AFTER_FREE ? "after free, at byte " : "of never-written memory, at byte ");
    if (v->distance < 0) portable__line_text(&line, "-");
    portable__line_decimal(&line, far);
    portable__line_text(&line, " of");
  } else {
    portable__line_text(&line, v->kind == PORTABLE__CANARY ? "out of bounds, seen now, " : "out of bounds, ");
    portable__line_decimal(&line, far);
    portable__line_text(&line, v->distance < 0 ? " bytes before" : " bytes after the end of");
  }
  portable__line_text(&line, " a block of ");
  portable__line_decimal(&line, v->block->bytes);
  portable__line_text(&line, " bytes");
  if (v->block->label[0]) {
    portable__line_text(&line, " labelled '");
    portable__line_clean(&line, v->block->label, strlen(v->block->label), PORTABLE__LINE_REST);
    portable__line_text(&line, "'");
  }
  portable__line_end(&line);
  portable__line_write(&line);
}

void portable__guard_tell(const struct portable__violation *v) {
  void (*report)(const struct portable__violation *) = atomic_load(&portable__guard_report);
  if (report)
    report(v);
  else
    say(v);
}

/* ---- the fault ---- */

/* After too many: the side of a live block, or all of a freed one. */
static int open_for_good(struct portable__guarded *r, uintptr_t page) {
  if (atomic_load(&r->state) != PORTABLE__GUARD_LIVE) return portable__guard_protect(r->map, r->map_end, 1);
  return page < r->data ? portable__guard_protect(r->map, r->data, 1) : portable__guard_protect(r->data_end, r->map_end, 1);
}

static void set_access(struct portable__violation *v, void *context) {
  v->is_write = -1;
  v->context = context;
#if PORTABLE__GUARD_STEPS
  struct portable__access access = portable__step_access(context);
  v->is_write = access.is_write;
  v->bytes = access.bytes;
#endif
}

/* The host at memory of a device. */
static void tell_host_access(uintptr_t a, void *context) {
  struct portable__violation v = {.kind = PORTABLE__HOST_ACCESS, .address = a};
  set_access(&v, context);
  portable__guard_tell(&v);
}

/* The host at memory of the emulated device. A step of another thread may have closed a page that kernels are at work on. */
static int on_device_memory(uintptr_t a, uintptr_t page, int again, void *context) {
  if (portable__emulated_is_open()) return portable__guard_protect(page, page + portable__guard_page, 1);
  if (!again) tell_host_access(a, context);
  return portable__guard_let_through(page, context);
}

/* A jump into data. No page of ours is executable, so opening one would make the same fault come again without end. */
static int is_fetch(const siginfo_t *info, void *context) {
#if PORTABLE__GUARD_STEPS
  return portable__step_is_fetch(info, context);
#else
  (void)info, (void)context;
  return 0;
#endif
}

static int on_fault(int number, siginfo_t *info, void *context) {
  int again = portable__guard_again_in_step(context), no_access = number == SIGSEGV && info->si_code == SEGV_ACCERR;
  if (no_access && is_fetch(info, context)) return 0;
  uintptr_t a = (uintptr_t)info->si_addr, page = a & ~(portable__guard_page - 1);
  int32_t (*far)(uintptr_t) = atomic_load(&portable__far_device);
  if (far && number == SIGSEGV && info->si_code > 0 && far(a)) { /* of a cuda device: there is nothing that could be opened, and the program ends here */
    tell_host_access(a, context);
    return 0;
  }
  struct portable__guarded *r = no_access ? portable__guard_slot_of(a) : NULL;
  uintptr_t start = r ? atomic_load(&r->start) : 0;
  if (!start && no_access && portable__emulated_at(a, NULL, NULL)) return on_device_memory(a, page, again, context);
  if (!start) return 0;
  if (again) return portable__guard_let_through(page, context); /* the instruction has more pages than one */
  struct portable__violation v = {.address = a, .block = r};
  int live = atomic_load(&r->state) == PORTABLE__GUARD_LIVE, in_data = page >= r->data && page < r->data_end;
  if (live && in_data && page != atomic_load(&r->closed_page)) /* a step of another thread closed it late */
    return portable__guard_protect(page, page + portable__guard_page, 1);
  int inside = a >= start && a - start < r->bytes;
  if (portable__guard_looking || (live && inside)) return portable__guard_let_through(page, context);
  set_access(&v, context);
  v.kind = live ? PORTABLE__OUT_OF_BOUNDS : PORTABLE__USE_AFTER_FREE;
  v.distance = (int64_t)(live && a >= start ? a - start - r->bytes : a - start);
  portable__guard_tell(&v);
  if (page == atomic_load(&r->closed_page) || atomic_fetch_add(&r->hits, 1) < PORTABLE__GUARD_HITS) return portable__guard_let_through(page, context);
  return open_for_good(r, page);
}

void portable__guard_handlers(void) {
  atomic_store(&portable__fault_hook, on_fault);
  portable__crash_handlers();
  portable__crash_in_front();
#if PORTABLE__GUARD_STEPS
  portable__guard_trap_is_ours();
#endif
}
