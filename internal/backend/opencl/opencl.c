/* opencl.c - opens OpenCL, finds devices that the engine can use, and answers the driver's
 * questions of devices and contexts. Main function: portable__opencl_open. In C because the engine
 * calls the driver's functions from C. Lock: `lock` guards opening and making contexts. */
#define _GNU_SOURCE
#include "opencl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../edge/environment.h"
#include "../../edge/file.h"
#include "room.h"

#define LIBRARY "libOpenCL.so.1"
#define PLATFORMS 16

struct portable__cl portable__cl;
static struct CUctx_st devices[PORTABLE__OPENCL_MOST];
static _Atomic int32_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct CUctx_st *current __attribute__((tls_model("initial-exec")));
static __thread struct {
  CUresult code;
  cl_int cl;
} failure __attribute__((tls_model("initial-exec")));

int32_t portable__cl_devices(void) { return atomic_load_explicit(&count, memory_order_acquire); }
struct CUctx_st *portable__cl_device(int32_t ordinal) { return ordinal >= 0 && ordinal < portable__cl_devices() ? &devices[ordinal] : NULL; }
struct CUctx_st *portable__cl_current(void) { return current; }

/* ---- errors ---- */

CUresult portable__cl_failed(cl_int code) {
  CUresult result = CUDA_ERROR_INVALID_VALUE;
  switch (code) {
  case CL_SUCCESS: return CUDA_SUCCESS;
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
  case CL_OUT_OF_HOST_MEMORY: result = CUDA_ERROR_OUT_OF_MEMORY; break;
  case CL_OUT_OF_RESOURCES:
  case CL_INVALID_WORK_GROUP_SIZE:
  case CL_INVALID_WORK_ITEM_SIZE: result = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES; break;
  case CL_BUILD_PROGRAM_FAILURE:
  case CL_INVALID_BINARY: result = CUDA_ERROR_INVALID_IMAGE; break;
  case CL_INVALID_KERNEL_NAME: result = CUDA_ERROR_NOT_FOUND; break;
  }
  failure.code = result;
  failure.cl = code;
  return result;
}

static CUresult error_name(CUresult code, const char **to) {
  static const struct {
    cl_int code;
    const char *name;
  } names[] = {{CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"}, {-3, "CL_COMPILER_NOT_AVAILABLE"}, {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
               {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"}, {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"}, {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
               {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"}, {CL_INVALID_VALUE, "CL_INVALID_VALUE"}, {-33, "CL_INVALID_DEVICE"}, {-34, "CL_INVALID_CONTEXT"},
               {-36, "CL_INVALID_COMMAND_QUEUE"}, {CL_INVALID_BINARY, "CL_INVALID_BINARY"}, {-43, "CL_INVALID_BUILD_OPTIONS"}, {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
               {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"}, {-48, "CL_INVALID_KERNEL"}, {-49, "CL_INVALID_ARG_INDEX"}, {-50, "CL_INVALID_ARG_VALUE"},
               {-51, "CL_INVALID_ARG_SIZE"}, {-52, "CL_INVALID_KERNEL_ARGS"}, {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
               {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"}, {-58, "CL_INVALID_EVENT"}, {-59, "CL_INVALID_OPERATION"}, {-61, "CL_INVALID_BUFFER_SIZE"}};
  static __thread char other[32];
  if (code == CUDA_SUCCESS || failure.code != code) {
    *to = code == CUDA_ERROR_NOT_SUPPORTED ? "not supported by OpenCL" : code == CUDA_ERROR_NOT_FOUND ? "not found" : "OpenCL's driver";
    return CUDA_SUCCESS;
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].code == failure.cl) return *to = names[i].name, CUDA_SUCCESS;
  snprintf(other, sizeof other, "OpenCL error %d", (int)failure.cl);
  *to = other;
  return CUDA_SUCCESS;
}

static CUresult error_text(CUresult code, const char **to) {
  switch (code) {
  case CUDA_ERROR_OUT_OF_MEMORY: *to = "the device or the driver has no memory for it"; break;
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: *to = "the device has no resources for it: fewer threads in a block, or less shared memory, may fit"; break;
  case CUDA_ERROR_INVALID_IMAGE: *to = "the driver does not load this program"; break;
  case CUDA_ERROR_NOT_SUPPORTED: *to = "devices of OpenCL do not have it"; break;
  case CUDA_ERROR_NOT_FOUND: *to = "there is none of that name, or OpenCL has no such call"; break;
  case CUDA_ERROR_LAUNCH_FAILED: *to = "a kernel or a copy on the device failed"; break;
  default: *to = "the driver refused the call"; break;
  }
  return CUDA_SUCCESS;
}

/* ---- the library, and its devices ---- */

static int bind(void *library, char *why, size_t room, const char *path) {
#define X(result, name, arguments)                                       \
  {                                                                      \
    void *symbol = dlsym(library, #name);                                \
    memcpy(&portable__cl.name, &symbol, sizeof symbol);                  \
    if (!symbol) missing = missing ? missing : #name;                    \
  }
  const char *missing = NULL;
  PORTABLE__CL_FUNCTIONS
  if (missing) {
    snprintf(why, room, "%s is no library of OpenCL 2.0 or newer (it has no %s)", path, missing);
    return 0;
  }
  PORTABLE__CL_MORE
#undef X
  return 1;
}

static int open_library(char *why, size_t room) {
  static void *library;
  const char *named = portable__getenv("PORTABLE_OPENCL_LIBRARY"), *path = named && named[0] ? named : LIBRARY;
  const int wrong = named && named[0] ? portable__check_library(path) : 0;
  if (library) return 1;
  if (wrong) {
    snprintf(why, room, "PORTABLE_OPENCL_LIBRARY=%.200s: %s", path, portable__file_reason(wrong));
    return 0;
  }
  void *found = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!found) {
    const char *text = dlerror();
    snprintf(why, room, "%s", text ? text : "the library of OpenCL cannot be opened");
    return 0;
  }
  if (!bind(found, why, room, path)) {
    dlclose(found);
    return 0;
  }
  library = found;
  return 1;
}

static void ask(cl_device_id id, cl_uint what, void *to, size_t bytes) {
  if (portable__cl.clGetDeviceInfo(id, what, bytes, to, NULL) != CL_SUCCESS) memset(to, 0, bytes);
}

/* 1: the list of extensions has that name. */
static int has(const char *all, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = all; (at = strstr(at, name)); at += n)
    if ((at == all || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return 1;
  return 0;
}

/* All of Intel's functions, or none. */
static int bind_usm(struct CUctx_st *d) {
  if (!portable__cl.clGetExtensionFunctionAddressForPlatform) return 0;
#define X(result, name, arguments)                                                                        \
  {                                                                                                       \
    void *symbol = portable__cl.clGetExtensionFunctionAddressForPlatform(d->platform, #name);             \
    if (!symbol) return 0;                                                                                \
    memcpy(&d->usm.name, &symbol, sizeof symbol);                                                         \
  }
  PORTABLE__CL_USM
#undef X
  return 1;
}

/* The facts of a device. Returns what it lacks; NULL: nothing. */
static const char *describe(cl_platform_id platform, cl_device_id id, struct CUctx_st *d) {
  static char extensions[16384]; /* lock is held */
  char version[128] = "", name[64] = "", il[128] = "";
  cl_uint bits = 0;
  cl_bitfield fp64 = 0;
  memset(d, 0, sizeof *d);
  d->platform = platform;
  d->id = id;
  ask(id, CL_DEVICE_NAME, d->name, sizeof d->name - 1);
  ask(id, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions - 1);
  ask(id, CL_DEVICE_ADDRESS_BITS, &bits, sizeof bits);
  ask(id, CL_DEVICE_DOUBLE_FP_CONFIG, &fp64, sizeof fp64);
  ask(id, CL_DEVICE_SVM_CAPABILITIES, &d->svm, sizeof d->svm);
  ask(id, CL_DEVICE_GLOBAL_MEM_SIZE, &d->memory, sizeof d->memory);
  ask(id, CL_DEVICE_LOCAL_MEM_SIZE, &d->local, sizeof d->local);
  ask(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, &d->cache, sizeof d->cache);
  ask(id, CL_DEVICE_MAX_COMPUTE_UNITS, &d->units, sizeof d->units);
  ask(id, CL_DEVICE_MAX_CLOCK_FREQUENCY, &d->clock, sizeof d->clock);
  cl_bitfield type = 0;
  ask(id, CL_DEVICE_TYPE, &type, sizeof type);
  d->type = (cl_uint)type;
  ask(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, &d->group, sizeof d->group);
  ask(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, d->items, sizeof d->items);
  ask(id, CL_DEVICE_ERROR_CORRECTION_SUPPORT, &d->ecc, sizeof d->ecc);
  ask(id, CL_DEVICE_IL_VERSION, il, sizeof il - 1);
  portable__cl.clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version - 1, version, NULL);
  portable__cl.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
  const char *llvm = strstr(version, "LLVM ");
  d->form.llvm = llvm ? (int32_t)strtol(llvm + 5, NULL, 10) : 0;
  d->form.spir = has(extensions, "cl_khr_spir");
  d->form.il = portable__cl.clCreateProgramWithIL && strstr(il, "SPIR-V");
  snprintf(d->form.driver, sizeof d->form.driver, "%.60s %.60s", name, version);
  d->unified = has(extensions, "cl_intel_unified_shared_memory") && bind_usm(d);
  if (bits != 64) return "addresses of 64 bits";
  if (!fp64) return "double precision (cl_khr_fp64)";
  if (!has(extensions, "cl_khr_int64_base_atomics") || !has(extensions, "cl_khr_int64_extended_atomics")) return "atomic operations of 64 bits (cl_khr_int64_base_atomics)";
  if (!d->unified && !(d->svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
    return "memory that the host and kernels see under one address (fine-grained shared virtual memory, or cl_intel_unified_shared_memory)";
  if (!d->form.spir && !d->form.il) return "a compiler for programs in LLVM's bitcode (cl_khr_spir) or in SPIR-V";
  return NULL;
}

/* The devices of one type on all platforms. */
static void look(const cl_platform_id *platforms, cl_uint n, cl_bitfield type, int32_t *found, char *why, size_t room) {
  for (cl_uint p = 0; p < n && *found < PORTABLE__OPENCL_MOST; p++) {
    cl_device_id ids[PORTABLE__OPENCL_MOST];
    cl_uint all = 0;
    if (portable__cl.clGetDeviceIDs(platforms[p], type, PORTABLE__OPENCL_MOST, ids, &all) != CL_SUCCESS) continue;
    for (cl_uint i = 0; i < all && i < PORTABLE__OPENCL_MOST && *found < PORTABLE__OPENCL_MOST; i++) {
      struct CUctx_st *d = &devices[*found];
      const char *lacks = describe(platforms[p], ids[i], d);
      if (lacks) {
        const size_t at = strlen(why);
        if (at + 1 < room) snprintf(why + at, room - at, "%s%s lacks %s", at ? "; " : "", d->name[0] ? d->name : "a device", lacks);
        continue;
      }
      pthread_mutex_init(&d->standard.lock, NULL);
      d->ordinal = (*found)++;
    }
  }
}

int32_t portable__opencl_open(char *why, size_t room) {
  cl_platform_id platforms[PLATFORMS];
  cl_uint n = 0;
  int32_t found = 0;
  why[0] = '\0';
  pthread_mutex_lock(&lock);
  if (portable__cl_devices() == 0 && open_library(why, room)) {
    const cl_int code = portable__cl.clGetPlatformIDs(PLATFORMS, platforms, &n);
    if (n > PLATFORMS) n = PLATFORMS;
    if (code != CL_SUCCESS || n == 0) {
      n = 0;
      snprintf(why, room, "OpenCL finds no driver: none is installed, or /etc/OpenCL/vendors does not list it");
    }
    look(platforms, n, CL_DEVICE_TYPE_GPU, &found, why, room);
    look(platforms, n, CL_DEVICE_TYPE_ACCELERATOR, &found, why, room);
    look(platforms, n, CL_DEVICE_TYPE_CPU, &found, why, room);
    if (found == 0 && !why[0]) snprintf(why, room, "OpenCL's drivers have no device");
    atomic_store_explicit(&count, found, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return portable__cl_devices();
}

int portable__opencl_form(int32_t ordinal, struct portable__opencl_form *to) {
  const struct CUctx_st *d = portable__cl_device(ordinal);
  if (d) *to = d->form;
  return d != NULL;
}

/* ---- the driver's functions of devices and contexts ---- */

static CUresult init(unsigned int flags) {
  (void)flags;
  return portable__cl_devices() > 0 ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

static CUresult driver_version(int *to) {
  *to = 12000; /* the engine asks for 11.0 */
  return CUDA_SUCCESS;
}

static CUresult device_count(int *to) {
  *to = portable__cl_devices();
  return CUDA_SUCCESS;
}

static CUresult device_get(CUdevice *to, int ordinal) {
  *to = ordinal;
  return portable__cl_device(ordinal) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult device_name(char *to, int room, CUdevice device) {
  const struct CUctx_st *d = portable__cl_device(device);
  if (!d || room < 1) return CUDA_ERROR_INVALID_DEVICE;
  snprintf(to, (size_t)room, "%s", d->name);
  return CUDA_SUCCESS;
}

static CUresult device_memory(size_t *to, CUdevice device) {
  const struct CUctx_st *d = portable__cl_device(device);
  *to = d ? d->memory : 0;
  return d ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult device_uuid(CUuuid *to, CUdevice device) {
  const struct CUctx_st *d = portable__cl_device(device);
  if (!d) return CUDA_ERROR_INVALID_DEVICE;
  return portable__cl_failed(portable__cl.clGetDeviceInfo(d->id, CL_DEVICE_UUID_KHR, sizeof to->bytes, to->bytes, NULL));
}

static int least(cl_ulong a, cl_ulong b) { return (int)(a < b ? a : b); }

static CUresult device_attribute(int *to, CUdevice_attribute what, CUdevice device) {
  const struct CUctx_st *d = portable__cl_device(device);
  if (!d) return CUDA_ERROR_INVALID_DEVICE;
  const int threads = least(d->group, 1024), local = least(d->local, 232448);
  switch (what) {
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *to = least(d->units, INT32_MAX); break;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *to = 32; break; /* of the prelude, by memory that threads share */
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *to = threads; break;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *to = threads; break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: *to = local; break;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: *to = least(d->items[0], 1024); break;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: *to = least(d->items[1], 1024); break;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: *to = least(d->items[2], 64); break;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: *to = INT32_MAX / 1024; break;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: *to = 65535; break;
  case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
  case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
  case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: *to = 1; break;
  case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS: *to = (d->svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0; break;
  case CU_DEVICE_ATTRIBUTE_INTEGRATED: *to = d->type == CL_DEVICE_TYPE_CPU; break;
  case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *to = least(d->cache, INT32_MAX); break;
  case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *to = least((cl_ulong)d->clock * 1000, INT32_MAX); break;
  case CU_DEVICE_ATTRIBUTE_ECC_ENABLED: *to = d->ecc != 0; break;
  default: *to = 0; break; /* OpenCL does not say */
  }
  return CUDA_SUCCESS;
}

static CUresult retain(CUcontext *to, CUdevice device) {
  struct CUctx_st *d = portable__cl_device(device);
  CUresult result = CUDA_SUCCESS;
  *to = d;
  if (!d) return CUDA_ERROR_INVALID_DEVICE;
  pthread_mutex_lock(&lock);
  if (!d->context) {
    const cl_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_properties)d->platform, 0};
    cl_int code = CL_SUCCESS;
    d->context = portable__cl.clCreateContext(properties, 1, &d->id, NULL, NULL, &code);
    result = portable__cl_failed(code);
    if (result == CUDA_SUCCESS && (result = portable__cl_stream_start(&d->standard, d)) != CUDA_SUCCESS) {
      portable__cl.clReleaseContext(d->context);
      d->context = NULL;
    }
  }
  pthread_mutex_unlock(&lock);
  return result;
}

/* The context stays: a driver that starts again in one process is rarely tested. Its memory, programs and streams were ended before. */
static CUresult release(CUdevice device) { return portable__cl_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE; }

static CUresult get_current(CUcontext *to) {
  *to = current;
  return CUDA_SUCCESS;
}

static CUresult set_current(CUcontext to) {
  current = to;
  return CUDA_SUCCESS;
}

const struct portable__cl_name portable__cl_device_names[] = {
    {"cuInit", (void *)init},
    {"cuDriverGetVersion", (void *)driver_version},
    {"cuDeviceGetCount", (void *)device_count},
    {"cuDeviceGet", (void *)device_get},
    {"cuDeviceGetName", (void *)device_name},
    {"cuDeviceTotalMem_v2", (void *)device_memory},
    {"cuDeviceGetUuid", (void *)device_uuid},
    {"cuDeviceGetAttribute", (void *)device_attribute},
    {"cuDevicePrimaryCtxRetain", (void *)retain},
    {"cuDevicePrimaryCtxRelease_v2", (void *)release},
    {"cuCtxGetCurrent", (void *)get_current},
    {"cuCtxSetCurrent", (void *)set_current},
    {"cuGetErrorName", (void *)error_name},
    {"cuGetErrorString", (void *)error_text},
    {NULL, NULL},
};

void *portable__opencl_function(const char *name) {
  static const struct portable__cl_name *const tables[] = {portable__cl_device_names, portable__cl_stream_names, portable__cl_memory_names, portable__cl_module_names};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    for (const struct portable__cl_name *n = tables[i]; n->name; n++)
      if (strcmp(n->name, name) == 0) return n->function;
  return NULL;
}
