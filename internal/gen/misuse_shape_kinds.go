package main

import "strings"

// The kinds of misuse that are shapes: extents, bounds, byte counts, source and mold, labels.
var shapeKinds = []misuse{
	{
		name: "zero_extent", what: "An extent of zero: a zero-size array that deallocates.",
		fortran: `
			call gator_init()
			call gator_allocate(grid, [3, 0], label='grid'{stat})
			{say}
			if (stat == 0) then
			  call must(associated(grid), 'the pointer is associated')
			  call must(size(grid) == 0, 'its size')
			  call gator_deallocate(grid)
			end if
			call must(.not. associated(grid), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		checked: `
			bytes = gator_checked_bytes([3, 0], 8_c_size_t)
			call must(bytes == 0_c_size_t, 'no bytes')`,
		c: `
			int64_t extents[] = {3, 0};
			size_t bytes = 5;
			ASK(portable_array_bytes(2, extents, NULL, 32, 8, &bytes));
			MUST(bytes == 0);`,
		rule: strictly(says(passes), failure(errArg, "K:gator_checked_bytes:", "F:gator_allocate of 'grid':", "an extent is zero", "GATOR_STRICT=1")),
	},
	{
		name: "zero_bytes", what: "0 bytes: NULL from gatorAllocate, a block of no bytes from all others.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [0], label='a'{stat})
			{say}
			if (stat == 0) call gator_deallocate(a)
			call goes_on(0)
			call gator_finalize()`,
		checked: `
			call gator_init()
			raw = checked_alloc(0_c_size_t, .false.)
			call must(c_associated(raw), 'an address of its own')
			call gator_checked_deallocate(raw)
			call goes_on(0)
			call gator_finalize()`,
		bare: `
			call gator_init()
			raw = gator_allocate_c(0_c_size_t)
			call must(.not. c_associated(raw), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		c: `
			void *p = NULL;
			MUST(portable_init(NULL) == 0);
			ASK(portable_alloc(0, "p", &p));
			MUST(p != NULL && portable_free(p) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		gator: `
			gatorInit();
			MUST(gatorAllocate(0) == NULL);
			goes_on(0);
			gatorFinalize();`,
		rule: func(c cell) verdict {
			if !c.strict || c.form == cStatus || c.form == cIgnored {
				return says(passes)
			}
			return failure(errArg, "F:gator_allocate of 'a':", "F:an extent is zero", "K:gator_allocate:", "K:an extent is zero",
				"B:gatorAllocate: 0 bytes were asked for", "GATOR_STRICT=1")
		},
	},
	{
		name: "negative_extent", what: "A negative extent.",
		fortran: `
			call gator_init()
			call gator_allocate(grid, [3, -1], label='grid'{stat})
			{say}
			call must(.not. associated(grid), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		checked: `bytes = gator_checked_bytes([3, -1], 8_c_size_t)`,
		c: `
			int64_t extents[] = {3, -1};
			size_t bytes = 5;
			ASK(portable_array_bytes(2, extents, NULL, 32, 8, &bytes));
			MUST(bytes == 0);`,
		rule: always(failure(errArg, "K:gator_checked_bytes:", "F:gator_allocate of 'grid':", "dimension 2 has the negative extent -1", "look at how it was computed")),
	},
	{
		name: "negative_after_zero", what: "A negative extent after one of zero, which does not hide it.",
		fortran: `
			call gator_init()
			call gator_allocate(grid, [0, -7], label='grid'{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		rule: always(failure(errArg, "gator_allocate of 'grid':", "dimension 2 has the negative extent -7")),
	},
	{
		name: "byte_overflow", what: "More bytes than 63 bits count.",
		fortran: `
			call gator_init()
			call gator_allocate(grid, [2_int64**31, 2_int64**31], label='grid'{stat})
			{say}
			call must(.not. associated(grid), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		checked: `bytes = gator_checked_bytes([2_int64**31, 2_int64**31], 8_c_size_t)`,
		c: `
			int64_t extents[] = {INT64_C(1) << 31, INT64_C(1) << 31};
			size_t bytes = 5;
			ASK(portable_array_bytes(2, extents, NULL, 64, 8, &bytes));
			MUST(bytes == 0);`,
		rule: always(failure(errOverflow, "K:gator_checked_bytes:", "F:gator_allocate of 'grid':",
			"byte count of rank 2 with first extent 2147483648 and 8 bytes an element overflows", "look at how the extents were computed")),
	},
	{
		name: "byte_overflow_32", what: "The same from extents that each fit 32 bits.",
		fortran: `
			call gator_init()
			call gator_allocate_real8_3d(deep, [huge(1_int32), huge(1_int32), 4_int32], label='deep'{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		checked: `bytes = gator_checked_bytes([huge(1_int32), huge(1_int32), 4_int32], 8_c_size_t)`,
		rule: always(failure(errOverflow, "K:gator_checked_bytes:", "F:gator_allocate of 'deep':", "byte count of rank 3 with first extent 2147483647",
			"look at how the extents were computed")),
	},
	{
		name: "bound_overflow", what: "An upper bound that does not fit 32 bits.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10_int32], [huge(1_int32) - 8_int32], label='a'{stat})
			{say}
			call must(.not. associated(a), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		checked: `bytes = checked_bounds(80_c_size_t, [10_int32], [huge(1_int32) - 8_int32])`,
		c: `
			int64_t extents[] = {10}, low[] = {INT32_MAX - 8};
			size_t bytes = 5;
			ASK(portable_array_bytes(1, extents, low, 32, 8, &bytes));
			MUST(bytes == 0);`,
		rule: always(failure(errOverflow, "K:checked_bounds:", "F:gator_allocate of 'a':", "upper bound of dimension 1 (lower bound 2147483639, extent 10)",
			"does not fit 32-bit integers", "pass extents and bounds as integer(int64)")),
	},
	{
		name: "bound_overflow_64", what: "An upper bound that does not fit 64 bits.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10_int64], [huge(1_int64) - 8_int64], label='a'{stat})
			{say}
			call must(.not. associated(a), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		checked: `bytes = checked_bounds(80_c_size_t, [10_int64], [huge(1_int64) - 8_int64])`,
		c: `
			int64_t extents[] = {10}, low[] = {INT64_MAX - 8};
			size_t bytes = 5;
			ASK(portable_array_bytes(1, extents, low, 64, 8, &bytes));
			MUST(bytes == 0);`,
		rule: always(failure(errOverflow, "K:checked_bounds:", "F:gator_allocate of 'a':", "upper bound of dimension 1", "extent 10", "does not fit 64-bit integers")),
	},
	{
		name: "rank_too_large", what: "A rank that Fortran does not have.",
		checked: `bytes = gator_checked_bytes([(1, i=1, 16)], 8_c_size_t)`,
		c: `
			int64_t extents[16] = {0};
			size_t bytes = 5;
			ASK(portable_array_bytes(16, extents, NULL, 32, 8, &bytes));
			MUST(bytes == 0);`,
		rule: always(failure(errArg, "K:gator_checked_bytes:", "rank 16", "a rank is 0 to 15")),
	},
	{
		name: "no_extents", what: "A shape without extents, or with fewer bounds than extents.",
		fortran: `
			call gator_init()
			call gator_allocate(a, lbounds=[1_int32], label='a'{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		checked: `bytes = checked_bounds(80_c_size_t, [10, 10], [1])`,
		c: `
			size_t bytes = 5;
			ASK(portable_array_bytes(2, NULL, NULL, 32, 8, &bytes));
			MUST(bytes == 0);`,
		rule: always(failure(errArg, "F:gator_allocate of 'a':", "F:neither dims nor source= nor mold= gives the shape",
			"K:checked_bounds: dims has 2 elements and lbounds 1", "C:rank 2 without extents")),
	},
	{
		name: "no_element_bytes", what: "Elements of no bytes.",
		checked: `bytes = gator_checked_bytes([10], 0_c_size_t)`,
		c: `
			int64_t extents[] = {10};
			size_t bytes = 5;
			ASK(portable_array_bytes(1, extents, NULL, 32, 0, &bytes));
			MUST(bytes == 0);`,
		rule: always(failure(errArg, "K:gator_checked_bytes:", "an element of 0 bytes")),
	},
	{
		name: "index_bits", what: "Bounds in integers that are not known.",
		c: `
			int64_t extents[] = {10};
			size_t bytes = 5;
			ASK(portable_array_bytes(1, extents, NULL, 16, 8, &bytes));
			MUST(bytes == 0);`,
		rule: always(failure(errArg, "indices of 16 bits", "32 and 64 are known")),
	},
	{
		name: "lbounds_twice", what: "Lower bounds under both of their names.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10], [0], lbounds=[0], label='a'{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		rule: always(failure(errArg, "gator_allocate of 'a':", "lbounds_in and lbounds are two names of one argument", "give one of them")),
	},
	{
		name: "source_and_mold", what: "Two arguments that exclude each other.",
		fortran: `
			call gator_init()
			call gator_allocate(b, [10])
			call gator_allocate(a, source=b, mold=b, label='a'{stat})
			{say}
			call goes_on(1)
			call gator_deallocate(b)
			call gator_finalize()`,
		rule: always(failure(errArg, "gator_allocate of 'a':", "source= and mold= exclude each other")),
	},
	{
		name: "source_null", what: "Values from a pointer that is not associated.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10], source=b, label='a'{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		rule: always(failure(errArg, "gator_allocate of 'a':", "source= is a pointer that is not associated")),
	},
	{
		name: "mold_null", what: "The shape of a pointer that is not associated.",
		fortran: `
			call gator_init()
			call gator_allocate(a, mold=b, label='a'{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		rule: always(failure(errArg, "gator_allocate of 'a':", "mold= is a pointer that is not associated", "no dims to give the shape")),
	},
	{
		name: "source_shape", what: "Values of another shape than dims.",
		fortran: `
			call gator_init()
			call gator_allocate(other, [3, 4])
			call gator_allocate(grid, [4, 3], source=other, label='grid'{stat})
			{say}
			call must(.not. associated(grid), 'the pointer is null')
			call goes_on(1)
			call gator_deallocate(other)
			call gator_finalize()`,
		rule: always(failure(errArg, "gator_allocate of 'grid':", "source= has another shape than dims")),
	},
	{
		name: "label_blank", what: "A label of blanks is none.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10], label='   '{stat})
			{say}
			call gator_deallocate(a)
			call goes_on(0)
			call gator_finalize()`,
		c: `
			void *p = NULL;
			MUST(portable_init(NULL) == 0);
			ASK(portable_alloc(80, "", &p));
			MUST(portable_free(p) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		rule: always(says(passes)),
	},
	{
		name: "label_long", what: "A label of 300 characters, of which the first 255 are kept.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10], label=long_label{stat})
			{say}
			call gator_report(error_unit)
			call gator_deallocate(a)
			call goes_on(0)
			call gator_finalize()`,
		c: `
			char label[301];
			void *p = NULL;
			portable_block found;
			memset(label, 'x', 300);
			label[300] = '\0';
			MUST(portable_init(NULL) == 0);
			ASK(portable_alloc(80, label, &p));
			MUST(portable_pool_find(the_pool(), p, &found) == 0 && strlen(found.label) == 255);
			MUST(portable_free(p) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		rule: func(c cell) verdict {
			if c.inFortran() {
				return says(tells, "label"+strings.Repeat("x", 250)+" ")
			}
			return says(passes)
		},
		stub: always(says(tells, "label"+strings.Repeat("x", 59)+" ")), // docs/fortran/stub.md: 64 characters
	},
	{
		name: "label_long_error", what: "An error of an array with such a label still says what is wrong.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [-1], label=repeat(long_label, 30){stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		rule: always(failure(errArg, "gator_allocate of 'labelxxx", "dimension 1 has the negative extent -1", "look at how it was computed")),
	},
}
