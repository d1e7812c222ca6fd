/* record.c - what a record is: fields with names, kinds and places in a structure. Not in this file: arrays of records (records_of.c). Pure but
 * for the texts of errors. */
#include <string.h>

#include "array.h"

#include "../../internal/kernels/reduction/partial.h"

size_t portable_kind_bytes(int32_t kind) { return kind == PORTABLE_KIND_EXACT ? sizeof(portable_exact) : kind > 0 ? portable__kind_bytes(kind) : 0; }

portable_status portable_record_begin(portable_record *record, size_t bytes) {
  static const char function[] = "portable_record_begin";
  if (!record) return portable__fail(PORTABLE_ERR_ARG, "%s: record is NULL", function);
  memset(record, 0, sizeof *record);
  if (bytes > INT32_MAX) return portable__fail(PORTABLE_ERR_ARG, "%s: a record of %zu bytes; it has at most %d", function, bytes, INT32_MAX);
  record->struct_size = (uint32_t)sizeof *record;
  record->bytes = bytes;
  record->fixed = bytes > 0;
  return PORTABLE_OK;
}

int32_t portable_record_find(const portable_record *record, const char *name) {
  for (int32_t f = 0; record && name && f < record->fields; f++)
    if (strncmp(record->field[f].name, name, PORTABLE_RECORD_NAME - 1) == 0) return f;
  return -1;
}

/* As C aligns it: kinds at their bytes (complex numbers at those of a part, exact sums at a word), others at the largest power of two in their
 * size, up to 16. */
static uint64_t alignment(int32_t kind, uint64_t bytes) {
  if (kind == PORTABLE_KIND_COMPLEX32 || kind == PORTABLE_KIND_COMPLEX64) return bytes / 2;
  if (kind == PORTABLE_KIND_EXACT) return 8;
  uint64_t align = bytes & (~bytes + 1);
  return align > 16 ? 16 : align;
}

static uint64_t up(uint64_t n, uint64_t align) { return (n + align - 1) / align * align; }

portable_status portable_record_add(portable_record *record, const char *name, int32_t kind, size_t value_bytes, int32_t count, int64_t offset) {
  static const char function[] = "portable_record_add";
  uint64_t end = 0, align = 1;
  if (!record || record->struct_size != sizeof *record)
    return portable__fail(PORTABLE_ERR_ARG, "%s: record is %s", function, record ? "no record: begin with portable_record_begin" : "NULL");
  if (!name || !name[0]) return portable__fail(PORTABLE_ERR_ARG, "%s: the field has no name", function);
  if (record->fields == PORTABLE_RECORD_FIELDS)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': a record has at most %d fields", function, name, PORTABLE_RECORD_FIELDS);
  if (portable_record_find(record, name) >= 0) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there is a field of this name already", function, name);
  uint64_t bytes = portable__array_element_bytes(function, name, kind, value_bytes);
  if (bytes == 0) return PORTABLE_ERR_ARG;
  if (count < 1 || bytes > INT32_MAX || (uint64_t)count > INT32_MAX / bytes)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': it has %d values of %llu bytes; there are 1 or more, and not more than %d bytes", function, name,
                          (int)count, (unsigned long long)bytes, INT32_MAX);
  if (offset < PORTABLE_RECORD_NEXT) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': its offset is %lld", function, name, (long long)offset);
  for (int32_t f = 0; f < record->fields; f++) {
    const portable_record_field *other = &record->field[f];
    if (alignment(other->kind, other->bytes) > align) align = alignment(other->kind, other->bytes);
    if (other->offset + other->bytes * (uint64_t)other->count > end) end = other->offset + other->bytes * (uint64_t)other->count;
  }
  if (alignment(kind, bytes) > align) align = alignment(kind, bytes);
  uint64_t at = offset == PORTABLE_RECORD_NEXT ? up(end, alignment(kind, bytes)) : (uint64_t)offset, behind = at + bytes * (uint64_t)count;
  for (int32_t f = 0; f < record->fields; f++) {
    const portable_record_field *other = &record->field[f];
    if (at < other->offset + other->bytes * (uint64_t)other->count && other->offset < behind)
      return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': it lies over the field '%s'", function, name, other->name);
  }
  if (behind > INT32_MAX || (record->fixed && behind > record->bytes))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': it ends at byte %llu, behind the record, which has %llu bytes", function, name,
                          (unsigned long long)behind, (unsigned long long)(record->fixed ? record->bytes : INT32_MAX));
  portable_record_field *f = &record->field[record->fields++];
  memset(f, 0, sizeof *f);
  strncpy(f->name, name, sizeof f->name - 1);
  f->kind = kind;
  f->count = count;
  f->bytes = bytes;
  f->offset = at;
  if (!record->fixed) record->bytes = up(behind > end ? behind : end, align);
  return PORTABLE_OK;
}
