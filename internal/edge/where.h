/* where.h - where the calling thread is: in a kernel, in Go, on the thread of a stream, in the
 * recording of a graph. Private.
 * Each variable belongs to its thread; signal handlers read the first two. Not here: the thread's
 * state (thread.h), calls in progress (calls.h). */
#ifndef PORTABLE__WHERE_H
#define PORTABLE__WHERE_H


#include <stdint.h>

struct portable__job;
struct portable__stream;

/* A point (stream, number): completed when the stream has completed all work up to this number. A NULL stream:
 * completed. */
struct portable__point {
  struct portable__stream *stream;
  uint64_t number;
};

/* The kernel that the thread runs; NULL outside of kernels. */
extern __thread const struct portable__job *portable__running_job __attribute__((tls_model("initial-exec")));

/* The same where it is a block kernel, whose threads have small stacks: they neither launch nor enter Go. Another job's: it was left. */
extern __thread const struct portable__job *portable__block_job __attribute__((tls_model("initial-exec")));
static inline int portable__in_block(void) { return portable__block_job && portable__block_job == portable__running_job; }

/* Calls into Go in progress on this thread: a fault there is Go's, not a kernel's. */
extern __thread int portable__inside __attribute__((tls_model("initial-exec")));

/* The stream whose own thread this is. */
extern __thread struct portable__stream *portable__own_stream __attribute__((tls_model("initial-exec")));

/* The handle of the graph that the thread records (exec/graph); 0: none. It may be stale: ask portable__above_graph.recording. */
extern __thread uint64_t portable__recording __attribute__((tls_model("initial-exec")));

#endif
