// Package team is the last part of a launch: the threads that run kernels (team.c), the cuts of
// index spaces (cut.c), the processors of threads (place.c), the report of a crash in a kernel
// (crash.c). This file holds Go's side. Not here: what is launched and when (exec), public
// functions (capi). In C because kernels must never run on a stack or a thread of Go. There is one
// team in a process; each unit of a launch runs exactly once unless a kernel fails. Threads: any; a
// change of the team waits for the launch in progress.
package team

/*
// An exception that leaves a kernel, and the end of its thread, run the cleanups of C. Without it they are kept by address, and longjmp leaves the address behind.
#cgo CFLAGS: -fexceptions
#cgo noescape portable__team_run_go
#include "devices.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/cgo"
	"time"
	"unsafe"

	_ "libportable/internal/edge" // C, called by C
)

// ErrInKernel is for changes of the team that a kernel asks for, which would wait for itself.
var ErrInKernel = errors.New("the number of threads cannot be changed inside a kernel; change it between launches")

// MaxWorkers is the most workers that a team can have.
const MaxWorkers = C.PORTABLE__WORKERS_MAX

// ErrShort says that fewer threads are available than were asked for.
var ErrShort = errors.New("no more threads are available (ulimit -u, memory for their stacks)")

// Config says what the team is like.
type Config struct {
	Workers int           // threads that share a launch, the launching one included
	CPUs    int           // that they may run on; with more workers than that no thread looks for work without sleeping
	Spin    time.Duration // how long an idle worker looks for work before it sleeps
	Stack   uint64        // bytes of a worker's stack; 0: the system's default
	AtOnce  bool          // threads are made now, not by the first launch that needs them
}

// Held is the team while a call changes it: launches meanwhile run inline. Its holder may take other
// locks, which kernels take too; no thread waits for it under such a lock.
type Held struct{}

// Hold waits for the launch under way. ErrInKernel inside a kernel, which would wait for itself.
func Hold() (Held, error) {
	if C.portable__team_hold() < 0 {
		return Held{}, ErrInKernel
	}
	return Held{}, nil
}

// Release lets launches have the team again.
func (Held) Release() { C.portable__team_release() }

// CPUs looks how many processors the team may use; the threads made from then on use those.
func (Held) CPUs() int { return max(1, int(C.portable__team_cpus())) }

// Configure changes the team; threads that are too many end. More are made by the launch that needs them, or AtOnce;
// then ErrShort says that the team is smaller than wanted.
func (Held) Configure(c Config) error {
	config := C.struct_portable__team_config{
		workers:     C.int32_t(min(c.Workers, MaxWorkers)),
		cpus:        C.int32_t(c.CPUs),
		spin_ns:     C.int64_t(c.Spin),
		stack_bytes: C.uint64_t(c.Stack),
	}
	if c.AtOnce {
		config.at_once = 1
	}
	if made := int(C.portable__team_configure(&config)); made < min(c.Workers, MaxWorkers) {
		return fmt.Errorf("%w: there are %d of %d", ErrShort, made, c.Workers)
	}
	return nil
}

// Stop ends all threads and waits for them. The next launch makes new ones.
func (Held) Stop() { C.portable__team_stop() }

// Workers is how many threads share a launch.
func Workers() int { return int(C.portable__team_workers()) }

// Run calls run for ranges of the units 0 to units-1 until each was in exactly one; on workers' threads, at most
// `workers` at once. grain > 0: workers take so many units at a time; 0: each gets one part.
func Run(label string, units int64, workers int, grain int64, run func(worker int, from, to int64)) {
	runOn(C.PORTABLE__DEVICE_THREADS, label, units, workers, grain, run)
}

func runOn(device C.int32_t, label string, units int64, workers int, grain int64, run func(worker int, from, to int64)) {
	if units <= 0 {
		return
	}
	text := append([]byte(label), 0) // C.CString would end the program if there is no memory
	var pinned runtime.Pinner        // keeps it off the stack, which moves if a kernel in Go needs a larger one
	pinned.Pin(&text[0])
	defer pinned.Unpin()
	handle := cgo.NewHandle(run)
	defer handle.Delete()
	dynamic := C.int32_t(0)
	if grain > 0 {
		dynamic = 1
	}
	C.portable__team_run_go(device, (*C.char)(unsafe.Pointer(&text[0])), C.int64_t(units), C.int32_t(workers), dynamic, C.int64_t(grain), C.uintptr_t(handle))
}

// Own is a device that the program has brought: threads of its own.
type Own struct {
	name   string
	number C.int32_t
}

// Owns are the devices that the program has brought, in the order of their numbers, which follow that of threads.
func Owns() (owns []Own) {
	for i := range C.portable__device_own_count() {
		owns = append(owns, Own{C.GoString(C.portable__device_own_name(i)), C.PORTABLE__DEVICE_THREADS + 1 + i})
	}
	return owns
}

// Name is what the program calls it.
func (o Own) Name() string { return o.name }

// Workers is how many of its workers there are in a launch from the calling thread.
func (o Own) Workers() int { return int(C.portable__device_workers(o.number)) }

// Run is Run on the device's threads.
func (o Own) Run(label string, units, grain int64, run func(worker int, from, to int64)) {
	runOn(o.number, label, units, o.Workers(), grain, run)
}

//export portable__team_call
func portable__team_call(handle C.uintptr_t, worker C.int32_t, from, to C.int64_t) {
	cgo.Handle(handle).Value().(func(worker int, from, to int64))(int(worker), int64(from), int64(to))
}

// Counts are how often a launch went to the team, and how often a worker went to sleep.
type Counts struct{ Launches, Sleeps uint64 }

// Count reads the counts since the start of the process.
func Count() Counts {
	var n [2]C.uint64_t
	C.portable__team_counts(&n[0])
	return Counts{Launches: uint64(n[0]), Sleeps: uint64(n[1])}
}
