package instance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/exec"
	"libportable/internal/backend/host"
	"libportable/internal/guard"
)

// variables is an environment made of a table.
func variables(table map[string]string) Environment {
	return Environment{
		Lookup: func(name string) (string, bool) { v, ok := table[name]; return v, ok },
		Names: func() (names []string) {
			for name := range table {
				names = append(names, name)
			}
			return names
		},
	}
}

func TestSettings(t *testing.T) {
	launch := Launching{Device: "threads", Schedule: exec.Static, Stack: max(defaultStack, host.StackLimit())}
	normal := Settings{Pool: true, FastPath: true, HugePages: true, Initial: 64 * mib, Block: 128, Launch: launch}
	launching := func(change func(*Launching)) Settings { s := normal; change(&s.Launch); return s }
	with := func(change func(*Settings)) Settings { s := normal; change(&s); return s }
	memory := func(change func(*guard.Guarding)) Settings {
		s := normal
		s.Watch.Checks = checkMemory
		s.Watch.Trace = Trace{Pattern: "1", Wanted: MemoryChecks | MemoryPrints}
		s.Memory = guard.Guarding{On: true, Exact: true, Precise: true, Stack: 16, Max: 1, Budget: 2048 * mib, Quarantine: 1024 * mib}
		if change != nil {
			change(&s.Memory)
		}
		return s
	}
	memcheck := func(options string) map[string]string {
		return map[string]string{"PORTABLE_CHECK": "memory", "PORTABLE_MEMCHECK": options}
	}
	for _, c := range []struct {
		name    string
		env     map[string]string
		request Request
		want    Settings
		warning string // part of the only warning; "" if there is none
	}{
		{name: "defaults", want: normal},
		{name: "sizes", env: map[string]string{"GATOR_INITIAL_MB": "4GB", "GATOR_GROW_MB": "10", "GATOR_BLOCK_BYTES": "4096", "PORTABLE_LIMIT_MB": "8000MB"},
			want: with(func(s *Settings) {
				s.Initial, s.Sized, s.Grow, s.Block, s.Limit = 4096*mib, true, 10*mib, 4096, 8000*mib
			})},
		{name: "code wins", env: map[string]string{"GATOR_INITIAL_MB": "4GB", "GATOR_BLOCK_BYTES": "4096", "PORTABLE_FASTPATH": "0"},
			request: Request{Initial: mib, Block: 64, FastPath: 1},
			want:    with(func(s *Settings) { s.Initial, s.Sized, s.Block = mib, true, 64 })},
		{name: "disable", env: map[string]string{"GATOR_DISABLE": "1"}, want: with(func(s *Settings) { s.Pool = false })},
		{name: "disable wins over code", env: map[string]string{"GATOR_DISABLE": "YES"}, request: Request{Pool: 1}, want: with(func(s *Settings) { s.Pool = false })},
		{name: "disable no", env: map[string]string{"GATOR_DISABLE": "0"}, want: normal},
		{name: "code disables", env: map[string]string{"GATOR_DISABLE": "0"}, request: Request{Pool: -1}, want: with(func(s *Settings) { s.Pool = false })},
		{name: "disable maybe", env: map[string]string{"GATOR_DISABLE": "maybe"}, want: normal, warning: "GATOR_DISABLE='maybe' is invalid (yes or no is wanted); using the pool"},
		{name: "initial nonsense", env: map[string]string{"GATOR_INITIAL_MB": "-17"}, want: normal, warning: "GATOR_INITIAL_MB='-17' is invalid (a size such as 4000, 4000MB or 4GB is wanted); using 64 MB"},
		{name: "initial zero", env: map[string]string{"GATOR_INITIAL_MB": "0"}, want: normal, warning: "GATOR_INITIAL_MB='0' is invalid (it is zero)"},
		{name: "block odd", env: map[string]string{"GATOR_BLOCK_BYTES": "192"}, want: with(func(s *Settings) { s.Block = 256 }), warning: "GATOR_BLOCK_BYTES='192' is invalid (a power of two from 64 to 1073741824 is wanted); using 256"},
		{name: "block small", env: map[string]string{"GATOR_BLOCK_BYTES": "16"}, want: with(func(s *Settings) { s.Block = 64 }), warning: "using 64"},
		{name: "block large", env: map[string]string{"GATOR_BLOCK_BYTES": "8GB"}, want: with(func(s *Settings) { s.Block = 1 << 30 }), warning: "using 1073741824"},
		{name: "limit below the default", env: map[string]string{"PORTABLE_LIMIT_MB": "10"}, want: with(func(s *Settings) { s.Limit, s.Initial = 10*mib, 10*mib })},
		{name: "limit below initial", env: map[string]string{"PORTABLE_LIMIT_MB": "10", "GATOR_INITIAL_MB": "20"}, want: with(func(s *Settings) { s.Limit, s.Initial, s.Sized = 10*mib, 10*mib, true }), warning: "GATOR_INITIAL_MB='20' is invalid (it is more than the limit)"},
		{name: "limit below block", env: map[string]string{"PORTABLE_LIMIT_MB": "100", "GATOR_BLOCK_BYTES": "1GB"}, want: with(func(s *Settings) { s.Limit, s.Block = 100*mib, 64*mib }), warning: "GATOR_BLOCK_BYTES='1GB' is invalid (it is more than the limit); using 67108864"},
		{name: "allocate from", env: map[string]string{"PORTABLE_ALLOCATE_FROM": "16KB"}, want: normal},
		{name: "allocate from nonsense", env: map[string]string{"PORTABLE_ALLOCATE_FROM": "all"}, want: normal, warning: "PORTABLE_ALLOCATE_FROM='all' is invalid (a size such as 4000, 4000MB or 4GB is wanted); using 64 KB"},
		{name: "allocate from everything", env: map[string]string{"PORTABLE_ALLOCATE_FROM": "1"}, want: normal, warning: "PORTABLE_ALLOCATE_FROM='1' is invalid (it is less than 4096); using 4096"},
		{name: "device", env: map[string]string{"PORTABLE_DEVICE": "Serial"}, want: launching(func(l *Launching) { l.Device = "serial" })},
		{name: "device of the code wins", env: map[string]string{"PORTABLE_DEVICE": "threads"}, request: Request{Device: "serial"}, want: launching(func(l *Launching) { l.Device = "serial" })},
		{name: "device unknown", env: map[string]string{"PORTABLE_DEVICE": "gpu"}, want: normal, warning: "PORTABLE_DEVICE='gpu' is invalid (there is no such device; there are serial, threads); using threads"},
		{name: "threads", env: map[string]string{"PORTABLE_NUM_THREADS": "3", "OMP_NUM_THREADS": "5"}, want: launching(func(l *Launching) { l.Threads = 3 })},
		{name: "threads of OpenMP", env: map[string]string{"OMP_NUM_THREADS": "5,2"}, want: launching(func(l *Launching) { l.Threads = 5 })},
		{name: "threads of the code win", env: map[string]string{"PORTABLE_NUM_THREADS": "3"}, request: Request{Threads: 7}, want: launching(func(l *Launching) { l.Threads = 7 })},
		{name: "threads zero", env: map[string]string{"PORTABLE_NUM_THREADS": "0"}, want: normal, warning: "PORTABLE_NUM_THREADS='0' is invalid (it is less than 1); using as many as there are processors"},
		{name: "stack", env: map[string]string{"PORTABLE_STACKSIZE": "512", "OMP_STACKSIZE": "8M"}, want: launching(func(l *Launching) { l.Stack = 512 * mib })},
		{name: "stack of OpenMP counts in kilobytes", env: map[string]string{"OMP_STACKSIZE": "4096"}, want: launching(func(l *Launching) { l.Stack = 4 * mib })},
		{name: "stack too small", env: map[string]string{"PORTABLE_STACKSIZE": "1KB"}, want: launching(func(l *Launching) { l.Stack = leastStack }), warning: "PORTABLE_STACKSIZE='1KB' is invalid (a stack has from 64 KB to 1 TB); using 65536 bytes"},
		{name: "schedule", env: map[string]string{"PORTABLE_SCHEDULE": "dynamic"}, want: launching(func(l *Launching) { l.Schedule = exec.Dynamic })},
		{name: "schedule unknown", env: map[string]string{"PORTABLE_SCHEDULE": "guided"}, want: normal, warning: "PORTABLE_SCHEDULE='guided' is invalid (static or dynamic is wanted); using static"},
		{name: "members of a team", env: map[string]string{"PORTABLE_TEAM_SIZE": " 8"}, want: launching(func(l *Launching) { l.TeamSize = 8 })},
		{name: "no members of a team", env: map[string]string{"PORTABLE_TEAM_SIZE": "0"}, want: normal, warning: "PORTABLE_TEAM_SIZE='0' is invalid (a whole number from 1 to 1024 is wanted); using 1"},
		{name: "own memory", env: map[string]string{"PORTABLE_MANAGED": "0"}, want: launching(func(l *Launching) { l.Own = true })},
		{name: "own memory of runs bit for bit", env: map[string]string{"PORTABLE_MANAGED": "no", "PORTABLE_B4B": "1"}, want: launching(func(l *Launching) { l.B4B = true })},
		{name: "messages of devices", env: map[string]string{"PORTABLE_MPI_DEVICE": "1"}, want: normal},
		{name: "messages of devices unknown", env: map[string]string{"PORTABLE_MPI_DEVICE": "yes"}, want: normal, warning: "PORTABLE_MPI_DEVICE='yes' is invalid (it is 0 or 1); using what MPI says"},
		{name: "memory of the host", env: map[string]string{"PORTABLE_HOSTMEM": "warn"}, want: normal},
		{name: "memory of the host with copies", env: map[string]string{"PORTABLE_HOSTMEM": "copy"}, want: normal},
		{name: "memory of the host unknown", env: map[string]string{"PORTABLE_HOSTMEM": "yes"}, want: normal, warning: "PORTABLE_HOSTMEM='yes' is invalid (there are error, copy, warn and allow); using error, and copy for generated launches"},
		{name: "bit for bit", env: map[string]string{"PORTABLE_B4B": "1"}, want: launching(func(l *Launching) { l.B4B = true })},
		{name: "memory", env: map[string]string{"PORTABLE_CHECK": "memory"}, want: memory(nil)},
		{name: "memory with all checks", env: map[string]string{"PORTABLE_CHECK": "all,memory"}, want: with(func(s *Settings) { *s = memory(nil); s.Watch.Checks = 7 })},
		{name: "memory with options", env: map[string]string{"PORTABLE_CHECK": "memory", "PORTABLE_MEMCHECK": " Mode=FAST, guard=both,sample=100,budget=4GB,quarantine=0,fill=yes,precise=no,stack=64,max=7,"},
			want: memory(func(g *guard.Guarding) {
				*g = guard.Guarding{On: true, Guard: guard.GuardBoth, Fill: true, Stack: 64, Max: 7, Sample: 100, Budget: 4096 * mib}
			})},
		{name: "options of nothing", env: map[string]string{"PORTABLE_MEMCHECK": "mode=fast"}, want: normal, warning: "PORTABLE_MEMCHECK says how PORTABLE_CHECK=memory works, which is not set"},
		{name: "memory in an unknown mode", env: memcheck("mode=slow,guard=start"), want: memory(func(g *guard.Guarding) { g.Guard = guard.GuardStart }), warning: "mode=slow: fast or exact is wanted"},
		{name: "memory with an unknown guard", env: memcheck("guard=left"), want: memory(nil), warning: "guard=left: end, start, alternate or both is wanted"},
		{name: "memory with an invalid budget", env: memcheck("budget=much"), want: memory(nil), warning: "budget=much: a size such as"},
		{name: "memory with too many frames", env: memcheck("stack=65"), want: memory(nil), warning: "stack=65: a number from 0 to 64 is wanted"},
		{name: "memory with no findings", env: memcheck("max=0"), want: memory(nil), warning: "max=0: a number from 1 to"},
		{name: "memory with half a fill", env: memcheck("fill"), want: memory(nil), warning: "fill=: yes or no is wanted"},
		{name: "memory with an unknown option", env: memcheck("redzone=5,fill=1"), want: memory(func(g *guard.Guarding) { g.Fill = true }), warning: "there is no redzone; there are mode, guard,"},
		{name: "unknown", env: map[string]string{"PORTABLE_FASTPAHT": "0"}, want: normal, warning: "PORTABLE_FASTPAHT is not known"},
		{name: "unknown gator", env: map[string]string{"GATOR_INITAL_MB": "7"}, want: normal, warning: "GATOR_INITAL_MB is not known"},
		{name: "pages of the usual size", env: map[string]string{"PORTABLE_HUGEPAGES": "no"}, want: with(func(s *Settings) { s.HugePages = false })},
		{name: "empty is unset", env: map[string]string{"GATOR_INITIAL_MB": "", "PORTABLE_FASTPATH": ""}, want: normal},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, warnings := readSettings(variables(c.env), c.request, []string{"serial", "threads"})
			require.Equal(t, c.want, got)
			if c.warning == "" {
				require.Empty(t, warnings)
				return
			}
			require.Len(t, warnings, 1)
			require.Contains(t, warnings[0], c.warning)
			require.False(t, strings.Contains(warnings[0], "\n"), "one line")
		})
	}
}

// The machine decides where the environment does not.
func TestHugePages(t *testing.T) {
	for _, machine := range []bool{true, false} {
		for value, want := range map[string]bool{"": machine, "yes": true, "no": false, "perhaps": machine} {
			env := variables(map[string]string{"PORTABLE_HUGEPAGES": value})
			env.HugePages = func() bool { return machine }
			got, _ := readSettings(env, Request{}, []string{"serial", "threads"})
			require.Equal(t, want, got.HugePages, "%q on a machine that says %v", value, machine)
		}
	}
}
