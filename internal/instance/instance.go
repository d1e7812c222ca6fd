package instance

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"libportable/exec"
	"libportable/gator"
	"libportable/internal/backend"
	"libportable/internal/backend/host"
	"libportable/internal/handle"
	"libportable/internal/outside"
	"libportable/internal/settings"
)

// Failures that concern the library's state, not a pool.
var (
	ErrState  = errors.New("portable")
	ErrLeak   = errors.New("portable: leak")
	ErrHandle = errors.New("portable: no such pool")
	// ErrBusy says that a stream has work. The caller waits for it outside of all locks.
	ErrBusy = errors.New("portable: there is work in a stream")
	// ErrArgument says that a value is invalid.
	ErrArgument = errors.New("portable: bad argument")
)

// Instance is the library of one process.
type Instance struct {
	env    Environment
	fronts Fronts
	write  func(text string) // writes to the program's standard error; see print
	ranks  ranks

	strictOnce sync.Once
	strict     bool

	defaultPool atomic.Pointer[Default] // nil while the library does not run

	mu        sync.Mutex // guards the fields below
	inits     int        // portable_init calls without a portable_finalize so far
	gatorUp   bool
	serving   bool           // portable::allocate uses the pool until the process ends; see Serve
	joined    bool           // there was a participant
	handle    uint64         // handle of the default pool
	cudas     []string       // names of the drivers' devices, in their order
	cudaWhy   error          // why the last search found none
	spaces    map[int]uint64 // handles of the pools of memory other than the default pool's, by space
	managed   bool           // the default pool is of memory that the default device can access too
	running   Settings
	said      map[string]bool // warnings that are printed only once
	beginning beginningLines  // written by ServeWatch, until the first start
	tuned     bool
	reassigns atomic.Bool
	pools     handle.Table[*Pool]
	further   []backend.Device // devices of the program or of other libraries
	tuning    []exec.Tuning    // settings of launches by label, as C has them
	team      *host.Team       // held by the holder of mu; nil: not held, or inside a kernel
	closing   int64            // not 0: the number of the closing in which the last participant waits for the calls in progress
	closings  int64            // how many closings there were

	devices atomic.Pointer[exec.Devices] // nil while the library does not run
}

// Fronts are the functions of C between the program and the instance. The first ones stand before the default pool, with
// the fast path and without, and before blocks under guard; nil is gator.NoFront. Watch, if not nil, wraps each source
// of host slabs, for tools that observe memory. Running, if not nil, is called under the instance's lock when the
// library gets its first participant, when it loses its last one, and before each start: a front must forget what it
// knows of an earlier pool. No function may call the instance.
type Fronts struct {
	FastPath, None gator.Front
	Blocks         gator.Front // with the fast path, for blocks with canaries only
	Watch          func(backend.Source) backend.Source
	Running        func(running bool)
	// Launching gets the settings of launches when the launch engine starts; Device gets the number of the default
	// device after each change. They may be nil.
	Launching func(l Launching)
	// Named gets the names of all devices in the order of their numbers: before the launch engine starts, and when
	// devices are added. It may be nil.
	Named  func(names []string)
	Device func(number int)
	// Tool says whether valgrind or a sanitizer observes each block.
	Tool bool
	// Watchers may be nil: there are no observers.
	Watchers Watchers
	// Timing gets the timers that the environment selects when the launch engine starts; nil: no timers. Timers returns
	// the measurements, and whether the library's own timers made them; WriteFile writes a file by the C library. Both
	// come with Timing.
	Timing    func(which int)
	Timers    func() (timers []exec.Timer, own bool)
	WriteFile func(path, text string) error
	// Fallbacks returns the launches for a device that ran on the host, the slowest first, and the compilers of device
	// versions that were not found; nil: there are none.
	Fallbacks func() ([]exec.Fallback, []string)
	// Staged returns the report of arrays of the host that launches copied to a device; nil: there are none.
	Staged func() string
	// Streams ends all streams when the library stops. If a stream has work it returns busy and changes nothing. It
	// returns the number of streams, and the text of a pending error that no call has returned. It may be nil.
	Streams func() (ended int, lost string, busy bool)
	// Calls are those that use memory of the library over several launches. They may be nil.
	Calls Calls
}

// Default is the default pool.
type Default struct {
	Backing
	FastPath bool
}

// Backing is the implementation of the default pool or of a user's pool.
type Backing interface {
	gator.Allocator
	// AllocateRoom and Labels serve the fast path; see gator.Pool.
	AllocateRoom(bytes, room uint64, label uint32) (uintptr, error)
	Labels() *gator.Labels
}

// New makes an instance that does not run yet.
func New(env Environment, fronts Fronts, print func(line string)) *Instance {
	return &Instance{env: env, fronts: fronts, write: print, said: map[string]bool{}}
}

// Strict is GATOR_STRICT, read once at the first use.
func (in *Instance) Strict() bool {
	in.strictOnce.Do(func() {
		r := &reader{env: in.env}
		in.strict = r.word(settings.Strict, false, "0")
		for _, w := range r.warnings {
			in.printOnNode("portable: warning: " + w)
		}
	})
	return in.strict
}

// warn prints a warning, or under GATOR_STRICT returns an error with the same text.
func (in *Instance) warn(kind error, text string) error {
	if in.Strict() {
		return fmt.Errorf("%w: %s (GATOR_STRICT=1)", kind, text)
	}
	in.print("portable: warning: " + text)
	return nil
}

// warnOnceLocked prints a text about settings or the machine only once: in the life of the process, and on each node.
func (in *Instance) warnOnceLocked(text string) { in.warnLocked(text, in.printOnNode) }

// warnHereLocked is for texts about this rank's own files.
func (in *Instance) warnHereLocked(text string) { in.warnLocked(text, in.print) }

func (in *Instance) warnLocked(text string, print func(string)) {
	if !in.said[text] {
		in.said[text] = true
		print("portable: warning: " + text)
	}
}

// startLocked starts the default pool if it does not run, and for a participant that the program sees also the launch
// engine.
func (in *Instance) startLocked(q Request, participant bool) error {
	in.emulateLocked(q)
	in.openCudaLocked(q)
	if err := in.checkRequest(q); err != nil {
		return err
	}
	set, warnings := readSettings(in.env, q, in.deviceNames())
	warnings = in.chooseLocked(&set.Launch, warnings)
	in.guardLocked(&set)
	pooled, launches := in.defaultPool.Load() != nil, in.devices.Load() != nil
	if pooled && q != (Request{}) {
		now := set
		if !launches {
			now.Launch, now.Watch, now.Profile = in.running.Launch, in.running.Watch, in.running.Profile
		}
		if now != in.running {
			in.warnOnceLocked("the library runs already; the configuration of a further init is ignored")
		}
	}
	if pooled && (launches || !participant) {
		return nil
	}
	if index := in.indexOfCuda(set.Launch.Device); pooled && index >= 0 {
		in.warnOnceLocked(fmt.Sprintf("portable::allocate has made the default pool, of the host's memory, which kernels of %s do not get; their arrays are "+
			"those of portable_pool_of_space(PORTABLE_SPACE_MANAGED, ...)", set.Launch.Device))
	}
	for _, w := range warnings {
		in.warnOnceLocked(w)
	}
	if participant {
		in.startWatchingLocked(set)
	}
	if !pooled {
		in.tuneLocked()
		in.spaces = map[int]uint64{}
		pool, err := in.openLocked(set, q, participant)
		if err != nil {
			in.leaveCudaLocked()
			return err
		}
		n, err := in.keepLocked(pool)
		if err != nil {
			in.leaveCudaLocked()
			return err
		}
		in.running = set
		in.handle = n
		in.defaultPool.Store(pool)
	}
	if !participant {
		return nil
	}
	in.joined = true
	in.running.Launch, in.running.Watch, in.running.Profile = set.Launch, set.Watch, set.Profile
	in.startLaunchingLocked(set.Launch)
	if in.fronts.Timing != nil {
		in.fronts.Timing(set.Profile.Timers)
	}
	return nil
}

// tuneLocked limits the Go runtime: garbage collection is rare, and a few threads are enough for a control plane. With
// a percentage of 400 the heap stays at 16 MB or five times the live memory. So it stays in the 64 MB of address space
// that Go reserves at its start. If Go asks for more and is refused, it ends the program.
func (in *Instance) tuneLocked() {
	if in.tuned {
		return
	}
	in.tuned = true
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(256 * mib)
	runtime.GOMAXPROCS(min(4, runtime.NumCPU()))
}

// leaveLocked is the stop by the last participant: it lists and releases live blocks, in users' pools too, and stops
// the library, unless the default pool serves the program's own ALLOCATE.
func (in *Instance) leaveLocked() error {
	var all []*Pool
	for _, n := range in.pools.All() {
		if p, ok := in.pools.Get(n); ok {
			all = append(all, p)
		}
	}
	if in.Strict() {
		for _, p := range all {
			if err := leakError(p); err != nil {
				return err
			}
		}
	}
	if err := in.endStreamsLocked(); err != nil {
		return err
	}
	in.reportTimersLocked()
	in.logFallbacksLocked()
	in.reportRacesLocked()
	in.reportTuningLocked()
	in.stopLaunchingLocked()
	if in.running.Memory.Picks && in.fronts.Watchers != nil {
		in.fronts.Watchers.Left(in.Left())
	}
	if !in.serving {
		in.defaultPool.Store(nil)
	}
	in.spaces = map[int]uint64{}
	for _, n := range in.pools.All() {
		if in.serving && n == in.handle {
			if p, ok := in.pools.Get(n); ok {
				in.emptyPool(p)
			}
		} else if p, ok := in.pools.Take(n); ok {
			in.closePool(p)
		}
	}
	in.leaveCudaLocked()
	return nil
}

// closePool lists live blocks and releases everything.
func (in *Instance) closePool(p *Pool) {
	if text := leaks(p); text != "" {
		in.print("portable: warning: " + text + "; released now")
	}
	err := p.Close()
	if err != nil {
		err = p.Close() // no later call would try again to release refused slabs
	}
	if err != nil {
		in.print("portable: warning: " + err.Error() + "; it is lost until the program ends")
	}
}

func leakError(p *Pool) error {
	if text := leaks(p); text != "" {
		return fmt.Errorf("%w: %s; deallocate them first (GATOR_STRICT=1)", ErrLeak, text)
	}
	return nil
}

// maxListed bounds the lines of a leak report; a leak in a loop makes many equal ones.
const maxListed = 100

// isLeft says whether a block is live and was forgotten: blocks of the program's own ALLOCATE do not count.
func isLeft(b gator.Block) bool { return !b.Waiting && b.Label != ServedLabel }

// leaks describes the forgotten blocks of a pool; "" if there are none. It keeps the first ones and the sums by label,
// but no list of all blocks: a program that leaks often has no memory left for it.
func leaks(p *Pool) string {
	var first []gator.Block
	var sums gator.Sums
	var bytes uint64
	count := 0
	p.Each(func(b gator.Block) bool {
		if isLeft(b) {
			if len(first) < maxListed {
				first = append(first, b)
			}
			sums.Add(b)
			bytes += b.Bytes
			count++
		}
		return true
	})
	if count == 0 {
		return ""
	}
	var text strings.Builder
	verb := "are"
	if count == 1 {
		verb = "is"
	}
	fmt.Fprintf(&text, "%s with %d bytes %s still live in %s:", gator.Count(count, "block"), bytes, verb, outside.Clean(p.Name()))
	for _, b := range first {
		fmt.Fprintf(&text, "\n  %s  size %d bytes  at %#x", orNone(b.Label), b.Bytes, b.Addr)
	}
	if count > maxListed {
		fmt.Fprintf(&text, "\n  and %d more; all of them by label:", count-maxListed)
		for _, l := range sums.Largest() {
			fmt.Fprintf(&text, "\n  %s  %d bytes in %s", orNone(l.Label), l.Bytes, gator.Count(int(l.Blocks), "block"))
		}
	}
	return text.String()
}

func orNone(label string) string {
	if label == "" {
		return "(no label)"
	}
	return outside.Clean(label)
}
