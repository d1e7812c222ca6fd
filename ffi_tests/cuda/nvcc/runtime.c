/* runtime.c - what stands in for the CUDA runtime in engine.cu: a launch is written down, and runs nothing. Not in this file: what should have been
 * launched (engine.cu), streams and memory, which are the fake driver's. */
#include <stddef.h>
#include <stdint.h>

typedef struct {
  unsigned x, y, z;
} three;

int runtime_launches, runtime_answer;
three runtime_grid, runtime_block;
void *runtime_stream;
char runtime_parameters[4096];
size_t runtime_parameter_bytes[2];

int cudaLaunchKernel(const void *function, three grid, three block, void **parameters, size_t shared, void *stream) {
  (void)function, (void)shared;
  runtime_launches++;
  runtime_grid = grid;
  runtime_block = block;
  runtime_stream = stream;
  for (size_t i = 0, at = 0; i < 2; at += runtime_parameter_bytes[i++])
    for (size_t k = 0; k < runtime_parameter_bytes[i]; k++) runtime_parameters[at + k] = ((char *)parameters[i])[k];
  return runtime_answer;
}
int cudaGetLastError(void) { return 0; }
const char *cudaGetErrorName(int error) { return error == 98 ? "cudaErrorInvalidDeviceFunction" : "another"; }
const char *cudaGetErrorString(int error) { return error == 98 ? "invalid device function" : "another"; }

/* Functions that nvcc's code calls before main. */
void **__cudaRegisterFatBinary(void *code) {
  static void *handle;
  (void)code;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *a, void *b, void *c, void *d, int *e) {
  (void)handle, (void)host, (void)device, (void)name, (void)limit, (void)a, (void)b, (void)c, (void)d, (void)e;
}
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size, int constant, int global) {
  (void)handle, (void)host, (void)device, (void)name, (void)ext, (void)size, (void)constant, (void)global;
}
int __cudaPushCallConfiguration(three grid, three block, size_t shared, void *stream) { return (void)grid, (void)block, (void)shared, (void)stream, 0; }
int __cudaPopCallConfiguration(three *grid, three *block, size_t *shared, void *stream) { return (void)grid, (void)block, (void)shared, (void)stream, 0; }
char __cudaInitModule(void **handle) { return (void)handle, 1; }
