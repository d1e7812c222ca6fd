/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out, if no comment differs. */
#ifndef PORTABLE__OWNER_QUESTIONS_H
#define PORTABLE__OWNER_QUESTIONS_H

#include "../../internal/edge/base.h"
#include "array.h"
#include "records_of.h"

/* A call with an array, or records, that it cannot use. */
struct portable__array_refusal {
  int32_t records, none;  /* records 1: not an array, but records; none 1: NULL */
  uint32_t size, most;    /* struct_size: of the argument, and of this version */
  int32_t rank, owner;    /* PORTABLE__OWNER_... */
  int32_t space, far;     /* far 1: the code of the call cannot access the space */
  portable__text device;  /* of a launch; NULL: the host */
};

/* Reasons of portable__array_unfit; the numbers are those of arrays.Unfit. */
enum { PORTABLE__UNFIT_OWNER, PORTABLE__UNFIT_GIVEN_BACK, PORTABLE__UNFIT_ITSELF, PORTABLE__UNFIT_TWIN, PORTABLE__UNFIT_SIDE, PORTABLE__UNFIT_STATE,
       PORTABLE__UNFIT_RECORD };

/* A call that makes an array or records, and (out) its plan. */
struct portable__array_making {
  portable__text label;
  const portable_array_config *given; /* or NULL */
  portable__indices extents, strides;
  const void *data;
  uint64_t element_bytes;
  int32_t kind, rank;
  int32_t what;               /* PORTABLE__MAKE_... */
  int32_t layout;             /* from here on, for records */
  int64_t width;
  const portable_record *record;
  portable_pool pool;         /* out, from here on */
  uint64_t bytes;
};
enum { PORTABLE__MAKE_CREATE, PORTABLE__MAKE_WRAP, PORTABLE__MAKE_BYTES };

/* A call that makes a twin, and (out) its sides. */
struct portable__twin_making {
  const portable_twin_config *given; /* or NULL */
  struct portable__array_making side[2];
  portable__array_in wrapped;        /* the host side, if it is there already */
  int32_t separate;                  /* the environment asks for two memories */
  int32_t one_memory;                /* out */
};

/* A call that the marks of a twin refuse. */
struct portable__twin_refusal {
  portable__text function, label;
  int32_t checks, side, access; /* access 0: a sync; PORTABLE__UNTOLD: a sync that has found another checksum */
  struct {
    int32_t newer, arriving;
    portable__text since, unmarked;
  } sides[2];
};
#define PORTABLE__UNTOLD (-1)

/* Bytes of a view of rank 0, and of a dimension of one. */
#define PORTABLE__VIEW_HEAD 16
#define PORTABLE__VIEW_EACH 24

struct portable__owner_go {
  /* Why a call is refused; of the right arguments 0. */
  portable_status (*missing)(portable__text argument); /* it is NULL */
  portable_status (*array_refused)(struct portable__array_refusal *refusal);
  portable_status (*array_far)(int32_t space, int32_t asked);
  portable_status (*array_pointer)(int32_t kind, int32_t rank, int32_t pointer_kind, int32_t pointer_rank); /* of Fortran: they differ */
  portable_status (*array_copy_refused)(portable__array_in from, portable__array_in to);
  portable_status (*twin_refused)(struct portable__twin_refusal *refusal);
  portable_status (*unfit)(int32_t why, uint64_t number); /* PORTABLE__UNFIT_... */
  portable_status (*view)(int32_t none, int32_t rank, uint64_t bytes, int32_t of, int32_t order, portable__indices extents); /* of -1: of memory */
  /* Plans. */
  portable_status (*array_make)(struct portable__array_making *making, portable_array *array);
  portable_status (*record_add)(portable_record *record, portable__text name, int32_t kind, uint64_t value_bytes, int32_t count, int64_t offset);
  portable_status (*records_make)(struct portable__array_making *making, portable_records *records);
  portable_status (*records_alike)(portable__records_in from, portable__records_in to);
  portable_status (*twin_make)(struct portable__twin_making *making, portable_array *host, portable_array *device);
  portable_status (*array_slice)(portable_array *array, portable__ranges ranges);
  portable_status (*array_subset)(portable_array *array, int64_t first, int64_t last);
  portable_status (*array_reshape)(portable_array *array, int32_t rank, portable__indices extents, portable__indices lower);
  portable_status (*array_permute)(portable_array *array, portable__dims dims);
  portable_status (*array_rebase)(portable_array *array, portable__indices lower);
  portable_status (*array_compact)(portable_array *array, uint64_t *bytes_out);
  portable_status (*array_pair)(portable__array_in from, portable__array_in to, struct portable__array_plan *plan_out);
  portable_status (*array_numbered)(portable__array_in array, struct portable__array_plan *plan_out);
  portable_status (*array_same)(portable__array_in a, portable__array_in b, struct portable__array_plan *plan_out, int32_t *same_out);
  portable_status (*array_locate)(portable__array_in array, int32_t rank, portable__indices index); /* Only for the text: the element is not there. */
  portable_status (*layout_rule)(portable__text label, portable__text device, portable__text layout, uint64_t row_bytes);
  portable_status (*layout_find)(portable__text label, int32_t device, int32_t rank, int32_t otherwise, portable_layout *layout);
  /* Shape and address of a field's array, or (lanes) of one component in blocks. */
  portable_status (*records_field)(portable__records_in records, int32_t field, int32_t component, int32_t lanes, portable_array *array);
};
extern const struct portable__owner_go portable__owner_go;

#endif
