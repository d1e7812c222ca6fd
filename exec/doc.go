// Package exec has the settings of launches and writes the refusals of calls; it is pure Go. Here:
// devices, threads, streams, kernel objects, programs for devices, tuning files, reports of timers.
// Below: racecheck (races, in Go), present (arrays of data regions); launch, stream, device, stage,
// algorithm, liveout, race, timer (the C that runs). Not here: threads of the team (internal/team),
// memory (gator), exports (capi/exports_*.go). Callers: internal/instance and capi. A decision
// depends on arguments and settings only, so runs repeat. Threads: any.
package exec

// A launch. portable_parallel_for (exec/launch/launch.c, portable__launch) tests the arguments with the predicates of launch/ordinary.h
// and finds the device. A tuning rule may fill tile and schedule (internal/observe/tuning.c). internal/team/cut.c cuts the space into
// units, and the team runs them. With an asynchronous stream, the job enters its queue. No step of an ordinary launch calls Go.
// C decides about each launch again; no plan of an earlier launch is kept.
//
// The device of a launch is the device of its stream, else the named one, else the default device (launch.go has the exceptions). 1 is
// serial and 2 are the threads of the host (internal/team/team.c). Then come devices on threads of the program, and the emulated one
// (internal/team/devices.c), then devices in Go, which run through the question `launch` of launch/questions.h, then CUDA devices.
// A CUDA device runs kernel objects with a version for it (exec/device/cuda_launch.c); other kernels run on the threads of the host,
// after the work before them.
//
// The fallback from a CUDA device to the host has four places that decide: launch/launch.c (kernels without a version for devices),
// launch/kernel.c (kernel objects: it gets PORTABLE__NOT_HERE, also from device/cuda_launch.c and algorithm/device_reduce.c),
// device/device_algorithm.c (calls on arrays), stage/stage.c (generated launches). launch/fallback.c waits for the device, and keeps
// counts and reasons by label. The program reads the counts by portable_fallback_list; portable_fallback_print and the report of
// timers print them with the reasons, in the text of fallback.go.
//
// A generated launch (capi/fortran/fortran_embedded.c) brings its device text along. Arrays that the device cannot access are copied for
// it (stage/stage.c; staging.go plans the copies and counts them), but for those that a data region keeps there (present).
//
// A kernel object is a record in C with a label, arguments and versions for the host, teams, reductions and CUDA (kernels.go,
// launch/kernel.c). portable_launch holds the record, replaces handles of live-outs by addresses, checks that the arguments can be
// accessed (launch/reach.c), and chooses the version. Code for CUDA is a program (device_programs.go); its first launch loads it.
//
// A stream is a queue of work for one device; an event is a point (stream, number) in it. streams.go has their rules,
// exec/stream/queue.h has the numbers, the thread and the locks.
//
// A live-out is one value in a block of the default pool, with a handle (liveouts.go, liveout/liveout.c).
//
// A refusal: C tests one predicate. If it fails, C asks a question of its questions.h; capi/questions.c leads it to an export
// (capi/exports_*.go), which fills a structure of this package (Launch, StreamCall, ArrayCall, LiveOutCall, ReductionCall, TimerCall,
// DeviceLaunch) and calls its Refuse or Refusal. That repeats the checks in their documented order and writes the text. If Go allows
// the call, the text is Changed. C writes the text where Go does not know the facts or does not run: no memory, addresses
// (launch/reach.c), work divisions (launch/division.c), inner bounds (launch/hierarchy.c), devices of the program (device/device.c).
// Tests compare the verdicts of C and Go: launch/verdict_test.go, timer/refusal_test.go, and in capi algorithm_test.go,
// device_test.go, exports_test.go, exports_array_test.go.
