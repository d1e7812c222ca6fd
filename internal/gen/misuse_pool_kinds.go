package main

// inPool is a kind that begins with a pool of the user, called mine, and ends without live blocks.
func inPool(name, what, code string, rule func(cell) verdict) misuse {
	return misuse{name: name, what: what, rule: rule, c: `
			portable_pool pool;
			void *p = NULL, *q = NULL;
			MUST(portable_init(NULL) == 0);
			pool = new_pool();
			(void)p;
` + code + `
			MUST(portable_free(q) == 0);
			pool_goes_on(pool, 0);
			goes_on(0);
			MUST(portable_pool_destroy(pool) == 0 && portable_finalize() == 0);`}
}

// gone is a kind that uses a pool's handle after the pool was destroyed.
func gone(name, what, code string) misuse {
	return misuse{name: "stale_" + name, what: "A handle of a destroyed pool: " + what,
		rule: always(failure(errHandle, "is not a pool, or the pool was destroyed")), c: `
			portable_pool pool, next;
			MUST(portable_init(NULL) == 0);
			pool = new_pool();
			MUST(portable_pool_destroy(pool) == 0);
			next = new_pool();
			MUST(next != pool);
			{
			` + code + `
			}
			pool_goes_on(next, 0);
			MUST(portable_pool_destroy(next) == 0 && portable_finalize() == 0);`}
}

func wrongBlock(found string) func(cell) verdict {
	return always(failure(errPointer, "is not a live block of", found))
}

// The kinds of misuse of pools of the user's own, which C has and Fortran has not.
var poolKinds = []misuse{
	inPool("pool_interior", "Freeing an address inside a block.", `
			MUST(portable_pool_alloc(pool, 8000, "whole", &p) == 0);
			ASK(portable_pool_free(pool, (char *)p + 1024));
			pool_goes_on(pool, 1);
			MUST(portable_pool_free(pool, p) == 0);`,
		wrongBlock(`mine: it is 1024 bytes inside a block of 8000 bytes labelled "whole"; pass the address that the allocation gave`)),
	inPool("pool_double_free", "Freeing a block of a pool twice.", `
			MUST(portable_pool_alloc(pool, 8000, "whole", &p) == 0 && portable_pool_free(pool, p) == 0);
			ASK(portable_pool_free(pool, p));`,
		wrongBlock("mine: the block that was here has been freed already; look for a second deallocate")),
	inPool("pool_null", "Freeing NULL, which is nothing.", `
			ASK(portable_pool_free(pool, NULL));`,
		always(says(passes))),
	inPool("pool_of_another", "Freeing a block in a pool that it is not of.", `
			portable_pool second = new_pool();
			MUST(portable_pool_alloc(pool, 8000, "p", &p) == 0);
			ASK(portable_pool_free(second, p));
			pool_goes_on(second, 0);
			pool_goes_on(pool, 1);
			MUST(portable_pool_destroy(second) == 0 && portable_pool_free(pool, p) == 0);`,
		wrongBlock("mine: no slab of it holds this address")),
	inPool("pool_block_in_default", "Freeing a block of a pool in the default pool.", `
			MUST(portable_pool_alloc(pool, 8000, "p", &p) == 0);
			ASK(portable_free(p));
			goes_on(0);
			pool_goes_on(pool, 1);
			MUST(portable_pool_free(pool, p) == 0);`,
		disabled(failure(errPointer, "is not a live block of the default pool: no slab of it holds this address"),
			failure(errPointer, "is not a live block of the default pool: it was freed already, or another library gave it"))),
	inPool("default_block_in_pool", "Freeing a block of the default pool in another.", `
			MUST(portable_alloc(8000, "q", &q) == 0);
			ASK(portable_pool_free(pool, q));
			goes_on(1);`,
		wrongBlock("mine: no slab of it holds this address")),
	inPool("pool_over_limit", "More than a pool's own limit.", `
			portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
			portable_pool small;
			config.name = "small";
			config.limit_bytes = 1u << 20;
			MUST(portable_pool_create(&config, &small) == 0);
			MUST(portable_pool_alloc(small, 600000, "held", &p) == 0);
			ASK(portable_pool_alloc(small, 600000, "big", &q));
			MUST(q == NULL);
			pool_goes_on(small, 1);
			MUST(portable_pool_free(small, p) == 0 && portable_pool_destroy(small) == 0);`,
		always(failure(errNomem, `out of memory: small has no 600000 bytes labelled "big": the limit is reached; raise limit_bytes of its portable_pool_config`,
			"in use 600000 bytes in 1 block", "limit 1048576 bytes", "held"))),
	inPool("pool_absurd_size", "More than any machine has.", `
			ASK(portable_pool_alloc(pool, (size_t)1 << 60, "big", &p));
			MUST(p == NULL);`,
		always(failure(errNomem, `out of memory: mine has no 1152921504606846976 bytes`, "no machine has so much memory; look at how the size was computed"))),
	inPool("pool_destroy_default", "Destroying the default pool.", `
			ASK(portable_pool_destroy(the_pool()));`,
		always(failure(errHandle, "the default pool ends with the library, not by portable_pool_destroy"))),
	inPool("pool_destroy_none", "Destroying no pool, which is nothing.", `
			ASK(portable_pool_destroy(0));`,
		always(says(passes))),
	inPool("pool_none", "Using no pool.", `
			ASK(portable_pool_alloc(0, 80, "p", &p));
			MUST(p == NULL);`,
		always(failure(errHandle, "0x0 is not a pool"))),
	inPool("pool_invented", "Using a number that never was a pool.", `
			ASK(portable_pool_alloc(~(portable_pool)0, 80, "p", &p));
			MUST(p == NULL);`,
		always(failure(errHandle, "0xffffffffffffffff is not a pool"))),
	{
		name: "pool_destroy_live", what: "Destroying a pool with a live block; under GATOR_STRICT=1 nothing is released.",
		c: `
			portable_pool pool;
			char *p;
			MUST(portable_init(NULL) == 0);
			pool = new_pool();
			MUST(portable_pool_alloc(pool, 8000, "left behind", (void **)&p) == 0);
			memset(p, 1, 8000);
			ASK(portable_pool_destroy(pool));
			if (portable_pool_check(pool) == 0) {
			  pool_goes_on(pool, 1);
			  MUST(p[7999] == 1 && portable_pool_free(pool, p) == 0 && portable_pool_destroy(pool) == 0);
			}
			MUST(portable_finalize() == 0);`,
		rule: leaks("1 block with 8000 bytes is still live in mine", "left behind  size 8000 bytes"),
	},
	gone("alloc", "taking.", `
			  void *p = &p;
			  ASK(portable_pool_alloc(pool, 80, "p", &p));
			  MUST(p == NULL);`),
	gone("free", "freeing.", `
			  static double foreign[10];
			  ASK(portable_pool_free(pool, foreign));`),
	gone("destroy", "destroying.", `
			  ASK(portable_pool_destroy(pool));`),
	gone("trim", "trimming.", `
			  uint64_t released = 5;
			  ASK(portable_pool_trim(pool, &released));
			  MUST(released == 0);`),
	gone("check", "checking.", `
			  ASK(portable_pool_check(pool));`),
	gone("stats", "statistics.", `
			  portable_stats s;
			  memset(&s, 5, sizeof s);
			  s.struct_size = (uint32_t)sizeof s;
			  ASK(portable_pool_stats(pool, &s));
			  MUST(s.slabs == 0 && s.in_use_bytes == 0 && s.frees == 0);`),
	gone("list", "listing.", `
			  ASK(portable_pool_list(pool, no_visit, NULL));`),
	gone("find", "looking up.", `
			  portable_block block;
			  ASK(portable_pool_find(pool, &block, &block));
			  MUST(block.address == NULL && block.bytes == 0 && block.label[0] == '\0');`),
	gone("report", "a report.", `
			  char text[100] = "x";
			  size_t needed = 5;
			  ASK(portable_pool_report(pool, text, sizeof text, &needed));
			  MUST(text[0] == '\0' && needed == 0);`),
}
