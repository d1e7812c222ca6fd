/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out. */
#ifndef PORTABLE__HALO_QUESTIONS_H
#define PORTABLE__HALO_QUESTIONS_H

#include "halo.h"

typedef const struct portable__fields *portable__fields_in;
typedef const struct portable__particles *portable__particles_in;
typedef const portable_array *portable__halo_array_in;
typedef const int32_t *portable__halo_dims_in;
typedef const int64_t *portable__halo_lower_in;

struct portable__halo_go {
  portable_status (*add_refused)(portable__fields_in fields, portable__text name, portable__halo_array_in array, int32_t count, portable__halo_dims_in dims);
  /* Completes the halo: spec, rank, own cells. */
  portable_status (*box)(struct portable__halo *halo, portable__halo_box_in options, int64_t *signature_out);
  portable_status (*lists)(struct portable__halo *halo, portable__halo_lists_in options, int64_t *balance_out);
  void (*balances)(uint64_t spec, int64_t *values);                          /* [ranks] */
  portable_status (*unbalanced)(struct portable__halo *halo, int32_t sender); /* gives an error */
  void (*end)(uint64_t spec);
  portable_status (*plan)(struct portable__halo *halo, portable__fields_in fields, struct portable__halo_plan **plan_out);
  portable_status (*particle)(struct portable__halo *halo, portable__particles_in particles); /* gives an error: the owner is wrong */
  portable_status (*differ)(struct portable__halo *halo, portable__fields_in fields, int32_t number); /* gives an error */
  portable_status (*added)(struct portable__halo *halo, portable__fields_in fields); /* refuses kinds that cannot be added */
  portable_status (*split)(struct portable__halo *halo, int32_t order, portable__halo_lower_in lower, portable_bounds *inner_out, portable_bounds *rim_out,
                           int32_t *count_out);
  /* Plans own cells as blocks; blocks has a place for each field. */
  portable_status (*blocks)(struct portable__halo *halo, portable__fields_in fields, portable__text call, struct portable__halo_plan **plan_out, portable__block *blocks);
  portable_status (*file)(portable__text call, portable__text file, int32_t action, int64_t bytes, uint64_t *stamp_out);
};
extern const struct portable__halo_go portable__halo_go;

#endif
