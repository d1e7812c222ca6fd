package exec

// This file explains streams, starts and ends them (Streams), and refuses their calls
// (StreamCall.Refuse).

import (
	"sync"
	"syscall"
	"time"
)

// A stream is a queue of work for one device: launches, callbacks, waits. Work of one stream runs in the order of the calls, work of different
// streams in any order.
//
//   - Kinds. A synchronous stream of the host has no queue: each call returns when its work is done. An asynchronous one has a thread that does the
//     work. A stream of a CUDA device also has a stream of the driver; its thread starts with the first work for the host. Each device has a default
//     stream, with a handle that is a number of the device. On the host all default streams are one synchronous stream; on a CUDA device the default
//     stream is asynchronous, starts with its first use, and ends with the library.
//   - Points. Work gets a number when it enters the queue, and the stream knows its completed number. A point, (stream, number), is done as soon as the
//     completed number reaches it. Numbers never fall, also if the record serves a later stream.
//   - Dependencies. A stream waits for an event (below), a block of a pool for a point in each stream that uses it. Queued waits only look back in
//     time. A thread inside a stream, in a kernel or a callback, may wait for another stream if no circle results.
//   - Errors. After the first error of a stream its launches are skipped; its callbacks run. A fence, the stream's
//     destruction, or a launch or call on arrays that waits for the stream returns the error and clears it; then launches run again. portable_fence
//     returns one error, and other streams keep theirs. Waits for events, and waits of other streams, do not return it.
//   - Closing. The end of a stream claims it, waits until it is empty, joins the thread and makes the handle stale. Before the claim, calls find the
//     stream; after it they cannot add work. The library stops only with empty streams: Close shuts all, and opens them again if one has work.
//
// Here are creation, closing and refusals. The queue, its thread, numbers and waits are C (exec/stream), because that thread runs kernels without Go.
// No C that holds a stream's lock calls these functions.

// The kinds of a stream, as portable_stream.h numbers them.
const (
	StreamAsync int32 = 0
	StreamSync  int32 = 1
)

// Streams lets streams begin and end. Threads: any.
type Streams struct {
	room StreamRoom
	mu   sync.Mutex // lets one stream begin at a time, and none while the library stops; taken before locks of streams
	open bool       // the library runs
}

// A StreamRoom is what C does for Streams.
type StreamRoom interface {
	// Start makes a stream and starts its thread.
	Start(StreamPlan) Started
	// Shut lets no work enter any stream, or lets it enter again. It counts the streams that have work.
	Shut(shut bool) (busy int)
	// End ends all streams, which are empty. It counts streams of the program, and returns the text of an error that no call has returned.
	End() (ended int, lost string)
	// Live counts streams that may have work.
	Live() int
}

// StreamPlan is a stream to start.
type StreamPlan struct {
	Call    string // for texts
	Device  int    // its number
	Name    string // of the device
	Kind    int32
	Default bool    // the default stream of a CUDA device
	Native  uintptr // a stream of the driver's that the program has made; 0: none
	Stack   uint64  // bytes, of its thread
}

// Started is a stream that C has started, or the reason why it has not.
type Started struct {
	Handle uint64
	Status Status        // of a failed call of the driver, with its text in the thread's error; otherwise 0
	Thread syscall.Errno // 0, or why the system has given no thread
}

// NewStreams has no streams until Open.
func NewStreams(room StreamRoom) *Streams { return &Streams{room: room} }

// PlanStream checks the arguments of portable_stream_create that need no device.
func PlanStream(named bool, kind int32) Refusal {
	const call = "portable_stream_create"
	switch {
	case !named:
		return missing(call, "stream_out")
	case kind != StreamAsync && kind != StreamSync:
		return refuse(BadArgument, "%s: the kind is %d; it is PORTABLE_STREAM_ASYNC or PORTABLE_STREAM_SYNC", call, kind)
	}
	return Refusal{}
}

// Start starts a stream of an existing device. A refusal without text has its text in the thread's error.
func (s *Streams) Start(p StreamPlan) (handle uint64, r Refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.open {
		return 0, refuse(BadState, "%s: the library does not run: call portable_init first, and nothing after the last portable_finalize", p.Call)
	}
	switch is := s.room.Start(p); {
	case is.Handle != 0:
		return is.Handle, r
	case is.Status != 0:
		return 0, Refusal{Status: is.Status}
	case p.Default:
		return 0, refuse(NoMemory, "%s: no memory for the default stream of '%s'", p.Call, p.Name)
	default:
		return 0, NoStreamThread(p.Call, 0, is.Thread, s.room.Live())
	}
}

// NoStreamThread is the refusal of a stream without memory (reason 0) or a thread. handle is 0 for one that is not yet made.
func NoStreamThread(call string, handle uint64, reason syscall.Errno, live int) Refusal {
	const turn = "reduce ulimit -u, ulimit -v and PORTABLE_STACKSIZE, or destroy streams"
	switch {
	case reason == 0:
		return refuse(NoMemory, "%s: no memory for one more stream; there are %d; %s", call, live, turn)
	case handle != 0:
		return refuse(NoMemory, "the stream %#x needs a thread for its first work on the host, and none is available: %v; %s", handle, reason, turn)
	}
	return refuse(NoMemory, "%s: no thread is available for the stream: %v; there are %d streams; %s", call, reason, live, turn)
}

// Open lets streams begin.
func (s *Streams) Open() {
	s.mu.Lock()
	s.open = true
	s.mu.Unlock()
}

// Close ends all streams if none has work; otherwise it changes nothing. It waits for calls that end a stream at the same time.
func (s *Streams) Close() (ended int, lost string, busy bool) {
	s.mu.Lock()
	if s.room.Shut(true) > 0 {
		s.room.Shut(false)
		s.mu.Unlock()
		return 0, "", true
	}
	ended, lost = s.room.End()
	s.open = false
	s.mu.Unlock()
	for s.room.Live() > 0 {
		time.Sleep(100 * time.Microsecond)
	}
	return ended, lost, false
}

// StreamCall is a call of a stream or an event. C describes so a call that is not ordinary, as far as C has checked it.
type StreamCall struct {
	Call          string
	Missing       string // the argument that is NULL; "": none
	Stream, Event uint64
	Facts         StreamFacts
	Devices       int32 // their number
	Default       int32 // the number of the default device
	DefaultOf     int32 // the number of the device whose internal default stream it is; 0: of none
}

// StreamFacts are what C knows of a call, and Go cannot see.
type StreamFacts uint32

// The facts; exec/stream/questions.h has the same numbers.
const (
	NamesStream StreamFacts = 1 << iota // the call has a stream
	StreamLive                          // the table of streams has it
	EndsStream                          // the call destroys it
	OwnStream                           // it waits for the stream whose kernel or callback makes the call
	StreamEnds                          // another thread ends the stream
	NamesEvent                          // the call has an event
	EventLive                           // the table of events has it
	Circle                              // the stream that it waits for waits for the stream of the caller
	BusyInside                          // it waits for all streams inside a kernel or a callback, and one has work
	NoRecord                            // no slot or no memory for one more event
)

func (f StreamFacts) has(all StreamFacts) bool { return f&all == all }

// defaultStreams is the handle of the default stream of device n, less n.
const defaultStreams = 0xd000000000000000

// isDefault tests for the handle of a device's default stream.
func (c *StreamCall) isDefault() bool {
	if c.Stream == 0 {
		return c.Default != 0
	}
	return c.Stream > defaultStreams && c.Stream-defaultStreams <= uint64(max(c.Devices, 0))
}

// Refuse repeats the checks in their order: missing arguments, the stream, the event, waiting for oneself. Each call of streams and events has some
// of them.
func (c *StreamCall) Refuse() Refusal {
	standard := c.isDefault() || c.DefaultOf != 0
	switch {
	case c.Missing != "":
		return missing(c.Call, c.Missing)
	case c.Facts.has(NamesStream) && !c.Facts.has(StreamLive) && !standard:
		return c.stale(c.Stream, "a stream", "the stream")
	case c.Facts.has(NamesStream|EndsStream) && standard && c.Stream != 0:
		handle := c.Stream
		if c.DefaultOf != 0 {
			handle = defaultStreams + uint64(c.DefaultOf)
		}
		return refuse(BadHandle, "%s: %#x is the default stream of a device, which ends with the library", c.Call, handle)
	case c.Facts.has(NamesEvent):
		if !c.Facts.has(EventLive) {
			return c.stale(c.Event, "an event", "the event")
		}
	}
	return c.refuseWaiting()
}

// refuseWaiting: a thread inside a stream must not wait for what comes after its own end.
func (c *StreamCall) refuseWaiting() Refusal {
	const inside = "%s: called inside a kernel or a callback "
	switch {
	case c.Facts.has(OwnStream):
		return refuse(BadState, inside+"of the stream that it waits for, which would wait for itself; call it where the kernel is launched", c.Call)
	case c.Facts.has(StreamEnds):
		return refuse(BadHandle, "%s: %#x is not a stream, or the stream was destroyed, by another thread", c.Call, c.Stream)
	case c.Facts.has(Circle):
		return refuse(BadState, inside+"of a stream for which the other stream waits, so that both would wait for ever; order them by "+
			"portable_stream_wait_event, or wait where the kernel is launched", c.Call)
	case c.Facts.has(BusyInside):
		return refuse(BadState, inside+"while there is work in a stream, which may be its own; call it where the kernel is launched", c.Call)
	case c.Facts.has(NoRecord):
		return noEvent(c.Call)
	}
	return Refusal{}
}

func (c *StreamCall) stale(handle uint64, a, the string) Refusal {
	return refuse(BadHandle, "%s: %#x is not %s, or %s was destroyed", c.Call, handle, a, the)
}

func missing(call, argument string) Refusal {
	return refuse(BadArgument, "%s: %s is NULL", call, argument)
}

// An event names a point in a stream (above): all work that the stream had when the event was recorded. Recording copies the point, so the event
// may be recorded again, or destroyed, while other threads and streams wait for the earlier point. An event that was never recorded is done. A destroyed
// stream is empty, so its points are done.
//
// Creation and recording are C: creation costs as much as a call into Go. The refusals are here and in StreamCall.

// MaxEvents is the limit of events at a time, that of all handles of one kind.
const MaxEvents = 1024 << 6

func noEvent(call string) Refusal {
	return refuse(NoMemory, "%s: there are %d events, or no memory for more; destroy events that are not needed", call, MaxEvents)
}
