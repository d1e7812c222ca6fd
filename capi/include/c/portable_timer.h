/* portable_timer.h - timers: how long the parts of a program take, by label. Part of portable.h; include that.
 *
 * In this file: timers of the program, reports of them and of launches, hooks that replace them. Not in this file: launches, of
 * which each is timed under its own label (portable_launch.h).
 *
 * The rules at the head of portable.h hold. In addition:
 *   On and off: PORTABLE_PROFILE says at portable_init whether timers are on, portable_timers_enable after it. Off, start and stop
 *              cost one branch, check nothing, and give 0.
 *   Threads:   each thread has timers of its own, nested in each other: a timer is stopped by the thread that started it, before
 *              those around it. Measurements of a thread stay when it ends; a later thread goes on with it, and is asked
 *              for both.
 *   Time:      of CLOCK_MONOTONIC, in nanoseconds.
 *   Labels:    are copied; up to 255 bytes of them count.
 */
#ifndef PORTABLE_TIMER_H
#define PORTABLE_TIMER_H

#ifndef PORTABLE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- start and stop ------------------------------------------------------------------------------ */

/* Starts the calling thread's timer of a label, inside the timer that runs; and stops it, which must be the one that was
 * started last of those that run. Outside kernels each waits first for all that was launched (portable_fence). A label that
 * runs already may start again (recursion): each call is counted, its time only once.
 * Returns: 0, ERR_ARG (no label), ERR_STATE (the library does not run; no timer runs on this thread; another one runs inside,
 * the text names both), ERR_NOMEM, ERR_FORK, ERR_KERNEL (an earlier asynchronous launch failed; the timer has started or
 * stopped all the same).  Source: YAKL's timer_start and timer_stop.  Since: 0.1 */
portable_status portable_timer_start(const char *label);
portable_status portable_timer_stop(const char *label);

/* ---- on and off ---------------------------------------------------------------------------------- */

#define PORTABLE_TIMERS_OFF      0
#define PORTABLE_TIMERS_ON       1 /* those that the program starts */
#define PORTABLE_TIMERS_LAUNCHES 2 /* these, and each launch under its label */

/* Says which timers are on from now on. Timers that run when all are switched on or off are forgotten, without an error: switch
 * where none runs.
 * Returns: 0, ERR_ARG, ERR_STATE, ERR_FORK.  Since: 0.1 */
portable_status portable_timers_enable(int32_t which);
/* PORTABLE_TIMERS_...; OFF while the library does not run.  Since: 0.1 */
int32_t portable_timers_enabled(void);

/* Forgets what was measured, on all threads. Timers that run go on, and count from now on.
 * Returns: 0, ERR_STATE, ERR_FORK.  Since: 0.1 */
portable_status portable_timers_reset(void);

/* ---- results ------------------------------------------------------------------------------------- */

#define PORTABLE_TIMERS_OF_THREAD 0 /* the calling one */
#define PORTABLE_TIMERS_OF_ALL    1 /* all threads: counts and totals are added */

/* Figures of calls that have ended. */
typedef struct portable_timer_stats {
  uint32_t struct_size; /* sizeof(portable_timer_stats), set by the caller */
  int32_t  running;     /* calls under way */
  int64_t  count;       /* calls; 0, and all else too, for a label that no timer had */
  int64_t  last_ns;     /* of the call that ended last */
  int64_t  total_ns;    /* time in which the label ran: of calls inside each other, the outermost */
  int64_t  min_ns, max_ns; /* of one call */
} portable_timer_stats;

/* Gives the figures of the timers of a label, wherever they were nested.
 * Returns: 0, ERR_ARG (no label, which is not PORTABLE_TIMERS_OF_...), ERR_STATE, ERR_FORK.
 * Source: YAKL's timer_get_accumulated_duration, and so on.  Since: 0.1 */
portable_status portable_timer_get(const char *label, int32_t which, portable_timer_stats *stats_out);

/* Writes the report of all timers into text[bytes], cut and always ended by NUL; *needed_out, when not NULL, gets the bytes of the
 * whole text with its NUL. text may be NULL with bytes 0, to ask for the size. A timer that runs counts as if it ended now,
 * and a line warns of it. A label has one row, below the timer in which it was first; ~ says that it was in others too.
 * Returns: 0, ERR_ARG, ERR_STATE, ERR_FORK.  Source: YAKL's timer_print, whose layout it is.  Since: 0.1 */
portable_status portable_timers_report(char *text, size_t bytes, size_t *needed_out);

/* The same as JSON: an object with rank (or null) and threads; each of these with its number and timers; a timer with label,
 * calls, total, last, min and max [s], running, and the timers inside it: one for each place where a label was.
 * Returns: as portable_timers_report.  Since: 0.1 */
portable_status portable_timers_json(char *text, size_t bytes, size_t *needed_out);

/* Prints the report: path NULL: to standard error, on rank 0 only, or with PORTABLE_PROFILE=all on each rank below a line that names
 * it. Else into a file, as JSON where its name ends in .json; where there is a rank, the file has it in its name: times.json is
 * times.3.json on rank 3.
 * Returns: 0, ERR_ARG (the file cannot be written; the text says why), ERR_STATE, ERR_FORK.  Since: 0.1 */
portable_status portable_timers_print(const char *path);

/* ---- several processes ---------------------------------------------------------------------------- */

/* Writes the timers of this process, of all threads, into buffer[bytes], to be sent to one that merges them; *needed_out, when not NULL,
 * gets how many bytes that takes. buffer NULL with bytes 0 asks for the size, which grows when another thread meets a new label
 * meanwhile. portable_mpi.h does all of this for programs with MPI.
 * Returns: 0, ERR_ARG (a NULL, fewer bytes than are needed), ERR_STATE, ERR_FORK.  Since: 0.1 */
portable_status portable_timers_pack(void *buffer, size_t bytes, size_t *needed_out);

/* Merges what several processes have packed, one behind the other in packs[bytes] and in any order: for each label, below the labels
 * around it, how many ranks have it, their calls, and the least, the mean and the largest time that a rank spent there in all of its
 * calls, the threads of a rank added up, with the rank of the largest. A process without a rank gets its place in packs as
 * number. Written into text[room] as portable_timers_report does. JSON: an object with ranks, running (ranks whose timers ran) and
 * timers; each with label, ranks, calls, min, min_rank, mean, max [s], max_rank, and the timers inside it.
 * Threads: safe, also while the library does not run.
 * Returns: 0, ERR_ARG (also for bytes that are something else, or not complete), ERR_FORK.  Since: 0.1 */
portable_status portable_timers_merged_report(const void *packs, size_t bytes, char *text, size_t room, size_t *needed_out);
portable_status portable_timers_merged_json(const void *packs, size_t bytes, char *text, size_t room, size_t *needed_out);

/* Prints the merged report: path NULL: to standard error. Else into a file, as JSON where its name ends in .json; no rank comes into
 * the name.
 * Returns: 0, ERR_ARG (as portable_timers_merged_report, and the file cannot be written), ERR_FORK.  Since: 0.1 */
portable_status portable_timers_merged_print(const void *packs, size_t bytes, const char *path);

/* ---- hooks --------------------------------------------------------------------------------------- */

/* Functions that stand in for the library's timers: those of GPTL, for instance. Each may be NULL. */
typedef struct portable_timer_hooks {
  uint32_t struct_size; /* sizeof(portable_timer_hooks), set by PORTABLE_TIMER_HOOKS_INIT */
  uint32_t reserved;    /* 0; anything else is an error */
  void (*init)(void *payload);                      /* called by portable_timers_set_hooks */
  void (*finalize)(void *payload);                  /* by the last portable_finalize, or when the hooks are taken away */
  void (*start)(const char *label, void *payload);  /* for portable_timer_start, after its fence, on the same thread */
  void (*stop)(const char *label, void *payload);
  void *payload;
} portable_timer_hooks;

#define PORTABLE_TIMER_HOOKS_INIT { (uint32_t)sizeof(portable_timer_hooks), 0, NULL, NULL, NULL, NULL, NULL }

/* Puts hooks in place of the library's timers, until the library stops, and so switches timers on; NULL: its own again. With hooks
 * the library measures nothing, checks no nesting and prints no report. With PORTABLE_TIMERS_LAUNCHES they are called for launches too.
 * Set them where no timer runs. Hooks may call the library, but no timers (ERR_STATE); launches inside them are not timed.
 * Ownership: hooks is copied.  Source: YAKL's set_timer_start, and so on.
 * Returns: 0, ERR_ARG, ERR_STATE, ERR_NOMEM, ERR_FORK.  Since: 0.1 */
portable_status portable_timers_set_hooks(const portable_timer_hooks *hooks);

/* ---- for the Fortran modules --------------------------------------------------------------------- */

/* portable_timer_start (begins = 1) and portable_timer_stop, with a label that has no end but its blanks. */
portable_status portable__fortran_timer(int32_t version, int32_t begins, const char *label, size_t label_bytes);
portable_status portable__fortran_timer_get(const char *label, size_t label_bytes, int32_t which, portable_timer_stats *stats_out);

#ifdef __cplusplus
}
#endif

#endif
