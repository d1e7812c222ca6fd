package backend

// Work is one launch, as a device sees it: units of work that are numbered, and a function that does them.
type Work struct {
	Label string
	// Units is how many there are, from 0 on; at least 1.
	Units int64
	// Grain is how many units to take at a time; 0: each worker gets one part, the same one in every launch
	// of as many units.
	Grain int64
	// Run does the units from..to-1 as worker number `worker`, which is below the device's Workers. Different workers
	// may run at once, one worker only in one place. A kernel is the user's code: it must run on a thread that
	// is not Go's, with room for large automatic arrays; so a device calls Run on the thread that launched, or
	// on threads that internal/team or its own C made.
	Run func(worker int, from, to int64)
	// Failed says that a kernel has failed: units that have not begun may be left out.
	Failed func() bool
}

// Device runs launches.
//
// Pre: Work is as described there. Post: Launch returns when each unit has been in exactly one call of Run, or
// when Failed; nothing of Work is used after that. Launch may be called from several threads at once and
// from inside Run, where it must come to its end even if every worker is busy.
type Device interface {
	// Name is the word by which users choose it: "serial", "threads", "cuda:0". Lower case.
	Name() string
	// Workers is how many calls of Run there are at once at most.
	Workers() int
	Launch(Work)
}
