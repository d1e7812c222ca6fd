/* devices.cpp - init, the list of devices and their attributes, names of errors. FAKE_CUDA_DEVICES and FAKE_CUDA_ATTRIBUTE change them.
 * Not in this file: contexts (contexts.cpp). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

namespace fake {

bool initialised;

namespace {

struct Attribute {
  const char *name;
  int number, value;
};

#if defined(FAKE_HIP)
const int wave = 64, capability = 9, shared = 65536;
#else
const int wave = 32, capability = 8, shared = 49152;
#endif

/* About those of an A100, for AMD's with waves of 64; names as in CUdevice_attribute, in small letters and without the prefix. */
const Attribute table[] = {
    {"max_threads_per_block", 1, 1024}, {"max_block_dim_x", 2, 1024}, {"max_block_dim_y", 3, 1024}, {"max_block_dim_z", 4, 64},
    {"max_grid_dim_x", 5, 2147483647}, {"max_grid_dim_y", 6, 65535}, {"max_grid_dim_z", 7, 65535},
    {"max_shared_memory_per_block", 8, shared}, {"total_constant_memory", 9, 65536}, {"warp_size", 10, wave}, {"max_pitch", 11, 2147483647},
    {"max_registers_per_block", 12, 65536}, {"clock_rate", 13, 1410000}, {"texture_alignment", 14, 512}, {"gpu_overlap", 15, 1},
    {"multiprocessor_count", 16, 4}, {"kernel_exec_timeout", 17, 0}, {"integrated", 18, 0}, {"can_map_host_memory", 19, 1},
    {"compute_mode", 20, 0}, {"surface_alignment", 30, 512}, {"concurrent_kernels", 31, 1}, {"ecc_enabled", 32, 1},
    {"pci_bus_id", 33, 1}, {"pci_device_id", 34, 0}, {"tcc_driver", 35, 0}, {"memory_clock_rate", 36, 1215000},
    {"global_memory_bus_width", 37, 5120}, {"l2_cache_size", 38, 41943040}, {"max_threads_per_multiprocessor", 39, 2048},
    {"async_engine_count", 40, 3}, {"unified_addressing", 41, 1}, {"pci_domain_id", 50, 0}, {"compute_capability_major", 75, capability},
    {"compute_capability_minor", 76, 0}, {"stream_priorities_supported", 78, 1}, {"global_l1_cache_supported", 79, 1},
    {"local_l1_cache_supported", 80, 1}, {"max_shared_memory_per_multiprocessor", 81, 167936}, {"max_registers_per_multiprocessor", 82, 65536},
    {"managed_memory", 83, 1}, {"multi_gpu_board", 84, 0}, {"multi_gpu_board_group_id", 85, 0}, {"host_native_atomic_supported", 86, 0},
    {"single_to_double_precision_perf_ratio", 87, 2}, {"pageable_memory_access", 88, 0}, {"concurrent_managed_access", 89, 1},
    {"compute_preemption_supported", 90, 1}, {"can_use_host_pointer_for_registered_mem", 91, 1}, {"cooperative_launch", 95, 1},
    {"max_shared_memory_per_block_optin", 97, 166912}, {"can_flush_remote_writes", 98, 0}, {"host_register_supported", 99, 1},
    {"pageable_memory_access_uses_host_page_tables", 100, 0}, {"direct_managed_mem_access_from_host", 101, 0},
    {"virtual_address_management_supported", 102, 1}, {"max_blocks_per_multiprocessor", 106, 32},
    {"reserved_shared_memory_per_block", 111, 1024}, {"memory_pools_supported", 115, 1},
};

std::map<int, int> &values() {
  static std::map<int, int> &all = *[] {
    auto &list = *new std::map<int, int>;
    for (const Attribute &a : table) list[a.number] = a.value;
    std::string text = setting("FAKE_CUDA_ATTRIBUTE");
    for (size_t at = 0; at < text.size();) {
      size_t end = text.find(',', at);
      std::string one = text.substr(at, end == std::string::npos ? end : end - at);
      at = end == std::string::npos ? text.size() : end + 1;
      size_t equals = one.find('=');
      bool known = false;
      for (const Attribute &a : table)
        if (equals != std::string::npos && one.compare(0, equals, a.name) == 0) list[a.number] = atoi(one.c_str() + equals + 1), known = true;
      if (!known) {
        fprintf(stderr, "fake cuda: FAKE_CUDA_ATTRIBUTE: \"%s\" is not NAME=VALUE of an attribute that the fake has\n", one.c_str());
        abort();
      }
    }
    return &list;
  }();
  return all;
}

struct Code {
  CUresult code;
  const char *name, *text;
};
const Code codes[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {4, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {34, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
    {301, "CUDA_ERROR_FILE_NOT_FOUND", "file not found"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {401, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"},
    {705, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access has not been enabled"},
    {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {710, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "part or all of the requested memory range is already mapped"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "pointer does not correspond to a registered memory region"},
    {714, "CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error"},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {717, "CUDA_ERROR_INVALID_ADDRESS_SPACE", "operation not supported on global/shared address space"},
    {718, "CUDA_ERROR_INVALID_PC", "invalid program counter"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {800, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
    {801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

const Code *code_of(CUresult code) {
  for (const Code &c : codes)
    if (c.code == code) return &c;
  return nullptr;
}

}  // namespace

int device_count() {
  static int count = *setting("FAKE_CUDA_DEVICES") ? atoi(setting("FAKE_CUDA_DEVICES")) : 1;
  return count;
}

int attribute(int device, int number) {
  if (number == 33) return device + 1; /* each has a bus of its own */
  auto found = values().find(number);
  return found == values().end() ? 0 : found->second;
}

size_t device_memory(int) {
  static size_t bytes = *setting("FAKE_CUDA_MEMORY") ? strtoull(setting("FAKE_CUDA_MEMORY"), nullptr, 0) : size_t{16} << 30;
  return bytes;
}

}  // namespace fake

using namespace fake;

API cuInit(unsigned flags) {
  Call call(__func__, Needs::nothing);
  if (call.stopped) return call();
  if (flags) return call.bad("flags must be 0");
  if (device_count() == 0) return call(NO_DEVICE);
  initialised = true;
  return call(OK);
}

API cuDriverGetVersion(int *version) {
  Call call(__func__, Needs::nothing);
  if (call.stopped) return call();
  if (!version) return call.bad("null");
  *version = *setting("FAKE_CUDA_VERSION") ? atoi(setting("FAKE_CUDA_VERSION")) : 12040;
  return call(OK);
}

/* Called while errors are reported, so neither counted nor logged. */
API cuGetErrorName(CUresult code, const char **text) {
  const Code *found = code_of(code);
  if (!text) return INVALID_VALUE;
  *text = found ? found->name : nullptr;
  return found ? OK : INVALID_VALUE;
}

API cuGetErrorString(CUresult code, const char **text) {
  const Code *found = code_of(code);
  if (!text) return INVALID_VALUE;
  *text = found ? found->text : nullptr;
  return found ? OK : INVALID_VALUE;
}

#define ENTER                                                         \
  Call call(__func__, Needs::init);                                   \
  if (call.stopped) return call();                                    \
  call.note("device %d", device);                                     \
  if (device < 0 || device >= device_count()) return call.bad("there is no device %d", device), call(INVALID_DEVICE)

API cuDeviceGetCount(int *count) {
  Call call(__func__, Needs::init);
  if (call.stopped) return call();
  if (!count) return call.bad("null");
  *count = device_count();
  return call(OK);
}

API cuDeviceGet(CUdevice *out, int device) {
  ENTER;
  if (!out) return call.bad("null");
  *out = device;
  return call(OK);
}

API cuDeviceGetName(char *name, int bytes, CUdevice device) {
  ENTER;
  if (!name || bytes < 1) return call.bad("no room for the name");
  snprintf(name, size_t(bytes), "Fake CUDA device %d", device);
  return call(OK);
}

API cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  ENTER;
  if (!uuid) return call.bad("null");
  memcpy(uuid->bytes, "fake-cuda-uuid-", 15);
  uuid->bytes[15] = char('0' + device);
  return call(OK);
}

API cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  ENTER;
  if (!uuid) return call.bad("null");
  memcpy(uuid->bytes, "fake-cuda-uuid-", 15);
  uuid->bytes[15] = char('0' + device);
  return call(OK);
}

API cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  ENTER;
  if (!bytes) return call.bad("null");
  *bytes = device_memory(device);
  return call(OK);
}

API cuDeviceGetAttribute(int *value, int number, CUdevice device) {
  ENTER;
  if (!value) return call.bad("null");
  if (number < 1 || number > 140) return call.bad("there is no attribute %d", number);
  *value = attribute(device, number);
  return call(OK);
}

API cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  ENTER;
  if (!major || !minor) return call.bad("null");
  *major = attribute(device, ATTRIBUTE_MAJOR), *minor = attribute(device, ATTRIBUTE_MINOR);
  return call(OK);
}

API cuDeviceGetPCIBusId(char *text, int bytes, CUdevice device) {
  ENTER;
  if (!text || bytes < 13) return call.bad("no room for 13 characters");
  snprintf(text, size_t(bytes), "0000:%02x:00.0", device + 1);
  return call(OK);
}

API cuDeviceGetByPCIBusId(CUdevice *out, const char *text) {
  Call call(__func__, Needs::init);
  if (call.stopped) return call();
  if (!out || !text) return call.bad("null");
  unsigned bus = 0;
  if (sscanf(text, "0000:%x:00.0", &bus) != 1 || bus < 1 || int(bus) > device_count()) return call(INVALID_VALUE);
  *out = int(bus) - 1;
  return call(OK);
}

API cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  ENTER;
  if (!can || peer < 0 || peer >= device_count()) return call.bad("null, or no device %d", peer);
  *can = device != peer;
  return call(OK);
}

API cuDeviceGetP2PAttribute(int *value, int number, CUdevice device, CUdevice peer) {
  ENTER;
  if (!value || number < 1 || number > 4 || peer < 0 || peer >= device_count() || peer == device) return call.bad("arguments");
  *value = number == 2;
  return call(OK);
}
