package instance

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"libportable/exec"
	"libportable/gator"
	"libportable/internal/backend"
	"libportable/internal/guard"
	"libportable/internal/outside"
	"libportable/internal/settings"
)

// Watching holds the settings of tools, the log, checks and tuning; part of Settings.
type Watching struct {
	Tools         string // libraries with semicolons between; "0": not even those linked into the program
	ToolArguments string
	Verbose       string // the log's file, with %r and %p still in it; "": no log
	Checks        uint32 // PORTABLE_CHECK_...
	RaceCells     uint64 // bytes of the cells of races; 0: races are not checked
	Trace         Trace
	Hash          Hash
	Tuning        string // a file, or the text of one
	NVTX          int    // ranges for NVIDIA's profilers: 1 yes, -1 no, 0 if there is a profiler
}

// File is a file that the library writes.
type File struct {
	Path    string // "": no file
	Default bool   // the library has chosen the name: it must not be a symbolic link
}

// Watchers are the observers, in C. All functions are called under the instance's lock, and must not call the instance.
type Watchers interface {
	Tools(libraries, arguments string)
	// Log opens the log, or for File{} ends it; Say writes a line if there is a log.
	Log(file File) error
	Say(line string)
	Checks(mask uint32)
	// Races starts the check of races, with cells of so many bytes at most; 0 ends it, and returns its report.
	Races(cells uint64) (report []string)
	// NVTX switches the ranges for NVIDIA's profilers. If it fails, why is not "". wanted is Watching.NVTX.
	NVTX(wanted int) (why string)
	// Memory starts checks of memory and the trace, which is written to the file and begins with pairs of names and
	// values. wanted is a sum of Memory...; 0 ends them. Slab writes a slab that is reserved or released into the
	// trace.
	Memory(file File, wanted uint32, meta []string) error
	// Hash says how Memory makes sums of blocks.
	Hash(h Hash)
	Slab(taken bool, addr uintptr, bytes uint64, pool string)
	// Left passes the live blocks that Memory does not observe; see Instance.Left.
	Left(all []Left)
	// Tuning replaces an earlier list; false: there was no memory for it.
	Tuning(list []exec.Tuning) bool
	// Tuned says whether a launch and an array had the whole label of that number in the list.
	Tuned(number int) (launch, array bool)
}

// checkNames are the words of PORTABLE_CHECK; the numbers are those of portable_hooks.h. "all" are those that can be
// switched while the program runs: the others change the placement of blocks, or cost much.
var checkNames = []struct {
	name string
	mask uint32
}{{"launch", 1}, {"arrays", 2}, {"memory", checkMemory}, {"hash", checkHash}, {"races", checkRaces}}

const (
	checkMemory = 4
	checkHash   = 8
	checkRaces  = 16
	raceCells   = 4 << 30 // by default
	allChecks   = 3
)

// Variables of Kokkos, which count if ours is not set.
const (
	varKokkosTools     = "KOKKOS_TOOLS_LIBS"
	varKokkosArguments = "KOKKOS_TOOLS_ARGS"
)

// watching reads the settings of observers.
func (r *reader) watching() (w Watching) {
	value := func(name string) string {
		v, _ := r.env.Lookup(name)
		return strings.TrimSpace(v)
	}
	if w.Tools = value(settings.Tools); settings.IsNo(w.Tools) {
		w.Tools = "0"
	} else if w.Tools == "" {
		w.Tools = value(varKokkosTools)
	}
	w.ToolArguments = value(varKokkosArguments)
	switch v := value(settings.Verbose); {
	case settings.IsYes(v):
		w.Verbose = "1"
	case !settings.IsNo(v):
		w.Verbose = v
	}
	if v := value(settings.NVTX); settings.IsYes(v) {
		w.NVTX = 1
	} else if settings.IsNo(v) {
		w.NVTX = -1
	} else if v != "" {
		r.warn(settings.NVTX, v, "yes or no is wanted", "ranges where a profiler is there")
	}
	w.Checks = r.checks()
	if cells := r.size(settings.RacesMB, mib, raceCells, "4096 MB"); w.Checks&checkRaces != 0 {
		w.RaceCells = cells
	}
	w.Trace = r.trace(w.Checks)
	w.Hash = r.hash(w.Checks)
	if v := value(settings.Tuning); !settings.IsNo(v) {
		w.Tuning = v
	}
	return w
}

// checks reads a list of checks.
func (r *reader) checks() (mask uint32) {
	value, _ := r.env.Lookup(settings.Check)
	if settings.IsNo(value) {
		return 0
	}
	var names, unknown []string
	for _, c := range checkNames {
		names = append(names, c.name)
	}
	for _, word := range strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == ' ' || c == '\t' }) {
		found := false
		for _, c := range checkNames {
			if strings.EqualFold(word, c.name) {
				mask |= c.mask
				found = true
			}
		}
		if strings.EqualFold(word, "all") || settings.IsYes(word) {
			mask |= allChecks
			found = true
		}
		if !found {
			unknown = append(unknown, word)
		}
	}
	if len(unknown) > 0 {
		used := "no check"
		if mask != 0 {
			used = "the others"
		}
		r.warn(settings.Check, value, fmt.Sprintf("there is no check %s; there are %s, and all", outside.Value(join(unknown)), join(names)), used)
	}
	return mask
}

// startWatchingLocked sets the observers before the pool is made. It writes the variables that are set into the log,
// with their effect.
func (in *Instance) startWatchingLocked(s Settings) {
	to := in.fronts.Watchers
	if to == nil {
		return
	}
	to.Tools(s.Watch.Tools, s.Watch.ToolArguments)
	to.Checks(s.Watch.Checks)
	to.Races(s.Watch.RaceCells)
	if why := to.NVTX(s.Watch.NVTX); why != "" {
		in.warnOnceLocked(fmt.Sprintf("%s=1: %s; there are no ranges", settings.NVTX, why))
	}
	in.startTellingLocked(s)
	in.beginning = beginningLines{} // a later start writes all of them again
	in.tuneLaunchesLocked(s.Watch.Tuning)
}

// startTellingLocked opens the log and the trace. In a program with portable::allocate the first start leaves out the
// lines that ServeWatch has written to the same log.
func (in *Instance) startTellingLocked(s Settings) {
	to := in.fronts.Watchers
	if to == nil {
		return
	}
	file := in.logFile(s.Watch.Verbose)
	if err := to.Log(file); err != nil && file.Path != "" {
		in.warnHereLocked(fmt.Sprintf("%s=%s: the log cannot be written to %s (%v); there is no log", settings.Verbose, outside.Value(s.Watch.Verbose), outside.Value(file.Path), err))
	}
	in.startTraceLocked(s)
	before := in.beginning
	in.beginning = beginningLines{file.Path, in.settingsLines(s)}
	for _, line := range in.beginning.lines {
		if before.log != file.Path || !slices.Contains(before.lines, line) {
			to.Say(line)
		}
	}
}

// beginningLines are the lines of the log with which a start begins.
type beginningLines struct {
	log   string
	lines []string
}

// settingsLines lists the variables that are set, and the resulting pool.
func (in *Instance) settingsLines(s Settings) (lines []string) {
	for _, name := range settings.Names() {
		if value, ok := in.env.Lookup(name); ok {
			lines = append(lines, "environment: "+name+"="+outside.Value(value))
		}
	}
	switch {
	case s.Memory.On:
		return append(lines, fmt.Sprintf("settings: blocks under guard, %+v", s.Memory))
	case s.Pool:
		return append(lines, fmt.Sprintf("settings: pool with a first slab of %d bytes, granule %d, limit %s", s.Initial, s.Block, orUnlimited(s.Limit)))
	}
	return append(lines, "settings: no pool, blocks come from the system")
}

func orUnlimited(limit uint64) string {
	if limit == 0 {
		return "none"
	}
	return strconv.FormatUint(limit, 10) + " bytes"
}

// logFile opens the log.
func (in *Instance) logFile(pattern string) File {
	return in.filePath(pattern, "portable_verbose_rank_%r.log", "portable_verbose_pid_%p.log")
}

// filePath puts rank and process into the name of a file. Without a rank, %r is the process. "1" stands for a chosen
// name. A name that is the same for all ranks gets the rank at its end: otherwise one rank would overwrite the file of
// another.
func (in *Instance) filePath(pattern, ofRank, ofProcess string) (file File) {
	rank, process := in.Rank().World, strconv.Itoa(os.Getpid())
	unit := "pid" + process
	if rank != NoRank {
		unit = strconv.Itoa(rank)
	}
	switch {
	case pattern == "":
		return file
	case pattern == "1" && rank != NoRank:
		pattern, file.Default = ofRank, true
	case pattern == "1":
		pattern, file.Default = ofProcess, true
	case rank != NoRank && !strings.Contains(pattern, "%r") && !strings.Contains(pattern, "%p"):
		pattern += ".%r"
	}
	file.Path = strings.NewReplacer("%%", "%", "%r", unit, "%p", process).Replace(pattern)
	if absolute, err := filepath.Abs(file.Path); err == nil { // the name stays valid after a change of folder
		file.Path = absolute
	}
	return file
}

// tuningMost is the largest size of a tuning file: some ten thousand labels.
const tuningMost = 4 << 20

// tuneLaunchesLocked reads settings of launches by label: from the variable itself if it has an equals sign, else from
// the file that it names.
func (in *Instance) tuneLaunchesLocked(from string) {
	var list []exec.Tuning
	var warnings []string
	if strings.Contains(from, "=") {
		list, warnings = exec.ParseTuning(settings.Tuning, from, false)
	} else if from != "" {
		if text, err := outside.ReadFile(from, tuningMost); err != nil {
			warnings = append(warnings, fmt.Sprintf("%s=%s: the file cannot be read (%v); nothing is tuned", settings.Tuning, outside.Value(from), outside.Value(err.Error())))
		} else {
			list, warnings = exec.ParseTuning(from, string(text), true)
		}
	}
	for _, w := range warnings {
		in.warnOnceLocked(w)
	}
	for _, t := range list {
		for i := range t.Layouts {
			in.fronts.Watchers.Say(fmt.Sprintf("tuning: arrays %s (%s)", &t.Layouts[i], t.Where))
		}
		if !t.OfLaunches() {
			continue
		}
		star := ""
		if t.Prefix {
			star = "*"
		}
		in.fronts.Watchers.Say(fmt.Sprintf("tuning: '%s%s' tile %v chunk %d schedule %d block %d (%s)", t.Label, star, t.Tile, t.Chunk, t.Schedule, t.Block, t.Where))
	}
	if len(list) == 0 && len(in.tuning) == 0 || reflect.DeepEqual(list, in.tuning) {
		return
	}
	if !in.fronts.Watchers.Tuning(list) {
		in.warnOnceLocked(settings.Tuning + ": no memory for it; nothing is tuned")
		return
	}
	in.tuning = list
}

// reportTuningLocked warns of rules that were not used. Those of whole labels come first.
func (in *Instance) reportTuningLocked() {
	for i := 0; i < len(in.tuning) && !in.tuning[i].Prefix; i++ {
		for _, w := range in.tuning[i].Unused(in.fronts.Watchers.Tuned(i)) {
			in.warnOnceLocked(w)
		}
	}
}

// Warn prints each text once in the life of the process.
func (in *Instance) Warn(text string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.warnOnceLocked(text)
}

// Race prints a race.
func (in *Instance) Race(text string) { in.print("portable: " + text) }

// reportRacesLocked ends the check of races.
func (in *Instance) reportRacesLocked() {
	if in.fronts.Watchers == nil {
		return
	}
	for _, line := range in.fronts.Watchers.Races(0) {
		in.Race(line)
	}
}

// Freed says whether an address is in a slab of a pool, but in no live block, and in which pool.
func (in *Instance) Freed(addr uintptr) (pool string, freed bool) {
	for _, n := range in.pools.All() {
		p, ok := in.pools.Get(n)
		if !ok {
			continue
		}
		_, err := p.Find(addr)
		if gator.IsFreed(err) {
			return p.Name(), true
		}
	}
	if guard.GuardFreed(addr) {
		return "a pool", true
	}
	return "", false
}

// Holds says whether a live block of any pool holds an address.
func (in *Instance) Holds(addr uintptr) bool {
	for _, n := range in.pools.All() {
		if p, ok := in.pools.Get(n); ok {
			if _, err := p.Find(addr); err == nil {
				return true
			}
		}
	}
	return false
}

// logged writes the slabs of a pool into the log.
func (in *Instance) logged(pool string, s backend.Source) backend.Source {
	if in.fronts.Watchers == nil {
		return s
	}
	return loggedSource{s, pool, in.fronts.Watchers}
}

type loggedSource struct {
	backend.Source
	pool string
	to   Watchers
}

func (l loggedSource) Reserve(bytes uint64) (uintptr, error) {
	addr, err := l.Source.Reserve(bytes)
	if err != nil {
		l.to.Say(fmt.Sprintf("%s gets no slab of %d bytes: %v", l.pool, bytes, err))
	} else {
		l.to.Say(fmt.Sprintf("%s gets a slab of %d bytes at %#x", l.pool, bytes, addr))
		l.to.Slab(true, addr, bytes, l.pool)
	}
	return addr, err
}

func (l loggedSource) Release(addr uintptr, bytes uint64) error {
	err := l.Source.Release(addr, bytes)
	if err == nil {
		l.to.Say(fmt.Sprintf("%s releases the slab of %d bytes at %#x", l.pool, bytes, addr))
		l.to.Slab(false, addr, bytes, l.pool)
	}
	return err
}
