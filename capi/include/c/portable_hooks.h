/* portable_hooks.h - functions of the user that observe the library, and launch checks. Part of portable.h; include that.
 *
 * In this file: hooks and their events, and which checks are on. Not in this file: timers (portable_timer.h); libraries that speak the interface of
 * Kokkos Tools, the log and tuning, which are chosen by the environment (docs/check/profiling.md).
 *
 * A program without any of it pays one branch for each launch.
 */
#ifndef PORTABLE_HOOKS_H
#define PORTABLE_HOOKS_H

#ifndef PORTABLE_LAUNCH_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Events; as a mask, the events that a hook observes. */
#define PORTABLE_EVENT_INIT          0x0001u /* the library has started: its first participant is there */
#define PORTABLE_EVENT_FINALIZE      0x0002u /* it has stopped: its last participant has left */
#define PORTABLE_EVENT_LAUNCH_BEGIN  0x0004u /* a launch runs from here ... */
#define PORTABLE_EVENT_LAUNCH_END    0x0008u /* ... to here, also where its kernel has failed */
#define PORTABLE_EVENT_LAUNCH_SKIP   0x0010u /* a launch of no iteration: it neither begins nor ends */
#define PORTABLE_EVENT_FENCE_BEGIN   0x0020u
#define PORTABLE_EVENT_FENCE_END     0x0040u
#define PORTABLE_EVENT_REGION_BEGIN  0x0080u /* a timer was started */
#define PORTABLE_EVENT_REGION_END    0x0100u /* a timer was stopped */
#define PORTABLE_EVENT_ALLOC         0x0200u /* a block was taken from a pool */
#define PORTABLE_EVENT_FREE          0x0400u /* a block is about to be released */
#define PORTABLE_EVENT_POOL_CREATE   0x0800u /* a pool of the user's was made */
#define PORTABLE_EVENT_POOL_DESTROY  0x1000u /* it was destroyed */
#define PORTABLE_EVENT_ALL           0x1fffu

/* Kinds of launches. */
#define PORTABLE_LAUNCH_FOR    1 /* a loop */
#define PORTABLE_LAUNCH_REDUCE 2 /* a loop with a result, or a reduction of an array */
#define PORTABLE_LAUNCH_SCAN   3

/* One event. A field that means nothing to it is 0, a text "".
 * Ownership: all of it, texts too, is borrowed until the hook returns. */
typedef struct portable_hook_event {
  uint32_t        struct_size;
  uint32_t        event;   /* one of PORTABLE_EVENT_... */
  const char     *label;   /* of the launch, fence, timer, block or pool */
  uint64_t        id;      /* of a launch or fence: unique in the process, the same at begin and end */
  int32_t         kind;    /* PORTABLE_LAUNCH_... */
  portable_device device;  /* of a launch */
  int64_t         count;   /* iterations of a launch */
  portable_status status;  /* at an end: what the call returns */
  int32_t         reserved;
  portable_pool   pool;    /* of a block or pool; 0 is the default pool */
  void           *address; /* of a block */
  uint64_t        bytes;   /* of a block, as asked for */
} portable_hook_event;

/* Told of an event on the thread that causes it, which waits for the hook to return; several threads may be in it at once. It
 * may call this library; no hook is notified of these calls, and what fails there leaves the program's portable_last_error as
 * it was. */
typedef void (*portable_hook_function)(const portable_hook_event *event, void *payload);

/* A hook. 0 is none; a handle of a removed hook is recognised and refused. */
typedef uint64_t portable_hook;

/* Adds a hook for the events of a mask of PORTABLE_EVENT_..., at most 32 at a time, whose notifications have no special order. While
 * a hook wants ALLOC or FREE, each block passes through the pool itself, as with PORTABLE_FASTPATH=0. Blocks that portable_finalize or
 * portable_pool_destroy still finds are released without a FREE.
 * It gets the end of what began after its adding only.
 * Ownership: caller owns *hook_out until portable_hook_remove; payload is handed to the function, never looked at.
 * Threads: safe, also before portable_init; hooks outlive portable_finalize.
 * Source: Kokkos Tools' callbacks; YAKL's set_timer_init, _start, _stop, _finalize.
 * Returns: 0, ERR_ARG (function or hook_out is NULL, no event or an unknown one), ERR_NOMEM (there are 32), ERR_FORK.  Since: 0.1 */
portable_status portable_hook_add(portable_hook_function function, void *payload, uint32_t events, portable_hook *hook_out);

/* Removes a hook. 0 is accepted. When this returns, the function does not run and is not called again; inside a hook it does not
 * wait for calls that other threads have under way.
 * Returns: 0, ERR_HANDLE, ERR_FORK.  Since: 0.1 */
portable_status portable_hook_remove(portable_hook hook);

#define PORTABLE_CHECK_LAUNCH 0x1u /* launches and what their kernels do; docs/check/profiling.md has the list */
#define PORTABLE_CHECK_ARRAYS 0x2u /* indices of arrays that are made while it is on; portable_array_element.h */
#define PORTABLE_CHECK_MEMORY 0x4u /* what stands around and behind blocks; by PORTABLE_CHECK=memory only, before the first start */
#define PORTABLE_CHECK_HASH   0x8u /* sums of the program's blocks after each launch; by PORTABLE_CHECK=hash only */
#define PORTABLE_CHECK_RACES  0x10u /* iterations of a launch that touch the same element (portable_race.h); by PORTABLE_CHECK=races only */
#define PORTABLE_CHECK_ALL    0x3u /* those that can be switched while the program runs */

/* Says which checks are on from the next launch on, a sum of PORTABLE_CHECK_... within PORTABLE_CHECK_ALL or 0, whatever PORTABLE_CHECK says. Each check
 * costs time, some of them for each tile. MEMORY, HASH and RACES stay as the environment has them; where they are on they may be in the sum.
 * Threads: safe, also before portable_init.
 * Returns: 0, ERR_ARG (an unknown check; MEMORY, HASH or RACES where it is off).  Since: 0.1 */
portable_status portable_set_checks(uint32_t checks);

/* Which checks are on.  Since: 0.1 */
uint32_t portable_checks(void);

#ifdef __cplusplus
}
#endif

#endif
