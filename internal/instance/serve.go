package instance

import (
	"libportable/gator"

	"libportable/internal/settings"
)

// ServedLabel is the label of the blocks that portable::allocate takes for a program's own ALLOCATE.
const ServedLabel = "ALLOCATE"

// Serve starts the library for portable::allocate, which then uses the default pool until the process ends: the
// program's arrays are in it, and the library does not know when the last one is freed. Serve adds no participant that
// the program sees: start, stop and leak report of others are as without it. It returns false if there is no pool to
// serve from: GATOR_DISABLE, or no memory for the first slab.
func (in *Instance) Serve() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.defaultPool.Load() == nil {
		if s, _ := readSettings(in.env, Request{}, in.deviceNames()); !s.Pool && (!s.Memory.On || in.fronts.Tool) {
			return false
		}
		if err := in.startLocked(Request{}, false); err != nil {
			return false
		}
	}
	in.serving = in.running.Pool || in.running.Memory.On
	return in.serving
}

// ServeWatch starts the log, the trace and checks of memory, as the environment asks, for a program that links
// portable::allocate and may never start the library. It makes no pool, so a program can still configure it in code. It
// returns whether memory is checked.
func (in *Instance) ServeWatch() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	set, warnings := readSettings(in.env, Request{}, in.deviceNames())
	for _, w := range warnings {
		in.warnOnceLocked(w)
	}
	in.guardLocked(&set)
	in.tuneLocked()
	in.startTellingLocked(set)
	return set.Memory.On
}

// ReportServed is the report of PORTABLE_PROFILE for a program that only links portable::allocate, at its exit: the
// numbers of the pool. There are no timers and no last finalize. If another thread holds the lock at exit, there is no
// report, because it may never release it.
func (in *Instance) ReportServed() {
	if !in.mu.TryLock() {
		return
	}
	defer in.mu.Unlock()
	pool := in.defaultPool.Load()
	profile := in.running.Profile
	if pool == nil {
		set, _ := readSettings(in.env, Request{}, in.deviceNames())
		profile = set.Profile
	}
	if in.joined || profile.Timers == timersOff {
		return
	}
	text := "portable::allocate served nothing: GATOR_DISABLE is set, or no array or block was as large as PORTABLE_ALLOCATE_FROM\n"
	if pool != nil {
		text = "portable::allocate served this program's ALLOCATE, malloc and new from " + gator.Report(pool)
	}
	text += "  (there are no timers: the program calls no function of the library)"
	if profile.Report {
		in.show(text, profile.AllRanks)
	}
	for _, path := range []string{profile.Text, profile.JSON} {
		if path != "" {
			in.print("portable: warning: " + settings.Profile + ": no file '" + path + "' is written: the program has no timers; its pool is reported by " + settings.Profile + "=1")
		}
	}
}

// emptyPool lists and releases the blocks that participants forgot, in a pool that continues.
func (in *Instance) emptyPool(p *Pool) {
	if text := leaks(p); text != "" {
		in.print("portable: warning: " + text + "; released now")
	}
	// It works in parts, because Go may have no memory for a list of all blocks.
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
			return // a block that cannot be freed would be found in each round
		}
	}
}
