package backend

// Work is one launch as a device sees it: numbered units of work, and the function that runs them.
type Work struct {
	Label string
	// Units is their number, at least 1; they are numbered from 0.
	Units int64
	// Grain is the number of units to take at a time. 0: each worker gets one part, the same one in every launch
	// with as many units.
	Grain int64
	// Run runs the units from..to-1 as worker number `worker`, which is below the device's Workers. Different workers
	// may run at once; one worker runs one call at a time. A kernel is the user's code: it needs a thread that is not
	// Go's, with a stack for large automatic arrays. So a device calls Run on the thread that launched, or on threads
	// that internal/team or its own C made.
	Run func(worker int, from, to int64)
	// Failed says that a kernel has failed: units that have not begun may be left out.
	Failed func() bool
}

// Device runs launches.
//
// Before: Work is as described there. After: Launch returns when each unit was in exactly one call of Run, or
// when Failed; then it uses nothing of Work any more. Several threads may call Launch at once. Run may call it too;
// such a launch must end even if every worker is busy.
type Device interface {
	// Name is the word by which users choose the device: "serial", "threads", "cuda:0". Lower case.
	Name() string
	// Workers is the largest number of calls of Run at once.
	Workers() int
	Launch(Work)
}
