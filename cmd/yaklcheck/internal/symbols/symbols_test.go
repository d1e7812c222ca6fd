package symbols

import (
	"debug/elf"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/yaklcheck/internal/trace"
)

// This file compiles programs with the compilers of the machine, and asks for the frames at every
// address.

// bias is where the programs pretend to have been mapped.
const bias = 0x5500_0000_0000

// made compiles testdata/SOURCE in a new folder and returns folder and program.
func made(t *testing.T, compiler string, flags []string, source string) (folder, program string) {
	path, err := exec.LookPath(compiler)
	if err != nil {
		t.Skipf("%s is not on this machine", compiler)
	}
	folder, err = filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join("testdata", source))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, source), text, 0o644))
	command := exec.Command(path, append(flags, filepath.Join(folder, source), "-o", "program")...)
	command.Dir = folder
	output, err := command.CombinedOutput()
	if err != nil && strings.Contains(string(output), "cannot find -l") {
		t.Skipf("%s cannot link here: %s", compiler, output)
	}
	require.NoError(t, err, string(output))
	return folder, filepath.Join(folder, "program")
}

// line finds the line of a source that has the mark.
func line(t *testing.T, source, mark string) string {
	text, err := os.ReadFile(filepath.Join("testdata", source))
	require.NoError(t, err)
	for i, l := range strings.Split(string(text), "\n") {
		if strings.HasSuffix(l, "@"+mark) {
			return fmt.Sprintf("%s:%d", source, i+1)
		}
	}
	t.Fatalf("%s has no mark %s", source, mark)
	return ""
}

// code returns address and size of a program's instructions.
func code(t *testing.T, program string) (start, bytes uint64, id string) {
	e, err := elf.Open(program)
	require.NoError(t, err)
	defer e.Close()
	text := e.Section(".text")
	start, bytes = text.Addr, text.Size
	// In a static program, the code around main.
	const around = 4096
	symbols, _ := e.Symbols()
	if i := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == "main" }); i >= 0 && bytes > 8*around {
		start = max(start, symbols[i].Value-around)
		bytes = min(text.Addr+text.Size-start, 2*around)
	}
	return start, bytes, buildID(e)
}

// everywhere asks for the frames at every address.
func everywhere(t *testing.T, folder, program string) (*Table, [][]Frame) {
	start, bytes, id := code(t, program)
	table := New([]*trace.Module{{Start: bias + start, End: bias + start + bytes, Bias: bias, Path: program, BuildID: id}}, folder)
	var found [][]Frame
	for at := start; at < start+bytes; at++ {
		found = append(found, table.Frames(bias+at, true))
	}
	return table, found
}

// chains writes frames as one line each, in the form of the tests' tables.
func chains(found [][]Frame) (lines []string) {
	for _, frames := range found {
		if frames[0].File != "" {
			lines = append(lines, strings.Join(parts(frames), " < "))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func TestFortran(t *testing.T) {
	t.Parallel()
	at := func(mark string) string { return "  " + line(t, "swe.f90", mark) }
	plain := []string{
		"swe deep" + at("deep"), "swe step" + at("calls inner"), "swe step::inner" + at("inner"), "stopit" + at("stopit"),
		"model" + at("model"), "model::local" + at("local"),
	}
	inlined := []string{
		"swe deep" + at("deep"), "stopit" + at("stopit"), "model::local" + at("local"),
		"swe step::inner" + at("inner") + " < swe step" + at("calls inner"),
	}
	cases := []struct {
		name, compiler, flags string
		want                  []string
	}{
		{"O0", "gfortran", "-g -O0", plain},
		{"O1 static", "gfortran", "-g -O1 -static", plain[:1]},
		{"O2 no PIE, DWARF 4, compressed", "gfortran", "-g -O2 -no-pie -gdwarf-4 -gz", inlined},
		{"O3 OpenMP", "gfortran", "-g -O3 -fopenmp", slices.Concat(inlined[1:], []string{"swe step (OpenMP region)" + at("region")})},
		{"shared", "gfortran", "-g -O0 -shared -fPIC", plain},
		{"gfortran-11", "gfortran-11", "-g -O0", plain},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder, program := made(t, c.compiler, strings.Fields(c.flags), "swe.f90")
			table, found := everywhere(t, folder, program)
			require.Subset(t, chains(found), c.want)
			require.Empty(t, table.Hints())
			asAddr2line(t, program, found)
		})
	}
}

func TestCpp(t *testing.T) {
	t.Parallel()
	at := func(mark string) string { return "  " + line(t, "grid.cpp", mark) }
	want := []string{
		"swe::Grid::fill" + at("fill"),
		"swe::Grid::total" + at("total") + " < main" + at("prints"),
	}
	for _, c := range []struct{ compiler, flags, lambda string }{
		{"g++", "-g -O2", "main::{lambda}::operator()"}, {"clang++", "-g -O2 -gdwarf-5", "main::$_0::operator()"},
	} {
		t.Run(c.compiler, func(t *testing.T) {
			t.Parallel()
			folder, program := made(t, c.compiler, strings.Fields(c.flags), "grid.cpp")
			_, found := everywhere(t, folder, program)
			require.Subset(t, chains(found), append(slices.Clone(want), c.lambda+at("lambda")+" < each"+at("each")))
			asAddr2line(t, program, found)
		})
	}
}

// asAddr2line compares lines with those of addr2line -i, for addresses in procedures whose line it knows.
func asAddr2line(t *testing.T, program string, found [][]Frame) {
	if _, err := exec.LookPath("addr2line"); err != nil {
		t.Log("there is no addr2line to compare with")
		return
	}
	start, _, _ := code(t, program)
	var addresses strings.Builder
	for i := range found {
		fmt.Fprintf(&addresses, "%#x\n", start+uint64(i))
	}
	command := exec.Command("addr2line", "-a", "-i", "-e", program)
	command.Stdin = strings.NewReader(addresses.String())
	output, err := command.Output()
	require.NoError(t, err)
	theirs := strings.Split(string(output), "0x")[1:]
	require.Len(t, theirs, len(found))
	compared := 0
	for i, frames := range found {
		lines := strings.Split(strings.TrimSpace(theirs[i]), "\n")[1:]
		if frames[0].Procedure == "" || frames[0].File == "" || strings.Contains(theirs[i], "?") {
			continue
		}
		var ours []string
		for k, f := range frames {
			ours = append(ours, fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line))
			if k < len(lines) {
				lines[k], _, _ = strings.Cut(filepath.Base(lines[k]), " (")
			}
		}
		if strings.Contains(theirs[i], ":0\n") {
			continue // no line: ours is that of the code before
		}
		compared++
		require.Equal(t, lines, ours, "at %#x", start+uint64(i))
	}
	t.Logf("%d of %d addresses have the lines of addr2line", compared, len(found))
	require.NotZero(t, compared)
}

// names are the scopes and names of the innermost frames, each once.
func names(found [][]Frame) (all []string) {
	for _, frames := range found {
		all = append(all, frames[0].Scope+" "+frames[0].Procedure)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestWithoutDebug: names come from the symbol table, and the remedy is given once.
func TestWithoutDebug(t *testing.T) {
	t.Parallel()
	folder, program := made(t, "gfortran", []string{"-O0", "-fopenmp"}, "swe.f90")
	table, found := everywhere(t, folder, program)
	for _, frames := range found {
		require.Len(t, frames, 1)
		require.Empty(t, frames[0].File)
	}
	require.Subset(t, names(found), []string{"swe deep", "swe step", " inner", "swe step (OpenMP region)", " stopit", " main program", " local"})
	require.Equal(t, []string{program + " has no debugging information: compile with -g to see files and lines (also with -O2 or -O3)"}, table.Hints())
}

// TestFlang: version 16 writes no debug information, and its run-time library is rarely installed, so the test reads
// names of a shared object.
func TestFlang(t *testing.T) {
	t.Parallel()
	folder, object := made(t, "flang-new-16", []string{"-O0", "-c", "-fPIC"}, "swe.f90")
	program := filepath.Join(folder, "shared")
	output, err := exec.Command("gcc", "-shared", object, "-o", program).CombinedOutput()
	require.NoError(t, err, string(output))
	_, found := everywhere(t, folder, program)
	require.Subset(t, names(found), []string{"swe deep", "swe step", "swe step::inner", " stopit", " main program", " local"})
}

func TestSplit(t *testing.T) {
	t.Parallel()
	folder, program := made(t, "gfortran", []string{"-g", "-gsplit-dwarf", "-O0"}, "swe.f90")
	table, found := everywhere(t, folder, program)
	require.Subset(t, chains(found), []string{"swe deep  " + line(t, "swe.f90", "deep"), "main program  " + line(t, "swe.f90", "model")})
	require.Len(t, table.Hints(), 1)
	require.Contains(t, table.Hints()[0], "was compiled with -gsplit-dwarf")
}

// TestApart: debug information in a separate file is found next to the program, and by build id.
func TestApart(t *testing.T) {
	folder, program := made(t, "gfortran", []string{"-g", "-O0", "-Wl,--build-id"}, "swe.f90")
	if _, err := exec.LookPath("objcopy"); err != nil {
		t.Skip("there is no objcopy here")
	}
	run := func(arguments ...string) {
		command := exec.Command("objcopy", arguments...)
		command.Dir = folder
		output, err := command.CombinedOutput()
		require.NoError(t, err, string(output))
	}
	run("--only-keep-debug", "program", "program.debug")
	run("--strip-all", "--add-gnu-debuglink=program.debug", "program")
	want := []string{"swe deep  " + line(t, "swe.f90", "deep"), "model::local  " + line(t, "swe.f90", "local")}
	_, found := everywhere(t, folder, program)
	require.Subset(t, chains(found), want)

	before := debugRoot
	defer func() { debugRoot = before }()
	debugRoot = filepath.Join(folder, "root")
	_, _, id := code(t, program)
	byID := filepath.Join(debugRoot, ".build-id", id[:2], id[2:]+".debug")
	require.NoError(t, os.MkdirAll(filepath.Dir(byID), 0o755))
	require.NoError(t, os.Rename(filepath.Join(folder, "program.debug"), byID))
	_, found = everywhere(t, folder, program)
	require.Subset(t, chains(found), want)
}

// TestStack: a return address stands for the call before it, and frames behind the main program are left out.
func TestStack(t *testing.T) {
	t.Parallel()
	folder, program := made(t, "gfortran", []string{"-g", "-O0"}, "swe.f90")
	table, found := everywhere(t, folder, program)
	start, _, _ := code(t, program)
	// last is the address behind the code of a line.
	last := func(where string) (pc uint64) {
		for i, frames := range found {
			if strings.HasSuffix(frames[0].String(), where) {
				pc = bias + start + uint64(i) + 1
			}
		}
		return pc
	}
	inner, model, end := line(t, "swe.f90", "inner"), line(t, "swe.f90", "model"), last("main  swe.f90:44")
	stack := &trace.Stack{PC: []uint64{last(inner), last(model), end, 0x77}, Flags: 0}
	require.Equal(t, []string{"swe step::inner  " + inner, "model  " + model}, parts(table.Stack(stack)))
	stack = &trace.Stack{PC: []uint64{last(inner) - 1, 0x77}, Flags: 1}
	require.Equal(t, []string{"swe step::inner  " + inner, "0x77"}, parts(table.Stack(stack)))
	require.Empty(t, table.Stack(nil))
}

func parts(frames []Frame) (lines []string) {
	for _, f := range frames {
		lines = append(lines, strings.TrimSpace(f.Scope+" "+f.String()))
	}
	return lines
}

// TestFiles: the file of a module has changed, does not exist, or is no ELF file.
func TestFiles(t *testing.T) {
	t.Parallel()
	text := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(text, []byte("text"), 0o644))
	self, err := os.Executable()
	require.NoError(t, err)
	table := New([]*trace.Module{
		{Start: 0x1000, End: 0x2000, Path: self, BuildID: "0011"},
		{Start: 0x2000, End: 0x3000, Path: "/nowhere/model"},
		{Start: 0x3000, End: 0x4000, Path: text},
		{Start: 0x4000, End: 0x5000, Path: "[vdso]"},
	}, "")
	for _, c := range []struct {
		pc         uint64
		want, hint string
	}{
		{0x1010, filepath.Base(self) + "+0x1010", "is not the file that ran"},
		{0x2010, "model+0x2010", "/nowhere/model cannot be read (it is not there any more)"},
		{0x3010, "text+0x3010", "cannot be read"},
		{0x4010, "[vdso]+0x4010", ""},
		{0x9000, "0x9000", ""},
		{0, "0x0", ""},
	} {
		before := len(table.Hints())
		frames := table.Frames(c.pc, true)
		require.Len(t, frames, 1)
		require.Equal(t, c.want, frames[0].String())
		if c.hint == "" {
			require.Len(t, table.Hints(), before)
		} else {
			require.Contains(t, table.Hints()[before], c.hint)
		}
	}
}

// TestSystem: libraries of the system have names and no lines, and no hint to compile them.
func TestSystem(t *testing.T) {
	t.Parallel()
	libraries, err := filepath.Glob("/lib/*/libc.so.6")
	require.NoError(t, err)
	if len(libraries) == 0 {
		t.Skip("there is no libc.so.6 in /lib/*")
	}
	e, err := elf.Open(libraries[0])
	require.NoError(t, err)
	defer e.Close()
	symbols, err := e.DynamicSymbols()
	require.NoError(t, err)
	i := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == "printf" })
	require.GreaterOrEqual(t, i, 0)
	table := New([]*trace.Module{{End: 1 << 40, Path: libraries[0]}}, "")
	frames := table.Frames(symbols[i].Value+4, true)
	require.Len(t, frames, 1)
	require.Equal(t, "printf", frames[0].Procedure)
	require.Empty(t, frames[0].File)
	require.EqualValues(t, 4, frames[0].Offset)
	require.Empty(t, table.Hints())
}

// TestDamaged: every file gives at least one frame, and reading ends.
func TestDamaged(t *testing.T) {
	t.Parallel()
	folder, program := made(t, "gfortran", []string{"-g", "-O2"}, "swe.f90")
	whole, err := os.ReadFile(program)
	require.NoError(t, err)
	start, _, _ := code(t, program)
	e, err := elf.Open(program)
	require.NoError(t, err)
	defer e.Close()
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 40 {
		bytes := slices.Clone(whole)
		for _, s := range e.Sections {
			if strings.HasPrefix(s.Name, ".debug") || round%10 == 0 && s.Type != elf.SHT_NOBITS {
				for range 1 + rng.IntN(4) {
					bytes[s.Offset+rng.Uint64N(max(s.FileSize, 1))] = byte(rng.Uint32())
				}
			}
		}
		damaged := filepath.Join(folder, "damaged")
		require.NoError(t, os.WriteFile(damaged, bytes, 0o755))
		table := New([]*trace.Module{{Start: 0, End: 1 << 40, Path: damaged}}, folder)
		for at := range uint64(100) {
			require.NotEmpty(t, table.Frames(start+at*10, true))
		}
	}
}

// BenchmarkFrames asks for 10 000 addresses of the program that SYMBOLS_OF names, because test binaries have no debug
// information.
func BenchmarkFrames(b *testing.B) {
	program := os.Getenv("SYMBOLS_OF")
	if program == "" {
		b.Skip("SYMBOLS_OF names no program")
	}
	e, err := elf.Open(program)
	require.NoError(b, err)
	defer e.Close()
	text := e.Section(".text")
	for b.Loop() {
		table := New([]*trace.Module{{Start: text.Addr, End: text.Addr + text.Size, Path: program}}, "")
		for i := range uint64(10000) {
			table.Frames(text.Addr+text.Size/10000*i, true)
		}
	}
}
