/* fortran_record.c - the functions of portable_record_mod that C does not have: names without an
 * end, and tests of handles. */
#include <string.h>

#include "../../arrays/owner/records_of.h"

portable_status portable__fortran_record_add(int32_t version, portable_record *record, const char *name, size_t name_bytes, int32_t kind,
                                             int32_t value_bytes, int32_t count, int64_t offset) {
  char text[PORTABLE__LABEL_MAX + 1];
  portable_status status = portable__check_version(version);
  if (status == PORTABLE_OK && record->struct_size == 0) status = portable_record_begin(record, 0);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text, sizeof text, name, name_bytes);
  return portable_record_add(record, text, kind, (size_t)value_bytes, count, offset);
}

int32_t portable__fortran_record_find(const portable_record *record, const char *name, size_t name_bytes) {
  char text[PORTABLE__LABEL_MAX + 1];
  portable__copy_text(text, sizeof text, name, name_bytes);
  return portable_record_find(record, text);
}

portable_status portable__fortran_records_create(int32_t version, const char *label, size_t label_bytes, const portable_record *record,
                                                 int32_t layout, int64_t width, void *data, int32_t rank, const int64_t *extents,
                                                 int32_t lower_rank, const int64_t *lower, int32_t order, int32_t zero, int32_t space,
                                                 portable_pool pool, portable_records *records) {
  static const char function[] = "portable_records_create";
  char text[PORTABLE__LABEL_MAX + 1];
  int64_t ones[PORTABLE_ARRAY_RANK];
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text, sizeof text, label, label_bytes);
  const char *name = text[0] ? text : "records";
  if (records->struct_size != 0)
    return portable__fail(PORTABLE_ERR_STATE, "%s of '%s': the handle holds the records '%s' already; release it first", function, name, records->label);
  if (lower_rank >= 0 && lower_rank != rank)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there are %d extents, but %d lower bounds", function, name, (int)rank, (int)lower_rank);
  for (int32_t d = 0; d < PORTABLE_ARRAY_RANK; d++) ones[d] = 1;
  config.order = order;
  config.lower = lower_rank >= 0 ? lower : ones;
  if (data) return portable_records_wrap(name, record, layout, width, data, rank, extents, &config, records);
  config.zero = zero;
  config.space = space;
  config.pool = pool;
  return portable_records_create(name, record, layout, width, rank, extents, &config, records);
}

portable_status portable__fortran_records_twin_side(int32_t version, portable_twin twin, const portable_records *shape, int32_t side, int32_t access,
                                                    portable_records *records) {
  const portable_records_twin both = {twin, *shape};
  const portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  return (side == 0 ? portable_records_twin_host : portable_records_twin_device)(&both, access, records);
}

portable_status portable__fortran_records_field(int32_t version, const portable_records *records, const char *name, size_t name_bytes,
                                                int32_t component, int32_t lanes, portable_array *array) {
  static const char function[] = "portable_records_field";
  char text[PORTABLE__LABEL_MAX + 1];
  portable_status status = portable__check_version(version);
  if (status == PORTABLE_OK) status = portable__records_live(function, records);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text, sizeof text, name, name_bytes);
  int32_t field = portable_record_find(&records->record, text);
  if (field < 0) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there is no field '%s'", function, records->label, text);
  const int32_t count = records->record.field[field].count;
  if (component == INT32_MAX || component < (lanes ? 0 : -1)) /* of the module: below 1 */
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the field '%s' has no value below 1; it has %d, counted from 1", function, records->label, text,
                          (int)count);
  if (component >= count)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the field '%s' has no value %d; it has %d, counted from 1", function, records->label, text,
                          (int)component + 1, (int)count);
  return (lanes ? portable_records_lanes : portable_records_field)(records, field, component, array);
}
