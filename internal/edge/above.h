/* above.h - the calls of C from a room to a higher one: a table of functions for each higher room,
 * filled in its operations.c. Private. A table is empty and weak here (above.c); the linker takes
 * the higher room's. So a room links without the rooms above it, in its tests too, and no code
 * fills a table at run time. Not here: questions of C to Go (questions.h of each room). Threads: as
 * each function says. */
#ifndef PORTABLE__ABOVE_H
#define PORTABLE__ABOVE_H

#include "base.h"
#include "where.h"

struct portable__thread;
struct portable__argument;
struct portable__copy;
struct portable__cuda_program;
struct portable__kernel_call;
struct portable__node;

/* internal/team. For internal/edge: calls that were left. */
struct portable__above_team {
  int (*launches)(void); /* 1: a launch has the team */
  int (*left)(void);     /* 1: the calling thread has left a kernel; the team is free again */
};
extern const struct portable__above_team portable__above_team;

/* internal/memcheck. For internal/observe. */
struct portable__above_memcheck {
  /* 1: a live block of the pool starts there. Its label, which stays valid for ever, and its bytes. */
  int (*live_block)(uintptr_t start, portable_pool pool, const char **label_out, uint64_t *bytes_out);
  void (*finding)(int32_t kind, const char *label, const char *text, const void *address);
};
extern const struct portable__above_memcheck portable__above_memcheck;

/* gator/front. For internal/observe: an observer wants each block. For internal/memcheck: blocks of portable::allocate
 * at the end of the program. */
struct portable__above_front {
  void (*hold)(int32_t hold); /* 1: magazines are stopped until 0 */
  void (*lost)(void (*seen)(uint32_t stack, uintptr_t start, uint64_t bytes, void *payload), void *payload);
};
extern const struct portable__above_front portable__above_front;

/* exec/timer. For internal/edge: a thread ends. */
struct portable__above_timer {
  void (*thread_ends)(struct portable__thread *thread);
};
extern const struct portable__above_timer portable__above_timer;

/* exec/launch. For internal/observe (names), and internal/memcheck (memory that the host can access). */
struct portable__above_launch {
  const char *(*device_name)(portable_device device);
  int32_t (*num_threads)(void);
  int (*host_reaches)(uintptr_t address);
};
extern const struct portable__above_launch portable__above_launch;

/* exec/stream. For all rooms below it. */
struct portable__above_stream {
  portable_status (*fence)(void);
  int32_t (*live)(void);                 /* asynchronous streams that the calling thread may wait for */
  int32_t (*kind)(portable_stream stream);
  portable_device (*device)(portable_stream stream);
  void (*free_unfenced)(const void *block); /* a block is freed while default streams may still use it */
  int (*completed)(uint32_t number, struct portable__point *point_out); /* up to where the stream in this slot has completed; 0: the slot is empty, -1: so are all later ones */
  struct portable__point (*end_of)(struct portable__stream *s, portable_stream handle);
  struct portable__stream *(*facts)(portable_stream handle, int32_t *device_out, int32_t *kind_out);
  portable_status (*launch)(struct portable__stream *s, portable_stream handle, const struct portable__job *job, const void *args, size_t args_bytes, int waits);
  struct portable__stream *(*find)(const char *function, portable_stream *handle, portable_status *status_out);
  portable_status (*settle)(const char *function, struct portable__stream *s, portable_stream handle, struct portable__point point);
  void (*uses)(portable_stream stream, const uintptr_t *addresses, size_t count);
};
extern const struct portable__above_stream portable__above_stream;

/* exec/device. For exec/launch (launches of kernel objects) and exec/stream (errors and notes of a device). */
struct portable__above_device {
  portable_status (*launch)(const struct portable__kernel_call *call, struct portable__cuda_program *program, portable_device device, int32_t index);
  void (*program_retire)(struct portable__cuda_program *program);
  portable_status (*fail)(int code, const char *call, const char *label);
  int (*noted)(int32_t index);
  portable_status (*notes_take)(int32_t index, void *native, char *text, size_t room);
};
extern const struct portable__above_device portable__above_device;

/* Why a graph refuses a call of another room; exec/replay has the same numbers and the texts. */
enum {
  PORTABLE__GRAPH_FENCE = 1,  /* a fence, or another wait, of the thread that records */
  PORTABLE__GRAPH_WAITS,      /* a launch that is waited for */
  PORTABLE__GRAPH_OUTSIDE,    /* a launch of the thread that records, into no stream that records */
  PORTABLE__GRAPH_STREAM,     /* a stream that records is destroyed, fenced or asked */
  PORTABLE__GRAPH_PLACE,      /* an event stands for a place in a graph */
  PORTABLE__GRAPH_ALLOCATION, /* of the thread that records */
};

/* exec/graph. For exec/stream: a stream whose member `graph` is set records. For the others: calls of a thread whose portable__recording is set.
 * The calls of a stream give PORTABLE__NOT_HERE, with no error, where it records no longer: another thread has destroyed the graph. */
struct portable__above_graph {
  int (*recording)(void); /* 1: the calling thread records a graph */
  portable_status (*refuse)(const char *call, const char *label, int32_t why);
  /* The stream gets a node: the graph takes it, or it stays the caller's. */
  portable_status (*take)(struct portable__stream *s, struct portable__node *n, struct portable__point *at_out);
  portable_status (*mark)(struct portable__stream *s, struct portable__point *point_out); /* an event is recorded in the stream */
  portable_status (*follow)(struct portable__stream *s, portable_stream handle, struct portable__point point); /* the stream waits for an event */
  portable_status (*keep)(struct portable__stream *s, const void *block);
  portable_status (*release)(struct portable__stream *s, portable_stream_function function, void *payload); /* called in the end of the graph */
};
extern const struct portable__above_graph portable__above_graph;

/* exec/algorithm. For exec/launch (reductions of kernel objects) and exec/device (the part of a copy that is the
 * host's). */
struct portable__above_algorithm {
  portable_status (*reduce)(const char *label, const portable_bounds *bounds, portable_reduce_function kernel, const void *args, size_t args_bytes,
                            const portable_reduction *results, size_t result_count, const portable_launch_config *config, int32_t integer_bytes, int32_t wide);
  portable_status (*device_reduce)(const struct portable__kernel_call *call, struct portable__cuda_program *program, portable_device device, int32_t index);
  portable_status (*copy_by_host)(const struct portable__copy *copy, const char *label, const portable_launch_config *config, int32_t waits);
};
extern const struct portable__above_algorithm portable__above_algorithm;

/* arrays/owner. For internal/observe and exec/launch: twins that a launch uses. */
struct portable__above_owner {
  void (*twin_watch)(int32_t on);
  portable_status (*twin_arguments)(const char *label, const void *block, const struct portable__argument *arguments, size_t count);
};
extern const struct portable__above_owner portable__above_owner;

/* capi. For internal/edge: a fault inside the library is reported when the call has come back from Go. */
struct portable__above_capi {
  void (*tell_fault)(void);
};
extern const struct portable__above_capi portable__above_capi;

#endif
