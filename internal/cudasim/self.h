/* self.h - the functions of both libraries that self.c calls, with the names that the libraries export. */
#ifndef FAKE_SELF_H
#define FAKE_SELF_H
#include "driver.h"

CUresult cuInit(unsigned), cuDeviceGetCount(int *), cuDeviceGet(CUdevice *, int), cuDevicePrimaryCtxRetain(void **, CUdevice);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice), cuCtxSetCurrent(void *), cuCtxSynchronize(void);
CUresult cuModuleLoadData(void **, const void *), cuModuleUnload(void *), cuModuleGetFunction(void **, void *, const char *);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, void *, const char *);
CUresult cuMemAlloc_v2(CUdeviceptr *, size_t), cuMemAllocManaged(CUdeviceptr *, size_t, unsigned), cuMemFree_v2(CUdeviceptr);
CUresult cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t), cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t), cuMemcpy2D_v2(const CUDA_MEMCPY2D *);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr, const void *, size_t, void *), cuMemcpyDtoHAsync_v2(void *, CUdeviceptr, size_t, void *);
CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, void *), cuMemsetD8_v2(CUdeviceptr, unsigned char, size_t);
CUresult cuStreamCreate(void **, unsigned), cuStreamDestroy_v2(void *), cuStreamSynchronize(void *), cuStreamWaitEvent(void *, void *, unsigned);
CUresult cuEventCreate(void **, unsigned), cuEventDestroy_v2(void *), cuEventRecord(void *, void *), cuEventQuery(void *);
CUresult cuStreamBeginCapture_v2(void *, int), cuStreamEndCapture(void *, void **), cuStreamIsCapturing(void *, int *);
CUresult cuStreamGetCaptureInfo_v2(void *, int *, uint64_t *, void **, void *const **, size_t *);
CUresult cuGraphInstantiate_v2(void **, void *, void **, char *, size_t), cuGraphLaunch(void *, void *), cuGraphDestroy(void *), cuGraphExecDestroy(void *);
CUresult cuGraphExecKernelNodeSetParams(void *, void *, const struct kernel_node_params *);
CUresult cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);

int nvrtcCreateProgram(void **, const char *, const char *, int, const char *const *, const char *const *), nvrtcDestroyProgram(void **);
int nvrtcAddNameExpression(void *, const char *), nvrtcGetLoweredName(void *, const char *, const char **);
int nvrtcCompileProgram(void *, int, const char *const *), nvrtcGetProgramLog(void *, char *), nvrtcGetPTXSize(void *, size_t *), nvrtcGetPTX(void *, char *);

#endif
