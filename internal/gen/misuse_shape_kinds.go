package main

import "strings"

// The kinds of misuse that are shapes: extents, bounds, byte counts, source and mold, labels.
var shapeKinds = []misuse{
	{name: "zero_extent", what: "An extent of zero: a zero-size array that deallocates.",
		rule: strictly(says(passes), failure(errArg, "K:gator_checked_bytes:", "F:gator_allocate of 'grid':", "an extent is zero", "GATOR_STRICT=1")),
		fortran: running(`
			call gator_allocate(grid, [3, 0], label='grid'{stat})
			if (stat == 0) then
			  call must(associated(grid), 'the pointer is associated')
			  call must(size(grid) == 0, 'its size')
			  call gator_deallocate(grid)
			end if
			call must(.not. associated(grid), 'the pointer is null')`),
		checked: `
			bytes = gator_checked_bytes([3, 0], 8_c_size_t)
			call must(bytes == 0_c_size_t, 'no bytes')`},
	{name: "zero_bytes", what: "0 bytes: a null pointer from gator_allocate_c, a block of no bytes from all others.",
		rule: strictly(says(passes), failure(errArg, "F:gator_allocate of 'a':", "F:an extent is zero",
			"K:gator_allocate:", "K:an extent is zero", "B:gatorAllocate: 0 bytes were asked for", "GATOR_STRICT=1")),
		fortran: running(`
			call gator_allocate(a, [0], label='a'{stat})
			if (stat == 0) call gator_deallocate(a)`),
		checked: running(`
			raw = checked_alloc(0_c_size_t, .false.)
			call must(c_associated(raw), 'an address of its own')
			call gator_checked_deallocate(raw)`),
		bare: running(`
			raw = gator_allocate_c(0_c_size_t)
			call must(.not. c_associated(raw), 'the pointer is null')`)},
	{name: "negative_extent", what: "A negative extent.",
		rule: refused(errArg, "K:gator_checked_bytes:", "F:gator_allocate of 'grid':", "dimension 2 has the negative extent -1", "look at how it was computed"),
		fortran: running(`
			call gator_allocate(grid, [3, -1], label='grid'{stat})
			call must(.not. associated(grid), 'the pointer is null')`),
		checked: `bytes = gator_checked_bytes([3, -1], 8_c_size_t)`},
	{name: "negative_after_zero", what: "A negative extent next to one of zero, which does not hide it.",
		rule:    refused(errArg, "gator_allocate of 'grid':", "dimension 2 has the negative extent -7"),
		fortran: running(`call gator_allocate(grid, [0, -7], label='grid'{stat})`)},
	{name: "byte_overflow", what: "More bytes than 63 bits count.",
		rule: refused(errOverflow, "K:gator_checked_bytes:", "F:gator_allocate of 'grid':",
			"byte count of rank 2 with first extent 2147483648 and 8 bytes an element overflows", "look at how the extents were computed"),
		fortran: running(`
			call gator_allocate(grid, [2_int64**31, 2_int64**31], label='grid'{stat})
			call must(.not. associated(grid), 'the pointer is null')`),
		checked: `bytes = gator_checked_bytes([2_int64**31, 2_int64**31], 8_c_size_t)`},
	{name: "byte_overflow_32", what: "The same from extents that each fit 32 bits.",
		rule: refused(errOverflow, "K:gator_checked_bytes:", "F:gator_allocate of 'deep':", "byte count of rank 3 with first extent 2147483647",
			"look at how the extents were computed"),
		fortran: running(`call gator_allocate_real8_3d(deep, [huge(1_int32), huge(1_int32), 4_int32], label='deep'{stat})`),
		checked: `bytes = gator_checked_bytes([huge(1_int32), huge(1_int32), 4_int32], 8_c_size_t)`},
	{name: "bound_overflow", what: "An upper bound that does not fit 32 bits.",
		rule: refused(errOverflow, "K:checked_bounds:", "F:gator_allocate of 'a':", "upper bound of dimension 1 (lower bound 2147483639, extent 10)",
			"does not fit 32-bit integers", "pass extents and bounds as integer(int64)"),
		fortran: running(`
			call gator_allocate(a, [10_int32], [huge(1_int32) - 8_int32], label='a'{stat})
			call must(.not. associated(a), 'the pointer is null')`),
		checked: `bytes = checked_bounds(80_c_size_t, [10_int32], [huge(1_int32) - 8_int32])`},
	{name: "bound_overflow_64", what: "An upper bound that does not fit 64 bits.",
		rule: refused(errOverflow, "K:checked_bounds:", "F:gator_allocate of 'a':", "upper bound of dimension 1", "extent 10", "does not fit 64-bit integers"),
		fortran: running(`
			call gator_allocate(a, [10_int64], [huge(1_int64) - 8_int64], label='a'{stat})
			call must(.not. associated(a), 'the pointer is null')`),
		checked: `bytes = checked_bounds(80_c_size_t, [10_int64], [huge(1_int64) - 8_int64])`},
	{name: "rank_too_large", what: "A rank that Fortran does not have.",
		rule:    refused(errArg, "K:gator_checked_bytes:", "rank 16", "a rank is 0 to 15"),
		checked: `bytes = gator_checked_bytes([(1, i=1, 16)], 8_c_size_t)`},
	{name: "no_extents", what: "A shape without extents, or with fewer bounds than extents.",
		rule: refused(errArg, "F:gator_allocate of 'a':", "F:neither dims nor source= nor mold= gives the shape",
			"K:checked_bounds: dims has 2 elements and lbounds 1"),
		fortran: running(`call gator_allocate(a, lbounds=[1_int32], label='a'{stat})`),
		checked: `bytes = checked_bounds(80_c_size_t, [10, 10], [1])`},
	{name: "no_element_bytes", what: "Elements of no bytes.",
		rule:    refused(errArg, "K:gator_checked_bytes:", "an element of 0 bytes"),
		checked: `bytes = gator_checked_bytes([10], 0_c_size_t)`},
	{name: "lbounds_twice", what: "Lower bounds under both of their names.",
		rule:    refused(errArg, "gator_allocate of 'a':", "lbounds_in and lbounds are two names of one argument", "give one of them"),
		fortran: running(`call gator_allocate(a, [10], [0], lbounds=[0], label='a'{stat})`)},
	{name: "source_and_mold", what: "Two arguments that exclude each other.",
		rule: refused(errArg, "gator_allocate of 'a':", "source= and mold= exclude each other"),
		fortran: running(`
			call gator_allocate(b, [10])
			call gator_allocate(a, source=b, mold=b, label='a'{stat})
			call goes_on(1)
			call gator_deallocate(b)`)},
	{name: "source_null", what: "Values from a pointer that is not associated.",
		rule:    refused(errArg, "gator_allocate of 'a':", "source= is a pointer that is not associated"),
		fortran: running(`call gator_allocate(a, [10], source=b, label='a'{stat})`)},
	{name: "mold_null", what: "The shape of a pointer that is not associated.",
		rule:    refused(errArg, "gator_allocate of 'a':", "mold= is a pointer that is not associated", "no dims to give the shape"),
		fortran: running(`call gator_allocate(a, mold=b, label='a'{stat})`)},
	{name: "source_shape", what: "Values of another shape than dims.",
		rule: refused(errArg, "gator_allocate of 'grid':", "source= has another shape than dims"),
		fortran: running(`
			call gator_allocate(other, [3, 4])
			call gator_allocate(grid, [4, 3], source=other, label='grid'{stat})
			call must(.not. associated(grid), 'the pointer is null')
			call goes_on(1)
			call gator_deallocate(other)`)},
	{name: "label_blank", what: "A label of blanks counts as no label.",
		rule: always(says(passes)),
		fortran: running(`
			call gator_allocate(a, [10], label='   '{stat})
			call gator_deallocate(a)`)},
	{name: "label_long", what: "A label of 300 characters, of which the first 255 are kept.",
		rule: always(says(tells, "label"+strings.Repeat("x", 250)+" ")),
		stub: always(says(tells, "label"+strings.Repeat("x", 59)+" ")), // docs/fortran/stub.md: 64 characters
		fortran: running(`
			call gator_allocate(a, [10], label=long_label{stat})
			call gator_report(error_unit)
			call gator_deallocate(a)`)},
	{name: "label_long_error", what: "An error of an array with such a label still says what is wrong.",
		rule:    refused(errArg, "gator_allocate of 'labelxxx", "dimension 1 has the negative extent -1", "look at how it was computed"),
		fortran: running(`call gator_allocate(a, [-1], label=repeat(long_label, 30){stat})`)},
}

// unsolved is a kind of a solve that is refused: the right-hand side stays as it was.
func unsolved(name, what, code string, rule func(c cell) verdict) misuse {
	return misuse{name: name, what: what, rule: rule, fortran: running(`
			` + code + `
			call must(all(abs(right - 1) < 1e-9_real64), 'the right-hand side stays')`)}
}

// The kinds of misuse that are whole-array solves and random numbers: shapes and dimensions that do not fit, overlaps, pivots of 0.
var solveKinds = []misuse{
	{name: "solve_before_init", what: "A solve before init.",
		rule: refused(errState, "F:portable_solve_tridiagonal", "the library does not run"),
		fortran: `
			call solve_tridiagonal(low, mid, up, right, dim=1{stat})
			call must(all(abs(right - 1) < 1e-9_real64), 'the right-hand side stays')`},
	unsolved("solve_dim", "A dimension that the array does not have.",
		"call solve_tridiagonal(low, mid, up, right, dim=3, label='heat'{stat})",
		refused(errArg, "portable_solve: solve_tridiagonal 'heat'", "dim is", "1 to 2")),
	unsolved("solve_no_dim", "No dimension, of an array that has two.",
		"call solve_tridiagonal(low, mid, up, right, label='heat'{stat})",
		refused(errArg, "portable_solve: solve_tridiagonal 'heat'", "dim is", "which")),
	unsolved("solve_shape", "A diagonal of another shape.",
		"call solve_tridiagonal(low(:3,:), mid, up, right, dim=1, label='heat'{stat})",
		refused(errArg, "portable_solve: solve_tridiagonal 'heat'", "extent 1 of lower is 3")),
	unsolved("solve_one_shape", "One matrix of too few rows.",
		"call solve_pentadiagonal(low(:,1), low(:,1), mid(:,1), up(:3,1), up(:,1), right, dim=1, label='heat'{stat})",
		refused(errArg, "portable_solve: solve_pentadiagonal 'heat'", "upper has 3 elements", "4 rows")),
	{name: "solve_overlap", what: "The right-hand side is a diagonal too.",
		rule: refused(errArg, "portable_solve: solve_tridiagonal 'heat'", "overlaps diag"),
		stub: always(says(passes)), // it does not compare places in memory
		fortran: running(`
			call solve_tridiagonal(low, mid, up, mid, dim=1, label='heat'{stat})`)},
	{name: "solve_pivot", what: "A pivot of 0: that system becomes NaN, other ones are solved.",
		rule: refused(errArg, "portable_solve: solve_tridiagonal 'heat': in system (:,2) the pivot of row 3 is 0, so its solution is NaN"),
		fortran: running(`
			mid(3,2) = 0
			call solve_tridiagonal(low, mid, up, right, dim=1, label='heat'{stat})
			call must(all(abs(right(:,[1, 3]) - 0.5_real64) < 1e-9_real64), 'the other systems are solved')`)},
	{name: "random_cells", what: "Random numbers of cells beyond the last one.",
		rule: refused(errOverflow, "portable_random_fill", "do not fit int64"),
		fortran: running(`
			call random_fill(foreign, random_key(1_int64), first=huge(1_int64) - 1{stat})
			call must(all(abs(foreign) < 1e-300_real64), 'the array stays')`)},
}
