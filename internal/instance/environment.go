package instance

import (
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"libportable/gator"
	"libportable/internal/guard"
	"libportable/internal/outside"
	"libportable/internal/settings"
	"libportable/internal/spelling"
)

// Environment reads the variables of the program. It asks C, because Go's copy is older than changes that the program
// has made since its start.
type Environment struct {
	Lookup func(name string) (value string, ok bool)
	Names  func() []string
	// Refused lists the variables that are set, but that Lookup does not return: they name a file, a folder or a
	// library, and the program is privileged. It is nil if there are none.
	Refused func() []string
	// HugePages says whether slabs ask for huge pages where the environment does not. Nil: they do.
	HugePages func() bool
}

// HugePages says whether slabs ask for huge pages on this machine, which it reads once.
var HugePages = sync.OnceValue(func() bool {
	return !settings.ReportsFreePages(func(path string) string {
		text, _ := outside.ReadFile(path, 4096)
		return string(text)
	})
})

// Settings hold what the environment and the program ask for. Sizes are in bytes.
type Settings struct {
	Pool      bool // false: the system serves each block
	FastPath  bool
	HugePages bool
	Initial   uint64
	Sized     bool   // the size of the first slab was set
	Grow      uint64 // 0: doubling
	Block     uint64
	Limit     uint64 // 0: no limit
	Launch    Launching
	Watch     Watching
	Memory    guard.Guarding // PORTABLE_CHECK=memory; the zero value without
	Profile   Profile
}

// Choice is on, off or unset.
type Choice int8

// Set takes the numbers of C: positive is on, negative off, 0 unset.
func (c *Choice) Set(n int) {
	switch {
	case n > 0:
		*c = 1
	case n < 0:
		*c = -1
	}
}

func (c Choice) orElse(otherwise bool) bool {
	if c == 0 {
		return otherwise
	}
	return c > 0
}

// Request holds the settings that the program passes in code; 0 leaves a setting to the environment.
type Request struct {
	Pool, FastPath              Choice
	Initial, Grow, Block, Limit uint64
	Device                      string
	Threads                     int
	Stack                       uint64
}

// Limits for the blocks that portable::allocate takes from the pool. Below the least, the library's own small
// allocations would come from the pool.
const (
	defaultAllocateFrom = 64 << 10
	leastAllocateFrom   = 4096
)

const mib = 1 << 20

// reader reads variables and collects one warning for each invalid value.
type reader struct {
	env      Environment
	warnings []string
}

func (r *reader) warn(name, value, why, used string) {
	r.warnings = append(r.warnings, fmt.Sprintf("%s='%s' is invalid (%s); using %s", name, outside.Value(value), outside.Clean(why), outside.Value(used)))
}

// readSettings reads all variables. The request wins over them, except for GATOR_DISABLE.
func readSettings(env Environment, q Request, devices []string) (Settings, []string) {
	r := &reader{env: env}
	s := Settings{}
	s.Pool = !r.word(settings.Disable, false, "the pool") && q.Pool.orElse(true)
	s.FastPath = q.FastPath.orElse(r.word(settings.FastPath, true, "1"))
	s.HugePages = r.word(settings.HugePages, env.HugePages == nil || env.HugePages(), "the default")
	limit := r.size(settings.Limit, mib, 0, "no limit")
	initial := r.size(settings.Initial, mib, 0, "64 MB")
	grow := r.size(settings.Grow, mib, 0, "doubling")
	block := r.block()
	r.twins()      // only warns
	r.hostMemory() // only warns
	r.mpiDevice()  // only warns
	r.cache()
	r.allocateFrom() // C reads it too, earlier and without a warning (gator/front/serve.c)
	s.Launch = r.launching(q, devices)
	s.Watch = r.watching()
	s.Memory = r.memcheck(s.Watch.Checks)
	s.Profile = r.profile()
	s.Limit = orElse(q.Limit, limit)
	s.Grow = orElse(q.Grow, grow)
	s.Block = orElse(q.Block, block)
	if s.Limit > 0 && s.Block > s.Limit && q.Block == 0 {
		s.Block = r.blockWithin(s.Limit)
	}
	s.Initial = orElse(q.Initial, initial)
	s.Sized = s.Initial != 0
	if s.Initial == 0 {
		s.Initial = gator.DefaultInitial
	}
	if s.Limit > 0 && s.Initial > s.Limit && q.Initial == 0 {
		if initial > 0 {
			r.warn(settings.Initial, strconv.FormatUint(initial/mib, 10), "it is more than the limit", "the limit")
		}
		s.Initial = s.Limit
	}
	if env.Refused != nil {
		if names := env.Refused(); len(names) > 0 {
			r.warnings = append(r.warnings, fmt.Sprintf("this program has privileges that its user may not have (AT_SECURE), so variables that name files or libraries are ignored: %s; "+
				"start it without set-user-ID and capabilities to use them", join(names)))
		}
	}
	for _, name := range env.Names() {
		if (strings.HasPrefix(name, "PORTABLE_") || strings.HasPrefix(name, "GATOR_")) && !slices.Contains(settings.Names(), name) {
			r.warnings = append(r.warnings, unknownVariable(name))
		}
	}
	return s, r.warnings
}

// unknownVariable is the warning for a variable that this version does not know.
func unknownVariable(name string) string {
	remedy := "docs/build/environment.md lists the variables"
	if near := spelling.Nearest(name, settings.Names()); near != "" {
		remedy = "did you mean " + near + "?"
	}
	return fmt.Sprintf("%s is not known to this version and is ignored; %s", outside.Value(name), remedy)
}

func join(words []string) string { return strings.Join(words, ", ") }

// fold finds a word in a list and ignores case; "" if it is not there.
func fold(list []string, word string) string {
	for _, w := range list {
		if strings.EqualFold(w, strings.TrimSpace(word)) {
			return w
		}
	}
	return ""
}

func orElse(a, b uint64) uint64 {
	if a != 0 {
		return a
	}
	return b
}

// word reads a yes or no.
func (r *reader) word(name string, otherwise bool, used string) bool {
	value, ok := r.env.Lookup(name)
	if !ok || value == "" {
		return otherwise
	}
	if yes, isWord := settings.YesOrNo(value); isWord {
		return yes
	}
	r.warn(name, value, "yes or no is wanted", used)
	return otherwise
}

// size reads a size; a number without a unit counts in `unit` bytes.
func (r *reader) size(name string, unit, otherwise uint64, used string) uint64 {
	value, ok := r.env.Lookup(name)
	if !ok || value == "" {
		return otherwise
	}
	bytes, why := settings.ParseSize(value, unit)
	if why == "" && bytes == 0 {
		why = "it is zero"
	}
	if why != "" {
		r.warn(name, value, why, used)
		return otherwise
	}
	return bytes
}

// allocateFrom reads the least size of blocks that portable::allocate takes from the pool.
func (r *reader) allocateFrom() uint64 {
	from := r.size(settings.AllocateFrom, 1, defaultAllocateFrom, "64 KB")
	if from < leastAllocateFrom {
		value, _ := r.env.Lookup(settings.AllocateFrom)
		r.warn(settings.AllocateFrom, value, fmt.Sprintf("it is less than %d", leastAllocateFrom), strconv.Itoa(leastAllocateFrom))
		return leastAllocateFrom
	}
	return from
}

// twins warns of an invalid value; C reads the variable when a twin is made (arrays/owner/twin.c).
func (r *reader) twins() {
	if value, ok := r.env.Lookup(settings.Twins); ok && value != "separate" && value != "" && !settings.IsNo(value) {
		r.warn(settings.Twins, value, "separate is the only word", "one memory if that is enough")
	}
}

// hostMemory warns of an invalid value. C reads the variable when a kernel of a device gets memory of the host
// (exec/launch/reach.c, exec/stage/stage.c).
func (r *reader) hostMemory() {
	value, ok := r.env.Lookup(settings.HostMemory)
	if ok && value != "" && !slices.Contains([]string{"error", "copy", "warn", "allow"}, value) {
		r.warn(settings.HostMemory, value, "there are error, copy, warn and allow", "error, and copy for generated launches")
	}
}

// mpiDevice warns of an invalid value. C reads the variable at the first exchange of ghost cells (exec/halo/device.c).
func (r *reader) mpiDevice() {
	if value, ok := r.env.Lookup(settings.MPIDevice); ok && value != "" && value != "0" && value != "1" {
		r.warn(settings.MPIDevice, value, "it is 0 or 1", "what MPI says")
	}
}

// cache warns of a folder from which no image is loaded (internal/backend/cuda/cache.go), because each run then
// compiles its kernels.
func (r *reader) cache() {
	value, _ := r.env.Lookup(settings.Cache)
	if info, err := os.Stat(value); value == "" || value == "off" || value == "0" || err != nil || !info.IsDir() {
		return
	}
	if err := outside.TrustedFolder(value); err != nil {
		r.warn(settings.Cache, value, err.Error(), "no cache")
	}
}

// AllocateFrom returns the value that C must read from PORTABLE_ALLOCATE_FROM; a test compares the two.
func AllocateFrom(env Environment) uint64 { return (&reader{env: env}).allocateFrom() }

// block reads the granule. A value that is no power of two is rounded up to one.
func (r *reader) block() uint64 {
	block := r.size(settings.Block, 1, gator.DefaultBlock, fmt.Sprint(gator.DefaultBlock))
	if bits.OnesCount64(block) == 1 && block >= gator.MinBlock && block <= gator.MaxBlock {
		return block
	}
	fit := min(max(uint64(1)<<min(bits.Len64(block-1), 62), gator.MinBlock), gator.MaxBlock)
	value, _ := r.env.Lookup(settings.Block)
	r.warn(settings.Block, value, fmt.Sprintf("a power of two from %d to %d is wanted", gator.MinBlock, gator.MaxBlock), strconv.FormatUint(fit, 10))
	return fit
}

// blockWithin returns the largest granule below a limit that is smaller than the requested granule.
func (r *reader) blockWithin(limit uint64) uint64 {
	block := max(uint64(1)<<(bits.Len64(limit)-1), gator.MinBlock)
	value, _ := r.env.Lookup(settings.Block)
	r.warn(settings.Block, value, "it is more than the limit", strconv.FormatUint(block, 10))
	return block
}
