/* record.c - records: fields with names, kinds and offsets in a structure. Go adds fields
 * (arrays/kind.go). Not here: arrays of records (records_of.c). Threads: any; the user guards a
 * record. */
#include <string.h>

#include "questions.h"

portable_status portable_record_begin(portable_record *record, size_t bytes) {
  static const char function[] = "portable_record_begin";
  if (!record) return portable__array_missing(function, "", "record");
  memset(record, 0, sizeof *record);
  if (bytes > INT32_MAX) return portable__array_unfit(function, "", PORTABLE__UNFIT_RECORD, bytes, PORTABLE_ERR_ARG);
  record->struct_size = (uint32_t)sizeof *record;
  record->bytes = bytes;
  record->fixed = bytes > 0;
  return PORTABLE_OK;
}

size_t portable_kind_bytes(int32_t kind) { return portable__array_element_bytes(kind, 0); }

int32_t portable_record_find(const portable_record *record, const char *name) {
  for (int32_t f = 0; record && name && f < record->fields && f < PORTABLE_RECORD_FIELDS; f++)
    if (strncmp(record->field[f].name, name, PORTABLE_RECORD_NAME - 1) == 0) return f;
  return -1;
}

portable_status portable_record_add(portable_record *record, const char *name, int32_t kind, size_t value_bytes, int32_t count, int64_t offset) {
  portable_status status;
  PORTABLE__ARRAY_PLANNED(&status, "portable_record_add", name ? name : "", portable__owner_go.record_add(record, name, kind, value_bytes, count, offset));
  return status;
}
