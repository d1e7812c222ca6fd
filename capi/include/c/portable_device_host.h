/* portable_device_host.h - devices that the program brings: threads which it has already, and on which launches are to run. Part
 * of portable.h; include that.
 *
 * In this file: what such a device is, and how the library gets to know it. Not in this file: the devices that there are
 * and how launches choose one (portable_launch.h), the device `openmp`, which is made by these functions
 * (share/portable/portable_openmp.c and .F90).
 */
#ifndef PORTABLE_DEVICE_HOST_H
#define PORTABLE_DEVICE_HOST_H

#ifndef PORTABLE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A device on threads of the host. */
typedef struct portable_host_device {
  uint32_t    struct_size; /* sizeof(portable_host_device), set by PORTABLE_HOST_DEVICE_INIT */
  const char *name;        /* a word in lower case, up to 31 bytes: what PORTABLE_DEVICE says */
  /* Into how many parts a launch from the calling thread is to be cut, 1 to 4095. Called at each launch. */
  int32_t (*workers)(void *payload);
  /* Calls portable_device_share(work, worker) once for each worker from 0 to workers-1 and returns when all of these
   * calls have returned. On whatever threads, one after the other or at once; worker 0 should be the calling thread. */
  void (*run)(int32_t workers, void *work, void *payload);
  void *payload;           /* the caller's, handed to both */
} portable_host_device;

#define PORTABLE_HOST_DEVICE_INIT { (uint32_t)sizeof(portable_host_device), 0, 0, 0, 0 }

/* Makes a device known. It gets the next number at portable_init and stays for the life of the process. Called before
 * portable_init, also from a constructor.
 * Ownership: name is copied; the functions and the payload must stay.  Threads: not at the same time as portable_init.
 * Returns: 0, ERR_ARG (NULL, struct_size, an invalid name, too long or taken), ERR_STATE (the library runs
 * already), ERR_NOMEM (16 devices are there).  Since: 0.1 */
portable_status portable_device_register(const portable_host_device *device);

/* One worker's part of a launch. Sets the launching thread's floating-point modes for the kernel, and the calling
 * thread's own again afterwards; a worker that the launch does not have is nothing.
 * Threads: from any thread, while `run` has not returned.  Since: 0.1 */
void portable_device_share(void *work, int32_t worker);

#ifdef __cplusplus
}
#endif

#endif
