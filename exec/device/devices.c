/* devices.c - questions of the program about devices, and refusals of the driver as statuses.
 * Properties, memory and texts are Go (exec/device_facts.go, device_driver.go); Go also finds the
 * devices (internal/instance/cuda.go). Threads: any. */
#include "devices.h"
#include "questions.h"
#include "../../internal/backend/cuda/devices.h"
#include "../../internal/edge/calls.h"

enum { OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_DEVICE = 101 }; /* as in cuda_results.h */

portable_status portable__cuda_fail(int code, const char *call, const char *label) {
  struct portable__crossing crossing;
  if (portable__cross_in(&crossing) == PORTABLE_OK) {
    portable__device_go.cuda_failed(code, call, label);
    portable__cross_out(&crossing);
  } else {
    portable__fail(PORTABLE_ERR_DEVICE, "%s%s%s%s answers %s (%d)", label ? "'" : "", label ? label : "", label ? "': " : "", call,
                   portable__cuda_error_name(code), code);
  }
  return atomic_load(&portable__forked) ? PORTABLE_ERR_FORK : code == OUT_OF_MEMORY ? PORTABLE_ERR_NOMEM :
         code == NO_DEVICE || code == INVALID_DEVICE ? PORTABLE_ERR_NODEVICE : PORTABLE_ERR_DEVICE;
}

portable_status portable__device_exists(const char *call, const char *label, portable_device *device) {
  portable_status status;
  if (!portable_is_initialized()) return portable__not_running(call);
  if (*device == 0) *device = portable_default_device();
  if (*device >= 1 && *device <= portable_device_count()) return PORTABLE_OK;
  PORTABLE__EXPLAINED(&status, call, label, PORTABLE_ERR_NODEVICE, portable__device_go.device_missing(call, label, *device));
  return status;
}

portable_status portable__not_cuda(const char *call, const char *label, portable_device device) {
  portable_status status;
  PORTABLE__EXPLAINED(&status, call, label, PORTABLE_ERR_NODEVICE, portable__device_go.device_not_cuda(call, label, device));
  return status;
}

portable_status portable_device_properties_get(portable_device device, portable_device_properties *out) {
  static const char function[] = "portable_device_properties_get";
  struct portable__crossing crossing;
  portable_status status;
  if (!out || out->struct_size != sizeof *out)
    return portable__fail(PORTABLE_ERR_ARG, "%s: %s", function, out ? "struct_size is wrong; begin with PORTABLE_DEVICE_PROPERTIES_INIT" : "out is NULL");
  if ((status = portable__device_exists(function, NULL, &device)) != PORTABLE_OK || (status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__device_go.device_properties(device, out);
  portable__cross_out(&crossing);
  return status;
}

portable_status portable_device_memory_info(portable_device device, uint64_t *free_bytes_out, uint64_t *total_bytes_out) {
  static const char function[] = "portable_device_memory_info";
  struct portable__crossing crossing;
  portable_status status;
  if (!free_bytes_out || !total_bytes_out)
    return portable__fail(PORTABLE_ERR_ARG, "%s: %s is NULL", function, free_bytes_out ? "total_bytes_out" : "free_bytes_out");
  *free_bytes_out = *total_bytes_out = 0;
  PORTABLE__CALL(function);
  if ((status = portable__device_exists(function, NULL, &device)) != PORTABLE_OK || (status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__device_go.device_memory(device, free_bytes_out, total_bytes_out);
  portable__cross_out(&crossing);
  return status;
}

portable_status portable_device_native(portable_device device, int32_t *ordinal_out, void **context_out) {
  static const char function[] = "portable_device_native";
  if (ordinal_out) *ordinal_out = -1;
  if (context_out) *context_out = NULL;
  PORTABLE__CALL(function);
  portable_status status = portable__device_exists(function, NULL, &device);
  if (status != PORTABLE_OK) return status;
  int32_t index = portable__cuda_index(device);
  if (index < 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s: device %d is %s, which has no driver; devices of CUDA, HIP and OpenCL have one", function, (int)device, portable_device_name(device));
  if (context_out) {
    int code = portable__cuda_retain(index, context_out);
    if (code) return portable__cuda_fail(code, "cuDevicePrimaryCtxRetain", function);
  }
  if (ordinal_out) *ordinal_out = portable__cuda_ordinal(index);
  return PORTABLE_OK;
}
