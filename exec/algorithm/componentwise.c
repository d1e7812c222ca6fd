/* componentwise.c - operations on arrays element by element: arguments, operands, launch. Main
 * function: operate. The arithmetic is in internal/kernels/componentwise/componentwise.c. Threads:
 * any; no lock. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../internal/kernels/componentwise/componentwise.h"
#include "../../internal/kernels/base/overlap.h"
#include "../../internal/edge/calls.h"
#include "../device/device_componentwise.h"
#include "../launch/kernel_record.h"
#include "../launch/reach.h"
#include "call.h"
#include "copy.h"

#define SMALL 16384        /* fewer elements run on the calling thread: they take less time than a wake-up */
#define UNIT 4096         /* elements that a launch counts as one iteration */
#define SMALL_SLOW 1024   /* the same, if each element is a call */
#define UNIT_SLOW 256
#define UNIT_ACROSS 65536 /* the same, if an operand is transposed: rows enough for tiles */
#define FEW 1024          /* bytes of an argument block on the stack, more than a task has */

/* The argument block of the kernel, which the launch copies. The value of a fill follows. */
struct task {
  int64_t unit;
  struct portable__componentwise work;
};

static const char *const calls[] = {"binary", "unary", "merge", "fill"};

#define FAIL(code, format, ...) portable__fail(code, "%s '%s': " format, call, c->label, __VA_ARGS__)

static const int8_t kind_bytes[] = {0, 1, 2, 4, 8, 4, 8, 8, 16, 1, 2, 4, 8};

/* ---- operands ---- */

static int same_elements(const struct portable__componentwise *w, int k) {
  if (w->at[k] != w->at[PORTABLE__RESULT] || w->bytes[k] != w->bytes[PORTABLE__RESULT]) return 0;
  for (int32_t d = 0; d < w->axes; d++)
    if (w->axis[d].extent > 1 && w->axis[d].step[k] != w->axis[d].step[PORTABLE__RESULT]) return 0;
  return 1;
}

/* Operand k in the form of overlap.h. 0: its byte count overflows; same verdict as portable__lying_fits, without a second loop. */
static int lie(struct portable__componentwise *w, int k, int32_t order, const int64_t *strides, struct portable__lying *x) {
  int64_t step = w->bytes[k], span = step, reach;
  int overflow = 0;
  x->at = w->at[k];
  x->bytes = w->bytes[k];
  x->rank = w->axes;
  for (int32_t i = 0; i < w->axes; i++) {
    const int64_t n = w->axis[i].extent, stride = strides ? strides[order == PORTABLE_ORDER_FORTRAN ? i : w->axes - 1 - i] : step;
    x->extents[i] = n;
    x->strides[i] = w->axis[i].step[k] = stride;
    if (!strides) overflow |= __builtin_mul_overflow(step, n, &step);
    if (n > 1)
      overflow |= stride == INT64_MIN || __builtin_mul_overflow(stride < 0 ? -stride : stride, n - 1, &reach) || __builtin_add_overflow(span, reach, &span);
  }
  return !overflow && span <= INT64_MAX / 4;
}

/* Axes and the count of elements. */
static portable_status shape_verdict(const struct portable__array_call *c, int32_t order, int empty, struct portable__componentwise *w) {
  int overflow = 0;
  w->axes = c->rank;
  w->count = 1;
  for (int32_t k = 0; k < c->rank; k++) { /* the fastest first */
    w->axis[k].extent = c->extents[order == PORTABLE_ORDER_FORTRAN ? k : c->rank - 1 - k];
    overflow |= __builtin_mul_overflow(w->count, w->axis[k].extent, &w->count);
  }
  if (empty) w->count = 0;
  return overflow && !empty ? PORTABLE_ERR_OVERFLOW : PORTABLE_OK;
}

/* The operands: the result, then a, b and the mask. The result may be an operand itself, element by element. */
static portable_status operands_verdict(const struct portable__array_call *c, const portable_componentwise_options *o, struct portable__componentwise *w) {
  const void *const data[PORTABLE__OPERANDS] = {c->result, c->a, c->b, c->mask};
  const int64_t *const strides[PORTABLE__OPERANDS] = {o->result_strides, o->a_strides, o->b_strides, o->mask_strides};
  struct portable__lying lying[PORTABLE__OPERANDS];
  for (int k = 0; k < PORTABLE__OPERANDS; k++) {
    const int one = k && o->flags >> (k - 1) & 1;
    if (!w->bytes[k]) continue;
    if (!data[k] && (one || w->count)) return PORTABLE_ERR_ARG;
    if (one || !w->count) continue;
    w->at[k] = (char *)(uintptr_t)data[k];
    if (!lie(w, k, o->order, strides[k], &lying[k])) return PORTABLE_ERR_OVERFLOW;
  }
  if (!w->count) return PORTABLE_OK;
  if (portable__overlap_self(&lying[PORTABLE__RESULT])) return PORTABLE_ERR_ARG;
  for (int k = PORTABLE__A; k < PORTABLE__OPERANDS; k++)
    if (w->at[k] && !same_elements(w, k) && portable__overlap(&lying[PORTABLE__RESULT], &lying[k])) return PORTABLE_ERR_ARG;
  return PORTABLE_OK;
}

/* Bytes of the result's elements; 0: result_kind is invalid. */
static int64_t result_bytes(const struct portable__component_operation *operation, int32_t kind, int32_t asked) {
  if (!operation->truth) return kind_bytes[kind];
  if (asked == 0) return portable__is_logical(kind) ? portable__logical_bytes(kind) : 4;
  return portable__is_logical(asked) ? portable__logical_bytes(asked) : 0;
}

static const struct portable__component_operation *operation_of(const struct portable__array_call *c) {
  return c->call == PORTABLE__BINARY  ? portable__component_binary(c->op, c->kind, 0)
         : c->call == PORTABLE__UNARY ? portable__component_unary(c->op, c->kind)
                                      : portable__component_merge(portable__is_kind(c->kind) ? kind_bytes[c->kind] : 0);
}

/* w is all 0 before. */
portable_status portable__component_verdict(const struct portable__array_call *c, portable_componentwise_options *o, struct portable__componentwise *w) {
  const portable_componentwise_options *given = c->options;
  const int fills = c->call == PORTABLE__FILL, empty = portable__array_empty(c->rank, c->extents);
  if (empty < 0 || (!fills && !(w->operation = operation_of(c))) || (c->call == PORTABLE__MERGE && !portable__is_logical(c->mask_kind)) ||
      !PORTABLE__OPTIONS(*o, given) || o->flags & ~(PORTABLE_ONE_A | PORTABLE_ONE_B | PORTABLE_ONE_MASK) || !portable__order_is_good(o->order))
    return PORTABLE_ERR_ARG;
  portable_status status = shape_verdict(c, o->order, empty, w);
  if (status != PORTABLE_OK) return status;
  const int64_t bytes = fills ? 0 : kind_bytes[c->kind];
  w->bytes[PORTABLE__RESULT] = fills ? c->element_bytes : result_bytes(w->operation, c->kind, o->result_kind);
  if (w->bytes[PORTABLE__RESULT] < 1 || (fills && !c->a)) return PORTABLE_ERR_ARG;
  if (!fills) w->bytes[PORTABLE__A] = bytes;
  if (!fills && c->call != PORTABLE__UNARY) w->bytes[PORTABLE__B] = bytes;
  if (c->call == PORTABLE__MERGE) w->bytes[PORTABLE__MASK] = portable__logical_bytes(c->mask_kind);
  status = operands_verdict(c, o, w);
  return status != PORTABLE_OK || portable__launch_is_good(o->launch) ? status : PORTABLE_ERR_ARG;
}

/* Waits for devices that use the operands, unless the launch's stream does; reads operands that are one value and have no address in w. */
static portable_status read_operands(const struct portable__array_call *c, const portable_componentwise_options *o, struct portable__componentwise *w) {
  const void *const data[PORTABLE__OPERANDS] = {c->result, c->a, c->b, c->mask};
  const portable_launch_config *launch = o->launch;
  const int in_stream = launch && launch->struct_size >= offsetof(portable_launch_config, stream) + sizeof launch->stream && launch->stream;
  for (int k = 0; k < PORTABLE__OPERANDS; k++) {
    const int one = k && (o->flags >> (k - 1) & 1) && !w->at[k];
    if (!w->bytes[k] || (one ? 0 : !w->count || in_stream)) continue;
    const portable_status status = portable_fence_memory(data[k]);
    if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
    if (one) memcpy(w->value[k], data[k], (size_t)w->bytes[k]);
  }
  return PORTABLE_OK;
}

/* ---- launches ---- */

static void kernel(const portable_tile *t, void *args) {
  const struct task *task = args;
  int64_t to = (t->upper[0] + 1) * task->unit;
  portable__component_range(&task->work, t->lower[0] * task->unit, to < task->work.count ? to : task->work.count);
}

/* Finds operands without a result (a division by 0) before it writes any. */
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

/* at: the number of the element; -1: none has the fault now. */
PORTABLE__COLD static portable_status division_by_zero(const struct portable__array_call *c, int32_t order, int64_t at) {
  static const char call[] = "binary"; /* no other call divides */
  const char *const what = c->op == PORTABLE_BINARY_DIVIDE ? "divide" : c->op == PORTABLE_BINARY_MOD ? "mod" : "power";
  char index[PORTABLE__INDEX_TEXT];
  if (at < 0) return FAIL(PORTABLE_ERR_ARG, "%s is a division by 0 for an element that another thread changes", what);
  portable__index_text(index, c->rank, c->extents, order, at, -1);
  return FAIL(PORTABLE_ERR_ARG, "%s divides by 0 at index %s first; nothing was written", what, index);
}

static portable_status launch(const struct portable__array_call *c, const portable_componentwise_options *o, struct task *task, size_t task_bytes) {
  const char *const call = calls[c->call - PORTABLE__BINARY];
  portable_launch_config config;
  struct portable__componentwise *w = &task->work, in_order;
  portable__call_config(o->launch, &config);
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
    portable_status status = portable__launch(c->label, &units, search_kernel, &search, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
    if (status != PORTABLE_OK) return portable__rename_error(status, call);
    if (atomic_load_explicit(&search.found, memory_order_relaxed))
      return division_by_zero(c, o->order, portable__component_fault(&in_order, 0, in_order.count));
  }
  portable_status status = portable__launch(c->label, &units, kernel, task, task_bytes, &config, 0, PORTABLE__OURS, NULL);
  return status == PORTABLE_OK ? status : portable__rename_error(status, call);
}

/* ---- devices ---- */

/* PORTABLE__NOT_HERE: the host does it. A single value that only a device can access is read by the kernel. */
PORTABLE__COLD static portable_status on_device(const struct portable__array_call *c, const portable_componentwise_options *o, struct portable__componentwise w) {
  const void *const data[PORTABLE__OPERANDS] = {c->result, c->a, c->b, c->mask};
  struct portable__memory memory[PORTABLE__OPERANDS] = {{"result", c->result, 0}, {"a", c->a, 0}, {"b", c->b, 0}, {"mask", c->mask, 0}};
  portable_launch_config config;
  struct portable__place place;
  int64_t first;
  portable__call_config(o->launch, &config);
  for (int k = 0; k < PORTABLE__OPERANDS; k++) {
    if (w.at[k]) continue;
    if (portable__host_reaches((uintptr_t)data[k])) memory[k].at = NULL; /* one value of the host, or no operand */
    else w.at[k] = (char *)(uintptr_t)data[k]; /* its steps are 0 */
  }
  portable_status status = portable__place(calls[c->call - PORTABLE__BINARY], c->label, &config, memory, PORTABLE__OPERANDS, 1, &place);
  if (status != PORTABLE_OK || place.index < 0 || !w.count) return status == PORTABLE_OK ? PORTABLE__NOT_HERE : status;
  if ((status = read_operands(c, o, &w)) != PORTABLE_OK) return status;
  if (w.operation->fault) {
    status = portable__device_component_fault(&place, &w, c->op, c->kind, &first);
    if (status != PORTABLE_OK) return status;
    if (first >= 0) return division_by_zero(c, o->order, first);
  }
  portable__component_arrange(&w);
  return portable__device_componentwise(&place, &w, c->call - PORTABLE__BINARY, c->op, c->kind);
}

/* A fill is a copy of one element, which the driver may do. */
PORTABLE__COLD static portable_status fill_on_device(const struct portable__array_call *c, const portable_componentwise_options *o,
                                                     struct portable__componentwise *w) {
  const struct portable__memory memory[] = {{"result", c->result, 0}};
  struct portable__copy copy = {.to = (char *)(uintptr_t)c->result, .from = c->a, .bytes = c->element_bytes, .rank = w->axes};
  portable_launch_config config;
  struct portable__place place;
  portable__call_config(o->launch, &config);
  portable_status status = portable__place("fill", c->label, &config, memory, 1, 1, &place);
  if (status != PORTABLE_OK || place.index < 0 || !w->count) return status == PORTABLE_OK ? PORTABLE__NOT_HERE : status;
  if (portable__host_reaches((uintptr_t)c->a)) status = portable_fence_memory(c->a); /* the host reads the value */
  if (status != PORTABLE_OK || (status = read_operands(c, o, w)) != PORTABLE_OK) return status;
  for (int32_t d = 0; d < w->axes; d++) copy.axis[d] = (struct portable__copy_axis){w->axis[d].extent, w->axis[d].step[PORTABLE__RESULT], 0};
  return place.stream ? portable__copy_start(&copy, c->label, &config) : portable__copy_run(&copy, c->label, &config);
}

/* ---- calls ---- */

static portable_status operate(struct portable__array_call *c) {
  struct task task;
  portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  if (!c->label) c->label = "unlabelled";
  memset(&task, 0, sizeof task);
  portable_status status = portable__component_verdict(c, &o, &task.work);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_refused(c, status);
  if (portable__on_device_matters() && (status = on_device(c, &o, task.work)) != PORTABLE__NOT_HERE) return status;
  if ((status = read_operands(c, &o, &task.work)) != PORTABLE_OK) return status;
  if (c->call == PORTABLE__BINARY && task.work.operation->truth)
    task.work.operation = portable__component_binary(c->op, c->kind, task.work.bytes[PORTABLE__RESULT]);
  return launch(c, &o, &task, sizeof task);
}

portable_status portable_binary(const char *label, int32_t op, int32_t kind, const void *a, const void *b, void *result, int32_t rank,
                                const int64_t *extents, const portable_componentwise_options *options) {
  PORTABLE__CALL("portable_binary");
  struct portable__array_call c = {.call = PORTABLE__BINARY, .op = op, .kind = kind, .rank = rank, .label = label, .extents = extents,
                                   .result = result, .a = a, .b = b, .options = options};
  return operate(&c);
}

portable_status portable_unary(const char *label, int32_t op, int32_t kind, const void *a, void *result, int32_t rank, const int64_t *extents,
                               const portable_componentwise_options *options) {
  PORTABLE__CALL("portable_unary");
  struct portable__array_call c = {.call = PORTABLE__UNARY, .op = op, .kind = kind, .rank = rank, .label = label, .extents = extents,
                                   .result = result, .a = a, .options = options};
  return operate(&c);
}

portable_status portable_merge(const char *label, int32_t kind, const void *a, const void *b, int32_t mask_kind, const void *mask,
                               void *result, int32_t rank, const int64_t *extents, const portable_componentwise_options *options) {
  PORTABLE__CALL("portable_merge");
  struct portable__array_call c = {.call = PORTABLE__MERGE, .kind = kind, .rank = rank, .mask_kind = mask_kind, .label = label, .extents = extents,
                                   .result = result, .a = a, .b = b, .mask = mask, .options = options};
  return operate(&c);
}

portable_status portable_fill(const char *label, const void *value, int64_t element_bytes, void *result, int32_t rank, const int64_t *extents,
                              const portable_componentwise_options *options) {
  PORTABLE__CALL("portable_fill");
  struct portable__array_call c = {.call = PORTABLE__FILL, .rank = rank, .label = label ? label : "unlabelled", .extents = extents, .result = result,
                                   .a = value, .options = options, .element_bytes = element_bytes};
  portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  _Alignas(struct task) char few[FEW], *block = few; /* the task lies where a small value follows it */
  struct task *task = (struct task *)(void *)few;
  memset(task, 0, sizeof *task);
  portable_status status = portable__component_verdict(&c, &o, &task->work);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_refused(&c, status);
  if (portable__on_device_matters() && (status = fill_on_device(&c, &o, &task->work)) != PORTABLE__NOT_HERE) return status;
  if ((status = read_operands(&c, &o, &task->work)) != PORTABLE_OK) return status;
  size_t bytes = sizeof *task + (size_t)element_bytes;
  if (bytes > FEW) {
    if (!(block = malloc(bytes)))
      return portable__fail(PORTABLE_ERR_NOMEM, "fill '%s': no memory for a copy of the value of %" PRId64 " bytes", c.label, element_bytes);
    memcpy(block, task, sizeof *task);
  }
  status = portable_fence_memory(value);
  if (status == PORTABLE_OK) {
    memcpy(block + sizeof *task, value, (size_t)element_bytes);
    status = launch(&c, &o, (struct task *)(void *)block, bytes);
  }
  if (block != few) free(block);
  return status;
}
