package instance

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"libportable/exec"
	"libportable/internal/backend"
	"libportable/internal/backend/cuda"
	"libportable/internal/backend/host"
	"libportable/internal/outside"
	"libportable/internal/settings"
)

// Launching holds the settings of the launch engine; part of Settings.
type Launching struct {
	Device   string // name of the default device
	Threads  int    // 0: as many as the machine has
	Stack    uint64 // bytes of a worker's stack
	Schedule exec.Schedule
	B4B      bool // launches that ask for it run serially
	TeamSize int  // members of a team of the host; 0 and 1: one
	Own      bool // arrays of a device are in its own memory, not in managed memory
	// ManagedPool says that the default pool is of managed memory; set when the launch engine starts.
	ManagedPool bool
	// Home is a device of the driver of managed and pinned memory; set then, too.
	Home int
}

// spin is how long an idle worker looks for work. If it were longer, an OpenMP region or another rank between two
// launches would find its processors busy. If it were shorter, each launch would have to wake threads.
const spin = 40 * time.Microsecond

// Sizes of workers' stacks without a setting. Fortran's automatic arrays are there under -fstack-arrays; untouched
// memory costs nothing.
const (
	defaultStack = 64 << 20
	leastStack   = 64 << 10
	mostStack    = 1 << 40
)

// Serial and Threads are the numbers of the devices that every process has; C uses the same.
const (
	Serial  = 1
	Threads = 2
)

// AddDevice adds a device of the program or of another library before the library starts. It gets the next number.
func (in *Instance) AddDevice(d backend.Device) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.devices.Load() != nil {
		return fmt.Errorf("%w: a device is added before portable_init, not while the library runs", ErrState)
	}
	in.further = append(in.further, d)
	return nil
}

// Devices returns the devices while the library runs.
func (in *Instance) Devices() (*exec.Devices, error) {
	if d := in.devices.Load(); d != nil {
		return d, nil
	}
	return nil, fmt.Errorf("%w: no device yet; call portable_init first", ErrState)
}

// deviceNames lists the values of PORTABLE_DEVICE.
func (in *Instance) deviceNames() (names []string) {
	return namesOf(in.deviceList())
}

func (in *Instance) deviceList() []backend.Device {
	return slices.Concat([]backend.Device{host.Serial{}, host.Threads{}}, host.Owns(), in.further, in.cudaList())
}

// launching reads the settings of launches; the request wins.
func (r *reader) launching(q Request, devices []string) Launching {
	l := Launching{Device: "threads", Schedule: exec.Static}
	if value, ok := r.env.Lookup(settings.Device); ok && value != "" {
		if known := fold(devices, value); known != "" || asksForCuda(value) != nil {
			l.Device = cmp.Or(known, strings.TrimSpace(value))
		} else {
			r.warn(settings.Device, value, "there is no such device; there are "+join(devices)+exec.Hint(value), l.Device)
		}
	}
	if q.Device != "" {
		l.Device = q.Device
	}
	l.Threads = r.threads(settings.Threads, false, "as many as there are processors")
	if l.Threads == 0 {
		l.Threads = r.threads(settings.OpenMPThreads, true, "as many as there are processors")
	}
	if q.Threads != 0 {
		l.Threads = q.Threads
	}
	l.Stack = r.stack(settings.OpenMPStackSize, 1<<10)
	l.Stack = orElse(r.stack(settings.StackSize, mib), l.Stack)
	l.Stack = orElse(q.Stack, l.Stack)
	if l.Stack == 0 {
		l.Stack = max(defaultStack, host.StackLimit())
	}
	if value, ok := r.env.Lookup(settings.Schedule); ok && value != "" {
		if s, why := exec.ParseSchedule(value); why == "" {
			l.Schedule = s
		} else {
			r.warn(settings.Schedule, value, why, "static")
		}
	}
	l.B4B = r.word(settings.BitForBit, false, "0")
	l.TeamSize = r.teamSize()
	l.Own = !r.word(settings.Managed, true, "1") && !l.B4B
	return l
}

// mostMembers is PORTABLE__CREW_MOST.
const mostMembers = 1024

func (r *reader) teamSize() int {
	value, ok := r.env.Lookup(settings.TeamSize)
	if !ok || value == "" {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || n < 1 || n > mostMembers {
		r.warn(settings.TeamSize, value, "a whole number from 1 to "+strconv.Itoa(mostMembers)+" is wanted", "1")
		return 0
	}
	return n
}

func (r *reader) threads(name string, levels bool, used string) int {
	value, ok := r.env.Lookup(name)
	if !ok || value == "" {
		return 0
	}
	n, why := exec.ParseThreads(value, levels)
	if why != "" {
		r.warn(name, value, why, used)
	}
	return n
}

// stack reads the size of a stack; 0 if the variable is not set or invalid.
func (r *reader) stack(name string, unit uint64) uint64 {
	bytes := r.size(name, unit, 0, "the default")
	if bytes == 0 {
		return 0
	}
	if fit := min(max(bytes, leastStack), mostStack); fit != bytes {
		value, _ := r.env.Lookup(name)
		r.warn(name, value, "a stack has from 64 KB to 1 TB", strconv.FormatUint(fit, 10)+" bytes")
		return fit
	}
	return bytes
}

// checkRequest refuses devices and numbers in the program's request that do not exist. The same in a variable only gets
// a warning.
func (in *Instance) checkRequest(q Request) error {
	if q.Device != "" && fold(in.deviceNames(), in.resolve(q.Device)) == "" {
		return fmt.Errorf("%w: \"%s\", which the program asks for at portable_init%s", exec.ErrNoDevice, outside.Value(q.Device), in.missing(q.Device))
	}
	if q.Threads < 0 || q.Threads > exec.MaxThreads {
		return fmt.Errorf("%w: num_threads is %d; it is 1 to %d, or 0 for the default", ErrArgument, q.Threads, exec.MaxThreads)
	}
	if q.Stack != 0 && (q.Stack < leastStack || q.Stack > mostStack) {
		return fmt.Errorf("%w: stack_bytes is %d; it is %d to %d, or 0 for the default", ErrArgument, q.Stack, uint64(leastStack), uint64(mostStack))
	}
	return nil
}

// startLaunchingLocked makes the devices and sets up the team. The caller holds the team, unless it is inside a kernel.
func (in *Instance) startLaunchingLocked(l Launching) {
	if team := in.team; team == nil {
		in.print("portable: warning: the library is started inside a kernel; its threads stay as they were")
	} else {
		n, cpus := l.Threads, team.CPUs()
		if n == 0 {
			n = exec.Threads(exec.Machine{CPUs: cpus, Quota: host.Quota("/"), Ranks: in.sharers(cpus)})
		}
		_ = team.Set(n, cpus, spin, l.Stack, false)
	}
	list := in.deviceList()
	number := 1 + slices.IndexFunc(list, func(d backend.Device) bool { return d.Name() == fold(in.deviceNames(), l.Device) })
	in.numberLocked(namesOf(list), len(list)-len(in.cudas)+1)
	if in.fronts.Launching != nil {
		l.ManagedPool, l.Home = in.managed, in.homeLocked()
		in.fronts.Launching(l)
	}
	in.devices.Store(exec.NewDevices(list, number, in.fronts.Device))
}

// stopLaunchingLocked ends the team's threads. The driver's devices lose their numbers; pools release their memory
// later.
func (in *Instance) stopLaunchingLocked() {
	in.devices.Store(nil)
	cuda.Number(0)
	if in.team != nil {
		in.team.Stop()
	}
}

// SetThreads changes how many threads share a launch.
func (in *Instance) SetThreads(n int) error {
	notYet := fmt.Errorf("%w: the number of threads is set after portable_init; before it, by %s", ErrState, settings.Threads)
	if in.devices.Load() == nil {
		return notYet
	}
	defer in.lockWithTeam()()
	if in.team == nil {
		return fmt.Errorf("%w: %w", ErrArgument, host.ErrInKernel)
	}
	if in.devices.Load() == nil {
		return notYet
	}
	team := in.team
	if n < 1 || n > exec.MaxThreads {
		return fmt.Errorf("%w: %d threads; it is 1 to %d", ErrArgument, n, exec.MaxThreads)
	}
	return team.Set(n, team.CPUs(), spin, in.running.Launch.Stack, true)
}

// localSizes are the variables with which launchers pass the number of ranks on this node.
var localSizes = []string{"OMPI_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE", "PALS_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE"}

// sharers is the number of ranks that share this process's processors: all on the node, unless the launcher has bound
// ranks.
func (in *Instance) sharers(cpus int) int {
	if !host.Unbound(cpus) {
		return 0
	}
	for _, name := range localSizes {
		if n := in.number(name); n != NoRank {
			return min(n, math.MaxInt16)
		}
	}
	return 0
}
