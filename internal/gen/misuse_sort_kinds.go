package main

// refusedSort is a kind that asks for an invalid sort; the keys stay unchanged.
func refusedSort(name, what, call, text string) misuse {
	return argument(name, what, `
			  double keys[3] = {3, 1, 2};
			  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
			  options.stride = 4;
			  ASK(`+call+`);
			  MUST(keys[0] > keys[2] && keys[2] > keys[1] && options.flags == 0);`, text)
}

// The kinds of misuse of sorts in C.
var sortKinds = []misuse{
	refusedSort("sort_kind", "Keys of a kind that has no order.", `portable_sort("keys", PORTABLE_KIND_COMPLEX64, keys, 1, NULL)`,
		"sort 'keys': 8 is no kind of keys; they are PORTABLE_KIND_INT8 to _REAL64"),
	refusedSort("sort_stride", "Keys that lie on top of each other.", `portable_sort("keys", PORTABLE_KIND_REAL64, keys, 3, &options)`,
		"sort 'keys': stride is 4 bytes; elements of 8 bytes are at least as far apart, or it is 0"),
	refusedSort("sort_null", "No place for the indices.", `portable_sort_index("keys", PORTABLE_KIND_REAL64, keys, 3, PORTABLE_KIND_INT32, 0, NULL, NULL)`,
		"sort 'keys': the second array is NULL, but there are 3 keys"),
}
