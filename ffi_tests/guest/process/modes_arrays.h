/* modes_arrays.h - the rows of modes.c for arrays, twins and records: one function each, in an order in which each finds what it needs. Part of modes.c, which
 * has ROW and the list that calls them. */
static portable_array array, view;
static const int64_t two[2] = {2, 2};
static const portable_array_range all[2] = {PORTABLE_RANGE_ALL, PORTABLE_RANGE_ALL};
ROW(portable_array_create, portable_array_create("modes", PORTABLE_KIND_REAL64, 0, 2, two, NULL, &array))
ROW(portable_array_wrap, double x[4]; portable_array_wrap("modes", PORTABLE_KIND_REAL64, 0, x, 2, two, NULL, NULL, &view))
ROW(portable_array_is_allocated, portable_array_is_allocated(&array))
ROW(portable_array_use_count, portable_array_use_count(&array))
ROW(portable_array_retain, portable_array_retain(&array))
ROW(portable_array_fill, portable_array_fill(&array, NULL, NULL))
ROW(portable_array_slice, portable_array_slice(&array, all, &view))
ROW(portable_array_subset_slowest, portable_array_subset_slowest(&view, 0, 1, &view))
ROW(portable_array_reshape, portable_array_reshape(&view, 2, two, NULL, &view))
ROW(portable_array_collapse, portable_array_collapse(&view, 0, &view))
ROW(portable_array_permute, portable_array_permute(&view, NULL, &view))
ROW(portable_array_rebase, portable_array_rebase(&view, two, &view))
ROW(portable_array_copy, portable_array_copy(&array, &view, NULL))
ROW(portable_array_copy_start, portable_array_copy_start(&array, &view, NULL))
ROW(portable_array_equal, int32_t e; portable_array_equal(&array, &view, &e))
ROW(portable_array_checksum, uint64_t c; portable_array_checksum(&array, &c))
ROW(portable_array_data, void *p; portable_array_data(&array, PORTABLE_SPACE_HOST, &p))
ROW(portable_array_locate, void *p; portable_array_locate(&array, 2, two, &p))
ROW(portable_array_element, portable_array_element(&view, 1, two))
ROW(portable_array_release, portable_array_release(&view))
ROW(portable_array_host_copy, portable_array_host_copy(&array, &view); portable_array_release(&view))
ROW(portable_array_host_object, portable_array_host_object(&array, &view); portable_array_release(&view))
ROW(portable_array_device_copy, portable_array_device_copy(&array, &view); portable_array_release(&view))
ROW(portable_array_device_object, portable_array_device_object(&array, &view); portable_array_release(&view))
ROW(portable_array_owner_retain, portable_array_owner_retain(array.owner))
ROW(portable_array_owner_use_count, portable_array_owner_use_count(array.owner))
ROW(portable_array_owner_release, portable_array_owner_release(array.owner))
ROW(portable_array_owner_deallocate, portable_array_owner_deallocate(array.owner))
ROW(portable__fortran_array_create, int64_t ones[15] = {1, 1}; portable_array a = PORTABLE_ARRAY_NONE;
    portable__fortran_array_create(PORTABLE_VERSION, "m ", 2, 6, 2, two, 2, ones, 1, -1, NULL, 1, 64, 0, 0, &a); portable_array_release(&a))
ROW(portable__fortran_array_wrap, double x[3] = {1, 2, 3}; int64_t one = 1; portable_array a = PORTABLE_ARRAY_NONE;
    struct portable__fortran_parts s = {x, {&x[2]}, {2}, 6, 1}; portable__fortran_array_wrap(PORTABLE_VERSION, "m ", 2, &s, &one, &a))
ROW(portable__fortran_array_describe, double x[3] = {1, 2, 3}; portable_array a = PORTABLE_ARRAY_NONE;
    struct portable__array_steps s = {x, 8, {1}, {2}, {16}, 6, 1, 1}; portable__fortran_array_describe(PORTABLE_VERSION, "m ", 2, &s, &a))
ROW(portable__fortran_array_from_cfi, double x[3] = {1, 2, 3}; portable_array a;
    struct portable__array_steps s = {x, 8, {1}, {2}, {16}, 6, 1, 1}; portable__fortran_array_from_cfi("m", &s, NULL, &a))
ROW(portable__fortran_array_to_cfi, struct portable__array_steps s; portable__fortran_array_to_cfi(&array, 6, 2, &s))
ROW(portable__fortran_array_get, struct portable__fortran_view v; portable__fortran_array_get(PORTABLE_VERSION, &array, 6, 2, &v))
static portable_twin twin;
ROW(portable_layout_rule, portable_layout_rule("modes*", NULL, "ji", 0))
ROW(portable_layout_find, portable_layout l; portable_layout_find("modes", 0, 2, PORTABLE_ORDER_C, &l))
ROW(portable_twin_create, portable_twin_create("modes", PORTABLE_KIND_REAL64, 0, 2, two, NULL, &twin))
ROW(portable_twin_host, portable_twin_host(twin, PORTABLE_TWIN_UPDATE, &view); portable_array_release(&view))
ROW(portable_twin_modified_host, portable_twin_modified_host(twin, NULL))
ROW(portable_twin_sync_device, portable_twin_sync_device(twin, NULL))
ROW(portable_twin_device, portable_twin_device(twin, PORTABLE_TWIN_UPDATE, &view); portable_array_release(&view))
ROW(portable_twin_modified_device, portable_twin_modified_device(twin, NULL))
ROW(portable_twin_sync_host, portable_twin_sync_host(twin, NULL))
ROW(portable_twin_discard_host, portable_twin_discard_host(twin))
ROW(portable_twin_discard_device, portable_twin_discard_device(twin))
ROW(portable_twin_query, portable_twin_state s; s.struct_size = (uint32_t)sizeof s; portable_twin_query(twin, &s))
ROW(portable_twin_retain, portable_twin_retain(twin))
ROW(portable_twin_release, portable_twin_release(twin); portable_twin_release(twin))
ROW(portable_twin_wrap, portable_twin t; portable_twin_wrap(&array, NULL, &t); portable_twin_release(t))
ROW(portable__fortran_twin_create, int32_t orders[2] = {1, 0}; int32_t none[2] = {-1, -1}; portable_twin t = 0;
    portable__fortran_twin_create(PORTABLE_VERSION, "m ", 2, 6, 2, two, -1, two, orders, none, NULL, NULL, 1, 1, &t); portable_twin_release(t))
ROW(portable__fortran_twin_wrap, portable_twin t = 0; portable__fortran_twin_wrap(PORTABLE_VERSION, &array, 1, -1, NULL, 1, &t); portable_twin_release(t))
ROW(portable__fortran_twin_modified, portable__fortran_twin_modified(PORTABLE_VERSION, twin, 0, "m ", 2))
ROW(portable__fortran_twin_sync, portable__fortran_twin_sync(PORTABLE_VERSION, twin, 0, 0))
ROW(portable__fortran_layout_rule, portable__fortran_layout_rule(PORTABLE_VERSION, "m ", 2, "cpu", 3, "ij", 2, 64))
static portable_record record;
static portable_records records, soa;
ROW(portable_kind_bytes, portable_kind_bytes(PORTABLE_KIND_REAL64))
ROW(portable_record_begin, portable_record_begin(&record, 0))
ROW(portable_record_add, portable_record_add(&record, "x", PORTABLE_KIND_REAL64, 0, 2, PORTABLE_RECORD_NEXT))
ROW(portable_record_find, portable_record_find(&record, "x"))
ROW(portable_records_bytes, size_t b; portable_records_bytes(&record, PORTABLE_RECORDS_SOA, 0, 2, two, PORTABLE_ORDER_C, &b))
ROW(portable_records_create, portable_records_create("modes", &record, PORTABLE_RECORDS_AOS, 0, 2, two, NULL, &records))
ROW(portable_records_wrap, double x[8]; portable_records_wrap("modes", &record, PORTABLE_RECORDS_AOS, 0, x, 2, two, NULL, &soa))
ROW(portable_records_wrap_fields, double x[8]; void *const fields[1] = {x}; portable_records_wrap_fields("modes", &record, fields, 2, two, NULL, &soa))
ROW(portable_records_copy, portable_records_create("modes", &record, PORTABLE_RECORDS_BLOCKS, 2, 2, two, NULL, &soa); portable_records_copy(&records, &soa, NULL))
ROW(portable_records_field, portable_records_field(&records, 0, -1, &view); portable_array_release(&view))
ROW(portable_records_lanes, portable_records_lanes(&soa, 0, 1, &view); portable_array_release(&view))
ROW(portable_records_element, portable_records_element(&soa, 0, 1, 2, two))
ROW(portable_records_retain, portable_records_retain(&soa); portable_records_release(&soa))
ROW(portable_records_release, portable_records_release(&soa))
ROW(portable__fortran_record_add, portable__fortran_record_add(PORTABLE_VERSION, &record, "y ", 2, 6, 0, 1, -1))
ROW(portable__fortran_record_find, portable__fortran_record_find(&record, "y ", 2))
ROW(portable__fortran_records_create, memset(&soa, 0, sizeof soa); portable__fortran_records_create(PORTABLE_VERSION, "m ", 2, &record, 1, 0, NULL, 2, two, -1, two, 1, 1, 0, 0, &soa); portable_records_release(&soa))
ROW(portable__fortran_records_twin_side, portable_records_twin t; portable_records_twin_create("m", &record, 1, 0, 2, two, NULL, &t);
    portable__fortran_records_twin_side(PORTABLE_VERSION, t.twin, &t.shape, 1, 2, &soa); portable_records_release(&soa); portable_records_twin_release(&t))
ROW(portable__records_twin_bytes, size_t b; portable__records_twin_bytes("m", &record, PORTABLE_RECORDS_SOA, 0, 2, two, PORTABLE_ORDER_C, &b))
ROW(portable__records_twin_named, portable__records_twin_named(PORTABLE_ERR_ARG, "m"))
ROW(portable__fortran_records_field, portable__fortran_records_field(PORTABLE_VERSION, &records, "x ", 2, 0, 0, &view); portable_array_release(&view); portable_records_release(&records))
static const int64_t none[2] = {0, 0};
static portable_halo halo;
static portable_fields fields;
static const portable_halo_box_options box = {(uint32_t)sizeof(portable_halo_box_options), 2, two, none, NULL, NULL, 0, 0};
static const portable_halo_lists_options lists = PORTABLE_HALO_LISTS_OPTIONS_INIT;
ROW(portable_fields_create, portable_fields_create("modes", &fields))
ROW(portable_fields_add, portable_fields_add(fields, "array", &array, 0, NULL))
ROW(portable_halo_lists, portable_halo_lists("modes", NULL, &lists, &halo); portable_halo_destroy(halo))
ROW(portable_halo_box, portable_halo_box("modes", NULL, &box, &halo))
ROW(portable_halo_own, int64_t first[2], last[2]; portable_halo_own(halo, first, last))
ROW(portable_halo_split, portable_bounds inner, rim[6]; int32_t n; portable_halo_split(halo, 0, NULL, &inner, rim, &n))
ROW(portable_halo_begin, portable_halo_begin(halo, fields, NULL))
ROW(portable_halo_end, portable_halo_end(halo, fields, NULL))
ROW(portable_halo_add, portable_halo_add(halo, fields, NULL))
ROW(portable_halo_cancel, portable_halo_cancel(halo))
ROW(portable_particles_migrate, const int32_t owner[1] = {0}; int64_t n; portable_particles_migrate("modes", NULL, owner, 1, fields, NULL, &n))
ROW(portable_particles_ghosts, const double x[1] = {0}; const void *const at[1] = {x}; portable_halo h = 0; int64_t n;
    portable_particles_ghosts("modes", NULL, PORTABLE_KIND_REAL64, 1, at, 1, 1, NULL, 0, &h, &n); portable_halo_destroy(h))
static portable__blocks *blocks;
ROW(portable__restart_begin, portable__restart_begin("modes", halo, fields, &blocks))
ROW(portable__restart_move, uint64_t hash; if (blocks) portable__restart_move(blocks, 0, PORTABLE__BLOCKS_PACK, NULL), portable__restart_move(blocks, 0, PORTABLE__BLOCKS_HASH, &hash))
ROW(portable__restart_file, portable__restart_file("modes", "/nowhere/modes", PORTABLE__BLOCKS_TEST, 0, NULL))
ROW(portable__restart_fail, portable__restart_fail(PORTABLE_ERR_ARG, "modes"))
ROW(portable__restart_end, portable__restart_end(blocks))
ROW(portable_halo_destroy, portable_halo_destroy(halo))
ROW(portable_fields_destroy, portable_fields_destroy(fields))
ROW(portable__fortran_fields_add, portable_fields f = 0; double x[4] = {1, 2, 3, 4}; const int32_t dims[1] = {0};
    struct portable__fortran_section s = {x, {&x[1]}, {4}, 6, 1, NULL}; portable__fortran_fields_add(PORTABLE_VERSION, "m ", 2, &s, 1, dims, &f); portable_fields_destroy(f))
ROW(portable__fortran_fields_add_handle, portable_fields f = 0; const int32_t dims[1] = {0};
    portable__fortran_fields_add_handle(PORTABLE_VERSION, "m ", 2, &array, 1, dims, &f); portable_fields_destroy(f))
ROW(portable__fortran_halo_box, portable_halo h = 0; const int32_t one[2] = {1, 1};
    portable__fortran_halo_box(PORTABLE_VERSION, "m ", 2, NULL, 2, two, none, one, one, 0, &h); portable_halo_destroy(h))
ROW(portable__fortran_halo_lists, portable_halo h = 0;
    portable__fortran_halo_lists(PORTABLE_VERSION, "m ", 2, NULL, 0, NULL, 1, two, 0, NULL, 1, two, 0, NULL, &h); portable_halo_destroy(h))
ROW(portable__fortran_particles_migrate, portable_fields f = 0; const int32_t dims[1] = {0}; int64_t n;
    portable__fortran_fields_add_handle(PORTABLE_VERSION, "m ", 2, &array, 1, dims, &f);
    portable__fortran_particles_migrate(PORTABLE_VERSION, "m ", 2, NULL, dims, 1, f, NULL, &n); portable_fields_destroy(f))
ROW(portable__fortran_particles_ghosts, const double x[1] = {0}, limits[6] = {0}; const void *const at[3] = {x}; const int64_t sizes[3] = {1}; const int32_t no[3] = {0};
    portable_halo h = 0; int64_t n;
    portable__fortran_particles_ghosts(PORTABLE_VERSION, "m ", 2, NULL, PORTABLE_KIND_REAL64, 1, at, sizes, 1, limits, no, 0, NULL, &h, &n); portable_halo_destroy(h))
ROW(portable_array_deallocate, portable_array_deallocate(&array); portable_array_release(&array))
