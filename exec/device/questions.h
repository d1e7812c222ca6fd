/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out, if no comment differs. */
#ifndef PORTABLE__DEVICE_QUESTIONS_H
#define PORTABLE__DEVICE_QUESTIONS_H

#include "../../internal/edge/base.h"
#include "../../internal/backend/cuda/kernel.h"
#include "../../capi/include/device/portable_device.h"
#include "../launch/kernel_record.h"

/* A launch that C found not ordinary. Fields that are not known yet are 0. */
struct portable__cuda_refused {
  const struct kernel *kernel;
  const struct portable__cuda_program *program;
  const struct portable__cuda_form *form;
  portable__text call;
  const void *args;
  portable_device device, config_device; /* config_device: that a launch into a stream of another one names */
  const portable_work_division *division;        /* of the launch */
  const struct portable__cuda_facts *facts;
  int32_t team;
  int64_t threads_asked, shared_asked, shared_most;
  int64_t parameter_bytes; /* of the launch, if the entry takes others */
};

/* Memory of a device that a call cannot use where it runs. */
enum { PORTABLE__UNREACHED_DEVICE, PORTABLE__UNREACHED_HOST, PORTABLE__UNREACHED_OTHER, PORTABLE__UNREACHED_COPY };
struct portable__unreached {
  int32_t why;
  portable__text call, label, name, other_name; /* the names of the memory, and of the other memory of UNREACHED_OTHER; of a copy NULL */
  uintptr_t at, other;
  int32_t index;                                /* of the device whose memory it is */
  portable_device device;                       /* the call's */
};

/* cgo drops const from the parameters of exports, but not from these names. */
typedef const struct kernel *portable__kernel_in;
typedef const portable_cuda_code *portable__cuda_code_in;
typedef const struct portable__note *portable__note_in;
typedef const struct portable__cuda_refused *portable__cuda_refused_in;
typedef const struct portable__unreached *portable__unreached_in;

struct portable__device_go {
  /* Checks the code of a kernel, and makes a program of it; code is not NULL. */
  portable_status (*kernel_set_cuda)(portable__kernel_in kernel, portable__cuda_code_in code, struct portable__cuda_program **program_out);
  /* Makes a function of a program. on_host 1: the kernel has a host version. Then *no_compiler_out is 1 without NVRTC, and PORTABLE__CODE_REFUSED if
   * code that the source tool wrote does not compile; no error is set. */
  portable_status (*cuda_form)(struct portable__cuda_program *program, int32_t index, int32_t variant, int32_t on_host, int32_t *no_compiler_out);
  portable_status (*cuda_list)(portable__text label, uint32_t key); /* makes a list of the library's own kernels, unless another thread has */
  int32_t (*cuda_compiles)(int32_t index); /* 1: the compiler for the device is available; 0: a warning was printed */
  size_t (*cuda_log)(struct portable__cuda_program *program, char *text, size_t room); /* gives the bytes of the log, with a 0 */
  /* The text of a failure that a kernel reported, and the label of that kernel. */
  void (*cuda_note)(portable__note_in note, char *text, size_t room, char *label, size_t label_room);
  void (*cuda_failed)(int32_t code, portable__text call, portable__text label); /* sets the text of the driver's refusal */
  portable_status (*cuda_refused)(portable__cuda_refused_in launch);
  portable_status (*device_unreached)(portable__unreached_in what);
  portable_status (*device_missing)(portable__text call, portable__text label, portable_device device);
  portable_status (*device_not_cuda)(portable__text call, portable__text label, portable_device device);
  portable_status (*device_properties)(portable_device device, portable_device_properties *out);
  portable_status (*device_memory)(portable_device device, uint64_t *free_out, uint64_t *total_out);
};
extern const struct portable__device_go portable__device_go;

#endif
