package exec

// This file has the definition of a live-out, and refuses its calls. Main function:
// LiveOutCall.Refuse.

// A live-out is one value that launches write and the program reads later: a block of 64 bytes of the default pool, and a handle. A kernel or a reduction
// gets the address of the value. A read or write on the host waits for all streams first, except inside a kernel, which comes in the middle of its own
// stream.
//
// A live-out lives until it is destroyed, at the longest until the library stops, because the block ends with the pool. The pool lists one that was
// forgotten. A handle of an earlier run of the library is stale; its slot is released at the next creation.
//
// Creation and destruction are C (exec/liveout): a pair costs 184 ns there, 559 ns in Go. The refusals are here.

// MaxLiveOuts is the limit of live-outs at a time, that of all handles of one kind.
const MaxLiveOuts = 1024 << 6

// LiveOutCall is a call of a live-out. C describes so a call that is not ordinary, as far as C has checked it.
type LiveOutCall struct {
	Call    string
	Label   string // of creation; "": the call has none
	Missing string // the argument that is NULL; "": none
	Handle  uint64
	Facts   LiveOutFacts
	Kind    int32     // that the call names
	Of      int32     // kind of the live-out, if it is live
	Names   [2]string // of both kinds
}

// LiveOutFacts are facts of a call that only C knows.
type LiveOutFacts uint32

// The facts; exec/liveout/questions.h has the same numbers.
const (
	CreatesLiveOut LiveOutFacts = 1 << iota // the call has a kind, and no handle
	LiveOutLive                             // the table has the handle, made in this run of the library
	NamesKind                               // the live-out must have the kind
	NoLiveOut                               // no slot or no memory for one more
)

// Refuse repeats the checks in their order: missing arguments, the kind of a new live-out, the handle, the kind of the live-out.
func (c *LiveOutCall) Refuse() Refusal {
	has := func(f LiveOutFacts) bool { return c.Facts&f != 0 }
	call := c.Call
	if c.Label != "" {
		call += " of '" + c.Label + "'"
	}
	switch {
	case c.Missing != "":
		return missing(call, c.Missing)
	case has(CreatesLiveOut) && !isElement(c.Kind):
		return refuse(BadArgument, "%s: there is no kind %d; the kinds are PORTABLE_KIND_INT8 to _LOGICAL64", call, c.Kind)
	case has(NoLiveOut):
		return refuse(NoMemory, "%s: there are %d live-outs, or no memory for more; destroy live-outs that are not needed", call, MaxLiveOuts)
	case has(CreatesLiveOut):
		return Refusal{}
	case !has(LiveOutLive) && c.Handle == 0:
		return refuse(BadHandle, "%s: the live-out was not created, or it was destroyed; portable_liveout_create makes it", call)
	case !has(LiveOutLive):
		return refuse(BadHandle, "%s: %#x is not a live-out, or it was destroyed, or the library was stopped since", call, c.Handle)
	case has(NamesKind) && c.Kind != c.Of:
		return refuse(BadArgument, "%s: the live-out is of the kind %s, not %s", call, c.Names[1], c.Names[0])
	}
	return Refusal{}
}

// isElement tests whether a kind has a size: PORTABLE_KIND_INT8 to _LOGICAL64.
func isElement(kind int32) bool { return kind >= 1 && kind <= 12 }
