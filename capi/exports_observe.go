package capi

// This file connects observers with the instance: hooks, checks, the log, tuning, the trace, the
// check of races. It also describes frames for reports of faults.

/*
#include "questions.h"
#include "../gator/front/front.h"
#include "../internal/memcheck/memcheck.h"
#include "../internal/observe/observers.h"
#include "../internal/edge/file.h"
#include "../exec/race/race.h"
#include "../internal/team/cut.h"
*/
import "C"

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"libportable/exec"
	"libportable/exec/racecheck"
	"libportable/internal/edge"
	"libportable/internal/instance"
)

// watchers switches the observers in C (internal/observe/watch.h) for the instance.
type watchers struct{}

var _ instance.Watchers = watchers{}

// textAndBytes lends a string to C.
func textAndBytes(s string) (C.portable__text, C.size_t) {
	return C.portable__text(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))
}

func (watchers) Tools(libraries, arguments string) {
	l, lb := textAndBytes(libraries)
	a, ab := textAndBytes(arguments)
	C.portable__tools_set(l, lb, a, ab)
}

// how converts the mode of an open file for C.
func how(file instance.File) C.int32_t {
	if file.Default {
		return C.PORTABLE__FILE_DEFAULT
	}
	return 0
}

func (watchers) Log(file instance.File) error {
	p, n := textAndBytes(file.Path)
	if n := C.portable__verbose_open(p, n, how(file)); n != 0 {
		return edge.Reason(n)
	}
	return nil
}

func (watchers) Say(line string) {
	p, n := textAndBytes(line)
	C.portable__verbose_line(p, n)
}

func (watchers) Checks(mask uint32) { C.portable__checks_default(C.uint32_t(mask)) }

func (watchers) Memory(file instance.File, wanted uint32, meta []string) error {
	p, n := textAndBytes(file.Path)
	version := fmt.Sprintf("%d.%d.%d", C.PORTABLE_VERSION_MAJOR, C.PORTABLE_VERSION_MINOR, C.PORTABLE_VERSION_PATCH)
	m, mb := textAndBytes(string(traceMeta(append([]string{"version", version, "library", goString(C.portable__library_code())}, meta...))))
	if n := C.portable__memcheck_open(p, n, how(file), C.uint32_t(wanted), m, mb); n != 0 {
		return edge.Reason(n)
	}
	return nil
}

func (watchers) Hash(h instance.Hash) {
	p, n := textAndBytes(h.Label)
	C.portable__hash_set(oneIf(h.Checkpoints), p, n, C.uint64_t(h.Place), C.uint64_t(h.Step))
}

// traceMeta is the payload of the record META: see trace.h.
func traceMeta(pairs []string) (to []byte) {
	to = binary.LittleEndian.AppendUint32(to, uint32(len(pairs)/2))
	for _, s := range pairs {
		to = binary.LittleEndian.AppendUint32(to, uint32(len(s)))
		to = append(to, s...)
		for len(to)%4 != 0 {
			to = append(to, 0)
		}
	}
	return to
}

func (watchers) Slab(taken bool, addr uintptr, bytes uint64, pool string) {
	var is C.uint32_t
	if taken {
		is = 1
	}
	p, n := textAndBytes(pool)
	C.portable__memcheck_slab(is, C.uintptr_t(addr), C.uint64_t(bytes), p, n)
}

func (watchers) Left(all []instance.Left) {
	C.portable__memcheck_left_begin()
	for _, l := range all {
		p, n := textAndBytes(l.Label)
		C.portable__memcheck_left(p, n, C.uint64_t(l.Blocks), C.uint64_t(l.Bytes))
	}
}

//export portable__go_left
func portable__go_left() {
	var st C.portable_status
	defer guard(&st)
	watchers{}.Left(lib.Left())
}

func (watchers) NVTX(wanted int) (why string) {
	if text := C.portable__nvtx_open(C.int32_t(wanted)); text != nil {
		why = C.GoString(text)
	}
	return why
}

func (watchers) Tuning(list []exec.Tuning) bool {
	entries := make([]C.struct_portable__tuning, len(list)+1) // one more, because an empty slice has no first element
	exact := 0
	layoutsOutside(list)
	for i, t := range list {
		e := &entries[i]
		e.label_bytes = C.size_t(copy(unsafe.Slice((*byte)(unsafe.Pointer(&e.label[0])), len(e.label)-1), t.Label))
		for d, n := range t.Tile {
			e.tile[d] = C.int64_t(n)
		}
		e.tile_rank = C.int32_t(len(t.Tile))
		e.chunk = C.int64_t(t.Chunk)
		e.schedule = C.int32_t(t.Schedule)
		e.block_size = C.int32_t(t.Block)
		if !t.Prefix {
			exact = i + 1
		}
	}
	return C.portable__tuning_set(&entries[0], C.size_t(len(list)), C.size_t(exact)) != 0
}

func (watchers) Tuned(number int) (launch, array bool) {
	used := C.portable__tuning_used(C.size_t(number))
	array = used&C.PORTABLE__TUNING_LAID_OUT != 0 || number < len(tuned) && tuned[number].ForDevices() && !rulesOfDevices.Load()
	return used&C.PORTABLE__TUNING_LAUNCHED != 0, array
}

//export portable__go_hook_refused
func portable__go_hook_refused(hasOut, hasFunction C.int32_t, events C.uint32_t) (st C.portable_status) {
	defer guard(&st)
	return refusal(exec.HookAdd(hasOut != 0, hasFunction != 0, uint32(events)), "portable_hook_add")
}

//export portable__go_checks_refused
func portable__go_checks_refused(checks C.uint32_t) (st C.portable_status) {
	defer guard(&st)
	return refusal(exec.SetChecks(uint32(checks)), "portable_set_checks")
}

//export portable__go_warn
func portable__go_warn(t C.portable__text, bytes C.size_t) {
	var st C.portable_status
	defer guard(&st)
	lib.Warn(C.GoStringN((*C.char)(unsafe.Pointer(t)), C.int(bytes)))
}

//export portable__go_freed
func portable__go_freed(addr C.uintptr_t, name *C.char, room C.size_t) (freed C.int32_t) {
	var st C.portable_status
	defer guard(&st)
	pool, is := lib.Freed(uintptr(addr))
	if is {
		put(name, room, pool)
		freed = 1
	}
	return freed
}

// races is the check of races of this run, or nil.
var races atomic.Pointer[racecheck.Checker]

// cellMemory is memory for cells, mapped by C.
type cellMemory struct{}

func (cellMemory) Take(bytes uint64) uintptr {
	return uintptr(C.portable__race_take(C.uint64_t(bytes)))
}
func (cellMemory) Give(addr uintptr, bytes uint64) {
	C.portable__race_give(C.uintptr_t(addr), C.uint64_t(bytes))
}

func (watchers) Races(cells uint64) (report []string) {
	if cells == 0 {
		C.portable__races_set(0)
		if r := races.Swap(nil); r != nil {
			report = r.Report()
			r.Close()
		}
		return report
	}
	if races.Load() == nil {
		races.Store(racecheck.New(cellMemory{}, cells))
	}
	C.portable__races_set(1)
	return nil
}

//export portable__go_race_begin
func portable__go_race_begin(label C.portable__text, bytes C.size_t, iterations C.int64_t) (from C.int64_t) {
	var st C.portable_status
	defer guard(&st)
	if r := races.Load(); r != nil {
		from = C.int64_t(r.Begin(raceLabel(label, bytes), int64(iterations)))
	}
	return from
}

//export portable__go_race_unchecked
func portable__go_race_unchecked(label C.portable__text, bytes C.size_t) {
	var st C.portable_status
	defer guard(&st)
	if r := races.Load(); r != nil {
		r.Unchecked(raceLabel(label, bytes))
	}
}

//export portable__go_race_counted
func portable__go_race_counted(number C.int32_t, elements C.int64_t) {
	var st C.portable_status
	defer guard(&st)
	if r := races.Load(); r != nil {
		r.Counted(int(number), int64(elements))
	}
}

//export portable__go_race_cells
func portable__go_race_cells(list *C.struct_portable__race_array, count C.int32_t) {
	var st C.portable_status
	defer guard(&st)
	r := races.Load()
	if r == nil {
		return
	}
	in := unsafe.Slice(list, int(count))
	arrays := make([]racecheck.Array, len(in))
	for i := range in {
		arrays[i] = raceArray(&in[i])
	}
	for _, text := range r.Cells(arrays) {
		lib.Race(text)
	}
	for i := range in {
		in[i].cells, in[i].asked = C.uintptr_t(arrays[i].Cells), 1
	}
}

//export portable__go_race_apart
func portable__go_race_apart(list *C.struct_portable__race_array, count C.int32_t, references *C.struct_portable__race_reference,
	referencesCount C.int32_t, space *C.struct_portable__cut) (apart C.int32_t) {
	var st C.portable_status
	defer guard(&st)
	in := unsafe.Slice(list, int(count))
	arrays := make([]racecheck.Array, len(in))
	for i := range in {
		arrays[i] = raceArray(&in[i])
	}
	extent := make([]int64, int(space.rank))
	for k := range extent {
		extent[space.axis[k].dim] = int64(space.axis[k].extent)
	}
	given := unsafe.Slice(references, int(referencesCount))
	accesses := make([]racecheck.Reference, len(given))
	for i := range given {
		r := &given[i]
		accesses[i] = racecheck.Reference{Array: int(r.array), Writes: r.writes != 0, First: int64(r.first), Step: make([]int64, len(extent))}
		for d := range extent {
			accesses[i].Step[d] = int64(r.step[d])
		}
	}
	if racecheck.Apart(arrays, accesses, extent) {
		apart = 1
	}
	return apart
}

//export portable__go_race_found
func portable__go_race_found(f *C.struct_portable__race_found, text *C.char, room C.size_t) (number C.int32_t) {
	var st C.portable_status
	defer guard(&st)
	r := races.Load()
	if r == nil {
		return -1
	}
	array := raceArray(f.array)
	race := racecheck.Race{Label: C.GoString(f.label), Array: &array, Element: int64(f.element), Now: int64(f.now), Before: int64(f.before),
		Line: int64(f.line), LineBefore: int64(f.line_before), Writes: f.writes != 0, Wrote: f.wrote != 0}
	for k := range int(f.space.rank) {
		a := &f.space.axis[k]
		race.Space = append(race.Space, racecheck.Axis{Dim: int(a.dim), Lower: int64(a.lower), Stride: int64(a.stride), Extent: int64(a.extent)})
	}
	n, line := r.Found(race)
	if line != "" {
		lib.Race(line)
	}
	put(text, room, line)
	return C.int32_t(n)
}

func raceArray(a *C.struct_portable__race_array) racecheck.Array {
	to := racecheck.Array{Name: C.GoString(&a.name[0]), First: uintptr(a.first), Bytes: int64(a.bytes), Low: int64(a.low), Elements: int64(a.elements),
		Writes: a.access&C.PORTABLE_ACCESS_WRITE != 0, Cells: uintptr(a.cells), Asked: a.asked != 0, Told: a.told != 0}
	rank := int(a.rank)
	shape := make([]int64, 3*rank)
	to.Lower, to.Extent, to.Strides = shape[:rank], shape[rank:2*rank], shape[2*rank:]
	for d := range rank {
		to.Lower[d], to.Extent[d], to.Strides[d] = int64(a.lower[d]), int64(a.extent[d]), int64(a.stride[d])
	}
	return to
}

// raceLabel is a text of C of a known length.
func raceLabel(text C.portable__text, bytes C.size_t) string {
	return C.GoStringN((*C.char)(unsafe.Pointer(text)), C.int(bytes))
}

// ---- faults ----

// portable__go_frame writes procedure, file and line of an instruction for fault.c, and gives the number of bytes; 0: unknown. Only
// libportable_debug.a has the symbols (symbols_debug.go).
//
//export portable__go_frame
func portable__go_frame(pc C.uintptr_t, text *C.char, room C.int32_t) (n C.int32_t) {
	defer func() {
		if recover() != nil {
			n = 0 // one fault is reported already
		}
	}()
	if !symbolizes || room < 1 {
		return 0
	}
	var parts []string
	frames := runtime.CallersFrames([]uintptr{uintptr(pc)})
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function != "" {
			parts = append(parts, fmt.Sprintf("%s at %s:%d", f.Function, f.File, f.Line))
		}
	}
	into := unsafe.Slice((*byte)(unsafe.Pointer(text)), int(room))
	n = C.int32_t(copy(into[:room-1], strings.Join(parts, ", inlined in ")))
	into[n] = 0
	return n
}
