package main

// inSlab is a kind that makes a call inside the slab function of a pool, under the pool's lock.
func inSlab(name, call, what string, texts ...string) misuse {
	return misuse{name: name + "_in_slab_function", what: what, rule: always(failure(errState, texts...)), c: `
			portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
			void *p;
			MUST(portable_init(NULL) == 0);
			config.alloc = slab_inside, config.free = slab_gone, config.payload = (void *)"` + call + `";
			MUST(portable_pool_create(&config, &inside_pool) == 0);
			MUST(portable_pool_alloc(inside_pool, 1000, "outer", &p) == 0);
			if (LOOKS) say_inside();
			MUST(portable_pool_free(inside_pool, p) == 0 && portable_pool_destroy(inside_pool) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`}
}

const (
	inFunction = "called inside a function for slabs of a pool, which runs under the pool's lock"
	inCall     = "portable_finalize: called inside a kernel, or in a callback of another call of the library"
)

// The kinds of misuse that happen in functions of the program which the library calls: calls that would wait for themselves, and functions that
// do not return.
var insideKinds = []misuse{
	inSlab("alloc", "alloc", "A slab function that allocates from its own pool.", inFunction),
	inSlab("stats", "stats", "A slab function that asks for the statistics of its own pool.", inFunction),
	inSlab("finalize", "finalize", "Finalize in a slab function.", inCall),
	{
		name: "finalize_in_kernel", what: "Finalize in a kernel, whose launch would wait for itself.",
		rule: always(failure(errState, inCall)), c: `
			MUST(portable_init(NULL) == 0 && portable_set_num_threads(2) == 0);
			MUST(launch_two(finalize_inside) == 0);
			if (LOOKS) say_inside();
			MUST(launch_two(nothing) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
	},
	{
		name: "thread_ends_in_kernel", what: "A kernel that ends its thread: the launch fails, and the next one has all threads again.",
		rule: always(failure(errKernel, "the kernel failed with code -4: a thread ended inside the kernel")), c: `
			MUST(portable_init(NULL) == 0 && portable_set_num_threads(2) == 0);
			ASK(launch_two(exit_inside));
			MUST(launch_two(nothing) == 0 && portable_num_threads() == 2);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
	},
	{
		name: "thread_ends_in_callback", what: "A callback that ends the thread of its stream: the stream has an error, and goes on.",
		rule: always(failure(errState, "a kernel or callback of the stream ended its thread")), c: `
			portable_stream s;
			MUST(portable_init(NULL) == 0);
			s = new_stream();
			MUST(portable_stream_call(s, exit_callback, NULL) == 0);
			ASK(portable_stream_fence(s));
			(void)portable_stream_fence(s);
			MUST(portable_stream_call(s, no_call, NULL) == 0 && portable_stream_fence(s) == 0 && portable_stream_destroy(s) == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
	},
	{
		name: "jump_out_of_kernel", what: "A longjmp out of a kernel: the next launch says so, and runs on all threads.",
		rule: always(says(warns, "a kernel was left by longjmp or by an exception; its launch ended without a status")), c: `
			MUST(portable_init(NULL) == 0 && portable_set_num_threads(2) == 0);
			inside_main = pthread_self();
			if (setjmp(inside_jump) == 0) launch_two(jump_inside);
			ASK(launch_two(both_inside));
			MUST(inside_workers == 2);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
	},
}
