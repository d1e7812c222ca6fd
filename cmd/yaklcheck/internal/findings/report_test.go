package findings

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/yaklcheck/internal/symbols"
	"libportable/cmd/yaklcheck/internal/trace"
)

// This file tests reports of made-up traces, in all three forms.

// fakeSymbols knows a few addresses of a made-up program.
type fakeSymbols map[uint64][]symbols.Frame

func (s fakeSymbols) Stack(stack *trace.Stack) (frames []symbols.Frame) {
	for i, pc := range stack.PC {
		if i > 0 || !stack.Exact() {
			pc--
		}
		frames = append(frames, s[pc]...)
	}
	return frames
}

func (fakeSymbols) Hints() []string { return nil }

const model = "/home/u/model/build/model"

func at(procedure, file string, line int) symbols.Frame {
	return symbols.Frame{Procedure: procedure, File: file, Line: line, Module: model}
}

var known = fakeSymbols{
	0x41: {at("max_stable_dt", "/home/u/model/src/sw.f90", 41)},
	0x42: {at("step", "/home/u/model/src/sw.f90", 88)},
	0x43: {at("model", "/home/u/model/src/main.f90", 9)},
	0x17: {at("init_model", "/home/u/model/src/sw.f90", 17)},
	0x50: {{Procedure: "portable_alloc", Module: model}},
	0x51: {at("gator_allocate_r8_2", "/home/u/model/fortran/gator_mod.F90", 300)},
	0x60: {{Procedure: "__libc_start_call_main", Module: "/lib/x86_64-linux-gnu/libc.so.6"}},
	0x61: {at("main", "/home/u/model/src/main.f90", 20)},
	0x62: {{Procedure: "__libc_free", Module: "/lib/x86_64-linux-gnu/libc.so.6"}},
	0x63: {{Procedure: "realloc", Module: "/lib/x86_64-linux-gnu/libc.so.6"}},
	0x64: {{Offset: 0x64}}, // data
	0x70: {{Procedure: "inner", File: "/home/u/model/src/sw.f90", Line: 5, Module: model, Inlined: true}, at("outer", "/home/u/model/src/sw.f90", 55)},
}

// made is a trace of one process with the stacks that the tests use.
func made(pid, rank int, findings ...*trace.Finding) *trace.File {
	meta := map[string]string{"pid": itoa(pid), "exe": model, "cwd": "/home/u/model", "argv": "./model\x00input.nml", "PORTABLE_MEMCHECK": "stack=4,mode=fast,guard=start"}
	if rank >= 0 {
		meta["rank"], meta["size"] = itoa(rank), "4"
	}
	f := &trace.File{Path: "trace_" + itoa(pid) + ".bin", Meta: &trace.Meta{}, Stacks: map[uint32]*trace.Stack{}, Starts: 1,
		Finish: &trace.Finish{Allocations: 12, HighWater: 4096}}
	for name, value := range meta {
		f.Meta.Pairs = append(f.Meta.Pairs, trace.Pair{Name: name, Value: value})
	}
	for id, stack := range map[uint32]*trace.Stack{
		1: {Flags: 1, PC: []uint64{0x41, 0x43, 0x44, 0x61}, Kernel: "dt"},
		2: {PC: []uint64{0x51, 0x52, 0x18, 0x44, 0x62, 0x61}},
		3: {PC: []uint64{0x51, 0x52, 0x43, 0x44, 0x62, 0x61}},
		4: {PC: []uint64{0x71, 0x44}},
		5: {PC: []uint64{0x999}},
	} {
		stack.ID = id
		f.Stacks[id] = stack
	}
	for _, finding := range findings {
		f.Records = append(f.Records, finding)
	}
	f.Modules = []*trace.Module{{Start: 0x900, End: 0xa00, Bias: 0x900, Path: model}}
	return f
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

func overrun() *trace.Finding {
	return &trace.Finding{What: trace.OutOfBounds, Flags: trace.FlagWrite, AccessBytes: 8, Distance: 8, BlockBytes: 80000, HereStack: 1,
		AllocStack: 2, Count: 1, Label: "dt2d"}
}

func leak() *trace.Finding {
	return &trace.Finding{What: trace.Leak, BlockBytes: 240000, AllocStack: 3, Count: 3, Label: "tmp"}
}

func collect(o Options, files ...*trace.File) *Report {
	o.Symbols = func(*trace.File) Symbols { return known }
	return Collect(files, o)
}

func textOf(t *testing.T, r *Report, o TextOptions) string {
	var b strings.Builder
	require.NoError(t, r.WriteText(&b, o))
	return b.String()
}

func TestTextIsTheOneOfTheDesign(t *testing.T) {
	first := overrun()
	first.HereStack = 6
	file := made(7, -1, leak(), first)
	file.Stacks[6] = &trace.Stack{ID: 6, Flags: 1, PC: []uint64{0x41, 0x43}}
	require.Equal(t, `yaklcheck: 2 findings in ./model
1 out-of-bounds write of 8 bytes, 8 bytes after the end of 'dt2d' (80000 bytes)
    at max_stable_dt  src/sw.f90:41
    allocated at init_model  src/sw.f90:17
2 leak of 3 blocks, 240000 bytes, label 'tmp'
    allocated at step  src/sw.f90:88
`, textOf(t, collect(Options{}, file), TextOptions{}))
}

func TestVerboseShowsEverything(t *testing.T) {
	r := collect(Options{}, made(7, -1, overrun()))
	require.Equal(t, `yaklcheck: 1 finding in ./model
1 out-of-bounds write of 8 bytes, 8 bytes after the end of 'dt2d' (80000 bytes)
    at max_stable_dt  src/sw.f90:41  in kernel 'dt'
       step  src/sw.f90:88
       model  src/main.f90:9
       __libc_start_call_main+0x0  (libc.so.6)
    allocated at portable_alloc+0x0  (model)
                 gator_allocate_r8_2  fortran/gator_mod.F90:300
                 init_model  src/sw.f90:17
                 model  src/main.f90:9
                 main  src/main.f90:20
                 __libc_start_call_main+0x0  (libc.so.6)
    counted in elements of 8 bytes from 1: number 10002 of 10000
    hint: the access runs past the array: compare the loop's bounds with those the array was allocated with
process 7, mode fast, guard start: 12 allocations, at most 4096 bytes at once, 0 bytes at the end
`, textOf(t, r, TextOptions{Verbose: true}))
	require.Contains(t, textOf(t, r, TextOptions{Frames: 2}), "    at max_stable_dt  src/sw.f90:41  in kernel 'dt'\n       step  src/sw.f90:88\n    alloc")
	require.Contains(t, textOf(t, r, TextOptions{Color: true}), "\x1b[1;31myaklcheck: 1 finding in ./model\x1b[0m\n")
}

func TestTitles(t *testing.T) {
	const address = 0x1000
	for want, f := range map[string]*trace.Finding{
		"out-of-bounds read, right after the end of a block of 8 bytes":                              {What: trace.OutOfBounds, Flags: trace.FlagRead, BlockBytes: 8},
		"out-of-bounds access of 4 bytes, 1 byte before the start of 'h'":                            {What: trace.OutOfBounds, AccessBytes: 4, Distance: -1, Label: "h"},
		"use after free: read of 8 bytes, 16 bytes into 'h' (80 bytes)":                              {What: trace.UseAfterFree, Flags: trace.FlagRead | trace.FlagQuarantine, AccessBytes: 8, Address: address + 16, BlockStart: address, BlockBytes: 80, Label: "h"},
		"use after free: write of 1 byte, at the start of 'h' (80 bytes)":                            {What: trace.UseAfterFree, Flags: trace.FlagWrite, AccessBytes: 1, Address: address, BlockStart: address, BlockBytes: 80, Label: "h"},
		"out-of-bounds write, seen later: bytes after the end of 'h' (80 bytes) were overwritten":    {What: trace.CanaryOverwritten, BlockBytes: 80, Label: "h"},
		"out-of-bounds write, seen later: bytes before the start of 'h' (80 bytes) were overwritten": {What: trace.CanaryOverwritten, BlockBytes: 80, Label: "h", Distance: -8},
		"double free of 'h' (80 bytes)":                                                              {What: trace.DoubleFree, BlockBytes: 80, Label: "h"},
		"free of a pointer that is not of the library":                                               {What: trace.ForeignFree, Address: address},
		"free of a null pointer":                                                {What: trace.ForeignFree},
		"free of a pointer 16 bytes into 'h' (80 bytes)":                        {What: trace.InteriorFree, Address: address + 16, BlockStart: address, BlockBytes: 80, Label: "h"},
		"DEALLOCATE or free of 'h' (80 bytes), which is the library's":          {What: trace.IntrinsicFree, BlockBytes: 80, Label: "h"},
		"leak of 1 block, 1 byte":                                               {What: trace.Leak, BlockBytes: 1, Count: 1},
		"growth between checkpoints: 2 blocks, 160 bytes, label 'h'":            {What: trace.Growth, BlockBytes: 160, Count: 2, Label: "h"},
		"read of never-written memory in 'h' (80 bytes)":                        {What: trace.NeverWritten, BlockBytes: 80, Label: "h"},
		"index out of bounds: array 'a', dimension 2: index 12 is outside 1:10": {What: trace.IndexOutOfBounds, Text: "portable: array 'a', dimension 2: index 12 is outside 1:10\nmore"},
		"host write of 8 bytes of device memory, 16 bytes into 'h' (80 bytes)":  {What: trace.HostAccess, Flags: trace.FlagWrite, AccessBytes: 8, Address: address + 16, BlockStart: address, BlockBytes: 80, Label: "h"},
		"device kernel given host memory, label 'update'":                       {What: trace.HostInKernel, Label: "update"},
		"stream hazard on 'h' (80 bytes) with 'update'":                         {What: trace.StreamHazard, BlockBytes: 80, Label: "h", OtherLabel: "update"},
		"timers not nested: 'a' was stopped while 'b' runs":                     {What: trace.TimersNotNested, Text: "'a' was stopped while 'b' runs"},
		"A launch had invalid bounds, label 'update'":                           {What: trace.BadBounds, Label: "update"},
		"crash: signal 11":                    {What: trace.Died, Text: "signal 11"},
		"crash: the program died by a signal": {What: trace.Died},
		"unknown: of a newer library":         {What: 99, Text: "of a newer library"},
	} {
		r := collect(Options{}, made(1, -1, f))
		require.Equal(t, want, r.Findings[0].Title())
	}
}

// TestDeathInFree: if the library does not know which pointer libc was given, the stack explains the crash.
func TestDeathInFree(t *testing.T) {
	died := made(5, -1, &trace.Finding{What: trace.Died, Text: "signal 6 (abort)", HereStack: 7})
	died.Stacks[7] = &trace.Stack{ID: 7, Flags: 1, PC: []uint64{0x62, 0x43}}
	require.Equal(t, `yaklcheck: 1 finding in ./model
1 crash: libc's free or realloc did not know its pointer, or found the heap damaged: signal 6 (abort)
    if it is a block of the library: gator_deallocate or portable_free frees it, not DEALLOCATE, free, realloc or delete
    at step  src/sw.f90:88
`, textOf(t, collect(Options{}, died), TextOptions{}))
	died.Stacks[7].PC[0] = 0x63
	require.Contains(t, collect(Options{}, died).Findings[0].Title(), "libc's free or realloc did not know")
}

func TestEveryKindOfTheFileIsKnown(t *testing.T) {
	seen := map[string]bool{}
	for what := trace.OutOfBounds; what <= trace.Died; what++ {
		k := KindOf(what)
		require.Equal(t, what, k.What)
		require.False(t, seen[k.Name], k.Name)
		seen[k.Name] = true
	}
	require.Equal(t, "unknown", KindOf(trace.Died+1).Name)
}

func TestRanksAreOne(t *testing.T) {
	other := overrun()
	other.Distance = 16
	r := collect(Options{}, made(13, 3, overrun()), made(10, 0, overrun(), leak()), made(11, 1, other, leak()), made(12, 2))
	require.Equal(t, `yaklcheck: 2 findings in ./model, 4 ranks
1 out-of-bounds write of 8 bytes, 8 bytes after the end of 'dt2d' (80000 bytes)
    at max_stable_dt  src/sw.f90:41  in kernel 'dt'
    allocated at init_model  src/sw.f90:17
    3 times, this is the first, ranks 0-1, 3
2 leak of 6 blocks, 480000 bytes, label 'tmp'
    allocated at step  src/sw.f90:88
    ranks 0-1
`, textOf(t, r, TextOptions{}))
	r = collect(Options{}, made(10, 0, overrun()), made(11, 1, overrun()))
	require.Contains(t, r.Notes[0], "ranks 2-3 of 4 left no trace here")
	r = collect(Options{}, made(12, 2, overrun()))
	require.Equal(t, "yaklcheck: 1 finding in ./model, rank 2", r.Headline())
	require.Empty(t, r.Notes)
}

// TestCounts: the library writes a place once, and at the end the number of times.
func TestCounts(t *testing.T) {
	all := overrun()
	all.Flags |= trace.FlagCountedOnly
	all.Count = 5
	with := overrun()
	with.Text = "a text that is not repeated"
	r := collect(Options{}, made(1, -1, with, all))
	require.Len(t, r.Findings, 1)
	require.EqualValues(t, 5, r.Findings[0].Count)
	r = collect(Options{}, made(1, 0, with, all), made(2, 1, with))
	require.Len(t, r.Findings, 1)
	require.EqualValues(t, 6, r.Findings[0].Count)
}

func TestLeakCheck(t *testing.T) {
	more := leak()
	more.Label, more.AllocStack = "q", 2
	r := collect(Options{LeakCheck: "no"}, made(1, -1, leak(), overrun()))
	require.Len(t, r.Findings, 1)
	r = collect(Options{LeakCheck: "summary"}, made(1, -1, leak(), more))
	require.Equal(t, "yaklcheck: 1 finding in ./model\n1 leak of 6 blocks, 480000 bytes\n    allocated at 2 places; --leak-check=full lists them\n",
		textOf(t, r, TextOptions{}))
}

func TestEndsAndDamage(t *testing.T) {
	killed := made(5, -1)
	killed.Finish, killed.Skipped = nil, 24
	require.Equal(t, `yaklcheck: no findings in ./model
note: process 5: its trace has no end: it was killed, ended by _exit, could not write on, or still runs
note: 24 bytes of its trace trace_5.bin are damaged and were skipped
`, textOf(t, collect(Options{}, killed), TextOptions{}))
	killed.Skipped = 0
	ending := &Ending{5, "killed by SIGTRAP (5)", "the program that started it was killed"}
	require.Equal(t, []string{"process 5: its trace has no end: killed by SIGTRAP (5)"}, collect(Options{Ending: ending}, killed).Notes)
	ending.PID = 4
	require.Equal(t, []string{"process 5: its trace has no end: it was killed, ended by _exit, could not write on, or still runs; " +
		"the program that started it was killed"}, collect(Options{Ending: ending}, killed).Notes)
	require.Empty(t, textOf(t, collect(Options{}, made(5, -1)), TextOptions{Quiet: true}))
	died := made(5, -1, &trace.Finding{What: trace.Died, Text: "signal 11", HereStack: 1})
	died.Finish = &trace.Finish{How: 2, Signal: 11}
	require.Empty(t, collect(Options{}, died).Notes, "the finding says it")
}

// TestJumpIntoData: data has no line, so the report names the caller's.
func TestJumpIntoData(t *testing.T) {
	died := made(5, -1, &trace.Finding{What: trace.Died, Text: "signal 11, a jump into a block", HereStack: 6})
	died.Stacks[6] = &trace.Stack{ID: 6, Flags: 1, PC: []uint64{0x64, 0x43}}
	died.Finish = &trace.Finish{How: 2, Signal: 11}
	require.Equal(t, "yaklcheck: 1 finding in ./model\n1 crash: signal 11, a jump into a block\n    at step  src/sw.f90:88\n",
		textOf(t, collect(Options{}, died), TextOptions{}))
	died.Stacks[6].PC = died.Stacks[6].PC[:1]
	require.Contains(t, textOf(t, collect(Options{}, died), TextOptions{}), "    at 0x64\n", "nothing else is known")
}

// TestCaughtByTheProgram: a program that reaches its finalize has not died.
func TestCaughtByTheProgram(t *testing.T) {
	lives := made(5, -1, &trace.Finding{What: trace.Died, Text: "signal 11", HereStack: 3})
	lives.Finish = &trace.Finish{How: 1}
	require.Equal(t, "yaklcheck: no findings in ./model\nnote: signal 11 at step  src/sw.f90:88 was caught by a handler of the program's, which went on\n",
		textOf(t, collect(Options{}, lives), TextOptions{}))
	lives.Finish = &trace.Finish{} // the handler may have called exit
	require.Len(t, collect(Options{}, lives).Findings, 1)
}

func TestPrintable(t *testing.T) {
	for label, want := range map[string]string{"h\u00f6he 1": "h\u00f6he 1", "a\n b\t\x1b[31m": "a? b??[31m", "\xff\xfe": "??"} {
		f := overrun()
		f.Label = label
		r := collect(Options{}, made(1, -1, f))
		require.Equal(t, want, r.Findings[0].Label)
		var b bytes.Buffer
		require.NoError(t, r.WriteSuppressions(&b))
		require.Equal(t, 1, collect(Options{Suppressions: parsed(t, b.String())}, made(1, -1, f)).Suppressed)
	}
}

func TestOwners(t *testing.T) {
	for want, frames := range map[Owner][]symbols.Frame{
		Library: {{Procedure: "allocate_real8_1d", Scope: "gator_mod"}, {Procedure: "launch", Scope: "portable_core_mod"},
			{Procedure: "portable::parallel_for"}, {Procedure: "allocate", Scope: "gator_mod", File: "/p/gator_mod.F90"}},
		System: {{Procedure: "raise"}, {Procedure: "free"}, {Procedure: "__libc_message"}, {Procedure: "_dl_exception_create_format"},
			{Procedure: "_nl_find_locale"}, {Procedure: "_IO_file_doallocate"}},
		User: {{Procedure: "free", File: "/u/pool.c"}, {Procedure: "allocate_real8_1d", Scope: "model"}, {Procedure: "step"}, {Procedure: "step", Scope: "gator_tuning"}},
	} {
		for _, f := range frames {
			f.Module = model
			require.Equal(t, want, ownerOf(&f), f)
		}
	}
}

func TestWithoutSymbols(t *testing.T) {
	f := overrun()
	f.HereStack, f.AllocStack = 5, 4
	r := Collect([]*trace.File{made(1, -1, f)}, Options{})
	require.Contains(t, textOf(t, r, TextOptions{}), "at build/model+0x99\n    allocated at 0x71\n")
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, collect(Options{}, made(10, 0, overrun()), made(11, 1, leak())).WriteJSON(&b, "0.1.0"))
	var back struct {
		Schema, Tool, Program string
		Version               int
		Summary               struct {
			Findings int
			ByKind   map[string]int `json:"by_kind"`
		}
		Findings []struct {
			Kind, Access, Label string
			Distance            *int `json:"distance_bytes"`
			Ranks               []int
			Sites               []struct {
				Role, Kernel string
				Frames       []struct {
					Procedure, File, Owner string
					Line                   int
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &back))
	require.Equal(t, "yaklcheck-report", back.Schema)
	require.Equal(t, JSONVersion, back.Version)
	require.Equal(t, map[string]int{"leak": 1, "out-of-bounds": 1}, back.Summary.ByKind)
	first := back.Findings[0]
	require.Equal(t, "write", first.Access)
	require.Equal(t, 8, *first.Distance)
	require.Equal(t, "dt", first.Sites[0].Kernel)
	require.Equal(t, "library", first.Sites[1].Frames[0].Owner)
	require.Equal(t, 17, first.Sites[1].Frames[2].Line)
	require.Nil(t, back.Findings[1].Distance)
	require.NotContains(t, b.String(), "null", "lists are empty, never null")
}
