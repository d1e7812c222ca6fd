/* fortran_block.h - arguments of portable_arg as bytes of an argument block. Host and devices share
 * its layout: a C structure with the arguments as members, in their order; a view is a
 * portable_view_RANK. */
#ifndef PORTABLE__FORTRAN_BLOCK_H
#define PORTABLE__FORTRAN_BLOCK_H

#include "../../exec/stage/argument.h"
#include "../../internal/edge/base.h"
#include "../include/device/portable_device.h"

#define PORTABLE__ARGUMENTS_MOST 64
#define PORTABLE__ANY_ORDER_OPTION "-DPORTABLE_NEST_ORDER=PORTABLE_ORDER_ANY" /* of a generated text whose arrays have another order than Fortran's */
#define PORTABLE__VIEW_BYTES(rank) (offsetof(portable_array_view, dim) + (size_t)(rank) * sizeof(portable_view_dimension)) /* of portable_view_RANK */
#define PORTABLE__BLOCK_MOST (PORTABLE__ARGUMENTS_MOST * PORTABLE__VIEW_BYTES(PORTABLE__ARGUMENT_RANKS))

/* "argument 2 ('h')", written to text, which is returned. */
const char *portable__argument_named(char *text, size_t room, const struct portable__fortran_argument *a, int32_t i);
#define PORTABLE__ARGUMENT_NAMED(a, i) portable__argument_named((char[64]){0}, 64, a, i)
const char *portable__argument_form_name(int32_t form);

/* The form of the argument in the kernel. */
static inline int32_t portable__argument_form(const struct portable__fortran_argument *a) { return a->form == PORTABLE__HANDLE ? PORTABLE__VIEW : a->form; }

/* Bytes and alignment of an argument in the block. */
size_t portable__argument_bytes(const struct portable__fortran_argument *a, size_t *align_out);

/* Refuses a list: too many arguments, or arguments that portable_arg could not refuse. */
portable_status portable__arguments_ready(const char *label, const struct portable__fortran_argument *args, int32_t count);

/* Refuses one argument; for an array, gives its strides in elements. */
portable_status portable__argument_check(const char *label, const struct portable__fortran_argument *a, int32_t i, int64_t *strides);

/* The same, and writes it into the block. empty, if not NULL, is the address that an array without elements gets. */
portable_status portable__argument_put(const char *label, const struct portable__fortran_argument *a, int32_t i, void *empty, char *to);

/* The whole block, at most PORTABLE__BLOCK_MOST bytes aligned at 16, for a kernel of the host. */
portable_status portable__block_of(const char *label, const struct portable__fortran_argument *args, int32_t count, char *block, size_t *bytes_out);

/* ERR_ARG, with its text, if two arguments that may overlap share an element, and the kernel writes one of them. */
portable_status portable__arguments_apart(const char *label, const struct portable__fortran_argument *args, int32_t count);

#endif
