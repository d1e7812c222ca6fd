package main

// stale is a kind that uses a destroyed stream or event; gone is its number.
func stale(name, what, thing, call, fortran, c string) misuse {
	return misuse{
		name: name, what: what,
		rule: always(failure(errHandle, call+": 0x", "is not "+thing+" was destroyed")),
		fortran: `
			call gator_init()
			call stream_create(s)
			call event_create(e)
			` + map[string]string{
			"a stream, or the stream": "gone = s\n\t\t\tcall stream_destroy(s)",
			"an event, or the event":  "gone = e\n\t\t\tcall event_destroy(e)",
		}[thing] + `
			` + fortran + `
			{say}
			call must(gone /= 0, 'what is none stays as it is')
			call goes_on(0)
			if (e /= 0) call event_destroy(e)
			if (s /= 0) call stream_destroy(s)
			call gator_finalize()`,
		c: `
			portable_stream s, gone;
			portable_event e;
			int32_t done = 5;
			MUST(portable_init(NULL) == 0);
			s = new_stream(), e = new_event();
			` + map[string]string{
			"a stream, or the stream": "gone = s, s = 0;\n\t\t\tMUST(portable_stream_destroy(gone) == 0);",
			"an event, or the event":  "gone = e, e = 0;\n\t\t\tMUST(portable_event_destroy(gone) == 0);",
		}[thing] + `
			ASK(` + c + `);
			MUST(done == 5 || done == 0);
			goes_on(0);
			MUST(portable_event_destroy(e) == 0 && portable_stream_destroy(s) == 0);
			MUST(portable_finalize() == 0);`,
	}
}

func staleStream(name, what, call, fortran, c string) misuse {
	return stale(name, what, "a stream, or the stream", call, fortran, c)
}

func staleEvent(name, what, call, fortran, c string) misuse {
	return stale(name, what, "an event, or the event", call, fortran, c)
}

// waitsInside is a kind that waits in a callback of stream s for what can only come after it.
func waitsInside(name, what, before, call string, texts ...string) misuse {
	return misuse{name: name, what: what, rule: always(failure(errState, texts...)), c: `
			portable_stream t;
			MUST(portable_init(NULL) == 0);
			inside_stream = new_stream(), t = new_stream(), inside_event = new_event();
			MUST(portable_stream_call(inside_stream, hold_stream, NULL) == 0);
			MUST(portable_stream_call(inside_stream, wait_inside, (void *)"` + call + `") == 0);
			` + before + `
			go_on_stream();
			MUST(portable_stream_fence(inside_stream) == 0 && portable_stream_fence(t) == 0);
			if (LOOKS) say_inside();
			goes_on(0);
			MUST(portable_stream_destroy(inside_stream) == 0 && portable_stream_destroy(t) == 0 && portable_event_destroy(inside_event) == 0);
			MUST(portable_finalize() == 0);`}
}

// The kinds of misuse that are streams and events: too early, of another kind, after their end, waits that would never end.
var streamKinds = []misuse{
	{
		name: "stream_before_init", what: "A stream before init.",
		fortran: `
			call stream_create(s{stat})
			{say}
			call must(s == 0, 'no stream')`,
		c: `
			portable_stream s = 5;
			ASK(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &s));
			MUST(s == 0);`,
		rule: always(failure(errState, "portable_stream_create: the library does not run: call portable_init first")),
	},
	{
		name: "stream_after_finalize", what: "A stream of a run that has ended.",
		fortran: `
			call gator_init()
			call stream_create(s)
			gone = s
			call stream_destroy(s)
			call gator_finalize()
			call stream_fence(gone{stat})
			{say}`,
		c: `
			portable_stream s;
			MUST(portable_init(NULL) == 0);
			s = new_stream();
			MUST(portable_stream_destroy(s) == 0 && portable_finalize() == 0);
			ASK(portable_stream_fence(s));`,
		rule: always(failure(errState, "portable_stream_fence: the library does not run")),
	},
	{
		name: "stream_left_behind", what: "Finalize with a stream that was not destroyed.",
		fortran: `
			call gator_init()
			call stream_create(s)
			call gator_finalize({only})
			{say}`,
		c: `
			MUST(portable_init(NULL) == 0);
			(void)new_stream();
			ASK(portable_finalize());`,
		rule: always(says(warns, "1 stream was not destroyed before the library stopped, and ended with it")),
		stub: always(says(passes)),
	},
	{
		name: "stream_of_no_device", what: "A stream of a device that there is not.",
		fortran: `
			call gator_init()
			call stream_create(s, device=77{stat})
			{say}
			call must(s == 0, 'no stream')
			call gator_finalize()`,
		c: `
			portable_stream s = 5;
			MUST(portable_init(NULL) == 0);
			ASK(portable_stream_create(77, PORTABLE_STREAM_ASYNC, &s));
			MUST(s == 0 && portable_finalize() == 0);`,
		rule: always(failure(errNoDevice, "F:portable_stream_create:", "portable: no such device: number 77; there are ")),
	},
	{
		name: "stream_of_no_kind", what: "A kind of stream that there is not.",
		c: `
			portable_stream s = 5;
			MUST(portable_init(NULL) == 0);
			ASK(portable_stream_create(0, 2, &s));
			MUST(s == 0 && portable_finalize() == 0);`,
		rule: always(failure(errArg, "portable_stream_create: the kind is 2; it is PORTABLE_STREAM_ASYNC or PORTABLE_STREAM_SYNC")),
	},
	staleStream("stream_gone_fence", "Waiting for a stream that was destroyed.", "portable_stream_fence",
		"call stream_fence(gone{stat})", "portable_stream_fence(gone)"),
	staleStream("stream_gone_destroy", "Destroying it again.", "portable_stream_destroy",
		"call stream_destroy(gone{stat})", "portable_stream_destroy(gone)"),
	staleStream("stream_gone_launch", "Launching into it.", "parallel_for 'nothing'",
		"call parallel_for('nothing', bounds(10), nothing, stream=gone{stat})", "launch_nothing(gone, 0)"),
	staleStream("stream_gone_call", "A callback in it.", "portable_stream_call",
		"call stream_call(gone, c_funloc(no_call){stat})", "portable_stream_call(gone, no_call, NULL)"),
	staleStream("stream_gone_query", "Asking whether it is done.", "portable_stream_query",
		"call must(.not. stream_done(gone{stat}), 'what is no stream is not done')", "portable_stream_query(gone, &done)"),
	staleStream("stream_gone_record", "An event in it.", "portable_event_record",
		"call event_record(e, gone{stat})", "portable_event_record(e, gone)"),
	staleStream("stream_gone_wait", "Letting it wait for an event.", "portable_stream_wait_event",
		"call stream_wait_event(gone, e{stat})", "portable_stream_wait_event(gone, e)"),
	staleStream("stream_gone_dependency", "Memory that depends on it.", "portable_add_stream_dependency",
		"call add_stream_dependency(c_loc(foreign), gone{stat})", "portable_add_stream_dependency(&done, gone)"),
	staleEvent("event_gone_wait", "Waiting for an event that was destroyed.", "portable_event_wait",
		"call event_wait(gone{stat})", "portable_event_wait(gone)"),
	staleEvent("event_gone_destroy", "Destroying it again.", "portable_event_destroy",
		"call event_destroy(gone{stat})", "portable_event_destroy(gone)"),
	staleEvent("event_gone_record", "Recording it.", "portable_event_record",
		"call event_record(gone, s{stat})", "portable_event_record(gone, s)"),
	staleEvent("event_gone_query", "Asking whether it is done.", "portable_event_query",
		"call must(.not. event_done(gone{stat}), 'what is no event is not done')", "portable_event_query(gone, &done)"),
	staleEvent("event_gone_stream_wait", "Letting a stream wait for it.", "portable_stream_wait_event",
		"call stream_wait_event(s, gone{stat})", "portable_stream_wait_event(s, gone)"),
	{
		name: "stream_is_an_event", what: "An event where a stream is wanted.",
		fortran: `
			call gator_init()
			call event_create(e)
			call stream_fence(e{stat})
			{say}
			call event_destroy(e)
			call gator_finalize()`,
		c: `
			portable_event e;
			MUST(portable_init(NULL) == 0);
			e = new_event();
			ASK(portable_stream_fence(e));
			MUST(portable_event_destroy(e) == 0 && portable_finalize() == 0);`,
		rule: always(failure(errHandle, "portable_stream_fence: 0x3", "is not a stream, or the stream was destroyed")),
	},
	{
		name: "stream_of_the_device", what: "Destroying the default stream of a device.",
		fortran: `
			call gator_init()
			s = device_stream(1)
			call stream_destroy(s{stat})
			{say}
			call must(s == device_stream(1), 'it stays')
			call gator_finalize()`,
		c: `
			MUST(portable_init(NULL) == 0);
			ASK(portable_stream_destroy(portable_device_stream(1)));
			MUST(portable_finalize() == 0);`,
		rule: always(failure(errHandle, "portable_stream_destroy: 0xd000000000000001 is the default stream of a device, which ends with the library")),
	},
	{
		name: "stream_other_device", what: "A launch that names another device than its stream has.",
		fortran: `
			call gator_init()
			call stream_create(s, device=1)
			call parallel_for('nothing', bounds(10), nothing, stream=s, device=2{stat})
			{say}
			call stream_destroy(s)
			call gator_finalize()`,
		c: `
			portable_stream s;
			MUST(portable_init(NULL) == 0);
			MUST(portable_stream_create(1, PORTABLE_STREAM_ASYNC, &s) == 0);
			ASK(launch_nothing(s, 2));
			MUST(portable_stream_destroy(s) == 0 && portable_finalize() == 0);`,
		rule: always(failure(errArg, "parallel_for 'nothing': the stream is one of device 1 (serial), the launch names device 2")),
	},
	{
		name: "stream_depends_foreign", what: "A dependency of memory that is no pool's.",
		fortran: `
			call gator_init()
			call stream_create(s)
			call add_stream_dependency(c_loc(foreign), s{stat})
			{say}
			call stream_destroy(s)
			call gator_finalize()`,
		c: `
			portable_stream s;
			MUST(portable_init(NULL) == 0);
			s = new_stream();
			ASK(portable_add_stream_dependency(&s, s));
			MUST(portable_stream_destroy(s) == 0 && portable_finalize() == 0);`,
		rule: always(failure(errPointer, "F:portable_add_stream_dependency:", "no live block of any pool holds 0x", "it is for memory of the default pool")),
		stub: always(says(passes)), // it has no pools whose blocks it could look among
	},
	{
		name: "stream_call_nothing", what: "A callback that is NULL.",
		fortran: `
			call gator_init()
			call stream_create(s)
			call stream_call(s, c_null_funptr{stat})
			{say}
			call stream_destroy(s)
			call gator_finalize()`,
		c: `
			portable_stream s;
			MUST(portable_init(NULL) == 0);
			s = new_stream();
			ASK(portable_stream_call(s, NULL, NULL));
			MUST(portable_stream_destroy(s) == 0 && portable_finalize() == 0);`,
		rule: always(failure(errArg, "portable_stream_call: the function is NULL")),
	},
	argument("null_out_stream", "No place for a stream's handle.", `
			  ASK(portable_stream_create(0, PORTABLE_STREAM_ASYNC, NULL));`, "portable_stream_create: stream_out is NULL"),
	argument("null_out_stream_query", "No place for the answer of a stream.", `
			  ASK(portable_stream_query(0, NULL));`, "portable_stream_query: done_out is NULL"),
	argument("null_out_event", "No place for an event's handle.", `
			  ASK(portable_event_create(NULL));`, "portable_event_create: event_out is NULL"),
	argument("null_out_event_query", "No place for the answer of an event.", `
			  ASK(portable_event_query(0, NULL));`, "portable_event_query: done_out is NULL"),
	waitsInside("inside_fence", "A callback that fences its own stream.", "", "fence",
		"portable_stream_fence: called inside a kernel or a callback of the stream that it waits for, which would wait for itself"),
	waitsInside("inside_fence_all", "A callback that fences all streams.", "", "fence all",
		"portable_fence: called inside a kernel or a callback while there is work in a stream, which may be its own"),
	waitsInside("inside_destroy", "A callback that destroys its own stream.", "", "destroy",
		"portable_stream_destroy: called inside a kernel or a callback of the stream that it waits for"),
	waitsInside("inside_finalize", "A callback that stops the library.", "", "finalize",
		"portable_finalize: called inside a kernel or a callback of the stream that it waits for"),
	waitsInside("inside_own_event", "A callback that waits for what comes behind it.",
		"MUST(portable_event_record(inside_event, inside_stream) == 0);", "event",
		"portable_event_wait: called inside a kernel or a callback of the stream that it waits for"),
	waitsInside("inside_circle", "A callback that waits for a stream which waits for its own.",
		"MUST(portable_event_record(inside_event, inside_stream) == 0 && portable_stream_wait_event(t, inside_event) == 0 &&\n\t\t\t     portable_event_record(inside_event, t) == 0);", "event",
		"portable_event_wait: called inside a kernel or a callback of a stream for which the other stream waits, so that both would wait for ever"),
}
