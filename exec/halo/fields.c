/* fields.c - lists of fields: their life, and the arrays that they hold. Go refuses arrays that
 * cannot be fields. Not here: their exchange (exchange.c). Threads: one user at a time. */
#include "halo.h"

#include <stdlib.h>
#include <string.h>

#include "../launch/questions.h"
#include "questions.h"

static struct portable__slot_table lists = PORTABLE__SLOT_TABLE(PORTABLE__KIND_FIELDS, struct portable__fields);

struct portable__fields *portable__fields_find(const char *call, portable_fields fields, portable_status *status) {
  struct portable__fields *const f = portable__slot_find(&lists, fields);
  if (!f) PORTABLE__EXPLAINED(status, call, NULL, PORTABLE_ERR_HANDLE, portable__launch_go.stale(call, fields, "list of fields"));
  return f;
}

int portable__fields_exist(portable_fields fields) { return portable__slot_find(&lists, fields) != NULL; }

void portable__fields_ended(portable_fields fields) {
  struct portable__fields *const f = portable__slot_find(&lists, fields);
  if (f) f->begun--;
}

portable_status portable_fields_create(const char *label, portable_fields *fields_out) {
  if (!fields_out) return portable__fail(PORTABLE_ERR_ARG, "portable_fields_create: fields_out is NULL");
  *fields_out = 0;
  struct portable__fields *const f = portable__slot_take(&lists);
  if (!f) return portable__fail(PORTABLE_ERR_NOMEM, "portable_fields_create: no memory, or there are too many lists of fields; destroy some");
  const struct portable__slot_head head = f->head;
  memset(f, 0, sizeof *f);
  f->head = head;
  portable__copy_text(f->label, sizeof f->label, label ? label : "fields", strlen(label ? label : "fields"));
  *fields_out = portable__slot_publish(&lists, f);
  return PORTABLE_OK;
}

portable_status portable_fields_add(portable_fields fields, const char *name, const portable_array *array, int32_t count, const int32_t *dims) {
  struct portable__crossing crossing;
  portable_status status = PORTABLE_OK;
  struct portable__fields *const f = portable__fields_find("portable_fields_add", fields, &status);
  if (!f) return status;
  if (f->fixed)
    return portable__fail(PORTABLE_ERR_STATE, "portable_fields_add '%s': an exchange %s '%s'; make another list for more fields", name ? name : "",
                          f->begun ? "is in progress with the list" : "has used the list", f->label);
  if ((status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__halo_go.add_refused(f, name, array, count, dims);
  portable__cross_out(&crossing);
  if (status != PORTABLE_OK) return status;
  if (f->count == f->capacity) {
    struct portable__field *const more = realloc(f->list, (size_t)(f->capacity + 8) * sizeof *more);
    if (!more) return portable__fail(PORTABLE_ERR_NOMEM, "portable_fields_add '%s': no memory for one more field", name);
    f->list = more;
    f->capacity += 8;
  }
  struct portable__field *const x = &f->list[f->count];
  memset(x, 0, sizeof *x);
  if (array->owner && (status = portable_array_retain(array)) != PORTABLE_OK) return status;
  x->array = *array;
  strncpy(x->name, name, sizeof x->name - 1);
  x->dims_count = count;
  if (count) memcpy(x->dims, dims, (size_t)count * sizeof *dims);
  f->count++;
  return PORTABLE_OK;
}

portable_status portable_fields_destroy(portable_fields fields) {
  portable_status status = PORTABLE_OK;
  if (!fields) return PORTABLE_OK;
  struct portable__fields *const f = portable__fields_find("portable_fields_destroy", fields, &status);
  if (!f) return status;
  if (f->begun) return portable__fail(PORTABLE_ERR_STATE, "portable_fields_destroy '%s': an exchange is in progress; end it first", f->label);
  portable__slot_retract(&lists, fields);
  for (int32_t i = 0; i < f->count; i++)
    if (f->list[i].array.owner) portable_array_release(&f->list[i].array);
  free(f->list);
  f->list = NULL;
  f->count = f->capacity = 0;
  portable__slot_give(&lists, f);
  return PORTABLE_OK;
}
