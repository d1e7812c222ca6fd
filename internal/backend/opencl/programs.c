/* programs.c - images as programs of OpenCL, their entries, and launches. Each entry takes an
 * address of its parameters, which lie in memory of the stream's ring, and shared memory. In C
 * because launches do not call Go. Locks: those of the records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "room.h"

/* The options of NVIDIA's loader that the engine gives: a text for messages. */
static void message(unsigned int n, const CUjit_option *names, void **values, char **text, size_t *bytes) {
  *text = NULL;
  *bytes = 0;
  for (unsigned int i = 0; i < n; i++) {
    if (names[i] == CU_JIT_ERROR_LOG_BUFFER) *text = values[i];
    if (names[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) *bytes = (size_t)(uintptr_t)values[i];
  }
  if (!*text) *bytes = 0;
}

static cl_program program_of(struct CUctx_st *on, const struct portable__opencl_image *h, const unsigned char *text, cl_int *code) {
  const size_t bytes = h->bytes;
  cl_int status = CL_SUCCESS;
  if (h->form == PORTABLE__OPENCL_IL) {
    if (portable__cl.clCreateProgramWithIL) return portable__cl.clCreateProgramWithIL(on->context, text, bytes, code);
    *code = CL_INVALID_BINARY;
    return NULL;
  }
  return portable__cl.clCreateProgramWithBinary(on->context, 1, &on->id, &bytes, &text, &status, code);
}

static CUresult load(CUmodule *to, const void *image, unsigned int n, CUjit_option *names, void **values) {
  struct CUctx_st *on = portable__cl_current();
  struct portable__opencl_image h;
  const char *entries = (const char *)image + sizeof h, *at = entries;
  char *log;
  size_t log_bytes;
  cl_int code = CL_SUCCESS;
  *to = NULL;
  if (!on || !on->context) return CUDA_ERROR_INVALID_CONTEXT;
  memcpy(&h, image, sizeof h);
  message(n, names, values, &log, &log_bytes);
  for (uint32_t i = 0; i < h.entries; i++) {
    uint32_t length;
    memcpy(&length, at + 4, sizeof length);
    at += 8 + length;
  }
  struct CUmod_st *m = calloc(1, sizeof *m);
  if (m) m->entries = malloc((size_t)(at - entries) + 1);
  if (!m || !m->entries) {
    free(m);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  memcpy(m->entries, entries, (size_t)(at - entries));
  m->count = h.entries;
  m->on = on;
  pthread_mutex_init(&m->lock, NULL);
  m->program = program_of(on, &h, (const unsigned char *)at, &code);
  if (code == CL_SUCCESS) {
    code = portable__cl.clBuildProgram(m->program, 1, &on->id, h.form == PORTABLE__OPENCL_SPIR ? "-x spir -spir-std=1.2" : "", NULL, NULL);
    if (code != CL_SUCCESS && log_bytes) portable__cl.clGetProgramBuildInfo(m->program, on->id, CL_PROGRAM_BUILD_LOG, log_bytes - 1, log, NULL);
  }
  if (code != CL_SUCCESS) {
    if (m->program) portable__cl.clReleaseProgram(m->program);
    free(m->entries);
    free(m);
    return portable__cl_failed(code);
  }
  *to = m;
  return CUDA_SUCCESS;
}

static CUresult unload(CUmodule m) {
  while (m->functions) {
    struct CUfunc_st *f = m->functions;
    m->functions = f->other;
    portable__cl.clReleaseKernel(f->kernel);
    pthread_mutex_destroy(&f->lock);
    free(f);
  }
  portable__cl.clReleaseProgram(m->program);
  pthread_mutex_destroy(&m->lock);
  free(m->entries);
  free(m);
  return CUDA_SUCCESS;
}

/* Bytes of the parameters of an entry; 0: the image does not say. */
static int32_t bytes_of(const struct CUmod_st *m, const char *name) {
  const char *at = m->entries;
  for (uint32_t i = 0; i < m->count; i++) {
    uint32_t bytes, length;
    memcpy(&bytes, at, sizeof bytes);
    memcpy(&length, at + 4, sizeof length);
    if (length == strlen(name) && memcmp(at + 8, name, length) == 0) return (int32_t)bytes;
    at += 8 + length;
  }
  return 0;
}

static CUresult function(CUfunction *to, CUmodule m, const char *name) {
  cl_int code = CL_SUCCESS;
  *to = NULL;
  cl_kernel kernel = portable__cl.clCreateKernel(m->program, name, &code);
  if (code != CL_SUCCESS) return portable__cl_failed(code);
  struct CUfunc_st *f = calloc(1, sizeof *f);
  if (!f) {
    portable__cl.clReleaseKernel(kernel);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  pthread_mutex_init(&f->lock, NULL);
  f->kernel = kernel;
  f->of = m;
  f->bytes = bytes_of(m, name);
  pthread_mutex_lock(&m->lock);
  f->other = m->functions;
  m->functions = f;
  pthread_mutex_unlock(&m->lock);
  *to = f;
  return CUDA_SUCCESS;
}

static CUresult function_attribute(int *to, CUfunction_attribute what, CUfunction f) {
  const cl_device_id id = f->of->on->id;
  cl_ulong bytes = 0;
  size_t threads = 0;
  cl_int code = CL_SUCCESS;
  *to = 0;
  switch (what) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    code = portable__cl.clGetKernelWorkGroupInfo(f->kernel, id, CL_KERNEL_WORK_GROUP_SIZE, sizeof threads, &threads, NULL);
    *to = threads < 1024 ? (int)threads : 1024;
    break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    code = portable__cl.clGetKernelWorkGroupInfo(f->kernel, id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    *to = (int)bytes;
    break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    code = portable__cl.clGetKernelWorkGroupInfo(f->kernel, id, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes, NULL);
    *to = (int)bytes;
    break;
  default: break; /* OpenCL does not count registers */
  }
  return portable__cl_failed(code);
}

/* More shared memory is not requested in advance. */
static CUresult function_set(CUfunction f, CUfunction_attribute what, int value) {
  (void)f, (void)what, (void)value;
  return CUDA_SUCCESS;
}

/* All parameters are one for the engine, which adds up their bytes. */
static CUresult parameter(CUfunction f, size_t number, size_t *offset, size_t *bytes) {
  *offset = 0;
  *bytes = (size_t)f->bytes;
  return number == 0 && f->bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* A place for parameters: of a launch that has completed, which the oldest has before the newer ones. */
static char *place(struct CUstream_st *s, struct ring **ring_out, cl_int *code) {
  struct ring *r = &s->ring[s->next];
  s->next = (s->next + 1) % RING;
  *ring_out = r;
  *code = CL_SUCCESS;
  if (r->used_by) {
    portable__cl.clWaitForEvents(1, &r->used_by);
    portable__cl.clReleaseEvent(r->used_by);
    r->used_by = NULL;
  }
  if (!r->parameters) r->parameters = portable__cl_take(s->on, PARAMETERS, PORTABLE__CL_PINNED, code);
  return r->parameters;
}

static CUresult launch(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz,
                       unsigned int shared_bytes, CUstream stream, void **parameters, void **extra) {
  struct CUstream_st *s = portable__cl_stream(stream);
  const size_t block[3] = {bx, by, bz}, all[3] = {(size_t)gx * bx, (size_t)gy * by, (size_t)gz * bz};
  const size_t bytes = extra && !parameters ? *(const size_t *)extra[3] : 0;
  struct ring *r;
  cl_event event = NULL;
  cl_int code;
  if (!s) return CUDA_ERROR_INVALID_CONTEXT;
  if (parameters || bytes > PARAMETERS) return CUDA_ERROR_NOT_SUPPORTED;
  pthread_mutex_lock(&s->lock);
  char *to = place(s, &r, &code);
  if (code == CL_SUCCESS) {
    memcpy(to, extra[1], bytes);
    pthread_mutex_lock(&f->lock);
    code = s->on->unified ? s->on->usm.clSetKernelArgMemPointerINTEL(f->kernel, 0, to) : portable__cl.clSetKernelArgSVMPointer(f->kernel, 0, to);
    if (code == CL_SUCCESS) code = portable__cl.clSetKernelArg(f->kernel, 1, shared_bytes ? shared_bytes : 16, NULL);
    if (code == CL_SUCCESS) code = portable__cl_tell(s->on, f);
    if (code == CL_SUCCESS) code = portable__cl.clEnqueueNDRangeKernel(s->queue, f->kernel, 3, NULL, all, block, 0, NULL, &event);
    pthread_mutex_unlock(&f->lock);
  }
  if (event) {
    portable__cl.clRetainEvent(event);
    r->used_by = event;
  }
  const CUresult result = portable__cl_entered(s, code, event);
  pthread_mutex_unlock(&s->lock);
  return result;
}

const struct portable__cl_name portable__cl_module_names[] = {
    {"cuModuleLoadDataEx", (void *)load},
    {"cuModuleUnload", (void *)unload},
    {"cuModuleGetFunction", (void *)function},
    {"cuFuncGetAttribute", (void *)function_attribute},
    {"cuFuncSetAttribute", (void *)function_set},
    {"cuFuncGetParamInfo", (void *)parameter},
    {"cuLaunchKernel", (void *)launch},
    {NULL, NULL},
};
