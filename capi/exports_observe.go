package main

/*
#include "questions.h"
#include "../gator/front/front.h"
#include "../internal/memcheck/memcheck.h"
#include "../internal/observe/observers.h"
#include "../internal/edge/file.h"
*/
import "C"

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"libportable/exec"
	"libportable/internal/edge"
	"libportable/internal/instance"
)

// watchers are the C files that watch, as the instance sets them: see watch.h.
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

// how says in C's way how the file is to be opened.
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
	entries := make([]C.struct_portable__tuning, len(list)+1) // one more: an empty slice has no first element
	exact := 0
	layoutsOutside(list)
	for i, t := range list {
		e := &entries[i]
		if len(t.Layouts) > 0 {
			e.arrays = C.PORTABLE__TUNING_ARRAYS
			if !t.OfLaunches() {
				e.arrays = C.PORTABLE__TUNING_ARRAYS_ONLY
			}
		}
		e.label_bytes = C.size_t(copy(unsafe.Slice((*byte)(unsafe.Pointer(&e.label[0])), len(e.label)-1), t.Label))
		put(&e.where[0], C.size_t(len(e.where)), t.Where)
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
