package main

// limited gives each of a kind's cells a limit of 8 MiB from the environment.
func limited(cell) []string { return []string{"PORTABLE_LIMIT_MB=8"} }

// The kinds of misuse that ask for more memory than there may be. After each the program continues.
var memoryKinds = []misuse{
	{
		name: "over_limit", what: "More than PORTABLE_LIMIT_MB.", env: limited,
		fortran: `
			call gator_init()
			call gator_allocate(b, [100000], label='held')
			call gator_allocate(a, [1000000], label='big'{stat})
			{say}
			call must(associated(a) .eqv. stat == 0, 'the pointer is null')
			if (associated(a)) call gator_deallocate(a)
			call goes_on(1)
			call gator_deallocate(b)
			call gator_allocate(a, [1000000], label='big')
			call gator_deallocate(a)
			call gator_finalize()`,
		bare: `
			call gator_init()
			call gator_allocate(b, [100000], label='held')
			raw = gator_allocate_c(8000000_c_size_t)
			if (c_associated(raw)) call gator_deallocate_c(raw)
			call goes_on(1)
			call gator_deallocate(b)
			call gator_finalize()`,
		c: `
			void *p, *q = &q;
			MUST(portable_init(NULL) == 0 && portable_alloc(800000, "held", &p) == 0);
			ASK(portable_alloc(8000000, "big", &q));
			MUST(q == NULL);
			goes_on(1);
			MUST(portable_free(p) == 0 && portable_alloc(8000000, "big", &q) == 0);
			MUST(portable_free(q) == 0 && portable_finalize() == 0);`,
		gator: `
			void *p;
			gatorInit();
			MUST(portable_alloc(800000, "held", &p) == 0);
			MUST(gatorAllocate(8000000) == NULL);
			goes_on(1);
			gatorDeallocate(p);
			gatorFinalize();`,
		rule: always(failure(errNomem, "F:gator_allocate of 'big':", "B:gatorAllocate:", "out of memory", "8000000 bytes", "the limit is reached; raise PORTABLE_LIMIT_MB",
			"in use 800000 bytes in 1 block", "limit 8388608 bytes", "largest gap", "held", "800000 bytes in 1 block")),
		stub: always(says(passes)), // it reads no environment
	},
	{
		name: "over_limit_of_config", what: "More than the limit that the program itself set.",
		fortran: `
			config%limit_mb = 8
			call gator_init(config)
			call gator_allocate(a, [2000000], label='big'{stat})
			{say}
			call must(.not. associated(a), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		c: `
			portable_config config = PORTABLE_CONFIG_INIT;
			void *p = &p;
			config.pool_limit_bytes = 8u << 20;
			MUST(portable_init(&config) == 0);
			ASK(portable_alloc(16000000, "big", &p));
			MUST(p == NULL);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		rule: always(failure(errNomem, "F:gator_allocate of 'big':", "out of memory", "16000000 bytes",
			"raise limit_mb (pool_limit_bytes in C), which the program set", "limit 8388608 bytes")),
		stub: always(failure(errNomem, "gator_allocate of 'big':", "out of memory: 16000000 bytes asked for, 0 in use, limit_mb is 8")),
	},
	{
		name: "absurd_size", what: "More bytes than any machine has, though 63 bits count them.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [2_int64**57], label='big'{stat})
			{say}
			call must(.not. associated(a), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		bare: `
			call gator_init()
			raw = gator_allocate_c(2_c_size_t**60)
			call must(.not. c_associated(raw), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		c: `
			void *p = &p;
			MUST(portable_init(NULL) == 0);
			ASK(portable_alloc((size_t)1 << 60, "big", &p));
			MUST(p == NULL);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		gator: `
			gatorInit();
			MUST(gatorAllocate((size_t)1 << 60) == NULL);
			goes_on(0);
			gatorFinalize();`,
		rule: always(failure(errNomem, "F:gator_allocate of 'big':", "B:gatorAllocate:", "out of memory", "1152921504606846976 bytes",
			"no machine has so much memory", "look at how the size was computed")),
		stub: always(failure(errNomem, "F:gator_allocate of 'big':", "B:gatorAllocate:", "out of memory: ALLOCATE refused 1152921504606846976 bytes")),
	},
	{
		name: "all_bits", what: "The size of a negative number of bytes, as C computes it.",
		c: `
			void *p = &p;
			MUST(portable_init(NULL) == 0);
			ASK(portable_alloc((size_t)-1, "big", &p));
			MUST(p == NULL);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		gator: `
			gatorInit();
			MUST(gatorAllocate((size_t)-1) == NULL);
			goes_on(0);
			gatorFinalize();`,
		rule: always(failure(errNomem, "B:gatorAllocate:", "18446744073709551615 bytes", "no machine has so much memory", "look at how the size was computed")),
	},
	{
		name: "more_than_the_addresses", what: "128 TiB, which no process can have: too many granules for one slab, or refused by the system.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [2_int64**44], label='big'{stat})
			{say}
			call must(.not. associated(a), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		c: `
			void *p = &p;
			MUST(portable_init(NULL) == 0);
			ASK(portable_alloc((size_t)1 << 47, "big", &p));
			MUST(p == NULL);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		rule: disabled(
			failure(errNomem, "F:gator_allocate of 'big':", "out of memory", "140737488355328 bytes", "blocks of 128 bytes; choose a larger GATOR_BLOCK_BYTES"),
			failure(errNomem, "F:gator_allocate of 'big':", "out of memory", "the system's heap has no 140737488355328 bytes", "ask for less")),
		stub: always(failure(errNomem, "gator_allocate of 'big':", "out of memory: ALLOCATE refused 140737488355328 bytes")),
	},
	{
		name: "refused_by_the_system", what: "The same with granules that can be numbered: the system itself refuses.",
		env: func(cell) []string { return []string{"GATOR_BLOCK_BYTES=64KB"} },
		fortran: `
			call gator_init()
			call gator_allocate(a, [2_int64**44], label='big'{stat})
			{say}
			call must(.not. associated(a), 'the pointer is null')
			call goes_on(0)
			call gator_finalize()`,
		c: `
			void *p = &p;
			MUST(portable_init(NULL) == 0);
			ASK(portable_alloc((size_t)1 << 47, "big", &p));
			MUST(p == NULL);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		rule: disabled(
			failure(errNomem, "F:gator_allocate of 'big':", "out of memory", "mapping 140737488355328 bytes of host memory", "ask for less, or look at ulimit -v"),
			failure(errNomem, "F:gator_allocate of 'big':", "out of memory", "the system's heap has no 140737488355328 bytes", "ask for less, or look at ulimit -v")),
		stub: always(failure(errNomem, "gator_allocate of 'big':", "out of memory: ALLOCATE refused 140737488355328 bytes")),
	},
	{
		name: "first_slab_refused", what: "A first slab that the system does not give; GATOR_DISABLE=1 needs none.",
		env: func(cell) []string { return []string{"GATOR_INITIAL_MB=128TB", "GATOR_BLOCK_BYTES=64KB"} },
		fortran: `
			call gator_init({only})
			{say}
			if (stat == 0) call goes_on(0)
			if (stat == 0) call gator_finalize()
			config%initial_mb = 1
			call gator_init(config)
			call goes_on(0)
			call gator_finalize()`,
		c: `
			portable_config config = PORTABLE_CONFIG_INIT;
			config.pool_initial_bytes = 1u << 20;
			ASK(portable_init(NULL));
			if (portable_is_initialized()) MUST(portable_finalize() == 0);
			MUST(portable_init(&config) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		gator: `
			portable_config config = PORTABLE_CONFIG_INIT;
			config.pool_initial_bytes = 1u << 20;
			gatorInit();
			if (portable_is_initialized()) gatorFinalize();
			MUST(portable_init(&config) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		rule: disabled(
			failure(errNomem, "F:gator_init:", "B:gatorInit:", "out of memory", "140737488355328 bytes", "the first slab has its size from GATOR_INITIAL_MB"),
			says(passes)),
		stub: always(says(passes)),
	},
}
