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
/* The status, its text with function and label before it. */
portable_status portable__array_named(portable_status status, const char *function, const char *label);
const char *portable__array_kind(int32_t kind); /* for texts */

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

/* The config that is there, whole; ERR_ARG. */
portable_status portable__array_config(const char *function, const char *label, const portable_array_config *given, portable_array_config *config_out);
/* All but data and owner; *array is none before. Orders are no rules any more. */
portable_status portable__array_describe(const char *function, const char *label, int32_t kind, size_t element_bytes, int32_t rank,
                                         const int64_t *extents, const int64_t *strides, const portable_array_config *config,
                                         portable_array *array, uint64_t *bytes_out);

/* Bytes of an element; 0 with the text of what is wrong. */
size_t portable__array_element_bytes(const char *function, const char *label, int32_t kind, size_t element_bytes);
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
