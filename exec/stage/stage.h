/* stage.h - arrays of the host in launches of generated code on a CUDA device. The launch waits for
 * its end, so the copies are complete when it returns. Threads: any; a stage belongs to its
 * launch. */
#ifndef PORTABLE__STAGE_H
#define PORTABLE__STAGE_H

#include "questions.h"

/* Where the arguments let a launch run; notes the reason of HOST if it is an array. keep: what the kernel writes may be discarded, so that it writes copies. */
enum { PORTABLE__STAGE_NONE, /* on the device: it can access all arrays */
       PORTABLE__STAGE_COPIES, /* on the device, with copies of some */
       PORTABLE__STAGE_HOST };
int32_t portable__stage_verdict(const char *label, const struct portable__fortran_argument *args, int32_t count, int32_t index,
                                const portable_launch_config *config, int32_t keep);

struct portable__stage;

/* Copies the arrays to the device, in the default stream, but for those that are there in a data region. *args_out is the list with their new
 * addresses. *stage_out NULL without an error: the host must run the launch, because the memory of the device is used up, or an array is not in
 * memory that can be read. keep: what the kernel writes may be discarded. */
portable_status portable__stage_begin(const char *label, const struct portable__fortran_argument *args, int32_t count, int32_t index,
                                      const portable_launch_config *config, int32_t keep, struct portable__stage **stage_out,
                                      const struct portable__fortran_argument **args_out);
/* 1: an array has another order on the device than Fortran's, so the kernel must not expect it. */
int32_t portable__stage_ordered(const struct portable__stage *stage);
/* 1: data regions have arrays of the launch, so its host kernel may not run before portable__data_host. */
int32_t portable__stage_present(const struct portable__stage *stage);

/* Waits for the launch; if it ran on the device without an error, writes the elements that it has changed. outcome: PORTABLE__STAGE_COPIED, RAN or
 * DISCARDED. Gives the first error of the launch and of this. *stage is NULL after it. */
portable_status portable__stage_end(struct portable__stage **stage, portable_status launched, int32_t outcome);
/* For the cleanup of a variable: an exception leaves the host's kernel. Nothing if *stage is NULL. */
void portable__stage_leave(struct portable__stage **stage);


/* ---- data regions (data.c) ---- */

/* 1: a region is open, and this is no kernel. */
int32_t portable__data_open(void);
/* what: PORTABLE__DATA_...; a: its array, or NULL. Nothing without a region, but for BEGIN, which needs a CUDA device. */
portable_status portable__data(int32_t what, const char *label, const struct portable__fortran_argument *a, int32_t clause);
/* The host is about to run a launch with these arguments. */
portable_status portable__data_host(const char *label, const struct portable__fortran_argument *args, int32_t count);

#endif
