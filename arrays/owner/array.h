/* array.h - what the C files about arrays share. Private.
 *
 * In C is what must not cost a call into Go: owners and their holders, whether an array is there, one element of it. What a
 * shape is, and how one is made of another, is decided in Go (arrays/): a function here crosses once. */
#ifndef PORTABLE__OWNER_ARRAY_H
#define PORTABLE__OWNER_ARRAY_H

#include "../../internal/edge/base.h"


/* How a launch walks through one array, or through two at once: boxes with strides in elements. Mirror of arrays.Plan. */
struct portable__array_axis_pair {
  int64_t extent, from, to;
};
struct portable__array_plan {
  struct portable__array_axis_pair axis[PORTABLE_ARRAY_RANK]; /* the one along which `to` is closest together first */
  int64_t elements;
  int32_t rank; /* 0: one element, or none */
};

/* ---- array.c ---- */

/* 0, or what is wrong: no array, an owner that is gone, memory that was given back. function is the caller's, for the text. */
portable_status portable__array_live(const char *function, const portable_array *array);
/* The same, and launches on the host must reach the elements, those of the emulated device among them; copies and fills of this launch must; the code
 * that asks must. */
portable_status portable__array_reached(const char *function, const portable_array *array);
portable_status portable__array_launched(const char *function, const portable_array *array, const portable_launch_config *config);
portable_status portable__array_touched(const char *function, const portable_array *array);
/* The status, its text with function and label ("": none) before it. */
portable_status portable__array_named(portable_status status, const char *function, const char *label);
/* Always an error: the argument is NULL; the handle or the argument does not fit (PORTABLE__UNFIT_...). */
portable_status portable__array_missing(const char *function, const char *label, const char *argument) PORTABLE__COLD;
portable_status portable__array_unfit(const char *function, const char *label, int32_t why, uint64_t number, portable_status otherwise) PORTABLE__COLD;
/* What a question of questions.h answers, named. */
#define PORTABLE__ARRAY_EXPLAINED(status, function, label, otherwise, question)    \
  do {                                                                             \
    PORTABLE__EXPLAINED(status, "portable", NULL, otherwise, question);            \
    portable__array_named(*(status), function, label);                             \
  } while (0)
#define PORTABLE__ARRAY_PLANNED(status, function, label, question)                 \
  do {                                                                             \
    struct portable__crossing planned_;                                            \
    if ((*(status) = portable__cross_in(&planned_)) == PORTABLE_OK) {              \
      *(status) = (question);                                                      \
      portable__cross_out(&planned_);                                              \
      portable__array_named(*(status), function, label);                           \
    }                                                                              \
  } while (0)

/* States of an owner; the numbers are those of arrays.Owner. */
enum { PORTABLE__OWNER_HELD, PORTABLE__OWNER_RELEASED, PORTABLE__OWNER_DEALLOCATED, PORTABLE__OWNER_STOPPED };
int32_t portable__array_owner_state(uint64_t owner);

/* The caller becomes the first holder of the array's memory: of the block, or (NULL) of what is the program's. */
portable_status portable__array_own(const char *function, const portable_array_config *config, void *block, portable_array *array);
portable_status portable__array_give_block(portable_pool pool, void *block);

/* The twin whose sides lie in the array's memory; 0: none. */
uint64_t portable__array_twin(const portable_array *array);
void portable__array_twin_set(const portable_array *array, uint64_t twin);

/* ---- twin_check.c ---- */

#define PORTABLE__ARRAY_SIDE (PORTABLE_ARRAY_HOST_SIDE | PORTABLE_ARRAY_DEVICE_SIDE)

/* What is done with an array: PORTABLE_TWIN_READ, _UPDATE, _OVERWRITE (a part of a side is updated by it). Of sides, and views of them: marks
 * changes; ERR_STATE under checks where the side is stale. */
PORTABLE__COLD portable_status portable__twin_uses(const char *function, const portable_array *array, int32_t access);
static inline portable_status portable__array_uses(const char *function, const portable_array *array, int32_t access) {
  return PORTABLE__LIKELY(!(array->flags & PORTABLE__ARRAY_SIDE)) ? PORTABLE_OK : portable__twin_uses(function, array, access);
}
/* One array was copied to the other: two sides of one twin are the same then. */
void portable__twin_copied(const portable_array *from, const portable_array *to);

/* ---- array_contents.c ---- */

/* portable_array_copy; into an asynchronous stream it returns at once, and both must be held until the stream has passed it. */
portable_status portable__array_copy_into(const char *function, const portable_array *from, const portable_array *to,
                                          const portable_launch_config *launch);

/* ---- array_make.c ---- */

/* Bytes of an element; 0: Go refuses the kind or the bytes. */
size_t portable__array_element_bytes(int32_t kind, size_t element_bytes);
/* Makes *array a descriptor with label and kind, and nothing else. */
void portable__array_begin(portable_array *array, const char *label, int32_t kind);
/* The config that is given (of a checked struct_size; or NULL), and this pool. */
void portable__array_config(const portable_array_config *given, portable_pool pool, portable_array_config *config_out);
/* All bytes 0, where Go has found that copies reach the space. */
portable_status portable__array_zero(const portable_array *array, uint64_t bytes);
/* 1: the space is the emulated device's memory, which launches on the default device reach. */
int portable__array_emulated(int32_t space);
/* 1: copies and fills reach the space: it is the host's, or that of a device that is there. */
int portable__array_copied(int32_t space);
/* Memory and owner for an array whose shape is there already; bytes is what it needs. */
portable_status portable__array_allocate(const char *function, const portable_array_config *config, uint64_t bytes, portable_array *array);

/* ---- fortran_array.c ---- */

/* The label, its end put behind it; a handle that holds an array takes no other. */
portable_status portable__array_handle_begin(const char *function, int32_t version, const char *label, size_t label_bytes,
                                              const portable_array *array, char *name);
/* Always an error: the pointer is of another kind or rank than the array. */
portable_status portable__array_other_pointer(const char *function, const portable_array *a, int32_t kind, int32_t rank);

/* ---- exports_array.go: only between cross_in and cross_out ---- */

/* By names of their own because cgo drops const from bare ones. The lists have as many entries as the rank. */
typedef const portable_array *portable__array_in;
typedef const int64_t *portable__indices;
typedef const int32_t *portable__dims;
typedef const portable_array_range *portable__ranges;


#endif
