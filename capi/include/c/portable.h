/* portable.h - the C face of libportable.
 *
 * In this file: version, status codes, configuration, start and stop, the default pool, user-owned pools,
 * statistics, and YAKL's four Gator symbols. Not in this file: loops, streams, reductions, atomics, hooks and timers (portable_launch.h
 * and the others that are included at the end), the Fortran modules (gator_mod), and anything about how it works (docs/ARCHITECTURE.md).
 *
 * Rules that hold for every function unless it says otherwise:
 *   Errors:    a function that can fail returns portable_status: 0 is success, a negative code a failure;
 *              portable_last_error() then gives the text. Out parameters come last, end in _out, and are
 *              0 or NULL after a failure. A failed call changes nothing.
 *   Threads:   every function may be called from any thread at any time.
 *   Units:     sizes are bytes; no function takes elements.
 *   Ownership: memory from an alloc function belongs to the caller until the matching free function.
 *   Output:    the library writes to standard error only, and never calls exit.
 *
 * The header is clean as C99 to C23 and C++98 to C++23 under -Wall -Wextra -Wpedantic.
 */
#ifndef PORTABLE_H
#define PORTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Declared in portable_launch.h. */
struct portable_bounds;
struct portable_tile;
struct portable_launch_config;
/* Declared in portable_hierarchy.h. */
struct portable_team;

/* ---- version ------------------------------------------------------------------------------------- */

#define PORTABLE_VERSION_MAJOR 0
#define PORTABLE_VERSION_MINOR 1
#define PORTABLE_VERSION_PATCH 0
/* major * 10000 + minor * 100 + patch */
#define PORTABLE_VERSION 100

/* The version of the archive in the program, to be compared with PORTABLE_VERSION of the header.
 * Threads: safe, also before portable_init.  Since: 0.1 */
int32_t portable_version(void);

/* ---- status -------------------------------------------------------------------------------------- */

typedef int32_t portable_status;

/* Numbers are never reused. In Fortran, stat= gives the same number with a plus sign. */
#define PORTABLE_OK             0
#define PORTABLE_ERR_ARG       (-1)  /* an argument is invalid: a negative extent, a NULL out pointer */
#define PORTABLE_ERR_NOMEM     (-2)  /* out of memory; the text names the setting to change */
#define PORTABLE_ERR_HANDLE    (-3)  /* the handle is 0, stale, or of another kind */
#define PORTABLE_ERR_STATE     (-4)  /* before init, after finalize, or started twice */
#define PORTABLE_ERR_POINTER   (-5)  /* not the start of a live block: foreign, interior, or freed already */
#define PORTABLE_ERR_OVERFLOW  (-6)  /* a byte count or an upper bound does not fit its integer */
#define PORTABLE_ERR_NODEVICE  (-7)  /* no such device on this machine */
#define PORTABLE_ERR_LEAK      (-8)  /* blocks are still live (only under GATOR_STRICT=1) */
#define PORTABLE_ERR_VERSION   (-9)  /* header or module and archive are of different versions */
#define PORTABLE_ERR_FORK     (-10)  /* called in a forked child, where the library cannot work */
#define PORTABLE_ERR_CORRUPT  (-11)  /* portable_pool_check found a broken invariant */
#define PORTABLE_ERR_INTERNAL (-12)  /* a fault inside the library; please report the text */
#define PORTABLE_ERR_KERNEL   (-13)  /* a kernel has called portable_kernel_fail; code and text are in the text */
#define PORTABLE_ERR_DEVICE   (-14)  /* the driver of a device has refused a call, or work on the device has failed */

/* The text of this thread's last failure: what was asked, what was found, what to do. "" before any.
 * Ownership: borrowed until the next failing call on this thread.  Since: 0.1 */
const char *portable_last_error(void);

/* The name of a status code, as "PORTABLE_ERR_NOMEM"; "unknown status" for an unknown number.
 * Ownership: static text.  Since: 0.1 */
const char *portable_status_name(portable_status code);

/* ---- start and stop ------------------------------------------------------------------------------ */

/* Settings for the start. A field of 0 means: the environment variable if set, else the default. A field
 * that is set wins over the environment; only GATOR_DISABLE always wins. */
typedef struct portable_config {
  uint32_t struct_size;         /* sizeof(portable_config), set by PORTABLE_CONFIG_INIT */
  int32_t  version;             /* PORTABLE_VERSION, set by PORTABLE_CONFIG_INIT */
  int32_t  pool;                /* 1 pool, -1 straight to the system, 0 see above (GATOR_DISABLE; pool) */
  int32_t  fastpath;            /* 1 on, -1 off, 0 see above (PORTABLE_FASTPATH; on) */
  uint64_t pool_initial_bytes;  /* the first pool (GATOR_INITIAL_MB; 64 MiB) */
  uint64_t pool_grow_bytes;     /* each further pool (GATOR_GROW_MB; as much as there is: doubling) */
  uint64_t pool_block_bytes;    /* granule, a power of two from 64 (GATOR_BLOCK_BYTES; 128) */
  uint64_t pool_limit_bytes;    /* all pools together (PORTABLE_LIMIT_MB; no limit) */
  const char *device;           /* name of the default device (PORTABLE_DEVICE; "threads"); read during the call */
  int32_t  num_threads;         /* that share a launch (PORTABLE_NUM_THREADS, OMP_NUM_THREADS; what affinity mask and control
                                   group leave, shared between the ranks of a node that are not bound) */
  int32_t  reserved;            /* 0; anything else is an error */
  uint64_t stack_bytes;         /* of each thread of the team (PORTABLE_STACKSIZE, OMP_STACKSIZE; the main thread's limit,
                                   but at least 64 MiB) */
} portable_config;

#define PORTABLE_CONFIG_INIT { (uint32_t)sizeof(portable_config), PORTABLE_VERSION, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0 }

/* Starts the library, or counts one more participant of a library that runs already. A second
 * participant's configuration is ignored, with one warning line when it asks for something else.
 * config may be NULL: environment and defaults.
 * Returns: 0, ERR_ARG, ERR_VERSION, ERR_NOMEM (no memory for the first pool), ERR_NODEVICE, ERR_DEVICE (its driver refuses:
 * busy, forbidden), ERR_FORK.  Since: 0.1 */
portable_status portable_init(const portable_config *config);

/* Starts the library with environment and defaults if it does not run, and ends that when the program exits: for code, such as generated loops,
 * whose program does not know of the library. While the library runs it costs a branch.
 * Threads: safe, several at once.  Returns: as portable_init.  Since: 0.1 */
portable_status portable_ensure(void);

/* Waits for what is in streams, and takes one participant away; the last one stops the library: blocks still live are
 * listed on standard error with label and size and released (under GATOR_STRICT=1: ERR_LEAK with the list in its text,
 * nothing is released). User pools still there are destroyed in the same way; streams still there are ended, with one
 * warning line. portable_init may follow. The last one waits for calls of other threads that are under way; a call that
 * begins meanwhile returns ERR_STATE.
 * Returns: 0, ERR_STATE (no participant; inside a kernel or callback of a stream), ERR_LEAK, ERR_FORK.  Since: 0.1 */
portable_status portable_finalize(void);

/* 1 while the library runs, else 0.  Since: 0.1 */
int32_t portable_is_initialized(void);

/* Which run of the library this is: another number after each stop, and 0 while it does not run. A block of an earlier run is
 * gone, and its address may be that of another one.  Since: 0.1 */
uint32_t portable_run_number(void);

/* ---- ranks --------------------------------------------------------------------------------------- */

/* The rank of this process among all of a parallel program, and among those on its node: what
 * portable_set_rank said, else what the launcher says in the environment (Open MPI, MPICH, MVAPICH, Cray, PMI,
 * PMIx, SLURM). With a rank, warnings and leak reports begin with it. Both work before portable_init.
 * Returns: the rank, or -1: not known, or a forked child.  Since: 0.1 */
int32_t portable_rank(void);
int32_t portable_local_rank(void);

/* Says the ranks, where no launcher does: from MPI_Comm_rank, for instance. local_rank may be -1: not known.
 * Returns: 0, ERR_ARG, ERR_FORK.  Since: 0.1 */
portable_status portable_set_rank(int32_t rank, int32_t local_rank);

/* ---- default pool -------------------------------------------------------------------------------- */

/* Takes `bytes` bytes from the default pool, aligned at 64, never zeroed. 0 bytes give a block of no
 * bytes with an address of its own, which is freed like any other. label may be NULL.
 * Ownership: caller owns *ptr_out until portable_free; the label is copied, up to 255 bytes of it.
 * Returns: 0, ERR_ARG (ptr_out is NULL), ERR_STATE, ERR_NOMEM, ERR_OVERFLOW, ERR_DEVICE (memory of a device that is lost), ERR_FORK.  Since: 0.1 */
portable_status portable_alloc(size_t bytes, const char *label, void **ptr_out);

/* Gives a block back to the default pool. NULL is accepted and does nothing. In a forked child it does
 * nothing.
 * Returns: 0, ERR_STATE, ERR_POINTER.  Since: 0.1 */
portable_status portable_free(void *ptr);

/* The bytes that an array needs, checked: extents are not negative, the count and each upper bound fit.
 * Shapes: rank 0 (one element) to 15, extents[rank], lower_bounds[rank] or NULL for 1. index_bits is 32 or 64, the integer kind in
 * which the user holds his bounds. A zero extent gives 0 bytes (under GATOR_STRICT=1 an error).
 * Works before portable_init.  Source: YAKL's gator_checked_bytes and checked_bounds.
 * Returns: 0, ERR_ARG, ERR_OVERFLOW.  Since: 0.1 */
portable_status portable_array_bytes(int32_t rank, const int64_t *extents, const int64_t *lower_bounds,
                                     int32_t index_bits, size_t element_bytes, size_t *bytes_out);

/* ---- pools --------------------------------------------------------------------------------------- */

/* A pool. 0 is none; a handle of a destroyed pool is recognised and refused. */
typedef uint64_t portable_pool;

/* Gives a slab of at least `bytes` bytes, or NULL. Called from whatever thread makes the pool grow, one call at
 * a time for each pool and under that pool's lock, so it must not call this library: such a call
 * returns ERR_STATE. A slab that does not begin
 * at a multiple of 64 is released once, and from then on 64 bytes more are asked for. A slab that overlaps
 * another one of the pool is an error, and is not released.
 * It runs with the library's floating-point state, not with its caller's: no traps, round to nearest, denormals kept (on
 * x86-64 MXCSR is 0x1f80). A function that computes sets what it needs; the caller has his own again afterwards. */
typedef void *(*portable_slab_alloc)(size_t bytes, void *payload);
/* Takes a slab back; bytes is what was asked for it. The rules are those of portable_slab_alloc. */
typedef void (*portable_slab_free)(void *slab, size_t bytes, void *payload);

typedef struct portable_pool_config {
  uint32_t struct_size;         /* sizeof(portable_pool_config), set by PORTABLE_POOL_CONFIG_INIT */
  uint32_t reserved;            /* 0; anything else is an error */
  const char *name;             /* for messages; NULL: "pool" */
  portable_slab_alloc alloc;    /* NULL together with free: memory of the host */
  portable_slab_free free;
  void *payload;                /* handed to alloc and free */
  uint64_t initial_bytes;       /* in whole granules, rounded down; 0: no slab before the first request */
  uint64_t grow_bytes;          /* in whole granules, rounded down; 0: doubling from 64 MiB */
  uint64_t block_bytes;         /* 0: 128 */
  uint64_t limit_bytes;         /* 0: none */
  int32_t space;                /* without alloc and free: PORTABLE_SPACE_... (portable_array.h), 0: host memory */
  int32_t reserved_2;           /* 0; anything else is an error */
} portable_pool_config;

#define PORTABLE_POOL_CONFIG_INIT { (uint32_t)sizeof(portable_pool_config), 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0 }

/* Makes a pool of the user's own. The library must run. config may be NULL: host memory and defaults.
 * Ownership: caller owns *pool_out until portable_pool_destroy; the name is copied.
 * Returns: 0, ERR_ARG, ERR_NODEVICE (config has the space of a device that is not there), ERR_STATE, ERR_NOMEM (also: there are 65535 pools of users
 * already), ERR_FORK.  Since: 0.1 */
portable_status portable_pool_create(const portable_pool_config *config, portable_pool *pool_out);

/* Waits for the streams that its blocks depend on, and releases a pool and all its slabs. Blocks still live are listed
 * and released, under GATOR_STRICT=1 refused. 0 is accepted. The default pool cannot be destroyed.
 * Returns: 0, ERR_HANDLE, ERR_STATE (also inside a kernel or callback of a stream, where it would have to wait), ERR_LEAK, ERR_FORK.  Since: 0.1 */
portable_status portable_pool_destroy(portable_pool pool);

/* The handle of the default pool, for the functions below.
 * Returns: 0, ERR_ARG, ERR_STATE.  Since: 0.1 */
portable_status portable_pool_default(portable_pool *pool_out);

/* The pool with the live block that holds the address, anywhere inside it; 0 in *pool_out: the default pool, portable_free.
 * Returns: 0, ERR_POINTER (no live block of any pool holds it), ERR_ARG, ERR_STATE, ERR_FORK.  Since: 0.1 */
portable_status portable_pool_of(const void *address, portable_pool *pool_out);

/* portable_alloc and portable_free for any pool. The memory is not touched, so the slabs may be of a kind
 * that the host cannot read.
 * Returns: as portable_alloc and portable_free, and ERR_HANDLE.  Since: 0.1 */
portable_status portable_pool_alloc(portable_pool pool, size_t bytes, const char *label, void **ptr_out);
portable_status portable_pool_free(portable_pool pool, void *ptr);

/* Gives empty grown slabs back to where they came from; a first slab made by initial_bytes stays. released_out may be NULL.
 * Returns: 0, ERR_HANDLE, ERR_STATE, ERR_NOMEM (a slab was refused by its source; it stays in the pool, others
 * may have been released).  Since: 0.1 */
portable_status portable_pool_trim(portable_pool pool, uint64_t *released_out);

/* Walks all invariants of the pool. The text of a failure names the first broken one.
 * Returns: 0, ERR_CORRUPT, ERR_HANDLE, ERR_STATE.  Since: 0.1 */
portable_status portable_pool_check(portable_pool pool);

typedef struct portable_stats {
  uint32_t struct_size;         /* sizeof(portable_stats), set by the caller */
  uint32_t slabs;               /* slabs held ("pools" in YAKL's words) */
  uint64_t in_use_bytes;        /* asked for by live blocks, exact */
  uint64_t in_use_blocks;       /* live blocks */
  uint64_t occupied_bytes;      /* taken out of the slabs: live and waiting blocks, rounded up */
  uint64_t high_water_bytes;    /* most that was ever taken out at once: size GATOR_INITIAL_MB by this */
  uint64_t reserved_bytes;      /* all slabs */
  uint64_t limit_bytes;         /* 0: none */
  uint64_t free_bytes;          /* reserved and not occupied */
  uint64_t largest_gap_bytes;   /* largest request that needs no growth */
  uint64_t waiting_bytes;       /* freed, but kept until streams have passed them */
  uint64_t waiting_blocks;
  uint64_t allocations;         /* since the start */
  uint64_t frees;               /* since the start */
  double   fragmentation;       /* 1 - largest gap / free; 0 when nothing is free */
} portable_stats;

/* Fills *stats_out as far as its struct_size says.
 * Returns: 0, ERR_ARG, ERR_HANDLE, ERR_STATE.  Since: 0.1 */
portable_status portable_pool_stats(portable_pool pool, portable_stats *stats_out);

typedef struct portable_block {
  uint32_t struct_size;
  uint32_t waiting;             /* 1: freed, kept until streams have passed it; 0: live */
  void *address;
  uint64_t bytes;               /* as asked for */
  const char *label;            /* "" when none; borrowed: see the function that fills it */
} portable_block;

/* Called per block; a value other than 0 ends the listing. It may call this library. */
typedef int32_t (*portable_block_visitor)(const portable_block *block, void *payload);

/* Calls `visit` for each live or waiting block of a snapshot, in order of address within each slab.
 * The label is borrowed until the visit returns.
 * Returns: 0, ERR_ARG, ERR_HANDLE, ERR_STATE, ERR_NOMEM (no room for the snapshot).  Since: 0.1 */
portable_status portable_pool_list(portable_pool pool, portable_block_visitor visit, void *payload);

/* The block that holds the address `ptr`, anywhere inside it. The label is borrowed until this thread calls
 * the function again.
 * Returns: 0, ERR_POINTER (no live block holds it), ERR_ARG, ERR_HANDLE, ERR_STATE.  Since: 0.1 */
portable_status portable_pool_find(portable_pool pool, const void *ptr, portable_block *block_out);

/* Writes a readable report (statistics, then bytes by label) into text[bytes], cut and always ended by
 * NUL; *needed_out, when not NULL, gets the bytes of the whole text with its NUL. text may be NULL with
 * bytes 0, to ask for the size.
 * Returns: 0, ERR_ARG, ERR_HANDLE, ERR_STATE.  Since: 0.1 */
portable_status portable_pool_report(portable_pool pool, char *text, size_t bytes, size_t *needed_out);

/* ---- Gator: YAKL's C names ----------------------------------------------------------------------- */
/* Source: YAKL, YAKL_gator_mod and YAKL_mem_transfers. They have no status: on an error they print the
 * text to standard error and return (NULL); under GATOR_STRICT=1 they abort. */

/* Starts the library as one participant with environment and defaults. A second call without
 * gatorFinalize is a warning.  Since: 0.1 */
void gatorInit(void);
/* Takes that participant away, as portable_finalize. Without gatorInit: a warning.  Since: 0.1 */
void gatorFinalize(void);
/* portable_alloc without a label; 0 bytes give NULL.  Since: 0.1 */
void *gatorAllocate(size_t bytes);
/* portable_free; NULL is an error here.  Since: 0.1 */
void gatorDeallocate(void *ptr);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by gator_mod, which passes its own compile-time version; not for users. They return what the functions
 * for C return, and ERR_VERSION. */

/* gatorInit and gatorFinalize with a status; config may be NULL. A second init is a warning, under
 * GATOR_STRICT=1 ERR_STATE. */
portable_status portable__fortran_init(int32_t version, const portable_config *config);
portable_status portable__fortran_finalize(void);
/* Allocates an array: portable_array_bytes and portable_alloc in one call. label[label_bytes] is not
 * NUL-terminated, trailing blanks are cut. previous is the address of an associated pointer that is about
 * to be overwritten, else NULL; it is compared, never read. When it starts a live block there is one
 * warning in the life of the process; under GATOR_STRICT=1 any previous is ERR_STATE. */
portable_status portable__fortran_allocate(int32_t version, int32_t rank, const int64_t *extents,
                                           const int64_t *lower_bounds, int32_t index_bits,
                                           size_t element_bytes, const char *label, size_t label_bytes,
                                           const void *previous, void **ptr_out);
/* portable_free, but NULL is an error. */
portable_status portable__fortran_deallocate(void *ptr);
/* Writes the pattern[pattern_bytes] `count` times, end to end, from ptr on: default-initialised elements of
 * a derived type whose memory must not be read first. */
void portable__fortran_fill(void *ptr, const void *pattern, size_t pattern_bytes, size_t count);
/* 1 under GATOR_STRICT=1. Works before init. */
int32_t portable__fortran_strict(void);
portable_status portable__fortran_cuda_log(const char *label, size_t label_bytes, char *text, size_t room, size_t *needed_out);
portable_status portable__fortran_space_alloc(int32_t space, size_t bytes, const char *label, portable_pool *pool_out, void **ptr_out);

/* flags: 1 for bounds that need not fit a default integer, 2 to wait for the end in an asynchronous stream too. */
portable_status portable__fortran_parallel_for(int32_t version, const char *label, size_t label_bytes,
                                               const struct portable_bounds *bounds,
                                               void (*kernel)(const struct portable_tile *tile, void *args), const void *block,
                                               size_t block_bytes, const struct portable_launch_config *config,
                                               int32_t integer_bytes, int32_t flags);
/* args: what portable_argument_mod made; looked at where the device may take another version than the host's, and by checks. */
struct portable__fortran_argument;
struct portable__fortran_code;
portable_status portable__fortran_parallel_for_arguments(int32_t version, const char *label, size_t label_bytes,
                                                         const struct portable_bounds *bounds,
                                                         void (*kernel)(const struct portable_tile *tile, void *args), const void *block,
                                                         const struct portable__fortran_argument *args, int32_t count,
                                                         const struct portable_launch_config *config, int32_t integer_bytes, int32_t flags);
/* Kernels that get the arguments in a block. checked takes the place of kernel under PORTABLE_CHECK=races; NULL: there is none. */
struct portable__fortran_result;
struct portable__fortran_section_of;
struct portable_shadow;
portable_status portable__fortran_parallel_for_list(int32_t version, const char *label, size_t label_bytes, const struct portable_bounds *bounds,
                                                    void (*kernel)(const struct portable_tile *tile, void *args),
                                                    void (*checked)(const struct portable_tile *tile, void *args),
                                                    const struct portable__fortran_argument *args, int32_t count,
                                                    const struct portable_launch_config *config, int32_t integer_bytes, int32_t flags);
portable_status portable__fortran_parallel_reduce_list(int32_t version, const char *label, size_t label_bytes, const struct portable_bounds *bounds,
                                                       void (*kernel)(const struct portable_tile *tile, void *args, void *const *partial),
                                                       void (*checked)(const struct portable_tile *tile, void *args, void *const *partial),
                                                       const struct portable__fortran_result *results, int32_t result_count,
                                                       const struct portable__fortran_argument *args, int32_t count,
                                                       const struct portable_launch_config *config, int32_t integer_bytes, int32_t flags);
portable_status portable__fortran_parallel_reduce_block(int32_t version, const char *label, size_t label_bytes, const struct portable_bounds *bounds,
                                                        void (*kernel)(const struct portable_tile *tile, void *args, void *const *partial),
                                                        const struct portable__fortran_result *results, int32_t result_count, const void *block,
                                                        size_t block_bytes, const struct portable_launch_config *config, int32_t integer_bytes,
                                                        int32_t flags);
void portable__fortran_section(const void *view, int32_t rank, int64_t element_bytes, struct portable__fortran_section_of *section_out);
/* text: lines of CUDA C++ of the kernel, whose address is the kernel's identity; on_device: whether a launch into the stream, 0: the default one, is
 * for a CUDA device. */
int32_t portable__fortran_on_device(uint64_t stream);
/* 1: the default device is a CUDA device, and a launch there takes all arrays as they are, without copies. */
int32_t portable__fortran_device_takes(const struct portable__fortran_argument *args, int32_t count);
/* 1: the elements of an array follow each other in memory, the dimension order[0] first, numbered from 1. */
int32_t portable__fortran_in_order(const struct portable__fortran_argument *a, const int64_t *order);
/* Exchanges what the thread runs with *job; between two calls, launches of its kernel are launches of the program. */
void portable__fortran_swap_kernel(const void **job);
/* 1: a data region is open. */
int32_t portable__fortran_data_open(void);
/* Tells the library of a data region: `what` and `clause` as exec/stage/questions.h has them; array may be NULL. */
portable_status portable__fortran_data(int32_t version, int32_t what, const char *label, size_t label_bytes, const struct portable__fortran_argument *array,
                                       int32_t clause);
portable_status portable__fortran_parallel_for_embedded(int32_t version, const char *label, size_t label_bytes, const struct portable_bounds *bounds,
                                                        void (*kernel)(const struct portable_tile *tile, void *args), const void *block,
                                                        size_t block_bytes, const struct portable__fortran_argument *args, int32_t count,
                                                        const char *text, int64_t lines, int64_t line_bytes,
                                                        const struct portable_launch_config *config,
                                                        int32_t integer_bytes, int32_t flags);
/* The same of a reduction; ran 0: no device did it, and results are not to be used. */
portable_status portable__fortran_parallel_reduce_embedded(int32_t version, const char *label, size_t label_bytes, const struct portable_bounds *bounds,
                                                           const struct portable__fortran_result *results, int32_t result_count,
                                                           const struct portable__fortran_argument *args, int32_t count, const char *text,
                                                           int64_t lines, int64_t line_bytes, const struct portable_launch_config *config,
                                                           int32_t integer_bytes, int32_t flags, int32_t *ran_out);
/* 1: two of the arguments that say that they may overlap do, and one of the two is written. */
int32_t portable__fortran_overlap(const struct portable__fortran_argument *args, int32_t count);
void portable__fortran_shadow_of(const struct portable_tile *tile, int32_t number, struct portable_shadow *shadow_out);
void portable__fortran_shadow_of_argument(const struct portable_tile *tile, const struct portable__fortran_argument *argument,
                                          struct portable_shadow *shadow_out);
/* arrays: numbers of arguments, negative for a write; elements: rank + 1 for each, in the first iteration and in its neighbours. */
int32_t portable__fortran_shadow_apart(const struct portable_tile *tile, const int32_t *arrays, int32_t count, const int64_t *elements, int32_t rank);
void portable__fortran_shadow_read(const struct portable_shadow *array, int64_t element, int64_t iteration, int64_t line);
void portable__fortran_shadow_write(const struct portable_shadow *array, int64_t element, int64_t iteration, int64_t line);
void portable__fortran_shadow_read32(const struct portable_shadow *array, int64_t element, int64_t iteration, int32_t line);
void portable__fortran_shadow_write32(const struct portable_shadow *array, int64_t element, int64_t iteration, int32_t line);
/* Texts are not NUL-terminated; code says how long they are. */
portable_status portable__fortran_cuda_code(int32_t version, const char *label, size_t label_bytes, const struct portable__fortran_code *code,
                                            const char *text, const char *entry, const char *options);
struct portable__fortran_reduction;
portable_status portable__fortran_parallel_reduce(int32_t version, const char *label, size_t label_bytes,
                                                  const struct portable_bounds *bounds, void (*kernel)(void), void (*const *held)(void),
                                                  const struct portable_launch_config *config, int32_t integer_bytes, int32_t wide,
                                                  const struct portable__fortran_reduction *what);
portable_status portable__fortran_parallel_reduce_user(int32_t version, const char *label, size_t label_bytes,
                                                       const struct portable_bounds *bounds, void (*kernel)(void), void (*const *held)(void),
                                                       const struct portable_launch_config *config, int32_t integer_bytes, int32_t wide,
                                                       const struct portable__fortran_reduction *what, void (*combine)(void),
                                                       void (*const *held_combine)(void));
void portable__fortran_kernel_fail(const struct portable_tile *tile, int32_t code, const char *text, size_t text_bytes);
portable_status portable__fortran_parallel_outer(int32_t version, const char *label, size_t label_bytes,
                                                 const struct portable_bounds *bounds,
                                                 void (*kernel)(const struct portable_team *team, void *args), const void *block,
                                                 size_t block_bytes, int64_t scratch_bytes,
                                                 const struct portable_launch_config *config, int32_t integer_bytes, int32_t wide);
portable_status portable__fortran_parallel_outer_arguments(int32_t version, const char *label, size_t label_bytes,
                                                           const struct portable_bounds *bounds,
                                                           void (*kernel)(const struct portable_team *team, void *args), const void *block,
                                                           const struct portable__fortran_argument *args, int32_t count, int64_t scratch_bytes,
                                                           const struct portable_launch_config *config, int32_t integer_bytes, int32_t wide);
/* The functions of portable_atomic.h; old may be NULL. */
void portable__fortran_atomic_add_int32(int32_t *x, int32_t value, int32_t *old);
void portable__fortran_atomic_add_int64(int64_t *x, int64_t value, int64_t *old);
void portable__fortran_atomic_add_real32(float *x, float value, float *old);
void portable__fortran_atomic_add_real64(double *x, double value, double *old);
void portable__fortran_atomic_min_int32(int32_t *x, int32_t value, int32_t *old);
void portable__fortran_atomic_min_int64(int64_t *x, int64_t value, int64_t *old);
void portable__fortran_atomic_min_real32(float *x, float value, float *old);
void portable__fortran_atomic_min_real64(double *x, double value, double *old);
void portable__fortran_atomic_max_int32(int32_t *x, int32_t value, int32_t *old);
void portable__fortran_atomic_max_int64(int64_t *x, int64_t value, int64_t *old);
void portable__fortran_atomic_max_real32(float *x, float value, float *old);
void portable__fortran_atomic_max_real64(double *x, double value, double *old);

/* ---- for portable::allocate ---------------------------------------------------------------------- */
/* Called by libportable_allocate.a, which stands before the program's own malloc and free; not for users. */

/* The size from which on malloc is served: PORTABLE_ALLOCATE_FROM. Works at any time. */
size_t portable__serve_from(void);
/* Starts the default pool for this use. 1: served from now on; 0: too early, ask again; -1: never. */
int32_t portable__serve_start(void);
/* A block of the default pool, labelled ALLOCATE; NULL: take it elsewhere. */
void *portable__serve_alloc(size_t bytes);
/* The bytes of the block at ptr, at least 1; 0 when ptr is not the pool's. Takes no lock. */
size_t portable__serve_bytes(const void *ptr);
/* Makes the block at ptr hold `bytes` where it is; 0: its room is not right for that. */
int32_t portable__serve_resize(void *ptr, size_t bytes);
/* Frees a block of the pool; 0: ptr is not the pool's, and nothing was done. */
int32_t portable__serve_free(void *ptr);
/* Starts what PORTABLE_CHECK, PORTABLE_TRACE and PORTABLE_VERBOSE ask for. 1: blocks of any size are to be asked for by serve_small; 0: none;
   -1: too early, ask again. code: the caller's own. */
int32_t portable__serve_watch(const void *code, const void *code_end);
/* A block that is checked, for this caller; NULL: it is libc's to give. */
void *portable__serve_small(size_t bytes, const void *caller);
/* Classifies the argument of realloc while memory is checked. 1: a block of the library, of *bytes_out bytes. 0: not the library's. -1: no block; that
 * has been reported. */
int32_t portable__serve_held(void *ptr, size_t *bytes_out);
/* Classifies an address that is not the library's, while memory is checked. 1: it belongs to no allocator; that has been reported. image, image_end: the
 * code and data of the program. */
int32_t portable__serve_foreign(const void *ptr, const void *image, const void *image_end);

#ifdef __cplusplus
}
#endif

#include "portable_launch.h"
#include "portable_device_host.h"
#include "portable_devices.h"
#include "portable_kernel.h"
#include "portable_stream.h"
#include "portable_hooks.h"
#include "portable_timer.h"
#include "portable_fallback.h"
#include "portable_check.h"
#include "portable_exact.h"
#include "portable_reduce.h"
#include "portable_atomic.h"
#include "portable_race.h"
#include "portable_hierarchy.h"
#include "portable_division.h"
#include "portable_reduce_array.h"
#include "portable_componentwise.h"
#include "portable_random_fill.h"
#include "portable_sort.h"
#include "portable_scan.h"
#include "portable_filter.h"
#include "portable_solve.h"
#include "portable_fft.h"
#include "portable_array.h"
#include "portable_array_element.h"
#include "portable_layout.h"
#include "portable_twin.h"
#include "portable_record.h"
#include "portable_halo.h"
#include "portable_cuda.h"
#include "portable_launch_reduce.h"

#endif /* PORTABLE_H */
