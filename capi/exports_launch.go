package capi

/*
#include <stdlib.h>
#include "questions.h"
#include "../exec/device/devices.h"
#include "../exec/launch/fallback.h"
#include "../exec/launch/kernel_record.h"
#include "../exec/launch/launch.h"
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
	C.portable__defaults_set(C.int32_t(l.Schedule), oneIf(l.B4B), C.int32_t(l.TeamSize))
	C.portable__managed_set(oneIf(!l.Own), oneIf(l.ManagedPool), C.int32_t(l.Home))
	C.portable__reach_begins()
	C.portable__fallback_forget()
	stagings.Forget()
	regions.Forget()
	rulesOfDevices.Store(false)
	streams.Open()
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

// optional is a text of C; "" for NULL.
func optional(t C.portable__text) string {
	if t == nil {
		return ""
	}
	return ended(t)
}

// asked reads a launch. The configuration may be that of an earlier version, which is shorter.
func asked(a *C.struct_portable__launch_asked) exec.Launch {
	l := exec.Launch{Call: ended(a.call), Label: ended(a.label), Bounds: (*exec.Bounds)(unsafe.Pointer(a.bounds)), Missing: optional(a.missing),
		Strided: a.strided != 0, IntegerBytes: int32(a.integer_bytes), Wide: a.wide != 0,
		Divides: exec.Divides(a.divides), Devices: int32(a.devices), Default: int32(a.by_default), StreamDevice: int32(a.stream_device)}
	if a.config != nil {
		l.Config = &exec.LaunchConfig{StructSize: uint32(a.config.struct_size)}
		if n := l.Config.StructSize; n <= exec.ConfigBytes {
			copy(unsafe.Slice((*byte)(unsafe.Pointer(l.Config)), n), unsafe.Slice((*byte)(unsafe.Pointer(a.config)), n))
		}
	}
	if devices, err := lib.Devices(); err == nil && l.StreamDevice > 0 {
		l.Names = devices.Names()
	}
	return l
}

//export portable__go_launch_refuse
func portable__go_launch_refuse(a *C.struct_portable__launch_asked) (st C.portable_status) {
	defer guard(&st)
	l := asked(a)
	switch {
	case a.outer == C.PORTABLE__ASKED_BLOCKS:
		var threads []int32
		if l.Bounds != nil && a.threads != nil && l.Bounds.Rank >= 1 && l.Bounds.Rank <= exec.BlockRank {
			threads = unsafe.Slice((*int32)(unsafe.Pointer(a.threads)), l.Bounds.Rank)
		}
		return refusal(l.RefuseBlocks(threads, uint64(a.scratch_bytes)), ended(a.call))
	case a.outer != 0:
		return refusal(l.RefuseOuter(uint64(a.scratch_bytes)), ended(a.call))
	}
	r, ofBounds := l.Refuse()
	a.of_bounds = oneIf(ofBounds)
	return refusal(r, ended(a.call))
}

//export portable__go_bounds_refuse
func portable__go_bounds_refuse(missing C.portable__text, rank, order C.int32_t) (st C.portable_status) {
	defer guard(&st)
	r := exec.RefuseBounds(optional(missing), int32(rank), int32(order))
	return fail(C.portable_status(r.Status), r.Text)
}

//export portable__go_kernel_create
func portable__go_kernel_create(label C.portable__text, block C.size_t, arguments C.portable__arguments_in, count C.size_t, out *C.portable_kernel) (st C.portable_status) {
	defer guard(&st)
	missing := ""
	switch {
	case out == nil:
		missing = "kernel_out"
	case count > 0 && arguments == nil:
		missing = "arguments"
	}
	at := func(i uint64) *C.portable_argument {
		return (*C.portable_argument)(unsafe.Add(unsafe.Pointer(arguments), uintptr(i)*C.sizeof_portable_argument))
	}
	list := exec.Arguments{Count: uint64(count),
		At: func(i uint64) exec.Argument {
			a := at(i)
			return exec.Argument{Kind: int32(a.kind), Access: int32(a.access), Offset: uint64(a.offset), Bytes: uint64(a.bytes)}
		},
		Name: func(i uint64) string { return optional(at(i).name) },
	}
	r := exec.MakeKernel(ended(label), missing, uint64(block), list, C.PORTABLE__SLOTS_MAX, func() bool {
		*out = C.portable__kernel_make((*C.char)(label), block, (*C.portable_argument)(arguments), count)
		return *out != 0
	})
	if r.Status != 0 {
		return fail(C.portable_status(r.Status), r.Text)
	}
	return st
}

//export portable__go_stale
func portable__go_stale(call C.portable__text, handle C.uint64_t, kind C.portable__text) (st C.portable_status) {
	defer guard(&st)
	return refusal(exec.Stale(ended(call), uint64(handle), ended(kind)), ended(call))
}

//export portable__go_argument_refuse
func portable__go_argument_refuse(label C.portable__text, i, count C.size_t) (st C.portable_status) {
	defer guard(&st)
	return refusal(exec.RefuseArgument(ended(label), uint64(i), uint64(count)), ended(label))
}

//export portable__go_no_host
func portable__go_no_host(label C.portable__text, version C.int32_t) (st C.portable_status) {
	defer guard(&st)
	return refusal(exec.NoHost(ended(label), int(version)), ended(label))
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

// fallbacks reads what C has counted, and the compilers that were not found.
func fallbacks() (list []exec.Fallback, missing []string) {
	var first *C.portable_fallback
	n := C.portable__fallback_rows(&first)
	if n < 0 {
		return nil, nil // no memory, no report
	}
	defer C.free(unsafe.Pointer(first))
	for _, r := range unsafe.Slice(first, int(n)) {
		list = append(list, exec.Fallback{Label: C.GoString(r.label), Launches: int64(r.launches), Iterations: int64(r.iterations),
			Total: int64(r.total_ns), Max: int64(r.max_ns), Why: uint32(C.portable__fallback_why(r.label))})
	}
	return list, programs.MissingCompilers()
}

//export portable__go_fallback_print
func portable__go_fallback_print() (st C.portable_status) {
	defer guard(&st)
	lib.PrintFallbacks()
	return C.PORTABLE_OK
}
