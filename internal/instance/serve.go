package instance

import "libportable/gator"

// ServedLabel is the label of the blocks that portable::allocate gives to a program's own ALLOCATE.
const ServedLabel = "ALLOCATE"

// Serve starts the library for portable::allocate, which then holds the default pool until the process ends:
// the program's arrays live in it, and nobody knows when the last one is gone. This is no participant that the
// program sees: start, stop and leak report of the others are as without it. False when there is no pool to
// serve from: GATOR_DISABLE, or no memory for the first slab.
func (in *Instance) Serve() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.defaultPool.Load() == nil {
		if s, _ := settings(in.env, Request{}, in.deviceNames()); !s.Pool && (!s.Memory.On || in.fronts.Tool) {
			return false
		}
		if err := in.startLocked(Request{}, false); err != nil {
			return false
		}
	}
	in.serving = in.running.Pool || in.running.Memory.On
	return in.serving
}

// ServeWatch starts what the environment says of the log, the trace and checks of memory, for a program that has portable::allocate and may
// never start the library. The pool is not made: a program that configures it in code still can. It says whether memory is checked.
func (in *Instance) ServeWatch() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	set, warnings := settings(in.env, Request{}, in.deviceNames())
	for _, w := range warnings {
		in.warnOnceLocked(w)
	}
	in.guardLocked(&set)
	in.tuneLocked()
	in.startTellingLocked(set)
	return set.Memory.On
}

// emptyPool lists and releases what participants forgot in a pool that goes on.
func (in *Instance) emptyPool(p *Pool) {
	if text := leaks(p); text != "" {
		in.print("portable: warning: " + text + "; released now")
	}
	// In parts, because a list of all blocks may be more than Go has memory for.
	var part [8192]uintptr
	for n := len(part); n == len(part); {
		n = 0
		p.Each(func(b gator.Block) bool {
			if isLeft(b) {
				part[n] = b.Addr
				n++
			}
			return n < len(part)
		})
		freed := 0
		for _, addr := range part[:n] {
			if err := p.Free(addr); err != nil {
				in.print("portable: warning: " + err.Error())
			} else {
				freed++
			}
		}
		if freed == 0 {
			return // what can not be freed would be found again and again
		}
	}
}
