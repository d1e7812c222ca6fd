package main

// asleep is the error of use before the first init and after the last finalize; no setting changes it.
func asleep(call string) func(cell) verdict {
	return always(failure(errState, "F:"+call+":", "the library does not run", "call gator_init"))
}

// leaks is the rule for blocks that are live when the library stops.
func leaks(list ...string) func(cell) verdict {
	return strictly(says(warns, append(list[:len(list):len(list)], "still live in", "released now")...),
		failure(errLeak, append(list[:len(list):len(list)], "F:gator_finalize:", "B:gatorFinalize:", "still live in", "deallocate them first", "GATOR_STRICT=1")...))
}

// The kinds of misuse that are times: before init, after finalize, twice, with blocks still live.
var lifetimeKinds = []misuse{
	{
		name: "allocate_before_init", what: "Allocating before init.",
		fortran: `
			call gator_allocate(a, [10], label='a'{stat})
			{say}
			call must(.not. associated(a), 'the pointer is null')`,
		checked: `raw = checked_alloc(80_c_size_t, .false.)`,
		bare: `
			raw = gator_allocate_c(80_c_size_t)
			call must(.not. c_associated(raw), 'the pointer is null')`,
		c: `
			void *p = &p;
			ASK(portable_alloc(80, "p", &p));
			MUST(p == NULL);`,
		gator: `MUST(gatorAllocate(80) == NULL);`,
		rule:  always(failure(errState, "F:gator_allocate of 'a':", "K:gator_allocate:", "B:gatorAllocate:", "the library does not run", "call gator_init")),
	},
	{
		name: "deallocate_before_init", what: "Freeing before init.",
		fortran: `
			a => foreign
			call gator_deallocate(a{stat})
			{say}
			call must(associated(a, foreign), 'the pointer stays')`,
		checked: `
			raw = c_loc(foreign)
			call gator_checked_deallocate(raw)`,
		bare: `
			raw = c_loc(foreign)
			call gator_deallocate_c(raw)`,
		c: `
			static double foreign[10];
			ASK(portable_free(foreign));`,
		gator: `
			static double foreign[10];
			gatorDeallocate(foreign);`,
		rule: always(failure(errState, "F:gator_deallocate:", "K:gator_deallocate:", "B:gatorDeallocate:", "the library does not run", "call gator_init")),
	},
	{
		name: "statistics_before_init", what: "Statistics before init.",
		fortran: `
			call gator_get_stats(stats{stat})
			{say}
			call must(stats%in_use_blocks == 0, 'no block')`,
		c: `
			portable_pool pool = 5;
			ASK(portable_pool_default(&pool));
			MUST(pool == 0);`,
		rule: asleep("gator_get_stats"),
	},
	{
		name: "trim_before_init", what: "Trimming before init.",
		fortran: `
			call gator_trim(bytes_out{stat})
			{say}
			call must(bytes_out == 0, 'nothing was released')`,
		c: `
			uint64_t released = 5;
			ASK(portable_pool_trim(1, &released));
			MUST(released == 0);`,
		rule: asleep("gator_trim"),
	},
	{
		name: "check_before_init", what: "Checking before init.",
		fortran: `
			call gator_check({only})
			{say}`,
		c:    `ASK(portable_pool_check(1));`,
		rule: asleep("gator_check"),
	},
	{
		name: "report_before_init", what: "A report before init.",
		fortran: `
			call gator_report(error_unit{stat})
			{say}`,
		c: `
			char text[100] = "x";
			size_t needed = 5;
			ASK(portable_pool_report(1, text, sizeof text, &needed));
			MUST(text[0] == '\0' && needed == 0);`,
		rule: asleep("gator_report"),
	},
	{
		name: "pool_before_init", what: "A pool of one's own before init.",
		c: `
			portable_pool pool = 5;
			ASK(portable_pool_create(NULL, &pool));
			MUST(pool == 0);`,
		rule: always(failure(errState, "the library does not run", "call gator_init")),
	},
	{
		name: "allocate_after_finalize", what: "Allocating after finalize.",
		fortran: `
			call gator_init()
			call gator_finalize()
			call gator_allocate(a, [10], label='a'{stat})
			{say}
			call must(.not. associated(a), 'the pointer is null')`,
		c: `
			void *p = &p;
			MUST(portable_init(NULL) == 0 && portable_finalize() == 0);
			ASK(portable_alloc(80, "p", &p));
			MUST(p == NULL);`,
		gator: `
			gatorInit();
			gatorFinalize();
			MUST(gatorAllocate(80) == NULL);`,
		rule: always(failure(errState, "F:gator_allocate of 'a':", "B:gatorAllocate:", "the library does not run", "nothing after the last gator_finalize")),
	},
	{
		name: "deallocate_after_finalize", what: "Freeing after finalize a block that was freed before it.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10])
			b => a
			call gator_deallocate(a)
			call gator_finalize()
			call gator_deallocate(b{stat})
			{say}
			call must(associated(b), 'the pointer stays')`,
		c: `
			void *p;
			MUST(portable_init(NULL) == 0 && portable_alloc(80, "p", &p) == 0 && portable_free(p) == 0 && portable_finalize() == 0);
			ASK(portable_free(p));`,
		gator: `
			void *p;
			gatorInit();
			p = gatorAllocate(80);
			gatorDeallocate(p);
			gatorFinalize();
			gatorDeallocate(p);`,
		rule: always(failure(errState, "F:gator_deallocate:", "B:gatorDeallocate:", "the library does not run", "nothing after the last gator_finalize")),
	},
	{
		name: "pool_after_finalize", what: "A pool of one's own, which finalize has destroyed.",
		c: `
			portable_pool pool;
			void *p = &p;
			MUST(portable_init(NULL) == 0);
			pool = new_pool();
			MUST(portable_finalize() == 0);
			MUST(portable_pool_check(pool) == PORTABLE_ERR_STATE);
			MUST(portable_pool_destroy(pool) == PORTABLE_ERR_STATE);
			ASK(portable_pool_alloc(pool, 80, "p", &p));
			MUST(p == NULL);`,
		rule: always(failure(errState, "the library does not run", "call gator_init")),
	},
	{
		name: "pool_of_another_life", what: "A handle from before finalize, after a further init.",
		c: `
			portable_pool pool, old_default;
			void *p = &p;
			MUST(portable_init(NULL) == 0);
			pool = new_pool();
			old_default = the_pool();
			MUST(portable_finalize() == 0 && portable_init(NULL) == 0);
			MUST(portable_pool_check(old_default) == PORTABLE_ERR_HANDLE);
			ASK(portable_pool_alloc(pool, 80, "p", &p));
			MUST(p == NULL);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		rule: always(failure(errHandle, "is not a pool, or the pool was destroyed")),
	},
	{
		name: "init_twice", what: "A second gator_init is no participant; a second portable_init is one.",
		fortran: `
			call gator_init()
			call gator_init({only})
			{say}
			call goes_on(0)
			call gator_finalize()
			call gator_get_stats(stats, stat=i)
			call must(i == gator_err_state, 'one finalize is enough')`,
		c: `
			MUST(portable_init(NULL) == 0);
			ASK(portable_init(NULL));
			MUST(portable_finalize() == 0);
			goes_on(0);
			MUST(portable_finalize() == 0 && !portable_is_initialized());`,
		gator: `
			gatorInit();
			gatorInit();
			goes_on(0);
			gatorFinalize();
			MUST(!portable_is_initialized());`,
		rule: func(c cell) verdict {
			if c.form == cStatus || c.form == cIgnored {
				return says(passes)
			}
			return strictly(says(warns, "gator_init was called again without gator_finalize", "it does nothing"),
				failure(errState, "gator_init was called again without gator_finalize", "GATOR_STRICT=1"))(c)
		},
	},
	{
		name: "init_of_both", what: "gatorInit as well as portable_init: two participants, nothing wrong.",
		c: `
			ASK(portable_init(NULL));
			gatorInit();
			MUST(portable_finalize() == 0);
			goes_on(0);
			gatorFinalize();
			MUST(!portable_is_initialized());`,
		rule: always(says(passes)),
	},
	{
		name: "init_again_otherwise", what: "A further participant that asks for other settings than the library runs with.",
		c: `
			portable_config config = PORTABLE_CONFIG_INIT;
			config.pool_initial_bytes = 3u << 20;
			MUST(portable_init(NULL) == 0);
			ASK(portable_init(&config));
			goes_on(0);
			MUST(portable_finalize() == 0 && portable_finalize() == 0);`,
		rule: always(says(warns, "the library runs already", "the configuration of a further init is ignored")),
	},
	{
		name: "finalize_without_init", what: "A finalize that no init belongs to.",
		fortran: `
			call gator_finalize({only})
			{say}`,
		c:     `ASK(portable_finalize());`,
		gator: `gatorFinalize();`,
		rule:  finalizeRule,
	},
	{
		name: "finalize_twice", what: "A second finalize.",
		fortran: `
			call gator_init()
			call gator_finalize()
			call gator_finalize({only})
			{say}`,
		c: `
			MUST(portable_init(NULL) == 0 && portable_finalize() == 0);
			ASK(portable_finalize());`,
		gator: `
			gatorInit();
			gatorFinalize();
			gatorFinalize();`,
		rule: finalizeRule,
	},
	{
		name: "finalize_of_another", what: "portable_finalize for a participant that came by gatorInit.",
		c: `
			gatorInit();
			ASK(portable_finalize());
			goes_on(0);
			gatorFinalize();`,
		rule: always(failure(errState, "portable_finalize without portable_init", "each call needs its own portable_init before it")),
	},
	{
		name: "finalize_live", what: "Finalize with a live block; under GATOR_STRICT=1 nothing is released, and the program can put it right.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [1000], label='left behind')
			a = 1.0_real64
			call gator_finalize({only})
			{say}
			if (stat /= 0) then
			  call must(abs(sum(a) - 1000.0_real64) < 0.5_real64, 'the array is as it was')
			  call goes_on(1)
			  call gator_deallocate(a)
			  call gator_finalize()
			end if`,
		c: `
			char *p;
			MUST(portable_init(NULL) == 0 && portable_alloc(8000, "left behind", (void **)&p) == 0);
			memset(p, 1, 8000);
			ASK(portable_finalize());
			if (portable_is_initialized()) {
			  goes_on(1);
			  MUST(p[7999] == 1 && portable_free(p) == 0 && portable_finalize() == 0);
			}`,
		gator: `
			void *p;
			gatorInit();
			MUST(portable_alloc(8000, "left behind", &p) == 0);
			gatorFinalize();
			MUST(!portable_is_initialized());`,
		rule: leaks("1 block with 8000 bytes is", "left behind  size 8000 bytes"),
	},
	{
		name: "finalize_live_unnamed", what: "The same with a block of no label and one of no bytes.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [1000])
			raw = gator_allocate_c(1_c_size_t)
			call gator_finalize({only})
			{say}`,
		c: `
			void *p;
			MUST(portable_init(NULL) == 0 && portable_alloc(8000, NULL, &p) == 0 && portable_alloc(1, NULL, &p) == 0);
			ASK(portable_finalize());`,
		rule: leaks("2 blocks with 8001 bytes are", "(no label)  size 8000 bytes", "(no label)  size 1 bytes"),
	},
	{
		name: "finalize_live_many", what: "Finalize with more live blocks than a list should have lines.",
		fortran: `
			call gator_init()
			do i = 1, 130
			  nullify(a)
			  call gator_allocate(a, [100], label='in a loop')
			end do
			call gator_finalize({only})
			{say}`,
		c: `
			void *p;
			int i;
			MUST(portable_init(NULL) == 0);
			for (i = 0; i < 130; i++) MUST(portable_alloc(800, "in a loop", &p) == 0);
			ASK(portable_finalize());`,
		rule: leaks("130 blocks with 104000 bytes are", "in a loop  size 800 bytes", "and 30 more; all of them by label", "in a loop  104000 bytes in 130 blocks"),
		stub: strictly(says(warns, "130 blocks with 104000 bytes are", "in a loop  size 800 bytes", "and 30 more", "released now"),
			failure(errLeak, "130 blocks with 104000 bytes are", "in a loop  size 800 bytes", "GATOR_STRICT=1")),
	},
	{
		name: "finalize_live_pool", what: "Finalize with a live block in a pool of one's own.",
		c: `
			portable_pool pool;
			void *p;
			MUST(portable_init(NULL) == 0);
			pool = new_pool();
			MUST(portable_pool_alloc(pool, 8000, "left behind", &p) == 0);
			ASK(portable_finalize());
			if (portable_is_initialized()) {
			  pool_goes_on(pool, 1);
			  MUST(portable_pool_free(pool, p) == 0 && portable_finalize() == 0);
			}`,
		rule: leaks("1 block with 8000 bytes is", "still live in mine", "left behind  size 8000 bytes"),
	},
	{
		name: "init_after_finalize", what: "A second life, which is no misuse.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10])
			call gator_deallocate(a)
			call gator_finalize()
			call gator_init({only})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		c: `
			MUST(portable_init(NULL) == 0 && portable_finalize() == 0);
			ASK(portable_init(NULL));
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		gator: `
			gatorInit();
			gatorFinalize();
			gatorInit();
			goes_on(0);
			gatorFinalize();`,
		rule: always(says(passes)),
	},
	{
		name: "forked_child", what: "Use in a forked child, where only freeing is allowed, and does nothing.",
		c: `
			void *p, *q = &q;
			int status;
			pid_t child;
			MUST(portable_init(NULL) == 0 && portable_alloc(80, "p", &p) == 0);
			child = fork();
			if (child == 0) {
			  ASK(portable_alloc(80, "q", &q));
			  MUST(q == NULL && portable_free(p) == 0 && portable_finalize() == PORTABLE_ERR_FORK);
			  _exit(0);
			}
			MUST(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
			goes_on(1);
			MUST(portable_free(p) == 0 && portable_finalize() == 0);`,
		rule: always(failure(errFork, "fork")),
	},
}

// finalizeRule: where there is a status, portable_finalize without its init is always an error.
func finalizeRule(c cell) verdict {
	if c.form == cStatus || c.form == cIgnored {
		return failure(errState, "portable_finalize without portable_init", "each call needs its own portable_init before it")
	}
	return strictly(says(warns, "gator_finalize was called without gator_init", "it does nothing"),
		failure(errState, "gator_finalize was called without gator_init", "GATOR_STRICT=1"))(c)
}
