/* team.h - the threads that run kernels, and the last part of a launch. Private. In C because
 * kernels need ordinary threads with stacks of a chosen size, and goroutines cannot take over work
 * in a tenth of a microsecond. Only the choice of the thread for each tile is made here; Go (exec)
 * has decided everything else. One team in a process. A launch owns it to its end; a launch that
 * finds it owned, or comes from inside a kernel or an OpenMP region, runs inline on its own thread
 * with the same tiles. */
#ifndef PORTABLE__TEAM_H
#define PORTABLE__TEAM_H

#include <signal.h>

#include "../edge/base.h"
#include "../edge/where.h"
#include "cut.h"

#define PORTABLE__RARE __attribute__((cold, noinline))
#define PORTABLE__WORKERS_MAX 4095
#define PORTABLE__FAIL_TEXT 512

/* One launch. On the stack of the thread that launches. The part that each worker reads comes first, and no line of it is written
 * while they run, unless a kernel fails. */
struct portable__job {
  _Alignas(64) portable_kernel_function kernel;
  void *args;
  _Atomic int32_t failed;
  int32_t workers;       /* parts; 1: inline */
  int32_t dynamic;       /* workers take `grain` units at a time */
  int32_t numbered;      /* tile->number is the number of the unit */
  int32_t device;
  int32_t integer_bytes; /* of Fortran's default integer, or 0: a kernel that is not Fortran's */
  struct portable__cut cut;
  const char *label;     /* ends with 0 */
  const char *call;      /* what messages of its failure begin with; of static memory */
  int64_t grain;
  struct portable__leaves *leaves; /* of a reduction, or NULL; the kernel's own affair */
  _Alignas(64) _Atomic int64_t next; /* first unit that no thread has taken */
  int32_t fail_code;
  char fail_text[PORTABLE__FAIL_TEXT];
  struct portable__stream *stream; /* that the kernel is in, or what has launched it; NULL: none. The team's files only hand it on */
  uint32_t launch_stack;  /* where it was launched, for internal/stacks/stack.c; 0: not known */
  const struct portable__race_list *race; /* what it says to the check of races (exec/race); NULL: nothing */
  const void *launcher;   /* what stands for the thread that did: where its portable__running_job is */
};

struct portable__team_config {
  int32_t workers;     /* threads that share a launch, the launching one included */
  int32_t cpus;        /* that they may run on */
  int64_t spin_ns;     /* how long an idle worker looks for work before it sleeps */
  uint64_t stack_bytes;
  int32_t at_once;     /* 1: threads are made now, not by the first launch that needs them */
};

/* Called on each new worker before anything else; NULL: nothing. Set before the first launch. */
extern void (*portable__team_thread_begins)(void);

/* Called when fewer threads than wanted are available, with the error number; the team stays as large as it is. Under the
 * team's lock; NULL: nothing. */
extern void (*portable__team_is_short)(int32_t wanted, int32_t made, int reason);

/* Called when an exception leaves a kernel, on its thread; NULL: nothing. */
extern void (*portable__team_kernel_left)(void);

/* Calls a function of the program on a thread of the program. Where the function ends its thread, portable__team_left knows it. */
#define PORTABLE__CALLBACK(call)                                                    \
  do {                                                                              \
    __attribute__((cleanup(portable__callback_ends))) int portable__returned = 0;   \
    call;                                                                           \
    portable__returned = 1;                                                         \
  } while (0)
void portable__callback_ends(const int *returned);

/* Runs a job whose kernel, args, cut and so on are set, and returns when all of its tiles have run. Sticky
 * floating-point flags of all workers are the caller's afterwards.
 * Gives 0, or 1 when a kernel has failed (fail_code and fail_text say how). */
int portable__team_run(struct portable__job *job);

/* One worker's share of a job, or with dynamic schedule whatever it gets hold of. For devices that bring threads of
 * their own. */
void portable__team_share(struct portable__job *job, int32_t worker);

/* Units from..to-1 as that worker; the same. */
void portable__team_units(struct portable__job *job, int32_t worker, int64_t from, int64_t to);

/* The bounds of a tile once more, as Fortran's default integers of so many bytes. */
void portable__tile_integers(portable_tile *tile, int32_t bytes);

/* The calling thread has left the kernels that it was in, by longjmp or because it ends. Its launches end where they are. 1: there were such, or callbacks. */
int portable__team_left(void);

/* Waits for the launch that owns the team, and owns it until release: launches meanwhile run inline. -1 inside a kernel,
 * which would wait for itself. The holder of the team may take other locks, which kernels take too; not the other way. */
int portable__team_hold(void);
void portable__team_release(void);

/* Looks how many processors the team may use, and remembers which. Held. */
int32_t portable__team_cpus(void);

/* Sets the team; threads too many end. Gives how many workers there are. Held. */
int32_t portable__team_configure(const struct portable__team_config *config);

/* Ends all threads of the team and waits for them; the next launch makes new ones. Held. */
void portable__team_stop(void);

int32_t portable__team_workers(void);

/* 1: the calling thread is inside a kernel, or inside an active OpenMP region: what it launches runs inline. */
int portable__team_nested(void);

/* 1: a launch has the team, be it one that was left. */
int portable__team_launches(void);

/* A launch whose kernel is Go's: see portable__team_call in team.go. */
int portable__team_run_go(int32_t device, const char *label, int64_t units, int32_t workers, int32_t dynamic, int64_t grain, uintptr_t handle);

/* How often a launch went to the team, and how often workers slept; for tests. */
void portable__team_counts(uint64_t counts_out[2]);

/* ---- crash.c ---- */

/* A thread of the library's own begins in the frame at this address: who looks at stacks looks no further. 0: a thread of the program's. */
extern __thread uintptr_t portable__thread_bottom __attribute__((tls_model("initial-exec")));

/* Puts the handlers that name the kernel in front of the program's own. Once in a process: a handler of the program's that
 * came later may call ours, and one that stood before it again would go round in a circle. */
void portable__crash_handlers(void);

/* Where portable__fault_hook is set: puts the handler of SIGSEGV in front again where the program has put one there since. */
void portable__crash_in_front(void);

/* fault_hook is asked first of each fault: 1 says that it is dealt with, and the thread goes on. death_hook gets the others, but for those of Go,
 * before the program's handler is. NULL: no hook. In the signal handler. */
extern int (*_Atomic portable__fault_hook)(int number, siginfo_t *info, void *context);
extern void (*_Atomic portable__death_hook)(int number, const siginfo_t *info, void *context);

/* Gives the bytes of the small stack of the calling thread below which the address is; 0: none. NULL: there are none. In the signal handler. */
extern size_t (*_Atomic portable__small_stack)(uintptr_t address);

/* The process's rank, for the line that a crash prints; below 0: none. */
extern _Atomic int32_t portable__crash_rank;

/* Writes that line into a file, too, in the signal handler; NULL: no file. */
extern void (*_Atomic portable__crash_copy)(const char *line, size_t bytes);

/* The stream in whose kernel or callback the calling thread is, and for which it so must not wait; NULL: none. */
static inline struct portable__stream *portable__queue_inside(void) {
  if (PORTABLE__UNLIKELY(portable__own_stream != NULL)) return portable__own_stream;
  return portable__running_job ? portable__running_job->stream : NULL;
}

#endif
