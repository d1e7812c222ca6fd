/* cuda_notes.h - failures that kernels on a device report. Private. Threads: any. */
#ifndef PORTABLE__CUDA_NOTES_H
#define PORTABLE__CUDA_NOTES_H

#include "../../internal/edge/base.h"

struct portable__notes;

/* Where kernels on a device write them, made at the first call; NULL: no memory to be had, and nobody listens. */
struct portable__notes *portable__cuda_notes(int32_t index);

/* 1: a kernel on the device has said something that nobody has been told. One load of the host's memory. */
int portable__cuda_noted(int32_t index);

/* Takes what kernels in the driver's stream, or in one that is not known, have said first: a status with its text in text[room], else 0. Call when
 * what is in the stream is done. */
portable_status portable__cuda_notes_take(int32_t index, void *native, char *text, size_t room);

/* Gives that memory back, if there is any: a device that nobody has used gets no context for it. */
void portable__cuda_notes_end(int32_t index);

#endif
