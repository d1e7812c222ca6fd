/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out. */
#ifndef PORTABLE__STAGE_QUESTIONS_H
#define PORTABLE__STAGE_QUESTIONS_H

#include "../../internal/edge/base.h"

/* Whether the copy of an array may have another order than Fortran's: no, because the kernel needs the elements in sequence, or because there are gaps. */
enum { PORTABLE__ORDER_FREE, PORTABLE__ORDER_OF_KERNEL, PORTABLE__ORDER_WITH_GAPS };

/* An array's host memory, start to end-1, of elements of `unit` bytes. `at` is its place in the device's block. ordered: a rule gives it an order there,
 * the dimension fastest[0] first, numbered from 0. */
struct portable__stage_span {
  uintptr_t start, end;
  uint64_t unit, at;
  int32_t argument, written;
  int32_t rank, order, ordered, fastest[7];
  char name[33];
};

/* Host memory that one copy brings to that place. unit 0: nothing goes back, else elements of so many bytes that have changed. name: of a span.
 * ordered: the number of its only span from 1, if that has another order on the device; else 0. */
struct portable__stage_part {
  uintptr_t start;
  uint64_t bytes, at, unit;
  const char *name;
  int32_t ordered;
};

/* The memory of one launch. begin sets at of the spans, the parts, of which there are at most count, and the block, 0 if there is no span. */
struct portable__staging {
  char label[PORTABLE__LABEL_MAX + 1];
  struct portable__stage_span *spans;
  struct portable__stage_part *parts;
  int32_t count, part_count;
  int32_t index;      /* of the CUDA device */
  int32_t device;     /* its number */
  uintptr_t block;    /* of the device's pool */
};

struct portable__stage_go {
  portable_status (*begin)(struct portable__staging *s); /* ERR_NOMEM: the device has no memory left */
  portable_status (*end)(struct portable__staging *s, int32_t ran); /* frees the block; counts the copies of a launch that ran on the device */
};
extern const struct portable__stage_go portable__stage_go;

#endif
