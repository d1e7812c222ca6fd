/* memory.cpp - device, managed and pinned memory. Each block has pages of its own, with a closed one behind it; device memory is closed to the
 * host but while something runs, managed memory is closed while work is pending where the device has no concurrent access. New memory
 * reads as 0xA5. Not in this file: questions about pointers (pointers.cpp), copies (copies.cpp). */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "fake.h"

namespace fake {
namespace {

const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), poisoned_most = size_t{1} << 20;
unsigned made;

void protect(Allocation *a, bool open) {
  if (a->open == open || !a->mapped) return;
  mprotect(reinterpret_cast<void *>(a->base), a->mapped, open ? PROT_READ | PROT_WRITE : PROT_NONE);
  a->open = open;
}

/* May the host look at it now? */
bool host_sees(const Allocation *a) {
  if (a->kind == Kind::device) return false;
  if (a->kind != Kind::managed || attribute(a->context->device, ATTRIBUTE_CONCURRENT_MANAGED)) return true;
  return !pending(a->context->device);
}

bool opened; /* something was opened since settle() */

}  // namespace

std::map<uintptr_t, Allocation *> &allocations() {
  static auto *all = new std::map<uintptr_t, Allocation *>;
  return *all;
}

Allocation *find(uintptr_t p) {
  auto next = allocations().upper_bound(p);
  if (next == allocations().begin()) return nullptr;
  Allocation *a = std::prev(next)->second;
  return p < a->base + a->bytes ? a : nullptr;
}

size_t used(int device) {
  size_t bytes = 0;
  for (auto &[base, a] : allocations())
    if (a->context->device == device && (a->kind == Kind::device || a->kind == Kind::managed)) bytes += a->mapped;
  return bytes;
}

Allocation *map_memory(Kind kind, size_t bytes, Context *context) {
  size_t mapped = (bytes + page - 1) / page * page;
  void *p = mmap(nullptr, mapped + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  mprotect(static_cast<char *>(p) + mapped, page, PROT_NONE);
  memset(p, 0xA5, std::min(mapped, poisoned_most));
  memset(static_cast<char *>(p) + bytes, 0xFD, mapped - bytes); /* looked at when it is freed */
  auto *a = new Allocation;
  a->base = reinterpret_cast<uintptr_t>(p), a->bytes = bytes, a->mapped = mapped, a->kind = kind, a->context = context, a->id = ++made;
  allocations()[a->base] = a;
  opened = true;
  return a;
}

void unmap(Allocation *a) {
  allocations().erase(a->base);
  if (a->mapped) {
    protect(a, true);
    const char *end = reinterpret_cast<char *>(a->base);
    for (size_t i = a->bytes; i < a->mapped; i++)
      if (end[i] != char(0xFD)) {
        violation("something wrote %zu bytes behind the end of a block of %zu bytes", i - a->bytes, a->bytes);
        break;
      }
    munmap(reinterpret_cast<void *>(a->base), a->mapped + page);
    a->mapped = 0;
  }
}

void open_for(Context *context) {
  opened = true;
  for (auto &[base, a] : allocations())
    protect(a, a->kind != Kind::device || a->context == context || a->context->device == context->device || context->peers.count(a->context));
}

void settle() {
  bool closing = opened;
  for (Context *c : contexts()) closing = closing || !attribute(c->device, ATTRIBUTE_CONCURRENT_MANAGED);
  if (!closing) return;
  for (auto &[base, a] : allocations()) protect(a, host_sees(a));
  opened = false;
}

/* ---- two of these drivers in a process, under the names of NVIDIA's and of AMD's: memory that one has pinned or manages is closed while a kernel of the
 * other runs, because no GPU could access it. It stays open if another thread is in a call of its driver. ---- */

namespace {

#ifdef FAKE_HIP
const char *const other_name = "libcuda.so.1";
#else
const char *const other_name = "libamdhip64.so.5";
#endif

std::atomic<bool> shut_now;
int (*shut_other)(int shut), (*other_owns)(uintptr_t p);

/* Only if the program has opened it; a real driver has no such functions. */
bool there_is() {
  if (shut_other) return true;
  void *library = dlopen(other_name, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return false;
  other_owns = reinterpret_cast<int (*)(uintptr_t)>(dlsym(library, "fake_cuda_owns"));
  if (other_owns) shut_other = reinterpret_cast<int (*)(int)>(dlsym(library, "fake_cuda_shut"));
  return shut_other;
}

}  // namespace

Others::Others() : shut_(there_is() && shut_other(1)) { shut_now = shut_; }

Others::~Others() {
  if (shut_) shut_other(0);
  shut_now = false;
}

bool others_have(uintptr_t p) {
  if (!shut_now || !other_owns(p)) return false;
  for (timespec t{0, 1000000}; shut_now;) nanosleep(&t, nullptr);
  return true;
}

}  // namespace fake

using namespace fake;

/* For the other driver: closes memory of the host (and keeps all other threads out of this driver), or opens it again. Returns 0 if a thread is inside. */
extern "C" __attribute__((visibility("default"))) int fake_cuda_shut(int shut) {
  if (shut && !try_enter()) return 0;
  for (auto &[base, a] : allocations())
    if (a->kind == Kind::pinned || a->kind == Kind::managed) protect(a, !shut && host_sees(a));
  if (!shut) leave();
  return 1;
}

/* While it is shut: whether the address is in such memory. */
extern "C" __attribute__((visibility("default"))) int fake_cuda_owns(uintptr_t p) {
  const Allocation *a = find(p);
  return a && (a->kind == Kind::pinned || a->kind == Kind::managed);
}

#define ENTER                               \
  Call call(__func__, Needs::context);      \
  if (call.stopped) return call()

static CUresult take(Call &call, Kind kind, uintptr_t *out, size_t bytes, unsigned flags) {
  call.note("bytes %zu", bytes);
  if (!out || !bytes) return call.bad("null, or no bytes");
  int device = call.context->device;
  if (kind != Kind::pinned && (bytes > device_memory(device) || used(device) + bytes > device_memory(device))) return call(OUT_OF_MEMORY);
  Allocation *a = map_memory(kind, bytes, call.context);
  if (!a) return call(OUT_OF_MEMORY);
  a->flags = flags;
  call.note("block %u", a->id);
  *out = a->base;
  return call(OK);
}

static CUresult give(Call &call, uintptr_t p, bool of_host) {
  Allocation *a = find(p);
  if (!a || a->base != p) return call.bad("0x%zx is not the begin of a block that lives", size_t(p));
  call.note("block %u", a->id);
  bool host = a->kind == Kind::pinned;
  if (host != of_host || a->kind == Kind::registered || a->kind == Kind::global) return call.bad("memory of another kind is freed by another function");
  if (a->context != call.context && a->context->device != call.context->device)
    return call.bad("memory of device %d is freed in a context of device %d", a->context->device, call.context->device);
  std::string by;
  if (in_use(a, &by)) {
    call.bad("it is still used by work that was not waited for: %s", by.c_str());
    finish(a->context);
  }
  CUresult code = call();
  unmap(a);
  return call(code);
}

API cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER;
  if (!free || !total) return call.bad("null");
  *total = device_memory(call.context->device);
  *free = *total - used(call.context->device);
  return call(OK);
}

API cuMemAlloc_v2(CUdeviceptr *out, size_t bytes) {
  ENTER;
  return take(call, Kind::device, out, bytes, 0);
}

API cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned element) {
  ENTER;
  if (!pitch || !width || !height || (element != 4 && element != 8 && element != 16)) return call.bad("arguments");
  *pitch = (width + 511) / 512 * 512;
  return take(call, Kind::device, out, *pitch * height, 0);
}

API cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags) {
  ENTER;
  if (flags != 1 && flags != 2) return call.bad("flags 0x%x", flags);
  if (!attribute(call.context->device, ATTRIBUTE_MANAGED_MEMORY)) return call(NOT_SUPPORTED);
  return take(call, Kind::managed, out, bytes, flags);
}

API cuMemFree_v2(CUdeviceptr p) {
  ENTER;
  if (!p) return call(OK);
  return give(call, p, false);
}

API cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
  ENTER;
  if (flags > 7) return call.bad("flags 0x%x", flags);
  return take(call, Kind::pinned, reinterpret_cast<uintptr_t *>(out), bytes, flags);
}

API cuMemAllocHost_v2(void **out, size_t bytes) {
  ENTER;
  return take(call, Kind::pinned, reinterpret_cast<uintptr_t *>(out), bytes, 0);
}

API cuMemFreeHost(void *p) {
  ENTER;
  return give(call, reinterpret_cast<uintptr_t>(p), true);
}

API cuMemHostRegister_v2(void *p, size_t bytes, unsigned flags) {
  ENTER;
  call.note("bytes %zu", bytes);
  auto base = reinterpret_cast<uintptr_t>(p);
  if (!p || !bytes || flags > 15) return call.bad("null, no bytes, or flags 0x%x", flags);
  auto next = allocations().lower_bound(base);
  if (find(base) || (next != allocations().end() && next->first < base + bytes)) return call(HOST_ALREADY_REGISTERED);
  auto *a = new Allocation;
  a->base = base, a->bytes = bytes, a->kind = Kind::registered, a->context = call.context, a->flags = flags, a->id = ++made;
  allocations()[base] = a;
  return call(OK);
}

API cuMemHostUnregister(void *p) {
  ENTER;
  Allocation *a = find(reinterpret_cast<uintptr_t>(p));
  if (!a || a->kind != Kind::registered || a->base != reinterpret_cast<uintptr_t>(p)) return call.bad("it is not the begin of registered memory"), call(HOST_NOT_REGISTERED);
  std::string by;
  if (in_use(a, &by)) return call.bad("it is still used by work that was not waited for: %s", by.c_str());
  allocations().erase(a->base);
  return call(OK);
}

API cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *p, unsigned flags) {
  ENTER;
  Allocation *a = find(reinterpret_cast<uintptr_t>(p));
  if (!out || flags || !a || (a->kind != Kind::pinned && a->kind != Kind::registered)) return call.bad("it is no pinned memory");
  *out = reinterpret_cast<uintptr_t>(p);
  return call(OK);
}

API cuMemHostGetFlags(unsigned *flags, void *p) {
  ENTER;
  Allocation *a = find(reinterpret_cast<uintptr_t>(p));
  if (!flags || !a || a->kind != Kind::pinned) return call.bad("it is no pinned memory");
  *flags = a->flags;
  return call(OK);
}

/* ---- stream-ordered memory ---- */

API cuMemAllocAsync(CUdeviceptr *out, size_t bytes, void *stream) {
  ENTER;
  Stream *s = stream_of(call, stream);
  if (!s) return call();
  if (!attribute(call.context->device, ATTRIBUTE_POOLS)) return call(NOT_SUPPORTED);
  return take(call, Kind::device, out, bytes, 0);
}

API cuMemFreeAsync(CUdeviceptr p, void *stream) {
  ENTER;
  Stream *s = stream_of(call, stream);
  if (!s) return call();
  Allocation *a = find(p);
  if (!a || a->base != p || a->kind != Kind::device || a->freed_in_stream) return call.bad("0x%llx is not the begin of a block that lives", (unsigned long long)p);
  a->freed_in_stream = true;
  put(s, "free block " + std::to_string(a->id), [a] {
    if (a->mapped) unmap(a);
    return OK;
  });
  return call(OK);
}

/* ---- hints ---- */

static Allocation *managed(Call &call, CUdeviceptr p, size_t bytes) {
  Allocation *a = find(p);
  if (!a || a->kind != Kind::managed || !bytes || p + bytes > a->base + a->bytes) {
    call.bad("%zu bytes at 0x%llx are not managed memory", bytes, (unsigned long long)p);
    return nullptr;
  }
  return a;
}

static CUresult place(Call &call, CUdevice device) {
  if (device < -1 || device >= device_count()) return call.bad("there is no device %d", device), call(INVALID_DEVICE);
  if (device >= 0 && !attribute(device, ATTRIBUTE_CONCURRENT_MANAGED)) return call(INVALID_DEVICE);
  return call(OK);
}

API cuMemPrefetchAsync(CUdeviceptr p, size_t bytes, CUdevice device, void *stream) {
  ENTER;
  call.note("bytes %zu device %d", bytes, device);
  Stream *s = stream_of(call, stream);
  if (!s || !managed(call, p, bytes)) return call();
  if (place(call, device)) return call();
  put(s, "prefetch", [] { return OK; }, {{p, bytes}});
  return call(OK);
}

API cuMemAdvise(CUdeviceptr p, size_t bytes, int advice, CUdevice device) {
  ENTER;
  call.note("bytes %zu advice %d device %d", bytes, advice, device);
  if (!managed(call, p, bytes)) return call();
  if (advice < 1 || advice > 6) return call.bad("there is no advice %d", advice);
  return place(call, device);
}
