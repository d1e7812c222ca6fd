package main

// inSystem is a kind of the modules that the stub does not have: code between gator_init and gator_finalize, after which no block is live.
func inSystem(name, what, declarations, code string, status int, texts ...string) misuse {
	return misuse{name: name, what: what, rule: refused(status, texts...), system: declarations + `
			call gator_init()` + code + `
			call goes_on(0)
			call gator_finalize()`}
}

// tooEarly is a kind of these modules that calls before init.
func tooEarly(name, what, declarations, code, call string) misuse {
	return misuse{name: name, what: what, rule: refused(errState, call+": ", "the library does not run"), system: declarations + code}
}

// ofPool is a kind that misuses a pool of the program's, called mine; gone is the number of a pool that was destroyed.
func ofPool(name, what, declarations, code string, status int, texts ...string) misuse {
	return inSystem("own_pool_"+name, what, `
			integer(int64) :: mine`+declarations, `
			call portable_pool_create(mine, 'mine', limit_mb=1)
			call portable_pool_create(gone, 'gone')
			s = gone
			call portable_pool_destroy(s)`+code+`
			call portable_pool_destroy(mine)
			call must(mine == 0_int64, 'its end')`, status, texts...)
}

const noPool = "is not a pool, or the pool was destroyed"

// The kinds of misuse that are of portable_pool_mod, and of gator_allocate with pool= and space=.
var poolKinds = []misuse{
	tooEarly("own_pool_early", "A pool before init.", `
			integer(int64) :: mine`, `
			call portable_pool_create(mine, 'mine'{stat})
			call must(mine == 0_int64, 'no pool')`, "portable_pool_create"),
	tooEarly("own_pool_default_early", "The default pool before init.", ``, `
			s = portable_pool_default({only})`, "portable_pool_default"),
	ofPool("negative", "A pool of a negative size.", ``, `
			call portable_pool_create(e, limit_mb=-1{stat})
			call must(e == 0_int64, 'no pool')`, errArg, "portable_pool_create: a size is negative; sizes are 0 or more"),
	ofPool("granule", "Blocks of a size that is no power of two.", ``, `
			call portable_pool_create(e, block_bytes=100{stat})`, errArg, "portable_pool_create: gator: bad argument: a block size of 100 bytes; it is a power of two from 64"),
	ofPool("half_a_source", "A procedure that gives slabs, and none that takes them back.", ``, `
			call portable_pool_create(e, alloc=c_funloc(no_call), free=c_null_funptr{stat})`, errArg, "portable_pool_create: free is NULL"),
	ofPool("two_memories", "Slabs of the program's, and a kind of memory.", ``, `
			call portable_pool_create(e, space=1, alloc=c_funloc(no_call), free=c_funloc(no_call){stat})`, errArg,
		"portable_pool_create: config.space is 1 together with alloc"),
	ofPool("no_device", "A pool of the memory of a device that does not exist.", ``, `
			call portable_pool_create(e, space=portable_space_device(9){stat})`, errNoDevice, "portable_pool_create", "there is no such device: space 12"),
	ofPool("no_space", "The pool of a kind of memory that does not exist.", ``, `
			e = portable_pool_of_space(-2{stat})`, errArg, "portable_pool_of_space: space is -2"),
	ofPool("of_no_device", "The pool of a device that does not exist.", ``, `
			e = portable_pool_of_device(77{stat})`, errNoDevice, "portable_pool_of_device: there is no device 77"),
	ofPool("destroyed_twice", "Destroying it twice.", ``, `
			call portable_pool_destroy(gone{stat})
			call must(gone /= 0_int64, 'what is none stays as it is')`, errHandle, "portable_pool_destroy: portable: no such pool: 0x", noPool),
	ofPool("default_destroyed", "Destroying the default pool.", ``, `
			e = portable_pool_default()
			call portable_pool_destroy(e{stat})`, errHandle, "the default pool ends with the library, not by portable_pool_destroy"),
	ofPool("gone_array", "An array of a pool that was destroyed.", ``, `
			call gator_allocate(a, [10], label='a', pool=gone{stat})
			call must(.not. associated(a), 'no array')`, errHandle, "gator_allocate of 'a': portable: no such pool: 0x", noPool),
	ofPool("gone_particles", "An array of a derived type of a pool that was destroyed.", ``, `
			call gator_allocate(p, [10], label='p', pool=gone{stat})
			call must(.not. associated(p), 'no array')`, errHandle, "gator_allocate of 'p': portable: no such pool: 0x", noPool),
	ofPool("gone_handle", "A handle with an array of a pool that was destroyed.", `
			type(portable_array) :: v`, `
			call v%create([10], label='v', pool=gone{stat})
			call must(.not. v%allocated(), 'no array')`, errHandle, "portable_array_create of 'v': no such pool: 0x", noPool),
	ofPool("gone_block", "A block of a pool that was destroyed.", ``, `
			call portable_pool_allocate(gone, 80_int64, raw{stat})
			call must(.not. c_associated(raw), 'no block')`, errHandle, "portable_pool_allocate: portable: no such pool: 0x", noPool),
	ofPool("gone_free", "A block that is freed in a pool that was destroyed.", ``, `
			call portable_pool_allocate(mine, 80_int64, raw)
			call portable_pool_deallocate(gone, raw{stat})
			call must(c_associated(raw), 'it stays')
			call portable_pool_deallocate(mine, raw)`, errHandle, "portable_pool_deallocate: portable: no such pool: 0x", noPool),
	ofPool("gone_list", "The blocks of a pool that was destroyed.", ``, `
			call portable_pool_list(gone, c_funloc(no_call){stat})`, errHandle, "portable_pool_list: portable: no such pool: 0x", noPool),
	ofPool("gone_find", "A block in a pool that was destroyed.", `
			type(portable_block_t) :: block`, `
			call portable_pool_find(gone, c_loc(foreign), block{stat})`, errHandle, "portable_pool_find: portable: no such pool: 0x", noPool),
	ofPool("gone_stats", "Statistics of a pool that was destroyed.", ``, `
			call gator_get_stats(stats, pool=gone{stat})`, errHandle, "gator_get_stats: portable: no such pool: 0x", noPool),
	ofPool("full", "More than its limit.", ``, `
			call gator_allocate(b, [75000], label='held', pool=mine)
			call gator_allocate(a, [75000], label='big', pool=mine{stat})
			call must(.not. associated(a), 'no array')
			call gator_deallocate(b)`, errNomem, "gator_allocate of 'big': out of memory: mine has no 600000 bytes", "limit 1048576 bytes", "held"),
	ofPool("of_another", "A block that is freed in another pool.", ``, `
			call portable_pool_allocate(0_int64, 80_int64, raw)
			call portable_pool_deallocate(mine, raw{stat})
			call must(c_associated(raw), 'it stays')
			call portable_pool_deallocate(0_int64, raw)`, errPointer, "portable_pool_deallocate:", "is not a live block of", "mine: no slab of it holds this address"),
	ofPool("freed_twice", "A block that is freed twice.", ``, `
			call portable_pool_allocate(mine, 80_int64, raw)
			raw_inside = raw
			call portable_pool_deallocate(mine, raw)
			call portable_pool_deallocate(mine, raw_inside{stat})`, errPointer, "portable_pool_deallocate:", "mine: the block that was here has been freed already"),
	ofPool("negative_block", "A block of fewer than 0 bytes.", ``, `
			call portable_pool_allocate(mine, -8_int64, raw{stat})`, errArg, "portable_pool_allocate: fewer than 0 bytes; bytes is 0 or more"),
	ofPool("foreign", "The pool of an address outside of all pools.", ``, `
			e = portable_pool_of(c_loc(foreign){stat})`, errPointer, "portable_pool_of", "no live block of any pool holds"),
	ofPool("no_visitor", "A list without a function.", ``, `
			call portable_pool_list(mine, c_null_funptr{stat})`, errArg, "portable_pool_list", "NULL"),
	{name: "own_pool_left_behind", what: "Destroying it with a live array.",
		rule: strictly(says(warns, "1 block with 8000 bytes is still live in mine", "left behind", "released now"),
			failure(errLeak, "portable_pool_destroy:", "1 block with 8000 bytes is still live in mine", "deallocate them first", "GATOR_STRICT=1")),
		system: `
			call gator_init()
			call portable_pool_create(s, 'mine')
			gone = s
			call gator_allocate(a, [1000], label='left behind', pool=s)
			call portable_pool_destroy(s{stat})
			call must((stat /= 0) .eqv. (s == gone), 'the number')
			if (stat /= 0) then
			  call gator_deallocate(a)
			  call portable_pool_destroy(s)
			end if
			call goes_on(0)
			call gator_finalize()`},
}

// The kinds of misuse that are of portable_system_mod and portable_observe_mod.
var systemKinds = []misuse{
	inSystem("properties_of_no_device", "Properties of a device that does not exist.", `
			type(portable_device_t) :: d`, `
			call portable_device_properties(77, d{stat})`, errNoDevice, "portable_device_properties", "77"),
	inSystem("memory_of_no_device", "The memory of a device that does not exist.", ``, `
			call portable_device_memory(77, s{stat})
			call must(s == 0_int64, 'nothing')`, errNoDevice, "portable_device_memory", "77"),
	inSystem("native_of_the_host", "The driver's handles of a device of the host.", ``, `
			call portable_device_native(1, i{stat})`, errArg, "portable_device_native"),
	inSystem("native_of_no_stream", "The driver's handle of a stream that does not exist.", ``, `
			raw = portable_stream_native(123_int64{stat})
			call must(.not. c_associated(raw), 'none')`, errHandle, "portable_stream_native: 0x7b is not a stream"),
	inSystem("graph_of_no_stream", "A graph that begins with a stream that does not exist.", ``, `
			call portable_graph_begin(s, 123_int64{stat})
			call must(s == 0_int64, 'no graph')`, errHandle, "portable_graph_begin: 0x7b is not a stream"),
	inSystem("graph_of_a_default_stream", "A graph that begins with a default stream.", ``, `
			call portable_graph_begin(s, device_stream(1){stat})
			call must(s == 0_int64, 'no graph')`, errState, "portable_graph_begin: a graph takes only asynchronous streams"),
	inSystem("graph_gone_launch", "A launch of a graph that does not exist.", ``, `
			call stream_create(s)
			call portable_graph_launch(123_int64, s{stat})
			call stream_destroy(s)`, errHandle, "portable_graph_launch: 0x7b is not a graph"),
	inSystem("graph_end_without_begin", "An end of a graph that has ended.", ``, `
			call stream_create(s)
			call portable_graph_begin(e, s)
			call portable_graph_end(e)
			call portable_graph_end(e{stat})
			call portable_graph_destroy(e)
			call stream_destroy(s)`, errState, "portable_graph_end: 0x", "does not record: portable_graph_end needs a portable_graph_begin before it"),
	inSystem("graph_no_node", "Arguments for a node that does not exist.", ``, `
			call stream_create(s)
			call portable_graph_begin(e, s)
			call portable_graph_end(e)
			call portable_graph_update(e, 1, c_loc(foreign), 8_c_size_t{stat})
			call portable_graph_destroy(e)
			call stream_destroy(s)`, errArg, "portable_graph_update: no node has this number; the graph has 0,"),
	inSystem("native_of_a_host_stream", "The driver's handle of a stream of the host.", ``, `
			call stream_create(s, device=1)
			raw = portable_stream_native(s{stat})
			call must(.not. c_associated(raw), 'none')
			call stream_destroy(s)`, errNoDevice, "portable_stream_native"),
	inSystem("enqueue_on_the_host", "Work of the driver for a device of the host.", ``, `
			call portable_device_enqueue('work', c_funloc(no_call), device=1{stat})`, errNoDevice,
		"portable_device_enqueue", "device 1 ('serial') is not a device of CUDA, HIP or OpenCL"),
	inSystem("enqueue_no_stream", "Work for a stream that does not exist.", ``, `
			call portable_device_enqueue('work', c_funloc(no_call), stream=123_int64{stat})`, errHandle,
		"portable_device_enqueue of 'work': 0x7b is not a stream"),
	inSystem("enqueue_nothing", "No function to enqueue.", ``, `
			call portable_device_enqueue('work', c_null_funptr{stat})`, errArg, "portable_device_enqueue of 'work': enqueue is NULL"),
	inSystem("enqueue_negative", "Fewer than 0 bytes to copy.", ``, `
			call portable_device_enqueue('work', c_funloc(no_call), c_loc(foreign), -8{stat})`, errArg,
		"portable_device_enqueue 'work': payload_bytes is negative"),
	inSystem("enqueue_bytes_of_nothing", "Bytes of a payload that is not there.", ``, `
			call portable_device_enqueue('work', c_funloc(no_call), payload_bytes=8{stat})`, errArg, "portable_device_enqueue of 'work': payload is NULL"),
	inSystem("log_of_no_version", "The compiler's text for a label without a version for devices.", `
			character(:), allocatable :: log`, `
			call portable_cuda_log('unknown', log{stat})
			call must(allocated(log), 'a text')`, errArg, "portable_cuda_log of 'unknown': portable_cuda_code has named no version for this label"),
	inSystem("checks_unknown", "Checks that do not exist.", ``, `
			call portable_set_checks(1024{stat})
			call must(portable_checks() == 0, 'none is on')`, errArg, "portable_set_checks"),
	inSystem("checks_of_the_environment", "A check that only the environment switches on.", ``, `
			call portable_set_checks(portable_check_launch + portable_check_memory{stat})
			call must(portable_checks() == 0, 'none is on')`, errArg, "portable_set_checks", "PORTABLE_CHECK"),
	inSystem("hook_of_no_event", "A hook for no event.", ``, `
			call portable_hook_add(s, c_funloc(no_call), 0{stat})
			call must(s == 0_int64, 'none')`, errArg, "portable_hook_add"),
	inSystem("hook_of_unknown_events", "A hook for events that do not exist.", ``, `
			call portable_hook_add(s, c_funloc(no_call), 2*portable_event_all{stat})`, errArg, "portable_hook_add"),
	inSystem("hook_null", "A hook that is no procedure.", ``, `
			call portable_hook_add(s, c_null_funptr, portable_event_alloc{stat})`, errArg, "portable_hook_add", "NULL"),
	inSystem("hook_too_many", "More hooks than there may be.", `
			integer(int64) :: hooks(32)`, `
			do i = 1, 32
			  call portable_hook_add(hooks(i), c_funloc(no_call), portable_event_pool_destroy)
			end do
			call portable_hook_add(s, c_funloc(no_call), portable_event_pool_destroy{stat})
			call must(s == 0_int64, 'none')
			do i = 1, 32
			  call portable_hook_remove(hooks(i))
			end do`, errNomem, "portable_hook_add: there are 32 hooks, which is the most; remove one first"),
	inSystem("hook_invented", "Removing a hook that was not added.", ``, `
			s = 123_int64
			call portable_hook_remove(s{stat})
			call must(s == 123_int64, 'it stays')`, errHandle, "portable_hook_remove", "0x7b"),
	inSystem("hook_removed_twice", "Removing a hook twice.", ``, `
			call portable_hook_add(s, c_funloc(no_call), portable_event_pool_destroy)
			gone = s
			call portable_hook_remove(s)
			call portable_hook_remove(gone{stat})`, errHandle, "portable_hook_remove"),
	tooEarly("timer_hooks_early", "Procedures in place of timers before init.", ``, `
			call portable_timer_hooks(c_funloc(no_call), c_null_funptr{stat})`, "portable_timer_hooks"),
	tooEarly("timer_report_early", "A report of timers before init.", `
			character(:), allocatable :: text`, `
			call portable_timer_report(text{stat})
			call must(text == '', 'no text')`, "portable_timer_report"),
	tooEarly("fallbacks_early", "A list of fallbacks before init.", `
			type(portable_fallback_t), allocatable :: list(:)`, `
			call portable_fallback_list(list{stat})
			call must(size(list) == 0, 'no label')`, "portable_fallback_list"),
	tooEarly("device_early", "Properties before init.", `
			type(portable_device_t) :: d`, `
			call portable_device_properties(0, d{stat})`, "portable_device_properties_get"),
}
