package main

// systemModules are the block kernels of the system programs.
const systemModules = `module {program}_blocks
  use, intrinsic :: iso_c_binding, only: c_ptr, c_associated
  use portable_blocks_mod
  use portable_mod, only: parallel_for, bounds
  use {program}_kernels, only: nothing
  implicit none
contains
  recursive subroutine all_wait(b)
    type(portable_thread_block), intent(in) :: b
    call portable_block_barrier(b)
  end subroutine

  recursive subroutine one_waits(b)
    type(portable_thread_block), intent(in) :: b
    if (b%thread(1) == 1) call portable_block_barrier(b, 77)
  end subroutine

  recursive subroutine one_leaves(b)
    type(portable_thread_block), intent(in) :: b
    if (b%thread(1) == 4) return
    call portable_block_barrier(b, 78)
  end subroutine

  recursive subroutine fails(b)
    type(portable_thread_block), intent(in) :: b
    call portable_block_barrier(b)
    if (b%thread(1) == 3) call portable_block_fail(b, 9, 'no water in this tile')
  end subroutine

  subroutine no_kernel(tile, block) bind(c)
    type(c_ptr), value :: tile, block
    if (.not. c_associated(tile) .or. .not. c_associated(block)) error stop 4
  end subroutine

  recursive subroutine launches(b)
    type(portable_thread_block), intent(in) :: b
    integer :: stat
    call portable_block_barrier(b)
    call parallel_for('in', bounds(3), nothing, stat=stat)
    if (stat /= 0) call portable_block_fail(b, 10, 'the launch inside was refused')
  end subroutine
end module

`

// ofBlocks is a kind of a launch of blocks that gives an error, after which blocks run.
func ofBlocks(name, what, arguments string, status int, texts ...string) misuse {
	return inSystem("blocks_"+name, what, ``, `
			call portable_parallel_blocks('tiles', &
			  `+arguments+`{stat})
			call portable_parallel_blocks('tiles', bounds(2), all_wait, threads=[4])`, status, append([]string{"parallel_blocks 'tiles'"}, texts...)...)
}

// The kinds of misuse that are block kernels: shapes, scratch, barriers that not all threads come to, launches inside.
var blockKinds = []misuse{
	tooEarly("blocks_early", "Blocks before init.", ``, `
			call portable_parallel_blocks('tiles', bounds(2), all_wait, threads=[4]{stat})`, "portable_parallel_blocks"),
	ofBlocks("rank", "A shape of fewer dimensions than the grid.", "bounds([1, 1], [2, 2]), all_wait, threads=[4]", errArg,
		"threads has the size 1, and the bounds have the rank 2; give a number for each dimension"),
	ofBlocks("zero", "A block without threads.", "bounds(2), all_wait, threads=[0]", errArg, "a block has 0 threads in dimension 1; it has 1 to 1024"),
	ofBlocks("many", "A block of too many threads.", "bounds([1, 1], [2, 2]), all_wait, threads=[32, 33]", errArg,
		"a block has 1056 threads [32 33]; it has at most 1024"),
	ofBlocks("four_dimensions", "A grid of too many dimensions.", "bounds([1, 1, 1, 1], [2, 2, 2, 2]), all_wait, threads=[1, 1, 1, 1]", errArg,
		"the grid of blocks has 4 dimensions; it has 1 to 3"),
	ofBlocks("much_scratch", "More scratch than a block may have.", "bounds(2), all_wait, threads=[4], scratch_bytes=67108865", errArg,
		"67108865 bytes of scratch are asked for each block"),
	ofBlocks("negative_scratch", "Fewer than 0 bytes of scratch.", "bounds(2), all_wait, threads=[4], scratch_bytes=-8", errArg, "scratch"),
	ofBlocks("no_device", "A device that does not exist.", "bounds(2), all_wait, threads=[4], device=77", errNoDevice, "there is no device 77"),
	ofBlocks("no_stream", "A stream that does not exist.", "bounds(2), all_wait, threads=[4], stream=123_int64", errHandle, "0x7b is not a stream"),
	ofBlocks("no_kernel", "No address of a kernel.", "bounds(2), c_null_funptr, threads=[4]", errArg, "the kernel is NULL"),
	ofBlocks("one_waits", "A barrier that one thread comes to.", "bounds(1), one_waits, threads=[4]", errKernel,
		"not all threads of block (1) come to the barrier at line 77: thread (1) waits there, and thread (2) has left the kernel"),
	ofBlocks("one_leaves", "A thread that leaves before the barrier of the others.", "bounds(1), one_leaves, threads=[4]", errKernel,
		"not all threads of block (1) come to the barrier at line 78: thread (1) waits there, and thread (4) has left the kernel"),
	ofBlocks("fail", "A kernel that says that it failed.", "bounds(1), fails, threads=[4]", errKernel, "the kernel failed with code 9: no water in this tile"),
	ofBlocks("launch_inside", "A launch in a block kernel.", "bounds(1), launches, threads=[4]", errKernel, "the launch inside was refused"),
}

// ofGraphs is a kind of graphs that gives an error: code with a stream s and a graph e of one node, which is launched afterwards.
func ofGraphs(name, what, code string, status int, texts ...string) misuse {
	return inSystem("graph_"+name, what, ``, `
			call stream_create(s)
			call portable_graph_begin(e, s)
			call parallel_for('node', bounds(10), c_funloc(no_kernel), c_loc(foreign), 16_c_size_t, stream=s)
			call portable_graph_end(e)`+code+`
			call portable_graph_launch(e, s)
			call stream_fence(s)
			call portable_graph_destroy(e)
			call must(e == 0_int64, 'its end')
			call stream_destroy(s)`, status, texts...)
}

// duringRecording is a kind of a call that the recording of a second graph refuses.
func duringRecording(name, what, call string, status int, texts ...string) misuse {
	return ofGraphs("recording_"+name, what, `
			call portable_graph_begin(gone, s)
			`+call+`
			call portable_graph_end(gone)
			call portable_graph_destroy(gone)`, status, texts...)
}

// The kinds of misuse that are graphs, but for those of handles, which are in systemKinds.
var graphKinds = []misuse{
	tooEarly("graph_early", "A graph before init.", ``, `
			call portable_graph_begin(s, 1_int64{stat})`, "portable_graph_begin"),
	ofGraphs("size", "Arguments of another size.", `
			call portable_graph_update(e, 1, c_loc(foreign), 8_c_size_t{stat})`, errArg,
		"portable_graph_update 'node': the argument block has 8 bytes, the recorded one 16: pass a block of the same type"),
	ofGraphs("null_block", "No arguments.", `
			call portable_graph_update(e, 1, c_null_ptr, 16_c_size_t{stat})`, errArg, "portable_graph_update: args is NULL"),
	ofGraphs("node_zero", "Node 0, where nodes are counted from 1.", `
			call portable_graph_update(e, 0, c_loc(foreign), 16_c_size_t{stat})`, errArg, "portable_graph_update: no node has this number; the graph has 1,"),
	ofGraphs("launch_default", "A launch into a default stream.", `
			call portable_graph_launch(e, device_stream(1){stat})`, errState, "portable_graph_launch: a graph takes only asynchronous streams"),
	duringRecording("begin", "A second recording of a thread.", "call portable_graph_begin(bytes_out, s{stat})", errState,
		"portable_graph_begin: 0x", "is recorded by this thread: end it first"),
	duringRecording("fence", "A fence during the recording.", "call stream_fence(s{stat})", errState, "portable_stream_fence: the stream records a graph"),
	duringRecording("allocate", "An allocation during the recording.", "call gator_allocate(a, [100], label='a'{stat})", errState,
		"this thread records a graph, whose replays would not repeat the allocation", "gator_allocate"),
	duringRecording("launch", "A launch without a stream during the recording.", "call parallel_for('now', bounds(10), nothing{stat})", errState,
		"parallel_for 'now': this thread records a graph, and the launch names no stream that records"),
	duringRecording("procedure", "An ordinary procedure during the recording.", "call parallel_for('now', bounds(10), nothing, stream=s{stat})", errState,
		"parallel_for 'now': the launch would be waited for", "pass c_funloc of a bind(c) kernel"),
	duringRecording("replay", "A launch of a graph that records.", "call portable_graph_launch(gone, s{stat})", errState,
		"portable_graph_launch: 0x", "still records: call portable_graph_end first"),
	duringRecording("destroy", "The stream is destroyed during the recording.", "call stream_destroy(s{stat})", errState,
		"portable_stream_destroy: the stream records a graph"),
}
