/* twins.c - twins of records: both sides in three layouts, syncs both ways, marks, what checks refuse, one memory or two, sides that outlive the twin. Not in
 * this file: twins of arrays (../twins), memory of a device of its own (../cuda). */
#include "check.h"

#include <stddef.h>

struct atom {
  double x[3];
  float mass;
  int32_t kind;
};

static portable_record record;

static void describe(void) {
  CHECK_STATUS(portable_record_begin(&record, sizeof(struct atom)), PORTABLE_OK);
  CHECK_STATUS(PORTABLE_RECORD_ADD(&record, struct atom, x, PORTABLE_KIND_REAL64), PORTABLE_OK);
  CHECK_STATUS(PORTABLE_RECORD_ADD(&record, struct atom, mass, PORTABLE_KIND_REAL32), PORTABLE_OK);
  CHECK_STATUS(PORTABLE_RECORD_ADD(&record, struct atom, kind, PORTABLE_KIND_INT32), PORTABLE_OK);
}

enum { NI = 7, NJ = 5 };
static const int64_t extents[2] = {NI, NJ};

/* Numbers that tell field, component and place. */
static void fill(const portable_records *r, double add) {
  for (int64_t i = 0; i < NI; i++)
    for (int64_t j = 0; j < NJ; j++) {
      for (int32_t c = 0; c < 3; c++) *(double *)portable_records_at2(r, 0, c, i + 1, j) = (double)(100 * i + 10 * j + c) + add;
      *(float *)portable_records_at2(r, 1, 0, i + 1, j) = (float)(i - j) + (float)add;
      *(int32_t *)portable_records_at2(r, 2, 0, i + 1, j) = (int32_t)(i * j);
    }
}

static int has(const portable_records *r, double add) {
  int64_t wrong = 0;
  for (int64_t i = 0; i < NI; i++)
    for (int64_t j = 0; j < NJ; j++) {
      for (int32_t c = 0; c < 3; c++) wrong += *(double *)portable_records_at2(r, 0, c, i + 1, j) != (double)(100 * i + 10 * j + c) + add;
      wrong += *(float *)portable_records_at2(r, 1, 0, i + 1, j) != (float)(i - j) + (float)add;
      wrong += *(int32_t *)portable_records_at2(r, 2, 0, i + 1, j) != (int32_t)(i * j);
    }
  return wrong == 0;
}

static portable_twin_state state(const portable_records_twin *t) {
  portable_twin_state s;
  memset(&s, 0, sizeof s);
  s.struct_size = (uint32_t)sizeof s;
  CHECK_STATUS(portable_twin_query(t->twin, &s), PORTABLE_OK);
  return s;
}

/* A field of the device side, as launches have it. */
static void add_one(const portable_tile *t, void *args) {
  const portable_records *r = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    for (int64_t j = 0; j < NJ; j++) {
      for (int32_t c = 0; c < 3; c++) *(double *)portable_records_at2(r, 0, c, i + 1, j) += 1;
      *(float *)portable_records_at2(r, 1, 0, i + 1, j) += 1;
    }
}

static void there_and_back(int32_t layout, int64_t width, int32_t separate) {
  const int64_t lower[2] = {1, 0};
  const portable_bounds rows = portable_bounds_1(NI);
  portable_array_config host = PORTABLE_ARRAY_CONFIG_INIT;
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_records_twin t;
  portable_records a, b, late;
  portable_array masses;
  host.lower = lower;
  config.host = &host;
  config.separate = separate;
  CHECK_STATUS(portable_records_twin_create("atoms", &record, layout, width, 2, extents, &config, &t), PORTABLE_OK);
  CHECK(state(&t).one_memory == !separate);
  CHECK_STATUS(portable_records_twin_host(&t, PORTABLE_TWIN_OVERWRITE, &a), PORTABLE_OK);
  CHECK(a.rank == 2 && a.lower[0] == 1 && a.extent[0] == NI && a.layout == layout && strcmp(a.label, "atoms") == 0);
  fill(&a, 0.5);
  CHECK(state(&t).host_newer && !state(&t).device_newer);
  CHECK_STATUS(portable_twin_sync_device(t.twin, NULL), PORTABLE_OK);
  CHECK(!state(&t).host_newer);
  CHECK_STATUS(portable_records_twin_device(&t, PORTABLE_TWIN_UPDATE, &b), PORTABLE_OK);
  CHECK((a.data == b.data) == !separate && has(&b, 0.5));
  CHECK_STATUS(portable_parallel_for("atoms", &rows, add_one, &b, 0, NULL), PORTABLE_OK);
  CHECK(state(&t).device_newer && has(&b, 1.5) && has(&a, separate ? 0.5 : 1.5));
  CHECK_STATUS(portable_twin_sync_host(t.twin, NULL), PORTABLE_OK);
  CHECK(has(&a, 1.5));
  if (layout != PORTABLE_RECORDS_BLOCKS) { /* a field is an array, and holds its side */
    CHECK_STATUS(portable_records_field(&a, 1, -1, &masses), PORTABLE_OK);
    CHECK(masses.extent[0] == NI && masses.extent[1] == NJ);
    CHECK_STATUS(portable_array_release(&masses), PORTABLE_OK);
  }
  /* both sides changed: a sync would lose one */
  CHECK_STATUS(portable_twin_modified_host(t.twin, "a loop"), PORTABLE_OK);
  CHECK_STATUS(portable_twin_modified_device(t.twin, "a kernel"), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_device(t.twin, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_twin_discard_device(t.twin), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_device(t.twin, NULL), PORTABLE_OK);
  /* under checks a stale side is refused, when it is taken and when it is read */
  CHECK_STATUS(portable_records_release(&b), PORTABLE_OK);
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_ARRAYS), PORTABLE_OK);
  CHECK_STATUS(portable_twin_modified_host(t.twin, "a loop"), PORTABLE_OK);
  CHECK_STATUS(portable_records_twin_device(&t, PORTABLE_TWIN_READ, &b), PORTABLE_ERR_STATE);
  CHECK_TEXT("stale");
  CHECK(b.struct_size == 0);
  CHECK_STATUS(portable_twin_sync_device(t.twin, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_records_twin_device(&t, PORTABLE_TWIN_READ, &b), PORTABLE_OK);
  CHECK_STATUS(portable_set_checks(0), PORTABLE_OK);
  CHECK(has(&b, 1.5));
  /* sides outlive the twin */
  const portable_records_twin copy = t;
  CHECK_STATUS(portable_records_twin_release(&t), PORTABLE_OK);
  CHECK(t.twin == 0);
  CHECK_STATUS(portable_records_twin_host(&copy, PORTABLE_TWIN_READ, &late), PORTABLE_ERR_HANDLE);
  CHECK(has(&a, 1.5) && has(&b, 1.5));
  CHECK_STATUS(portable_records_release(&a), PORTABLE_OK);
  CHECK_STATUS(portable_records_release(&b), PORTABLE_OK);
  CHECK_STATUS(portable_records_twin_release(&t), PORTABLE_OK);
}

static void refused(void) {
  const int64_t negative[1] = {-1}, none[1] = {0};
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_records_twin t;
  portable_records a;
  /* Texts name this call and its label, whichever of its steps fails. */
#define REFUSED(text, ...)                                                                 \
  CHECK_STATUS(portable_records_twin_create(__VA_ARGS__, &t), PORTABLE_ERR_ARG);           \
  CHECK(t.twin == 0 && strstr(portable_last_error(), "portable_records_twin_create of '") == portable_last_error()); \
  CHECK_TEXT(text);                                                                        \
  CHECK(!strstr(portable_last_error(), "portable_records_bytes") && !strstr(portable_last_error(), "portable_twin_create"))
  REFUSED("of 'r': there is no layout 7", "r", &record, 7, 0, 2, extents, NULL);
  REFUSED("of 'records': there is no layout 7", NULL, &record, 7, 0, 2, extents, NULL);
  REFUSED("of 'r': extent 1 is -1", "r", &record, PORTABLE_RECORDS_SOA, 0, 1, negative, NULL);
  REFUSED("of 'r': ", "r", &record, PORTABLE_RECORDS_BLOCKS, 3, 1, extents, NULL);
  REFUSED("of 'r': ", "r", NULL, PORTABLE_RECORDS_SOA, 0, 1, extents, NULL);
  config.struct_size = 3;
  REFUSED("of 'r': ", "r", &record, PORTABLE_RECORDS_SOA, 0, 1, extents, &config);
  REFUSED("of 'records': ", "", &record, PORTABLE_RECORDS_SOA, 0, 1, extents, &config);
#undef REFUSED
  CHECK_STATUS(portable_records_twin_create("r", &record, PORTABLE_RECORDS_SOA, 0, 1, none, NULL, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_records_twin_create of 'r': twin_out is NULL");
  CHECK_STATUS(portable_records_twin_create("r", &record, PORTABLE_RECORDS_SOA, 0, 1, none, NULL, &t), PORTABLE_OK);
  CHECK_STATUS(portable_records_twin_host(&t, 9, &a), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_records_twin_host(&t, PORTABLE_TWIN_OVERWRITE, &a), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_device(t.twin, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_records_release(&a), PORTABLE_OK);
  CHECK_STATUS(portable_records_twin_release(&t), PORTABLE_OK);
}

int main(void) {
  describe();
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int32_t separate = 0; separate <= 1; separate++) {
    there_and_back(PORTABLE_RECORDS_AOS, 0, separate);
    there_and_back(PORTABLE_RECORDS_SOA, 0, separate);
    there_and_back(PORTABLE_RECORDS_BLOCKS, 4, separate);
  }
  refused();
  return check_end();
}
