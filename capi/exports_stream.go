package capi

// This file has the exports of streams, events, live-outs and graphs, and the pool's events: points
// in streams that use a block, and graphs that do.

/*
#include "questions.h"
#include "../exec/graph/graph.h"
#include "../internal/edge/above.h"
#include "../exec/liveout/questions.h"
#include "../exec/stream/questions.h"
#include "../exec/stream/stream.h"
*/
import "C"

import (
	"math"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"libportable/exec"
	"libportable/exec/replay"
	"libportable/gator"
)

// streamRoom calls exec/stream for exec.Streams.
type streamRoom struct{}

var streams = exec.NewStreams(streamRoom{})

func (streamRoom) Start(p exec.StreamPlan) exec.Started {
	call := createCall // costs no memory
	if p.Default || p.Native != 0 {
		call = terminated(p.Call)
	}
	is := C.portable__stream_start((*C.char)(unsafe.Pointer(&call[0])), C.int32_t(p.Device), C.int32_t(p.Kind), oneIf(p.Default),
		C.uintptr_t(p.Native), C.uint64_t(p.Stack))
	return exec.Started{Handle: uint64(is.handle), Status: exec.Status(is.status), Thread: syscall.Errno(is.reason)}
}

var createCall = terminated("portable_stream_create")

func (streamRoom) Shut(shut bool) int { return int(C.portable__streams_shut(oneIf(shut))) }

func (streamRoom) End() (ended int, lost string) {
	var text [C.PORTABLE__ERROR_TEXT]C.char
	C.portable__graphs_end()
	graphUses.Range(func(_, use any) bool {
		use.(*graphUse).done.Store(true)
		return true
	})
	graphUses.Clear()
	n := C.portable__streams_end(&text[0], C.size_t(len(text)))
	return int(n), C.GoString(&text[0])
}

func (streamRoom) Live() int { return int(C.portable__streams_counted()) }

// declined keeps the text of a refusal, and returns its status. Without a text, C has set it.
func declined(r exec.Refusal) C.portable_status {
	if r.Text == "" {
		return C.portable_status(r.Status)
	}
	return fail(C.portable_status(r.Status), r.Text)
}

// argument is the name of an argument; "" for NULL.
func argument(name C.portable__text) string {
	if name == nil {
		return ""
	}
	return ended(name)
}

// launch is an event of the pool: the point of a launch that uses a block. done is the completed number of the stream, in memory of C
// that is never freed, so a test is no call. In a stream of a CUDA device the number is late; then the test asks the device, too.
type launch struct {
	stream   unsafe.Pointer
	done     *uint64
	device   bool
	number   atomic.Uint64
	absorbed bool // another launch replaces it, and it may be reused
}

var (
	_ gator.Absorber = (*launch)(nil)
	_ gator.Sure     = (*launch)(nil)
)

func (l *launch) Done() bool { return passed(l.stream, l.done, l.device, l.number.Load()) }

func (l *launch) Wait() { C.portable__stream_await(l.stream, C.uint64_t(l.number.Load())) }

// Sure gives the launch's place in its stream, if only the device must still act.
func (l *launch) Sure() (place uint64, sure bool) {
	place = l.number.Load()
	return place, l.device && C.portable__stream_sure(l.stream, C.uint64_t(place)) != 0
}

// Absorb keeps the later one of two launches in a stream, because a stream does its work in order.
func (l *launch) Absorb(later gator.Event) bool {
	o, ok := later.(*launch)
	if !ok || o.stream != l.stream {
		return false
	}
	l.number.Store(max(l.number.Load(), o.number.Load()))
	o.absorbed = true
	return true
}

// passed tests whether a stream has completed a number. C takes only the stream's lock, under which it never asks the pool.
func passed(stream unsafe.Pointer, done *uint64, device bool, number uint64) bool {
	return atomic.LoadUint64(done) >= number || device && C.portable__stream_asks(stream, C.uint64_t(number)) != 0
}

// tail is all work of a stream up to the free of the block.
type tail struct {
	stream unsafe.Pointer
	done   *uint64
	device bool
	handle C.portable_stream // the use of the stream's slot
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

// spares are absorbed launches for reuse, so that a launch over an array in use allocates nothing.
var spares = sync.Pool{New: func() any { return new(launch) }}

//export portable__go_stream_refuse
func portable__go_stream_refuse(a *C.struct_portable__stream_asked) (st C.portable_status) {
	defer guard(&st)
	c := exec.StreamCall{Call: ended(a.call), Missing: argument(a.missing), Stream: uint64(a.stream), Event: uint64(a.event),
		Facts: exec.StreamFacts(a.facts), DefaultOf: int32(a.default_of)}
	if devices, err := lib.Devices(); err == nil {
		c.Devices, c.Default = int32(devices.Count()), int32(devices.Default())
	}
	return refusal(c.Refuse(), c.Call)
}

//export portable__go_stream_no_thread
func portable__go_stream_no_thread(stream C.portable_stream, reason C.int32_t) (st C.portable_status) {
	defer guard(&st)
	return declined(exec.NoStreamThread("", uint64(stream), syscall.Errno(reason), 0))
}

//export portable__go_stream_create
func portable__go_stream_create(device, kind C.int32_t, native C.uintptr_t, out *C.portable_stream) (st C.portable_status) {
	defer guard(&st)
	if r := exec.PlanStream(out != nil, int32(kind)); r.Status != 0 {
		return declined(r)
	}
	call := "portable_stream_create"
	if native != 0 {
		call = "portable_stream_adopt"
	}
	return startStream(exec.StreamPlan{Call: call, Device: int(device), Kind: int32(kind), Native: uintptr(native)}, out)
}

//export portable__go_stream_create_default
func portable__go_stream_create_default(call C.portable__text, device C.int32_t, out *C.portable_stream) (st C.portable_status) {
	defer guard(&st)
	return startStream(exec.StreamPlan{Call: ended(call), Device: int(device), Kind: exec.StreamAsync, Default: true}, out)
}

// startStream completes a plan by the facts of its device and the size of the thread's stack, and starts the stream.
func startStream(p exec.StreamPlan, out *C.portable_stream) C.portable_status {
	var err error
	if p.Device, p.Name, p.Stack, err = lib.Stream(p.Device); err != nil {
		return status(err)
	}
	handle, r := streams.Start(p)
	*out = C.portable_stream(handle)
	return declined(r)
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

//export portable__go_liveout_refuse
func portable__go_liveout_refuse(a *C.struct_portable__liveout_asked) (st C.portable_status) {
	defer guard(&st)
	c := exec.LiveOutCall{Call: ended(a.call), Label: argument(a.label), Missing: argument(a.missing), Handle: uint64(a.liveout),
		Facts: exec.LiveOutFacts(a.facts), Kind: int32(a.kind), Of: int32(a.of), Names: [2]string{ended(a.kind_name), ended(a.of_name)}}
	return refusal(c.Refuse(), c.Call)
}

// graphUse is the pool's event of all blocks that a graph uses. It is done when the graph is destroyed.
type graphUse struct {
	graph C.uint64_t
	done  atomic.Bool
}

// The records and the numbers of both languages agree, or this is no array index.
var (
	_ = [1]bool{}[unsafe.Sizeof(replay.Entry{})-C.sizeof_struct_portable__graph_entry]
	_ = [1]bool{}[unsafe.Sizeof(replay.Step{})-C.sizeof_struct_portable__graph_step]
	_ = [1]bool{}[replay.Allocation-C.PORTABLE__GRAPH_ALLOCATION]
	_ = [1]bool{}[replay.Large-C.PORTABLE__GRAPH_LARGE]
)

// graphUses are the uses of graphs that have not ended, by handle.
var graphUses sync.Map

var _ gator.Absorber = (*graphUse)(nil)

func (u *graphUse) Done() bool { return u.done.Load() }

// Wait ends the use: a pool that is destroyed does not wait for the program to destroy the graph.
func (u *graphUse) Wait() {
	C.portable__graph_spoil(u.graph)
	u.done.Store(true)
}

func (u *graphUse) Absorb(later gator.Event) bool { return later == gator.Event(u) }

// holdBlocks keeps the blocks of pools whose addresses are in the bytes; a block of no bytes is an address itself.
func holdBlocks(graph C.uint64_t, b *C.struct_portable__graph_block) (found bool) {
	kept, _ := graphUses.LoadOrStore(graph, &graphUse{graph: graph})
	use := kept.(*graphUse)
	if b.bytes == 0 {
		return b.args != nil && lib.Uses(uintptr(b.args), use)
	}
	for _, address := range unsafe.Slice((*uintptr)(b.args), int(b.bytes)/int(unsafe.Sizeof(uintptr(0)))) {
		if address != 0 && lib.Uses(address, use) {
			found = true
		}
	}
	return found
}

//export portable__go_graph_refuse
func portable__go_graph_refuse(a *C.struct_portable__graph_asked) (st C.portable_status) {
	defer guard(&st)
	c := replay.Call{Call: ended(a.call), Label: argument(a.label), Missing: argument(a.missing), Graph: uint64(a.graph), Why: replay.Why(a.why),
		At: uint64(a.at), Count: uint64(a.count)}
	if c.Why == replay.Device {
		c.Devices = [...]string{C.GoString(C.portable_device_name(C.int32_t(a.at))), C.GoString(C.portable_device_name(C.int32_t(a.count)))}
	}
	return refusal(c.Refuse(), c.Call)
}

//export portable__go_graph_plan
func portable__go_graph_plan(r *C.struct_portable__graph_recording) (st C.portable_status) {
	defer guard(&st)
	entries := unsafe.Slice((*replay.Entry)(unsafe.Pointer(r.entries)), int(r.count))
	steps := unsafe.Slice((*replay.Step)(unsafe.Pointer(r.steps)), int(r.count))
	count, refused := replay.Plan(entries, uint32(r.last), steps)
	r.step_count = C.size_t(count)
	if refused.Status != exec.Ordinary {
		return declined(refused)
	}
	return C.PORTABLE_OK
}

//export portable__go_graph_hold
func portable__go_graph_hold(graph C.uint64_t, block *C.struct_portable__graph_block) C.int32_t {
	var st C.portable_status
	defer guard(&st)
	return oneIf(holdBlocks(graph, block))
}

//export portable__go_graph_ended
func portable__go_graph_ended(graph C.uint64_t) {
	var st C.portable_status
	defer guard(&st)
	if use, found := graphUses.LoadAndDelete(graph); found {
		use.(*graphUse).done.Store(true)
	}
}
