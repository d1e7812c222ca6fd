/* device_work.h - work for a cuda device. Private. Threads: any. */
#ifndef PORTABLE__DEVICE_WORK_H
#define PORTABLE__DEVICE_WORK_H

#include "../stream/work.h"

/* Runs it: returns when it is in the stream, or waits where the work says so, the stream is synchronous, or the device and the host can not
 * have managed memory at once. Behind an error of the stream it is skipped. Where somebody watches launches it is waited for, and an error of it is kept
 * for the next fence all the same. */
portable_status portable__device_work(const struct portable__device_work *work);

#endif
