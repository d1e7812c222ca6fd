package capi

/*
#include "questions.h"
#include "../exec/stream/stream.h"
*/
import "C"

import (
	"math"
	"sync"
	"sync/atomic"
	"unsafe"

	"libportable/gator"
)

// launch is a point in a stream, as the pool's event: a launch that uses a block. done is the stream's own count, in memory of C
// that stays for ever, so that asking is no call. In a stream of a cuda device the count lags behind: a question looks at the device, too.
type launch struct {
	stream   unsafe.Pointer
	done     *uint64
	device   bool
	number   atomic.Uint64
	absorbed bool // another launch stands for it: it may serve again
}

var (
	_ gator.Absorber = (*launch)(nil)
	_ gator.Sure     = (*launch)(nil)
)

func (l *launch) Done() bool { return passed(l.stream, l.done, l.device, l.number.Load()) }

func (l *launch) Wait() { C.portable__stream_await(l.stream, C.uint64_t(l.number.Load())) }

// Sure gives the launch's place in its stream where only the device has to act for it.
func (l *launch) Sure() (place uint64, sure bool) {
	place = l.number.Load()
	return place, l.device && C.portable__stream_sure(l.stream, C.uint64_t(place)) != 0
}

// Absorb takes the later one of two launches in a stream; what is in a stream is done in order.
func (l *launch) Absorb(later gator.Event) bool {
	o, ok := later.(*launch)
	if !ok || o.stream != l.stream {
		return false
	}
	l.number.Store(max(l.number.Load(), o.number.Load()))
	o.absorbed = true
	return true
}

// passed says whether a stream has completed a number. C takes no lock for it but the stream's, under which the pool is never asked.
func passed(stream unsafe.Pointer, done *uint64, device bool, number uint64) bool {
	return atomic.LoadUint64(done) >= number || device && C.portable__stream_asks(stream, C.uint64_t(number)) != 0
}

// tail is all that a stream was given until the block was freed.
type tail struct {
	stream unsafe.Pointer
	done   *uint64
	device bool
	handle C.portable_stream // which use of the stream's slot it is
	number atomic.Uint64
}

const notFixed = math.MaxUint64

var (
	_ gator.Open     = (*tail)(nil)
	_ gator.Absorber = (*tail)(nil)
)

func (t *tail) end() uint64 {
	if n := t.number.Load(); n != notFixed {
		return n
	}
	return uint64(C.portable__stream_end(t.stream, t.handle))
}

func (t *tail) Fix()       { t.number.Store(t.end()) }
func (t *tail) Done() bool { return passed(t.stream, t.done, t.device, t.end()) }
func (t *tail) Wait()      { C.portable__stream_await(t.stream, C.uint64_t(t.end())) }

func (t *tail) Absorb(later gator.Event) bool {
	o, ok := later.(*tail)
	return ok && o.handle == t.handle
}

// spares are launches that were absorbed, so that an array in use costs no memory with each launch.
var spares = sync.Pool{New: func() any { return new(launch) }}

//export portable__go_stream
func portable__go_stream(device C.int32_t, number *C.int32_t, stack *C.uint64_t) (st C.portable_status) {
	defer guard(&st)
	n, bytes, err := lib.Stream(int(device))
	*number, *stack = C.int32_t(n), C.uint64_t(bytes)
	return status(err)
}

//export portable__go_settle
func portable__go_settle(pool C.portable_pool, addr C.uintptr_t) {
	var st C.portable_status
	defer guard(&st)
	if pool == 0 {
		if d, err := lib.Default(); err == nil {
			d.Settle(uintptr(addr))
		}
	} else if p, err := lib.Pool(uint64(pool)); err == nil {
		p.Settle(uintptr(addr))
	}
}

//export portable__go_depend
func portable__go_depend(stream unsafe.Pointer, done *C.uint64_t, device C.int32_t, number C.uint64_t, addresses *C.uintptr_t, count C.size_t) {
	var st C.portable_status
	defer guard(&st)
	for _, a := range unsafe.Slice(addresses, int(count)) {
		l := spares.Get().(*launch)
		l.stream, l.done, l.device, l.absorbed = stream, (*uint64)(unsafe.Pointer(done)), device != 0, false
		l.number.Store(uint64(number))
		if !lib.Uses(uintptr(a), l) || l.absorbed {
			spares.Put(l)
		}
	}
}

//export portable__go_depend_open
func portable__go_depend_open(stream unsafe.Pointer, done *C.uint64_t, device C.int32_t, handle C.portable_stream, address C.uintptr_t) (st C.portable_status) {
	defer guard(&st)
	t := &tail{stream: stream, done: (*uint64)(unsafe.Pointer(done)), device: device != 0, handle: handle}
	t.number.Store(notFixed)
	return status(lib.Depend(uintptr(address), t))
}

// endStreams ends what the program has not.
func endStreams() (ended int, lost string, busy bool) {
	var text [C.PORTABLE__ERROR_TEXT]C.char
	n := C.portable__streams_close(&text[0], C.size_t(len(text)))
	return int(n), C.GoString(&text[0]), n < 0
}
