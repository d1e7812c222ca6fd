/* trace.h - a trace: the allocations and frees of a run, read from a CSV file (record.c), invented
 * (trace.c), or known (shallow_water.c). */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An operation. Blocks are numbered from 0 on; a block is allocated once and freed at most once. */
struct op {
  uint32_t block;
  int32_t label; /* an index into labels; -1: this frees the block */
  uint64_t bytes;
};

struct trace {
  struct op *ops;
  size_t count, room;
  uint32_t blocks;
  char (*labels)[32];
  int32_t label_count;
  uint64_t most_asked; /* bytes live at the highest moment, as asked for */
  size_t at_most;      /* the operation that leads there */
};

/* 1: done; 0: standard error says why not. The trace is freed with the process. */
int trace_read(struct trace *t, const char *file);
/* The automatic arrays of a weather code: a seeded sequence, the same for the same numbers. */
int trace_make(struct trace *t, uint64_t seed, size_t ops);
/* The first 6000 operations of the dam break of examples/shallow_water. */
int trace_shallow_water(struct trace *t);
/* Writes the CSV that trace_read reads. */
void trace_print(const struct trace *t, FILE *out);
/* For all: adds an operation. */
int trace_add(struct trace *t, uint32_t block, int32_t label, uint64_t bytes);
int32_t trace_label(struct trace *t, const char *text, size_t bytes); /* -1: no memory */
/* For all, at the end: finds the highest moment. */
int trace_finish(struct trace *t);

#endif
