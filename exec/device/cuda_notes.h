/* cuda_notes.h - failures that kernels on a device report. Private. Threads: any. */
#ifndef PORTABLE__CUDA_NOTES_H
#define PORTABLE__CUDA_NOTES_H

#include "../../internal/edge/base.h"

struct portable__notes;

/* The memory where kernels on a device write them, made at the first call; NULL: out of memory, and failures are not seen. */
struct portable__notes *portable__cuda_notes(int32_t index);

/* 1: a kernel on the device has reported a failure that no call has returned. One load of host memory. */
int portable__cuda_noted(int32_t index);

/* Takes the first failure of kernels in the driver's stream, or in an unknown one: a status with its text in text[room], else 0. Called when the
 * work in the stream is done. */
portable_status portable__cuda_notes_take(int32_t index, void *native, char *text, size_t room);

/* Frees that memory, if it was made: an unused device gets no context for it. */
void portable__cuda_notes_end(int32_t index);

#endif
