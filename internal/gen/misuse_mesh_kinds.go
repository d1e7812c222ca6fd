package main

// ofMesh is a kind of the calls on meshes and particles. code has owner = 1 2 3 1 2 3, row = 1 3 5 7, four positions in a box from 0 to 1, and
// sums that a call that is refused leaves at 7.
func ofMesh(name, what, declarations, code string, status int, texts ...string) misuse {
	return inSystem("mesh_"+name, what, `
			integer :: owner(6), row(4)
			real(real64), target :: place(4), sums(3)
			type(portable_csr) :: rows
			type(portable_cell_list) :: cells
			type(portable_index_map) :: map`+declarations, `
			owner = [1, 2, 3, 1, 2, 3]
			row = [1, 3, 5, 7]
			place = [0.1_real64, 0.3_real64, 0.5_real64, 0.9_real64]
			sums = 7.0_real64`+code+`
			call must(all(abs(sums - 7.0_real64) < 1e-9_real64) .and. abs(place(1) - 0.1_real64) < 1e-9_real64, 'arrays stay')
			call portable_csr_free(rows)
			call portable_cell_list_free(cells)
			call portable_map_free(map)
			call must(size(owner) + size(row) == 10, 'all are used')`, status, texts...)
}

// The kinds of misuse that are of portable_mesh_mod and portable_particles_mod: numbers outside, which the error names, arrays that share memory.
var meshKinds = []misuse{
	tooEarly("mesh_early", "Rows before init.", `
			type(portable_csr) :: rows`, `
			call portable_csr_build(rows, row_of=[1, 2], n=2{stat})
			call must(.not. associated(rows%row), 'no rows')`, "portable_csr_build"),
	ofMesh("row_outside", "A row that the mesh does not have.", ``, `
			owner(5) = 4
			call portable_csr_build(rows, row_of=owner, n=3, label='faces'{stat})
			call must(.not. associated(rows%row), 'no rows')`, errArg, "portable_csr_build: csr_build 'faces': item 5 is in row 4", "but rows are 1 to 3"),
	ofMesh("counts_negative", "A row with less than no entry.", ``, `
			owner(3) = -4
			call portable_csr_build(rows, counts=owner, label='faces'{stat})`, errArg, "portable_csr_build: csr_counts 'faces': row 3 has -4 entries"),
	ofMesh("freed_twice", "Both copies of a list.", `
			type(portable_csr) :: copy`, `
			call portable_csr_build(rows, row_of=owner, n=3, label='faces')
			copy = rows
			call portable_csr_free(copy)
			call portable_csr_free(rows{stat})
			rows = portable_csr()`, errPointer, "portable_csr_free: gator: 0x", "is not a live block"),
	ofMesh("segments_decrease", "Beginnings of rows that decrease.", ``, `
			row(2) = 6
			call portable_segmented_sum(place, row, sums, index=owner, label='sums'{stat})
			sums = 7.0_real64`, errArg, "portable_segmented: segmented_reduce 'sums': row 2 begins at 6 and the next one at 5"),
	ofMesh("segments_index", "An index of no element.", ``, `
			owner(4) = 9
			call portable_segmented_sum(place, row, sums, index=owner, label='sums'{stat})
			sums = 7.0_real64`, errArg, "portable_segmented: segmented_reduce 'sums': index 4 is 9, but data has the elements 1 to 4"),
	ofMesh("segments_short", "Results for fewer rows.", ``, `
			call portable_segmented_sum(place, row, sums(:2), index=owner, label='sums'{stat})`, errArg, "portable_segmented: segmented_sum 'sums': there are 2 results, but row has 4 elements"),
	ofMesh("order_twice", "An order that loses an element.", ``, `
			call portable_reorder([1, 2, 2, 4], [portable_arg(place)], label='move'{stat})`, errArg, "portable_reorder: reorder 'move': order has element 2 twice"),
	ofMesh("order_outside", "An order with a number outside.", ``, `
			call portable_reorder([1, 2, 5, 4], [portable_arg(place)], label='move'{stat})`, errArg,
		"portable_reorder: reorder 'move': number 3 of order is 5, but elements are 1 to 4"),
	ofMesh("order_short", "An order of fewer elements than the array has.", ``, `
			call portable_reorder([2, 1, 3], [portable_arg(place)], label='move'{stat})`, errArg, "portable_reorder: reorder 'move': order has 3 numbers, but the last extent of array 1 is 4"),
	ofMesh("particle_outside", "A particle outside the box.", ``, `
			call portable_cell_list_build(cells, place, cutoff=0.2_real64, lower=[0.0_real64], upper=[0.6_real64], &
			  label='cells'{stat})
			call must(.not. associated(cells%order), 'no cells')`, errArg, "portable_cell_list_build: cell_list_build 'cells': particle 4 is at 0.9, but the box is from 0 to 0.6"),
	ofMesh("cutoff", "A cutoff of nothing.", ``, `
			call portable_cell_list_build(cells, place, cutoff=0.0_real64, lower=[0.0_real64], upper=[1.0_real64], &
			  label='cells'{stat})`,
		errArg, "portable_cell_list_build: cell_list_build 'cells': cutoff is 0"),
	ofMesh("box", "A box of another number of dimensions.", ``, `
			call portable_cell_list_build(cells, place, cutoff=0.2_real64, lower=[0.0_real64, 0.0_real64], upper=[1.0_real64], &
			  label='cells'{stat})`,
		errArg, "portable_cell_list_build: cell_list_build 'cells': lower, upper and periodic have as many elements as there are dimensions"),
	ofMesh("no_cells", "Neighbours in cells that were not built.", ``, `
			call portable_neighbour_list(cells, rows, place, label='list'{stat})`, errArg, "portable_neighbour_list: neighbour_list 'list': there are no cells; build them first"),
	ofMesh("other_places", "Neighbours of particles that have moved.", ``, `
			call portable_cell_list_build(cells, place, cutoff=0.2_real64, lower=[0.0_real64], upper=[1.0_real64], label='cells')
			place(2) = 0.8_real64
			call portable_neighbour_list(cells, rows, place, label='list'{stat})`, errArg, "portable_neighbour_list: neighbour_list 'list': particle 2 is no longer in the cell"),
	ofMesh("merge_disorder", "A merge of an array that is not in order.", `
			integer :: made(6)`, `
			call portable_merge_sorted([1, 2, 3], [2, 1, 3], made, label='m'{stat})`, errArg, "portable_merge: merge_sorted 'm': element 1 of b, counted from 0, comes before the one in front of it"),
	ofMesh("merge_short", "A merge into too few elements.", `
			integer :: made(5)`, `
			call portable_merge_sorted([1, 2, 3], [1, 2, 3], made, label='m'{stat})`, errArg, "portable_merge: merge_sorted 'm': the result has 5 elements, and both arrays together have 6"),
	ofMesh("merge_values", "Values of another number than the keys.", `
			integer :: made(6), values(6)`, `
			call portable_merge_by_key([1, 2, 3], [1, 2, 3], made, [1, 2], [1, 2, 3], values, label='m'{stat})`, errArg, "portable_merge: merge_by_key 'm': va has 2 elements, and ka has 3"),
	ofMesh("merge_overlap", "A merge into one of its arrays.", `
			integer, target :: both(6)`, `
			both = 1
			call portable_merge_sorted(both(:3), [1, 2, 3], both, label='m'{stat})`, errArg, "portable_merge: merge_sorted 'm': the result shares memory with another argument"),
	ofMesh("map_new", "Marks of another number than the keys.", `
			logical :: new(3)`, `
			call portable_map_insert(map, [3, 4], new=new, label='m'{stat})
			call must(map%count == 0, 'no key')`, errArg, "portable_map_insert: map_insert 'm': there are 2 keys, but new has 3 elements"),
	ofMesh("map_numbers", "Numbers of another number than the keys.", `
			integer :: at(3)`, `
			at = 7
			call portable_map_insert(map, [3, 4])
			call portable_map_lookup(map, [3, 4], at, label='m'{stat})
			call must(all(at == 7), 'numbers stay')`, errArg, "portable_map_lookup: map_lookup 'm': there are 2 keys, but at has 3 elements"),
	{name: "mesh_around_none", what: "Cells around a place that does not exist, and in cells that were not built: there are no runs.",
		rule: always(says(passes)), system: `
			type(portable_cell_list) :: cells
			integer :: runs(2, portable_cell_runs), n
			call gator_init()
			n = 9
			call portable_cells_around(cells, 1, runs, n)
			call must(n == 0, 'no run in cells that were not built')
			call portable_cell_list_build(cells, [0.1_real64, 0.3_real64], cutoff=0.2_real64, lower=[0.0_real64], upper=[1.0_real64])
			call portable_cells_around(cells, 3, runs, n)
			call must(n == 0, 'no run after the last place')
			call portable_cells_around(cells, 0, runs, n)
			call must(n == 0, 'no run before the first place')
			call portable_cells_around(cells, 2, runs, n)
			call must(n == 1 .and. runs(2, 1) == 2, 'a run')
			call portable_cell_list_free(cells{stat})
			call goes_on(0)
			call gator_finalize()`},
}
