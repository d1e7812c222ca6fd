/* devices.c - what devices are like, for the program, and what a driver's refusal becomes. In C because threads that launch say so without
 * passing through Go. Which devices there are is Go's to find (internal/instance/cuda.go). */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "devices.h"
#include "../../internal/team/devices.h"
#include "../../internal/backend/cuda/devices.h"
#include "../../internal/team/emulated.h"
#include "../../internal/edge/calls.h"

enum { OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101, NO_BINARY = 209, INVALID_PTX = 218, NEWER_PTX = 222,
       NOT_FOUND = 500, OUT_OF_RESOURCES = 701, DRIVER_MISMATCH = 803, NO_COMPATIBILITY = 804 }; /* as in cuda_results.h */

static const char *advice(int code, const char *call) {
  if (portable__cuda_is_sticky(code) && (strncmp(call, "cuModule", 8) == 0 || strncmp(call, "cuFunc", 6) == 0))
    return "; a launch before this one has failed, which the next fence names, and the device with it; what is on the host stays as it is, and the device can be used "
           "by a new process";
  if (portable__cuda_is_sticky(code))
    return "; the device has failed this program: what is on the host stays as it is, and the device can be used by a new process";
  switch (code) {
  case OUT_OF_MEMORY: return "; give back arrays of the device, trim its pool (portable_pool_trim), or use more devices";
  case NOT_INITIALIZED: return "; after a fork the driver works in the parent only";
  case NO_BINARY: return "; the image is for other devices: compile it for this one, or give PTX or source";
  case INVALID_PTX:
  case NEWER_PTX: return "; the PTX is of a newer compiler than the driver knows: update the driver, or compile with an older NVRTC";
  case NOT_FOUND: return "; the driver is too old for it, or an image has no such name";
  case OUT_OF_RESOURCES: return "; use fewer threads in a block (block_size), or less shared memory";
  case DRIVER_MISMATCH:
  case NO_COMPATIBILITY: return "; library and kernel module of the driver do not fit each other: restart the machine, or install the driver again";
  }
  return "";
}

portable_status portable__cuda_fail(int code, const char *call, const char *label) {
  portable_status status = atomic_load(&portable__forked) ? PORTABLE_ERR_FORK : code == OUT_OF_MEMORY ? PORTABLE_ERR_NOMEM :
                           code == NO_DEVICE || code == INVALID_DEVICE ? PORTABLE_ERR_NODEVICE : PORTABLE_ERR_DEVICE;
  return portable__fail(status, "%s%s%s%s answers %s (%d): %s%s", label ? "'" : "", label ? label : "", label ? "': " : "", call,
                        portable__cuda_error_name(code), code, portable__cuda_error_text(code), advice(code, call));
}

/* The number of a device that exists, or what is wrong. */
static portable_status find(const char *function, portable_device *device) {
  if (!portable_is_initialized() || atomic_load(&portable__forked)) return portable__not_running(function);
  if (*device == 0) *device = portable_default_device();
  int32_t count = portable_device_count();
  if (*device >= 1 && *device <= count) return PORTABLE_OK;
  return portable__fail(PORTABLE_ERR_NODEVICE, "%s: there is no device %d; there are %d", function, (int)*device, (int)count);
}

/* A number of a file of the system's, behind `key`, which may be "". */
static int number_of(const char *path, const char *key, unsigned long long *out) {
  char line[256];
  int found = 0;
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  while (!found && fgets(line, sizeof line, file))
    if (strncmp(line, key, strlen(key)) == 0) found = sscanf(line + strlen(key), "%llu", out) == 1;
  fclose(file);
  return found;
}

/* Of the machine, or of the control group where that may have less. */
static void host_memory(uint64_t *free_out, uint64_t *total_out) {
  static const char *const groups[][2] = {{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
                                          {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
  unsigned long long total = 0, rest = 0, limit, used;
  if (number_of("/proc/meminfo", "MemTotal:", &total) && number_of("/proc/meminfo", "MemAvailable:", &rest)) {
    total *= 1024;
    rest *= 1024;
  } else {
    long page = sysconf(_SC_PAGESIZE), all = sysconf(_SC_PHYS_PAGES), available = sysconf(_SC_AVPHYS_PAGES);
    if (page > 0 && all > 0) total = (unsigned long long)page * (unsigned long long)all;
    if (page > 0 && available > 0) rest = (unsigned long long)page * (unsigned long long)available;
  }
  for (int i = 0; i < 2; i++)
    if (number_of(groups[i][0], "", &limit) && number_of(groups[i][1], "", &used) && limit < total) {
      total = limit;
      if (rest > (used < limit ? limit - used : 0)) rest = used < limit ? limit - used : 0;
    }
  *free_out = rest;
  *total_out = total;
}

static void host_model(char *model, size_t room) {
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "re");
  if (!file) return;
  while (!model[0] && fgets(line, sizeof line, file))
    if (strncmp(line, "model name", 10) == 0 && strstr(line, ": ")) {
      line[strcspn(line, "\n")] = '\0';
      snprintf(model, room, "%s", strstr(line, ": ") + 2);
    }
  fclose(file);
}

portable_status portable_device_properties_get(portable_device device, portable_device_properties *out) {
  static const char function[] = "portable_device_properties_get";
  if (!out || out->struct_size != sizeof *out)
    return portable__fail(PORTABLE_ERR_ARG, "%s: %s", function, out ? "struct_size is wrong; begin with PORTABLE_DEVICE_PROPERTIES_INIT" : "out is NULL");
  portable_status status = find(function, &device);
  if (status != PORTABLE_OK) return status;
  portable_device_properties p = PORTABLE_DEVICE_PROPERTIES_INIT;
  snprintf(p.name, sizeof p.name, "%s", portable_device_name(device));
  const struct portable__cuda_facts *f = portable__cuda_facts(portable__cuda_index(device));
  if (f) {
    p.kind = PORTABLE_DEVICE_CUDA;
    memcpy(p.model, f->name, sizeof p.model);
    p.memory_bytes = f->memory;
    p.parallelism = f->multiprocessors;
    p.concurrent_managed = f->concurrent_managed;
    p.pageable_access = f->pageable;
    p.max_threads_per_block = f->max_threads_per_block;
    p.warp_size = f->warp;
    p.shared_bytes_per_block = (uint64_t)f->max_shared_bytes;
    p.shared_bytes_opt_in = (uint64_t)(f->max_shared_bytes_opt_in > f->max_shared_bytes ? f->max_shared_bytes_opt_in : f->max_shared_bytes);
    p.compute_major = f->major;
    p.compute_minor = f->minor;
    p.driver_version = f->driver_version;
    p.integrated = f->integrated;
    memcpy(p.pci, f->pci, sizeof p.pci);
    memcpy(p.uuid, f->uuid, sizeof p.uuid);
  } else {
    uint64_t rest;
    p.kind = device == portable__emulated_number() ? PORTABLE_DEVICE_EMULATED : PORTABLE_DEVICE_HOST;
    p.parallelism = portable__device_workers(device);
    p.concurrent_managed = p.pageable_access = p.kind == PORTABLE_DEVICE_HOST;
    host_memory(&rest, &p.memory_bytes);
    host_model(p.model, sizeof p.model);
  }
  *out = p;
  return PORTABLE_OK;
}

portable_status portable_device_memory_info(portable_device device, uint64_t *free_bytes_out, uint64_t *total_bytes_out) {
  static const char function[] = "portable_device_memory_info";
  if (!free_bytes_out || !total_bytes_out)
    return portable__fail(PORTABLE_ERR_ARG, "%s: %s is NULL", function, free_bytes_out ? "total_bytes_out" : "free_bytes_out");
  *free_bytes_out = *total_bytes_out = 0;
  PORTABLE__CALL(function);
  portable_status status = find(function, &device);
  if (status != PORTABLE_OK) return status;
  int32_t index = portable__cuda_index(device);
  if (index < 0) {
    host_memory(free_bytes_out, total_bytes_out);
    return PORTABLE_OK;
  }
  int code = portable__cuda_memory(index, free_bytes_out, total_bytes_out);
  return code ? portable__cuda_fail(code, "cuMemGetInfo", function) : PORTABLE_OK;
}

portable_status portable_device_native(portable_device device, int32_t *ordinal_out, void **context_out) {
  static const char function[] = "portable_device_native";
  if (ordinal_out) *ordinal_out = -1;
  if (context_out) *context_out = NULL;
  PORTABLE__CALL(function);
  portable_status status = find(function, &device);
  if (status != PORTABLE_OK) return status;
  int32_t index = portable__cuda_index(device);
  if (index < 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s: device %d is %s, which has no driver; cuda devices have one", function, (int)device, portable_device_name(device));
  if (context_out) {
    int code = portable__cuda_retain(index, context_out);
    if (code) return portable__cuda_fail(code, "cuDevicePrimaryCtxRetain", function);
  }
  if (ordinal_out) *ordinal_out = portable__cuda_ordinal(index);
  return PORTABLE_OK;
}
