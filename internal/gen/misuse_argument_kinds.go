package main

// refusedPool is a kind with an invalid configuration of a pool.
func refusedPool(name, what, set string, texts ...string) misuse {
	return misuse{name: name, what: what, rule: always(failure(errArg, texts...)), c: `
			portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
			portable_pool pool = 5;
			MUST(portable_init(NULL) == 0);
			` + set + `
			ASK(portable_pool_create(&config, &pool));
			MUST(pool == 0);
			goes_on(0);
			MUST(portable_finalize() == 0);`}
}

// argument is a kind that passes an invalid argument to a function.
func argument(name, what, code string, texts ...string) misuse {
	return misuse{name: name, what: what, rule: always(failure(errArg, texts...)), c: `
			MUST(portable_init(NULL) == 0);
			{
			` + code + `
			}
			goes_on(0);
			MUST(portable_finalize() == 0);`}
}

// The kinds of misuse that are arguments of C: NULL out pointers, sizes of structures, configurations of pools.
var poolArgumentKinds = []misuse{
	refusedPool("pool_config_size", "A configuration that does not say how large it is.", "config.struct_size = 3;",
		"portable_pool_create: config.struct_size is 3; begin with PORTABLE_POOL_CONFIG_INIT"),
	refusedPool("pool_config_reserved", "A value in a field that a later version may give a meaning to.", "config.reserved = 1;",
		"portable_pool_create: config.reserved is 1; it is 0 in this version: begin with PORTABLE_POOL_CONFIG_INIT"),
	refusedPool("pool_config_half_source", "One of the two functions of a source.", "config.alloc = no_slab;",
		"portable_pool_create: free is NULL and the other is not; give both, or none for memory of the host"),
	refusedPool("pool_config_block", "A granule that is no power of two.", "config.block_bytes = 48;",
		"a block size of 48 bytes; it is a power of two from 64 to 1073741824"),
	refusedPool("pool_config_initial_over_limit", "A first slab that is larger than the limit.",
		"config.initial_bytes = 2u << 20, config.limit_bytes = 1u << 20;",
		"the first slab (2097152 bytes) is larger than the limit (1048576 bytes)"),
	argument("null_out_alloc", "No place for the address.", `
			  ASK(portable_alloc(80, "p", NULL));`, "portable_alloc: an out pointer is NULL"),
	argument("null_out_pool_alloc", "The same for a pool.", `
			  ASK(portable_pool_alloc(the_pool(), 80, "p", NULL));`, "portable_pool_alloc: an out pointer is NULL"),
	argument("null_out_create", "No place for the handle.", `
			  ASK(portable_pool_create(NULL, NULL));`, "portable_pool_create: an out pointer is NULL"),
	argument("null_out_default", "No place for the handle of the default pool.", `
			  ASK(portable_pool_default(NULL));`, "portable_pool_default: an out pointer is NULL"),
	argument("null_out_stats", "No place for the numbers.", `
			  ASK(portable_pool_stats(the_pool(), NULL));`, "portable_pool_stats: an out pointer is NULL"),
	argument("null_out_find", "No place for the block.", `
			  int here;
			  ASK(portable_pool_find(the_pool(), &here, NULL));`, "portable_pool_find: an out pointer is NULL"),
	argument("null_out_report", "No place for a text that has a size.", `
			  ASK(portable_pool_report(the_pool(), NULL, 100, NULL));`, "portable_pool_report: an out pointer is NULL"),
	argument("null_out_bytes", "No place for the bytes of an array.", `
			  int64_t extents[] = {10};
			  ASK(portable_array_bytes(1, extents, NULL, 32, 8, NULL));`, "portable_array_bytes: bytes_out is NULL"),
	argument("null_visit", "No function to visit the blocks.", `
			  ASK(portable_pool_list(the_pool(), NULL, NULL));`, "portable_pool_list: visit is NULL"),
	argument("stats_size", "Statistics that do not say how large they are.", `
			  portable_stats s;
			  s.struct_size = 0;
			  ASK(portable_pool_stats(the_pool(), &s));`, "portable_pool_stats: stats.struct_size is 0; set it to sizeof(portable_stats)"),
	{
		name: "find_nothing", what: "Looking up an address that is no block's.",
		c: `
			portable_block block;
			MUST(portable_init(NULL) == 0);
			ASK(portable_pool_find(the_pool(), &block, &block));
			MUST(block.address == NULL && block.bytes == 0 && block.label[0] == '\0');
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		rule: always(failure(errPointer, "is not a live block of the default pool")),
	},
}
