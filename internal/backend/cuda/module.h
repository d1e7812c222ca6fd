/* module.h - images in a device's context, and the entries in them. No CUDA types here; the codes are the driver's. Private.
 *
 * Each function is called with the device's context current (portable__cuda_enter). Threads: all are safe. */
#ifndef PORTABLE__CUDA_MODULE_H
#define PORTABLE__CUDA_MODULE_H

#include <stddef.h>
#include <stdint.h>

/* An image that is loaded, or what the driver says to it. */
struct portable__cuda_module {
  void *module;
  const char *call; /* that has failed */
  char log[4096];   /* of the driver's compiler, ended by NUL */
};

/* An entry, and what it needs. */
struct portable__cuda_function {
  void *function;
  int32_t max_threads;     /* of a block, as the registers allow */
  int32_t registers, local_bytes, static_shared;
  int32_t parameter_bytes; /* of all parameters; 0: the driver does not say (before 12.4) */
};

#define PORTABLE__CUDA_NO_ENTRY 500 /* CUDA_ERROR_NOT_FOUND */

/* Loads PTX (a text), cubin or fatbin. 0, or what the driver answers. */
int portable__cuda_module_load(const void *image, struct portable__cuda_module *result);
int portable__cuda_module_entry(void *module, const char *name, struct portable__cuda_function *to, const char **call_out);
void portable__cuda_module_unload(void *module);

/* Lets blocks of the function have more dynamic shared memory than 48 KiB. */
int portable__cuda_function_shared(void *function, int32_t bytes);

/* One launch; parameters lie in one buffer. */
int portable__cuda_function_launch(void *native, void *function, const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes,
                                   const void *parameters, size_t bytes);

/* Memory for what is copied for one launch, in the order of a stream. ordered 0: the device has no memory pools; the memory is there at once,
 * and may be given back when the launch is done. waits 1: the device may read `from` later, so what is in the stream is waited for. */
int portable__cuda_stage(void *native, int ordered, int waits, const void *from, size_t bytes, uint64_t *to_out, const char **call_out);
int portable__cuda_unstage(void *native, int ordered, uint64_t memory);

/* Memory of the host that the device writes to, under one address. Zeroed. */
int portable__cuda_shared_take(size_t bytes, void **to_out);
void portable__cuda_shared_give(void *memory);

/* Called before modules are unloaded and contexts given back, with nothing under way: who has functions of them forgets those, and gives back what it
 * has on the devices. NULL: nobody has. */
extern void (*_Atomic portable__cuda_ending)(void);
void portable__cuda_end(void);

#endif
