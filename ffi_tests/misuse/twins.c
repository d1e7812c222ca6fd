/* twins.c - misuse of twins and of records: the checks of portable_twin.h, portable_layout.h and
 * portable_record.h. Not in this file: arrays (arrays.c). */
#include "misuse.h"

/* Each kind of the first table begins with a twin of 4 x 3 elements of real64, whose two sides have their own memory.
 * Neither side is newer before, nor afterwards. */
static const int64_t extents[] = {4, 3};
static portable_twin_config config;
static portable_twin t;

static void begin_twin(void) {
  const portable_twin_config fresh = PORTABLE_TWIN_CONFIG_INIT;
  config = fresh;
  config.separate = 1;
  begin_running();
  MUST(portable_twin_create("grid", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &t) == 0);
}

static void end_twin(void) {
  portable_twin_state state;
  state.struct_size = (uint32_t)sizeof state;
  MUST(portable_twin_query(t, &state) == 0 && state.holders == 1 && !state.host_newer && !state.device_newer);
  MUST(portable_twin_release(t) == 0);
  end_running();
}

/* The host side is read, and the device side is newer. */
static void twin_stale(void) {
  portable_array h, d;
  MUST(portable_twin_device(t, PORTABLE_TWIN_OVERWRITE, &d) == 0);
  ASK(portable_twin_host(t, PORTABLE_TWIN_READ, &h));
  MUST(h.struct_size == 0 && portable_array_release(&d) == 0 && portable_twin_discard_device(t) == 0);
}

/* A copy of the stale side. */
static void twin_stale_copy(void) {
  portable_array h, other;
  MUST(portable_twin_host(t, PORTABLE_TWIN_READ, &h) == 0 && portable_array_host_object(&h, &other) == 0);
  MUST(portable_twin_modified_device(t, "a kernel") == 0);
  ASK(portable_array_copy(&h, &other, NULL));
  MUST(portable_array_release(&h) == 0 && portable_array_release(&other) == 0 && portable_twin_discard_device(t) == 0);
}

/* Both sides are changed without a sync in between. */
static void twin_both_marked(void) {
  MUST(portable_twin_modified_device(t, "a kernel") == 0);
  ASK(portable_twin_modified_host(t, "the halo"));
  MUST(portable_twin_discard_device(t) == 0 && portable_twin_discard_host(t) == 0);
}

/* A sync of two sides that were both changed. */
static void twin_conflict(void) {
  MUST(portable_twin_modified_device(t, "a kernel") == 0 && portable_twin_modified_host(t, "the halo") == 0);
  ASK(portable_twin_sync_host(t, NULL));
  MUST(portable_twin_discard_device(t) == 0 && portable_twin_discard_host(t) == 0);
}

/* A side was changed without a mark. */
static void twin_untold(void) {
  portable_array h, d;
  MUST(portable_twin_host(t, PORTABLE_TWIN_OVERWRITE, &h) == 0 && portable_array_fill(&h, NULL, NULL) == 0);
  MUST(portable_twin_sync_device(t, NULL) == 0 && portable_twin_device(t, PORTABLE_TWIN_READ, &d) == 0);
  *(double *)d.data = 5;
  ASK(portable_twin_sync_host(t, NULL));
  MUST(portable_array_release(&h) == 0 && portable_array_release(&d) == 0);
}

/* An invalid access to a side. */
static void twin_access(void) {
  portable_array h;
  ASK(portable_twin_host(t, 7, &h));
}

/* A twin that was released. */
static void twin_released(void) {
  portable_twin other;
  MUST(portable_twin_create("gone", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &other) == 0 && portable_twin_release(other) == 0);
  ASK(portable_twin_sync_device(other, NULL));
}

/* A twin of a side of a twin. */
static void twin_of_side(void) {
  portable_array h;
  portable_twin other;
  MUST(portable_twin_host(t, PORTABLE_TWIN_READ, &h) == 0);
  ASK(portable_twin_wrap(&h, NULL, &other));
  MUST(other == 0 && portable_array_release(&h) == 0);
}

/* Two sides with different lower bounds. */
static void twin_bounds(void) {
  const int64_t lower[] = {0, 1};
  portable_array_config device = PORTABLE_ARRAY_CONFIG_INIT;
  portable_twin other;
  device.lower = lower;
  config.device = &device;
  ASK(portable_twin_create("two", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &other));
  config.device = NULL;
}

/* A rule whose order names a dimension twice. */
static void twin_rule(void) { ASK(portable_layout_rule("grid", "cpu", "kjk", 0)); }

static const struct kind kinds_of_twins[] = {
    {KIND(twin_stale), .settings = "PORTABLE_CHECK=arrays",
     ERROR(STATE, "PORTABLE_CHECK=arrays: portable_twin_host of 'grid': the host side is stale: the device side "
                  "is newer, it was taken for changes by portable_twin_device; call portable_twin_sync_host before")},
    {KIND(twin_stale_copy), .settings = "PORTABLE_CHECK=arrays",
     ERROR(STATE, "portable_array_copy of 'grid': the host side is stale: the device side is newer, it was "
                  "marked by portable_twin_modified_device ('a kernel')")},
    {KIND(twin_both_marked), .settings = "PORTABLE_CHECK=arrays",
     ERROR(STATE, "portable_twin_modified_host of 'grid': both sides were changed since they were the same: the "
                  "host side was marked by portable_twin_modified_host ('the halo'), the device side marked by "
                  "portable_twin_modified_device ('a kernel')")},
    {KIND(twin_conflict),
     ERROR(STATE, "portable_twin_sync_host of 'grid': both sides were changed since they were the same")},
    {KIND(twin_untold), .settings = "PORTABLE_CHECK=arrays",
     ERROR(STATE, "portable_twin_sync_host of 'grid': the device side was changed since both were the same, and "
                  "the change was not marked")},
    {KIND(twin_access), ERROR(ARG, "portable_twin_host of 'grid': there is no access 7")},
    {KIND(twin_released),
     ERROR(HANDLE, "portable_twin_sync_device:  && is not a twin, or the twin was released by all")},
    {KIND(twin_of_side), ERROR(ARG, "portable_twin_wrap of 'grid': the array is a side of a twin already")},
    {KIND(twin_bounds),
     ERROR(ARG, "portable_twin_create of 'two': dimension 2 begins at 0 on the host side and at 1 on the device side")},
    {KIND(twin_rule), ERROR(ARG, "portable_layout_rule of 'grid': the layout \"kjk\" is invalid")},
};
const struct table twins_table = TABLE(kinds_of_twins, begin_twin, end_twin);

/* Each kind of the second table begins with 5 records of 12 bytes: an int32 k and a real64 x. */
static const int64_t five[] = {5};
static portable_record part;
static portable_records r;

static void begin_records(void) {
  begin_running();
  MUST(portable_record_begin(&part, 12) == 0 && portable_record_add(&part, "k", PORTABLE_KIND_INT32, 0, 1, 0) == 0);
  MUST(portable_record_add(&part, "x", PORTABLE_KIND_REAL64, 0, 1, 4) == 0);
  MUST(portable_records_create("parts", &part, PORTABLE_RECORDS_AOS, 0, 1, five, NULL, &r) == 0);
}

static void end_records(void) {
  MUST(portable_array_owner_use_count(r.owner) == 1 && part.fields == 2);
  MUST(portable_records_release(&r) == 0);
  end_running();
}

/* Two fields of one name. */
static void records_name(void) { ASK(portable_record_add(&part, "x", PORTABLE_KIND_INT8, 0, 1, 0)); }

/* A field that overlaps another one. */
static void records_over(void) { ASK(portable_record_add(&part, "y", PORTABLE_KIND_INT32, 0, 1, 2)); }

/* A field behind the end of the structure. */
static void records_behind(void) { ASK(portable_record_add(&part, "y", PORTABLE_KIND_INT32, 0, 1, 12)); }

/* A width of blocks that is no power of two. */
static void records_width(void) {
  portable_records other;
  ASK(portable_records_create("odd", &part, PORTABLE_RECORDS_BLOCKS, 12, 1, five, NULL, &other));
  MUST(other.struct_size == 0);
}

/* An array of a field whose stride is no multiple of its element. */
static void records_apart(void) {
  portable_array x;
  ASK(portable_records_field(&r, 1, 0, &x));
  MUST(x.struct_size == 0);
}

/* A field that does not exist. */
static void records_field(void) {
  portable_array x;
  ASK(portable_records_field(&r, portable_record_find(&part, "z"), 0, &x));
}

/* A copy to records of other fields. */
static void records_copy(void) {
  portable_record other_part;
  portable_records other;
  MUST(portable_record_begin(&other_part, 0) == 0 && portable_record_add(&other_part, "k", PORTABLE_KIND_INT64, 0, 1, 0) == 0);
  MUST(portable_records_create("others", &other_part, PORTABLE_RECORDS_SOA, 0, 1, five, NULL, &other) == 0);
  ASK(portable_records_copy(&r, &other, NULL));
  MUST(portable_records_release(&other) == 0);
}

/* Records around a NULL address. */
static void records_null(void) {
  portable_records other;
  ASK(portable_records_wrap("null", &part, PORTABLE_RECORDS_AOS, 0, NULL, 1, five, NULL, &other));
}

/* A side of a twin of records that is stale. */
static void records_twin_stale(void) {
  portable_records_twin both;
  portable_records side;
  MUST(portable_records_twin_create("both", &part, PORTABLE_RECORDS_AOS, 0, 1, five, NULL, &both) == 0);
  MUST(portable_twin_modified_host(both.twin, "a loop") == 0);
  ASK(portable_records_twin_device(&both, PORTABLE_TWIN_READ, &side));
  MUST(side.struct_size == 0 && portable_records_twin_release(&both) == 0 && both.twin == 0);
}

/* Twins of records whose layout there is not. */
static void records_twin_layout(void) {
  portable_records_twin both;
  ASK(portable_records_twin_create("both", &part, 3, 0, 1, five, NULL, &both));
  MUST(both.twin == 0);
}

static const struct kind kinds_of_records[] = {
    {KIND(records_name), ERROR(ARG, "portable_record_add of 'x': there is a field of this name already")},
    {KIND(records_over), ERROR(ARG, "portable_record_add of 'y': it lies over the field 'k'")},
    {KIND(records_behind),
     ERROR(ARG, "portable_record_add of 'y': it ends at byte 16, behind the record, which has 12 bytes")},
    {KIND(records_width),
     ERROR(ARG, "portable_records_create of 'odd': width is 12; blocks have a power of two of records")},
    {KIND(records_apart),
     ERROR(ARG, "portable_records_field of 'parts.x': the records lie 12 bytes apart, which is no whole number "
                "of the field's elements of 8 bytes")},
    {KIND(records_field), ERROR(ARG, "portable_records_field of 'parts': there is no field -1; there are 2")},
    {KIND(records_copy),
     ERROR(ARG, "portable_records_copy of 'parts' to 'others': field 1 is 'k' of 1 int32 here and 'k' of 1 int64 "
                "there")},
    {KIND(records_null),
     ERROR(ARG, "portable_records_wrap of 'null': data is NULL, but there are 5 records; were they allocated?")},
    {KIND(records_twin_stale), .settings = "PORTABLE_CHECK=arrays",
     ERROR(STATE, "PORTABLE_CHECK=arrays: portable_twin_device of 'both': the device side is stale: the host side is newer, it "
                  "was marked by portable_twin_modified_host ('a loop'); call portable_twin_sync_device before")},
    {KIND(records_twin_layout), ERROR(ARG, "there is no layout 3")},
};
const struct table records_table = TABLE(kinds_of_records, begin_records, end_records);
