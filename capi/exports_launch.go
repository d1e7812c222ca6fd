package capi

/*
#include <stdlib.h>
#include "questions.h"
#include "../exec/device/devices.h"
#include "../exec/launch/fallback.h"
#include "../exec/launch/launch.h"
#include "../exec/stream/stream.h"
#include "../exec/launch/reach.h"
*/
import "C"

import (
	"unsafe"

	"libportable/exec"
	"libportable/internal/backend"
	"libportable/internal/instance"
)

// devicesNamed tells C which devices there are; a number is known to exist when its name is there.
func devicesNamed(names []string) {
	for i, name := range names {
		C.portable__device_named(C.int32_t(i+1), (C.portable__text)(unsafe.Pointer(unsafe.StringData(name))), C.size_t(len(name)))
	}
	C.portable__devices_set(C.int32_t(len(names)))
}

// launchingBegins tells C what launches take that say nothing.
func launchingBegins(l instance.Launching) {
	C.portable__defaults_set(C.int32_t(l.Schedule), oneIf(l.B4B))
	C.portable__managed_set(oneIf(!l.Own), oneIf(l.ManagedPool))
	C.portable__reach_begins()
	C.portable__streams_open()
}

func oneIf(yes bool) C.int32_t {
	if yes {
		return 1
	}
	return 0
}

func deviceChanged(number int) { C.portable__default_device_set(C.int32_t(number)) }

//export portable__go_launch
func portable__go_launch(device C.int32_t, job *C.struct_portable__job) (st C.portable_status) {
	defer guard(&st)
	devices, err := lib.Devices()
	if err != nil {
		return status(err)
	}
	d, err := devices.Get(int(device))
	if err != nil {
		return status(err)
	}
	job.workers = C.int32_t(d.Workers())
	grain := int64(0)
	if job.dynamic != 0 {
		grain = int64(job.grain)
	}
	d.Launch(backend.Work{
		Label: C.GoString(job.label),
		Units: int64(job.cut.units),
		Grain: grain,
		Run: func(worker int, from, to int64) {
			C.portable__team_units(job, C.int32_t(worker), C.int64_t(from), C.int64_t(to))
		},
		Failed: func() bool { return C.portable__job_failed(job) != 0 },
	})
	return st
}

//export portable__go_device_find
func portable__go_device_find(name C.portable__text, number *C.int32_t) (st C.portable_status) {
	defer guard(&st)
	n, err := lib.FindDevice(C.GoString(name))
	*number = C.int32_t(n)
	return status(err)
}

//export portable__go_device_set_default
func portable__go_device_set_default(number C.int32_t) (st C.portable_status) {
	defer guard(&st)
	devices, err := lib.Devices()
	if err != nil {
		return status(err)
	}
	return status(devices.SetDefault(int(number)))
}

//export portable__go_set_threads
func portable__go_set_threads(n C.int32_t) (st C.portable_status) {
	defer guard(&st)
	return status(lib.SetThreads(int(n)))
}

// fallbacks reads what C has counted, and whether a compiler was not found.
func fallbacks() (list []exec.Fallback, noCompiler bool) {
	var first *C.portable_fallback
	n := C.portable__fallback_rows(&first)
	if n < 0 {
		return nil, false // no memory, no report
	}
	defer C.free(unsafe.Pointer(first))
	for _, r := range unsafe.Slice(first, int(n)) {
		list = append(list, exec.Fallback{Label: C.GoString(r.label), Launches: int64(r.launches), Iterations: int64(r.iterations),
			Total: int64(r.total_ns), Max: int64(r.max_ns)})
	}
	return list, programs.MissesCompiler()
}

//export portable__go_fallback_print
func portable__go_fallback_print() (st C.portable_status) {
	defer guard(&st)
	lib.PrintFallbacks()
	return C.PORTABLE_OK
}
