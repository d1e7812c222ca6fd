/* pointers.cpp - what a pointer points to. A pointer that the driver does not know is no mistake: the answer is INVALID_VALUE, or zeros. */
#include <string.h>

#include "fake.h"

using namespace fake;

namespace {

enum { CONTEXT = 1, MEMORY_TYPE, DEVICE_POINTER, HOST_POINTER, P2P_TOKENS, SYNC_MEMOPS, BUFFER_ID, IS_MANAGED, DEVICE_ORDINAL, LEGACY_IPC, RANGE_START, RANGE_SIZE, MAPPED };

CUresult answer(void *data, int what, uintptr_t p) {
  Allocation *a = find(p);
  if (!a) return INVALID_VALUE;
  bool host = a->kind == Kind::pinned || a->kind == Kind::registered;
  switch (what) {
    case CONTEXT: *static_cast<void **>(data) = a->context; return OK;
    case MEMORY_TYPE: *static_cast<unsigned *>(data) = host ? MEMORY_HOST : MEMORY_DEVICE; return OK;
    case DEVICE_POINTER: *static_cast<CUdeviceptr *>(data) = p; return OK;
    case HOST_POINTER:
      if (a->kind == Kind::device || a->kind == Kind::global) return INVALID_VALUE;
      *static_cast<void **>(data) = reinterpret_cast<void *>(p);
      return OK;
    case SYNC_MEMOPS: *static_cast<unsigned char *>(data) = 0; return OK;
    case BUFFER_ID: *static_cast<unsigned long long *>(data) = a->id; return OK;
    case IS_MANAGED: *static_cast<unsigned char *>(data) = a->kind == Kind::managed; return OK;
    case DEVICE_ORDINAL: *static_cast<int *>(data) = a->context->device; return OK;
    case LEGACY_IPC: *static_cast<unsigned char *>(data) = a->kind == Kind::device; return OK;
    case RANGE_START: *static_cast<CUdeviceptr *>(data) = a->base; return OK;
    case RANGE_SIZE: *static_cast<size_t *>(data) = a->bytes; return OK;
    case MAPPED: *static_cast<unsigned char *>(data) = 1; return OK;
    default: return INVALID_VALUE;
  }
}

}  // namespace

API cuPointerGetAttribute(void *data, int what, CUdeviceptr p) {
  Call call(__func__, Needs::init);
  if (call.stopped) return call();
  if (!data || what < CONTEXT || what > MAPPED) return call.bad("null, or there is no attribute %d", what);
  return call(answer(data, what, p));
}

/* Unknown pointers get zeros and no error, as the driver has it. */
API cuPointerGetAttributes(unsigned count, int *what, void **data, CUdeviceptr p) {
  Call call(__func__, Needs::init);
  if (call.stopped) return call();
  if (!count || !what || !data) return call.bad("null");
  for (unsigned i = 0; i < count; i++) {
    if (!data[i] || what[i] < CONTEXT || what[i] > MAPPED) return call.bad("null, or there is no attribute %d", what[i]);
    static const size_t sizes[] = {0, 8, 4, 8, 8, 16, 1, 8, 1, 4, 1, 8, 8, 1};
    memset(data[i], what[i] == DEVICE_ORDINAL ? -2 : 0, sizes[what[i]]);
    if (what[i] == DEVICE_ORDINAL) *static_cast<int *>(data[i]) = -2;
    answer(data[i], what[i], p);
  }
  return call(OK);
}

API cuPointerSetAttribute(const void *value, int what, CUdeviceptr p) {
  Call call(__func__, Needs::init);
  if (call.stopped) return call();
  if (!value || what != SYNC_MEMOPS || !find(p)) return call.bad("arguments");
  return call(OK);
}

API cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr p) {
  Call call(__func__, Needs::context);
  if (call.stopped) return call();
  Allocation *a = find(p);
  if (!a) return call(NOT_FOUND);
  if (base) *base = a->base;
  if (bytes) *bytes = a->bytes;
  return call(OK);
}
