package exec

// This file has the definition of an event, and the refusal of one too many.

// An event names a point in a stream (streams.go): all work that the stream had when the event was recorded. Recording copies the point, so the event
// may be recorded again, or destroyed, while other threads and streams wait for the earlier point. An event that was never recorded is done. A destroyed
// stream is empty, so its points are done.
//
// Creation and recording are C: creation costs as much as a call into Go. The refusals are here and in StreamCall.

// MaxEvents is the limit of events at a time, that of all handles of one kind.
const MaxEvents = 1024 << 6

func noEvent(call string) Refusal {
	return refuse(NoMemory, "%s: there are %d events, or no memory for more; destroy events that are not needed", call, MaxEvents)
}
