/* devices.h - devices that the program brings (portable_device_host.h), as launches use them.
 * Private. In C because the launching thread passes the work to the program's own threads without
 * Go. Threads: registered before the library runs, only read afterwards. */
#ifndef PORTABLE__DEVICES_H
#define PORTABLE__DEVICES_H

#include "team.h"

#define PORTABLE__SERIAL  1 /* numbers of the devices that the library has; the program's own follow, then Go's */
#define PORTABLE__THREADS 2
#define PORTABLE__DEVICE_THREADS 2 /* the program's devices have the numbers after it */
#define PORTABLE__DEVICES_MAX 16

/* Adds a device, whose fields were checked. 0: its name is taken; -1: there is no room. */
int portable__device_add(const portable_host_device *device);

/* How many there are; the first call adds `openmp`, where the program has its source. */
int32_t portable__device_own_count(void);

/* For tests, while nothing launches: forgets all devices but the first n. */
void portable__device_keep(int32_t n);

/* The name of device i, from 0 on. */
const char *portable__device_own_name(int32_t i);

/* Whether the device of a number is the program's. */
int portable__device_is_own(int32_t number);

/* Into how many parts the device of a number is to be given work; for the team's own devices too. */
int32_t portable__device_workers(int32_t number);

/* portable__team_run for a job on one of the program's devices. */
int portable__device_run(struct portable__job *job);

#endif
