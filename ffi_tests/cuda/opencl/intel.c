/* intel.c - a library of OpenCL whose devices are like those of Intel's driver: no shared virtual memory, Intel's unified shared memory in its place, and
 * programs in SPIR-V only. It stands on PoCL's driver, which has neither: memory is that driver's, and a program is translated back to LLVM's bitcode by
 * llvm-spirv, and linked with back.cl by clang; INTEL_TRANSLATOR, INTEL_CLANG and INTEL_BACK are the paths of these. A program that spirv-val
 * (INTEL_VALIDATOR) does not find valid is refused, and so is a call that Intel's driver refuses: functions of shared virtual memory, programs in bitcode,
 * and the launch of a kernel that may not follow addresses in its arguments. All else is the real library's, which this one needs: a look-up of a name in it
 * goes on there. Not in this file: drivers that lack something (lacking.c), memory of a device that the host cannot touch. Threads: safe. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "include/cl.h"

enum { CL_INVALID_OPERATION = -59, KERNELS = 4096, ALL_KINDS = 7 /* of memory that a kernel may reach by addresses in its arguments */ };
extern char **environ;

/* All functions of this file's table are exported. */
#define X(result, name, arguments) result name arguments;
PORTABLE__CL_FUNCTIONS
PORTABLE__CL_MORE
PORTABLE__CL_USM
#undef X
#define CL_CONTEXT_DEVICES 0x1081
cl_int clGetContextInfo(cl_context, cl_uint, size_t, void *, size_t *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  cl_kernel kernel;
  int kinds;
} told[KERNELS];

/* The real library's function of that name. */
static void real(const char *name, void *to) {
  static void *_Atomic library;
  if (!library) library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
  void *symbol = library ? dlsym(library, name) : NULL;
  if (!symbol) abort();
  memcpy(to, &symbol, sizeof symbol);
}
#define REAL(name) __typeof__(&name) of_driver; real(#name, &of_driver)

/* ---- what the device says of itself ---- */

cl_int clGetDeviceInfo(cl_device_id device, cl_uint what, size_t room, void *to, size_t *bytes_out) {
  static const char more[] = " cl_intel_unified_shared_memory", il[] = "SPIR-V_1.2";
  REAL(clGetDeviceInfo);
  const cl_int code = of_driver(device, what, room, to, bytes_out);
  if (code != CL_SUCCESS || !to) return code;
  if (what == CL_DEVICE_SVM_CAPABILITIES) memset(to, 0, room);
  if (what == CL_DEVICE_IL_VERSION && room >= sizeof il) memcpy(to, il, sizeof il);
  if (what == CL_DEVICE_EXTENSIONS) {
    for (char *at = to; (at = strstr(at, "cl_khr_spir")); at++) at[0] = 'x';
    if (strlen(to) + sizeof more > room) abort();
    strcat(to, more);
  }
  return CL_SUCCESS;
}

/* ---- memory ---- */

static void *take(cl_context context, size_t bytes, cl_uint alignment, cl_int *code) {
  REAL(clSVMAlloc);
  void *memory = of_driver(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, alignment);
  *code = memory ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  return memory;
}

void *clHostMemAllocINTEL(cl_context context, const cl_bitfield *properties, size_t bytes, cl_uint alignment, cl_int *code) {
  (void)properties;
  return take(context, bytes, alignment, code);
}

void *clDeviceMemAllocINTEL(cl_context context, cl_device_id device, const cl_bitfield *properties, size_t bytes, cl_uint alignment, cl_int *code) {
  (void)device, (void)properties;
  return take(context, bytes, alignment, code);
}

void *clSharedMemAllocINTEL(cl_context context, cl_device_id device, const cl_bitfield *properties, size_t bytes, cl_uint alignment, cl_int *code) {
  (void)device, (void)properties;
  return take(context, bytes, alignment, code);
}

cl_int clMemBlockingFreeINTEL(cl_context context, void *memory) {
  REAL(clSVMFree);
  of_driver(context, memory);
  return CL_SUCCESS;
}

cl_int clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocks, void *to, const void *from, size_t bytes, cl_uint n, const cl_event *waits, cl_event *event) {
  REAL(clEnqueueSVMMemcpy);
  return of_driver(queue, blocks, to, from, bytes, n, waits, event);
}

cl_int clEnqueueMemFillINTEL(cl_command_queue queue, void *to, const void *value, size_t value_bytes, size_t bytes, cl_uint n, const cl_event *waits, cl_event *event) {
  REAL(clEnqueueSVMMemFill);
  return of_driver(queue, to, value, value_bytes, bytes, n, waits, event);
}

cl_int clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index, const void *memory) {
  REAL(clSetKernelArgSVMPointer);
  return of_driver(kernel, index, memory);
}

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
#define X(result, function, arguments)            \
  if (strcmp(name, #function) == 0) {             \
    void *symbol;                                 \
    __typeof__(&function) own = function;         \
    memcpy(&symbol, &own, sizeof symbol);         \
    return symbol;                                \
  }
  PORTABLE__CL_USM
#undef X
  REAL(clGetExtensionFunctionAddressForPlatform);
  return of_driver(platform, name);
}

/* ---- shared virtual memory, which is not there ---- */

void *clSVMAlloc(cl_context context, cl_bitfield flags, size_t bytes, cl_uint alignment) {
  (void)context, (void)flags, (void)bytes, (void)alignment;
  return NULL;
}

void clSVMFree(cl_context context, void *memory) { (void)context, (void)memory; }

cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocks, void *to, const void *from, size_t bytes, cl_uint n, const cl_event *waits, cl_event *event) {
  (void)queue, (void)blocks, (void)to, (void)from, (void)bytes, (void)n, (void)waits, (void)event;
  return CL_INVALID_OPERATION;
}

cl_int clEnqueueSVMMemFill(cl_command_queue queue, void *to, const void *value, size_t value_bytes, size_t bytes, cl_uint n, const cl_event *waits, cl_event *event) {
  (void)queue, (void)to, (void)value, (void)value_bytes, (void)bytes, (void)n, (void)waits, (void)event;
  return CL_INVALID_OPERATION;
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *memory) {
  (void)kernel, (void)index, (void)memory;
  return CL_INVALID_OPERATION;
}

/* ---- programs and launches ---- */

static unsigned char *read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  unsigned char *text = NULL;
  *bytes = 0;
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *bytes = (size_t)ftell(file);
  rewind(file);
  text = malloc(*bytes + 1);
  if (text && fread(text, 1, *bytes, file) != *bytes) *bytes = 0;
  fclose(file);
  return text;
}

/* 0: the program has ended with 0. */
static int run(char *const *arguments) {
  pid_t child;
  int status = 1;
  if (!arguments[0] || posix_spawn(&child, arguments[0], NULL, NULL, arguments, environ) != 0) return 1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 1;
  return status;
}

/* Turns SPIR-V into bitcode with all that it calls; 0: done. */
static int translate(char *from, char *between, char *to) {
  char *const validator = getenv("INTEL_VALIDATOR"), *const valid[] = {validator, (char *)"--target-env", (char *)"spv1.2", from, NULL};
  char *const back[] = {getenv("INTEL_TRANSLATOR"), (char *)"-r", (char *)"-o", between, from, NULL};
  char *const link[] = {getenv("INTEL_CLANG"), (char *)"-cc1", (char *)"-triple", (char *)"spir64-unknown-unknown", (char *)"-emit-llvm-bc",
                        (char *)"-disable-llvm-passes", (char *)"-cl-std=CL2.0", (char *)"-mlink-bitcode-file", between, (char *)"-o", to, getenv("INTEL_BACK"), NULL};
  return !getenv("INTEL_BACK") || (validator && run(valid)) || run(back) || run(link);
}

cl_program clCreateProgramWithIL(cl_context context, const void *text, size_t bytes, cl_int *code) {
  char folder[] = "/tmp/portable-intel-XXXXXX", from[64], between[64], to[64];
  cl_program program = NULL;
  cl_device_id device;
  cl_int status;
  *code = CL_INVALID_BINARY;
  if (!mkdtemp(folder)) return NULL;
  snprintf(from, sizeof from, "%s/il.spv", folder);
  snprintf(between, sizeof between, "%s/between.bc", folder);
  snprintf(to, sizeof to, "%s/il.bc", folder);
  FILE *file = fopen(from, "wb");
  const int written = file && fwrite(text, 1, bytes, file) == bytes;
  if (file) fclose(file);
  if (written && translate(from, between, to) == 0) {
    size_t length;
    unsigned char *const bitcode = read_file(to, &length);
    const unsigned char *const one = bitcode;
    REAL(clCreateProgramWithBinary);
    if (bitcode && clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL) == CL_SUCCESS)
      program = of_driver(context, 1, &device, &length, (const unsigned char **)&one, &status, code);
    free(bitcode);
  }
  unlink(from), unlink(between), unlink(to), rmdir(folder);
  return program;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint n, const cl_device_id *devices, const size_t *bytes, const unsigned char **texts, cl_int *status,
                                     cl_int *code) {
  (void)context, (void)n, (void)devices, (void)bytes, (void)texts, (void)status;
  *code = CL_INVALID_BINARY;
  return NULL;
}

cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices, const char *options, void (*done)(cl_program, void *), void *context) {
  REAL(clBuildProgram);
  if (options && options[0]) return CL_INVALID_OPERATION; /* those of bitcode */
  return of_driver(program, n, devices, "-x spir -spir-std=1.2", done, context);
}

cl_int clSetKernelExecInfo(cl_kernel kernel, cl_uint what, size_t bytes, const void *value) {
  const cl_uint kind = what - CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL;
  if (kind > 2 || bytes != sizeof(cl_bool)) return CL_INVALID_OPERATION;
  const int bit = 1 << kind;
  size_t i = 0;
  pthread_mutex_lock(&lock);
  while (i < KERNELS && told[i].kernel && told[i].kernel != kernel) i++;
  if (i == KERNELS) abort(); /* a test has too many kernels */
  told[i].kernel = kernel;
  told[i].kinds = *(const cl_bool *)value ? told[i].kinds | bit : told[i].kinds & ~bit;
  pthread_mutex_unlock(&lock);
  return CL_SUCCESS;
}

cl_int clReleaseKernel(cl_kernel kernel) {
  REAL(clReleaseKernel);
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < KERNELS && told[i].kernel; i++)
    if (told[i].kernel == kernel) told[i].kinds = 0; /* another kernel may get its address */
  pthread_mutex_unlock(&lock);
  return of_driver(kernel);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *from, const size_t *all, const size_t *group, cl_uint n,
                              const cl_event *waits, cl_event *event) {
  REAL(clEnqueueNDRangeKernel);
  int kinds = 0;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < KERNELS && told[i].kernel; i++)
    if (told[i].kernel == kernel) kinds = told[i].kinds;
  pthread_mutex_unlock(&lock);
  if (kinds != ALL_KINDS) return CL_INVALID_OPERATION;
  return of_driver(queue, kernel, dimensions, from, all, group, n, waits, event);
}
