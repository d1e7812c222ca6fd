package main

// ofHandle is a kind that misuses an array in Fortran. The handle h has 4 x 3 elements of real64 and the label 'grid', x points to
// them, and v is an empty handle. Afterwards h is as it was. declarations are those of the code.
func ofHandle(name, what, declarations, code string, status int, texts ...string) misuse {
	return misuse{name: "handle_" + name, what: what, rule: refused(status, texts...), fortran: `
			type(portable_array) :: h, v` + declarations + `
			real(real64), pointer :: x(:, :)
			call gator_init()
			call h%allocate(x, [4, 3], label='grid')
			x = 7.0_real64` + code + `
			{say}
			call must(h%use_count() == 1 .and. h%size() == 12_int64, 'the array')
			call must(abs(sum(x) - 84.0_real64) <= 0.0_real64, 'its elements')
			call v%release()
			call h%release()
			call goes_on(0)
			call gator_finalize()`}
}

// The kinds of misuse that are of handles: what portable_array_mod checks. With stub and library alike.
var handleKinds = []misuse{
	ofHandle("arity", "Fewer extents than the pointer has dimensions.", `
			real(real64), pointer :: y(:, :)`, `
			call v%allocate(y, [12], label='line'{stat})`, errArg,
		"portable_array_allocate: there are more or fewer extents than the pointer has dimensions"),
	ofHandle("lower", "Fewer lower bounds than extents.", "", `
			call v%create([4, 3], [0], label='low'{stat})`, errArg, "portable_array_create of 'low': there are 2 extents, but 1 lower bounds"),
	ofHandle("rank", "More dimensions than the limit.", `
			integer :: extents(16)`, `
			extents = 1
			call v%create(extents, label='wide'{stat})`, errArg, "portable_array_create of 'wide': rank is 16; it is 0 to 15"),
	ofHandle("extent", "A negative extent.", "", `
			call v%create([4, -3], label='thin'{stat})`, errArg, "portable_array_create of 'thin': extent 2 is -3; it is 0 or more"),
	ofHandle("kind", "An invalid kind of element.", "", `
			call v%create([4, 3], kind=99, label='odd'{stat})`, errArg, "portable_array_create of 'odd': there is no kind 99"),
	ofHandle("order", "An order that names a dimension twice.", "", `
			call v%create([4, 3], fastest=[2, 2], label='odd'{stat})`, errArg,
		"portable_array_create of 'odd': entry 2 of fastest names a dimension that an earlier one has named"),
	ofHandle("too_large", "More bytes than there can be.", "", `
			call v%create([huge(1_int64), 4_int64], label='vast'{stat})`, errOverflow, "portable_array_create of 'vast': the byte count of the bounds"),
	ofHandle("twice", "A handle that already holds an array.", "", `
			call h%create([4, 3], label='again'{stat})`, errState,
		"portable_array_create of 'again': the handle holds the array 'grid' already; release it first"),
	ofHandle("null", "An array around a null pointer.", `
			real(real64), pointer :: y(:, :)`, `
			nullify (y)
			call v%wrap(y, 'null'{stat})`, errArg, "portable_array_wrap of 'null': data is NULL, but the array has 1 elements; was it allocated?"),
	ofHandle("component", "An array around components, whose stride is no multiple of the element.", `
			type :: pair
			  complex(real64) :: z = 0.0_real64
			  integer(int64) :: n = 0_int64
			end type
			type(pair), target :: pairs(3)
			complex(real64), pointer :: z(:)`, `
			z => pairs%z
			call v%wrap(z, 'z'{stat})`, errArg, "portable_array_wrap of 'z': dimension 1 goes on by 24 bytes"),
	ofHandle("pointer_rank", "A pointer of another rank.", `
			real(real64), pointer :: y(:)`, `
			call h%get(y{stat})`, errArg,
		"portable_array_get of 'grid': the array has elements of the kind real64 and rank 2, the pointer real64 and rank 1"),
	ofHandle("pointer_kind", "A pointer of another kind.", `
			integer(int64), pointer :: y(:, :)`, `
			call h%get(y{stat})`, errArg,
		"portable_array_get of 'grid': the array has elements of the kind real64 and rank 2, the pointer int64 and rank 2"),
	ofHandle("pointer_order", "A pointer to elements in C order.", `
			real(real64), pointer :: y(:, :)`, `
			call v%create([2, 3], order=portable_order_c, label='kj')
			call v%get(y{stat})`, errArg, "portable_array_get of 'kj': no Fortran pointer has elements that lie so"),
	ofHandle("unallocated", "Use of a handle without an array.", "", `
			call v%copy_to(h{stat})`, errArg,
		"portable_array_copy: this is no array: it was never made, or was released; portable_array_create makes one"),
	ofHandle("unallocated_pointer", "A pointer to an array that does not exist yet.", `
			real(real64), pointer :: y(:, :)`, `
			call v%get(y{stat})`, errArg, "portable_array_get: this is no array: it was never made, or was released"),
	ofHandle("deallocated", "Use by one holder after another one has deallocated.", `
			type(portable_array) :: held
			real(real64), pointer :: y(:)`, `
			call v%create([5], label='gone')
			held = v
			call v%deallocate()
			call held%get(y{stat})
			call held%release()`, errState, "portable_array_get of 'gone': the memory of this array was released by portable_array_deallocate"),
	ofHandle("index", "An index out of bounds.", "", `
			call h%slice([portable_range(5), portable_all], v{stat})`, errArg,
		"portable_array_slice of 'grid': index 5 of dimension 1 is out of its bounds 1:4"),
	ofHandle("slice", "A part that ends outside its dimension.", "", `
			call h%slice([portable_all, portable_range(2, 4)], v{stat})`, errArg,
		"portable_array_slice of 'grid': the range 2:4 by 1 of dimension 2 is out of its bounds 1:3"),
	ofHandle("slice_rank", "Fewer ranges than the array has dimensions.", "", `
			call h%slice([portable_all], v{stat})`, errArg, "portable_array_slice of 'grid': the array has rank 2, the list of dimensions 1"),
	ofHandle("subset", "A part of the slowest dimension that ends before it begins.", "", `
			call h%subset_slowest(2, 1, v{stat})`, errArg,
		"portable_array_subset_slowest of 'grid': the subset 2:1 of the slowest dimension ends before it begins"),
	ofHandle("reshape", "A shape of another count.", "", `
			call h%reshape([2, 5], v{stat})`, errArg,
		"portable_array_reshape of 'grid': the new shape (1:2, 1:5) has 10 elements, the array (1:4, 1:3) has 12; a reshape keeps the count"),
	ofHandle("reshape_lower", "Another number of lower bounds than of extents.", "", `
			call h%reshape([3, 4], v, lower=[0]{stat})`, errArg, "portable_array_reshape of 'grid': there are more or fewer lower bounds than extents"),
	ofHandle("reshape_gaps", "Another shape for elements with gaps between.", `
			type(portable_array) :: part`, `
			call h%slice([portable_range(1, 3), portable_all], part)
			call part%reshape([9], v{stat})
			call part%release()`, errArg, "portable_array_reshape of 'grid': the elements do not lie one after the other"),
	ofHandle("permute", "A dimension that does not exist.", "", `
			call h%permute([1, 3], v{stat})`, errArg, "portable_array_permute of 'grid': entry 2 of dims is none of the 2 dimensions"),
	ofHandle("rebase", "Fewer lower bounds than the array has dimensions.", "", `
			call h%rebase([0], v{stat})`, errArg, "portable_array_rebase of 'grid': the array has rank 2, the list of dimensions 1"),
	ofHandle("copy_kind", "A copy to elements of another kind.", "", `
			call v%create([4, 3], kind=portable_int64, label='whole')
			call h%copy_to(v{stat})`, errArg,
		"portable_array_copy of 'grid' to 'whole': the elements are of the kind real64 (8 bytes) and int64 (8 bytes)"),
	ofHandle("copy_count", "A copy to more elements.", "", `
			call v%create([5, 3], label='more')
			call h%copy_to(v{stat})`, errArg,
		"portable_array_copy of 'grid':", "the one has 12 elements (1:4, 1:3), the other 15 (1:5, 1:3); both have as many"),
	ofHandle("copy_shape", "A copy to as many elements of another shape, with gaps between.", `
			type(portable_array) :: part`, `
			call v%create([3, 6], label='wide')
			call v%slice([portable_range(1, 2), portable_all], part)
			call h%copy_to(part{stat})
			call part%release()`, errArg, "portable_array_copy of 'grid':", "not both arrays lie without gaps"),
}
