/* emulated.h - a device with memory of its own on a machine without one: its kernels run on the
 * team, and its pages are closed except while they run. Private. So a program that accesses such
 * memory on the host faults at that access, on a laptop. While one of its kernels runs, the whole
 * process can access the memory: an access by another host thread is not found then. Threads: all
 * functions are safe; portable__emulated_at also in signal handlers. */
#ifndef PORTABLE__EMULATED_H
#define PORTABLE__EMULATED_H

#include <stdint.h>

#define PORTABLE__EMULATED_NAME "emulated"

/* Adds the device, once. 0: its name is the program's already; -1: there is no room. */
int portable__emulated_begin(void);
int32_t portable__emulated_number(void); /* of the device; 0: there is none */

/* A slab, whole pages, that is closed from now on; and one that is the system's again. Gives 0, or an error number. */
int portable__emulated_add(uintptr_t start, uint64_t bytes);
void portable__emulated_remove(uintptr_t start);

/* A kernel of the device begins; ends. Calls may lie inside each other and on several threads. */
void portable__emulated_open(void);
void portable__emulated_close(void);

/* 1: kernels of the device run now. In signal handlers too. */
int portable__emulated_is_open(void);

/* 1: the address is in a slab of the device. *start and *end, where not NULL, get the slab's. */
int portable__emulated_at(uintptr_t address, uintptr_t *start_out, uintptr_t *end_out);

/* Memory of other devices, for handlers: k + 1 of what only device k of a driver reaches, and the driver (shim.h) in the bits above PORTABLE__FAR_BITS;
 * 0: of none, or of both. NULL: there is no such device. */
#define PORTABLE__FAR_BITS 16
extern int32_t (*_Atomic portable__far_device)(uintptr_t address);

#endif
