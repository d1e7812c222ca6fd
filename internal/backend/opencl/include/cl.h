/* cl.h - the part of Khronos' OpenCL interface (3.0, and Intel's unified shared memory) that this
 * room uses, so that building needs no headers of OpenCL. Types, values, and one line per function:
 * X(result, name, (arguments)). Not in this file: any code. The functions are bound by opencl.c. */
#ifndef PORTABLE__CL_H
#define PORTABLE__CL_H

#include <stddef.h>
#include <stdint.h>

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef int32_t cl_int;
typedef uint32_t cl_uint, cl_bool;
typedef uint64_t cl_ulong, cl_bitfield;
typedef intptr_t cl_properties;

enum {
  CL_SUCCESS = 0,
  CL_DEVICE_NOT_FOUND = -1,
  CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
  CL_OUT_OF_RESOURCES = -5,
  CL_OUT_OF_HOST_MEMORY = -6,
  CL_BUILD_PROGRAM_FAILURE = -11,
  CL_INVALID_VALUE = -30,
  CL_INVALID_BINARY = -42,
  CL_INVALID_KERNEL_NAME = -46,
  CL_INVALID_WORK_GROUP_SIZE = -54,
  CL_INVALID_WORK_ITEM_SIZE = -55,
  CL_PLATFORM_NOT_FOUND_KHR = -1001,

  CL_PLATFORM_VERSION = 0x0901,
  CL_PLATFORM_NAME = 0x0902,

  CL_DEVICE_TYPE = 0x1000,
  CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
  CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
  CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005,
  CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100C,
  CL_DEVICE_ADDRESS_BITS = 0x100D,
  CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E,
  CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
  CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
  CL_DEVICE_ERROR_CORRECTION_SUPPORT = 0x1024,
  CL_DEVICE_NAME = 0x102B,
  CL_DRIVER_VERSION = 0x102D,
  CL_DEVICE_VERSION = 0x102F,
  CL_DEVICE_EXTENSIONS = 0x1030,
  CL_DEVICE_PLATFORM = 0x1031,
  CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
  CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
  CL_DEVICE_SVM_CAPABILITIES = 0x1053,
  CL_DEVICE_IL_VERSION = 0x105B,
  CL_DEVICE_UUID_KHR = 0x106A,

  CL_CONTEXT_PLATFORM = 0x1084,
  CL_PROGRAM_BUILD_LOG = 0x1183,
  CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
  CL_KERNEL_LOCAL_MEM_SIZE = 0x11B2,
  CL_KERNEL_PRIVATE_MEM_SIZE = 0x11B4,
  CL_KERNEL_EXEC_INFO_SVM_PTRS = 0x11B6,
  CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
  CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL = 0x4200,
  CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL = 0x4201,
  CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL = 0x4202,
};
#define CL_DEVICE_TYPE_CPU 2u
#define CL_DEVICE_TYPE_GPU 4u
#define CL_DEVICE_TYPE_ACCELERATOR 8u
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFFu
#define CL_DEVICE_SVM_FINE_GRAIN_BUFFER 2u
#define CL_DEVICE_SVM_FINE_GRAIN_SYSTEM 4u
#define CL_MEM_READ_WRITE 1u
#define CL_MEM_SVM_FINE_GRAIN_BUFFER (1u << 10)
#define CL_MEM_SVM_ATOMICS (1u << 11)
#define CL_DEVICE_SVM_ATOMICS 8u

/* Functions that each driver of OpenCL 2.0 has. */
#define PORTABLE__CL_FUNCTIONS                                                                                              \
  X(cl_int, clGetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *))                                                       \
  X(cl_int, clGetPlatformInfo, (cl_platform_id, cl_uint, size_t, void *, size_t *))                                         \
  X(cl_int, clGetDeviceIDs, (cl_platform_id, cl_bitfield, cl_uint, cl_device_id *, cl_uint *))                              \
  X(cl_int, clGetDeviceInfo, (cl_device_id, cl_uint, size_t, void *, size_t *))                                             \
  X(cl_context, clCreateContext,                                                                                            \
    (const cl_properties *, cl_uint, const cl_device_id *, void (*)(const char *, const void *, size_t, void *), void *, cl_int *)) \
  X(cl_int, clReleaseContext, (cl_context))                                                                                 \
  X(cl_command_queue, clCreateCommandQueueWithProperties, (cl_context, cl_device_id, const cl_ulong *, cl_int *))           \
  X(cl_int, clReleaseCommandQueue, (cl_command_queue))                                                                      \
  X(void *, clSVMAlloc, (cl_context, cl_bitfield, size_t, cl_uint))                                                         \
  X(void, clSVMFree, (cl_context, void *))                                                                                  \
  X(cl_int, clEnqueueSVMMemcpy, (cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint, const cl_event *, cl_event *)) \
  X(cl_int, clEnqueueSVMMemFill, (cl_command_queue, void *, const void *, size_t, size_t, cl_uint, const cl_event *, cl_event *)) \
  X(cl_program, clCreateProgramWithBinary,                                                                                  \
    (cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **, cl_int *, cl_int *))                \
  X(cl_int, clBuildProgram, (cl_program, cl_uint, const cl_device_id *, const char *, void (*)(cl_program, void *), void *)) \
  X(cl_int, clGetProgramBuildInfo, (cl_program, cl_device_id, cl_uint, size_t, void *, size_t *))                           \
  X(cl_int, clReleaseProgram, (cl_program))                                                                                 \
  X(cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *))                                                        \
  X(cl_int, clReleaseKernel, (cl_kernel))                                                                                   \
  X(cl_int, clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *))                                                     \
  X(cl_int, clSetKernelArgSVMPointer, (cl_kernel, cl_uint, const void *))                                                   \
  X(cl_int, clSetKernelExecInfo, (cl_kernel, cl_uint, size_t, const void *))                                                \
  X(cl_int, clGetKernelWorkGroupInfo, (cl_kernel, cl_device_id, cl_uint, size_t, void *, size_t *))                         \
  X(cl_int, clEnqueueNDRangeKernel,                                                                                         \
    (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *)) \
  X(cl_int, clEnqueueMarkerWithWaitList, (cl_command_queue, cl_uint, const cl_event *, cl_event *))                         \
  X(cl_int, clEnqueueBarrierWithWaitList, (cl_command_queue, cl_uint, const cl_event *, cl_event *))                        \
  X(cl_int, clWaitForEvents, (cl_uint, const cl_event *))                                                                   \
  X(cl_int, clGetEventInfo, (cl_event, cl_uint, size_t, void *, size_t *))                                                  \
  X(cl_int, clRetainEvent, (cl_event))                                                                                      \
  X(cl_int, clReleaseEvent, (cl_event))                                                                                     \
  X(cl_int, clFlush, (cl_command_queue))                                                                                    \
  X(cl_int, clFinish, (cl_command_queue))

/* Functions that a driver may lack: programs in SPIR-V, and Intel's unified shared memory. */
#define PORTABLE__CL_MORE                                                                                                   \
  X(cl_program, clCreateProgramWithIL, (cl_context, const void *, size_t, cl_int *))                                        \
  X(void *, clGetExtensionFunctionAddressForPlatform, (cl_platform_id, const char *))

#define PORTABLE__CL_USM                                                                                                    \
  X(void *, clHostMemAllocINTEL, (cl_context, const cl_bitfield *, size_t, cl_uint, cl_int *))                              \
  X(void *, clDeviceMemAllocINTEL, (cl_context, cl_device_id, const cl_bitfield *, size_t, cl_uint, cl_int *))              \
  X(void *, clSharedMemAllocINTEL, (cl_context, cl_device_id, const cl_bitfield *, size_t, cl_uint, cl_int *))              \
  X(cl_int, clMemBlockingFreeINTEL, (cl_context, void *))                                                                   \
  X(cl_int, clSetKernelArgMemPointerINTEL, (cl_kernel, cl_uint, const void *))                                              \
  X(cl_int, clEnqueueMemcpyINTEL, (cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint, const cl_event *, cl_event *)) \
  X(cl_int, clEnqueueMemFillINTEL, (cl_command_queue, void *, const void *, size_t, size_t, cl_uint, const cl_event *, cl_event *))

#endif
