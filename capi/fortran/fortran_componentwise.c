/* fortran_componentwise.c - the functions of portable_componentwise_mod: sections of Fortran,
 * operations by their text. */
#include <inttypes.h>
#include <string.h>

#include "../../internal/kernels/reduction/partial.h"
#include "fortran_section.h"

struct name {
  const char *text;
  int32_t op;
};

static const struct name binaries[] = {
  {"+", PORTABLE_BINARY_ADD},        {"-", PORTABLE_BINARY_SUBTRACT},   {"*", PORTABLE_BINARY_MULTIPLY},       {"/", PORTABLE_BINARY_DIVIDE},
  {"**", PORTABLE_BINARY_POWER},     {"mod", PORTABLE_BINARY_MOD},      {"min", PORTABLE_BINARY_MIN},          {"max", PORTABLE_BINARY_MAX},
  {"sign", PORTABLE_BINARY_SIGN},    {"atan2", PORTABLE_BINARY_ATAN2},  {"<", PORTABLE_BINARY_LESS},           {">", PORTABLE_BINARY_GREATER},
  {"<=", PORTABLE_BINARY_LESS_EQUAL}, {">=", PORTABLE_BINARY_GREATER_EQUAL}, {"==", PORTABLE_BINARY_EQUAL},      {"/=", PORTABLE_BINARY_UNEQUAL},
  {".lt.", PORTABLE_BINARY_LESS},    {".gt.", PORTABLE_BINARY_GREATER}, {".le.", PORTABLE_BINARY_LESS_EQUAL},  {".ge.", PORTABLE_BINARY_GREATER_EQUAL},
  {".eq.", PORTABLE_BINARY_EQUAL},   {".ne.", PORTABLE_BINARY_UNEQUAL},
  {".and.", PORTABLE_BINARY_AND},    {".or.", PORTABLE_BINARY_OR},      {".eqv.", PORTABLE_BINARY_EQUAL},      {".neqv.", PORTABLE_BINARY_UNEQUAL},
  {NULL, 0}};

static const struct name unaries[] = {
  {"+", PORTABLE_UNARY_PLUS},      {"-", PORTABLE_UNARY_NEGATE},   {"abs", PORTABLE_UNARY_ABS},       {"sqrt", PORTABLE_UNARY_SQRT},
  {"cbrt", PORTABLE_UNARY_CBRT},   {"sin", PORTABLE_UNARY_SIN},    {"cos", PORTABLE_UNARY_COS},       {"tan", PORTABLE_UNARY_TAN},
  {"asin", PORTABLE_UNARY_ASIN},   {"acos", PORTABLE_UNARY_ACOS},  {"atan", PORTABLE_UNARY_ATAN},     {"exp", PORTABLE_UNARY_EXP},
  {"log", PORTABLE_UNARY_LOG},     {"log10", PORTABLE_UNARY_LOG10}, {"log2", PORTABLE_UNARY_LOG2},     {"floor", PORTABLE_UNARY_FLOOR},
  {"ceiling", PORTABLE_UNARY_CEIL}, {"anint", PORTABLE_UNARY_ROUND}, {"isnan", PORTABLE_UNARY_ISNAN},   {"isinf", PORTABLE_UNARY_ISINF},
  {".not.", PORTABLE_UNARY_NOT},   {NULL, 0}};

/* 0: an unknown operation. Case does not matter. */
static int32_t find(const struct name *list, const char *text) {
  char small[16];
  size_t n = 0;
  for (; text[n] && n < sizeof small - 1; n++) small[n] = (char)(text[n] >= 'A' && text[n] <= 'Z' ? text[n] - 'A' + 'a' : text[n]);
  small[n] = '\0';
  for (; list->text; list++)
    if (!strcmp(list->text, small)) return list->op;
  return 0;
}

PORTABLE__COLD static portable_status no_operation(const char *label, const char *op, const struct name *list_of) {
  char all[256] = "";
  size_t used = 0;
  for (const struct name *list = list_of; list->text; list++) {
    size_t n = strlen(list->text);
    if (used + n + 2 > sizeof all) break;
    if (used) all[used++] = ' ';
    memcpy(all + used, list->text, n + 1);
    used += n;
  }
  return portable__fail(PORTABLE_ERR_ARG, "compute '%s': there is no operation \"%s\" of %s; there are %s", label, op,
                        list_of == binaries ? "two operands" : "one operand", all);
}

/* An operand of rank 0 is one value. */
static portable_status spread(const char *call, const char *label, const char *name, const struct portable__fortran_section *s,
                              const struct portable__fortran_section *result, int64_t *strides) {
  portable__section_strides(s, strides);
  return s->rank ? portable__section_shape(call, label, name, s, result) : PORTABLE_OK;
}

portable_status portable__fortran_componentwise(int32_t version, const char *label, size_t label_bytes, const char *op, size_t op_bytes,
                                                const struct portable__fortran_section *result,
                                                const struct portable__fortran_section *a, const struct portable__fortran_section *b,
                                                const struct portable__fortran_section *mask) {
  char name[PORTABLE__LABEL_MAX + 1], text[16];
  int64_t strides[4][PORTABLE_LOOP_RANK];
  portable_componentwise_options options = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  int fills = !mask->kind && !b->kind && !a->rank; /* a single value can only fill */
  const char *call = mask->kind ? "merge" : fills ? "fill" : "compute";
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (!name[0]) strcpy(name, call);
  if ((status = spread(call, name, "the result", result, result, strides[0])) != PORTABLE_OK ||
      (status = spread(call, name, "a", a, result, strides[1])) != PORTABLE_OK ||
      (status = spread(call, name, "b", b, result, strides[2])) != PORTABLE_OK ||
      (status = spread(call, name, "the mask", mask, result, strides[3])) != PORTABLE_OK)
    return status;
  options.order = PORTABLE_ORDER_FORTRAN;
  options.result_strides = strides[0];
  options.a_strides = strides[1];
  options.b_strides = strides[2];
  options.mask_strides = strides[3];
  options.launch = result->launch;
  void *to = (void *)(uintptr_t)result->data;
  if (fills) return portable_fill(name, a->data, portable__kind_bytes(a->kind), to, result->rank, result->extent, &options);
  options.flags = (a->rank ? 0 : PORTABLE_ONE_A) | (b->rank || !b->kind ? 0 : PORTABLE_ONE_B) | (mask->rank || !mask->kind ? 0 : PORTABLE_ONE_MASK);
  if (mask->kind)
    return portable_merge(name, a->kind, a->data, b->data, mask->kind, mask->data, to, result->rank, result->extent, &options);
  portable__copy_text(text, sizeof text, op, op_bytes);
  const struct name *list = b->kind ? binaries : unaries;
  int32_t number = find(list, text);
  if (!number) return no_operation(name, text, list);
  int logical = result->kind >= PORTABLE_KIND_LOGICAL8, truth = number >= (b->kind ? PORTABLE_BINARY_LESS : PORTABLE_UNARY_ISNAN);
  if (logical != truth)
    return portable__fail(PORTABLE_ERR_ARG, "compute '%s': the result of \"%s\" is %s; give it an array of that type", name, text,
                          truth ? "logical" : "a number");
  options.result_kind = logical ? result->kind : 0;
  return b->kind ? portable_binary(name, number, a->kind, a->data, b->data, to, result->rank, result->extent, &options)
                 : portable_unary(name, number, a->kind, a->data, to, result->rank, result->extent, &options);
}
