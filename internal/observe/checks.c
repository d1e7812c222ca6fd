/* checks.c - launch checks: report errors of a launch or its kernel with its label; switched on by
 * PORTABLE_CHECK=launch or portable_set_checks. A kernel that writes memory shared by all threads,
 * or changes its tile, fails the launch, because its results depend on the order of threads.
 * Floating-point exceptions or a missing label may be intended and are a warning, once for each
 * label. In C because the checks stand between the team and the kernel. Not here: checks of every
 * launch (launch.c). */
#define _GNU_SOURCE
#include <fenv.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../edge/above.h"
#include "observers.h"
#include "questions.h"
#include "tools.h"
#include "watch.h"
#include "../team/team.h"
#include "../tracing/found.h"
#include "../team/fpstate.h"
#include "../edge/texthash.h"

#define RAISED (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW)

/* Bits of portable__checked.found: what is reported once for a launch. The exceptions have bits of their own, below. */
enum { BLOCK_WRITTEN = 1u << 16, TILE_CHANGED = 1u << 17, MODES_CHANGED = 1u << 18, MASK_CHANGED = 1u << 19 };

static _Atomic uint32_t said;  /* which checks are on */
static _Atomic uint32_t fixed; /* those of them that only the environment chooses */
static _Atomic int decided; /* the program has chosen its checks */

/* ---- once for each label ---- */

enum { NO_LABEL, EMPTY_LABEL, SAME_LABEL, MODES, MASK, BOUNDS, EARLY, EXCEPTIONS = 64 };

/* 1: this is the first call for this label and kind. When the table is full it returns 0. */
static int once(const char *label, uint32_t what) {
  static _Atomic uint64_t asked[1024];
  uint64_t h = PORTABLE__HASH_BEGIN ^ what;
  h = portable__text_hash(h, label);
  h |= 1; /* 0 is a free place */
  for (size_t i = 0; i < 1024; i++) {
    uint64_t there = 0;
    _Atomic uint64_t *place = &asked[(h / 2 + i) % 1024];
    if (atomic_compare_exchange_strong(place, &there, h)) return 1;
    if (there == h) return 0;
  }
  return 0;
}

/* Checks of memory get errors too, because their report has all errors; they do not get what may be intended. */
static void warn(int32_t kind, const char *label, const char *format, ...) PORTABLE__PRINTF(3, 4);
static void warn(int32_t kind, const char *label, const char *format, ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  portable__warn("%s", text);
  portable__above_memcheck.finding(kind, label, text, NULL);
}

/* ---- the kernel around the user's kernel ---- */

/* A sum over a block: any change between two sums is seen, because each byte counts by its position. Bytes between
 * arguments may never have been written; they are not reported. */
static uint64_t sum_of(const void *block, size_t bytes) {
  const uint64_t h = portable__bytes_hash(PORTABLE__HASH_BEGIN, block, bytes);
  return portable__tool ? (uint64_t)(uintptr_t)portable__tool_known((const void *)(uintptr_t)h) : h;
}

static int first(struct portable__checked *c, uint32_t what) { return !(atomic_fetch_or(&c->found, what) & what); }

static void fail(const struct portable__checked *c, const portable_tile *tile, const char *what, const char *do_this) {
  char text[PORTABLE__FAIL_TEXT];
  snprintf(text, sizeof text, "PORTABLE_CHECK=launch: the kernel '%s' %s; %s", c->label, what, do_this);
  portable_kernel_fail(tile, PORTABLE_ERR_ARG, text);
  portable__above_memcheck.finding(PORTABLE__FOUND_ARGUMENTS, c->label, text, NULL);
}

/* Signals that are blocked now and were not. The first call into Go on a thread unblocks signals that Go needs; they do
 * not count. */
static int blocks_more(const sigset_t *before, const sigset_t *after) {
  for (int s = 1; s < NSIG; s++)
    if (sigismember(after, s) == 1 && sigismember(before, s) == 0) return 1;
  return 0;
}

static void checked_kernel(const portable_tile *tile, void *args) {
  struct portable__checked *c = args;
  portable_tile own = *tile;
  sigset_t mask, mask_after;
  sigemptyset(&mask); /* the system fills in fewer bytes than the type has */
  sigemptyset(&mask_after);
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  struct portable__modes modes = portable__modes_get();
  uint32_t before = portable__flags_hide();
  c->kernel(&own, c->args);
  uint32_t raised = portable__flags_seen(before);
  if (!portable__modes_equal(modes, portable__modes_get())) atomic_fetch_or(&c->found, MODES_CHANGED);
  atomic_fetch_or(&c->found, raised & RAISED);
  pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
  if (blocks_more(&mask, &mask_after)) atomic_fetch_or(&c->found, MASK_CHANGED);
  if (memcmp(&own, tile, sizeof own) != 0 && first(c, TILE_CHANGED))
    fail(c, tile, "has changed its tile, which says what is whose work", "copy what you change into a variable of the kernel's own");
  if (c->args_bytes && sum_of(c->args, c->args_bytes) != c->sum && first(c, BLOCK_WRITTEN))
    fail(c, tile, "has written into its argument block, which all threads share",
         "copy what you change into a variable of the kernel's own, and give results through a pointer");
}

/* ---- before and after a launch ---- */

static void warn_of_label(const struct portable__watched *w) {
  const struct portable__job *outer = portable__running_job;
  if (strcmp(w->label, "unlabelled") == 0 && once(w->label, NO_LABEL))
    portable__warn("PORTABLE_CHECK=launch: a launch of %" PRId64 " iterations has no label; reports and messages cannot name it", w->count);
  if (!w->label[strspn(w->label, " \t")] && once("", EMPTY_LABEL))
    portable__warn("PORTABLE_CHECK=launch: a launch of %" PRId64 " iterations has the empty label '%s'; reports and messages cannot name it",
                   w->count, w->label);
  if (outer && strcmp(outer->label, w->label) == 0 && once(w->label, SAME_LABEL))
    portable__warn("PORTABLE_CHECK=launch: '%s' is launched inside a kernel of the same label; reports add the inner time to the outer "
                   "one, so give it another label", w->label);
}

static void begin(struct portable__watched *w) {
  struct portable__checked *c = &w->check;
  if (!w->kind || !w->job) return;
  warn_of_label(w);
  c->kernel = w->job->kernel;
  c->args = w->job->args;
  c->label = w->label;
  c->args_bytes = w->args_bytes;
  c->sum = sum_of(c->args, c->args_bytes);
  atomic_init(&c->found, 0);
  w->job->kernel = checked_kernel;
  w->job->args = c;
}

static void end(struct portable__watched *w, portable_status status) {
  (void)status;
  if (!w->kind || !w->job) return;
  uint32_t found = atomic_load(&w->check.found);
  w->job->kernel = w->check.kernel;
  w->job->args = w->check.args;
  if ((found & RAISED) && once(w->label, EXCEPTIONS + (found & RAISED)))
    portable__warn("PORTABLE_CHECK=launch: the kernel '%s' raises floating-point exceptions:%s%s%s", w->label,
                   found & FE_INVALID ? " invalid (the result is a NaN)" : "", found & FE_DIVBYZERO ? " division by zero" : "",
                   found & FE_OVERFLOW ? " overflow" : "");
  if ((found & MODES_CHANGED) && once(w->label, MODES))
    warn(PORTABLE__FOUND_OTHER, w->label, "PORTABLE_CHECK=launch: the kernel '%s' returns with another floating-point mode (rounding, traps or flushing) than it "
                   "was called with; the tiles that follow on the thread compute with it, so set it back", w->label);
  if ((found & MASK_CHANGED) && once(w->label, MASK))
    warn(PORTABLE__FOUND_OTHER, w->label, "PORTABLE_CHECK=launch: the kernel '%s' returns with signals blocked that were not when it was called; the thread keeps them "
                   "so, so set the mask back", w->label);
}

/* ---- questions of other rooms ---- */

/* 1: two extents look like the lower and upper bound of one dimension. */
static int is_pair(const portable_bounds *b) {
  return (b->notes & PORTABLE_BOUNDS_PAIR) && b->rank == 1 && b->lower[0] > 0 && b->upper[0] > 0 && b->upper[0] < b->lower[0] - 1;
}

void portable__check_skip(const char *label, const portable_bounds *b) {
  if (is_pair(b)) {
    if (once(label, BOUNDS))
      warn(PORTABLE__FOUND_LAUNCH_BOUNDS, label, "PORTABLE_CHECK=launch: parallel_for '%s' does nothing: bounds(%" PRId64 ", %" PRId64 ") is one dimension, from %"
           PRId64 " to %" PRId64 "; for two dimensions write bounds([1, 1], [%" PRId64 ", %" PRId64 "])", label, b->lower[0], b->upper[0], b->lower[0], b->upper[0],
           b->lower[0], b->upper[0]);
    return;
  }
  for (int32_t d = 0; d < b->rank; d++)
    if (b->upper[d] < b->lower[d] - (b->lower[d] > INT64_MIN) && once(label, BOUNDS))
      warn(PORTABLE__FOUND_LAUNCH_BOUNDS, label, "PORTABLE_CHECK=launch: parallel_for '%s' does nothing: the upper bound of dimension %d, %" PRId64 ", is below the lower "
                     "one, %" PRId64 ", by more than an empty loop needs", label, (int)d + 1, b->upper[d], b->lower[d]);
}

void portable__check_early(const char *label, const portable_bounds *b) {
  for (int32_t d = 0; d < b->rank; d++)
    if (b->notes >> d & PORTABLE_BOUNDS_EARLY && once(label, EARLY))
      warn(PORTABLE__FOUND_LAUNCH_BOUNDS, label, "PORTABLE_CHECK=launch: parallel_for '%s': the stride %" PRId64 " does not divide dimension %d, and yakl:: bounds run "
           "(upper - lower + 1) / stride iterations, as YAKL's: index %" PRId64 " is left out; portable:: bounds have it", label, b->stride[d], (int)d + 1,
           b->upper[d] < b->lower[d] ? b->lower[d] : b->upper[d] + b->stride[d]);
}

portable_status portable__check_arguments(const char *label, const void *block, const struct portable__argument *arguments, size_t count) {
  for (size_t i = 0; block && i < count; i++) {
    const portable_argument *a = &arguments[i].what;
    void *pointer;
    struct portable__crossing crossing;
    char pool[128];
    if (a->kind < PORTABLE_ARGUMENT_POINTER) continue;
    memcpy(&pointer, (const char *)block + a->offset, sizeof pointer);
    if (!pointer) continue; /* an absent array; the kernel handles it */
    portable_status status = portable__cross_in(&crossing);
    if (status != PORTABLE_OK) return status;
    int32_t freed = portable__observe_go.freed((uintptr_t)pointer, pool, sizeof pool);
    portable__cross_out(&crossing);
    if (freed) {
      status = portable__fail(PORTABLE_ERR_POINTER, "PORTABLE_CHECK=launch: portable_launch of '%s': argument %zu%s is %p, which is in %s "
                            "but in none of its live blocks: the block was freed; launch before it is freed, or take the pointer again", label, i + 1,
                            PORTABLE__NAMED(a->name), pointer, pool);
      portable__above_memcheck.finding(PORTABLE__FOUND_OTHER, label, portable_last_error(), pointer);
      return status;
    }
  }
  return PORTABLE_OK;
}

/* ---- on and off ---- */

static void apply(uint32_t checks) {
  static const struct portable__watcher watcher = {begin, end, NULL, 0};
  atomic_store(&said, checks | atomic_load(&fixed));
  if (checks & PORTABLE_CHECK_LAUNCH)
    portable__watch_on(PORTABLE__CHECKS, &watcher);
  else
    portable__watch_off(PORTABLE__CHECKS);
  portable__above_owner.twin_watch((checks & PORTABLE_CHECK_ARRAYS) != 0);
}

void portable__checks_default(uint32_t checks) {
  atomic_store(&fixed, checks & ~PORTABLE_CHECK_ALL);
  apply((atomic_load(&decided) ? atomic_load(&said) : checks) & PORTABLE_CHECK_ALL);
}

portable_status portable_set_checks(uint32_t checks) {
  checks &= ~(PORTABLE__CHECKS_OF_RUN & atomic_load(&fixed)); /* what portable_checks has reported can be reported again */
  if (!portable__checks_ordinary(checks)) {
    portable_status status;
    PORTABLE__EXPLAINED(&status, "portable_set_checks", NULL, PORTABLE_ERR_ARG, portable__observe_go.checks_refused(checks));
    return status;
  }
  atomic_store(&decided, 1);
  apply(checks);
  return PORTABLE_OK;
}

uint32_t portable_checks(void) { return atomic_load(&said); }
