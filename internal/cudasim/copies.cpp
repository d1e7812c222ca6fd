/* copies.cpp - copies and fills of one, two and three dimensions. An async copy out of pageable memory takes its source at the call, one into
 * pageable memory has ended when the call returns; pinned, managed and device memory is touched when the copy's turn comes in its stream.
 * Synchronous ones go through the default stream and are waited for. */
#include <string.h>

#include <algorithm>

#include "fake.h"

namespace fake {
namespace {

enum class Side { host, device, any };

/* Bytes of a box: rows of `width` bytes, `pitch` apart, `height` of them, planes `plane` apart. */
struct Box {
  uintptr_t p;
  size_t pitch, plane;
};

size_t extent(const Box &b, size_t width, size_t height, size_t depth) { return (depth - 1) * b.plane + (height - 1) * b.pitch + width; }

bool pageable(uintptr_t p) { return find(p) == nullptr; }

bool is_device(const Allocation *a) { return a && (a->kind == Kind::device || a->kind == Kind::global || a->kind == Kind::managed); }

/* A range must lie in one block of the right kind, or in no block at all where it may be the host's. */
bool check(Call &call, const char *which, uintptr_t p, size_t bytes, Side side) {
  Allocation *a = find(p);
  if (!p) return call.bad("%s is null", which), false;
  if (a && p + bytes > a->base + a->bytes)
    return call.bad("%s: %zu bytes from offset %zu reach beyond a block of %zu bytes", which, bytes, size_t(p - a->base), a->bytes), false;
  if (a && a->freed_in_stream) return call.bad("%s was freed", which), false;
  if (side == Side::device && !a) return call.bad("%s (0x%zx) is no device memory", which, size_t(p)), false;
  if (side == Side::device && !is_device(a) && a->kind != Kind::pinned && a->kind != Kind::registered) return call.bad("%s is no device memory", which), false;
  if (side == Side::host && a && (a->kind == Kind::device || a->kind == Kind::global)) return call.bad("%s is device memory, not the host's", which), false;
  auto next = allocations().upper_bound(p);
  if (!a && next != allocations().end() && next->first < p + bytes && next->second->kind != Kind::registered)
    return call.bad("%s reaches into a block of the device", which), false;
  return true;
}

void open_pair(Context *context, uintptr_t p, uintptr_t q) {
  open_for(context);
  for (uintptr_t x : {p, q})
    if (Allocation *a = find(x); a && a->context->device != context->device) {
      context->peers.insert(a->context); /* the copy engine reaches other devices without peer access */
      open_for(context);
      context->peers.erase(a->context);
    }
}

CUresult copy(Call &call, Box to, Side to_side, Box from, Side from_side, size_t width, size_t height, size_t depth, Stream *s, bool waits) {
  call.note("bytes %zu", width * height * depth);
  if (!s) return call();
  if (!width || !height || !depth) return call(OK);
  size_t to_bytes = extent(to, width, height, depth), from_bytes = extent(from, width, height, depth);
  if (!check(call, "destination", to.p, to_bytes, to_side) || !check(call, "source", from.p, from_bytes, from_side)) return call();
  std::shared_ptr<std::vector<char>> staged;
  if (pageable(from.p) && !waits) {
    auto *p = reinterpret_cast<const char *>(from.p);
    staged = std::make_shared<std::vector<char>>(p, p + from_bytes);
  }
  Context *context = call.context;
  Mark mark = put(
      s, "copy " + std::to_string(width * height * depth) + " bytes",
      [=] {
        open_pair(context, to.p, from.p);
        auto *t = reinterpret_cast<char *>(to.p);
        auto *f = staged ? staged->data() : reinterpret_cast<const char *>(from.p);
        for (size_t k = 0; k < depth; k++)
          for (size_t j = 0; j < height; j++) memmove(t + k * to.plane + j * to.pitch, f + k * from.plane + j * from.pitch, width);
        return OK;
      },
      {{to.p, to_bytes}, {from.p, staged ? 0 : from_bytes}});
  if (waits || pageable(to.p)) finish(mark);
  return call(context->sticky);
}

CUresult fill(Call &call, uintptr_t p, size_t pitch, uint32_t value, size_t element, size_t width, size_t height, Stream *s, bool waits) {
  call.note("bytes %zu", width * height * element);
  if (!s) return call();
  if (!width || !height) return call(OK);
  size_t row = width * element;
  if (p % element) return call.bad("0x%zx is not a multiple of %zu", size_t(p), element);
  if (height > 1 && (pitch < row || pitch % element)) return call.bad("the pitch %zu is less than a row of %zu bytes, or no multiple", pitch, row);
  size_t bytes = (height - 1) * pitch + row;
  if (!check(call, "destination", p, bytes, Side::device)) return call();
  Context *context = call.context;
  Mark mark = put(
      s, "fill " + std::to_string(row * height) + " bytes",
      [=] {
        open_pair(context, p, p);
        for (size_t j = 0; j < height; j++)
          for (size_t i = 0; i < row; i += element) memcpy(reinterpret_cast<char *>(p) + j * pitch + i, &value, element);
        return OK;
      },
      {{p, bytes}});
  if (waits) finish(mark);
  return call(context->sticky);
}

bool side_of(Call &call, unsigned type, const void *host, CUdeviceptr device, uintptr_t *p, Side *side) {
  if (type == MEMORY_HOST) return *p = reinterpret_cast<uintptr_t>(host), *side = Side::host, true;
  if (type == MEMORY_DEVICE) return *p = device, *side = Side::device, true;
  if (type == MEMORY_UNIFIED) return *p = device, *side = Side::any, true;
  return call.bad("memory type %u", type), false;
}

CUresult copy_box(Call &call, const CUDA_MEMCPY3D *c, Stream *s, bool waits) {
  if (!c) return call.bad("null");
  if (!c->WidthInBytes || !c->Height || !c->Depth) return call(OK);
  uintptr_t to, from;
  Side to_side, from_side;
  if (!side_of(call, c->dstMemoryType, c->dstHost, c->dstDevice, &to, &to_side)) return call();
  if (!side_of(call, c->srcMemoryType, c->srcHost, c->srcDevice, &from, &from_side)) return call();
  if (c->srcLOD || c->dstLOD) return call.bad("a level of detail");
  auto pitch = [&](size_t pitch, size_t x) { return pitch ? pitch : c->WidthInBytes + x; };
  size_t sp = pitch(c->srcPitch, c->srcXInBytes), dp = pitch(c->dstPitch, c->dstXInBytes);
  if (sp < c->WidthInBytes + c->srcXInBytes || dp < c->WidthInBytes + c->dstXInBytes) return call.bad("a pitch is less than a row");
  size_t sh = c->srcHeight ? c->srcHeight : c->Height + c->srcY, dh = c->dstHeight ? c->dstHeight : c->Height + c->dstY;
  if (c->Depth > 1 && (sh < c->Height + c->srcY || dh < c->Height + c->dstY)) return call.bad("a plane is less than the box");
  Box t{to + c->dstXInBytes + c->dstY * dp + c->dstZ * dp * dh, dp, dp * dh};
  Box f{from + c->srcXInBytes + c->srcY * sp + c->srcZ * sp * sh, sp, sp * sh};
  return copy(call, t, to_side, f, from_side, c->WidthInBytes, c->Height, c->Depth, s, waits);
}

CUresult copy_2d(Call &call, const CUDA_MEMCPY2D *c, Stream *s, bool waits) {
  if (!c) return call.bad("null");
  CUDA_MEMCPY3D d = {};
  d.srcXInBytes = c->srcXInBytes, d.srcY = c->srcY, d.srcMemoryType = c->srcMemoryType, d.srcHost = c->srcHost, d.srcDevice = c->srcDevice;
  d.srcPitch = c->srcPitch, d.dstXInBytes = c->dstXInBytes, d.dstY = c->dstY, d.dstMemoryType = c->dstMemoryType, d.dstHost = c->dstHost;
  d.dstDevice = c->dstDevice, d.dstPitch = c->dstPitch, d.WidthInBytes = c->WidthInBytes, d.Height = c->Height, d.Depth = 1;
  return copy_box(call, &d, s, waits);
}

}  // namespace
}  // namespace fake

using namespace fake;

#define ENTER                                       \
  Call call(__func__, Needs::context);              \
  if (call.stopped) return call();                  \
  Stream *zero = &call.context->zero;               \
  (void)zero
#define P(x) uintptr_t(x)
#define LINE(to, to_side, from, from_side, bytes, stream, waits) \
  copy(call, Box{P(to), bytes, bytes}, to_side, Box{P(from), bytes, bytes}, from_side, bytes, 1, 1, stream, waits)

API cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  ENTER;
  return LINE(to, Side::any, from, Side::any, bytes, zero, true);
}
API cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, void *stream) {
  ENTER;
  return LINE(to, Side::any, from, Side::any, bytes, stream_of(call, stream), false);
}
API cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  ENTER;
  return LINE(to, Side::device, from, Side::host, bytes, zero, true);
}
API cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  ENTER;
  return LINE(to, Side::host, from, Side::device, bytes, zero, true);
}
API cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  ENTER;
  return LINE(to, Side::device, from, Side::device, bytes, zero, false); /* not waited for, as the driver has it */
}
API cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, void *stream) {
  ENTER;
  return LINE(to, Side::device, from, Side::host, bytes, stream_of(call, stream), false);
}
API cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, void *stream) {
  ENTER;
  return LINE(to, Side::host, from, Side::device, bytes, stream_of(call, stream), false);
}
API cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, void *stream) {
  ENTER;
  return LINE(to, Side::device, from, Side::device, bytes, stream_of(call, stream), false);
}
API cuMemcpyPeer(CUdeviceptr to, void *, CUdeviceptr from, void *, size_t bytes) {
  ENTER;
  return LINE(to, Side::device, from, Side::device, bytes, zero, false);
}
API cuMemcpyPeerAsync(CUdeviceptr to, void *, CUdeviceptr from, void *, size_t bytes, void *stream) {
  ENTER;
  return LINE(to, Side::device, from, Side::device, bytes, stream_of(call, stream), false);
}

API cuMemcpy2D_v2(const CUDA_MEMCPY2D *c) {
  ENTER;
  return copy_2d(call, c, zero, true);
}
API cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *c) {
  ENTER;
  return copy_2d(call, c, zero, true);
}
API cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, void *stream) {
  ENTER;
  return copy_2d(call, c, stream_of(call, stream), false);
}
API cuMemcpy3D_v2(const CUDA_MEMCPY3D *c) {
  ENTER;
  return copy_box(call, c, zero, true);
}
API cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *c, void *stream) {
  ENTER;
  return copy_box(call, c, stream_of(call, stream), false);
}

/* Fills of device memory are not waited for by the host, as the driver has it. */
#define FILLS(bits, type)                                                                                                                        \
  API cuMemsetD##bits##_v2(CUdeviceptr p, type value, size_t count) {                                                                            \
    ENTER;                                                                                                                                       \
    return fill(call, p, 0, value, sizeof value, count, 1, zero, false);                                                                         \
  }                                                                                                                                              \
  API cuMemsetD##bits##Async(CUdeviceptr p, type value, size_t count, void *stream) {                                                            \
    ENTER;                                                                                                                                       \
    return fill(call, p, 0, value, sizeof value, count, 1, stream_of(call, stream), false);                                                      \
  }                                                                                                                                              \
  API cuMemsetD2D##bits##_v2(CUdeviceptr p, size_t pitch, type value, size_t width, size_t height) {                                             \
    ENTER;                                                                                                                                       \
    return fill(call, p, pitch, value, sizeof value, width, height, zero, false);                                                                \
  }                                                                                                                                              \
  API cuMemsetD2D##bits##Async(CUdeviceptr p, size_t pitch, type value, size_t width, size_t height, void *stream) {                             \
    ENTER;                                                                                                                                       \
    return fill(call, p, pitch, value, sizeof value, width, height, stream_of(call, stream), false);                                             \
  }
FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned)
