package replay

// This file refuses calls of graphs. Main function: Call.Refuse. C tests, and calls it with the
// reason that it found; the texts are here.

import (
	"fmt"

	"libportable/exec"
	"libportable/internal/outside"
)

// Why is the reason of a refusal.
type Why int32

// The reasons; internal/edge/above.h and exec/graph/questions.h have the same numbers.
const (
	Missing    Why = iota // an argument is NULL
	Fence                 // a fence, or another wait, of the thread that records
	Waits                 // a launch that is waited for
	Outside               // a launch of the thread that records, into no stream that records
	Stream                // a stream that records is destroyed, fenced or asked
	Place                 // an event stands for a place in a graph
	Allocation            // of the thread that records
)

// More reasons.
const (
	Stale       Why = iota + 20 // the handle is not of a graph
	Inside                      // the call is in a kernel or a callback
	Twice                       // the thread records already
	Sync                        // the stream is synchronous, or a default stream
	BusyStream                  // the stream records another graph
	NoEnd                       // the recording has not ended
	NoBegin                     // the graph does not record
	OtherThread                 // another thread records it
	Broken                      // its end was refused
	Spoiled                     // blocks went with their pool
	Device                      // the stream is of another device
	Nested                      // a launch of a graph, or work for a device, enters the recording
	Node                        // there is no such node
	Size                        // the argument block has another size
	Earlier                     // the event was recorded before the begin
	OtherGraph                  // the event stands for a place in another graph
	Address                     // no block of a pool holds it
	NoRoom                      // no memory, or no slot
	NoBlock                     // the node has no argument block
	HostWork                    // a callback or a kernel of the host, in a graph of a GPU
	Large                       // a block that is copied at each launch, or work without a copy of its data
)

// Call is a call that C has found not ordinary.
type Call struct {
	Call, Label string // Label "": it has none
	Missing     string // the argument that is NULL; "": none
	Graph       uint64
	Why         Why
	At, Count   uint64    // numbers for the text
	Devices     [2]string // names of the devices At and Count
}

type reason struct {
	status exec.Status
	text   string
}

var reasons = map[Why]reason{
	Fence: {exec.BadState, "this thread records a graph, and nothing that is recorded runs before its launch: call portable_graph_end first"},
	Waits: {exec.BadState, "the launch would be waited for, and a graph records only launches that return at once: not reductions, and in Fortran not " +
		"ordinary procedures; pass c_funloc of a bind(c) kernel, and its argument block"},
	Outside: {exec.BadState, "this thread records a graph, and the launch names no stream that records, so that it would run now and once: name one in the " +
		"launch, or launch after portable_graph_end"},
	Stream: {exec.BadState, "the stream records a graph: call portable_graph_end first"},
	Place: {exec.BadState, "the event was recorded into a graph, so it is done in each replay and at no time before: wait for the stream " +
		"of the graph's launch, or record the event again"},
	Allocation: {exec.BadState, "this thread records a graph, whose replays would not repeat the allocation: allocate before portable_graph_begin"},
	Inside:     {exec.BadState, "called inside a kernel or a callback: call it where kernels are launched"},
	Sync: {exec.BadState, "a graph takes only asynchronous streams that portable_stream_create has made: not synchronous ones, which run each launch at " +
		"once, and no default streams"},
	BusyStream:  {exec.BadState, "the stream records a graph already: end that one first"},
	OtherThread: {exec.BadState, "another thread records the graph: put work into its streams, and end it, on the thread that began"},
	Nested:      {exec.BadState, "a graph records launches and callbacks of its own device: no other graphs, and no other work"},
	HostWork:    {exec.BadState, "it runs on the host, and a graph of a GPU takes only work of the device: not callbacks, and no kernels without a version for it"},
	Large: {exec.BadState, "a graph of a GPU takes only launches whose argument block is small enough for a kernel's parameters, and work whose data is " +
		"copied: pass a pointer to the block"},
	Earlier: {exec.BadState, "the event was recorded outside of the graph, where a replay cannot wait for it: wait for it before portable_graph_begin, or record " +
		"it in a stream that records"},
	OtherGraph: {exec.BadState, "the event was recorded in a stream that recorded another graph, or one that was destroyed: record it again"},
	NoRoom:     {exec.NoMemory, "no memory for one more, or there are 65536 graphs: destroy graphs that are not needed"},
}

// ofGraph are reasons whose text begins with the handle of the graph.
var ofGraph = map[Why]reason{
	Stale:   {exec.BadHandle, "is not a graph, or the graph was destroyed"},
	Twice:   {exec.BadState, "is recorded by this thread: end it first; a thread records one graph at a time"},
	NoEnd:   {exec.BadState, "still records: call portable_graph_end first"},
	NoBegin: {exec.BadState, "does not record: portable_graph_end needs a portable_graph_begin before it, and is called once"},
	Broken:  {exec.BadState, "cannot be launched, because portable_graph_end refused it: destroy it, and record it again"},
	Spoiled: {exec.BadState, "uses blocks whose pool was destroyed, or that were freed under valgrind or AddressSanitizer: destroy it, and record it again"},
}

// Refuse gives the status and the text of the call.
func (c *Call) Refuse() exec.Refusal {
	call := c.Call
	if c.Label != "" {
		call += fmt.Sprintf(" '%s'", outside.Clean(c.Label))
	}
	if c.Missing != "" {
		return exec.Refusal{Status: exec.BadArgument, Text: fmt.Sprintf("%s: %s is NULL", call, c.Missing)}
	}
	if r, found := reasons[c.Why]; found {
		return exec.Refusal{Status: r.status, Text: call + ": " + r.text}
	}
	if r, found := ofGraph[c.Why]; found {
		return exec.Refusal{Status: r.status, Text: fmt.Sprintf("%s: %#x %s", call, c.Graph, r.text)}
	}
	return c.refuseNumbers(call)
}

func (c *Call) refuseNumbers(call string) exec.Refusal {
	text, status := "", exec.BadArgument
	switch c.Why {
	case Device:
		text = fmt.Sprintf("the stream is one of device %d (%s), the graph was recorded on device %d (%s): launch it into a stream of that device", c.At, c.Devices[0], c.Count, c.Devices[1])
	case Node:
		text = fmt.Sprintf("no node has this number; the graph has %d, which are counted in the order of the recorded calls, from 0 in C and from 1 in Fortran", c.Count)
	case Size:
		text = fmt.Sprintf("the argument block has %d bytes, the recorded one %d: pass a block of the same type", c.At, c.Count)
	case NoBlock:
		text = "the node has no argument block, because args_bytes was 0 or it is a callback: change the memory that its pointer names"
	case Address:
		text, status = fmt.Sprintf("no live block of any pool holds %#x; it is for memory of the default pool and of pools that portable_pool_create made", c.At), exec.BadPointer
	default:
		return exec.Refusal{}
	}
	return exec.Refusal{Status: status, Text: call + ": " + text}
}

// notJoined is the text for an entry whose stream the first one does not wait for.
func (p *plan) notJoined(call string, at uint32) string {
	return fmt.Sprintf("%s: nothing waits for the last work of one of the recorded streams (node %d, counted from 0): record an event in it, and let the stream of "+
		"portable_graph_begin wait for it", call, p.entries[at-1].Node)
}
