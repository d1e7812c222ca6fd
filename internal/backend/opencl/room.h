/* room.h - records that the files of this room share: devices, streams, events, memory, modules,
 * and the bound functions of OpenCL. Private to the room. Locks: `memory` in memory.c guards the
 * table of allocations; a stream's lock its queue, ring and last event; a function's lock its
 * arguments. A function's lock is taken inside a stream's. */
#ifndef PORTABLE__OPENCL_ROOM_H
#define PORTABLE__OPENCL_ROOM_H

#include <pthread.h>
#include <stdatomic.h>

#include "include/cl.h"
#include "cuda.h"
#include "opencl.h"

#define X(result, name, arguments) result (*name) arguments;
extern struct portable__cl {
  PORTABLE__CL_FUNCTIONS
  PORTABLE__CL_MORE
} portable__cl;
struct portable__cl_usm {
  PORTABLE__CL_USM
};
#undef X

#define RING 32        /* launches of a stream whose parameters are kept */
#define PARAMETERS 4608 /* bytes of one; the engine's largest have 4096 + 256 */

struct ring {
  char *parameters;
  cl_event used_by; /* NULL: free */
};

struct CUstream_st {
  pthread_mutex_t lock;
  struct CUctx_st *on;
  cl_command_queue queue;
  cl_event last; /* of the newest work; NULL: none */
  struct ring ring[RING];
  int32_t next;
  struct CUstream_st *other; /* of the same device */
};

struct CUevent_st {
  pthread_mutex_t lock;
  cl_event at; /* NULL: never recorded */
};

/* A device, which is its own context. */
struct CUctx_st {
  cl_platform_id platform;
  cl_device_id id;
  cl_context context; /* NULL: not used so far */
  int32_t ordinal;
  int32_t unified; /* 1: Intel's memory */
  cl_bitfield svm;
  struct portable__cl_usm usm;
  struct portable__opencl_form form;
  char name[64];
  cl_ulong memory, local, cache;
  cl_uint units, clock, type;
  size_t group, items[3];
  cl_bool ecc;
  struct CUstream_st standard; /* NULL of the engine */
  _Atomic(uint64_t) taken;     /* bytes of memory */
};

struct CUfunc_st {
  pthread_mutex_t lock;
  cl_kernel kernel;
  struct CUmod_st *of;
  uint64_t known; /* allocations that the kernel may use: portable__cl_memory_state */
  int32_t bytes;  /* of its parameters; 0: not known */
  struct CUfunc_st *other;
};

struct CUmod_st {
  struct CUctx_st *on;
  cl_program program;
  char *entries; /* the list of the image */
  uint32_t count;
  pthread_mutex_t lock;
  struct CUfunc_st *functions;
};

struct CUctx_st *portable__cl_device(int32_t ordinal);
int32_t portable__cl_devices(void);
struct CUctx_st *portable__cl_current(void);

/* The driver's code for OpenCL's; the thread keeps the latter for cuGetErrorName. */
CUresult portable__cl_failed(cl_int code);

/* The stream for a handle of the engine. */
struct CUstream_st *portable__cl_stream(CUstream stream);
CUresult portable__cl_stream_start(struct CUstream_st *s, struct CUctx_st *on);
/* Work entered the stream, whose lock is held: starts it, and keeps its event. */
CUresult portable__cl_entered(struct CUstream_st *s, cl_int code, cl_event event);

/* memory.c */
void *portable__cl_take(struct CUctx_st *on, size_t bytes, int kind, cl_int *code_out);
void portable__cl_give(struct CUctx_st *on, void *memory);
uint64_t portable__cl_memory_state(void);
cl_int portable__cl_tell(struct CUctx_st *on, struct CUfunc_st *f);
enum { PORTABLE__CL_OF_DEVICE, PORTABLE__CL_MANAGED, PORTABLE__CL_PINNED };

/* Tables of each file: the driver's name and our function. */
struct portable__cl_name {
  const char *name;
  void *function;
};
extern const struct portable__cl_name portable__cl_device_names[], portable__cl_stream_names[], portable__cl_memory_names[], portable__cl_module_names[];

#endif
