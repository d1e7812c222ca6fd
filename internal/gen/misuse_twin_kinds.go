package main

// ofTwin is a kind with an invalid use of a twin. The twin t, whose sides each have a memory of their own, has 4 x 3 elements of real64 and the
// label 'grid'; neither side is newer before, nor afterwards. Arrays of sides are for the code.
func ofTwin(name, what, code string, status int, texts ...string) misuse {
	return misuse{name: "twin_" + name, what: what, rule: always(failure(status, texts...)), c: `
			const int64_t extents[] = {4, 3};
			portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
			portable_twin_state state;
			portable_twin t;
			config.separate = 1;
			state.struct_size = (uint32_t)sizeof state;
			MUST(portable_init(NULL) == 0);
			MUST(portable_twin_create("grid", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &t) == 0);
			{
			` + code + `
			}
			MUST(portable_twin_query(t, &state) == 0 && state.holders == 1 && !state.host_newer && !state.device_newer);
			MUST(portable_twin_release(t) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`}
}

// checked is the kind with PORTABLE_CHECK=arrays.
func checked(m misuse) misuse {
	m.env = func(cell) []string { return []string{"PORTABLE_CHECK=arrays"} }
	return m
}

// ofRecords is a kind with an invalid use of records. They are structures r of 12 bytes, of an int32 k and a real64 x, and have 5 of
// them, labelled 'parts'.
func ofRecords(name, what, code string, status int, texts ...string) misuse {
	return misuse{name: "records_" + name, what: what, rule: always(failure(status, texts...)), c: `
			const int64_t extents[] = {5};
			portable_record part;
			portable_records r;
			MUST(portable_init(NULL) == 0);
			MUST(portable_record_begin(&part, 12) == 0 && portable_record_add(&part, "k", PORTABLE_KIND_INT32, 0, 1, 0) == 0);
			MUST(portable_record_add(&part, "x", PORTABLE_KIND_REAL64, 0, 1, 4) == 0);
			MUST(portable_records_create("parts", &part, PORTABLE_RECORDS_AOS, 0, 1, extents, NULL, &r) == 0);
			{
			` + code + `
			}
			MUST(portable_array_owner_use_count(r.owner) == 1 && part.fields == 2);
			MUST(portable_records_release(&r) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`}
}

// The kinds of misuse that are of twins and of records: what portable_twin.h, portable_layout.h and portable_record.h check.
var twinKinds = []misuse{
	checked(ofTwin("stale", "The host side is read, and the device side is newer.", `
			  portable_array h, d;
			  MUST(portable_twin_device(t, PORTABLE_TWIN_OVERWRITE, &d) == 0);
			  ASK(portable_twin_host(t, PORTABLE_TWIN_READ, &h));
			  MUST(h.struct_size == 0 && portable_array_release(&d) == 0 && portable_twin_discard_device(t) == 0);`, errState,
		"PORTABLE_CHECK=arrays: portable_twin_host of 'grid': the host side is stale: the device side is newer, it was taken for changes by "+
			"portable_twin_device; call portable_twin_sync_host before")),
	checked(ofTwin("stale_copy", "The stale side is copied from.", `
			  portable_array h, other;
			  MUST(portable_twin_host(t, PORTABLE_TWIN_READ, &h) == 0 && portable_array_host_object(&h, &other) == 0);
			  MUST(portable_twin_modified_device(t, "a kernel") == 0);
			  ASK(portable_array_copy(&h, &other, NULL));
			  MUST(portable_array_release(&h) == 0 && portable_array_release(&other) == 0 && portable_twin_discard_device(t) == 0);`, errState,
		"portable_array_copy of 'grid': the host side is stale: the device side is newer, it was marked by portable_twin_modified_device ('a kernel')")),
	checked(ofTwin("both_marked", "Both sides are changed, and no sync is between.", `
			  MUST(portable_twin_modified_device(t, "a kernel") == 0);
			  ASK(portable_twin_modified_host(t, "the halo"));
			  MUST(portable_twin_discard_device(t) == 0 && portable_twin_discard_host(t) == 0);`, errState,
		"portable_twin_modified_host of 'grid': both sides were changed since they were the same: the host side was marked by "+
			"portable_twin_modified_host ('the halo'), the device side marked by portable_twin_modified_device ('a kernel')")),
	ofTwin("conflict", "A sync of two sides that were both changed.", `
			  MUST(portable_twin_modified_device(t, "a kernel") == 0 && portable_twin_modified_host(t, "the halo") == 0);
			  ASK(portable_twin_sync_host(t, NULL));
			  MUST(portable_twin_discard_device(t) == 0 && portable_twin_discard_host(t) == 0);`, errState,
		"portable_twin_sync_host of 'grid': both sides were changed since they were the same"),
	checked(ofTwin("untold", "A side was changed without notice.", `
			  portable_array h, d;
			  MUST(portable_twin_host(t, PORTABLE_TWIN_OVERWRITE, &h) == 0 && portable_array_fill(&h, NULL, NULL) == 0);
			  MUST(portable_twin_sync_device(t, NULL) == 0 && portable_twin_device(t, PORTABLE_TWIN_READ, &d) == 0);
			  *(double *)d.data = 5;
			  ASK(portable_twin_sync_host(t, NULL));
			  MUST(portable_array_release(&h) == 0 && portable_array_release(&d) == 0);`, errState,
		"portable_twin_sync_host of 'grid': the device side was changed since both were the same, and nobody has said so")),
	ofTwin("access", "A side for an access that does not exist.", `
			  portable_array h;
			  ASK(portable_twin_host(t, 7, &h));`, errArg, "portable_twin_host of 'grid': there is no access 7"),
	ofTwin("released", "A released twin.", `
			  portable_twin other;
			  MUST(portable_twin_create("gone", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &other) == 0 && portable_twin_release(other) == 0);
			  ASK(portable_twin_sync_device(other, NULL));`, errHandle, "portable_twin_sync_device: ", "is not a twin, or the twin was released by all"),
	ofTwin("of_side", "A twin of a side of a twin.", `
			  portable_array h;
			  portable_twin other;
			  MUST(portable_twin_host(t, PORTABLE_TWIN_READ, &h) == 0);
			  ASK(portable_twin_wrap(&h, NULL, &other));
			  MUST(other == 0 && portable_array_release(&h) == 0);`, errArg, "portable_twin_wrap of 'grid': the array is a side of a twin already"),
	ofTwin("bounds", "Two sides that begin elsewhere.", `
			  const int64_t lower[] = {0, 1};
			  portable_array_config device = PORTABLE_ARRAY_CONFIG_INIT;
			  portable_twin other;
			  device.lower = lower;
			  config.device = &device;
			  ASK(portable_twin_create("two", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &other));
			  config.device = NULL;`, errArg,
		"portable_twin_create of 'two': dimension 2 begins at 0 on the host side and at 1 on the device side"),
	ofTwin("rule", "A rule whose order names a dimension twice.", `
			  ASK(portable_layout_rule("grid", "cpu", "kjk", 0));`, errArg, "portable_layout_rule of 'grid': the layout \"kjk\" makes no sense"),
	ofRecords("name", "Two fields of one name.", `
			  ASK(portable_record_add(&part, "x", PORTABLE_KIND_INT8, 0, 1, 0));`, errArg,
		"portable_record_add of 'x': there is a field of this name already"),
	ofRecords("over", "A field over another one.", `
			  ASK(portable_record_add(&part, "y", PORTABLE_KIND_INT32, 0, 1, 2));`, errArg, "portable_record_add of 'y': it lies over the field 'k'"),
	ofRecords("behind", "A field behind the structure.", `
			  ASK(portable_record_add(&part, "y", PORTABLE_KIND_INT32, 0, 1, 12));`, errArg,
		"portable_record_add of 'y': it ends at byte 16, behind the record, which has 12 bytes"),
	ofRecords("width", "Blocks of a number of records that is no power of two.", `
			  portable_records other;
			  ASK(portable_records_create("odd", &part, PORTABLE_RECORDS_BLOCKS, 12, 1, extents, NULL, &other));
			  MUST(other.struct_size == 0);`, errArg, "portable_records_create of 'odd': width is 12; blocks have a power of two of records"),
	ofRecords("apart", "An array of a field whose elements lie no whole number of elements apart.", `
			  portable_array x;
			  ASK(portable_records_field(&r, 1, 0, &x));
			  MUST(x.struct_size == 0);`, errArg,
		"portable_records_field of 'parts.x': the records lie 12 bytes apart, which is no whole number of the field's elements of 8 bytes"),
	ofRecords("field", "A field that there is not.", `
			  portable_array x;
			  ASK(portable_records_field(&r, portable_record_find(&part, "z"), 0, &x));`, errArg,
		"portable_records_field of 'parts': there is no field -1; there are 2"),
	ofRecords("copy", "A copy to records of other fields.", `
			  portable_record other_part;
			  portable_records other;
			  MUST(portable_record_begin(&other_part, 0) == 0 && portable_record_add(&other_part, "k", PORTABLE_KIND_INT64, 0, 1, 0) == 0);
			  MUST(portable_records_create("others", &other_part, PORTABLE_RECORDS_SOA, 0, 1, extents, NULL, &other) == 0);
			  ASK(portable_records_copy(&r, &other, NULL));
			  MUST(portable_records_release(&other) == 0);`, errArg,
		"portable_records_copy of 'parts' to 'others': field 1 is 'k' of 1 int32 here and 'k' of 1 int64 there"),
	ofRecords("null", "Records around no memory.", `
			  portable_records other;
			  ASK(portable_records_wrap("null", &part, PORTABLE_RECORDS_AOS, 0, NULL, 1, extents, NULL, &other));`, errArg,
		"portable_records_wrap of 'null': data is NULL, but there are 5 records; were they allocated?"),
}
