//go:build portable_test_hooks

package opencl

/*
#include <stdlib.h>
#include <string.h>
#include "cuda.h"
#include "opencl.h"

#define CALL(name, ...) (((CUresult(*)())portable__opencl_function(#name))(__VA_ARGS__))
#define DO(name, ...)                                                        \
  if (result == CUDA_SUCCESS && (result = CALL(name, __VA_ARGS__)) != CUDA_SUCCESS) *call = #name

// Runs an entry that takes struct { const double *x; double *r; long long n; } on the first device, by the calls of the engine. The values are in managed memory.
static int run_entry(const void *image, const char *entry, const double *x, double *r, long long n, long long results, const char **call) {
  CUresult result = CUDA_SUCCESS;
  CUcontext context = NULL;
  CUmodule module = NULL;
  CUfunction function = NULL;
  CUdeviceptr memory = 0;
  DO(cuInit, 0u);
  DO(cuDevicePrimaryCtxRetain, &context, (CUdevice)0);
  DO(cuCtxSetCurrent, context);
  DO(cuModuleLoadDataEx, &module, image, 0u, NULL, NULL);
  DO(cuModuleGetFunction, &function, module, entry);
  DO(cuMemAllocManaged, &memory, (size_t)(n + results) * sizeof(double), 1u);
  if (result == CUDA_SUCCESS) {
    double *const at = (double *)(uintptr_t)memory;
    memcpy(at, x, (size_t)n * sizeof *x);
    struct { const double *x; double *r; long long n; } block = {at, at + n, n};
    size_t bytes = sizeof block;
    void *list[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    DO(cuLaunchKernel, function, (unsigned)(n / 64 + 1), 1u, 1u, 64u, 1u, 1u, 0u, (CUstream)NULL, (void **)NULL, list);
    DO(cuStreamSynchronize, (CUstream)NULL);
    memcpy(r, at + n, (size_t)results * sizeof *r);
  }
  if (memory) CALL(cuMemFree_v2, memory);
  if (module) CALL(cuModuleUnload, module);
  return (int)result;
}
*/
import "C"

import "fmt"

// openDevices opens the driver. Why it has no device, or "".
func openDevices() (why string) {
	var text [1024]C.char
	if C.portable__opencl_open(&text[0], C.size_t(len(text))) > 0 {
		return ""
	}
	return C.GoString(&text[0])
}

// runEntry runs an entry of an image for all x.
func runEntry(image []byte, entry string, x []float64, results int) ([]float64, error) {
	r := make([]float64, results)
	var call *C.char
	text, name := C.CBytes(image), C.CBytes(append([]byte(entry), 0))
	defer C.free(text)
	defer C.free(name)
	if code := C.run_entry(text, (*C.char)(name), (*C.double)(&x[0]), (*C.double)(&r[0]), C.longlong(len(x)), C.longlong(results), &call); code != 0 {
		return nil, fmt.Errorf("%s gives %d", C.GoString(call), int(code))
	}
	return r, nil
}
