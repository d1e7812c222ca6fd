/* cuda_kernel.c - what the program says of a kernel object for CUDA devices, and the way to NVIDIA's own libraries (portable_cuda.h). In C because a
 * kernel object is. Not in this file: launches (cuda_launch.c), code that is made ready (cuda_program.c). Threads: any, at any time. */
#include <string.h>

#include "device_work.h"
#include "../../gator/front/front.h"
#include "../../internal/backend/cuda/kernel.h"
#include "../../internal/edge/calls.h"
#include "code_path.h"
#include "../launch/kernel_record.h"
#include "../stream/queue_device.h"

#define PATH_MOST 4096
#define SHARED_MOST (1 << 20) /* bytes; no block has as many */

/* A name as the compiler takes it. */
static int is_name(const char *text) {
  size_t n = 0;
  for (; text[n]; n++) {
    char c = text[n];
    int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    if (!letter && !(n && c >= '0' && c <= '9')) return 0;
  }
  return n > 0;
}

static portable_status check(const struct kernel *k, const portable_cuda_code *code) {
  static const char function[] = "portable_kernel_set_cuda";
  if (code->struct_size != sizeof *code)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': struct_size is %u; begin with PORTABLE_CUDA_CODE_INIT", function, k->label,
                          (unsigned)code->struct_size);
  if (code->form < PORTABLE_CUDA_SOURCE || code->form > PORTABLE_CUDA_IMAGE_FILE)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there is no form %d; there are PORTABLE_CUDA_SOURCE, _SOURCE_FILE, _IMAGE and _IMAGE_FILE",
                          function, k->label, (int)code->form);
  if (!code->code || (code->bytes == 0 && !code->code[0]))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': code is %s; NULL in the place of the whole structure takes the version away", function,
                          k->label, code->code ? "empty" : "NULL");
  if (code->entry ? !is_name(code->entry) : !is_name(k->label))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': %s '%s' is no name of a function; entry says the name of the __global__ function", function,
                          k->label, code->entry ? "the entry" : "the label", code->entry ? code->entry : k->label);
  if (code->form == PORTABLE_CUDA_IMAGE && code->bytes == 0 && memcmp(code->code, "\177ELF", 4) == 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the image is machine code, whose length is to be said (bytes); only PTX ends with NUL", function,
                          k->label);
  if (code->block_size < 0 || code->line < 0 || code->shared_bytes > SHARED_MOST)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': %s is %lld; it is 0 or more%s", function, k->label,
                          code->block_size < 0 ? "block_size" : code->line < 0 ? "line" : "shared_bytes",
                          code->block_size < 0 ? (long long)code->block_size : code->line < 0 ? (long long)code->line : (long long)code->shared_bytes,
                          code->block_size < 0 || code->line < 0 ? "" : ", and no block has more than 1 MiB");
  return PORTABLE_OK;
}

/* Neighbours of one name are parts of one argument; those without a name are not. */
static int32_t names_of(const struct kernel *k, const char **names, int32_t room) {
  int32_t n = 0;
  for (size_t i = 0; i < k->count && n < room; i++)
    if (n == 0 || !k->arguments[i].name[0] || strcmp(names[n - 1], k->arguments[i].name) != 0) names[n++] = k->arguments[i].name;
  return n;
}

portable_status portable_kernel_set_cuda(portable_kernel kernel, const portable_cuda_code *code) {
  struct portable__cuda_program *program = NULL;
  portable_status status = PORTABLE_OK;
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_set_cuda", kernel);
  if (code && (status = check(k, code)) == PORTABLE_OK) {
    const char *names[256];
    portable_cuda_code full = *code;
    char path[PATH_MOST], given[PATH_MOST];
    if (full.bytes == 0) full.bytes = strlen(full.code);
    if ((code->form == PORTABLE_CUDA_SOURCE_FILE || code->form == PORTABLE_CUDA_IMAGE_FILE) && full.bytes < sizeof given) {
      memcpy(given, code->code, full.bytes);
      given[full.bytes] = '\0';
      if (portable__code_path(given, path, sizeof path)) {
        full.code = path;
        full.bytes = strlen(path);
      }
    }
    program = portable__cuda_program_make(k->label, &full, names, names_of(k, names, 256));
    if (!program) status = portable__fail(PORTABLE_ERR_NOMEM, "portable_kernel_set_cuda of '%s': no memory for a copy of the code", k->label);
  }
  if (status == PORTABLE_OK) portable__cuda_program_retire(atomic_exchange(&k->cuda, program));
  portable__slot_release(k);
  return status;
}

portable_status portable_kernel_prepare(portable_kernel kernel, portable_device device) {
  PORTABLE__CALL("portable_kernel_prepare"); /* a module is loaded into the device's context */
  portable_status status = PORTABLE_OK;
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_prepare", kernel);
  struct portable__cuda_program *program = atomic_load(&k->cuda);
  if (device == 0) device = portable_default_device();
  int32_t index = portable__cuda_index(device);
  if (!portable_is_initialized())
    status = portable__not_running("portable_kernel_prepare");
  else if (device < 1 || device > portable_device_count())
    status = portable__fail(PORTABLE_ERR_NODEVICE, "portable_kernel_prepare of '%s': there is no device %d; there are %d", k->label, (int)device,
                            (int)portable_device_count());
  else if (index >= 0 && program)
    portable__cuda_program_form(program, index, PORTABLE__CUDA_NARROW, &status, NULL);
  portable__slot_release(k);
  return status;
}

portable_status portable_kernel_cuda_log(portable_kernel kernel, char *text, size_t room, size_t *needed_out) {
  if (room) {
    if (!text) return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_cuda_log: text is NULL");
    text[0] = '\0';
  }
  if (needed_out) *needed_out = 0;
  PORTABLE__CALL("portable_kernel_cuda_log");
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_cuda_log", kernel);
  struct portable__cuda_program *program = atomic_load(&k->cuda);
  size_t needed = program ? portable__cuda_program_log(program, text, room) : 1;
  if (needed_out) *needed_out = needed;
  portable__slot_release(k);
  return PORTABLE_OK;
}

/* ---- NVIDIA's libraries ---- */

static portable_status not_cuda(const char *function, portable_device device) {
  return portable__fail(PORTABLE_ERR_NODEVICE, "%s: device %d ('%s') is not a CUDA device", function, (int)device, portable_device_name(device));
}

portable_status portable_stream_native(portable_stream stream, void **native_out) {
  static const char function[] = "portable_stream_native";
  portable_status status;
  if (!native_out) return portable__fail(PORTABLE_ERR_ARG, "%s: native_out is NULL", function);
  *native_out = NULL;
  PORTABLE__CALL(function);
  portable_device device = portable_stream_device(stream);
  struct portable__stream *s = portable__stream_of(function, &stream, &status);
  if (!s) return status;
  pthread_mutex_lock(&s->lock);
  struct portable__device_side *side = portable__queue_side(s);
  if (side) {
    *native_out = side->native;
    side->foreign = 1; /* from now on the stream is never known to be empty without asking the driver */
    if (side->is_default) atomic_fetch_or(&portable__unfenced, PORTABLE__FOREIGN);
  }
  pthread_mutex_unlock(&s->lock);
  return side ? PORTABLE_OK : not_cuda(function, device);
}

portable_status portable_device_enqueue(const char *label, portable_device device, portable_stream stream, portable_device_function enqueue,
                                        const void *payload, size_t payload_bytes) {
  static const char function[] = "portable_device_enqueue";
  if (!label) label = "unlabelled";
  if (!enqueue || (payload_bytes && !payload))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': %s is NULL", function, label, enqueue ? "payload" : "enqueue");
  PORTABLE__CALL(function);
  if (!portable_is_initialized()) return portable__not_running(function);
  if (device == 0) device = stream ? portable_stream_device(stream) : portable_default_device();
  if (portable__cuda_index(device) < 0) return not_cuda(function, device);
  const struct portable__device_work work = {.label = label, .kind = PORTABLE_LAUNCH_FOR, .device = device, .stream = stream, .enqueue = enqueue,
                                             .payload = payload, .payload_bytes = payload_bytes};
  return portable__device_work(&work);
}
