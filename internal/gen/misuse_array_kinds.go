package main

// ofArray is a kind with an invalid use of an array. The array a, in C order, has 4 x 3 elements of real64 and the label 'grid';
// afterwards it is unchanged.
func ofArray(name, what, code string, status int, texts ...string) misuse {
	return misuse{name: "array_" + name, what: what, rule: always(failure(status, texts...)), c: `
			const int64_t extents[] = {4, 3};
			portable_array a;
			MUST(portable_init(NULL) == 0);
			MUST(portable_array_create("grid", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &a) == 0);
			{
			` + code + `
			}
			MUST(portable_array_use_count(&a) == 1 && portable_array_size(&a) == 12);
			MUST(portable_array_release(&a) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`}
}

// The kinds of misuse that are of arrays: what portable_array.h checks.
var arrayKinds = []misuse{
	ofArray("rank", "More dimensions than there can be.", `
			  portable_array b;
			  ASK(portable_array_create("wide", PORTABLE_KIND_REAL64, 0, 16, extents, NULL, &b));
			  MUST(b.struct_size == 0);`, errArg, "portable_array_create of 'wide': rank is 16; it is 0 to 15"),
	ofArray("extent", "A negative extent.", `
			  portable_array b;
			  const int64_t wrong[] = {4, -3};
			  ASK(portable_array_create("thin", PORTABLE_KIND_REAL64, 0, 2, wrong, NULL, &b));`,
		errArg, "portable_array_create of 'thin': extent 2 is -3; it is 0 or more"),
	ofArray("kind", "A kind of element that there is not.", `
			  portable_array b;
			  ASK(portable_array_create("odd", 99, 0, 2, extents, NULL, &b));`, errArg, "portable_array_create of 'odd': there is no kind 99"),
	ofArray("space", "Memory of a device that there is not.", `
			  portable_array b;
			  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
			  config.space = PORTABLE_SPACE_DEVICE(90);
			  ASK(portable_array_create("far", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &b));`,
		errNoDevice, "portable_array_create of 'far': there is no such device"),
	ofArray("null", "An array around no memory.", `
			  portable_array b;
			  ASK(portable_array_wrap("null", PORTABLE_KIND_REAL64, 0, NULL, 2, extents, NULL, NULL, &b));`,
		errArg, "portable_array_wrap of 'null': data is NULL, but the array has 12 elements; was it allocated?"),
	ofArray("arity", "Fewer indices than the array has dimensions.", `
			  void *element;
			  const int64_t index[] = {1, 1};
			  ASK(portable_array_locate(&a, 1, index, &element));
			  MUST(element == NULL);`, errArg, "portable_array_locate of 'grid': 1 indices are given; the array has rank 2"),
	ofArray("index", "An index out of bounds.", `
			  void *element;
			  const int64_t index[] = {1, 3};
			  ASK(portable_array_locate(&a, 2, index, &element));
			  MUST(element == NULL);`, errArg, "portable_array_locate of 'grid': index 3 of dimension 2 is out of its bounds 0:2"),
	ofArray("unallocated", "Use before there is an array.", `
			  portable_array b = PORTABLE_ARRAY_NONE;
			  ASK(portable_array_fill(&b, NULL, NULL));`, errArg,
		"portable_array_fill: this is no array: it was never made, or was released; portable_array_create makes one"),
	ofArray("deallocated", "Use by one holder of an array that another one deallocated.", `
			  portable_array b, held;
			  MUST(portable_array_create("gone", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &b) == 0);
			  held = b;
			  MUST(portable_array_retain(&held) == 0 && portable_array_deallocate(&b) == 0);
			  ASK(portable_array_fill(&held, NULL, NULL));
			  MUST(portable_array_release(&held) == 0);`, errState,
		"portable_array_fill of 'gone': the memory of this array was given back by portable_array_deallocate"),
	ofArray("released", "A copy of a descriptor, not retained, released again.", `
			  portable_array b, copy;
			  MUST(portable_array_create("twice", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &b) == 0);
			  copy = b;
			  MUST(portable_array_release(&b) == 0);
			  ASK(portable_array_release(&copy));`, errHandle, "portable_array_release of 'twice':", "the last holder has released this array already"),
	ofArray("copy_kind", "A copy to elements of another kind.", `
			  portable_array b;
			  MUST(portable_array_create("whole", PORTABLE_KIND_INT64, 0, 2, extents, NULL, &b) == 0);
			  ASK(portable_array_copy(&a, &b, NULL));
			  MUST(portable_array_release(&b) == 0);`, errArg,
		"portable_array_copy of 'grid' to 'whole': the elements are of the kind real64 (8 bytes) and int64 (8 bytes)"),
	ofArray("copy_count", "A copy to more elements.", `
			  portable_array b;
			  const int64_t more[] = {5, 3};
			  MUST(portable_array_create("more", PORTABLE_KIND_REAL64, 0, 2, more, NULL, &b) == 0);
			  ASK(portable_array_copy(&a, &b, NULL));
			  MUST(portable_array_release(&b) == 0);`, errArg, "portable_array_copy of 'grid':", "the one has 12 elements (0:3, 0:2), the other 15 (0:4, 0:2)"),
	ofArray("slice", "A part that reaches out of its dimension.", `
			  portable_array b;
			  const portable_array_range ranges[] = {PORTABLE_RANGE_ALL, PORTABLE_RANGE(1, 3)};
			  ASK(portable_array_slice(&a, ranges, &b));
			  MUST(b.struct_size == 0);`, errArg, "portable_array_slice of 'grid': the range 1:3 by 1 of dimension 2 is out of its bounds 0:2"),
	ofArray("subset", "A part of the slowest dimension that ends before it begins.", `
			  portable_array b;
			  ASK(portable_array_subset_slowest(&a, 2, 1, &b));`, errArg,
		"portable_array_subset_slowest of 'grid': the subset 2:1 of the slowest dimension ends before it begins"),
	ofArray("reshape", "A shape of another count.", `
			  portable_array b;
			  const int64_t other[] = {2, 5};
			  ASK(portable_array_reshape(&a, 2, other, NULL, &b));`, errArg,
		"portable_array_reshape of 'grid': the new shape (0:1, 0:4) has 10 elements, the array (0:3, 0:2) has 12; a reshape keeps the count"),
	ofArray("for_device", "An array of the host for a kernel of a device.", `
			  void *data;
			  ASK(portable_array_data(&a, PORTABLE_SPACE_DEVICE(0), &data));
			  MUST(data == NULL);`, errArg,
		"portable_array_data of 'grid': the array is in memory of the host, and is asked for by a kernel of device 0; make a device copy"),
	ofArray("for_host", "An array of a device on the host.", `
			  portable_array b;
			  void *data;
			  double here[12];
			  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
			  config.space = PORTABLE_SPACE_DEVICE(0);
			  MUST(portable_array_wrap("far", PORTABLE_KIND_REAL64, 0, here, 2, extents, NULL, &config, &b) == 0);
			  ASK(portable_array_data(&b, PORTABLE_SPACE_HOST, &data));
			  MUST(data == NULL);`, errArg, "portable_array_data of 'far': the array is in memory of device 0, which the host does not reach"),
	{
		name: "array_checked_index", what: "An index out of bounds under PORTABLE_CHECK=arrays: told, and what is written is lost.",
		c: `
			const int64_t extents[] = {4, 3};
			portable_array a;
			MUST(portable_init(NULL) == 0);
			MUST(portable_array_create("grid", PORTABLE_KIND_INT64, 0, 2, extents, NULL, &a) == 0);
			*(int64_t *)portable_array_at2(&a, 0, 3) = 5;
			ASK(PORTABLE_OK);
			MUST(portable_array_release(&a) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		env:  func(cell) []string { return []string{"PORTABLE_CHECK=arrays"} },
		rule: always(says(tells, "PORTABLE_CHECK=arrays: an element of 'grid': index 3 of dimension 2 is out of its bounds 0:2")),
	},
}
