/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out. */
#ifndef PORTABLE__STAGE_QUESTIONS_H
#define PORTABLE__STAGE_QUESTIONS_H

#include "../../internal/edge/base.h"

/* Whether the copy of an array may have another order than Fortran's: no, because the kernel needs the elements in sequence, or because there are gaps. */
enum { PORTABLE__ORDER_FREE, PORTABLE__ORDER_OF_KERNEL, PORTABLE__ORDER_WITH_GAPS };

/* An array's host memory, start to end-1, of elements of `unit` bytes. `there` is its address on the device. ordered: a rule gives it an order there,
 * the dimension fastest[0] first, numbered from 0. */
struct portable__stage_span {
  uintptr_t start, end, there;
  uint64_t unit;
  int32_t argument, written, read;
  int32_t rank, order, ordered, fastest[7];
  char name[33];
};

/* Host memory that one copy brings to that address of a CUDA device. unit 0: nothing goes back, else elements of so many bytes that have changed.
 * fetch: the copy goes from the device to the host alone, before the launch: the array is present in a data region. before, if not 0, has what the
 * device has, and is kept so. name: of a span. ordered: the number of its only span from 1, if that has another order on the device; else 0. */
struct portable__stage_part {
  uintptr_t start, there;
  uint64_t bytes, unit;
  uintptr_t before;
  int32_t fetch, index, ordered;
  const char *name;
};

/* The purpose of a plan: a launch, or what the program says of data regions (data.c). ENTER and those behind it make no copies. */
enum { PORTABLE__STAGE_LAUNCH, PORTABLE__DATA_HOST, PORTABLE__DATA_ALL, PORTABLE__DATA_SHARED, PORTABLE__DATA_LEAVE, PORTABLE__DATA_END,
       PORTABLE__DATA_EXPOSE, PORTABLE__DATA_EXIT, PORTABLE__DATA_ENTER, PORTABLE__DATA_BEGIN, PORTABLE__DATA_ADD, PORTABLE__DATA_STAY, PORTABLE__DATA_PAUSE, PORTABLE__DATA_RESUME,
       PORTABLE__DATA_ASKED /* no plan: the launch of the label that follows is the host's because the program says so */ };

/* Its outcome, as exec/present has it. */
enum { PORTABLE__STAGE_NOTHING, PORTABLE__STAGE_COPIED, PORTABLE__STAGE_RAN, PORTABLE__STAGE_DISCARDED };

/* The memory of one launch. begin sets `there` of the spans, the parts, of which there are at most count and one for each array of a region, and the
 * block, 0 if all spans are in regions. */
struct portable__staging {
  char label[PORTABLE__LABEL_MAX + 1];
  struct portable__stage_span *spans;
  struct portable__stage_part *parts;
  int32_t count, part_count;
  int32_t index;      /* of the CUDA device */
  int32_t device;     /* its number */
  int32_t what;       /* PORTABLE__STAGE_LAUNCH or a number behind it */
  int32_t clause;     /* of DATA_ADD: as exec/present has it, and 16 if procedures elsewhere may use the array */
  int32_t keep;       /* the host must have what the launch writes: its changes may be discarded */
  int32_t present;    /* spans that regions have */
  int32_t regions, entries; /* open, with their arrays; end sets them */
  uint64_t thread;
  uintptr_t block;    /* of the device's pool */
};

struct portable__stage_go {
  portable_status (*begin)(struct portable__staging *s); /* ERR_NOMEM: the device has no memory left */
  portable_status (*end)(struct portable__staging *s, int32_t outcome); /* frees the block; counts the copies */
};
extern const struct portable__stage_go portable__stage_go;

#endif
