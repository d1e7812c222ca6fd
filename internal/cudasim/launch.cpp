/* launch.cpp - launches: limits, parameters by pointers or as one buffer. The parameters are taken at the call. At the end: kernels of other libraries. */
#include <string.h>

#include "fake.h"

namespace fake {
namespace {

CUresult launch(Call &call, void *function, const unsigned (&size)[6], unsigned dynamic, void *stream, void **parameters, void **extra) {
  auto *f = static_cast<Function *>(function);
  if (!live_functions().count(f)) return call.bad("%p is no function, or one of an unloaded module", function), call(INVALID_HANDLE);
  call.note("%s grid %u %u %u block %u %u %u shared %u", f->name.c_str(), size[0], size[1], size[2], size[3], size[4], size[5], dynamic);
  Stream *s = stream_of(call, stream);
  if (!s) return call();
  if (f->module->context != call.context) return call.bad("the function is one of another context"), call(INVALID_CONTEXT);
  int device = call.context->device;
  for (int i = 0; i < 3; i++) {
    if (size[i] < 1 || size[i] > unsigned(attribute(device, 5 + i))) return call.bad("grid: %u blocks in dimension %d", size[i], i);
    if (size[3 + i] < 1 || size[3 + i] > unsigned(attribute(device, 2 + i))) return call.bad("block: %u threads in dimension %d", size[3 + i], i);
  }
  uint64_t threads = uint64_t(size[3]) * size[4] * size[5];
  if (threads > unsigned(attribute(device, ATTRIBUTE_MAX_THREADS_PER_BLOCK))) return call.bad("%llu threads in a block", (unsigned long long)threads);
  if (f->entry->max_threads && threads > f->entry->max_threads) return call(INVALID_VALUE); /* the launch bounds; the caller could not know */
  size_t most = f->raised ? size_t(f->max_dynamic) : size_t(attribute(device, ATTRIBUTE_SHARED_PER_BLOCK)) - f->module->shared;
  if (dynamic > most) return call.bad("%u bytes of dynamic shared memory, where %zu are allowed", dynamic, most);
  const fake_entry *e = f->entry;
  if (e->bytes > 4096) return call.bad("%u bytes of parameters", e->bytes);
  std::vector<char> buffer(e->bytes);
  if (parameters && extra) return call.bad("parameters by pointers and as a buffer");
  if (extra) {
    const void *from = nullptr;
    const size_t *bytes = nullptr;
    for (; *extra != PARAM_END; extra += 2) {
      if (extra[0] == PARAM_POINTER)
        from = extra[1];
      else if (extra[0] == PARAM_SIZE)
        bytes = static_cast<size_t *>(extra[1]);
      else
        return call.bad("extra: 0x%zx is not POINTER, SIZE or END", reinterpret_cast<size_t>(extra[0]));
    }
    if (!bytes || (!from && *bytes)) return call.bad("extra: no buffer or no size");
    size_t padded = e->alignment ? (e->bytes + e->alignment - 1) / e->alignment * e->alignment : 0;
    if (*bytes < e->bytes || *bytes > padded)
      return call.bad("the buffer has %zu bytes, the parameters of %s are %u bytes", *bytes, f->name.c_str(), e->bytes);
    if (e->bytes) memcpy(buffer.data(), from, e->bytes);
  } else {
    if (e->count && !parameters) return call.bad("%s has %u parameters, but none are given", f->name.c_str(), e->count);
    for (unsigned i = 0; i < e->count; i++) {
      if (!parameters[i]) return call.bad("the pointer to parameter %u is null", i);
      memcpy(buffer.data() + e->parameters[i].offset, parameters[i], e->parameters[i].bytes);
    }
  }
  /* Words that point into a block: the block must live until the kernel is through. The kernel's module, too. */
  std::vector<std::pair<uintptr_t, size_t>> uses{{reinterpret_cast<uintptr_t>(f), 1}};
  for (size_t at = 0; at + 8 <= buffer.size(); at += 8) {
    uintptr_t word;
    memcpy(&word, buffer.data() + at, 8);
    if (Allocation *a = find(word)) {
      if (a->freed_in_stream) return call.bad("a parameter points to freed memory");
      uses.push_back({word, 1});
    }
  }
  Shape shape{{size[0], size[1], size[2]}, {size[3], size[4], size[5]}};
  Context *context = call.context;
  put(
      s, "kernel " + f->name,
      [=] {
        if (CUresult code = injected_kernel(f->name)) return code;
        open_for(context);
        return run_grid(f, shape, dynamic, buffer);
      },
      std::move(uses));
  return call(context->sticky);
}

}  // namespace

CUresult kernel_into(Call &call, const kernel_node_params &p, Work *to) {
  put_into = to;
  CUresult code = launch(call, p.function, {p.grid[0], p.grid[1], p.grid[2], p.block[0], p.block[1], p.block[2]}, p.shared, nullptr, p.parameters, p.extra);
  put_into = nullptr;
  return code;
}

}  // namespace fake

using namespace fake;

API cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned dynamic, void *stream, void **parameters,
                   void **extra) {
  Call call(__func__, Needs::context);
  if (call.stopped) return call();
  return launch(call, function, {gx, gy, gz, bx, by, bz}, dynamic, stream, parameters, extra);
}

/* Blocks run one after another here, so a grid that waits for itself cannot be run. */
API cuLaunchCooperativeKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **) {
  Call call(__func__, Needs::context);
  return call.stopped ? call() : call(NOT_SUPPORTED);
}

/* No function of a driver: for libraries of tests that stand in for NVIDIA's. A function of the host is run as their kernel, and may access the device's memory;
 * the blocks at in, out and work must live until then. */
API fake_cuda_library_kernel(void *stream, const char *name, void (*function)(void *), void *payload, const void *in, const void *out, const void *work) {
  Call call(__func__, Needs::context);
  if (call.stopped) return call();
  Stream *s = stream_of(call, stream);
  if (!s) return call();
  std::vector<std::pair<uintptr_t, size_t>> uses;
  for (const void *p : {in, out, work}) {
    const Allocation *a = find(reinterpret_cast<uintptr_t>(p));
    if (!p) continue;
    if (!a || a->freed_in_stream) return call.bad("%s: %p is not memory of the driver, or freed", name, p);
    uses.push_back({reinterpret_cast<uintptr_t>(p), 1});
  }
  Context *context = call.context;
  const std::string what = name;
  put(
      s, "kernel " + what,
      [=]() -> CUresult {
        if (CUresult code = injected_kernel(what)) return code;
        open_for(context);
        function(payload);
        return OK;
      },
      std::move(uses));
  return call(context->sticky);
}
