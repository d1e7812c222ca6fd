/* module.h - images in a device's context, and their entries. No CUDA types here; the codes are the
 * driver's. Private. Callers make the device's context current first (portable__cuda_enter).
 * Threads: all functions are safe. */
#ifndef PORTABLE__CUDA_MODULE_H
#define PORTABLE__CUDA_MODULE_H

#include <stddef.h>
#include <stdint.h>

/* A loaded image, or the driver's error. */
struct portable__cuda_module {
  void *module;
  const char *call; /* the failed call */
  char log[4096];   /* of the driver's compiler, ended by NUL */
};

/* An entry and its needs. */
struct portable__cuda_function {
  void *function;
  int32_t max_threads;     /* of a block, as the registers allow */
  int32_t registers, local_bytes, static_shared;
  int32_t parameter_bytes; /* of all parameters; 0: unknown (drivers before 12.4; HIP: Go asks the image) */
};

#define PORTABLE__CUDA_NO_ENTRY 500 /* CUDA_ERROR_NOT_FOUND */

/* Loads PTX (a text), cubin or fatbin. Returns 0, or the driver's code. */
int portable__cuda_module_load(const void *image, struct portable__cuda_module *result);
int portable__cuda_module_entry(void *module, const char *name, struct portable__cuda_function *to, const char **call_out);
void portable__cuda_module_unload(void *module);

/* Allows blocks of the function more dynamic shared memory than 48 KiB. */
int portable__cuda_function_shared(void *function, int32_t bytes);

/* One launch; all parameters are in one buffer. */
int portable__cuda_function_launch(void *native, void *function, const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes,
                                   const void *parameters, size_t bytes);

/* Copies the arguments of one launch to memory, in the order of a stream. ordered 0: the device has no memory pools;
 * the memory is ready at once, and may be freed when the launch has completed. waits 1: the device may read `from`
 * later, so the call waits for the stream. */
int portable__cuda_stage(void *native, int ordered, int waits, const void *from, size_t bytes, uint64_t *to_out, const char **call_out);
int portable__cuda_unstage(void *native, int ordered, uint64_t memory);

/* Memory of the host that the device writes to, with one address for both. Zeroed. */
int portable__cuda_shared_take(size_t bytes, void **to_out);
void portable__cuda_shared_give(void *memory);

#endif
