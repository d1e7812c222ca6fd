/* fortran_block.c - writes a list of portable_arg into an argument block; see fortran_block.h for
 * its layout. Main function: portable__block_of. */
#include "fortran_block.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../exec/liveout/liveout.h"
#include "../../internal/kernels/reduction/partial.h"

const char *portable__argument_named(char *text, size_t room, const struct portable__fortran_argument *a, int32_t i) {
  char name[sizeof a->name + 1];
  portable__copy_text(name, sizeof name, a->name, sizeof a->name);
  snprintf(text, room, "argument %d%s", (int)i + 1, PORTABLE__NAMED(name));
  return text;
}

const char *portable__argument_form_name(int32_t form) {
  static const char *const names[] = {"a value", "an array", "the address of an array", "no array", "a live-out", "an array", "an array"};
  return names[form];
}

size_t portable__argument_bytes(const struct portable__fortran_argument *a, size_t *align_out) {
  if (a->form == PORTABLE__VALUE) {
    const size_t bytes = portable__kind_bytes(a->kind);
    *align_out = a->kind == PORTABLE_KIND_COMPLEX32 || a->kind == PORTABLE_KIND_COMPLEX64 ? bytes / 2 : bytes; /* two reals */
    return bytes;
  }
  *align_out = sizeof(void *);
  return portable__argument_form(a) == PORTABLE__VIEW ? PORTABLE__VIEW_BYTES(a->rank) : sizeof(void *);
}

PORTABLE__COLD static portable_status refuse_one(const char *label, const struct portable__fortran_argument *a, int32_t i) {
  if (a->form == PORTABLE__BOUNDS)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': %s has rank %d, and more or fewer lower bounds", label,
                          PORTABLE__ARGUMENT_NAMED(a, i), (int)a->rank);
  if (a->form == PORTABLE__HANDLE && a->rank == 0)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': %s is a handle without an array; allocate or create one", label,
                          PORTABLE__ARGUMENT_NAMED(a, i));
  if (a->form == PORTABLE__MISSING)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': %s is a pointer that is not associated; allocate the array, or point it at one",
                          label, PORTABLE__ARGUMENT_NAMED(a, i));
  return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': %s has rank %d; arguments have %d dimensions at most", label,
                        PORTABLE__ARGUMENT_NAMED(a, i), (int)a->rank, PORTABLE__ARGUMENT_RANKS);
}

portable_status portable__arguments_ready(const char *label, const struct portable__fortran_argument *args, int32_t count) {
  if (count < 0 || count > PORTABLE__ARGUMENTS_MOST)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': there are %d arguments; the most are %d", label, (int)count,
                          PORTABLE__ARGUMENTS_MOST);
  for (int32_t i = 0; i < count; i++)
    if (PORTABLE__UNLIKELY(args[i].form == PORTABLE__BOUNDS || args[i].form == PORTABLE__MISSING || args[i].rank > PORTABLE__ARGUMENT_RANKS ||
                           (args[i].form == PORTABLE__HANDLE && args[i].rank == 0)))
      return refuse_one(label, &args[i], i);
  return PORTABLE_OK;
}

PORTABLE__COLD static portable_status no_access(const char *label, const struct portable__fortran_argument *a, int32_t i) {
  return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': %s has an invalid access; it is 'read', 'write' or 'both'", label,
                        PORTABLE__ARGUMENT_NAMED(a, i));
}

PORTABLE__COLD static portable_status no_whole_step(const char *label, const struct portable__fortran_argument *a, int32_t i, int32_t d, int64_t step,
                                                    int64_t bytes) {
  return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': dimension %d of %s goes on by %" PRId64 " bytes, which is no whole number of "
                        "elements of %" PRId64 " bytes; give a copy of it", label, (int)d + 1, PORTABLE__ARGUMENT_NAMED(a, i), step, bytes);
}

portable_status portable__argument_check(const char *label, const struct portable__fortran_argument *a, int32_t i, int64_t *strides) {
  if (a->form == PORTABLE__LIVEOUT || a->form == PORTABLE__VALUE) return PORTABLE_OK;
  if (PORTABLE__UNLIKELY(a->access < PORTABLE_ACCESS_READ || a->access > PORTABLE_ACCESS_BOTH)) return no_access(label, a, i);
  if (a->form == PORTABLE__HANDLE) return PORTABLE_OK;
  const int64_t bytes = (int64_t)portable__kind_bytes(a->kind);
  const int laid = a->data && !(a->notes & PORTABLE__DENSE);
  int64_t contiguous = 1;
  int dense = 1;
  for (int32_t d = 0; d < a->rank; d++) {
    strides[d] = contiguous;
    if (laid && a->extent[d] > 1) {
      const int64_t step = a->next[d] - a->data;
      if (PORTABLE__UNLIKELY(step != contiguous * bytes)) { /* divisions are slow */
        if (step % bytes != 0) return no_whole_step(label, a, i, d, step, bytes);
        strides[d] = step / bytes;
        dense = 0;
      }
    }
    contiguous *= a->extent[d];
  }
  if (a->form == PORTABLE__ADDRESS && !dense)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': %s is not contiguous, and the kernel wants its address; give it without address, "
                          "as a view, or a copy of it", label, PORTABLE__ARGUMENT_NAMED(a, i));
  return PORTABLE_OK;
}

portable_status portable__argument_put(const char *label, const struct portable__fortran_argument *a, int32_t i, void *empty, char *to) {
  int64_t strides[PORTABLE__ARGUMENT_RANKS];
  portable_status status = portable__argument_check(label, a, i, strides);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
  if (a->form == PORTABLE__VALUE) {
    memcpy(to, a->value, portable__kind_bytes(a->kind));
    return PORTABLE_OK;
  }
  if (a->form == PORTABLE__LIVEOUT) {
    void *value;
    status = portable__liveout_at("parallel_for", a->liveout, &value);
    if (status == PORTABLE_OK) memcpy(to, &value, sizeof value);
    return status;
  }
  if (a->form == PORTABLE__HANDLE)
    return portable_view_of((const portable_array *)(const void *)a->data, a->rank, to, PORTABLE__VIEW_BYTES(a->rank));
  void *data = a->data ? (void *)(uintptr_t)a->data : empty;
  if (a->form == PORTABLE__ADDRESS) {
    memcpy(to, &data, sizeof data);
    return PORTABLE_OK;
  }
  portable_array_view *view = (portable_array_view *)(void *)to; /* of that rank: the view ends there */
  view->data = data;
  view->rank = a->rank;
  view->argument = 0;
  for (int32_t d = 0; d < a->rank; d++) view->dim[d] = (portable_view_dimension){a->lower[d], a->extent[d], strides[d]};
  return PORTABLE_OK;
}

portable_status portable__block_of(const char *label, const struct portable__fortran_argument *args, int32_t count, char *block, size_t *bytes_out) {
  static _Alignas(64) char empty[64]; /* compilers take an array at NULL for an absent argument */
  size_t at = 0, most = 1, align;
  portable_status status = portable__arguments_ready(label, args, count);
  for (int32_t i = 0; i < count && status == PORTABLE_OK; i++) {
    const size_t bytes = portable__argument_bytes(&args[i], &align);
    for (; at & (align - 1); at++) block[at] = 0; /* between arguments */
    status = portable__argument_put(label, &args[i], i, empty, block + at);
    at += bytes;
    if (align > most) most = align;
  }
  for (; at & (most - 1); at++) block[at] = 0;
  *bytes_out = at;
  return status;
}
