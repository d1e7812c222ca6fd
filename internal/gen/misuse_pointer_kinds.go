package main

// pointed is the error of a pointer that is not the start of a live block; GATOR_STRICT and the fast path do not change it. pool is the
// text of a pool, direct the text with GATOR_DISABLE=1, which keeps no freed blocks.
func pointed(pool, direct, stub string, more ...string) (rule, forStub func(cell) verdict) {
	texts := append([]string{"F:gator_deallocate:", "K:gator_deallocate:", "B:gatorDeallocate:", "is not a live block"}, more...)
	with := func(found string) verdict {
		return failure(errPointer, append(texts[:len(texts):len(texts)], found)...)
	}
	return disabled(with(pool), with(direct)), always(with(stub))
}

const (
	foundForeign       = "no slab of it holds this address; free memory with the library that gave it"
	foundFreed         = "has been freed already; look for a second deallocate, or a pointer kept across one"
	foundNothing       = "it was freed already, or another library gave it"
	foundNothingInStub = "it was freed already, or is from elsewhere"
	ofThePool          = "C:of the default pool"
)

// withPointed sets the rules of a kind by pointed.
func withPointed(m misuse, pool, direct, stub string, more ...string) misuse {
	m.rule, m.stub = pointed(pool, direct, stub, more...)
	return m
}

func inside(offset, bytes string) string {
	return "it is " + offset + " bytes inside a block of " + bytes + " bytes"
}

// The kinds of misuse that are pointers: foreign, interior, null, freed already, associated already.
var pointerKinds = []misuse{
	withPointed(misuse{
		name: "interior", what: "Freeing a part of an array that does not begin where the array begins.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [100], label='whole')
			b => a(2:)
			call gator_deallocate(b{stat})
			{say}
			call must(associated(b, a(2:)), 'the pointer stays')
			call goes_on(1)
			call gator_deallocate(a)
			call gator_finalize()`,
		checked: `
			call gator_init()
			call gator_allocate(a, [100], label='whole')
			raw_inside = c_loc(a(2))
			call gator_checked_deallocate(raw_inside)`,
		bare: `
			call gator_init()
			call gator_allocate(a, [100], label='whole')
			raw_inside = c_loc(a(2))
			call gator_deallocate_c(raw_inside)
			call goes_on(1)
			call gator_deallocate(a)
			call gator_finalize()`,
		c: `
			char *p;
			MUST(portable_init(NULL) == 0 && portable_alloc(800, "whole", (void **)&p) == 0);
			ASK(portable_free(p + 8));
			goes_on(1);
			MUST(portable_free(p) == 0 && portable_finalize() == 0);`,
		gator: `
			char *p;
			gatorInit();
			MUST(portable_alloc(800, "whole", (void **)&p) == 0);
			gatorDeallocate(p + 8);
			goes_on(1);
			gatorDeallocate(p);
			gatorFinalize();`,
	}, inside("8", "800")+` labelled "whole"; pass the address that the allocation gave`,
		inside("8", "800")+` labelled "whole"; pass the address that the allocation gave`,
		inside("8", "800")+` labelled "whole"; pass the address that the allocation gave`),
	withPointed(misuse{
		name: "interior_granule", what: "The same at a place where a block of its own could begin.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [1000], label='whole')
			b => a(513:)
			call gator_deallocate(b{stat})
			{say}
			call goes_on(1)
			call gator_deallocate(a)
			call gator_finalize()`,
		c: `
			char *p;
			MUST(portable_init(NULL) == 0 && portable_alloc(8000, "whole", (void **)&p) == 0);
			ASK(portable_free(p + 4096));
			goes_on(1);
			MUST(portable_free(p) == 0 && portable_finalize() == 0);`,
	}, inside("4096", "8000"), inside("4096", "8000"), inside("4096", "8000")),
	{
		name: "part_from_start", what: "A part that begins where the array begins is taken for the array: not caught (docs/start/yakl.md).",
		fortran: `
			call gator_init()
			call gator_allocate(a, [100])
			b => a(1:10)
			call gator_deallocate(b{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		rule: always(says(passes)),
	},
	withPointed(misuse{
		name: "foreign", what: "Freeing memory that is no allocation at all.",
		fortran: `
			call gator_init()
			a => foreign
			call gator_deallocate(a{stat})
			{say}
			call must(associated(a, foreign), 'the pointer stays')
			call goes_on(0)
			call gator_finalize()`,
		checked: `
			call gator_init()
			raw = c_loc(foreign)
			call gator_checked_deallocate(raw)`,
		bare: `
			call gator_init()
			raw = c_loc(foreign)
			call gator_deallocate_c(raw)
			call goes_on(0)
			call gator_finalize()`,
		c: `
			static double foreign[100];
			MUST(portable_init(NULL) == 0);
			ASK(portable_free(foreign));
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		gator: `
			static double foreign[100];
			gatorInit();
			gatorDeallocate(foreign);
			goes_on(0);
			gatorFinalize();`,
	}, foundForeign, foundNothing, foundNothingInStub, ofThePool),
	withPointed(misuse{
		name: "foreign_heap", what: "Freeing what ALLOCATE or malloc gave.",
		fortran: `
			call gator_init()
			allocate (a(100))
			call gator_deallocate(a{stat})
			{say}
			deallocate (a)
			call goes_on(0)
			call gator_finalize()`,
		c: `
			void *p = malloc(800);
			MUST(portable_init(NULL) == 0);
			ASK(portable_free(p));
			free(p);
			goes_on(0);
			MUST(portable_finalize() == 0);`,
	}, foundForeign, foundNothing, foundNothingInStub, ofThePool),
	withPointed(misuse{
		name: "foreign_unreadable", what: "Freeing an address without read access.",
		fortran: `
			call gator_init()
			raw = transfer(4096_c_intptr_t, raw)
			call c_f_pointer(raw, a, [10])
			call gator_deallocate(a{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		c: `
			MUST(portable_init(NULL) == 0);
			ASK(portable_free((void *)(uintptr_t)4096));
			goes_on(0);
			MUST(portable_finalize() == 0);`,
	}, foundForeign, foundNothing, foundNothingInStub, ofThePool),
	withPointed(misuse{
		name: "double_free", what: "Freeing a block twice.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [100])
			b => a
			call gator_deallocate(a)
			call gator_deallocate(b{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		checked: `
			call gator_init()
			raw = checked_alloc(800_c_size_t, .false.)
			call gator_checked_deallocate(raw)
			call gator_checked_deallocate(raw)`,
		bare: `
			call gator_init()
			raw = gator_allocate_c(800_c_size_t)
			call gator_deallocate_c(raw)
			call gator_deallocate_c(raw)
			call goes_on(0)
			call gator_finalize()`,
		c: `
			void *p;
			MUST(portable_init(NULL) == 0 && portable_alloc(800, "p", &p) == 0 && portable_free(p) == 0);
			ASK(portable_free(p));
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		gator: `
			void *p;
			gatorInit();
			p = gatorAllocate(800);
			gatorDeallocate(p);
			gatorDeallocate(p);
			goes_on(0);
			gatorFinalize();`,
	}, foundFreed, foundNothing, foundNothingInStub),
	withPointed(misuse{
		name: "double_free_large", what: "The same with a block that no thread keeps for itself.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [1000000])
			b => a
			call gator_deallocate(a)
			call gator_deallocate(b{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		c: `
			void *p;
			MUST(portable_init(NULL) == 0 && portable_alloc(8000000, "p", &p) == 0 && portable_free(p) == 0);
			ASK(portable_free(p));
			goes_on(0);
			MUST(portable_finalize() == 0);`,
	}, foundFreed, foundNothing, foundNothingInStub),
	withPointed(misuse{
		name: "double_free_trimmed", what: "The same after the slab of the block was released.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [20000000])
			b => a
			call gator_deallocate(a)
			call gator_trim()
			call gator_deallocate(b{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		c: `
			void *p;
			MUST(portable_init(NULL) == 0 && portable_alloc(160000000, "p", &p) == 0 && portable_free(p) == 0);
			MUST(portable_pool_trim(the_pool(), NULL) == 0);
			ASK(portable_free(p));
			goes_on(0);
			MUST(portable_finalize() == 0);`,
	}, foundForeign, foundNothing, foundNothingInStub),
	{
		name: "null", what: "Freeing a null pointer; in C, as free, nothing but for gatorDeallocate.",
		fortran: `
			call gator_init()
			call gator_deallocate(a{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		checked: `
			call gator_init()
			call gator_checked_deallocate(c_null_ptr)`,
		bare: `
			call gator_init()
			call gator_deallocate_c(c_null_ptr)
			call goes_on(0)
			call gator_finalize()`,
		c: `
			MUST(portable_init(NULL) == 0);
			ASK(portable_free(NULL));
			goes_on(0);
			MUST(portable_finalize() == 0);`,
		gator: `
			gatorInit();
			gatorDeallocate(NULL);
			goes_on(0);
			gatorFinalize();`,
		rule: nullRule,
	},
	{
		name: "deallocate_twice", what: "Freeing an array twice through one pointer, which the first time made null.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10])
			call gator_deallocate(a)
			call gator_deallocate(a{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		rule: nullRule,
	},
	{
		name: "derived_null", what: "The pointer errors again for an array of a derived type, whose elements are not touched: null.",
		fortran: `
			call gator_init()
			call gator_deallocate(p{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
		rule: nullRule,
	},
	withPointed(misuse{
		name: "derived_interior", what: "A part of an array of a derived type.",
		fortran: `
			call gator_init()
			call gator_allocate(p, [10], label='particles')
			allocate (p(2)%history(5))
			q => p(2:)
			call gator_deallocate(q{stat})
			{say}
			call must(allocated(p(2)%history), 'no component was freed')
			call goes_on(1)
			call gator_deallocate(p)
			call gator_finalize()`,
	}, `labelled "particles"; pass the address that the allocation gave`,
		`labelled "particles"; pass the address that the allocation gave`,
		"pass the address that the allocation gave"),
	withPointed(misuse{
		name: "derived_foreign", what: "An array of a derived type that is not the pool's.",
		fortran: `
			call gator_init()
			allocate (foreign_particles(2)%history(5))
			p => foreign_particles
			call gator_deallocate(p{stat})
			{say}
			call must(allocated(foreign_particles(2)%history), 'no component was freed')
			call goes_on(0)
			call gator_finalize()`,
	}, foundForeign, foundNothing, foundNothingInStub),
	withPointed(misuse{
		name: "derived_double_free", what: "An array of a derived type twice.",
		fortran: `
			call gator_init()
			call gator_allocate(p, [10])
			q => p
			call gator_deallocate(p)
			call gator_deallocate(q{stat})
			{say}
			call goes_on(0)
			call gator_finalize()`,
	}, foundFreed, foundNothing, foundNothingInStub),
	{
		name: "associated_live", what: "Allocating over the only pointer to a live block.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10], label='first')
			b => a
			call gator_allocate(a, [20], label='second'{stat})
			{say}
			if (stat /= 0) call must(associated(a, b), 'the pointer stays')
			call goes_on(merge(2, 1, stat == 0))
			if (stat == 0) call gator_deallocate(a)
			call gator_deallocate(b)
			call gator_finalize()`,
		rule: strictly(says(warns, "gator_allocate of 'second': the pointer is associated already", `its block of 80 bytes labelled "first" is lost`,
			"nullify it first"), associatedStrict("second")),
	},
	{
		name: "associated_often", what: "The same many times: one warning in the life of the process.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10], label='first')
			do i = 1, 5
			  b => a
			  call gator_allocate(a, [20], label='next'{stat})
			  if (stat /= 0) exit
			  call gator_deallocate(b)
			end do
			{say}
			call gator_deallocate(a)
			call goes_on(0)
			call gator_finalize()`,
		rule: strictly(says(warns, "gator_allocate of 'next': the pointer is associated already", "further such calls are not reported"),
			associatedStrict("next")),
	},
	{
		name: "associated_foreign", what: "Allocating over a pointer to memory that is not the pool's: allowed.",
		fortran: `
			call gator_init()
			a => foreign
			call gator_allocate(a, [20], label='a'{stat})
			{say}
			if (stat == 0) call gator_deallocate(a)
			call goes_on(0)
			call gator_finalize()`,
		checked: `
			call gator_init()
			raw = checked_alloc(80_c_size_t, .true.)
			call gator_checked_deallocate(raw)
			call goes_on(0)
			call gator_finalize()`,
		rule: strictly(says(passes), associatedStrict("a")),
	},
	{
		name: "associated_undefined", what: "Allocating over an address without read access, as an undefined pointer may hold it.",
		fortran: `
			call gator_init()
			raw = transfer(4096_c_intptr_t, raw)
			call c_f_pointer(raw, a, [10])
			call gator_allocate(a, [20], label='a'{stat})
			{say}
			if (stat == 0) call gator_deallocate(a)
			call goes_on(0)
			call gator_finalize()`,
		rule: strictly(says(passes), associatedStrict("a")),
	},
	{
		name: "associated_freed", what: "Allocating over a pointer whose block was freed under another name.",
		fortran: `
			call gator_init()
			call gator_allocate(a, [10])
			b => a
			call gator_deallocate(b)
			call gator_allocate(a, [20000], label='a'{stat})
			{say}
			if (stat == 0) call gator_deallocate(a)
			call goes_on(0)
			call gator_finalize()`,
		rule: strictly(says(passes), associatedStrict("a")),
	},
}

func nullRule(c cell) verdict {
	if c.form == cStatus || c.form == cIgnored {
		return says(passes)
	}
	return failure(errPointer, "F:gator_deallocate:", "K:gator_deallocate:", "B:gatorDeallocate:", "the pointer is null",
		"it was never allocated, or was deallocated and nullified already")
}

func associatedStrict(label string) verdict {
	return failure(errState, "F:gator_allocate of '"+label+"':", "K:gator_allocate:", "the pointer is associated", "deallocate or nullify it first", "GATOR_STRICT=1")
}
