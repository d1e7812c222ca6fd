// Command record runs record.c and steps.f90 once for each row of the tables below, and compares
// the trace with the row and with the lines of the source. ffi_tests/scorecard tests what yaklcheck
// makes of a trace.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"libportable/cmd/yaklcheck/internal/symbols"
	"libportable/cmd/yaklcheck/internal/trace"
)

// found is one expected finding, by marks of the source; "" is not compared.
type found struct {
	kind              trace.FindingKind
	label             string
	here, alloc, free string
	count             uint64 // 0: 1
	kernel            string
}

// way is one run.
type way struct {
	what   string
	env    []string
	status int // as a shell gives it: 128 and more for signals
	blocks int // a limit of the size of files, in 1024 bytes; 0: none
	found  []found
	how    int32 // how the last FINISH says the program ended
	look   func(f *trace.File) error
}

const (
	none, exit, finalize, bySignal = -1, 0, 1, 2
)

var leaks = []found{{kind: trace.Leak, label: "a", alloc: "blocks"}, {kind: trace.Leak, label: "b", alloc: "blocks"}}

var ways = []way{
	{what: "nothing", how: finalize},
	{what: "leak", how: finalize, found: []found{{kind: trace.Leak, label: "forgotten", alloc: "leak", count: 3}}},
	{what: "growth", how: finalize, look: checkpoints, found: []found{
		{kind: trace.Growth, label: "more", alloc: "more", here: "checkpoint", count: 2},
		{kind: trace.Leak, label: "more", alloc: "more", count: 4}, {kind: trace.Leak, label: "made at first", alloc: "first", count: 2}}},
	{what: "double", how: finalize, found: []found{{kind: trace.DoubleFree, label: "b", here: "again", alloc: "blocks", free: "freed"}}},
	{what: "interior", how: finalize, found: []found{{kind: trace.InteriorFree, label: "a", here: "interior", alloc: "blocks"}}},
	{what: "foreign", how: finalize, found: []found{{kind: trace.ForeignFree, here: "foreign"}, {kind: trace.ForeignFree, here: "foreign", count: 5}}},
	{what: "foreign", how: finalize, env: []string{"PORTABLE_MEMCHECK=mode=fast,max=9"}, found: []found{{kind: trace.ForeignFree, here: "foreign"},
		{kind: trace.ForeignFree, here: "foreign"}, {kind: trace.ForeignFree, here: "foreign"}, {kind: trace.ForeignFree, here: "foreign"}, {kind: trace.ForeignFree, here: "foreign"}}},
	{what: "null", how: finalize, found: []found{{kind: trace.ForeignFree, here: "null"}}},
	{what: "free", how: bySignal, status: 134, found: []found{{kind: trace.IntrinsicFree, label: "a", here: "free", alloc: "blocks"}}},
	{what: "free", env: []string{"PORTABLE_MEMCHECK=guard=start"}, how: bySignal, status: 134,
		found: []found{{kind: trace.IntrinsicFree, label: "a", here: "free", alloc: "blocks"}}},
	{what: "index", how: finalize, found: []found{{kind: trace.IndexOutOfBounds, label: "table", here: "index"}}},
	{what: "timers", how: finalize, found: []found{{kind: trace.TimersNotNested, label: "outer", here: "timers"}}},
	{what: "timers", env: []string{"PORTABLE_PROFILE=1"}, how: finalize, found: []found{{kind: trace.TimersNotNested, label: "outer", here: "timers"}}},
	{what: "bounds", how: finalize, found: []found{{kind: trace.BadBounds, label: "no bounds", here: "bounds"}}},
	{what: "arguments", how: finalize, found: []found{{kind: trace.KernelWroteArguments, label: "writes", here: "launch", kernel: "writes"}}},
	{what: "kernel", how: finalize, look: launched},
	{what: "kernel", env: []string{"PORTABLE_NUM_THREADS=1"}, how: finalize, look: launched},
	{what: "fault", how: bySignal, status: 139, found: []found{{kind: trace.Died, here: "fault"}}},
	{what: "aborts", how: bySignal, status: 134, found: []found{{kind: trace.Died, here: "abort"}}},
	{what: "survives", how: finalize},
	{what: "exit", how: exit, status: 3, found: leaks},
	{what: "stop", how: exit, status: 3, found: append([]found{{kind: trace.Growth, label: "more", count: 2}, {kind: trace.Leak, label: "more", count: 4},
		{kind: trace.Leak, label: "made at first", count: 2}}, leaks...)},
	{what: "fork", how: finalize},
	{what: "storm", how: finalize},
	{what: "storm", env: []string{"PORTABLE_TRACE=storm.trace,stack"}, how: finalize, look: balanced},
	{what: "storm", env: []string{"PORTABLE_TRACE=storm.trace,stack"}, blocks: 64, how: none, look: full},
	{what: "crash", env: []string{"PORTABLE_TRACE=storm.trace,stack"}, how: bySignal, status: 139, found: []found{{kind: trace.Died, here: "crash"}}},
	{what: "events", env: []string{"PORTABLE_CHECK=", "PORTABLE_TRACE=events.trace"}, how: finalize, look: events},
	{what: "events", env: []string{"PORTABLE_CHECK=", "PORTABLE_TRACE=events.trace,stack"}, how: finalize, look: events},
	{what: "leak", env: []string{"PORTABLE_MEMCHECK=stack=0"}, how: finalize, found: []found{{kind: trace.Leak, label: "forgotten", count: 3}}},
}

var steps = []way{
	{what: "leak", how: finalize, found: []found{{kind: trace.Growth, label: "field", alloc: "field", here: "checkpoint", count: 2},
		{kind: trace.Leak, label: "field", alloc: "field", count: 5}}},
	{what: "stop", how: exit, status: 4, found: []found{{kind: trace.Leak, label: "kept", alloc: "kept"}}},
	{what: "error", how: exit, status: 1, found: []found{{kind: trace.Leak, label: "kept", alloc: "kept"}}},
	{what: "deallocate", how: bySignal, status: 134, found: []found{{kind: trace.IntrinsicFree, label: "kept", here: "deallocate", alloc: "kept"}}},
	{what: "kernel", how: finalize, found: []found{{kind: trace.OutOfBounds, label: "kept", here: "beyond", alloc: "kept", kernel: "update"},
		{kind: trace.OutOfBounds, label: "kept", here: "launch", alloc: "kept", kernel: "update", count: 3}}},
}

var (
	folder = flag.String("folder", "", "where to run")
	only   = flag.String("only", "", "one way alone")
)

func main() {
	source := flag.String("source", "", "the folder of the sources")
	flag.Parse()
	failed := 0
	for _, program := range flag.Args() {
		name, list := "record.c", ways
		if strings.HasPrefix(filepath.Base(program), "steps") {
			name, list = "steps.f90", steps
		}
		marks, err := marksOf(filepath.Join(*source, name))
		if err != nil {
			fmt.Println(err)
			os.Exit(2)
		}
		for _, w := range list {
			if *only != "" && *only != w.what {
				continue
			}
			if err := w.run(program, name, marks); err != nil {
				fmt.Printf("FAILED: %s %s %v: %v\n", filepath.Base(program), w.what, w.env, err)
				failed++
			}
		}
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// marksOf gives the line of each mark.
func marksOf(path string) (map[string]int, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	marks, mark := map[string]int{}, regexp.MustCompile(`(?:/\*|!) @(\w+)`)
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		if m := mark.FindStringSubmatch(lines.Text()); m != nil {
			marks[m[1]] = n
		}
	}
	return marks, lines.Err()
}

func (w way) run(program, source string, marks map[string]int) error {
	old, _ := filepath.Glob(filepath.Join(*folder, "*.trace"))
	for _, path := range old {
		os.Remove(path)
	}
	c := exec.Command(program, w.what)
	if w.blocks > 0 {
		c = exec.Command("bash", "-c", fmt.Sprintf(`ulimit -f %d; exec "$0" "$@"`, w.blocks), program, w.what)
	}
	c.Dir = *folder
	c.Env = append(os.Environ(), "PORTABLE_CHECK=memory,launch,arrays", "PORTABLE_NUM_THREADS=4")
	c.Env = append(c.Env, w.env...)
	timer := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
	output, err := c.CombinedOutput()
	timer.Stop()
	status := c.ProcessState.ExitCode()
	if s := c.ProcessState.String(); strings.HasPrefix(s, "signal:") {
		status = map[bool]int{true: 134, false: 139}[strings.Contains(s, "abort")]
	}
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) || status != w.status {
		return fmt.Errorf("it ended with %d (%v), not %d:\n%s", status, err, w.status, output)
	}
	left, _ := filepath.Glob(filepath.Join(*folder, "*.trace"))
	if len(left) != 1 {
		return fmt.Errorf("it left %d traces:\n%s", len(left), output)
	}
	f, err := trace.ReadFile(left[0])
	if err != nil {
		return err
	}
	if n := strings.Count(string(output), "be written any more (File too large)"); n != min(w.blocks, 1) {
		return fmt.Errorf("it said %d times that the disk is full:\n%s", n, output)
	}
	if err := w.check(f, source, marks); err != nil {
		return fmt.Errorf("%w\n%s%s", err, output, dump(f))
	}
	return nil
}

func (w way) check(f *trace.File, source string, marks map[string]int) error {
	if f.Skipped != 0 || f.Meta.Value("version") == "" || f.Meta.Value("exe") == "" || len(f.Modules) == 0 {
		return fmt.Errorf("%d bytes are of no record, META has %v, there are %d modules", f.Skipped, f.Meta.Pairs, len(f.Modules))
	}
	if (f.Finish == nil) != (w.how == none) || f.Finish != nil && f.Finish.How != w.how {
		return fmt.Errorf("the end is %+v, not of kind %d", f.Finish, w.how)
	}
	table := symbols.New(f.Modules, f.Meta.Value("cwd"))
	there := findingsOf(f)
	if w.look != nil {
		if err := w.look(f); err != nil {
			return err
		}
		if w.found == nil {
			return nil
		}
	}
	for _, want := range w.found {
		var why error
		at := slices.IndexFunc(there, func(t *trace.Finding) bool {
			err := want.is(t, f, table, source, marks)
			if t.What == want.kind {
				why = err
			}
			return err == nil
		})
		if at < 0 {
			return fmt.Errorf("there is no finding %+v (%w)", want, why)
		}
		there = slices.Delete(there, at, at+1)
	}
	if len(there) > 0 {
		return fmt.Errorf("there is a finding more: %+v", there[0])
	}
	return nil
}

// is returns an error if the finding is not the expected one.
func (want found) is(t *trace.Finding, f *trace.File, table *symbols.Table, source string, marks map[string]int) error {
	if t.What != want.kind || t.Label != want.label || t.Count != max(want.count, 1) {
		return fmt.Errorf("it is %d of '%s', %d times", t.What, t.Label, t.Count)
	}
	for _, s := range []struct {
		mark string
		id   uint32
	}{{want.here, t.HereStack}, {want.alloc, t.AllocStack}, {want.free, t.FreeStack}} {
		if s.mark == "" {
			continue
		}
		line := marks[s.mark]
		if line == 0 {
			return fmt.Errorf("there is no mark %s in %s", s.mark, source)
		}
		if !goesThrough(f.Stacks[s.id], table, source, line) {
			return fmt.Errorf("stack %d does not go through line %d (%s)", s.id, line, s.mark)
		}
	}
	if s := f.Stacks[t.HereStack]; want.kernel != "" && (s == nil || s.Kernel != want.kernel) {
		return fmt.Errorf("stack %d is not of kernel '%s'", t.HereStack, want.kernel)
	}
	return nil
}

func findingsOf(f *trace.File) (all []*trace.Finding) {
	for _, r := range f.Records {
		if finding, ok := r.(*trace.Finding); ok {
			all = append(all, finding)
		}
	}
	return all
}

func goesThrough(s *trace.Stack, table *symbols.Table, source string, line int) bool {
	return slices.ContainsFunc(table.Stack(s), func(frame symbols.Frame) bool { return filepath.Base(frame.File) == source && frame.Line == line })
}

func dump(f *trace.File) string {
	var text strings.Builder
	table := symbols.New(f.Modules, f.Meta.Value("cwd"))
	for _, t := range findingsOf(f) {
		fmt.Fprintf(&text, "%+v\n", *t)
		for _, id := range []uint32{t.HereStack, t.AllocStack, t.FreeStack} {
			if s := f.Stacks[id]; s != nil {
				fmt.Fprintf(&text, "  stack %d, kernel '%s'\n", id, s.Kernel)
				for _, frame := range table.Stack(s) {
					fmt.Fprintf(&text, "    %s\n", frame)
				}
			}
		}
	}
	return text.String()
}

// ---- further checks of a trace ----

func checkpoints(f *trace.File) error {
	var n uint64
	for _, r := range f.Records {
		c, ok := r.(*trace.Checkpoint)
		if !ok {
			continue
		}
		n++
		want := uint64(8800 + 1000*n + 10*min(n, 2))
		var bytes uint64
		for _, g := range c.Groups {
			bytes += g.Bytes
		}
		if c.Label != "step" || c.LiveBytes != want || bytes != want {
			return fmt.Errorf("checkpoint %d '%s' has %d live bytes, %d in groups, not %d", n, c.Label, c.LiveBytes, bytes, want)
		}
	}
	if n != 4 {
		return fmt.Errorf("there are %d checkpoints", n)
	}
	return nil
}

// launched examines blocks that a kernel on all threads has allocated: each stack leads from the kernel to the launch.
func launched(f *trace.File) error {
	table := symbols.New(f.Modules, f.Meta.Value("cwd"))
	blocks, workers := uint64(0), 0
	for _, t := range findingsOf(f) {
		if t.What != trace.Leak || t.Label != "in kernel" {
			continue
		}
		blocks += t.Count
		s, order := f.Stacks[t.AllocStack], ""
		for _, frame := range table.Stack(s) {
			switch frame.Procedure {
			case "allocates", "launch", "main":
				order += frame.Procedure + " "
			case "portable__team_worker":
				workers++
			}
		}
		if order != "allocates launch main " || s.Kernel != "allocates" {
			return fmt.Errorf("a stack in the kernel '%s' is %s", s.Kernel, order)
		}
	}
	if blocks != 4 || workers == 0 && f.Meta.Value("PORTABLE_NUM_THREADS") != "1" {
		return fmt.Errorf("%d blocks were taken in the kernel, %d stacks are of threads of the team", blocks, workers)
	}
	return nil
}

// balanced examines a storm of threads: each block is freed once, by an address that is live.
func balanced(f *trace.File) error {
	live, n := map[uint64]*trace.Alloc{}, 0
	for _, r := range f.Records {
		switch r := r.(type) {
		case *trace.Alloc:
			if r.Stack != 0 && f.Stacks[r.Stack] == nil {
				return fmt.Errorf("there is no stack %d", r.Stack)
			}
			live[r.Address] = r
			n++
		case *trace.Free:
			a := live[r.Address]
			if a == nil || a.Bytes != r.Bytes || a.Label != r.Label {
				return fmt.Errorf("%+v frees %+v", r, a)
			}
			delete(live, r.Address)
		}
	}
	if len(live) != 0 || uint64(n) != f.Finish.Allocations || f.Finish.LiveBlocks != 0 {
		return fmt.Errorf("%d blocks are live, there were %d; the end is %+v", len(live), n, f.Finish)
	}
	return nil
}

// full examines a trace that has reached the limit of the disk.
func full(f *trace.File) error {
	if info, err := os.Stat(f.Path); err != nil || info.Size() < 60<<10 || info.Size() > 64<<10 {
		return fmt.Errorf("the file: %v %w", info, err)
	}
	return nil
}

func events(f *trace.File) error {
	begun, order := map[uint64]*trace.Begin{}, ""
	stacks := strings.Contains(f.Meta.Value("PORTABLE_TRACE"), "stack")
	for _, r := range f.Records {
		switch r := r.(type) {
		case *trace.Begin:
			begun[uint64(r.Work)<<32|r.ID] = r
			if r.Label == "region" || r.Label == "empty" {
				order += "+" + r.Label + " "
				if stacks != (f.Stacks[r.Stack] != nil) {
					return fmt.Errorf("stack %d of %+v", r.Stack, r)
				}
			}
		case *trace.End:
			if b := begun[uint64(r.Work)<<32|r.ID]; b == nil || b.Label != r.Label {
				return fmt.Errorf("%+v ends %+v", r, b)
			}
			delete(begun, uint64(r.Work)<<32|r.ID)
			if r.Label == "region" || r.Label == "empty" {
				order += "-" + r.Label + " "
			}
		case *trace.Slab:
			order += "slab "
		case *trace.Alloc:
			order += r.Label + " "
		case *trace.Free:
			order += "free " + r.Label + " "
		case *trace.Checkpoint:
			order += "checkpoint "
		case *trace.Finding:
			return fmt.Errorf("a trace of events has the finding %+v", r)
		}
	}
	if want := "slab a b +region +empty -empty -region checkpoint free a free b slab "; order != want || len(begun) != 0 {
		return fmt.Errorf("events are %s, not %s; without end: %v", order, want, begun)
	}
	return nil
}
