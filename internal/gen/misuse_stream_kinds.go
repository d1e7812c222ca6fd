package main

const (
	noStream = "is not a stream, or the stream was destroyed"
	noEvent  = "is not an event, or the event was destroyed"
)

// stale is a kind that uses gone, a stream or an event which code has destroyed: destroyed says so in the error of call.
func stale(name, what, call, code, destroyed string) misuse {
	destroy := map[string]string{noStream: "gone = s\ncall stream_destroy(s)", noEvent: "gone = e\ncall event_destroy(e)"}[destroyed]
	return misuse{name: name, what: what, rule: refused(errHandle, call+": 0x", destroyed), fortran: running(`
			call stream_create(s)
			call event_create(e)
			` + destroy + `
			` + code + `
			call must(gone /= 0, 'what is none stays as it is')
			call goes_on(0)
			if (e /= 0) call event_destroy(e)
			if (s /= 0) call stream_destroy(s)`)}
}

// The kinds of misuse that are streams and events: too early, of another kind, after their end.
var streamKinds = []misuse{
	{name: "stream_before_init", what: "A stream before init.",
		rule: refused(errState, "portable_stream_create: the library does not run: call portable_init first"),
		fortran: `
			call stream_create(s{stat})
			call must(s == 0, 'no stream')`},
	{name: "stream_after_finalize", what: "A stream of a run that has ended.",
		rule: refused(errState, "portable_stream_fence: the library does not run"),
		fortran: `
			call gator_init()
			call stream_create(s)
			gone = s
			call stream_destroy(s)
			call gator_finalize()
			call stream_fence(gone{stat})`},
	{name: "stream_left_behind", what: "Finalize with a stream that was not destroyed.",
		rule: always(says(warns, "1 stream was not destroyed before the library stopped, and ended with it")),
		stub: always(says(passes)),
		fortran: `
			call gator_init()
			call stream_create(s)
			call gator_finalize({only})`},
	{name: "stream_of_no_device", what: "A stream of a device that does not exist.",
		rule: refused(errNoDevice, "F:portable_stream_create:", "portable: no such device: number 77; there are "),
		fortran: `
			call gator_init()
			call stream_create(s, device=77{stat})
			call must(s == 0, 'no stream')
			call gator_finalize()`},
	stale("stream_gone_fence", "Waiting for a stream that was destroyed.", "portable_stream_fence",
		"call stream_fence(gone{stat})", noStream),
	stale("stream_gone_destroy", "Destroying it again.", "portable_stream_destroy",
		"call stream_destroy(gone{stat})", noStream),
	stale("stream_gone_launch", "Launching into it.", "parallel_for 'nothing'",
		"call parallel_for('nothing', bounds(10), nothing, stream=gone{stat})", noStream),
	stale("stream_gone_call", "A callback in it.", "portable_stream_call",
		"call stream_call(gone, c_funloc(no_call){stat})", noStream),
	stale("stream_gone_query", "Asking whether it is done.", "portable_stream_query",
		"call must(.not. stream_done(gone{stat}), 'what is no stream is not done')", noStream),
	stale("stream_gone_record", "An event in it.", "portable_event_record",
		"call event_record(e, gone{stat})", noStream),
	stale("stream_gone_wait", "Letting it wait for an event.", "portable_stream_wait_event",
		"call stream_wait_event(gone, e{stat})", noStream),
	stale("stream_gone_dependency", "Memory that depends on it.", "portable_add_stream_dependency",
		"call add_stream_dependency(c_loc(foreign), gone{stat})", noStream),
	stale("event_gone_wait", "Waiting for an event that was destroyed.", "portable_event_wait",
		"call event_wait(gone{stat})", noEvent),
	stale("event_gone_destroy", "Destroying it again.", "portable_event_destroy",
		"call event_destroy(gone{stat})", noEvent),
	stale("event_gone_record", "Recording it.", "portable_event_record",
		"call event_record(gone, s{stat})", noEvent),
	stale("event_gone_query", "Asking whether it is done.", "portable_event_query",
		"call must(.not. event_done(gone{stat}), 'what is no event is not done')", noEvent),
	stale("event_gone_stream_wait", "Letting a stream wait for it.", "portable_stream_wait_event",
		"call stream_wait_event(s, gone{stat})", noEvent),
	{name: "stream_is_an_event", what: "An event where a stream is wanted.",
		rule: refused(errHandle, "portable_stream_fence: 0x3", noStream),
		fortran: `
			call gator_init()
			call event_create(e)
			call stream_fence(e{stat})
			call event_destroy(e)
			call gator_finalize()`},
	{name: "stream_of_the_device", what: "Destroying the default stream of a device.",
		rule: refused(errHandle, "portable_stream_destroy: 0xd000000000000001 is the default stream of a device, which ends with the library"),
		fortran: `
			call gator_init()
			s = device_stream(1)
			call stream_destroy(s{stat})
			call must(s == device_stream(1), 'it stays')
			call gator_finalize()`},
	{name: "stream_other_device", what: "A launch that names another device than its stream has.",
		rule: refused(errArg, "parallel_for 'nothing': the stream is one of device 1 (serial), the launch names device 2"),
		fortran: `
			call gator_init()
			call stream_create(s, device=1)
			call parallel_for('nothing', bounds(10), nothing, stream=s, device=2{stat})
			call stream_destroy(s)
			call gator_finalize()`},
	{name: "stream_depends_foreign", what: "A dependency of memory that no pool owns.",
		rule: refused(errPointer, "F:portable_add_stream_dependency:", "no live block of any pool holds 0x", "it is for memory of the default pool"),
		stub: always(says(passes)), // it has no pools whose blocks it could look among
		fortran: `
			call gator_init()
			call stream_create(s)
			call add_stream_dependency(c_loc(foreign), s{stat})
			call stream_destroy(s)
			call gator_finalize()`},
	{name: "stream_call_nothing", what: "A callback that is NULL.",
		rule: refused(errArg, "portable_stream_call: the function is NULL"),
		fortran: `
			call gator_init()
			call stream_create(s)
			call stream_call(s, c_null_funptr{stat})
			call stream_destroy(s)
			call gator_finalize()`},
}
