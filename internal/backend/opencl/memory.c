/* memory.c - memory of devices under one address for host and device, its table, and copies of it.
 * In C because allocations of slabs, launches and copies do not call Go. Lock: `memory` guards the
 * table, a tree would be shorter to search but is not needed: a program has tens of slabs. */
#include <stdlib.h>
#include <string.h>

#include "room.h"

struct piece {
  uintptr_t start;
  size_t bytes;
  struct CUctx_st *on;
  int32_t kind;
};

static pthread_mutex_t memory = PTHREAD_MUTEX_INITIALIZER;
static struct piece *pieces;
static size_t used, room;
static uint64_t changes = 1; /* of the table */

/* ---- the table ---- */

static int enter(void *start, size_t bytes, struct CUctx_st *on, int kind) {
  pthread_mutex_lock(&memory);
  if (used == room) {
    const size_t more = room ? 2 * room : 64;
    struct piece *all = realloc(pieces, more * sizeof *all);
    if (all) pieces = all, room = more;
  }
  const int fits = used < room;
  if (fits) pieces[used++] = (struct piece){(uintptr_t)start, bytes, on, kind};
  changes++;
  pthread_mutex_unlock(&memory);
  return fits;
}

static size_t leave(void *start) {
  size_t bytes = 0;
  pthread_mutex_lock(&memory);
  for (size_t i = 0; i < used; i++)
    if (pieces[i].start == (uintptr_t)start) {
      bytes = pieces[i].bytes;
      pieces[i] = pieces[--used];
      changes++;
      break;
    }
  pthread_mutex_unlock(&memory);
  return bytes;
}

static int find(uintptr_t at, struct piece *to) {
  int found = 0;
  pthread_mutex_lock(&memory);
  for (size_t i = 0; i < used && !found; i++)
    if (at - pieces[i].start < pieces[i].bytes) {
      *to = pieces[i];
      found = 1;
    }
  pthread_mutex_unlock(&memory);
  return found;
}

uint64_t portable__cl_memory_state(void) {
  pthread_mutex_lock(&memory);
  const uint64_t now = changes;
  pthread_mutex_unlock(&memory);
  return now;
}

/* Kernels follow addresses in their arguments, so the driver must know all memory that they may use. */
cl_int portable__cl_tell(struct CUctx_st *on, struct CUfunc_st *f) {
  cl_int code = CL_SUCCESS;
  if (on->unified) {
    const cl_bool yes = 1;
    static const cl_uint kinds[] = {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                    CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL};
    if (f->known) return CL_SUCCESS;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && code == CL_SUCCESS; i++)
      code = portable__cl.clSetKernelExecInfo(f->kernel, kinds[i], sizeof yes, &yes);
    f->known = code == CL_SUCCESS;
    return code;
  }
  pthread_mutex_lock(&memory);
  if (f->known != changes) {
    size_t n = 0;
    void **all = malloc((used + 1) * sizeof *all);
    code = all ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; all && i < used; i++)
      if (pieces[i].on == on) all[n++] = (void *)pieces[i].start;
    if (n) code = portable__cl.clSetKernelExecInfo(f->kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, n * sizeof *all, all);
    free(all);
    if (code == CL_SUCCESS) f->known = changes;
  }
  pthread_mutex_unlock(&memory);
  return code;
}

/* ---- taking and giving ---- */

void *portable__cl_take(struct CUctx_st *on, size_t bytes, int kind, cl_int *code_out) {
  void *p = NULL;
  const cl_bitfield atomics = on->svm & CL_DEVICE_SVM_ATOMICS ? CL_MEM_SVM_ATOMICS : 0;
  *code_out = CL_SUCCESS;
  if (bytes == 0) bytes = 1;
  if (!on->unified)
    p = portable__cl.clSVMAlloc(on->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | atomics, bytes, 0);
  else if (kind == PORTABLE__CL_PINNED)
    p = on->usm.clHostMemAllocINTEL(on->context, NULL, bytes, 0, code_out);
  else if (kind == PORTABLE__CL_MANAGED)
    p = on->usm.clSharedMemAllocINTEL(on->context, on->id, NULL, bytes, 0, code_out);
  else
    p = on->usm.clDeviceMemAllocINTEL(on->context, on->id, NULL, bytes, 0, code_out);
  if (p && !enter(p, bytes, on, kind)) {
    if (on->unified)
      on->usm.clMemBlockingFreeINTEL(on->context, p);
    else
      portable__cl.clSVMFree(on->context, p);
    p = NULL;
  }
  if (p)
    atomic_fetch_add(&on->taken, bytes);
  else if (*code_out == CL_SUCCESS)
    *code_out = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return p;
}

void portable__cl_give(struct CUctx_st *on, void *p) {
  const size_t bytes = leave(p);
  if (bytes == 0) return;
  atomic_fetch_sub(&on->taken, bytes);
  if (on->unified)
    on->usm.clMemBlockingFreeINTEL(on->context, p);
  else
    portable__cl.clSVMFree(on->context, p);
}

static CUresult take(void **to, size_t bytes, int kind) {
  struct CUctx_st *on = portable__cl_current();
  cl_int code;
  *to = NULL;
  if (!on || !on->context) return CUDA_ERROR_INVALID_CONTEXT;
  *to = portable__cl_take(on, bytes, kind, &code);
  return portable__cl_failed(code);
}

static CUresult of_device(CUdeviceptr *to, size_t bytes) {
  void *p;
  const CUresult result = take(&p, bytes, PORTABLE__CL_OF_DEVICE);
  *to = (CUdeviceptr)(uintptr_t)p;
  return result;
}

static CUresult managed(CUdeviceptr *to, size_t bytes, unsigned int flags) {
  void *p;
  const CUresult result = take(&p, bytes, PORTABLE__CL_MANAGED);
  (void)flags;
  *to = (CUdeviceptr)(uintptr_t)p;
  return result;
}

static CUresult pinned(void **to, size_t bytes, unsigned int flags) {
  (void)flags;
  return take(to, bytes, PORTABLE__CL_PINNED);
}

/* As the driver's, it waits for all work of the device. */
static CUresult give(CUdeviceptr memory_) {
  struct piece of;
  if (memory_ == 0) return CUDA_SUCCESS;
  if (!find((uintptr_t)memory_, &of) || of.start != (uintptr_t)memory_) return CUDA_ERROR_INVALID_VALUE;
  struct CUctx_st *on = of.on;
  portable__cl.clFinish(on->standard.queue);
  pthread_mutex_lock(&on->standard.lock);
  for (struct CUstream_st *s = on->standard.other; s; s = s->other) portable__cl.clFinish(s->queue);
  pthread_mutex_unlock(&on->standard.lock);
  portable__cl_give(on, (void *)(uintptr_t)memory_);
  return CUDA_SUCCESS;
}

static CUresult give_pinned(void *memory_) { return give((CUdeviceptr)(uintptr_t)memory_); }

static CUresult device_pointer(CUdeviceptr *to, void *memory_, unsigned int flags) {
  (void)flags;
  *to = (CUdeviceptr)(uintptr_t)memory_;
  return CUDA_SUCCESS;
}

static CUresult info(size_t *rest, size_t *all) {
  const struct CUctx_st *on = portable__cl_current();
  if (!on) return CUDA_ERROR_INVALID_CONTEXT;
  const uint64_t taken = atomic_load(&on->taken);
  *all = on->memory;
  *rest = taken < on->memory ? on->memory - taken : 0;
  return CUDA_SUCCESS;
}

static CUresult attribute(void *to, CUpointer_attribute what, CUdeviceptr at) {
  struct piece of;
  if (!find((uintptr_t)at, &of)) return CUDA_ERROR_INVALID_VALUE;
  switch (what) {
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(unsigned int *)to = of.kind == PORTABLE__CL_PINNED ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE; break;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned int *)to = of.kind == PORTABLE__CL_MANAGED; break;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)to = of.on->ordinal; break;
  case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)to = of.on; break;
  default: return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}

/* ---- copies ---- */

/* One copy; the caller holds the lock. event_out may be NULL: the queue is in order. */
static cl_int copy(struct CUstream_st *s, uintptr_t to, uintptr_t from, size_t bytes, cl_event *event_out) {
  if (s->on->unified) return s->on->usm.clEnqueueMemcpyINTEL(s->queue, 0, (void *)to, (const void *)from, bytes, 0, NULL, event_out);
  return portable__cl.clEnqueueSVMMemcpy(s->queue, 0, (void *)to, (const void *)from, bytes, 0, NULL, event_out);
}

struct box {
  uintptr_t to, from;
  size_t width, rows, to_row, from_row, slices, to_slice, from_slice;
};

/* Memory that the driver does not know may change, or be read, as soon as the call returns. */
static CUresult put(CUstream stream, const struct box *b) {
  struct CUstream_st *s = portable__cl_stream(stream);
  struct piece of;
  cl_event event = NULL;
  cl_int code = CL_SUCCESS;
  if (!s) return CUDA_ERROR_INVALID_CONTEXT;
  if (b->width == 0 || b->rows == 0 || b->slices == 0) return CUDA_SUCCESS;
  const int waits = !find(b->to, &of) || !find(b->from, &of);
  pthread_mutex_lock(&s->lock);
  for (size_t k = 0; k < b->slices && code == CL_SUCCESS; k++)
    for (size_t j = 0; j < b->rows && code == CL_SUCCESS; j++)
      code = copy(s, b->to + k * b->to_slice + j * b->to_row, b->from + k * b->from_slice + j * b->from_row, b->width,
                  k + 1 == b->slices && j + 1 == b->rows ? &event : NULL);
  if (event && waits) portable__cl.clRetainEvent(event);
  if (code != CL_SUCCESS) portable__cl.clFinish(s->queue); /* earlier rows, which have no event */
  CUresult result = portable__cl_entered(s, code, event);
  pthread_mutex_unlock(&s->lock);
  if (event && waits) {
    if (portable__cl.clWaitForEvents(1, &event) != CL_SUCCESS) result = CUDA_ERROR_LAUNCH_FAILED;
    portable__cl.clReleaseEvent(event);
  }
  return result;
}

static CUresult plain(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  const struct box b = {.to = (uintptr_t)to, .from = (uintptr_t)from, .width = bytes, .rows = 1, .slices = 1};
  return put(stream, &b);
}

static CUresult upload(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) { return plain(to, (CUdeviceptr)(uintptr_t)from, bytes, stream); }

/* The engine gives addresses without offsets. */
static CUresult rows(const CUDA_MEMCPY2D *m, CUstream stream) {
  const struct box b = {(uintptr_t)m->dstDevice, (uintptr_t)m->srcDevice, m->WidthInBytes, m->Height, m->dstPitch, m->srcPitch, 1, 0, 0};
  return put(stream, &b);
}

static CUresult slices(const CUDA_MEMCPY3D *m, CUstream stream) {
  const struct box b = {(uintptr_t)m->dstDevice, (uintptr_t)m->srcDevice, m->WidthInBytes, m->Height, m->dstPitch, m->srcPitch, m->Depth,
                        m->dstPitch * m->dstHeight, m->srcPitch * m->srcHeight};
  return put(stream, &b);
}

static CUresult fill(CUdeviceptr to, const void *value, size_t bytes, size_t times, CUstream stream) {
  struct CUstream_st *s = portable__cl_stream(stream);
  cl_event event = NULL;
  if (!s) return CUDA_ERROR_INVALID_CONTEXT;
  if (times == 0) return CUDA_SUCCESS;
  pthread_mutex_lock(&s->lock);
  const cl_int code = s->on->unified ? s->on->usm.clEnqueueMemFillINTEL(s->queue, (void *)(uintptr_t)to, value, bytes, bytes * times, 0, NULL, &event)
                                     : portable__cl.clEnqueueSVMMemFill(s->queue, (void *)(uintptr_t)to, value, bytes, bytes * times, 0, NULL, &event);
  const CUresult result = portable__cl_entered(s, code, event);
  pthread_mutex_unlock(&s->lock);
  return result;
}

static CUresult fill1(CUdeviceptr to, unsigned char value, size_t times, CUstream stream) { return fill(to, &value, 1, times, stream); }
static CUresult fill2(CUdeviceptr to, unsigned short value, size_t times, CUstream stream) { return fill(to, &value, 2, times, stream); }
static CUresult fill4(CUdeviceptr to, unsigned int value, size_t times, CUstream stream) { return fill(to, &value, 4, times, stream); }

const struct portable__cl_name portable__cl_memory_names[] = {
    {"cuMemAlloc_v2", (void *)of_device},
    {"cuMemAllocManaged", (void *)managed},
    {"cuMemHostAlloc", (void *)pinned},
    {"cuMemFree_v2", (void *)give},
    {"cuMemFreeHost", (void *)give_pinned},
    {"cuMemHostGetDevicePointer_v2", (void *)device_pointer},
    {"cuMemGetInfo_v2", (void *)info},
    {"cuPointerGetAttribute", (void *)attribute},
    {"cuMemcpyAsync", (void *)plain},
    {"cuMemcpyHtoDAsync_v2", (void *)upload},
    {"cuMemcpy2DAsync_v2", (void *)rows},
    {"cuMemcpy3DAsync_v2", (void *)slices},
    {"cuMemsetD8Async", (void *)fill1},
    {"cuMemsetD16Async", (void *)fill2},
    {"cuMemsetD32Async", (void *)fill4},
    {NULL, NULL},
};
