/* edge.h - what the C files of the edge and the Go exports share. Private: nothing here is in the archive's
 * symbols but what portable.h declares too.
 *
 * Why there is C at all: a call into Go costs some 45 ns and takes one lock of the Go runtime, so what must
 * be faster, or must scale over threads, is here. Go stays the owner of truth. */
#ifndef PORTABLE__EDGE_H
#define PORTABLE__EDGE_H

#include "include/portable.h"
#include "../gator/front/records.h"

#include "../internal/edge/environment.h"
#include "../internal/team/devices.h"

#if defined(__GNUC__)
#define PORTABLE__PRINTF(f, a) __attribute__((format(printf, f, a)))
#define PORTABLE__COLD __attribute__((cold, noinline))
#define PORTABLE__LIKELY(x) __builtin_expect(!!(x), 1)
#define PORTABLE__UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define PORTABLE__PRINTF(f, a)
#define PORTABLE__COLD
#define PORTABLE__LIKELY(x) (x)
#define PORTABLE__UNLIKELY(x) (x)
#endif

/* const char * goes through a name of its own because cgo drops const from a bare one. */
typedef const char *portable__text;

/* ---- thread.c: what each thread of the program has ---- */

#define PORTABLE__SLOTS 64                     /* blocks a class keeps */
#define PORTABLE__CLASSES 168                  /* for granules from 64 bytes and blocks up to PORTABLE__SHELF_MAX */
#define PORTABLE__PARKED_MAX (8u << 20)        /* bytes a thread keeps */
#define PORTABLE__LARGE (1u << 20)             /* larger blocks are kept on the shelf that all threads share */
#define PORTABLE__SHARED_FROM (64u << 10)      /* from here on, a block for which a thread's set has no room goes to the shelf, too */
#define PORTABLE__SHELF_MAX (256u << 20)       /* bytes the shelf keeps */
#define PORTABLE__LABEL_PLACES 4               /* labels a thread remembers are in sets of so many, */
#define PORTABLE__LABEL_SHIFT 58               /* of which there are 2 ** (64 - this) */
#define PORTABLE__LABELS (PORTABLE__LABEL_PLACES << (64 - PORTABLE__LABEL_SHIFT))
#define PORTABLE__LABEL_TEXT 48                /* longest label that is remembered */
#define PORTABLE__LABEL_MAX 255                /* bytes of a label that are kept; gator.MaxLabel */
#define PORTABLE__ERROR_TEXT 8192

struct portable__slab;
struct portable__timing;

struct portable__slot {
  void *address;
  struct portable__record *record;
};

struct portable__class {
  uint32_t count;
  uint32_t granules[PORTABLE__SLOTS]; /* lengths of the blocks; apart from the slots, to be searched in one line */
  struct portable__slot slot[PORTABLE__SLOTS]; /* the newest is the last */
};

struct portable__label {
  uint32_t epoch, id, bytes;
  char text[PORTABLE__LABEL_TEXT];
};

/* A set of magazines. One for each thread that came to the library, kept for ever and handed to a later thread when its own
 * ends. The owner changes it between enter and leave; Go, when all are stopped. The shelf is a set that has no
 * owner but a lock. */
#define PORTABLE__REGIONS 32

struct portable__thread {
  _Atomic int busy; /* the owner is inside */
  _Atomic int stop; /* the owner must go to Go instead */
  struct portable__slab *slab; /* of the last block freed; NULL: ask the map. Withdrawing a slab clears it */
  uint64_t parked, limit;      /* bytes kept now, and at most */
  _Atomic int64_t bytes, allocations, frees; /* changes since ever; written by the owner only */
  _Atomic int32_t calls; /* of the library in progress, one in the other; see calls.h */
  struct portable__class classes[PORTABLE__CLASSES];
  struct portable__label labels[PORTABLE__LABELS];
  /* Not for the fast path, whose fields above fill one cache line. */
  int orphan; /* registry lock */
  struct portable__thread *next;
  int outside; /* registry lock; it was in no call since the library stops */
  int ending; /* the thread is in its exit hooks */
  uintptr_t call_frame; /* of the outermost call in progress, and where its scope is */
  _Atomic uintptr_t call_scope;
  uint32_t crossings;
  void *signal_stack; /* made by signals.c; NULL when none was needed */
  struct portable__timing *timing; /* made by timer.c; NULL before the first timer */
  void *spare_owner; /* of array.c: given back here last, and not by another one since */
  struct {
    uint64_t id;
    const char *label;
  } regions[PORTABLE__REGIONS]; /* timers that are traced, of memcheck.c: not in TLS, of which a plugin gets little */
  int32_t regions_open;
  char found[256];  /* label of the last portable_pool_find */
  char error[PORTABLE__ERROR_TEXT];
};

extern __thread struct portable__thread *portable__self __attribute__((tls_model("initial-exec")));
extern int portable__barrier_is_cheap; /* set before the first thread is made */

/* The calling thread's state, made when there is none; NULL when there is no memory, or in a forked child. */
struct portable__thread *portable__thread_get(void);
/* The stack that the system gave the calling thread: 1, from its lowest byte to behind its highest one; 0, and both 0: the system does not say. A fiber is
 * elsewhere. */
int portable__own_stack(uintptr_t *from_out, uintptr_t *to_out);
extern _Atomic int portable__forked;

/* Entry to the fast path. 0: stopped; go to Go. The owner announces itself first and looks at stop second;
 * who stops does it the other way round, with a barrier over all threads between, so the owner needs none. */
static inline int portable__enter(struct portable__thread *t) {
  atomic_store_explicit(&t->busy, 1, memory_order_relaxed);
  if (PORTABLE__LIKELY(portable__barrier_is_cheap))
    atomic_signal_fence(memory_order_seq_cst);
  else
    atomic_thread_fence(memory_order_seq_cst);
  if (PORTABLE__LIKELY(!atomic_load_explicit(&t->stop, memory_order_acquire))) return 1;
  atomic_store_explicit(&t->busy, 0, memory_order_release);
  return 0;
}

static inline void portable__leave(struct portable__thread *t) {
  atomic_store_explicit(&t->busy, 0, memory_order_release);
}

/* ---- front.c: the side of the magazines that Go calls; see gator.Front ---- */

/* The shelf, locked; NULL when all are stopped. */
struct portable__thread *portable__shelf_lock(void);
void portable__shelf_unlock(void);

void portable__front_stop(void);
void portable__front_start(void);
void portable__front_hold(int32_t hold); /* 1: stopped until 0, whoever stops and starts meanwhile */
size_t portable__front_drain(uintptr_t *addresses, size_t room); /* stopped; call until 0 */
void portable__front_counts(int64_t counts_out[4]);
/* How many threads have been in a call of calls.h ever since `first`, which comes with a barrier over all threads. doubt: calls that memory proves to have
 * been left do not count. */
int64_t portable__threads_in_calls(int first, int doubt);
/* No thread remembers the slab any more; stopped. */
void portable__front_forget(const struct portable__slab *slab);
/* Takes the older half of a class of the calling thread or of the shelf, or everything for class -1. */
size_t portable__front_spill(int32_t shelf, int32_t class_number, uintptr_t *addresses, size_t room);

/* ---- slabmap.c: from an address to the records of its slab ---- */

struct portable__slab {
  uintptr_t base;
  uint64_t bytes;
  struct portable__record *records;
  int fast; /* its blocks may be parked; else the entry only tells whose an address is */
  struct portable__slab *retired;
};

int portable__slab_publish(uintptr_t base, uint64_t bytes, uint32_t shift, void *records, int32_t fast);
void portable__slab_withdraw(uintptr_t base, uint64_t bytes);
extern uint32_t portable__shift;              /* log2 of the granule */
extern _Atomic uint32_t portable__slab_count; /* 0: no fast path */
extern _Atomic uint32_t portable__label_epoch; /* changes when label numbers lose their meaning */

/* ---- magazine.c ---- */

size_t portable__room(size_t bytes); /* bytes of the class that serves a request */
portable_status portable__alloc(size_t bytes, const char *label, size_t label_bytes, void **ptr_out);
void *portable__alloc_plain(size_t bytes); /* portable__alloc without a label; NULL: an error */
portable_status portable__free(void *ptr);
/* portable__free, but NULL is an error. */
portable_status portable__give(void *ptr);

/* ---- signals.c: before a thread enters Go ---- */

void portable__signal_stack_set(struct portable__thread *t);   /* on the calling thread, if it has none */
void portable__signal_stack_leave(struct portable__thread *t); /* at its end */
void portable__mend_handlers(void);                            /* adds SA_ONSTACK to the program's handlers */

/* ---- tools.c: valgrind and AddressSanitizer ---- */

extern int portable__tool;         /* not 0: one of them watches. Set before main, then fixed. */
int32_t portable__tool_look(void); /* 1: one watches */
void portable__tool_slab(uintptr_t base, uint64_t bytes);
int32_t portable__tool_slab_ends(uintptr_t base, uint64_t bytes); /* 0: the memory must stay mapped */
size_t portable__tool_room(size_t bytes);
/* On the user's stack; free between cross_in and cross_out, before Go's. Pool 0 is the default pool. */
void portable__tool_alloc(void *ptr, size_t bytes);
void portable__tool_free(portable_pool pool, void *ptr);
/* What the calling thread has done with blocks that a stream keeps comes before whatever their next owner does. */
void portable__tool_passed(void);
const void *portable__tool_known(const void *ptr); /* the same pointer, which nobody may call undefined */

/* ---- errtext.c ---- */

portable_status portable__fail(portable_status code, const char *format, ...) PORTABLE__PRINTF(2, 3);
void portable__set_error(const char *text, size_t bytes);
void portable__print(const char *text, size_t bytes); /* one line to standard error */
void portable__print_error(void);
/* Puts the call, and the label of the array, before the text of a failure: at night, in a log, that is what one looks for. */
void portable__name_error(const char *call, const char *label, size_t label_bytes);
/* Puts the call in the place of parallel_for, with which the texts of refused launches begin; those of kernels that failed are right. */
portable_status portable__rename_error(portable_status status, const char *call);
/* " ('name')" behind the number of an argument; nothing where it has no name. Into text, which it gives. */
const char *portable__named(char *text, size_t room, const char *name);
#define PORTABLE__NAMED(name) portable__named((char[96]){0}, 96, name)
/* The pool's error as that of the call, which needed memory for a while. */
portable_status portable__no_scratch(portable_status status, const char *call, const char *label);

/* ---- crossing.c: the way into Go ---- */

struct portable__crossing {
#if defined(__x86_64__)
  unsigned int mxcsr;
#else
  void *environment[64]; /* a fenv_t */
#endif
};

/* Refuses in a forked child and after a fault; else makes the thread ready for Go, whose code must not trap
 * on floating point. Every cross_in that gave 0 is followed by cross_out. */
portable_status portable__cross_in(struct portable__crossing *c);
void portable__cross_out(const struct portable__crossing *c);
/* fault.c: the call has found a fault inside the library; cross_out then tells where the program was. */
void portable__fault_seen(void);
void portable__tell_fault(void);
extern __thread int portable__faulted __attribute__((tls_model("initial-exec")));
void portable__break(void); /* after a fault in Go: everything is refused from now on */
extern _Atomic int portable__broken;
void portable__set_running(int32_t running);
extern _Atomic int portable__running;

/* ---- callbacks.c: Go calling the user's functions ---- */

/* Not 0: the calling thread is in a function for slabs, under the lock of its pool. Every way into Go is refused there. */
extern __thread int portable__in_slab_function __attribute__((tls_model("initial-exec")));
void *portable__call_slab_alloc(portable_slab_alloc f, size_t bytes, void *payload);
void portable__call_slab_free(portable_slab_free f, void *slab, size_t bytes, void *payload);
/* malloc, for Go: NULL if there is no memory. */
void *portable__memory(size_t bytes);
const char *portable__environment(size_t i);

/* ---- portable.c: start and stop of a participant; gator != 0 for gatorInit's ---- */

portable_status portable__start(int32_t gator, const portable_config *config);
portable_status portable__end(int32_t gator);
portable_status portable__check_version(int32_t version);

/* ---- launch.c ---- */

#define PORTABLE__SERIAL  1 /* numbers of the devices that the library has; the program's own follow, then Go's */
#define PORTABLE__THREADS 2

/* What a launch takes where it says nothing; Go sets it. */
struct portable__defaults {
  _Atomic int32_t device, devices, schedule, b4b;
};
extern struct portable__defaults portable__defaults;

/* Of a launch whose units are numbered leaves, which do not depend on the number of workers. The kernel finds it in its job. */
struct portable__leaves {
  const char *call; /* what messages of its failure begin with; of static memory */
  /* Cuts the space, which has iterations, as the user's tile says where that is not 0. Called when all else has been checked. */
  portable_status (*cut)(struct portable__leaves *leaves, const char *label, struct portable__cut *space, const int64_t *tile);
};

#define PORTABLE__STREAM_OF(device) (UINT64_C(0xd) << 60 | (uint64_t)(device)) /* the default stream of a device */

#define PORTABLE__WIDE  1 /* flags of portable__launch */
#define PORTABLE__WAITS 2
#define PORTABLE__OUTER 4 /* it is a parallel_outer; messages of its failure say so */

/* portable_parallel_for with what only Fortran says: the bytes of its default integer (0: the kernel is none of
 * Fortran's), and the flags: bounds may be wider than that; the launch is over when this returns, in an asynchronous stream too.
 * leaves: NULL, or how the units are numbered; such a launch is waited for. */
portable_status portable__launch(const char *label, const portable_bounds *bounds, portable_kernel_function kernel,
                                 const void *args, size_t args_bytes, const portable_launch_config *config,
                                 int32_t integer_bytes, int32_t flags, struct portable__leaves *leaves);

/* What that checks of bounds and configuration, for a launch that is not the team's. config_out is PORTABLE_LAUNCH_CONFIG_INIT before; strided 1: who
 * does it heeds strides by itself. */
portable_status portable__launch_space(const char *label, const portable_bounds *bounds, const portable_launch_config *config, int32_t strided,
                                       portable_launch_config *config_out, struct portable__cut *cut_out);

/* Runs a job that is ready: on the team, or through Go on a device of Go's; those who watch are told. args_bytes: of job->args, 0: they
 * are the user's own memory. The status has its text. */
portable_status portable__job_run(struct portable__job *job, size_t args_bytes);
/* The status, with its text, of a function that needs the library to run when it does not. */
portable_status portable__not_running(const char *function);
/* space.c: whether arrays of a device are in managed memory, and whether the default pool is. The space of arrays for a device: portable_space_of_device,
 * or HOST where the default pool serves. */
void portable__managed_set(int32_t on, int32_t default_is);
int32_t portable__device_room(portable_device device);
/* What Go calls. */
void portable__device_named(int32_t number, portable__text name, size_t bytes);
void portable__devices_set(int32_t devices);
void portable__defaults_set(int32_t schedule, int32_t b4b);
void portable__default_device_set(int32_t device);
int32_t portable__job_failed(struct portable__job *job);

/* ---- what Go tells watchers of the environment, under the lock of the instance, before a start is told ---- */

/* kokkos.c: libraries, with semicolons between, and the tools' arguments; "0": not even what is linked into the program. 0: no memory. */
int32_t portable__tools_set(portable__text libraries, size_t bytes, portable__text arguments, size_t arguments_bytes);
/* nvtx.c: ranges for NVIDIA's profilers; wanted: 1 yes, -1 no, 0 where a profiler is there. NULL, or why it can not be. */
portable__text portable__nvtx_open(int32_t wanted);
/* verbose.c: the log's file; no byte: none. 0, or what errno says. */
int32_t portable__verbose_open(portable__text path, size_t bytes, int32_t how); /* how: 0 or PORTABLE__FILE_DEFAULT */
/* One line of it. Takes no lock and calls nobody. */
void portable__verbose_line(portable__text text, size_t bytes);
/* checks.c: PORTABLE_CHECK_..., where the program has not said. */
void portable__checks_default(uint32_t checks);

/* memcheck.c: the trace file, what is wanted of it, and pairs of names and values that it begins with, each ended by 0. Nothing wanted: it is
 * off. 0, or what errno says of the file; all the rest works without it. */
enum { PORTABLE__MEMCHECK_MEMORY = 1, PORTABLE__MEMCHECK_EVENTS = 2, PORTABLE__MEMCHECK_STACKS = 4, PORTABLE__MEMCHECK_PRINTS = 8, PORTABLE__MEMCHECK_HASHES = 16 };
int32_t portable__memcheck_open(portable__text path, size_t path_bytes, int32_t how, uint32_t wanted, portable__text meta, size_t meta_bytes);
void portable__memcheck_slab(uint32_t taken, uintptr_t address, uint64_t bytes, portable__text pool, size_t pool_bytes);

/* memcheck_left.c: what is live of a label among the blocks that were not picked; a new count begins with the first. */
void portable__memcheck_left_begin(void);
void portable__memcheck_left(portable__text label, size_t label_bytes, uint64_t blocks, uint64_t bytes);

/* memcheck_find.c: a free that has failed with ERR_POINTER. Before the text of the error is renamed; nothing unless memory checks are on. */
void portable__memcheck_bad_free(portable_pool pool, void *ptr);
/* The library itself has failed, with the text of the calling thread's last error. */
void portable__memcheck_internal(void);

/* ---- timer*.c; timer.h has more ---- */

void portable__timers_running(int32_t running);
void portable__timers_finalize(void); /* after a participant has gone: the last one ends the hooks */
void portable__timer_thread_ends(struct portable__thread *thread);

/* ---- tuning.c ---- */

/* What is said for a label, or for all labels that begin so; 0 in a field is nothing. */
struct portable__tuning {
  char label[PORTABLE__LABEL_MAX + 1];
  size_t label_bytes;
  int64_t tile[PORTABLE_LOOP_RANK], chunk;
  int32_t tile_rank, schedule, block_size;
  int32_t arrays; /* PORTABLE__TUNING_ARRAYS: it is of arrays of the label, too, which layout.c asks for */
  char where[PORTABLE__LABEL_MAX + 1]; /* file and line, for messages */
};

#define PORTABLE__TUNING_ARRAYS      1
#define PORTABLE__TUNING_ARRAYS_ONLY 2

/* The first `exact` entries are whole labels; none turns tuning off. 0: no memory, all stays as it was. */
int32_t portable__tuning_set(const struct portable__tuning *entries, size_t count, size_t exact);

/* ---- reduce.c: portable_parallel_reduce with what only Fortran says, as above ---- */

portable_status portable__reduce(const char *label, const portable_bounds *bounds, portable_reduce_function kernel, const void *args,
                                 size_t args_bytes, const portable_reduction *results, size_t result_count,
                                 const portable_launch_config *config, int32_t integer_bytes, int32_t wide);

/* ---- hierarchy.c: portable_parallel_outer with that ---- */

portable_status portable__outer(const char *label, const portable_bounds *bounds, portable_team_function kernel, const void *args, size_t args_bytes,
                                size_t scratch_bytes, const portable_launch_config *config, int32_t integer_bytes, int32_t wide);

/* ---- fortran_launch.c: a text of Fortran without its trailing blanks, cut where there is no more room ---- */

void portable__copy_text(char *to, size_t room, const char *text, size_t bytes);

/* ---- liveout.c: where a live-out of that kind is ---- */

portable_status portable__liveout_find(const char *function, portable_liveout liveout, int32_t kind, void **to_out);
portable_status portable__liveout_at(const char *function, portable_liveout liveout, void **to_out); /* of any kind */

/* ---- stream.c ---- */

struct portable__stream;

/* Puts a job into an asynchronous stream; waits: for its end, and for the pending error of the stream. */
portable_status portable__stream_launch(struct portable__stream *s, portable_stream handle, const struct portable__job *job, const void *args,
                                        size_t args_bytes, int waits);
/* Waits for all streams and leaves their errors; ERR_STATE inside a kernel or callback of one. */
portable_status portable__streams_drain(void);
/* Waits for all streams that have work. From outside of kernels and callbacks. */
void portable__streams_wait(void);
extern __thread struct portable__stream *portable__own_stream __attribute__((tls_model("initial-exec"))); /* whose thread this is */
/* The stream in whose kernel or callback the calling thread is, and for which it so must not wait; NULL: none. */
static inline struct portable__stream *portable__queue_inside(void) {
  if (PORTABLE__UNLIKELY(portable__own_stream != NULL)) return portable__own_stream;
  return portable__running_job ? portable__running_job->stream : NULL;
}
int portable__streams_inside(void);       /* 1: in one of a stream */
int32_t portable__streams_live(void); /* asynchronous ones; the calling thread may wait for them: 0 inside a kernel or callback of one */
/* What Go calls when the library starts and stops. close gives how many streams were there, with the text of an error that nobody has
 * asked for; -1: there is work in one, and nothing has changed. */
void portable__streams_open(void);
int32_t portable__streams_close(char *text, size_t bytes);

/* ---- event.c ---- */

/* The blocks that hold these addresses, where there are such, are kept until the stream has done what is in it now. */
void portable__stream_uses(portable_stream stream, const uintptr_t *addresses, size_t count);
/* For exports_stream.go: the number of what was put in last, 0 when the stream has ended since; whether a device has done a number, which may be asked
 * under the pool's lock; and waiting for a number. */
uint64_t portable__stream_end(void *stream, portable_stream handle);
int32_t portable__stream_asks(void *stream, uint64_t number);
int32_t portable__stream_sure(void *stream, uint64_t number); /* 1: it is the device's alone, which gets on whatever the host does */

/* Devices, as bits by their index, whose default streams have had work since somebody saw that they were through. A block that is freed meanwhile
 * is kept until they have passed what is in them: no launch into a default stream says which blocks it uses. NOTED: the table of uses.c has uses.
 * FOREIGN: the program has the driver's stream behind a default one, and may put work into it that no bit tells. */
#define PORTABLE__NOTED (UINT32_C(1) << 31)
#define PORTABLE__FOREIGN (UINT32_C(1) << 30)
extern _Atomic uint32_t portable__unfenced;
void portable__free_unfenced(const void *ptr);
static inline void portable__free_begins(const void *ptr) {
  if (PORTABLE__UNLIKELY(atomic_load_explicit(&portable__unfenced, memory_order_relaxed))) portable__free_unfenced(ptr);
}
void portable__stream_await(void *stream, uint64_t number);

/* ---- devices.c ---- */

/* What the driver of a cuda device has answered to a call as a status with its text: ERR_NOMEM, ERR_NODEVICE, else ERR_DEVICE. label, which may
 * be NULL, says what for. */
portable_status portable__cuda_fail(int code, const char *call, const char *label);

/* ---- shape.c ---- */

int32_t portable__strict(void);

/* ---- exports*.go: the Go side; only between cross_in and cross_out ---- */

const char *portable__library_code(void); /* serve_checked.c */
size_t portable__serve_parse(portable__text value); /* serve.c: of PORTABLE_ALLOCATE_FROM */

int32_t portable__go_frame(uintptr_t pc, char *text, int32_t room);
portable_status portable__go_init(int32_t gator, portable_config *config);
#define PORTABLE__BUSY 1 /* of go_finalize: there is work in a stream; wait for it, and ask again */
portable_status portable__go_finalize(int32_t gator);
int32_t portable__go_strict(void);
portable_status portable__go_set_rank(int32_t rank, int32_t local_rank);
int32_t portable__go_rank(int32_t local);
int32_t portable__go_serve(void);
int32_t portable__go_serve_watch(void); /* 1: memory is checked */
void portable__go_served(void);
portable_status portable__go_alloc(size_t bytes, size_t room, portable__text label, size_t label_bytes, uintptr_t *out);
portable_status portable__go_free(uintptr_t addr);
uint32_t portable__go_label(portable__text label, size_t label_bytes);
void portable__go_spill(int32_t shelf, int32_t class_number);
portable_status portable__go_reassigned(uintptr_t addr, portable__text label, size_t label_bytes);
portable_status portable__go_launch(int32_t device, struct portable__job *job);
portable_status portable__go_device_find(portable__text name, int32_t *number_out);
portable_status portable__go_device_set_default(int32_t number);
portable_status portable__go_set_threads(int32_t n);
portable_status portable__go_timers_text(int32_t json, char *text, size_t bytes, size_t *needed);
portable_status portable__go_timers_print(portable__text path);
portable_status portable__go_timers_pack(void *to, size_t room, size_t *needed);
portable_status portable__go_timers_merge(int32_t json, void *packs, size_t bytes, char *text, size_t room, size_t *needed);
portable_status portable__go_timers_merged_print(void *packs, size_t bytes, portable__text path);
portable_status portable__go_fallback_print(void);
portable_status portable__go_stream(int32_t device, int32_t *number_out, uint64_t *stack_out);
void portable__go_settle(portable_pool pool, uintptr_t addr); /* waits for the streams that the block at addr depends on */
/* device: 1 where the count lags behind a device, which must be asked. */
void portable__go_depend(void *stream, uint64_t *done, int32_t device, uint64_t number, uintptr_t *addresses, size_t count);
portable_status portable__go_depend_open(void *stream, uint64_t *done, int32_t device, portable_stream handle, uintptr_t address);
portable_status portable__go_pool_create(portable_pool_config *config, portable_pool *out);
portable_status portable__go_pool_destroy(portable_pool pool, int32_t inside); /* inside: a stream */
portable_status portable__go_pool_default(portable_pool *out);
void portable__go_left(void); /* tells portable__memcheck_left of all */
int32_t portable__go_holds(uintptr_t addr); /* 1: a live block of any pool holds it */
portable_status portable__go_pool_of_space(int32_t space, portable_pool *pool_out);
portable_status portable__go_pool_alloc(portable_pool pool, size_t bytes, size_t room, portable__text label, size_t label_bytes, uintptr_t *out);
portable_status portable__go_pool_free(portable_pool pool, uintptr_t addr);
portable_status portable__go_pool_trim(portable_pool pool, uint64_t *out);
portable_status portable__go_pool_check(portable_pool pool);
portable_status portable__go_pool_stats(portable_pool pool, portable_stats *out);
/* Gives one malloc'ed piece: the blocks, then their labels. */
portable_status portable__go_pool_list(portable_pool pool, portable_block **blocks_out, size_t *count_out);
portable_status portable__go_pool_find(portable_pool pool, uintptr_t addr, portable_block *out, char *label, size_t room);
/* 1: a live block of the pool (0: the default one) begins at the address; *out and label say which. */
int32_t portable__go_block_starts(portable_pool pool, uintptr_t addr, portable_block *out, char *label, size_t room);
/* 1: the address is in a slab of a pool, whose name goes into name[room], but in no live block. */
int32_t portable__go_freed(uintptr_t addr, char *name, size_t room);
void portable__go_warn(portable__text text, size_t bytes);
portable_status portable__go_pool_report(portable_pool pool, char *text, size_t bytes, size_t *needed);

#endif
