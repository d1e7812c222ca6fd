/* devices.c - numbers, facts and contexts of the devices of both drivers (devices.h). In C
 * because launches ask without a call into Go. */
#include "devices.h"

#include <pthread.h>
#include <stddef.h>

#include "cuda.h"
#include "memory.h"
#include "shim.h"

_Atomic int32_t portable__cuda_first = INT32_MAX;
_Atomic int32_t portable__cuda_devices;

static struct portable__cuda_facts facts[PORTABLE__CUDA_MOST];
static int32_t ordinals[PORTABLE__CUDA_MOST]; /* the driver's numbers */
static _Atomic(CUcontext) contexts[PORTABLE__CUDA_MOST]; /* retained */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards retaining and releasing */

/* Counts releases: a context that was current before one is invalid after it, even if the next has the same address. */
static _Atomic uint32_t generation = 1;
static __thread uint32_t entered[PORTABLE__DRIVERS] __attribute__((tls_model("initial-exec")));

static int exists(int32_t index) { return index >= 0 && index < atomic_load_explicit(&portable__cuda_devices, memory_order_acquire); }

void portable__cuda_found(int32_t count, const struct portable__cuda_facts *found, const int32_t *numbers) {
  const int32_t before = atomic_load(&portable__cuda_devices);
  if (count > PORTABLE__CUDA_MOST - before) count = PORTABLE__CUDA_MOST - before;
  for (int32_t i = 0; i < count; i++) {
    facts[before + i] = found[i];
    ordinals[before + i] = numbers[i];
  }
  atomic_store_explicit(&portable__cuda_devices, before + count, memory_order_release);
}

void portable__cuda_numbered(int32_t first) {
  atomic_store_explicit(&portable__cuda_first, first > 0 ? first : INT32_MAX, memory_order_release);
}

int32_t portable__cuda_number(int32_t index) {
  int32_t first = atomic_load_explicit(&portable__cuda_first, memory_order_acquire);
  return first != INT32_MAX && exists(index) ? first + index : 0;
}

const struct portable__cuda_facts *portable__cuda_facts(int32_t index) { return exists(index) ? &facts[index] : NULL; }

int32_t portable__cuda_of_ordinal(int32_t driver, int32_t ordinal) {
  for (int32_t i = 0; exists(i); i++)
    if (facts[i].driver == driver && ordinals[i] == ordinal) return i;
  return -1;
}

int32_t portable__cuda_first_of(int32_t driver) {
  for (int32_t i = 0; exists(i); i++)
    if (facts[i].driver == driver) return i;
  return -1;
}

int portable__cuda_are_alike(int32_t index, int32_t other) { return !exists(index) || !exists(other) || facts[index].driver == facts[other].driver; }

int portable__cuda_is_other(int32_t index, uintptr_t address) {
  return portable__cuda_mixed() && portable__cuda_driver_of(address) != facts[index].driver;
}

/* Retains the context if needed, and stores it in *out. */
static CUresult retain(int32_t index, CUcontext *out) {
  CUresult result = CUDA_SUCCESS;
  CUcontext context = atomic_load_explicit(&contexts[index], memory_order_acquire);
  if (!context) {
    if (!portable__cuda_is_open()) return CUDA_ERROR_NOT_INITIALIZED; /* a forked child must not wait for a lock */
    pthread_mutex_lock(&lock);
    context = atomic_load(&contexts[index]);
    if (!context) {
      result = cuDevicePrimaryCtxRetain(&context, ordinals[index]);
      if (result == CUDA_SUCCESS) atomic_store_explicit(&contexts[index], context, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
  }
  *out = context;
  return result;
}

static CUresult enter(int32_t index, CUcontext *before) {
  CUcontext want, have = NULL;
  *before = NULL;
  if (!exists(index)) return CUDA_ERROR_INVALID_DEVICE;
  portable__cuda_turn(facts[index].driver);
  CUresult result = retain(index, &want);
  if (result != CUDA_SUCCESS) return result;
  result = cuCtxGetCurrent(&have);
  if (result != CUDA_SUCCESS) return result;
  uint32_t now = atomic_load_explicit(&generation, memory_order_relaxed);
  *before = have;
  if (have == want && entered[facts[index].driver] == now) return CUDA_SUCCESS;
  result = cuCtxSetCurrent(want);
  if (result == CUDA_SUCCESS) entered[facts[index].driver] = now;
  return result;
}

int portable__cuda_enter(int32_t index) {
  CUcontext before;
  return (int)enter(index, &before);
}

int portable__cuda_visit(int32_t index, void **before) {
  CUcontext have;
  CUresult result = enter(index, &have);
  *before = have;
  return (int)result;
}

void portable__cuda_return(void *before) {
  CUcontext have = NULL;
  if (before && cuCtxGetCurrent(&have) == CUDA_SUCCESS && have != before) cuCtxSetCurrent(before);
}

int portable__cuda_retain(int32_t index, void **context_out) {
  CUcontext context = NULL;
  int result = CUDA_ERROR_INVALID_DEVICE;
  if (exists(index)) {
    const int before = portable__cuda_turn(facts[index].driver);
    result = (int)retain(index, &context);
    portable__cuda_turn(before);
  }
  *context_out = context;
  return result;
}

void *portable__cuda_context(int32_t index) {
  void *context;
  return portable__cuda_retain(index, &context) == CUDA_SUCCESS ? context : NULL;
}

int32_t portable__cuda_ordinal(int32_t index) { return exists(index) ? ordinals[index] : -1; }

int portable__cuda_memory(int32_t index, uint64_t *free_out, uint64_t *total_out) {
  void *before;
  size_t rest = 0, all = 0;
  int result = portable__cuda_visit(index, &before);
  if (result == CUDA_SUCCESS) {
    result = (int)cuMemGetInfo(&rest, &all);
    portable__cuda_return(before);
  }
  *free_out = rest;
  *total_out = all;
  return result;
}

void portable__cuda_release(void) {
  portable__cuda_numbered(0);
  if (!portable__cuda_is_open()) return; /* never opened, or a forked child, whose parent has the contexts */
  pthread_mutex_lock(&lock);
  for (int32_t i = 0; i < PORTABLE__CUDA_MOST; i++) {
    CUcontext context = atomic_exchange(&contexts[i], NULL), current = NULL;
    if (!context) continue;
    portable__cuda_turn(facts[i].driver);
    if (cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context) cuCtxSetCurrent(NULL);
    cuDevicePrimaryCtxRelease(ordinals[i]);
  }
  atomic_fetch_add(&generation, 1);
  pthread_mutex_unlock(&lock);
}

const char *portable__cuda_error_name(int code) {
  const char *name = NULL;
  return cuGetErrorName((CUresult)code, &name) == CUDA_SUCCESS && name ? name : "an error without a name";
}

const char *portable__cuda_error_text(int code) {
  const char *text = NULL;
  return cuGetErrorString((CUresult)code, &text) == CUDA_SUCCESS && text ? text : "the driver has no text for it";
}

int portable__cuda_is_sticky(int code) {
  switch (code) {
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
  case CUDA_ERROR_SYSTEM_NOT_READY:
  case CUDA_ERROR_UNKNOWN:
    return 1;
  }
  return 0;
}
