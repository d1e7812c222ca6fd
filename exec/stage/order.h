/* order.h - the copy of an array in another order than Fortran's, by a rule. Main functions:
 * portable__stage_permute, portable__stage_patch. Not here: the rules (capi/exports_layout.go).
 * Threads: those of the launch. */
#ifndef PORTABLE__STAGE_ORDER_H
#define PORTABLE__STAGE_ORDER_H

#include "argument.h"
#include "questions.h"

/* PORTABLE__ORDER_...: whether the order of the array's copy is free. steps are bytes between elements in the memory of the host. */
int32_t portable__stage_order_of(const struct portable__fortran_argument *a, const int64_t *steps);

/* Writes the elements of the argument to `to`, in the order of the device. */
void portable__stage_permute(const struct portable__fortran_argument *a, const struct portable__stage_span *span, char *to);

/* Writes what has changed, from `from` bytes in the order of the device on, into the array: in pieces of `unit` bytes. */
void portable__stage_patch(const struct portable__fortran_argument *a, const struct portable__stage_span *span, const char *before, const char *after,
                           uint64_t from, uint64_t bytes, uint64_t unit);

/* Gives the argument its place on the device, the address `there`. */
void portable__stage_move(struct portable__fortran_argument *a, const struct portable__stage_span *span, uintptr_t there);

#endif
