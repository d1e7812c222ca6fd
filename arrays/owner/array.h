/* array.h - the internal interface of arrays: tests of descriptors, owners, marks of twins,
 * creation, questions to Go. A function that plans a shape crosses into Go once; all others do not.
 * Threads: any. */
#ifndef PORTABLE__OWNER_ARRAY_H
#define PORTABLE__OWNER_ARRAY_H

#include "../../internal/edge/base.h"


/* A walk through one array, or two at once; strides are in elements. Mirror of arrays.Plan. */
struct portable__array_axis_pair {
  int64_t extent, from, to;
};
struct portable__array_plan {
  struct portable__array_axis_pair axis[PORTABLE_ARRAY_RANK]; /* sorted: the smallest stride of `to` first */
  int64_t elements;
  int32_t rank; /* 0: at most one element */
};

/* ---- array.c ---- */

/* Refuses NULL, another version's descriptor, a stale owner, and freed memory. function is the caller's, for the text. */
portable_status portable__array_live(const char *function, const portable_array *array);
/* The same; they also refuse elements that cannot be accessed: by launches on the host or on the emulated device (reached), by copies and fills of
 * this launch (launched), by the calling code (touched). */
portable_status portable__array_reached(const char *function, const portable_array *array);
portable_status portable__array_launched(const char *function, const portable_array *array, const portable_launch_config *config);
portable_status portable__array_touched(const char *function, const portable_array *array);
/* Puts function and label ("": without) before the text of an error; returns the status. */
portable_status portable__array_named(portable_status status, const char *function, const char *label);
/* Always an error: the argument is NULL (missing); the handle or argument is invalid (unfit; why: PORTABLE__UNFIT_...). */
portable_status portable__array_missing(const char *function, const char *label, const char *argument) PORTABLE__COLD;
portable_status portable__array_unfit(const char *function, const char *label, int32_t why, uint64_t number, portable_status otherwise) PORTABLE__COLD;
/* Asks a question of questions.h, and names the call in the text of an error. EXPLAINED is for refusals, PLANNED for plans. */
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

/* The caller becomes the first holder of the array's memory. block NULL: the memory is the program's. */
portable_status portable__array_own(const char *function, const portable_array_config *config, void *block, portable_array *array);
portable_status portable__array_give_block(portable_pool pool, void *block);

/* The twin with sides in the array's memory; 0: no twin. */
uint64_t portable__array_twin(const portable_array *array);
void portable__array_twin_set(const portable_array *array, uint64_t twin);

/* ---- twin_check.c ---- */

#define PORTABLE__ARRAY_SIDE (PORTABLE_ARRAY_HOST_SIDE | PORTABLE_ARRAY_DEVICE_SIDE)

/* Notes an access to an array: PORTABLE_TWIN_READ, _UPDATE or _OVERWRITE (of a part: an update). For sides of twins and their views: marks
 * changes; ERR_STATE under checks if the side is stale. */
PORTABLE__COLD portable_status portable__twin_uses(const char *function, const portable_array *array, int32_t access);
static inline portable_status portable__array_uses(const char *function, const portable_array *array, int32_t access) {
  return PORTABLE__LIKELY(!(array->flags & PORTABLE__ARRAY_SIDE)) ? PORTABLE_OK : portable__twin_uses(function, array, access);
}
/* Notes a copy: after a copy between the sides of a twin, both are equal. */
void portable__twin_copied(const portable_array *from, const portable_array *to);

/* ---- array_contents.c ---- */

/* portable_array_copy. In an asynchronous stream it returns at once; the caller holds both arrays until the stream has completed it. */
portable_status portable__array_copy_into(const char *function, const portable_array *from, const portable_array *to,
                                          const portable_launch_config *launch);

/* ---- array_make.c ---- */

/* Bytes of an element; 0: Go refuses the kind or the bytes. */
size_t portable__array_element_bytes(int32_t kind, size_t element_bytes);
/* Makes *array an empty descriptor with label and kind. */
void portable__array_begin(portable_array *array, const char *label, int32_t kind);
/* Completes the config (NULL, or of a checked struct_size) and sets the pool. */
void portable__array_config(const portable_array_config *given, portable_pool pool, portable_array_config *config_out);
/* Sets all bytes to 0. Go has tested that copies can access the space. */
portable_status portable__array_zero(const portable_array *array, uint64_t bytes);
/* 1: the space is memory of the emulated device, and launches on the default device can access it. */
int portable__array_emulated(int32_t space);
/* 1: copies and fills can access the space: it is the host's, or its device exists. */
int portable__array_copied(int32_t space);
/* Allocates `bytes` and an owner for an array with a complete shape. */
portable_status portable__array_allocate(const char *function, const portable_array_config *config, uint64_t bytes, portable_array *array);

/* ---- fortran_array.c ---- */

/* Copies the label, with an end, to name. Refuses a handle that holds an array already. */
portable_status portable__array_handle_begin(const char *function, int32_t version, const char *label, size_t label_bytes,
                                              const portable_array *array, char *name);
/* Always an error: the pointer is of another kind or rank than the array. */
portable_status portable__array_other_pointer(const char *function, const portable_array *a, int32_t kind, int32_t rank);

/* ---- names for cgo, which drops const from other types; lists have `rank` entries ---- */

typedef const portable_array *portable__array_in;
typedef const int64_t *portable__indices;
typedef const int32_t *portable__dims;
typedef const portable_array_range *portable__ranges;


#endif
