/* records_of.c - arrays of records: made, held, and their fields as arrays. Go lays them out
 * (arrays/record.go). Not here: fields (record.c), copies (records_copy.c). Threads: any; the user
 * guards a descriptor. */
#include "questions.h"
#include "records_of.h"

#include <stdio.h>
#include <string.h>

#include "../../internal/edge/calls.h"

static const portable_records none;
static const portable_array no_array;

/* The shape as an array of bytes, for owners and for texts about indices. */
static portable_array shape_of(const portable_records *r) {
  portable_array a = no_array;
  a.struct_size = (uint32_t)sizeof a;
  a.kind = PORTABLE_KIND_BYTES;
  a.element_bytes = 1;
  a.data = r->data;
  a.owner = r->owner;
  a.rank = r->rank;
  a.space = r->space;
  a.order = r->order;
  a.flags = r->flags;
  memcpy(a.fastest, r->fastest, sizeof a.fastest);
  memcpy(a.lower, r->lower, sizeof a.lower);
  memcpy(a.extent, r->extent, sizeof a.extent);
  memcpy(a.stride, r->stride, sizeof a.stride);
  memcpy(a.label, r->label, sizeof a.label);
  return a;
}

static portable_status descriptor(const char *function, const portable_records *records) {
  portable_status status;
  if (PORTABLE__LIKELY(records && records->struct_size == sizeof *records)) return PORTABLE_OK;
  struct portable__array_refusal r = {.records = 1, .none = !records, .size = records ? records->struct_size : 0, .most = (uint32_t)sizeof *records};
  PORTABLE__ARRAY_EXPLAINED(&status, function, "", PORTABLE_ERR_ARG, portable__owner_go.array_refused(&r));
  return status;
}

portable_status portable__records_live(const char *function, const portable_records *records) {
  portable_status status = descriptor(function, records);
  if (status != PORTABLE_OK) return status;
  portable_array a = shape_of(records);
  return portable__array_live(function, &a);
}

portable_status portable__records_launched(const char *function, const portable_records *records, const portable_launch_config *config) {
  portable_status status = descriptor(function, records);
  if (status != PORTABLE_OK) return status;
  portable_array a = shape_of(records);
  return portable__array_launched(function, &a, config);
}

/* ---- making ---- */

/* Plans the records and their config; memory and owner come later. */
static portable_status plan(const char *function, struct portable__array_making *m, portable_records *r, portable_array_config *config) {
  portable_status status;
  size_t n = strlen(m->label);
  *r = none;
  memcpy(r->label, m->label, n < sizeof r->label ? n : sizeof r->label - 1);
  r->struct_size = (uint32_t)sizeof *r;
  if (PORTABLE__UNLIKELY(portable_checks() & PORTABLE_CHECK_ARRAYS)) r->flags = PORTABLE_ARRAY_CHECKED;
  PORTABLE__ARRAY_PLANNED(&status, function, m->label, portable__owner_go.records_make(m, r));
  if (status == PORTABLE_OK) portable__array_config(m->given, m->pool, config);
  return status;
}

static portable_status create(const char *function, struct portable__array_making *m, portable_records *r) {
  portable_array_config c;
  PORTABLE__CALL(function); /* block and owner belong to one run of the library, and the block lives until it is zero */
  portable_status status = plan(function, m, r, &c);
  if (status != PORTABLE_OK) return status;
  portable_array a = shape_of(r);
  if ((status = portable__array_allocate(function, &c, m->bytes, &a)) != PORTABLE_OK) return status;
  r->data = a.data;
  r->owner = a.owner;
  if (!c.zero) return PORTABLE_OK;
  if (c.space < PORTABLE_SPACE_DEVICE(0)) {
    memset(r->data, 0, m->bytes);
    return PORTABLE_OK;
  }
  a.rank = 1; /* a launch sets all of the memory */
  a.fastest[0] = 0;
  a.lower[0] = 0;
  a.extent[0] = (int64_t)m->bytes;
  a.stride[0] = 1;
  status = portable__array_named(portable_array_fill(&a, NULL, NULL), function, m->label);
  if (status != PORTABLE_OK) portable_array_release(&a);
  return status;
}

portable_status portable_records_create(const char *label, const portable_record *record, int32_t layout, int64_t width, int32_t rank,
                                        const int64_t *extents, const portable_array_config *config, portable_records *records_out) {
  static const char function[] = "portable_records_create";
  if (!label || !label[0]) label = "records";
  if (!records_out) return portable__array_missing(function, label, "records_out");
  struct portable__array_making m = {.label = label, .given = config, .extents = extents, .rank = rank, .layout = layout, .width = width, .record = record};
  portable_status status = create(function, &m, records_out);
  if (status != PORTABLE_OK) *records_out = none;
  return status;
}

static portable_status wrap(const char *function, struct portable__array_making *m, portable_records *r) {
  portable_array_config c;
  m->what = PORTABLE__MAKE_WRAP;
  portable_status status = plan(function, m, r, &c);
  if (status == PORTABLE_OK) {
    r->data = (void *)(uintptr_t)m->data;
    portable_array a = shape_of(r);
    if (c.end) status = portable__array_own(function, &c, NULL, &a);
    r->owner = a.owner;
  }
  if (status != PORTABLE_OK) *r = none;
  return status;
}

portable_status portable_records_wrap(const char *label, const portable_record *record, int32_t layout, int64_t width, void *data, int32_t rank,
                                      const int64_t *extents, const portable_array_config *config, portable_records *records_out) {
  static const char function[] = "portable_records_wrap";
  if (!label || !label[0]) label = "records";
  if (!records_out) return portable__array_missing(function, label, "records_out");
  struct portable__array_making m = {.label = label, .given = config, .extents = extents, .data = data, .rank = rank, .layout = layout, .width = width,
                                     .record = record};
  return wrap(function, &m, records_out);
}

/* 1: at least one record; 0 also for an invalid shape, which is refused later. */
static int any(int32_t rank, const int64_t *extents) {
  if (rank < 0 || rank > PORTABLE_ARRAY_RANK || (rank > 0 && !extents)) return 0;
  for (int32_t d = 0; d < rank; d++)
    if (extents[d] <= 0) return 0;
  return 1;
}

portable_status portable_records_wrap_fields(const char *label, const portable_record *record, void *const *fields, int32_t rank,
                                             const int64_t *extents, const portable_array_config *config, portable_records *records_out) {
  static const char function[] = "portable_records_wrap_fields";
  if (!label || !label[0]) label = "records";
  if (!records_out) return portable__array_missing(function, label, "records_out");
  *records_out = none;
  if (!fields) return portable__array_missing(function, label, "fields");
  for (int32_t f = 0; record && f < record->fields && f < PORTABLE_RECORD_FIELDS; f++) /* before the owner exists, because its end would be called */
    if (!fields[f] && any(rank, extents)) {
      char what[PORTABLE_RECORD_NAME + sizeof "the array of the field ''"];
      snprintf(what, sizeof what, "the array of the field '%.*s'", PORTABLE_RECORD_NAME - 1, record->field[f].name);
      return portable__array_missing(function, label, what);
    }
  struct portable__array_making m = {.label = label, .given = config, .extents = extents, .data = fields[0], .rank = rank,
                                     .layout = PORTABLE_RECORDS_SOA, .record = record};
  portable_status status = wrap(function, &m, records_out);
  for (int32_t f = 0; status == PORTABLE_OK && f < record->fields; f++)
    records_out->place[f].at = (int64_t)((uintptr_t)fields[f] - (uintptr_t)fields[0]);
  return status;
}

static portable_status bytes_of(const char *function, const char *label, const portable_record *record, int32_t layout, int64_t width, int32_t rank,
                                const int64_t *extents, int32_t order, size_t *bytes_out) {
  portable_array_config c = PORTABLE_ARRAY_CONFIG_INIT, unused;
  portable_records r;
  if (!bytes_out) return portable__array_missing(function, "", "bytes_out");
  c.order = order;
  struct portable__array_making m = {.label = label, .given = &c, .extents = extents, .rank = rank, .what = PORTABLE__MAKE_BYTES, .layout = layout,
                                     .width = width, .record = record};
  portable_status status = plan(function, &m, &r, &unused);
  *bytes_out = status == PORTABLE_OK ? (size_t)m.bytes : 0;
  return status;
}

portable_status portable_records_bytes(const portable_record *record, int32_t layout, int64_t width, int32_t rank, const int64_t *extents,
                                       int32_t order, size_t *bytes_out) {
  return bytes_of("portable_records_bytes", "records", record, layout, width, rank, extents, order, bytes_out);
}

static const char twin_create[] = "portable_records_twin_create";

portable_status portable__records_twin_bytes(const char *label, const portable_record *record, int32_t layout, int64_t width, int32_t rank,
                                             const int64_t *extents, int32_t order, size_t *bytes_out) {
  if (!label || !label[0]) label = "records";
  if (!bytes_out) return portable__array_missing(twin_create, label, "twin_out");
  return bytes_of(twin_create, label, record, layout, width, rank, extents, order, bytes_out);
}

portable_status portable__records_twin_named(portable_status status, const char *label) {
  return portable__array_named(status, twin_create, label && label[0] ? label : "records");
}

/* ---- holding ---- */

portable_status portable_records_retain(const portable_records *records) {
  static const char function[] = "portable_records_retain";
  if (!records || records->struct_size == 0) return portable__records_live(function, records);
  return portable__array_named(portable_array_owner_retain(records->owner), function, records->label);
}

portable_status portable_records_release(portable_records *records) {
  if (!records || records->struct_size == 0) return PORTABLE_OK;
  portable_status status = portable_array_owner_release(records->owner);
  if (status != PORTABLE_OK) return portable__array_named(status, "portable_records_release", records->label);
  *records = none;
  return PORTABLE_OK;
}

/* ---- fields ---- */

static portable_status field_of(const char *function, const portable_records *r, int32_t field, int32_t component, int32_t lanes, portable_array *array_out) {
  if (!array_out) return portable__array_missing(function, "", "array_out");
  *array_out = no_array;
  portable_status status = portable__records_live(function, r);
  if (status != PORTABLE_OK) return status;
  char name[PORTABLE_ARRAY_LABEL + PORTABLE_RECORD_NAME + 1];
  int known = field >= 0 && field < r->record.fields && field < PORTABLE_RECORD_FIELDS;
  snprintf(name, sizeof name, "%.*s%s%.*s", PORTABLE_ARRAY_LABEL - 1, r->label, known ? "." : "", known ? PORTABLE_RECORD_NAME - 1 : 0,
           known ? r->record.field[field].name : "");
  portable_array a = shape_of(r);
  PORTABLE__ARRAY_PLANNED(&status, function, name, portable__owner_go.records_field(r, field, component, lanes, &a));
  if (status != PORTABLE_OK) return status;
  if ((status = portable_array_owner_retain(r->owner)) == PORTABLE_OK) *array_out = a;
  return status;
}

portable_status portable_records_field(const portable_records *records, int32_t field, int32_t component, portable_array *array_out) {
  return field_of("portable_records_field", records, field, component, 0, array_out);
}

portable_status portable_records_lanes(const portable_records *records, int32_t field, int32_t component, portable_array *array_out) {
  return field_of("portable_records_lanes", records, field, component, 1, array_out);
}

/* ---- one value, checked ---- */

void *portable_records_element(const portable_records *r, int32_t field, int32_t component, int32_t rank, const int64_t *index) {
  portable_array a = shape_of(r);
  int64_t position = 0;
  int there = rank == r->rank && field >= 0 && field < r->record.fields && component >= 0 && component < r->record.field[field].count;
  for (int32_t d = 0; there && d < rank; d++) {
    there = index[d] >= r->lower[d] && (uint64_t)index[d] - (uint64_t)r->lower[d] < (uint64_t)r->extent[d];
    if (there) position += (index[d] - r->lower[d]) * r->stride[d];
  }
  if (there && portable__records_live("PORTABLE_CHECK=arrays: a record", r) == PORTABLE_OK) return portable_records_address(r, field, component, position);
  /* The substitute gets the invalid indices, or indices beyond the fields. */
  const int64_t pair[2] = {field, component};
  if (rank == r->rank && (field < 0 || field >= r->record.fields || component < 0 || component >= r->record.field[field].count)) {
    a.rank = 2;
    a.fastest[0] = 0;
    a.fastest[1] = 1;
    a.lower[0] = a.lower[1] = 0;
    a.extent[0] = r->record.fields;
    a.extent[1] = field >= 0 && field < r->record.fields ? r->record.field[field].count : 1;
    return portable_array_element(&a, 2, pair);
  }
  if (field >= 0 && field < r->record.fields) a.element_bytes = r->record.field[field].bytes; /* of the substitute */
  return portable_array_element(&a, rank, index);
}
