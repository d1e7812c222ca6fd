package main

// asleep is the error of use before the first init and after the last finalize, which no setting changes.
func asleep(call string) func(cell) verdict {
	return refused(errState, "F:"+call+":", "the library does not run", "call gator_init")
}

// leaks is the rule of blocks that are live when the library stops.
func leaks(list ...string) func(cell) verdict {
	return strictly(says(warns, append(list[:len(list):len(list)], "still live in", "released now")...),
		failure(errLeak, append(list[:len(list):len(list)], "F:gator_finalize:", "still live in", "deallocate them first", "GATOR_STRICT=1")...))
}

// unpaired is the rule of a gator_finalize that no gator_init belongs to.
var unpaired = strictly(says(warns, "gator_finalize was called without gator_init", "it does nothing"),
	failure(errState, "gator_finalize was called without gator_init", "GATOR_STRICT=1"))

// The kinds of misuse that are times: before init, after finalize, twice, with blocks still live.
var lifetimeKinds = []misuse{
	{name: "allocate_before_init", what: "Allocating before init.",
		rule: refused(errState, "F:gator_allocate of 'a':", "K:gator_allocate:", "B:gatorAllocate:", "the library does not run", "call gator_init"),
		fortran: `
			call gator_allocate(a, [10], label='a'{stat})
			call must(.not. associated(a), 'the pointer is null')`,
		checked: `raw = checked_alloc(80_c_size_t, .false.)`,
		bare: `
			raw = gator_allocate_c(80_c_size_t)
			call must(.not. c_associated(raw), 'the pointer is null')`},
	{name: "deallocate_before_init", what: "Freeing before init.",
		rule: refused(errState, "F:gator_deallocate:", "K:gator_deallocate:", "B:gatorDeallocate:", "the library does not run", "call gator_init"),
		fortran: `
			a => foreign
			call gator_deallocate(a{stat})
			call must(associated(a, foreign), 'the pointer stays')`,
		checked: `
			raw = c_loc(foreign)
			call gator_checked_deallocate(raw)`,
		bare: `
			raw = c_loc(foreign)
			call gator_deallocate_c(raw)`},
	{name: "statistics_before_init", what: "Statistics before init.",
		rule: asleep("gator_get_stats"),
		fortran: `
			call gator_get_stats(stats{stat})
			call must(stats%in_use_blocks == 0, 'no block')`},
	{name: "trim_before_init", what: "Trimming before init.",
		rule: asleep("gator_trim"),
		fortran: `
			call gator_trim(bytes_out{stat})
			call must(bytes_out == 0, 'nothing was released')`},
	{name: "check_before_init", what: "Checking before init.",
		rule:    asleep("gator_check"),
		fortran: `call gator_check({only})`},
	{name: "report_before_init", what: "A report before init.",
		rule:    asleep("gator_report"),
		fortran: `call gator_report(error_unit{stat})`},
	{name: "allocate_after_finalize", what: "Allocating after finalize.",
		rule: refused(errState, "F:gator_allocate of 'a':", "B:gatorAllocate:", "the library does not run", "nothing after the last gator_finalize"),
		fortran: `
			call gator_init()
			call gator_finalize()
			call gator_allocate(a, [10], label='a'{stat})
			call must(.not. associated(a), 'the pointer is null')`},
	{name: "deallocate_after_finalize", what: "Freeing after finalize a block that was freed before it.",
		rule: refused(errState, "F:gator_deallocate:", "B:gatorDeallocate:", "the library does not run", "nothing after the last gator_finalize"),
		fortran: `
			call gator_init()
			call gator_allocate(a, [10])
			b => a
			call gator_deallocate(a)
			call gator_finalize()
			call gator_deallocate(b{stat})
			call must(associated(b), 'the pointer stays')`},
	{name: "init_twice", what: "A second gator_init is no participant.",
		rule: strictly(says(warns, "gator_init was called again without gator_finalize", "it does nothing"),
			failure(errState, "gator_init was called again without gator_finalize", "GATOR_STRICT=1")),
		fortran: `
			call gator_init()
			call gator_init({only})
			call goes_on(0)
			call gator_finalize()
			call gator_get_stats(stats, stat=i)
			call must(i == gator_err_state, 'one finalize is enough')`},
	{name: "finalize_without_init", what: "A finalize without its init.",
		rule:    unpaired,
		fortran: `call gator_finalize({only})`},
	{name: "finalize_twice", what: "A second finalize.",
		rule: unpaired,
		fortran: `
			call gator_init()
			call gator_finalize()
			call gator_finalize({only})`},
	{name: "finalize_live", what: "Finalize with a live block; under GATOR_STRICT=1 nothing is released, and the program can free it.",
		rule: leaks("1 block with 8000 bytes is", "left behind  size 8000 bytes"),
		fortran: `
			call gator_init()
			call gator_allocate(a, [1000], label='left behind')
			a = 1.0_real64
			call gator_finalize({only})
			if (stat /= 0) then
			  call must(abs(sum(a) - 1000.0_real64) < 0.5_real64, 'the array is as it was')
			  call goes_on(1)
			  call gator_deallocate(a)
			  call gator_finalize()
			end if`},
	{name: "finalize_live_unnamed", what: "The same with blocks without a label.",
		rule: leaks("2 blocks with 8001 bytes are", "(no label)  size 8000 bytes", "(no label)  size 1 bytes"),
		fortran: `
			call gator_init()
			call gator_allocate(a, [1000])
			raw = gator_allocate_c(1_c_size_t)
			call gator_finalize({only})`},
	{name: "finalize_live_many", what: "Finalize with more live blocks than a list should have lines.",
		rule: leaks("130 blocks with 104000 bytes are", "in a loop  size 800 bytes", "and 30 more; all of them by label", "in a loop  104000 bytes in 130 blocks"),
		stub: strictly(says(warns, "130 blocks with 104000 bytes are", "in a loop  size 800 bytes", "and 30 more", "released now"),
			failure(errLeak, "130 blocks with 104000 bytes are", "in a loop  size 800 bytes", "GATOR_STRICT=1")),
		fortran: `
			call gator_init()
			do i = 1, 130
			  nullify(a)
			  call gator_allocate(a, [100], label='in a loop')
			end do
			call gator_finalize({only})`},
	{name: "init_after_finalize", what: "A further run of the library, which is allowed.",
		rule: always(says(passes)),
		fortran: running(`
			call gator_allocate(a, [10])
			call gator_deallocate(a)
			call gator_finalize()
			call gator_init({only})`)},
}
