/* cuda_kernel.c - calls of the program for the device version of a kernel object, and access to
 * NVIDIA's libraries (portable_cuda.h). Checks, texts and programs are Go (exec/device_code.go,
 * device_programs.go). Not here: launches (cuda_launch.c), look-up of functions (cuda_program.c).
 * Threads: any. */
#include <inttypes.h>

#include "device_work.h"
#include "devices.h"
#include "questions.h"
#include "../../gator/front/front.h"
#include "../../internal/backend/cuda/kernel.h"
#include "../../internal/edge/calls.h"
#include "../launch/kernel_record.h"
#include "../stream/questions.h"
#include "../stream/queue_device.h"

portable_status portable_kernel_set_cuda(portable_kernel kernel, const portable_cuda_code *code) {
  struct portable__crossing crossing;
  struct portable__cuda_program *program = NULL;
  portable_status status = PORTABLE_OK;
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_set_cuda", kernel);
  if (code && (status = portable__cross_in(&crossing)) == PORTABLE_OK) {
    status = portable__device_go.kernel_set_cuda(k, code, &program);
    portable__cross_out(&crossing);
  }
  if (status == PORTABLE_OK) portable__cuda_program_retire(atomic_exchange(&k->cuda, program));
  portable__slot_release(k);
  return status;
}

portable_status portable_kernel_prepare(portable_kernel kernel, portable_device device) {
  PORTABLE__CALL("portable_kernel_prepare"); /* a module is loaded into the device's context */
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_prepare", kernel);
  struct portable__cuda_program *program = atomic_load(&k->cuda);
  portable_status status = portable__device_exists("portable_kernel_prepare", k->label, &device);
  const int32_t index = portable__cuda_index(device);
  if (status == PORTABLE_OK && index >= 0 && program) portable__cuda_program_form(program, index, PORTABLE__CUDA_NARROW, &status, NULL);
  portable__slot_release(k);
  return status;
}

portable_status portable_kernel_cuda_log(portable_kernel kernel, char *text, size_t room, size_t *needed_out) {
  struct portable__crossing crossing;
  size_t needed = 1;
  if (room) {
    if (!text) return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_cuda_log: text is NULL");
    text[0] = '\0';
  }
  if (needed_out) *needed_out = 0;
  PORTABLE__CALL("portable_kernel_cuda_log");
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_cuda_log", kernel);
  struct portable__cuda_program *program = atomic_load(&k->cuda);
  portable_status status = program ? portable__cross_in(&crossing) : PORTABLE_OK;
  if (program && status == PORTABLE_OK) {
    needed = portable__device_go.cuda_log(program, text, room);
    portable__cross_out(&crossing);
  }
  if (needed_out) *needed_out = needed;
  portable__slot_release(k);
  return status;
}

/* ---- NVIDIA's libraries ---- */

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
  return side ? PORTABLE_OK : portable__not_cuda(function, NULL, device);
}

portable_status portable_stream_adopt(portable_device device, void *native, portable_stream *stream_out) {
  static const char function[] = "portable_stream_adopt";
  struct portable__crossing crossing;
  if (stream_out) *stream_out = 0;
  if (!native || !stream_out) return portable__fail(PORTABLE_ERR_ARG, "%s: %s is NULL", function, native ? "stream_out" : "native");
  PORTABLE__CALL(function);
  if (!portable_is_initialized()) return portable__not_running(function);
  if (device == 0) device = portable_default_device();
  if (portable__cuda_index(device) < 0) return portable__not_cuda(function, NULL, device);
  portable_status status = portable__cross_in(&crossing);
  if (status == PORTABLE_OK) status = portable__stream_go.create(device, PORTABLE_STREAM_ASYNC, (uintptr_t)native, stream_out), portable__cross_out(&crossing);
  return status;
}

portable_status portable_device_enqueue(const char *label, portable_device device, portable_stream stream, portable_device_function enqueue,
                                        const void *payload, size_t payload_bytes) {
  static const char function[] = "portable_device_enqueue";
  if (!label) label = "unlabelled";
  if (!enqueue || (payload_bytes && !payload))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': %s is NULL", function, label, enqueue ? "payload" : "enqueue");
  PORTABLE__CALL(function);
  if (!portable_is_initialized()) return portable__not_running(function);
  if (stream && !portable_stream_device(stream))
    return portable__fail(PORTABLE_ERR_HANDLE, "%s of '%s': %#" PRIx64 " is not a stream, or the stream was destroyed", function, label, stream);
  if (device == 0) device = stream ? portable_stream_device(stream) : portable_default_device();
  if (portable__cuda_index(device) < 0) return portable__not_cuda(function, NULL, device);
  const struct portable__device_work work = {.label = label, .kind = PORTABLE_LAUNCH_FOR, .device = device, .stream = stream, .enqueue = enqueue,
                                             .payload = payload, .payload_bytes = payload_bytes, .own = 1};
  return portable__device_work(&work);
}
