/* device_work.h - work for a CUDA device. Threads: any. */
#ifndef PORTABLE__DEVICE_WORK_H
#define PORTABLE__DEVICE_WORK_H

#include "../stream/work.h"

/* Runs the work. It returns when the work is in the stream. It waits for the end if the work asks for it, if the stream is synchronous, if device
 * and host cannot use managed memory at the same time, or for observers of launches. After an error of the stream, the work is skipped. An error of
 * the work stays for the next fence. */
portable_status portable__device_work(const struct portable__device_work *work);

#endif
