/* componentwise.c - operations on arrays element by element: checks, what an operand is, and the launch. In C because a launch is, and
 * because a small array takes less time than a call into Go. Not in this file: the work itself (internal/kernels/componentwise/componentwise.c).
 * Threads: any, at any time. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../internal/kernels/componentwise/componentwise.h"
#include "../../internal/kernels/base/overlap.h"
#include "../../internal/edge/calls.h"
#include "extents.h"

#define SMALL 16384        /* elements that the team is not called for: they take less time than a wake-up */
#define UNIT 4096         /* elements that a launch counts as one iteration */
#define SMALL_SLOW 1024   /* the same where each element is a call */
#define UNIT_SLOW 256
#define UNIT_ACROSS 65536 /* the same where an operand lies across: rows enough for tiles */
#define FEW 1024          /* bytes of an argument block that are kept on the stack */

/* What the kernel gets, and the launch copies. A fill's value follows. */
struct task {
  int64_t unit;
  struct portable__componentwise work;
};

/* A call, and what its checks need to say where they are. */
struct asked {
  const char *call, *label;
  int32_t rank;
  const int64_t *extents;
  portable_componentwise_options options;
  struct task task;
};

#define FAIL(code, format, ...) portable__fail(code, "%s '%s': " format, a->call, a->label, __VA_ARGS__)

static const char *const names[PORTABLE__OPERANDS] = {"the result", "a", "b", "the mask"};

static const char *const kinds[] = {"no kind",   "int8",      "int16",    "int32",     "int64",     "real32",    "real64",
                                    "complex32", "complex64", "logical8", "logical16", "logical32", "logical64"};
static const int8_t kind_bytes[] = {0, 1, 2, 4, 8, 4, 8, 8, 16, 1, 2, 4, 8};

static int is_kind(int32_t kind) { return kind >= PORTABLE_KIND_INT8 && kind <= PORTABLE_KIND_LOGICAL64; }
static int is_logical(int32_t kind) { return kind >= PORTABLE_KIND_LOGICAL8 && kind <= PORTABLE_KIND_LOGICAL64; }

static const char *const binaries[] = {"",     "add",   "subtract", "multiply",  "divide",        "mod",   "power",   "min", "max", "sign",
                                       "atan2", "less", "greater",  "less_equal", "greater_equal", "equal", "unequal", "and", "or"};
static const char *const unaries[] = {"",     "plus", "negate", "abs",   "sqrt",  "cbrt", "sin",   "cos",   "tan",   "asin", "acos",
                                      "atan", "exp",  "log",    "log10", "log2",  "floor", "ceil", "round", "isnan", "isinf", "not"};

PORTABLE__COLD static portable_status no_operation(const struct asked *a, int32_t op, int32_t kind, const char *const *ops, int32_t last,
                                                   const char *first_name, const char *last_name) {
  if (op < 1 || op > last) return FAIL(PORTABLE_ERR_ARG, "%d is no operation; they are %s to %s", (int)op, first_name, last_name);
  if (!is_kind(kind)) return FAIL(PORTABLE_ERR_ARG, "%d is no kind of element; they are PORTABLE_KIND_INT8 to _LOGICAL64", (int)kind);
  return FAIL(PORTABLE_ERR_ARG, "there is no %s of elements of the kind %s; %s", ops[op], kinds[kind],
              is_logical(kind) ? "logicals have and, or, not, equal and unequal"
              : kind == PORTABLE_KIND_INT32 || kind == PORTABLE_KIND_INT64 ? "integers have no functions of reals"
                                                                           : "operands are int32, int64, real32, real64 or logical");
}

/* ---- operands ---- */

static portable_status begin(struct asked *a, const portable_componentwise_options *options) {
  const portable_componentwise_options none = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  if (!a->label) a->label = "unlabelled";
  a->options = none;
  memset(&a->task, 0, sizeof a->task);
  if (options) {
    if (options->struct_size < sizeof(uint32_t) || options->struct_size > sizeof none)
      return FAIL(PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_COMPONENTWISE_OPTIONS_INIT", (unsigned)options->struct_size);
    memcpy(&a->options, options, options->struct_size);
  }
  if (a->options.flags & ~(PORTABLE_ONE_A | PORTABLE_ONE_B | PORTABLE_ONE_MASK))
    return FAIL(PORTABLE_ERR_ARG, "flags is %#x; there are PORTABLE_ONE_A, _B and _MASK", (unsigned)a->options.flags);
  portable_status status = portable__check_order(a->call, a->label, a->options.order);
  if (status != PORTABLE_OK) return status;
  if ((status = portable__check_rank(a->call, a->label, a->rank, a->extents)) != PORTABLE_OK) return status;
  struct portable__componentwise *w = &a->task.work;
  int overflow = 0, empty = 0;
  w->axes = a->rank;
  w->count = 1;
  for (int32_t k = 0; k < a->rank; k++) { /* the fastest first */
    int32_t d = a->options.order == PORTABLE_ORDER_FORTRAN ? k : a->rank - 1 - k;
    int64_t n = a->extents[d];
    if (n < 0) return FAIL(PORTABLE_ERR_ARG, "extent %d is %" PRId64 "; it is 0 or more", (int)d + 1, n);
    w->axis[k].extent = n;
    empty |= n == 0;
    overflow |= __builtin_mul_overflow(w->count, n, &w->count);
  }
  if (empty) w->count = 0;
  if (overflow && !empty) return FAIL(PORTABLE_ERR_OVERFLOW, "%s", "there are more elements than a 64-bit integer counts");
  return PORTABLE_OK;
}

/* Operand k: an array, or one value. */
static portable_status operand(struct asked *a, int k, const void *data, int64_t bytes, const int64_t *strides, uint32_t one) {
  struct portable__componentwise *w = &a->task.work;
  int64_t step = bytes, span = bytes;
  int overflow = 0;
  w->bytes[k] = bytes;
  if (a->options.flags & one) {
    if (!data) return FAIL(PORTABLE_ERR_ARG, "%s is NULL", names[k]);
    const portable_status status = portable_fence_memory(data);
    if (PORTABLE__LIKELY(status == PORTABLE_OK)) memcpy(w->value[k], data, (size_t)bytes);
    return status;
  }
  if (!w->count) return PORTABLE_OK;
  if (!data) return FAIL(PORTABLE_ERR_ARG, "%s is NULL, but the array has elements", names[k]);
  w->at[k] = (char *)(uintptr_t)data;
  for (int32_t i = 0; i < a->rank; i++) {
    int32_t d = a->options.order == PORTABLE_ORDER_FORTRAN ? i : a->rank - 1 - i;
    int64_t n = w->axis[i].extent, reach;
    w->axis[i].step[k] = strides ? strides[d] : step;
    overflow |= w->axis[i].step[k] == INT64_MIN || __builtin_mul_overflow(w->axis[i].step[k], n - 1, &reach) || reach == INT64_MIN ||
                __builtin_add_overflow(span, reach < 0 ? -reach : reach, &span);
    if (!strides) overflow |= __builtin_mul_overflow(step, n, &step);
  }
  if (overflow) return FAIL(PORTABLE_ERR_OVERFLOW, "%s has more bytes from end to end than a 64-bit integer counts", names[k]);
  const portable_launch_config *launch = a->options.launch;
  const int in_stream = launch && launch->struct_size >= offsetof(portable_launch_config, stream) + sizeof launch->stream && launch->stream;
  return in_stream ? PORTABLE_OK : portable_fence_memory(data);
}

static int same_elements(const struct portable__componentwise *w, int k) {
  if (w->at[k] != w->at[PORTABLE__RESULT] || w->bytes[k] != w->bytes[PORTABLE__RESULT]) return 0;
  for (int32_t d = 0; d < w->axes; d++)
    if (w->axis[d].extent > 1 && w->axis[d].step[k] != w->axis[d].step[PORTABLE__RESULT]) return 0;
  return 1;
}

static void lie(const struct portable__componentwise *w, int k, struct portable__lying *x) {
  x->at = w->at[k];
  x->bytes = w->bytes[k];
  x->rank = w->axes;
  for (int32_t d = 0; d < w->axes; d++) {
    x->strides[d] = w->axis[d].step[k];
    x->extents[d] = w->axis[d].extent;
  }
}

static portable_status check_memory(const struct asked *a) {
  const struct portable__componentwise *w = &a->task.work;
  struct portable__lying result, other;
  if (!w->count) return PORTABLE_OK;
  lie(w, PORTABLE__RESULT, &result);
  if (PORTABLE__UNLIKELY(portable__overlap_self(&result)))
    return FAIL(PORTABLE_ERR_ARG, "elements of %s lie on one another: each dimension's stride passes over all that the shorter ones reach",
                names[PORTABLE__RESULT]);
  for (int k = PORTABLE__A; k < PORTABLE__OPERANDS; k++) {
    if (!w->at[k] || same_elements(w, k)) continue;
    lie(w, k, &other);
    int found = portable__overlap(&result, &other);
    if (PORTABLE__UNLIKELY(found))
      return FAIL(PORTABLE_ERR_ARG, "the result %s memory with %s, and not element by element; give it memory of its own, or copy %s first",
                  found == PORTABLE__UNKNOWN ? "may share" : "shares", names[k], names[k]);
  }
  return PORTABLE_OK;
}

/* ---- launches ---- */

static void kernel(const portable_tile *t, void *args) {
  const struct task *task = args;
  int64_t to = (t->upper[0] + 1) * task->unit;
  portable__component_range(&task->work, t->lower[0] * task->unit, to < task->work.count ? to : task->work.count);
}

/* Operands that have no result are looked for before any is written. */
struct search {
  const struct task *task;
  _Atomic int found;
};

static void search_kernel(const portable_tile *t, void *args) {
  struct search *s = args;
  for (int64_t u = t->lower[0]; u <= t->upper[0] && !atomic_load_explicit(&s->found, memory_order_relaxed); u++) {
    int64_t from = u * s->task->unit, to = from + s->task->unit;
    if (portable__component_fault(&s->task->work, from, to < s->task->work.count ? to : s->task->work.count) >= 0)
      atomic_store_explicit(&s->found, 1, memory_order_relaxed);
  }
}

/* in_order: the work with its axes as the array has them. */
PORTABLE__COLD static portable_status division_by_zero(const struct asked *a, const struct portable__componentwise *in_order, const char *what) {
  char index[PORTABLE_LOOP_RANK * 24] = "";
  int64_t at = portable__component_fault(in_order, 0, in_order->count), indices[PORTABLE_LOOP_RANK];
  int fortran = a->options.order == PORTABLE_ORDER_FORTRAN;
  size_t used = 0;
  if (at < 0) return FAIL(PORTABLE_ERR_ARG, "%s is a division by 0 for an element that another thread changes", what);
  for (int32_t k = 0; k < a->rank; k++) {
    indices[fortran ? k : a->rank - 1 - k] = at % in_order->axis[k].extent;
    at /= in_order->axis[k].extent;
  }
  for (int32_t d = 0; d < a->rank && used < sizeof index; d++)
    used += (size_t)snprintf(index + used, sizeof index - used, fortran ? "%s%" PRId64 "%s" : "%s%" PRId64 "%s", fortran ? (d ? "," : "(") : "[",
                             indices[d] + fortran, fortran ? (d == a->rank - 1 ? ")" : "") : "]");
  return FAIL(PORTABLE_ERR_ARG, "%s divides by 0 at index %s first; nothing was written", what, index);
}

static portable_status launch(struct asked *a, struct task *task, size_t task_bytes, const char *what) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  struct portable__componentwise *w = &task->work, in_order;
  if (a->options.launch) {
    if (a->options.launch->struct_size < sizeof(uint32_t) || a->options.launch->struct_size > sizeof config)
      return FAIL(PORTABLE_ERR_ARG, "launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT",
                  (unsigned)a->options.launch->struct_size);
    memcpy(&config, a->options.launch, a->options.launch->struct_size);
    memset(config.tile, 0, sizeof config.tile); /* of the array's elements; units are not */
  }
  int slow = w->operation && w->operation->slow, faulty = w->operation && w->operation->fault && w->count;
  if (faulty) in_order = *w;
  portable__component_arrange(w);
  task->unit = w->count <= (slow ? SMALL_SLOW : SMALL) ? (w->count ? w->count : 1)
               : slow                                  ? UNIT_SLOW
               : w->across                             ? UNIT_ACROSS
                                                       : UNIT;
  portable_bounds units = portable_bounds_1(w->count ? (w->count - 1) / task->unit + 1 : 0);
  if (faulty) {
    struct search search = {.task = task};
    portable_status status = portable__launch(a->label, &units, search_kernel, &search, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
    if (status != PORTABLE_OK) return portable__rename_error(status, a->call);
    if (atomic_load_explicit(&search.found, memory_order_relaxed)) return division_by_zero(a, &in_order, what);
  }
  portable_status status = portable__launch(a->label, &units, kernel, task, task_bytes, &config, 0, PORTABLE__OURS, NULL);
  return status == PORTABLE_OK ? status : portable__rename_error(status, a->call);
}

/* ---- calls ---- */

/* What the bytes of the result's elements are; 0: result_kind is wrong. */
static int64_t result_bytes(const struct asked *a, int32_t kind) {
  int32_t asked = a->options.result_kind;
  if (!a->task.work.operation->truth) return kind_bytes[kind];
  if (asked == 0) return is_logical(kind) ? kind_bytes[kind] : 4;
  return is_logical(asked) ? kind_bytes[asked] : 0;
}

/* op: of two operands; 0: of one. */
static portable_status operate(struct asked *a, int32_t op, const struct portable__component_operation *operation, int32_t kind, const void *x,
                               const void *y, void *result, const portable_componentwise_options *options) {
  portable_status status = begin(a, options);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
  a->task.work.operation = operation;
  int64_t bytes = result_bytes(a, kind);
  if (!bytes) return FAIL(PORTABLE_ERR_ARG, "result_kind is %d; it is a kind PORTABLE_KIND_LOGICAL..., or 0", (int)a->options.result_kind);
  if ((status = operand(a, PORTABLE__RESULT, result, bytes, a->options.result_strides, 0)) != PORTABLE_OK ||
      (status = operand(a, PORTABLE__A, x, kind_bytes[kind], a->options.a_strides, PORTABLE_ONE_A)) != PORTABLE_OK ||
      (op && (status = operand(a, PORTABLE__B, y, kind_bytes[kind], a->options.b_strides, PORTABLE_ONE_B)) != PORTABLE_OK) ||
      (status = check_memory(a)) != PORTABLE_OK)
    return status;
  if (op && operation->truth) a->task.work.operation = portable__component_binary(op, kind, bytes);
  return launch(a, &a->task, sizeof a->task, binaries[op]);
}

portable_status portable_binary(const char *label, int32_t op, int32_t kind, const void *a, const void *b, void *result, int32_t rank,
                                const int64_t *extents, const portable_componentwise_options *options) {
  PORTABLE__CALL("portable_binary");
  struct asked call = {.call = "binary", .label = label ? label : "unlabelled", .rank = rank, .extents = extents};
  const struct portable__component_operation *operation = portable__component_binary(op, kind, 0);
  if (PORTABLE__UNLIKELY(!operation))
    return no_operation(&call, op, kind, binaries, PORTABLE_BINARY_OR, "PORTABLE_BINARY_ADD", "_OR");
  return operate(&call, op, operation, kind, a, b, result, options);
}

portable_status portable_unary(const char *label, int32_t op, int32_t kind, const void *a, void *result, int32_t rank, const int64_t *extents,
                               const portable_componentwise_options *options) {
  PORTABLE__CALL("portable_unary");
  struct asked call = {.call = "unary", .label = label ? label : "unlabelled", .rank = rank, .extents = extents};
  const struct portable__component_operation *operation = portable__component_unary(op, kind);
  if (PORTABLE__UNLIKELY(!operation))
    return no_operation(&call, op, kind, unaries, PORTABLE_UNARY_NOT, "PORTABLE_UNARY_PLUS", "_NOT");
  return operate(&call, 0, operation, kind, a, NULL, result, options);
}

portable_status portable_merge(const char *label, int32_t kind, const void *a, const void *b, int32_t mask_kind, const void *mask,
                               void *result, int32_t rank, const int64_t *extents, const portable_componentwise_options *options) {
  PORTABLE__CALL("portable_merge");
  struct asked call = {.call = "merge", .label = label ? label : "unlabelled", .rank = rank, .extents = extents}, *asked = &call;
  if (!is_kind(kind))
    return portable__fail(PORTABLE_ERR_ARG, "merge '%s': %d is no kind of element; they are PORTABLE_KIND_INT8 to _LOGICAL64", call.label,
                          (int)kind);
  if (!is_logical(mask_kind))
    return portable__fail(PORTABLE_ERR_ARG, "merge '%s': mask_kind is %d; a mask is of a kind PORTABLE_KIND_LOGICAL...", call.label,
                          (int)mask_kind);
  portable_status status = begin(asked, options);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
  call.task.work.operation = portable__component_merge(kind_bytes[kind]);
  const portable_componentwise_options *o = &call.options;
  if ((status = operand(asked, PORTABLE__RESULT, result, kind_bytes[kind], o->result_strides, 0)) != PORTABLE_OK ||
      (status = operand(asked, PORTABLE__A, a, kind_bytes[kind], o->a_strides, PORTABLE_ONE_A)) != PORTABLE_OK ||
      (status = operand(asked, PORTABLE__B, b, kind_bytes[kind], o->b_strides, PORTABLE_ONE_B)) != PORTABLE_OK ||
      (status = operand(asked, PORTABLE__MASK, mask, kind_bytes[mask_kind], o->mask_strides, PORTABLE_ONE_MASK)) != PORTABLE_OK ||
      (status = check_memory(asked)) != PORTABLE_OK)
    return status;
  return launch(asked, &call.task, sizeof call.task, NULL);
}

portable_status portable_fill(const char *label, const void *value, int64_t element_bytes, void *result, int32_t rank, const int64_t *extents,
                              const portable_componentwise_options *options) {
  PORTABLE__CALL("portable_fill");
  struct asked call = {.call = "fill", .label = label ? label : "unlabelled", .rank = rank, .extents = extents}, *a = &call;
  _Alignas(struct task) char few[FEW];
  char *block = few;
  portable_status status = begin(a, options);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
  if (element_bytes < 1) return FAIL(PORTABLE_ERR_ARG, "element_bytes is %" PRId64 "; it is 1 or more", element_bytes);
  if (!value) return FAIL(PORTABLE_ERR_ARG, "%s is NULL", "the value");
  if ((status = operand(a, PORTABLE__RESULT, result, element_bytes, call.options.result_strides, 0)) != PORTABLE_OK ||
      (status = check_memory(a)) != PORTABLE_OK)
    return status;
  size_t bytes = sizeof call.task + (size_t)element_bytes;
  if (bytes > FEW && !(block = malloc(bytes)))
    return FAIL(PORTABLE_ERR_NOMEM, "no memory for a copy of the value of %" PRId64 " bytes", element_bytes);
  status = portable_fence_memory(value);
  if (status == PORTABLE_OK) {
    memcpy(block, &call.task, sizeof call.task);
    memcpy(block + sizeof call.task, value, (size_t)element_bytes);
    status = launch(a, (struct task *)(void *)block, bytes, NULL);
  }
  if (block != few) free(block);
  return status;
}
