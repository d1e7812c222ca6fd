/* questions.h - the table of questions that this room asks Go. capi/questions.c fills it when the
 * archive is linked; a program of this room alone has an empty table. Private. Each question is
 * asked between portable__cross_in and portable__cross_out. */
#ifndef PORTABLE__LAUNCH_QUESTIONS_H
#define PORTABLE__LAUNCH_QUESTIONS_H

#include "../../internal/edge/base.h"
#include "../../internal/team/team.h"

/* cgo drops const from bare pointers. */
typedef const portable_bounds *portable__bounds_in;
typedef const portable_argument *portable__arguments_in;

/* Versions of a kernel for the host. */
enum { PORTABLE__LOOPS, PORTABLE__TEAMS, PORTABLE__REDUCTIONS, PORTABLE__BLOCK_VERSIONS };

enum { PORTABLE__ASKED_OUTER = 1, PORTABLE__ASKED_BLOCKS };

/* A launch that C refuses, for exec.Launch. */
struct portable__launch_asked {
  portable__text call, label;
  const portable_bounds *bounds;        /* NULL: there are none; of outer 1 they are not checked */
  const portable_launch_config *config; /* NULL: none */
  portable__text missing;               /* the name of another argument that is NULL; NULL: none is */
  size_t scratch_bytes;
  const int32_t *threads;               /* of a block */
  int32_t outer;                        /* PORTABLE__ASKED_...: only what such a call has beyond a launch is checked; 0: a launch */
  int32_t strided, integer_bytes, wide; /* as of portable__launch */
  int32_t divides;                      /* PORTABLE__DIVIDES_... */
  int32_t devices, by_default, stream_device; /* how many devices there are, -1: they are not checked; 0: no such stream */
  int32_t of_bounds;                    /* set: the bounds are refused */
};

struct portable__launch_go {
  portable_status (*refuse)(struct portable__launch_asked *asked);
  portable_status (*refuse_bounds)(portable__text missing, int32_t rank, int32_t order);
  portable_status (*kernel_create)(portable__text label, size_t block_bytes, const portable_argument *arguments, size_t count,
                                   portable_kernel *kernel_out);
  portable_status (*stale)(portable__text call, uint64_t handle, portable__text kind);
  portable_status (*refuse_argument)(portable__text label, size_t i, size_t count);
  portable_status (*no_host)(portable__text label, int32_t version);
  portable_status (*launch)(int32_t device, struct portable__job *job);
  portable_status (*device_find)(portable__text name, int32_t *number_out);
  portable_status (*device_set_default)(int32_t number);
  portable_status (*set_threads)(int32_t n);
  portable_status (*fallback_print)(void);
  int32_t (*holds)(uintptr_t addr); /* 1: a live block of any pool holds it */
};
extern const struct portable__launch_go portable__launch_go;

#endif
