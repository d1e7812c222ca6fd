package main

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
