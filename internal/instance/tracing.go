package instance

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"libportable/internal/guard"
	"libportable/internal/outside"
	"libportable/internal/settings"
)

// Trace holds the settings of the trace file.
type Trace struct {
	Pattern string // of the file's name, with the same patterns as the log; "": no trace
	Wanted  uint32 // Memory...
}

// Bits for Watchers.Memory; the numbers are those of PORTABLE__MEMCHECK_... in internal/memcheck/memcheck.h.
const (
	MemoryChecks = 1 << iota // findings
	MemoryEvents             // each block, launch, fence and timer
	MemoryStacks             // with the stacks of events
	MemoryPrints             // each finding is also a line on standard error
	MemoryHashes             // sums of blocks after launches
)

// trace reads PORTABLE_TRACE: a file name, or yes, then options. Checks of memory write a file without it too. They
// then also print, because no tool reads the file during the run.
func (r *reader) trace(checks uint32) (t Trace) {
	value, _ := r.env.Lookup(settings.Trace)
	words := strings.Split(strings.TrimSpace(value), ",")
	t.Pattern = strings.TrimSpace(words[0])
	if settings.IsNo(t.Pattern) {
		t.Pattern = ""
	} else if settings.IsYes(t.Pattern) {
		t.Pattern = "1"
	}
	if t.Pattern != "" {
		t.Wanted = MemoryEvents
	}
	for _, word := range words[1:] {
		switch strings.ToLower(strings.TrimSpace(word)) {
		case "":
		case "stack":
			t.Wanted |= MemoryStacks
		case "check":
			t.Wanted &^= MemoryEvents
		default:
			r.warn(settings.Trace, value, "there is no option '"+outside.Value(strings.TrimSpace(word))+"'; there are stack and check", "the others")
		}
	}
	if t.Pattern == "" {
		t.Wanted = 0
	}
	if checks&checkHash != 0 {
		t.Wanted |= MemoryHashes
		if t.Pattern == "" && checks&checkMemory == 0 {
			t.Pattern = "1"
		}
	}
	if checks&checkMemory != 0 {
		t.Wanted |= MemoryChecks
		if t.Pattern == "" {
			t.Pattern = "1"
			t.Wanted |= MemoryPrints
		}
	}
	return t
}

// sizes are the variables with which launchers pass the number of processes.
var sizes = []string{"OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE", "PMI_SIZE", "PALS_SIZE", "SLURM_NTASKS"}

// startTraceLocked opens the trace, or ends it.
func (in *Instance) startTraceLocked(s Settings) {
	t, to := s.Watch.Trace, in.fronts.Watchers
	if s.Watch.Checks&checkMemory == 0 { // a tool that observes memory itself has switched them off
		t.Wanted &^= MemoryChecks | MemoryPrints
	}
	to.Hash(s.Watch.Hash)
	if t.Wanted == 0 {
		_ = to.Memory(File{}, 0, nil)
		return
	}
	file := in.filePath(t.Pattern, "portable_check_%r.trace", "portable_check_pid%p.trace")
	if t.Wanted&MemoryChecks == 0 {
		file = in.filePath(t.Pattern, "portable_trace_%r.trace", "portable_trace_pid%p.trace")
	}
	if err := to.Memory(file, t.Wanted, in.traceMeta(s)); err != nil {
		name, value := settings.Trace, t.Pattern
		if v, _ := in.env.Lookup(settings.Trace); settings.IsNo(strings.TrimSpace(strings.SplitN(v, ",", 2)[0])) { // checks also ask for a trace
			name = settings.Check
			value, _ = in.env.Lookup(settings.Check)
		}
		in.warnHereLocked(fmt.Sprintf("%s=%s: the trace cannot be written to %s (%v); there is no trace", name, outside.Value(value), outside.Value(file.Path), err))
	}
}

// traceMeta describes the process in its trace.
func (in *Instance) traceMeta(s Settings) []string {
	text := func(name string) string {
		v, _ := in.env.Lookup(name)
		return v
	}
	rank, size := "", ""
	if r := in.Rank().World; r != NoRank {
		rank = strconv.Itoa(r)
		for _, name := range sizes {
			if size = text(name); size != "" {
				break
			}
		}
	}
	exe, _ := os.Readlink("/proc/self/exe")
	cwd, _ := os.Getwd()
	machine, _ := os.Hostname()
	argv, _ := outside.ReadFile("/proc/self/cmdline", outside.TextMost) // os.Args is empty in archives with some C libraries
	meta := []string{
		"pid", strconv.Itoa(os.Getpid()), "ppid", strconv.Itoa(os.Getppid()), "rank", rank, "size", size, "exe", exe, "cwd", cwd,
		"argv", strings.TrimSuffix(string(argv), "\x00"), "time", time.Now().Format(time.RFC3339), "host", machine, "page", strconv.Itoa(os.Getpagesize()),
	}
	meta = append(meta, memcheckMeta(s)...)
	for _, name := range settings.Names() {
		if v, ok := in.env.Lookup(name); ok {
			meta = append(meta, name, v)
		}
	}
	return meta
}

// memcheckMeta lists the settings that readers of findings need.
func memcheckMeta(s Settings) (meta []string) {
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	if m := s.Memory; m.On {
		mode := "fast"
		if m.Exact {
			mode = "exact"
		}
		meta = []string{"mode", mode, "guard", sideName(m.Guard), "sample", number(m.Sample), "budget", number(m.Budget), "quarantine", number(m.Quarantine),
			"precise", strconv.FormatBool(m.Precise), "fill", strconv.FormatBool(m.Fill)}
	}
	return append(meta, "pool", strconv.FormatBool(s.Pool), "initial", number(s.Initial), "grow", number(s.Grow), "block", number(s.Block), "limit", number(s.Limit), "hugepages", strconv.FormatBool(s.HugePages))
}

func sideName(side guard.Side) string {
	for name, s := range sides {
		if s == side {
			return name
		}
	}
	return ""
}

// Hash holds the meaning of PORTABLE_HASH; part of Watching.
type Hash struct {
	Checkpoints bool   // sums are made there, not after launches
	Label       string // of the block that is dumped
	Place, Step uint64 // Step 0: no block is dumped
}

// hash reads PORTABLE_HASH: checkpoints, dump=LABEL#PLACE@STEP. The dump is read from its end, because labels may have these signs.
func (r *reader) hash(checks uint32) (h Hash) {
	value, _ := r.env.Lookup(settings.Hash)
	text := strings.TrimSpace(value)
	if text == "" {
		return h
	}
	if checks&checkHash == 0 {
		r.warnings = append(r.warnings, settings.Hash+" says how PORTABLE_CHECK=hash works, which is not set; it is ignored")
		return h
	}
	text, h.Checkpoints = strings.CutPrefix(text, "checkpoints")
	text = strings.TrimPrefix(text, ",")
	if text == "" {
		return h
	}
	before, dump, _ := strings.Cut(text, "dump=")
	at := strings.LastIndex(dump, "@")
	step, err := strconv.ParseUint(dump[at+1:], 10, 64)
	if at >= 0 && err == nil {
		h.Label, h.Step = dump[:at], step
	}
	if hash := strings.LastIndex(h.Label, "#"); hash >= 0 {
		h.Place, _ = strconv.ParseUint(h.Label[hash+1:], 10, 64)
		h.Label = h.Label[:hash]
	}
	if before != "" || h.Step == 0 {
		r.warn(settings.Hash, value, "checkpoints, or dump=LABEL#PLACE@STEP is wanted, or both with a comma between", "the valid parts")
	}
	return h
}
