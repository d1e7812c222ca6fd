package programs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file compiles the device texts of converted loops by NVIDIA's compiler (ffi_tests/cuda/nvrtc/compile.c), where scripts/cuda_packages has fetched
// it, and by AMD's, and compares the registers of kernels with hand-written ones. No GPU is needed. Not in this file: results (device_test.go).

var (
	compiler = flag.String("cuda-compile", "", "the program that calls NVRTC")
	onlyFor  = flag.String("arch", "", "of the architectures of -all, this one")
)

// nvrtc is the folder of the library.
const nvrtc = tree + "/build/cuda-packages/lib"

var (
	// architectures are those from sm_70 to sm_90 that NVRTC 11.8 knows.
	architectures = []string{"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}
	// asLaunched are the options for a launch whose indices fit 32 bits, and the first of which runs fastest.
	asLaunched = []string{"--option", "-DPORTABLE_NARROW=1", "--option", "-DPORTABLE_LAUNCH_ORDER=1"}
	// deviceHeaders are those that a text may include.
	deviceHeaders = []string{"capi/include/*/portable_device*.h", "capi/include/c/portable_atomic.h", "capi/include/c/portable_division.h", "capi/include/kernel/*.h", "internal/backend/cuda/prelude/*.h",
		"internal/backend/cuda/kernels/*.h"}
)

// withNvrtc is a folder for texts; the test is skipped where the compiler is missing.
func withNvrtc(t *testing.T) *work {
	if *compiler == "" {
		t.Skip("NVRTC is not here: give -cuda-compile")
	}
	if _, err := os.Stat(filepath.Join(nvrtc, "libnvrtc.so.11.2")); err != nil {
		t.Skip("NVRTC is not here: run scripts/cuda_packages")
	}
	return with(t)
}

// A deviceCompiler is one that takes the texts.
type deviceCompiler struct {
	library     string   // its path, or a name that the loader finds
	folder      string   // of the libraries that it needs
	options     []string // of the program that calls it
	some, every []string // architectures; with -all every one
}

// ofNvidia is NVRTC. withNvrtc has tested that it is there.
func ofNvidia(t *testing.T) deviceCompiler {
	folder, err := filepath.Abs(nvrtc)
	require.NoError(t, err)
	return deviceCompiler{library: filepath.Join(folder, "libnvrtc.so.11.2"), folder: folder, some: []string{"compute_80"}, every: architectures}
}

// ofAMD is hiprtc of Debian, with the text that the library puts before a source (internal/backend/cuda/prelude/portable_hip.h).
func ofAMD(t *testing.T) deviceCompiler {
	const library = "/usr/lib/x86_64-linux-gnu/libamdhip64.so.5"
	if _, err := os.Stat(library); *compiler == "" || err != nil {
		t.Skip("hiprtc is not here: give -cuda-compile, and install libamdhip64-5 (scripts/setup long)")
	}
	return deviceCompiler{library: library, options: []string{"--before", `#include "portable_hip.h"`}, some: []string{"gfx90a"}, every: []string{"gfx906", "gfx90a", "gfx1030"}}
}

// compilesText compiles files for devices by NVRTC, and gives what the program prints.
func (w *work) compilesText(t *testing.T, options []string, files ...string) string {
	t.Helper()
	return w.compilesBy(t, ofNvidia(t), options, files...)
}

func (w *work) compilesBy(t *testing.T, c deviceCompiler, options []string, files ...string) string {
	t.Helper()
	args := append([]string{c.library}, c.options...)
	for _, pattern := range deviceHeaders {
		headers, err := filepath.Glob(filepath.Join(tree, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, headers, pattern)
		for _, h := range headers {
			h, err = filepath.Abs(h)
			require.NoError(t, err)
			args = append(args, "--header", h)
		}
	}
	out, text, err := w.try([]string{"LD_LIBRARY_PATH=" + c.folder}, *compiler, slices.Concat(args, asLaunched, options, files)...)
	require.NoError(t, err, "%v\n%s%s", options, text, out)
	return out
}

var (
	dataLine  = regexp.MustCompile(`^\s*data portable_source\w*\((\d+):\d+\) /`)
	valueLine = regexp.MustCompile(`^\s*&?\s*'(.*)'([,/])( &)?$`)
)

// deviceTexts are the texts that a converted source holds, in their order.
func deviceTexts(t *testing.T, source string) (texts []string) {
	inside := false
	for _, line := range strings.Split(source, "\n") {
		if found := dataLine.FindStringSubmatch(line); found != nil {
			inside = true
			if found[1] == "1" {
				texts = append(texts, "")
			}
			continue
		}
		if !inside {
			continue
		}
		found := valueLine.FindStringSubmatch(line)
		require.NotNil(t, found, "%q is no line of a text", line)
		texts[len(texts)-1] += strings.ReplaceAll(found[1], "''", "'") + "\n"
		inside = found[2] == ","
	}
	return texts
}

// textFiles writes the texts of converted sources into files, and gives the names.
func (w *work) textFiles(converted ...string) (files []string) {
	w.t.Helper()
	for _, name := range converted {
		base := strings.TrimSuffix(filepath.Base(name), ".pf.F90")
		for i, text := range deviceTexts(w.t, w.text(name)) {
			require.Contains(w.t, text, "portable_nest")
			files = append(files, w.source(fmt.Sprintf("%s.%d.cu", base, i+1), text))
		}
	}
	return files
}

var cudaOptions = []string{"--auto", "--device", "cuda", "--always-launch"}

// shallowWater converts the model with arrays of the pool.
func (w *work) shallowWater() []string {
	var paths []string
	for _, folder := range []string{"src_pool", "src"} {
		list, err := filepath.Glob(filepath.Join(tree, "examples", "shallow_water", folder, "*.f90"))
		require.NoError(w.t, err)
		for _, path := range list {
			if !slices.ContainsFunc(paths, func(p string) bool { return filepath.Base(p) == filepath.Base(path) }) {
				paths = append(paths, path)
			}
		}
	}
	return w.convert(cudaOptions, w.program(paths)...)
}

// plainExamples are the examples that have a plain program and kernels by hand.
var plainExamples = []string{"column_physics/column_physics", "diffusion/diffusion", "max_stable_dt/max_stable_dt", "stencil/stencil_2d", "stencil/stencil_3d"}

func (w *work) plainExample(name string) []string {
	return w.convert(cudaOptions, w.copy(filepath.Join(tree, "examples", name+"_plain.f90")))
}

// modelFolders are the examples of several files whose loops have no kernels by hand.
var modelFolders = [][]string{{"column_model/src"}, {"river", "river/alone"}, {"dam_break"}}

func (w *work) model(folders ...string) []string {
	var paths []string
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join(tree, "examples", folder, "*.f90"))
		require.NoError(w.t, err)
		require.NotEmpty(w.t, found, folder)
		paths = append(paths, found...)
	}
	return w.convert(cudaOptions, w.program(paths)...)
}

// census converts all nests of the census.
func (w *work) census() []string {
	var paths []string
	for _, pattern := range []string{"*.f90", "*.F90", "*.f"} {
		found, err := filepath.Glob(filepath.Join(tree, "bench", "loops", "census", "*", pattern))
		require.NoError(w.t, err)
		paths = append(paths, found...)
	}
	return w.convert(cudaOptions, slices.DeleteFunc(w.program(paths), func(name string) bool { return name == "support_outside.f90" })...)
}

// TestNvrtcCompiles: NVIDIA's compiler takes each text that the tool writes for the examples and a table of semantics; with -all for all tables and
// the census, for all architectures.
func TestNvrtcCompiles(t *testing.T) {
	compilesAll(t, withNvrtc(t), ofNvidia(t))
}

// TestHiprtcCompiles: the same by AMD's compiler, for waves of 64 and of 32.
func TestHiprtcCompiles(t *testing.T) {
	compilesAll(t, with(t), ofAMD(t))
}

func compilesAll(t *testing.T, w *work, by deviceCompiler) {
	files := w.textFiles(w.shallowWater()...)
	for _, name := range plainExamples {
		files = append(files, w.textFiles(w.plainExample(name)...)...)
	}
	if *all {
		for _, folders := range modelFolders {
			files = append(files, w.textFiles(w.model(folders...)...)...)
		}
	}
	w.copy("../semantics/bits.f90")
	for _, b := range tables(t, false) {
		if *all || strings.HasPrefix(filepath.Base(b.name), "devices") {
			name := w.source(filepath.Base(b.name), b.text)
			options := append([]string{"--with", "bits.f90", "--fc-flags", strings.Join(b.flags, " ")}, cudaOptions...)
			files = append(files, w.textFiles(w.convert(options, name)...)...)
		}
	}
	list, least := by.some, 50
	if *all {
		files = append(files, w.textFiles(w.census()...)...)
		list, least = by.every, 400
	}
	if *onlyFor != "" {
		require.Contains(t, list, *onlyFor)
		list = []string{*onlyFor}
	}
	require.Greater(t, len(files), least)
	t.Log(len(files), "texts")
	for _, arch := range list {
		for part := range slices.Chunk(files, 10) { // a command has four minutes, also where the machine is busy
			t.Run(arch, func(t *testing.T) {
				t.Parallel()
				w.compilesBy(t, by, []string{"--arch", arch}, part...)
			})
		}
	}
}

// byHand are the kernels that stand for each text of a source, in the order of the texts; those of two loops may be one. Empty: there is none.
var byHand = map[string][]string{
	"column_physics_plain": {"column_physics"},
	"diffusion_plain":      {"diffusion", "wall_yz", "wall_xz", "wall_xy", ""},
	"max_stable_dt_plain":  {"max_stable_dt"},
	"stencil_2d_plain":     {"halo_in_x", "halo_in_y", "update"},
	"stencil_3d_plain":     {"halo_in_x", "halo_in_y", "halo_in_z", "update"},

	"src_swe_reconstruction_mod": {"primitive_variables", "limited_slope", "face_states", "face_states"},
	"src_swe_riemann_mod":        {"hydrostatic_depths", "wave_speeds", "face_fluxes"},
	"src_swe_update_mod":         {"add_divergence", "add_tendency", "average_states", "signal_rates"},
	"src_swe_boundary_mod":       {"ghosts_x", "ghosts_y"},
}

// more registers than by hand
const moreRegisters = 2

// TestNvrtcRegisters: a kernel that the tool writes takes at most two registers more than the one by hand.
func TestNvrtcRegisters(t *testing.T) {
	w := withNvrtc(t)
	some := []string{"--registers", "--arch", "sm_70", "--arch", "sm_80", "--arch", "sm_90"}
	compared := 0
	compare := func(hand string, converted ...string) {
		hand, err := filepath.Abs(filepath.Join(tree, "examples", hand+".cu"))
		require.NoError(t, err)
		known := registers(t, w.compilesText(t, some, hand))
		for _, name := range converted {
			base := strings.TrimSuffix(filepath.Base(name), ".pf.F90")
			kernels := byHand[base]
			if kernels == nil {
				continue
			}
			files := w.textFiles(name)
			require.Len(t, files, len(kernels), "%s has other loops than the table says", base)
			generated := registers(t, w.compilesText(t, some, files...))
			for i, kernel := range kernels {
				for _, arch := range []string{"sm_70", "sm_80", "sm_90"} {
					if kernel == "" {
						continue
					}
					has, may := generated[files[i]+" portable_nest "+arch], known[hand+" "+kernel+" "+arch]
					require.Positive(t, has, files[i])
					require.Positive(t, may, kernel)
					t.Logf("%s %s %s: %d registers, by hand %d", base, kernel, arch, has, may)
					if has > may+moreRegisters {
						t.Errorf("%s takes %d registers for %s, the kernel '%s' by hand %d:\n%s", files[i], has, arch, kernel, may, w.text(files[i]))
					}
					compared++
				}
			}
		}
	}
	for _, name := range plainExamples {
		compare(name, w.plainExample(name)...)
	}
	compare("shallow_water/src_cuda/shallow_water", w.shallowWater()...)
	kernels := 0
	for _, list := range byHand {
		kernels += len(list)
	}
	require.Equal(t, 3*(kernels-1), compared, "all but the one without a kernel by hand")
}

var registersLine = regexp.MustCompile(`(?m)^(\S+ \S+ sm_\d+) (\d+) \d+$`)

// registers reads what the program prints, by file, kernel and architecture.
func registers(t *testing.T, text string) map[string]int {
	m := map[string]int{}
	for _, found := range registersLine.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(found[2])
		require.NoError(t, err)
		m[found[1]] = n
	}
	return m
}
