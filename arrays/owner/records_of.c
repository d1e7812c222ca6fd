/* records_of.c - arrays of records, made, held, and their fields as arrays. In C because owners are; where records lie is decided in Go. Not in
 * this file: what a record is (record.c), copies (records_copy.c). Threads: any; a descriptor is its user's to guard. */
#include "questions.h"
#include "records_of.h"

#include <string.h>

#include "../../internal/edge/calls.h"
#include "layout.h"

static const portable_records none;
static const portable_array no_array;

/* The shape, as an array of bytes would have it: for owners, and for texts about indices. */
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
  if (!records) return portable__fail(PORTABLE_ERR_ARG, "%s: records is NULL", function);
  if (records->struct_size == 0) return portable__fail(PORTABLE_ERR_ARG, "%s: these are no records: they were never made, or were released", function);
  if (records->struct_size != sizeof *records)
    return portable__fail(PORTABLE_ERR_ARG, "%s: this is no portable_records: its struct_size is %u, not %zu", function, (unsigned)records->struct_size,
                          sizeof *records);
  return PORTABLE_OK;
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

static portable_status describe(const char *function, const char *label, const portable_record *record, int32_t layout, int64_t width, int32_t rank,
                                const int64_t *extents, const portable_array_config *config, portable_records *r, uint64_t *bytes_out) {
  struct portable__crossing crossing;
  size_t n = strlen(label);
  if (!record || record->struct_size != sizeof *record || record->fields < 1 || record->fields > PORTABLE_RECORD_FIELDS)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the record is %s", function, label,
                          record ? "none, or has no fields: portable_record_begin and portable_record_add describe it" : "NULL");
  if (rank > 0 && !extents) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': extents is NULL", function, label);
  r->struct_size = (uint32_t)sizeof *r;
  r->layout = layout;
  r->order = config->order;
  r->space = config->space;
  r->record = *record;
  if (PORTABLE__UNLIKELY(portable_checks() & PORTABLE_CHECK_ARRAYS)) r->flags = PORTABLE_ARRAY_CHECKED;
  memcpy(r->label, label, n < sizeof r->label ? n : sizeof r->label - 1);
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__owner_go.records_layout(r, rank, extents, config->lower, config->fastest, width, bytes_out);
  portable__cross_out(&crossing);
  return portable__array_named(status, function, label);
}

/* The label, made sure of; NULL: there is no out pointer. */
static const char *begin(const char *function, const char *label, portable_records *records_out) {
  if (!label || !label[0]) label = "records";
  if (records_out) {
    *records_out = none;
    return label;
  }
  portable__fail(PORTABLE_ERR_ARG, "%s of '%s': records_out is NULL", function, label);
  return NULL;
}

static portable_status end(portable_status status, portable_records *records_out) {
  if (status != PORTABLE_OK) *records_out = none;
  return status;
}

static portable_status create(const char *function, const char *label, const portable_record *record, int32_t layout, int64_t width, int32_t rank,
                              const int64_t *extents, const portable_array_config *given, portable_records *r) {
  portable_array_config c;
  struct portable__layout_room room;
  uint64_t bytes = 0;
  PORTABLE__CALL(function); /* block and owner are of one run of the library, and the block is there until it is zero */
  portable_status status = portable__array_config(function, label, given, &c);
  if (status == PORTABLE_OK) status = portable__layout_resolve(label, c.space >= PORTABLE_SPACE_DEVICE(0) ? PORTABLE__LAYOUT_FAR : 0, rank, &c, &room);
  if (status != PORTABLE_OK) return status;
  if (given && given->row_bytes)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': row_bytes is set; records have no gaps: PORTABLE_RECORDS_BLOCKS has whole blocks in each line",
                          function, label);
  if (c.space != PORTABLE_SPACE_HOST && !c.pool && (status = portable_pool_of_space(c.space, &c.pool)) != PORTABLE_OK)
    return portable__array_named(status, function, label);
  if (c.zero && c.space >= PORTABLE_SPACE_DEVICE(0) && !portable__array_copied(c.space))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': zero is set, but the host does not reach the memory of a device", function, label);
  if ((status = describe(function, label, record, layout, width, rank, extents, &c, r, &bytes)) != PORTABLE_OK) return status;
  portable_array a = shape_of(r);
  if ((status = portable__array_allocate(function, &c, bytes, &a)) != PORTABLE_OK) return status;
  r->data = a.data;
  r->owner = a.owner;
  if (!c.zero) return PORTABLE_OK;
  if (c.space < PORTABLE_SPACE_DEVICE(0)) {
    memset(r->data, 0, bytes);
    return PORTABLE_OK;
  }
  a.rank = 1; /* all of the memory, by a launch */
  a.lower[0] = 0;
  a.extent[0] = (int64_t)bytes;
  a.stride[0] = 1;
  status = portable__array_named(portable_array_fill(&a, NULL, NULL), function, label);
  if (status != PORTABLE_OK) portable_array_release(&a);
  return status;
}

portable_status portable_records_create(const char *label, const portable_record *record, int32_t layout, int64_t width, int32_t rank,
                                        const int64_t *extents, const portable_array_config *config, portable_records *records_out) {
  static const char function[] = "portable_records_create";
  if (!(label = begin(function, label, records_out))) return PORTABLE_ERR_ARG;
  return end(create(function, label, record, layout, width, rank, extents, config, records_out), records_out);
}

static portable_status wrap(const char *function, const char *label, const portable_record *record, int32_t layout, int64_t width, void *data,
                            int32_t rank, const int64_t *extents, const portable_array_config *given, portable_records *r) {
  portable_array_config c;
  uint64_t bytes = 0;
  portable_status status = portable__array_config(function, label, given, &c);
  if (status != PORTABLE_OK) return status;
  if (c.order >= PORTABLE_ORDER_BY_RULE(0))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the order is left to rules, but the records lie somewhere already; give their order", function,
                          label);
  if (c.zero || c.row_bytes || c.pool)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': config has %s; that is for records that are created", function, label,
                          c.zero ? "zero" : c.pool ? "a pool" : "row_bytes");
  if ((status = describe(function, label, record, layout, width, rank, extents, &c, r, &bytes)) != PORTABLE_OK) return status;
  r->data = data;
  portable_array a = shape_of(r);
  if (!data && portable_array_size(&a) > 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': data is NULL, but there are %lld records; were they allocated?", function, label,
                          (long long)portable_array_size(&a));
  if (!c.end) return PORTABLE_OK;
  status = portable__array_own(function, &c, NULL, &a);
  r->owner = a.owner;
  return status;
}

portable_status portable_records_wrap(const char *label, const portable_record *record, int32_t layout, int64_t width, void *data, int32_t rank,
                                      const int64_t *extents, const portable_array_config *config, portable_records *records_out) {
  static const char function[] = "portable_records_wrap";
  if (!(label = begin(function, label, records_out))) return PORTABLE_ERR_ARG;
  return end(wrap(function, label, record, layout, width, data, rank, extents, config, records_out), records_out);
}

/* Whether there are records at all; of a shape that makes no sense: no, which is refused later. */
static int any(int32_t rank, const int64_t *extents) {
  if (rank < 0 || rank > PORTABLE_ARRAY_RANK || (rank > 0 && !extents)) return 0;
  for (int32_t d = 0; d < rank; d++)
    if (extents[d] <= 0) return 0;
  return 1;
}

portable_status portable_records_wrap_fields(const char *label, const portable_record *record, void *const *fields, int32_t rank,
                                             const int64_t *extents, const portable_array_config *config, portable_records *records_out) {
  static const char function[] = "portable_records_wrap_fields";
  if (!(label = begin(function, label, records_out))) return PORTABLE_ERR_ARG;
  if (!fields) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': fields is NULL", function, label);
  for (int32_t f = 0; record && f < record->fields && f < PORTABLE_RECORD_FIELDS; f++) /* before there is an owner, whose end would be called */
    if (!fields[f] && any(rank, extents))
      return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the array of the field '%s' is NULL; was it allocated?", function, label,
                            record->field[f].name);
  portable_status status = wrap(function, label, record, PORTABLE_RECORDS_SOA, 0, fields[0], rank, extents, config, records_out);
  if (status != PORTABLE_OK) return end(status, records_out);
  for (int32_t f = 0; f < record->fields; f++) records_out->place[f].at = (int64_t)((uintptr_t)fields[f] - (uintptr_t)fields[0]);
  return PORTABLE_OK;
}

portable_status portable_records_bytes(const portable_record *record, int32_t layout, int64_t width, int32_t rank, const int64_t *extents,
                                       int32_t order, size_t *bytes_out) {
  static const char function[] = "portable_records_bytes";
  portable_array_config c = PORTABLE_ARRAY_CONFIG_INIT;
  portable_records r = none;
  uint64_t bytes = 0;
  if (!bytes_out) return portable__fail(PORTABLE_ERR_ARG, "%s: bytes_out is NULL", function);
  *bytes_out = 0;
  c.order = order;
  portable_status status = describe(function, "records", record, layout, width, rank, extents, &c, &r, &bytes);
  if (status == PORTABLE_OK) *bytes_out = (size_t)bytes;
  return status;
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
  struct portable__crossing crossing;
  if (!array_out) return portable__fail(PORTABLE_ERR_ARG, "%s: array_out is NULL", function);
  *array_out = no_array;
  portable_status status = portable__records_live(function, r);
  if (status != PORTABLE_OK) return status;
  if (field < 0 || field >= r->record.fields)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there is no field %d; there are %d, counted from 0", function, r->label, (int)field,
                          (int)r->record.fields);
  const portable_record_field *f = &r->record.field[field];
  if (component < (lanes ? 0 : -1) || component >= f->count)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the field '%s' has no value %d; it has %d, counted from 0%s", function, r->label, f->name,
                          (int)component, (int)f->count, lanes ? "" : ", and -1 is all of them");
  if (lanes && r->layout != PORTABLE_RECORDS_BLOCKS)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the records do not lie in blocks; portable_records_field has their fields", function, r->label);
  portable_array a = shape_of(r);
  a.kind = f->kind;
  a.element_bytes = f->bytes;
  if ((status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__owner_go.records_field(r, field, component, lanes, &a);
  portable__cross_out(&crossing);
  if (status != PORTABLE_OK) {
    char name[PORTABLE_ARRAY_LABEL + PORTABLE_RECORD_NAME + 1];
    size_t n = strlen(r->label);
    memcpy(name, r->label, n);
    name[n] = '.';
    strcpy(name + n + 1, f->name);
    return portable__array_named(status, function, name);
  }
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
  /* An element of no array stands for it: one of these indices, or beyond the fields, where that is wrong. */
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
  if (field >= 0 && field < r->record.fields) a.element_bytes = r->record.field[field].bytes; /* of what stands for it */
  return portable_array_element(&a, rank, index);
}
