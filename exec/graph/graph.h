/* graph.h - the record of a graph, for the files of this room and for Go. Invariants: a graph in
 * the state RECORDS gets entries from the thread that records it, with the lock, because another
 * thread may destroy it; a graph that is READY has a plan, and its nodes are changed by one replay
 * at a time, because each waits for the one before (`last`).
 * Lock: a graph's, taken before those of streams, never by a stream's thread. */
#ifndef PORTABLE__GRAPH_H
#define PORTABLE__GRAPH_H

#include "../stream/queue.h"
#include "questions.h"

enum { PORTABLE__GRAPH_GONE, PORTABLE__GRAPH_RECORDS, PORTABLE__GRAPH_READY, PORTABLE__GRAPH_IS_BROKEN, PORTABLE__GRAPH_IS_SPOILED };

/* Arguments for a node, for the replays from the next launch on. */
struct portable__graph_change {
  struct portable__graph_change *next;
  uint64_t launch; /* the first one that has it */
  uint32_t node;
  char args[];
};

/* A payload that goes when the graph is destroyed. */
struct portable__graph_payload {
  struct portable__graph_payload *next;
  portable_stream_function function;
  void *payload;
};

/* A stream that records. */
struct portable__graph_stream {
  struct portable__stream *stream;
  portable_stream handle;
};

struct portable__graph {
  struct portable__slot_head slot;
  pthread_mutex_t lock; /* made once, kept for ever */
  uint64_t handle;
  int32_t state, device;
  uint32_t serial; /* in the points of its events */
  portable_status status; /* the first refusal while it records, which end repeats; text */
  char text[PORTABLE__ERROR_KEPT];
  struct portable__graph_stream *streams; /* the first one is that of begin */
  struct portable__graph_entry *entries;
  struct portable__node **nodes;
  struct portable__graph_step *steps;
  char *skipped; /* of each step, after an error */
  size_t stream_count, stream_room, entry_count, entry_room, node_count, node_room, step_count;
  struct portable__point last; /* the end of its last launch */
  uint64_t launches;
  pthread_mutex_t changing; /* guards the changes, and argument blocks while one is applied; taken last, also in replays */
  struct portable__graph_change *first, **end; /* that no replay has applied, in their order */
  struct portable__graph_device *driver; /* of a CUDA device; NULL: of the host */
  struct portable__graph_payload *payloads;
};

extern struct portable__slot_table portable__graphs;

/* Refuses a call with the text of Go. `otherwise`: the status where Go does not run. */
portable_status portable__graph_refused(struct portable__graph_asked asked, portable_status otherwise) PORTABLE__COLD;
#define PORTABLE__GRAPH_REFUSED(otherwise, ...) portable__graph_refused((struct portable__graph_asked){__VA_ARGS__}, otherwise)

/* Locks and holds the graph of a handle until portable__graph_leave; NULL with an error. */
struct portable__graph *portable__graph_enter(const char *call, uint64_t graph, portable_status *status_out);
void portable__graph_leave(struct portable__graph *g);

/* ---- replay.c ---- */

/* Writes the next change that the launch has into its node, which it returns; NULL: there is none. */
struct portable__node *portable__graph_apply_next(struct portable__graph *g, uint64_t launch, uint32_t *node_out);
/* The argument block of a node, and its bytes; NULL: it has none. */
void *portable__graph_block_of(struct portable__node *n, size_t *bytes_out);

/* ---- capture.c: graphs of CUDA devices ---- */

/* Makes the driver's graph from the plan. Locked. */
portable_status portable__graph_capture(struct portable__graph *g);
/* Launches it, or, for observers, its nodes one by one. Locked. */
portable_status portable__graph_launch_there(struct portable__graph *g, struct portable__stream *s, portable_stream named, portable_stream handle,
                                             struct portable__point *at_out);
void portable__graph_capture_end(struct portable__graph *g);

/* ---- recorder.c ---- */

int portable__graph_recording(void);
portable_status portable__graph_refuse(const char *call, const char *label, int32_t why);
portable_status portable__graph_take(struct portable__stream *s, struct portable__node *n, struct portable__point *at_out);
portable_status portable__graph_mark(struct portable__stream *s, struct portable__point *point_out);
portable_status portable__graph_follow(struct portable__stream *s, portable_stream handle, struct portable__point point);
portable_status portable__graph_keep(struct portable__stream *s, const void *block);
/* Go keeps the blocks of pools that the bytes name until the graph ends, also those that the program frees during the recording. bytes 0: args is in one. */
portable_status portable__graph_hold(const struct portable__graph *g, const void *args, size_t bytes, int32_t *found_out);
portable_status portable__graph_at_end(struct portable__stream *s, portable_stream_function function, void *payload);
/* The stream records for the graph from now on. */
portable_status portable__graph_join(const char *call, struct portable__graph *g, struct portable__stream *s, portable_stream handle);
/* No stream records for it any more. Locked. */
void portable__graph_release(struct portable__graph *g);

/* ---- for Go ---- */

/* Forgets that it can be launched, because blocks that it uses go with their pool; returns after its last launch. */
void portable__graph_spoil(uint64_t graph);
/* Ends all graphs when the library stops. All streams are empty. */
void portable__graphs_end(void);

/* Calls what portable_stream_release has left in those graphs. After the stop, because the functions are the program's. */
void portable__graphs_give_up(void);

#endif
