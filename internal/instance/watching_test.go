package instance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/exec"
	"libportable/gator"
	"libportable/internal/backend/fake"
	"libportable/internal/settings"
)

// notified records the calls of observers.
type notified struct {
	tools, arguments, log string
	lines                 []string
	checks                uint32
	trace                 string
	made                  bool // the name of the last file is the library's
	wanted                uint32
	meta                  []string
	tuned                 [][]exec.Tuning
	logFails, full        bool
	misspelt              bool // no launch has a label that is tuned
	raceCells             uint64
	left                  []Left
}

func (w *notified) Tools(libraries, arguments string) { w.tools, w.arguments = libraries, arguments }
func (w *notified) Log(file File) error {
	if w.logFails && file.Path != "" {
		return errors.New("refused")
	}
	w.log, w.made = file.Path, file.Default
	return nil
}
func (w *notified) Say(line string)    { w.lines = append(w.lines, line) }
func (w *notified) Checks(mask uint32) { w.checks = mask }
func (w *notified) Races(cells uint64) (report []string) {
	if cells == 0 && w.raceCells != 0 {
		report = []string{"races: none"}
	}
	w.raceCells = cells
	return report
}
func (w *notified) Memory(file File, wanted uint32, meta []string) error {
	if w.logFails && file.Path != "" {
		return errors.New("refused")
	}
	w.trace, w.wanted, w.meta = file.Path, wanted, meta
	w.made = w.made || file.Default
	return nil
}
func (w *notified) Hash(Hash)                          {}
func (w *notified) Slab(bool, uintptr, uint64, string) {}
func (w *notified) Left(all []Left)                    { w.left = all }
func (w *notified) NVTX(wanted int) string {
	if wanted > 0 {
		return "no profiler"
	}
	return ""
}

func (w *notified) Tuning(list []exec.Tuning) bool {
	w.tuned = append(w.tuned, list)
	return !w.full
}

func (w *notified) Tuned(int) (launch, array bool) { return !w.misspelt, false }

func watchedFixture(env map[string]string) (*fixture, *notified) {
	f, w := newFixture(env), &notified{}
	f.fronts.Watchers = w
	return f, w
}

func TestWatchingIsReadFromTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		env      map[string]string
		want     Watching
		warnings int
	}{
		{nil, Watching{}, 0},
		{map[string]string{"PORTABLE_TOOLS": " a.so;b.so "}, Watching{Tools: "a.so;b.so"}, 0},
		{map[string]string{"KOKKOS_TOOLS_LIBS": "k.so", "KOKKOS_TOOLS_ARGS": "-x"}, Watching{Tools: "k.so", ToolArguments: "-x"}, 0},
		{map[string]string{"KOKKOS_TOOLS_LIBS": "k.so", "PORTABLE_TOOLS": "p.so"}, Watching{Tools: "p.so"}, 0},
		{map[string]string{"KOKKOS_TOOLS_LIBS": "k.so", "PORTABLE_TOOLS": "off"}, Watching{Tools: "0"}, 0},
		{map[string]string{"PORTABLE_VERBOSE": "Yes"}, Watching{Verbose: "1"}, 0},
		{map[string]string{"PORTABLE_VERBOSE": "0"}, Watching{}, 0},
		{map[string]string{"PORTABLE_VERBOSE": "log.%r"}, Watching{Verbose: "log.%r"}, 0},
		{map[string]string{"PORTABLE_CHECK": "launch"}, Watching{Checks: 1}, 0},
		{map[string]string{"PORTABLE_CHECK": "Launch, "}, Watching{Checks: 1}, 0},
		{map[string]string{"PORTABLE_CHECK": "all"}, Watching{Checks: 3}, 0},
		{map[string]string{"PORTABLE_CHECK": "1"}, Watching{Checks: 3}, 0},
		{map[string]string{"PORTABLE_CHECK": "arrays"}, Watching{Checks: 2}, 0},
		{map[string]string{"PORTABLE_CHECK": "memory"}, Watching{Checks: 4, Trace: Trace{"1", MemoryChecks | MemoryPrints}}, 0},
		{map[string]string{"PORTABLE_CHECK": "memory", "PORTABLE_TRACE": "a"}, Watching{Checks: 4, Trace: Trace{"a", MemoryChecks | MemoryEvents}}, 0},
		{map[string]string{"PORTABLE_CHECK": "memory", "PORTABLE_TRACE": "a,check"}, Watching{Checks: 4, Trace: Trace{"a", MemoryChecks}}, 0},
		{map[string]string{"PORTABLE_TRACE": "yes, Stack"}, Watching{Trace: Trace{"1", MemoryEvents | MemoryStacks}}, 0},
		{map[string]string{"PORTABLE_TRACE": "off,stack"}, Watching{}, 0},
		{map[string]string{"PORTABLE_TRACE": "a,all"}, Watching{Trace: Trace{"a", MemoryEvents}}, 1},
		{map[string]string{"PORTABLE_CHECK": "hash,all"}, Watching{Checks: 11, Trace: Trace{"1", MemoryHashes}}, 0},
		{map[string]string{"PORTABLE_CHECK": "hash,memory"}, Watching{Checks: 12, Trace: Trace{"1", MemoryHashes | MemoryChecks | MemoryPrints}}, 0},
		{map[string]string{"PORTABLE_CHECK": "hash", "PORTABLE_TRACE": "a,check", "PORTABLE_HASH": "checkpoints,dump=h#2@17"},
			Watching{Checks: 8, Trace: Trace{"a", MemoryHashes}, Hash: Hash{true, "h", 2, 17}}, 0},
		{map[string]string{"PORTABLE_CHECK": "hash", "PORTABLE_TRACE": "a,check", "PORTABLE_HASH": "dump=a@b#c#1@3"},
			Watching{Checks: 8, Trace: Trace{"a", MemoryHashes}, Hash: Hash{false, "a@b#c", 1, 3}}, 0},
		{map[string]string{"PORTABLE_CHECK": "hash", "PORTABLE_TRACE": "a,check", "PORTABLE_HASH": " dump=h@3 "},
			Watching{Checks: 8, Trace: Trace{"a", MemoryHashes}, Hash: Hash{false, "h", 0, 3}}, 0},
		{map[string]string{"PORTABLE_CHECK": "hash", "PORTABLE_TRACE": "a,check", "PORTABLE_HASH": "x,dump=h@3"},
			Watching{Checks: 8, Trace: Trace{"a", MemoryHashes}, Hash: Hash{false, "h", 0, 3}}, 1},
		{map[string]string{"PORTABLE_CHECK": "hash", "PORTABLE_TRACE": "a,check", "PORTABLE_HASH": "checkpoints,dump=h@x"},
			Watching{Checks: 8, Trace: Trace{"a", MemoryHashes}, Hash: Hash{Checkpoints: true}}, 1},
		{map[string]string{"PORTABLE_CHECK": "hash", "PORTABLE_TRACE": "a,check", "PORTABLE_HASH": "dump=h@0"},
			Watching{Checks: 8, Trace: Trace{"a", MemoryHashes}, Hash: Hash{Label: "h"}}, 1},
		{map[string]string{"PORTABLE_CHECK": "hash", "PORTABLE_TRACE": "a,check", "PORTABLE_HASH": "dump"},
			Watching{Checks: 8, Trace: Trace{"a", MemoryHashes}}, 1},
		{map[string]string{"PORTABLE_HASH": "checkpoints"}, Watching{}, 1},
		{map[string]string{"PORTABLE_CHECK": "races"}, Watching{Checks: 16, RaceCells: 4 << 30}, 0},
		{map[string]string{"PORTABLE_CHECK": "races", "PORTABLE_RACES_MB": "100"}, Watching{Checks: 16, RaceCells: 100 << 20}, 0},
		{map[string]string{"PORTABLE_CHECK": "launch,races", "PORTABLE_RACES_MB": "few"}, Watching{Checks: 17, RaceCells: 4 << 30}, 1},
		{map[string]string{"PORTABLE_RACES_MB": "100"}, Watching{}, 0},
		{map[string]string{"PORTABLE_CHECK": "no"}, Watching{}, 0},
		{map[string]string{"PORTABLE_CHECK": "lanuch"}, Watching{}, 1},
		{map[string]string{"PORTABLE_CHECK": "x launch,z"}, Watching{Checks: 1}, 1},
		{map[string]string{"PORTABLE_TUNING": "a: tile=8"}, Watching{Tuning: "a: tile=8"}, 0},
		{map[string]string{"PORTABLE_TUNING": "no"}, Watching{}, 0},
	} {
		s, warnings := readSettings(variables(c.env), Request{}, []string{"threads"})
		require.Equal(t, c.want, s.Watch, "%v", c.env)
		require.Len(t, warnings, c.warnings, "%v", c.env)
	}
}

func TestLogPath(t *testing.T) {
	folder, err := os.Getwd()
	require.NoError(t, err)
	process := fmt.Sprint(os.Getpid())
	for _, c := range []struct {
		rank          string
		pattern, want string
	}{
		{"", "", ""},
		{"", "1", "portable_verbose_pid_" + process + ".log"},
		{"4", "1", "portable_verbose_rank_4.log"},
		{"4", "log", "log.4"},
		{"", "log", "log"},
		{"", "log.%r", "log.pid" + process},
		{"4", "%r/log.%p.%%r", "4/log." + process + ".%r"},
		{"4", "log.%p", "log." + process},
		{"4", "/tmp/log.%r", "/tmp/log.4"},
	} {
		env := map[string]string{}
		if c.rank != "" {
			env["PMI_RANK"] = c.rank
		}
		want := c.want
		if want != "" && !filepath.IsAbs(want) {
			want = filepath.Join(folder, want)
		}
		file := newFixture(env).logFile(c.pattern)
		require.Equal(t, want, file.Path, "%+v", c)
		require.Equal(t, c.pattern == "1", file.Default, "only such a name is the library's: %+v", c)
	}
}

func TestNamesThatTheLibraryMakesUpAreTold(t *testing.T) {
	for variable, value := range map[string]string{"PORTABLE_VERBOSE": "1", "PORTABLE_TRACE": "1", "PORTABLE_CHECK": "hash"} {
		f, w := watchedFixture(map[string]string{variable: value})
		require.NoError(t, f.Init(Request{}))
		require.True(t, w.made, variable)
		require.NoError(t, f.Finalize())
	}
	f, w := watchedFixture(map[string]string{"PORTABLE_TRACE": filepath.Join(t.TempDir(), "trace")})
	require.NoError(t, f.Init(Request{}))
	require.False(t, w.made)
	require.NoError(t, f.Finalize())
}

func TestTuningFileIsARegularOne(t *testing.T) {
	folder := t.TempDir()
	fifo, large := filepath.Join(folder, "fifo"), filepath.Join(folder, "large")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	require.NoError(t, os.WriteFile(large, nil, 0o600))
	require.NoError(t, os.Truncate(large, tuningMost+1))
	for path, why := range map[string]string{fifo: "it is not a regular file", "/dev/zero": "it is not a regular file", folder: "it is not a regular file", large: "it has more than 4 MB"} {
		f, w := watchedFixture(map[string]string{"PORTABLE_TUNING": path})
		require.NoError(t, f.Init(Request{}))
		text := f.output()
		require.Contains(t, text, "the file cannot be read")
		require.Contains(t, text, why)
		require.Empty(t, w.tuned, path)
		require.NoError(t, f.Finalize())
	}
}

func TestValuesOfVariablesAreCleanedAndCut(t *testing.T) {
	long := strings.Repeat("x", 100000)
	for _, variable := range settings.Names() {
		for _, value := range []string{long, "a\x1b[7m\nportable: rank 0: all is well\u202e\xff"} {
			if variable == settings.StackSize || variable == settings.Strict {
				continue // never printed
			}
			f, w := watchedFixture(map[string]string{variable: value, settings.Verbose: filepath.Join(t.TempDir(), "log")})
			err := f.Init(Request{})
			texts := append(f.lines, w.lines...)
			if err != nil {
				texts = append(texts, err.Error())
			} else {
				require.NoError(t, f.Finalize())
			}
			for _, text := range texts {
				require.False(t, strings.Contains(text, strings.Repeat("x", 201)), "%s: %.300s", variable, text)
				require.False(t, strings.Contains(text, "\nportable"), "%s: %.300s", variable, text)
				require.Negative(t, strings.IndexFunc(text, func(r rune) bool { return r == '\x1b' || r == '\u202e' }), "%s: %q", variable, text)
			}
		}
	}
}

func TestRefusedVariablesAreToldOnce(t *testing.T) {
	f := newFixture(map[string]string{})
	f.env.Refused = func() []string { return []string{"PORTABLE_TOOLS", "PORTABLE_CACHE"} }
	for range 2 {
		require.NoError(t, f.Init(Request{}))
		require.NoError(t, f.Finalize())
	}
	text := f.output()
	require.Equal(t, 1, strings.Count(text, "PORTABLE_TOOLS, PORTABLE_CACHE"), text)
	require.Contains(t, text, "has privileges")
}

func TestCacheThatOthersMayWriteIsTold(t *testing.T) {
	folder := t.TempDir()
	f := newFixture(map[string]string{"PORTABLE_CACHE": folder})
	require.NoError(t, os.Chmod(folder, 0o755))
	require.NoError(t, f.Init(Request{}))
	require.NoError(t, f.Finalize())
	require.Empty(t, f.output())
	require.NoError(t, os.Chmod(folder, 0o777))
	require.NoError(t, f.Init(Request{}))
	require.NoError(t, f.Finalize())
	require.Contains(t, f.output(), "other users may write to it (mode 777); take that away with chmod go-w")
}

func TestLabelsOfForgottenBlocksAreCleaned(t *testing.T) {
	f := newFixture(nil)
	require.NoError(t, f.Init(Request{}))
	p, err := f.Default()
	require.NoError(t, err)
	_, err = p.Allocate(100, "red \x1b[31m\nportable: rank 0: all is well")
	require.NoError(t, err)
	require.NoError(t, f.Finalize())
	require.Contains(t, f.output(), `red \x1b[31m\nportable: rank 0: all is well  size 100 bytes`)
}

func TestWatchersAreToldAtStart(t *testing.T) {
	env := map[string]string{"PORTABLE_VERBOSE": "/tmp/x", "PORTABLE_TOOLS": "a.so", "PORTABLE_CHECK": "launch",
		"PORTABLE_TUNING": "a: tile=8; b*: block=64, color=red", "GATOR_INITIAL_MB": "2"}
	f, w := watchedFixture(env)
	require.NoError(t, f.Init(Request{}))
	require.Equal(t, "/tmp/x", w.log)
	require.Equal(t, "a.so", w.tools)
	require.EqualValues(t, 1, w.checks)
	require.Len(t, w.tuned, 1)
	require.Len(t, w.tuned[0], 2)
	require.Contains(t, f.output(), "PORTABLE_TUNING: label 'b*': 'color=red' is invalid")
	log := strings.Join(w.lines, "\n")
	require.Contains(t, log, "environment: PORTABLE_CHECK=launch\n")
	require.Contains(t, log, "settings: pool with a first slab of 2097152 bytes, granule 128, limit none")
	require.Contains(t, log, "the default pool gets a slab of 2097152 bytes at 0x")
	require.NoError(t, f.Init(Request{}))
	require.Len(t, w.tuned, 1, "a second participant changes nothing")
	require.NoError(t, f.Finalize())
	require.NoError(t, f.Finalize())
	require.Contains(t, strings.Join(w.lines, "\n"), "the default pool releases the slab of 2097152 bytes")

	env["PORTABLE_TUNING"] = ""
	delete(env, "PORTABLE_VERBOSE")
	require.NoError(t, f.Init(Request{}))
	require.Len(t, w.tuned, 2)
	require.Empty(t, w.tuned[1], "nothing is tuned any more")
	require.Empty(t, w.log)
	require.NoError(t, f.Finalize())
	require.Empty(t, f.output())
}

// TestSettingsAreLoggedOnceForAServedProgram: its log begins before main, and its first start continues it.
func TestSettingsAreLoggedOnceForAServedProgram(t *testing.T) {
	env := map[string]string{"PORTABLE_VERBOSE": "/tmp/x", "GATOR_INITIAL_MB": "2"}
	f, w := watchedFixture(env)
	count := func(text string) (n int) {
		for _, line := range w.lines {
			if strings.Contains(line, text) {
				n++
			}
		}
		return n
	}
	require.False(t, f.ServeWatch())
	require.Equal(t, 1, count("environment: GATOR_INITIAL_MB=2"))
	require.NoError(t, f.Init(Request{}))
	require.Equal(t, 1, count("environment: PORTABLE_VERBOSE="))
	require.Equal(t, 1, count("environment: GATOR_INITIAL_MB=2"))
	require.Equal(t, 1, count("settings: pool with a first slab of 2097152 bytes"))
	require.NoError(t, f.Finalize())

	env["GATOR_INITIAL_MB"] = "3"
	require.NoError(t, f.Init(Request{}))
	require.Equal(t, 2, count("environment: PORTABLE_VERBOSE="), "a later start tells all")
	require.Equal(t, 1, count("settings: pool with a first slab of 3145728 bytes"))
	require.NoError(t, f.Finalize())
}

// TestSettingsThatChangeAreLogged: the program sets variables between the start of portable::allocate and its own.
func TestSettingsThatChangeAreLogged(t *testing.T) {
	env := map[string]string{"PORTABLE_VERBOSE": "/tmp/x", "GATOR_INITIAL_MB": "2"}
	f, w := watchedFixture(env)
	f.ServeWatch()
	env["GATOR_INITIAL_MB"] = "3"
	w.lines = nil
	require.NoError(t, f.Init(Request{}))
	log := strings.Join(w.lines, "\n")
	require.Contains(t, log, "environment: GATOR_INITIAL_MB=3")
	require.Contains(t, log, "settings: pool with a first slab of 3145728 bytes")
	require.NotContains(t, log, "environment: PORTABLE_VERBOSE=")
	require.NoError(t, f.Finalize())

	f, w = watchedFixture(env)
	f.ServeWatch()
	env["PORTABLE_VERBOSE"] = "/tmp/y"
	w.lines = nil
	require.NoError(t, f.Init(Request{}))
	require.Contains(t, strings.Join(w.lines, "\n"), "environment: GATOR_INITIAL_MB=3", "another log has all")
	require.NoError(t, f.Finalize())
}

func TestTraceIsOpenedAtStart(t *testing.T) {
	env := map[string]string{"PORTABLE_TRACE": "/tmp/t-%r,stack", "PMI_RANK": "3", "PMI_SIZE": "5"}
	f, w := watchedFixture(env)
	require.NoError(t, f.Init(Request{}))
	require.Equal(t, "/tmp/t-3", w.trace)
	require.EqualValues(t, MemoryEvents|MemoryStacks, w.wanted)
	require.Len(t, w.meta, len(w.meta)/2*2)
	meta := map[string]string{}
	for i := 0; i < len(w.meta); i += 2 {
		meta[w.meta[i]] = w.meta[i+1]
	}
	require.Equal(t, "3", meta["rank"])
	require.Equal(t, "5", meta["size"])
	require.Equal(t, strconv.Itoa(os.Getpid()), meta["pid"])
	require.Equal(t, strings.Join(os.Args, "\x00"), meta["argv"])
	require.Equal(t, "/tmp/t-%r,stack", meta["PORTABLE_TRACE"])
	require.NoError(t, f.Finalize())

	delete(env, "PORTABLE_TRACE")
	require.NoError(t, f.Init(Request{}))
	require.Zero(t, w.wanted)
	require.NoError(t, f.Finalize())
}

func TestWatchersThatFailAreWarnedOfOnce(t *testing.T) {
	f, w := watchedFixture(map[string]string{"PORTABLE_VERBOSE": "/tmp/x", "PORTABLE_TRACE": "/tmp/y", "PORTABLE_TUNING": "/no/such/file"})
	w.logFails = true
	require.NoError(t, f.Init(Request{}))
	require.NoError(t, f.Finalize())
	output := f.output()
	require.Contains(t, output, "PORTABLE_VERBOSE=/tmp/x: the log cannot be written to /tmp/x (refused); there is no log")
	require.Contains(t, output, "PORTABLE_TRACE=/tmp/y: the trace cannot be written to /tmp/y (refused); there is no trace")
	require.NoError(t, f.Init(Request{}))
	require.NoError(t, f.Finalize())
	require.Empty(t, f.output())
	require.Empty(t, w.tuned)

	f, w = watchedFixture(map[string]string{"PORTABLE_CHECK": "memory", "PORTABLE_TRACE": "no"})
	w.logFails = true
	require.NoError(t, f.Init(Request{}))
	require.NoError(t, f.Finalize())
	require.Contains(t, f.output(), "PORTABLE_CHECK=memory: the trace cannot be written to ")

	f, _ = watchedFixture(map[string]string{"PORTABLE_TUNING": "/no/such/file"})
	require.NoError(t, f.Init(Request{}))
	require.NoError(t, f.Finalize())
	require.Contains(t, f.output(), "PORTABLE_TUNING=/no/such/file: the file cannot be read (")

	f, w = watchedFixture(map[string]string{"PORTABLE_TUNING": "a: tile=8"})
	w.full = true
	require.NoError(t, f.Init(Request{}))
	require.NoError(t, f.Finalize())
	require.Contains(t, f.output(), "no memory for it; nothing is tuned")
}

func TestTuningIsReadFromAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tuning.txt")
	require.NoError(t, os.WriteFile(path, []byte("# sizes\nupdate: tile=64x8\nbad\n"), 0o600))
	f, w := watchedFixture(map[string]string{"PORTABLE_TUNING": path})
	w.misspelt = true
	for range 2 {
		require.NoError(t, f.Init(Request{}))
		require.NoError(t, f.Finalize())
	}
	require.Equal(t, [][]exec.Tuning{{{Label: "update", Tile: []int64{64, 8}, Where: path + ":2"}}}, w.tuned, "handed over once, because it is the same")
	require.Equal(t, "portable: warning: "+path+`:3: 'bad' is invalid (label: key=value is wanted); it is ignored`+"\n"+
		"portable: warning: "+path+`:2: no launch had the label 'update'; correct the label or remove the rule`, f.output(), "each once")
}

func TestFreed(t *testing.T) {
	f := newFixture(nil)
	require.NoError(t, f.Init(Request{}))
	defer func() { require.NoError(t, f.Finalize()) }()
	own, err := f.CreatePool(gator.Config{Name: "mine", Initial: 1 << 20, Source: fake.New(0)}, 0)
	require.NoError(t, err)
	p, err := f.Pool(own)
	require.NoError(t, err)
	addr, err := p.Allocate(1000, "h")
	require.NoError(t, err)
	_, freed := f.Freed(addr + 500)
	require.False(t, freed, "live")
	require.NoError(t, p.Free(addr))
	pool, freed := f.Freed(addr + 500)
	require.True(t, freed)
	require.Equal(t, "mine", pool)
	_, freed = f.Freed(0x10)
	require.False(t, freed, "the address is in no pool")
}
