/* questions.h - what this room asks Go. capi/questions.c fills the table, when the archive is linked; in a program of this room alone it is empty.
 * Private. Only between portable__cross_in and portable__cross_out, where nothing else is said. */
#ifndef PORTABLE__DEVICE_QUESTIONS_H
#define PORTABLE__DEVICE_QUESTIONS_H

#include "../../internal/edge/base.h"
#include "cuda_request.h"

struct portable__device_go {
  portable_status (*cuda_load)(struct portable__cuda_request *request);
};
extern const struct portable__device_go portable__device_go;

#endif
