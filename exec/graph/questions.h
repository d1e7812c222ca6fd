/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out, if no comment differs. Here too: the
 * records of a recording and of its plan, which exec/replay mirrors. */
#ifndef PORTABLE__GRAPH_QUESTIONS_H
#define PORTABLE__GRAPH_QUESTIONS_H

#include "../../internal/edge/base.h"

/* An entry of a recording. Entries are counted from 1 on; 0 is the begin. */
struct portable__graph_entry {
  int32_t node;         /* a work node by its number from 0 on; -1: a stream waits for an event */
  uint32_t stream;      /* the number of the stream's slot */
  uint32_t after, also; /* the entry before it in its stream; that of the event */
};

/* A step of a replay. Steps are counted from 1 on, in an order in which each comes after those that it needs. */
struct portable__graph_step {
  int32_t node;     /* -1: none; it only joins two steps */
  uint32_t needs[2]; /* steps without which it is skipped; 0: none */
  uint32_t lane;     /* its stream, from 0 on; steps of one lane come one after the other */
};

/* The bytes in which Go looks for blocks of pools. */
struct portable__graph_block {
  const void *args;
  size_t bytes; /* 0: args is itself such an address */
};

/* A recording for exec/replay. Go fills steps, which has room for `count`. */
struct portable__graph_recording {
  uint64_t graph;
  const struct portable__graph_entry *entries;
  size_t count;
  uint32_t last; /* the last entry of the stream in which the graph began */
  struct portable__graph_step *steps;
  size_t step_count;
};

/* A call of a graph that is not ordinary, as far as C has checked it. */
struct portable__graph_asked {
  portable__text call, label, missing; /* label NULL: the call has none; missing NULL: no argument is */
  uint64_t graph;
  int32_t why; /* PORTABLE__GRAPH_... of internal/edge/above.h, or below */
  uint64_t at, count; /* numbers for the text */
};

/* Further reasons; exec/replay has the same numbers and describes them. */
enum {
  PORTABLE__GRAPH_STALE = 20,
  PORTABLE__GRAPH_INSIDE,
  PORTABLE__GRAPH_TWICE,
  PORTABLE__GRAPH_SYNC,
  PORTABLE__GRAPH_BUSY_STREAM,
  PORTABLE__GRAPH_NO_END,
  PORTABLE__GRAPH_NO_BEGIN,
  PORTABLE__GRAPH_OTHER_THREAD,
  PORTABLE__GRAPH_BROKEN,
  PORTABLE__GRAPH_SPOILED,
  PORTABLE__GRAPH_DEVICE,
  PORTABLE__GRAPH_NESTED,
  PORTABLE__GRAPH_NODE,
  PORTABLE__GRAPH_SIZE,
  PORTABLE__GRAPH_EARLIER,
  PORTABLE__GRAPH_OTHER_GRAPH,
  PORTABLE__GRAPH_ADDRESS,
  PORTABLE__GRAPH_NO_MEMORY,
  PORTABLE__GRAPH_NO_BLOCK,
  PORTABLE__GRAPH_HOST_WORK,
  PORTABLE__GRAPH_LARGE,
};

struct portable__graph_go {
  portable_status (*refuse)(struct portable__graph_asked *asked);
  portable_status (*plan)(struct portable__graph_recording *recording);
  int32_t (*hold)(uint64_t graph, struct portable__graph_block *block); /* 1: a block of a pool was found */
  void (*ended)(uint64_t graph);
};
extern const struct portable__graph_go portable__graph_go;

#endif
