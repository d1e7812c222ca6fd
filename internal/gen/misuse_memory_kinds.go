package main

// The kinds of misuse that ask for more memory than there may be. After each the program goes on.
var memoryKinds = []misuse{
	{name: "over_limit", what: "More than PORTABLE_LIMIT_MB.",
		rule: refused(errNomem, "F:gator_allocate of 'big':", "B:gatorAllocate:", "out of memory", "8000000 bytes", "the limit is reached; raise PORTABLE_LIMIT_MB",
			"in use 800000 bytes in 1 block", "limit 8388608 bytes", "largest gap", "held", "800000 bytes in 1 block"),
		stub: always(says(passes)), // it reads no environment
		env:  variables("PORTABLE_LIMIT_MB=8"),
		fortran: running(`
			call gator_allocate(b, [100000], label='held')
			call gator_allocate(a, [1000000], label='big'{stat})
			call must(associated(a) .eqv. stat == 0, 'the pointer is null')
			if (associated(a)) call gator_deallocate(a)
			call goes_on(1)
			call gator_deallocate(b)
			call gator_allocate(a, [1000000], label='big')
			call gator_deallocate(a)`),
		bare: running(`
			call gator_allocate(b, [100000], label='held')
			raw = gator_allocate_c(8000000_c_size_t)
			if (c_associated(raw)) call gator_deallocate_c(raw)
			call goes_on(1)
			call gator_deallocate(b)`)},
	{name: "over_limit_of_config", what: "More than the limit that the program itself set.",
		rule: refused(errNomem, "F:gator_allocate of 'big':", "out of memory", "16000000 bytes",
			"raise limit_mb (pool_limit_bytes in C), which the program set", "limit 8388608 bytes"),
		stub: refused(errNomem, "gator_allocate of 'big':", "out of memory: 16000000 bytes asked for, 0 in use, limit_mb is 8"),
		fortran: `
			config%limit_mb = 8
			call gator_init(config)
			call gator_allocate(a, [2000000], label='big'{stat})
			call must(.not. associated(a), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`},
	{name: "pool_unknown", what: "An array from a pool that does not exist.",
		rule: refused(errHandle, "gator_allocate of 'x': ", "0x7b is not a pool"),
		stub: refused(errHandle, "gator_allocate of 'x': ", "no such pool"),
		fortran: running(`
			call gator_allocate(a, [100], label='x', pool=123_int64{stat})
			call must(.not. associated(a), 'the pointer is null')`)},
	{name: "space_negative", what: "An array in a kind of memory that does not exist.",
		rule: refused(errArg, "gator_allocate of 'x': ", "portable_pool_of_space: space is -2; it is PORTABLE_SPACE_HOST, _PINNED, _MANAGED or _DEVICE(k)"),
		fortran: running(`
			call gator_allocate(a, [100], label='x', space=-2{stat})
			call must(.not. associated(a), 'the pointer is null')`)},
	{name: "space_of_no_device", what: "An array in the memory of a device that does not exist.",
		rule: refused(errNoDevice, "gator_allocate of 'x': "),
		fortran: running(`
			call gator_allocate(a, [100], label='x', space=12{stat})
			call must(.not. associated(a), 'the pointer is null')`)},
	{name: "pool_and_space", what: "An array from a pool, and in a kind of memory.",
		rule: refused(errArg, "gator_allocate of 'x': pool= and space= exclude each other; give one of them"),
		fortran: running(`
			call gator_allocate(a, [100], label='x', pool=123_int64, space=1{stat})
			call must(.not. associated(a), 'the pointer is null')`)},
	{name: "absurd_size", what: "More bytes than any machine has, though 63 bits count them.",
		rule: refused(errNomem, "F:gator_allocate of 'big':", "B:gatorAllocate:", "out of memory", "1152921504606846976 bytes",
			"no machine has so much memory", "look at how the size was computed"),
		stub: refused(errNomem, "F:gator_allocate of 'big':", "B:gatorAllocate:", "out of memory: ALLOCATE refused 1152921504606846976 bytes"),
		fortran: running(`
			call gator_allocate(a, [2_int64**57], label='big'{stat})
			call must(.not. associated(a), 'the pointer is null')`),
		bare: running(`
			raw = gator_allocate_c(2_c_size_t**60)
			call must(.not. c_associated(raw), 'the pointer is null')`)},
	{name: "more_than_the_addresses", what: "128 TiB, which no process can have: too many granules for one slab, or refused by the system.",
		rule: disabled(
			failure(errNomem, "F:gator_allocate of 'big':", "out of memory", "140737488355328 bytes", "blocks of 128 bytes; choose a larger GATOR_BLOCK_BYTES"),
			failure(errNomem, "F:gator_allocate of 'big':", "out of memory", "the system's heap has no 140737488355328 bytes", "ask for less")),
		stub: refused(errNomem, "gator_allocate of 'big':", "out of memory: ALLOCATE refused 140737488355328 bytes"),
		fortran: running(`
			call gator_allocate(a, [2_int64**44], label='big'{stat})
			call must(.not. associated(a), 'the pointer is null')`)},
	{name: "refused_by_the_system", what: "The same with larger granules, so that the system itself refuses.",
		rule: disabled(
			failure(errNomem, "F:gator_allocate of 'big':", "out of memory", "mapping 140737488355328 bytes of host memory", "ask for less, or look at ulimit -v"),
			failure(errNomem, "F:gator_allocate of 'big':", "out of memory", "the system's heap has no 140737488355328 bytes", "ask for less, or look at ulimit -v")),
		stub: refused(errNomem, "gator_allocate of 'big':", "out of memory: ALLOCATE refused 140737488355328 bytes"),
		env:  variables("GATOR_BLOCK_BYTES=64KB"),
		fortran: running(`
			call gator_allocate(a, [2_int64**44], label='big'{stat})
			call must(.not. associated(a), 'the pointer is null')`)},
	{name: "first_slab_refused", what: "A first slab that the system does not give; GATOR_DISABLE=1 needs none.",
		rule: disabled(
			failure(errNomem, "F:gator_init:", "B:gatorInit:", "out of memory", "140737488355328 bytes", "the first slab has its size from GATOR_INITIAL_MB"),
			says(passes)),
		stub: always(says(passes)),
		env:  variables("GATOR_INITIAL_MB=128TB GATOR_BLOCK_BYTES=64KB"),
		fortran: `
			call gator_init({only})
			if (stat == 0) call goes_on(0)
			if (stat == 0) call gator_finalize()
			config%initial_mb = 1
			call gator_init(config)
			call goes_on(0)
			call gator_finalize()`},
}
