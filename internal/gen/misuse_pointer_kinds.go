package main

// notLive is the error of a pointer that is not the start of a live block, which GATOR_STRICT and the fast path do not
// change: the text of the pool, of GATOR_DISABLE=1, which keeps no freed blocks, and of the stub.
type notLive struct{ pool, direct, inStub string }

func (n notLive) error(text string) verdict {
	return failure(errPointer, "F:gator_deallocate:", "K:gator_deallocate:", "B:gatorDeallocate:", "is not a live block", text)
}

func (n notLive) rule(c cell) verdict { return disabled(n.error(n.pool), n.error(n.direct))(c) }
func (n notLive) stub(cell) verdict   { return n.error(n.inStub) }

const (
	atStart    = "; pass the address that the allocation gave"
	inWhole    = `it is 8 bytes inside a block of 800 bytes labelled "whole"` + atStart
	inGranule  = "it is 4096 bytes inside a block of 8000 bytes"
	inParticle = `labelled "particles"` + atStart
	notInHeap  = "it was freed already, or another library gave it"
	notInStub  = "it was freed already, or is from elsewhere"
)

var (
	inBlock     = notLive{inWhole, inWhole, inWhole}
	inLarge     = notLive{inGranule, inGranule, inGranule}
	inParticles = notLive{inParticle, inParticle, "pass the address that the allocation gave"}
	foreign     = notLive{"no slab of it holds this address; free memory with the library that gave it", notInHeap, notInStub}
	freed       = notLive{"has been freed already; look for a second deallocate, or a pointer kept across one", notInHeap, notInStub}
)

// nullPointer is the rule of freeing a null pointer.
var nullPointer = refused(errPointer, "F:gator_deallocate:", "K:gator_deallocate:", "B:gatorDeallocate:", "the pointer is null",
	"it was never allocated, or was deallocated and nullified already")

// The kinds of misuse that are pointers: foreign, interior, null, freed already, associated already.
var pointerKinds = []misuse{
	{name: "interior", what: "Freeing a part of an array that begins inside the array.",
		rule: inBlock.rule, stub: inBlock.stub,
		fortran: running(`
			call gator_allocate(a, [100], label='whole')
			b => a(2:)
			call gator_deallocate(b{stat})
			call must(associated(b, a(2:)), 'the pointer stays')
			call goes_on(1)
			call gator_deallocate(a)`),
		checked: `
			call gator_init()
			call gator_allocate(a, [100], label='whole')
			raw_inside = c_loc(a(2))
			call gator_checked_deallocate(raw_inside)`,
		bare: running(`
			call gator_allocate(a, [100], label='whole')
			raw_inside = c_loc(a(2))
			call gator_deallocate_c(raw_inside)
			call goes_on(1)
			call gator_deallocate(a)`)},
	{name: "interior_granule", what: "The same at an address where another block could begin.",
		rule: inLarge.rule, stub: inLarge.stub,
		fortran: running(`
			call gator_allocate(a, [1000], label='whole')
			b => a(513:)
			call gator_deallocate(b{stat})
			call goes_on(1)
			call gator_deallocate(a)`)},
	{name: "part_from_start", what: "A part that begins where the array begins is taken for the array: not caught (docs/start/yakl.md).",
		rule: always(says(passes)),
		fortran: running(`
			call gator_allocate(a, [100])
			b => a(1:10)
			call gator_deallocate(b{stat})`)},
	{name: "foreign", what: "Freeing memory that was not allocated.",
		rule: foreign.rule, stub: foreign.stub,
		fortran: running(`
			a => foreign
			call gator_deallocate(a{stat})
			call must(associated(a, foreign), 'the pointer stays')`),
		checked: `
			call gator_init()
			raw = c_loc(foreign)
			call gator_checked_deallocate(raw)`,
		bare: running(`
			raw = c_loc(foreign)
			call gator_deallocate_c(raw)`)},
	{name: "foreign_heap", what: "Freeing memory of ALLOCATE.",
		rule: foreign.rule, stub: foreign.stub,
		fortran: running(`
			allocate (a(100))
			call gator_deallocate(a{stat})
			deallocate (a)`)},
	{name: "foreign_unreadable", what: "Freeing an address that is not readable.",
		rule: foreign.rule, stub: foreign.stub,
		fortran: running(`
			raw = transfer(4096_c_intptr_t, raw)
			call c_f_pointer(raw, a, [10])
			call gator_deallocate(a{stat})`)},
	{name: "double_free", what: "Freeing a block twice.",
		rule: freed.rule, stub: freed.stub,
		fortran: running(`
			call gator_allocate(a, [100])
			b => a
			call gator_deallocate(a)
			call gator_deallocate(b{stat})`),
		checked: `
			call gator_init()
			raw = checked_alloc(800_c_size_t, .false.)
			call gator_checked_deallocate(raw)
			call gator_checked_deallocate(raw)`,
		bare: running(`
			raw = gator_allocate_c(800_c_size_t)
			call gator_deallocate_c(raw)
			call gator_deallocate_c(raw)`)},
	{name: "double_free_large", what: "The same with a block that no thread keeps for itself.",
		rule: freed.rule, stub: freed.stub,
		fortran: running(`
			call gator_allocate(a, [1000000])
			b => a
			call gator_deallocate(a)
			call gator_deallocate(b{stat})`)},
	{name: "double_free_trimmed", what: "The same after the slab of the block was released.",
		rule: foreign.rule, stub: foreign.stub,
		fortran: running(`
			call gator_allocate(a, [20000000])
			b => a
			call gator_deallocate(a)
			call gator_trim()
			call gator_deallocate(b{stat})`)},
	{name: "null", what: "Freeing a null pointer.",
		rule:    nullPointer,
		fortran: running(`call gator_deallocate(a{stat})`),
		checked: `
			call gator_init()
			call gator_checked_deallocate(c_null_ptr)`,
		bare: running(`call gator_deallocate_c(c_null_ptr)`)},
	{name: "deallocate_twice", what: "Freeing an array twice through one pointer, which the first time made null.",
		rule: nullPointer,
		fortran: running(`
			call gator_allocate(a, [10])
			call gator_deallocate(a)
			call gator_deallocate(a{stat})`)},
	{name: "derived_null", what: "The pointer errors again for an array of a derived type, whose elements are not touched: null.",
		rule:    nullPointer,
		fortran: running(`call gator_deallocate(p{stat})`)},
	{name: "derived_interior", what: "A part of an array of a derived type.",
		rule: inParticles.rule, stub: inParticles.stub,
		fortran: running(`
			call gator_allocate(p, [10], label='particles')
			allocate (p(2)%history(5))
			q => p(2:)
			call gator_deallocate(q{stat})
			call must(allocated(p(2)%history), 'no component was freed')
			call goes_on(1)
			call gator_deallocate(p)`)},
	{name: "derived_foreign", what: "An array of a derived type that the pool does not own.",
		rule: foreign.rule, stub: foreign.stub,
		fortran: running(`
			allocate (foreign_particles(2)%history(5))
			p => foreign_particles
			call gator_deallocate(p{stat})
			call must(allocated(foreign_particles(2)%history), 'no component was freed')`)},
	{name: "derived_double_free", what: "An array of a derived type twice.",
		rule: freed.rule, stub: freed.stub,
		fortran: running(`
			call gator_allocate(p, [10])
			q => p
			call gator_deallocate(p)
			call gator_deallocate(q{stat})`)},
	{name: "associated_live", what: "Allocating over the only pointer to a live block.",
		rule: strictly(says(warns, "gator_allocate of 'second': the pointer is associated already", `its block of 80 bytes labelled "first" is lost`,
			"nullify it first"), associatedStrict("second")),
		fortran: running(`
			call gator_allocate(a, [10], label='first')
			b => a
			call gator_allocate(a, [20], label='second'{stat})
			if (stat /= 0) call must(associated(a, b), 'the pointer stays')
			call goes_on(merge(2, 1, stat == 0))
			if (stat == 0) call gator_deallocate(a)
			call gator_deallocate(b)`)},
	{name: "associated_often", what: "The same many times: one warning in the life of the process.",
		rule: strictly(says(warns, "gator_allocate of 'next': the pointer is associated already", "further such calls are not reported"),
			associatedStrict("next")),
		fortran: running(`
			call gator_allocate(a, [10], label='first')
			do i = 1, 5
			  b => a
			  call gator_allocate(a, [20], label='next'{stat})
			  if (stat /= 0) exit
			  call gator_deallocate(b)
			end do
			{say}
			call gator_deallocate(a)`)},
	{name: "associated_foreign", what: "Allocating over a pointer to memory of another owner, which is allowed.",
		rule: strictly(says(passes), associatedStrict("a")),
		fortran: running(`
			a => foreign
			call gator_allocate(a, [20], label='a'{stat})
			if (stat == 0) call gator_deallocate(a)`),
		checked: running(`
			raw = checked_alloc(80_c_size_t, .true.)
			call gator_checked_deallocate(raw)`)},
	{name: "associated_undefined", what: "Allocating over an address that is not readable, as in an undefined pointer.",
		rule: strictly(says(passes), associatedStrict("a")),
		fortran: running(`
			raw = transfer(4096_c_intptr_t, raw)
			call c_f_pointer(raw, a, [10])
			call gator_allocate(a, [20], label='a'{stat})
			if (stat == 0) call gator_deallocate(a)`)},
	{name: "associated_freed", what: "Allocating over a pointer whose block was freed through another pointer.",
		rule: strictly(says(passes), associatedStrict("a")),
		fortran: running(`
			call gator_allocate(a, [10])
			b => a
			call gator_deallocate(b)
			call gator_allocate(a, [20000], label='a'{stat})
			if (stat == 0) call gator_deallocate(a)`)},
}

func associatedStrict(label string) verdict {
	return failure(errState, "F:gator_allocate of '"+label+"':", "K:gator_allocate:", "the pointer is associated", "deallocate or nullify it first", "GATOR_STRICT=1")
}
