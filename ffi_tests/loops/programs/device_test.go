package programs

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"libportable/internal/nest/truth"

	"github.com/stretchr/testify/require"
)

// This file runs converted programs on a CUDA device: the driver without a GPU (internal/cudasim), or a real one where -fake is "none".
// Each row of the table of semantics has the bits of the original. Not in this file: the text for devices (internal/emit/cuda).

var fake = flag.String("fake", "", "the folder of the driver without a GPU; none: the machine has a driver")

// onDevice is the environment in which launches go to the device, which can access all memory of the host.
func onDevice(t *testing.T, w *work) []string {
	if _, err := os.Stat(filepath.Join(*fake, "libcuda.so.1")); *fake != "none" && err != nil {
		t.Skip("no driver: give -fake")
	}
	env := []string{"PORTABLE_DEVICE=cuda", "PORTABLE_HOSTMEM=allow", "PORTABLE_VERBOSE=" + w.path("log")}
	if *fake != "none" {
		env = append(env, "PORTABLE_CUDA_LIBRARY="+filepath.Join(*fake, "libcuda.so.1"), "PORTABLE_NVRTC_LIBRARY="+filepath.Join(*fake, "libnvrtc.so.12"),
			"PORTABLE_CACHE="+filepath.Join(*fake, "cache"),
			"FAKE_CUDA_ATTRIBUTE=pageable_memory_access=1", "FAKE_CUDA_STRICT=1", "FAKE_CUDA_LOG="+w.path("driver"))
	}
	return env
}

// launchesOnDevice are the labels of the launches on the device, in their order, without copies.
func launchesOnDevice(log string) (labels []string) {
	for _, line := range strings.Split(log, "\n") {
		if _, text, is := strings.Cut(line, "launch "); is && onGpu.MatchString(text) && !strings.Contains(text, "'copy for ") {
			labels = append(labels, strings.Split(text, "'")[1])
		}
	}
	return labels
}

var onGpu = regexp.MustCompile(`device (cuda|hip|opencl)\b`)

// onDeviceTables are the files that `make test` runs; with -all, as in test-long, all run.
var onDeviceTables = []string{"devices.f90", "devices_elements.f90", "reductions.f90", "status.f90"}

// withoutArrays is the number of rows of a file whose nests have no arrays, or in one of their runs arrays without elements alone.
var withoutArrays = map[string]int{"devices.f90": 1, "names.f90": 1, "run_time_sizes.f90": 8, "status.f90": 1}

// TestDevice: the table of semantics on the device, by bits. Rows that the tool leaves to the host run there.
func TestDevice(t *testing.T) {
	rows, kernels := 0, 0
	for _, b := range tables(t, false) {
		if !*all && !slices.Contains(onDeviceTables, filepath.Base(b.name)) {
			continue
		}
		t.Run(filepath.Base(b.name), func(t *testing.T) {
			b := b.taken(t, *fc)
			w := with(t)
			env := onDevice(t, w)
			want := b.original(t, w, "-O2")
			b.convertedWith(t, w, "-O2", []string{"--device", "cuda"}, quiet(w.compiler)...)
			b.check(t, want, w.run(env, "converted.x"), "on the device")
			rows += len(b.rows)
			if *fake == "none" {
				return
			}
			kernels += strings.Count(w.text("driver"), "cuModuleGetFunction")
			launched := launchesOnDevice(w.text("log"))
			b.places(t, launched)
			// Memory that the device cannot access is copied, so the same kernels run.
			far := slices.DeleteFunc(slices.Clone(env), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
			require.NoError(t, os.Remove(w.path("log"))) // the driver and the log append
			b.check(t, want, w.run(far, "converted.x"), "with copies of arrays")
			inside, unknown := b.inside(t, w), b.withoutSizes() // they take no copies
			labels := func(list []string) []string {
				slices.Sort(list)
				return slices.DeleteFunc(slices.Compact(list), func(label string) bool {
					procedure, _, _ := strings.Cut(label, ":")
					return inside[label] || unknown[procedure]
				})
			}
			require.Equal(t, labels(launched), labels(launchesOnDevice(w.text("log"))), "a kernel of arrays on the host did not run on the device")
			// Such memory without copies, or no compiler of device text: the host does it.
			require.NoError(t, os.Remove(w.path("driver")))
			b.check(t, want, w.run(append(far, "PORTABLE_HOSTMEM=error"), "converted.x"), "with arrays on the host")
			require.Equal(t, withoutArrays[filepath.Base(b.name)], strings.Count(w.text("driver"), "cuModuleGetFunction"),
				"a kernel got arrays that the device cannot access")
			out, text, err := w.try(append(slices.Clone(env), "PORTABLE_NVRTC_LIBRARY="+w.path("none.so")), w.path("converted.x"))
			require.NoError(t, err, text)
			require.Contains(t, text, "NVRTC is missing")
			b.check(t, want, out, "without a compiler")
		})
	}
	t.Log(rows, "rows,", kernels, "kernels on the device")
	require.True(t, rows == 0 || *fake == "none" || 3*kernels >= rows, "fewer than a third of the rows ran on the device")
}

// unsized is a declaration of a dummy of assumed size, or with a last dimension of 1, which counts as such.
var unsized = regexp.MustCompile(`intent.*::.*\w\(([^()]*[,:] *)?[*1]\)|:: *\w+\([^()]*\*\)`)

// withoutSizes are the procedures with such dummies, of which no copy can be made.
func (b table) withoutSizes() map[string]bool {
	procedures, procedure := map[string]bool{}, ""
	for _, line := range strings.Split(b.text, "\n") {
		if m := procedureLine.FindStringSubmatch(line); m != nil {
			procedure = m[1]
		}
		if unsized.MatchString(line) {
			procedures[procedure] = true
		}
	}
	return procedures
}

// inside are the labels of loops inside of a nest without a version for devices, as the tool names them.
func (b table) inside(t *testing.T, w *work) map[string]bool {
	_, text, err := w.try(nil, *portablef, "convert", "--auto", "--device", "cuda", "--with", "bits.f90", "--fc-flags", strings.Join(b.flags, " "), "--out", "named", filepath.Base(b.name))
	require.NoError(t, err, text)
	labels := map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		if _, list, is := strings.Cut(line, "the loops inside run on the device: '"); is {
			for _, label := range strings.Split(strings.TrimSuffix(list, "'"), "', '") {
				labels[label] = true
			}
		}
	}
	return labels
}

// places holds the rows of procedures `..._on_the_host` and `..._on_the_device` to their place.
func (b table) places(t *testing.T, launched []string) {
	nests, err := truth.Read(b.name, b.text)
	require.NoError(t, err)
	for _, n := range nests {
		before := procedureLine.FindAllStringSubmatch(strings.Join(strings.Split(b.text, "\n")[:n.Line], "\n"), -1)
		if len(before) == 0 {
			continue
		}
		name := before[len(before)-1][1]
		label := name + ":" + strconv.Itoa(n.Do)
		switch {
		case strings.HasSuffix(name, "_on_the_host"):
			require.NotContains(t, launched, label, "the row '%s' runs on the device", n.Run)
		case strings.HasSuffix(name, "_on_the_device"):
			require.Contains(t, launched, label, "the row '%s' runs on the host", n.Run)
		}
	}
}

var procedureLine = regexp.MustCompile(`(?m)^ *subroutine (\w+)`)

// extremes is a program whose least and greatest values meet zeros of both signs and NaN: the device has the bits of the host.
const extremes = `module m
contains
  subroutine reduce(n, x, least, most)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: least, most
    integer :: i
    do i = 1, n
      least = min(least, x(i))
      most = max(x(i), most)
    end do
    do i = 1, n
      if (x(i) > most) most = x(i)
    end do
  end subroutine reduce
  subroutine add(n, x, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: s
    integer :: i
    do i = 1, n
      if (x(i) > 1) cycle
      s = s - x(i)
    end do
  end subroutine add
end module m
program p
  use, intrinsic :: ieee_arithmetic
  use m
  integer, parameter :: n = 400
  real(8) :: x(n), least, most, s, begin(4), value(5)
  integer :: i, j, k
  begin = [1d0, 0d0, -0d0, ieee_value(s, ieee_quiet_nan)]
  value = [begin, -1d0]
  do k = 1, 4
    do j = 1, 5
      do i = 1, 5
        x = 2
        x(60:70) = value(i)
        x(110:) = value(j)
        least = begin(k)
        most = begin(k)
        s = begin(k)
        call reduce(n, x, least, most)
        call add(n, x, s)
        print '(3z17)', least, most, s
      end do
    end do
  end do
end program p
`

// TestDeviceExtremes: what is not ordered is left to the host, whose order decides. Code that the device's compiler refuses is left to it, too: the
// program says so once, counts the launches by label, and goes on.
func TestDeviceExtremes(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	source := w.source("extremes.f90", extremes)
	converted := w.convert([]string{"--auto", "--device", "cuda", "--always-launch"}, source)
	w.build("converted.x", []string{"-O1"}, converted...)
	want := w.run([]string{"PORTABLE_DEVICE=serial"}, "converted.x")
	require.Equal(t, want, w.run(env, "converted.x"))
	if *fake == "none" {
		return
	}
	require.Equal(t, 3, strings.Count(w.text("driver"), "cuModuleGetFunction"))
	require.NoError(t, os.WriteFile(w.path(converted[0]), []byte(strings.ReplaceAll(w.text(converted[0]), "portable_view<", "portable_wiew<")), 0o644))
	w.build("converted.x", []string{"-O1"}, converted...)
	out, text, err := w.try(append(env, "PORTABLE_PROFILE=1"), w.path("converted.x"))
	require.NoError(t, err, text)
	require.Equal(t, want, out)
	require.Equal(t, 3, strings.Count(text, "runs on the host: its device version does not compile"), text)
	require.Regexp(t, `add:21 +100 `, text)
	require.Contains(t, text, "refused the generated version of these; its errors were printed at the first launch: ")
	far := slices.DeleteFunc(slices.Clone(env), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
	out, text, err = w.try(far, w.path("converted.x"))
	require.NoError(t, err, "with copies, which the host does not read: %s", text)
	require.Equal(t, want, out)
	out, text, err = w.try(append(env, "PORTABLE_PROFILE=1", "PORTABLE_NVRTC_LIBRARY="+w.path("none.so")), w.path("converted.x"))
	require.NoError(t, err, text)
	require.Equal(t, want, out)
	require.Regexp(t, `add:21 +100 `, text, "a launch is counted once")
}

// devicesOnly is a program with nests for devices alone: a map, a reduction, a last value, and one that has no text for devices.
const devicesOnly = `module m
contains
  subroutine work(n, x, s, k)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: s
    integer, intent(inout) :: k
    integer :: i
    complex(16) :: place
    !$portable parallel on(gpu)
    do i = 1, n
      x(i) = 2*x(i) + i
    end do
    !$portable parallel serial(cpu)
    do i = 1, n
      s = max(s, x(i))
    end do
    !$portable parallel on(gpu) serial(gpu)
    do i = 1, n
      x(i) = x(i) - 1
    end do
    !$portable parallel on(gpu)
    do i = 1, n
      k = 3*i
      x(i) = x(i) + k
    end do
    place = (1d0, 2d0)
    !$portable parallel on(gpu)
    do i = 1, n
      if (real(place) > 0) x(i) = x(i)/2
    end do
  end subroutine work
end module m
program p
  use m
  real(8) :: x(500), s
  integer :: i, k
  x = [(i/3d0, i = 1, 500)]
  s = 0
  k = 0
  call work(500, x, s, k)
  print '(z17)', x, s
  print *, k
end program p
`

// TestDeviceAlone: on(gpu) and serial(cpu) launch on the device, and leave the plain loop to the host. A nest without text for devices is a warning,
// with --strict an error.
func TestDeviceAlone(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	source := w.source("alone.f90", devicesOnly)
	w.build("original", []string{"-O1"}, source)
	converted := w.convert([]string{"--device", "cuda"}, source)
	w.build("converted.x", []string{"-O1"}, converted...)
	want := w.run(nil, "original")
	for _, device := range []string{"serial", "threads"} {
		require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=" + device, "PORTABLE_VERBOSE=" + w.path("log")}, "converted.x"))
		require.Equal(t, []string{"work:15"}, labelsOf(w.text("log")), "the host runs the plain loops, and reductions in the parts of a launch")
		require.Contains(t, w.text("log"), "device serial, static, up to 1 threads")
		require.NoError(t, os.Remove(w.path("log")))
	}
	require.Equal(t, want, w.run(env, "converted.x"))
	require.Contains(t, w.text("log"), "launch 1 'work:11' begins: parallel_for, 500 iterations, device cuda")
	require.Contains(t, w.text("log"), "'work:15' begins: reduction, 500 iterations, device cuda")
	_, text, err := w.try(nil, *portablef, "convert", "--device", "cuda", "--strict", "--out", "strict", source)
	require.Error(t, err)
	require.Contains(t, text, "stays on the host: ")
	asked := w.convert([]string{"--device", "cuda"}, w.source("asked.f90", strings.Replace(devicesOnly, "on(gpu)", "on(cpu)", 1)))
	w.build("asked.x", []string{"-O1"}, asked...)
	out, text, err := w.try(append(env, "PORTABLE_PROFILE=1"), w.path("asked.x"))
	require.NoError(t, err, text)
	require.Equal(t, want, out)
	require.Contains(t, text, "Directives of the program give these to the host (on(cpu), serial(gpu), self): work:11.\n")
}

// TestDeviceDemo: the shallow-water model with arrays of the pool, no line of which is changed. All its nests run on the device, in managed memory,
// and the state has the bits of the original. No statement gives the device other memory.
func TestDeviceDemo(t *testing.T) {
	w := with(t)
	env := slices.DeleteFunc(onDevice(t, w), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
	folder := filepath.Join(tree, "examples", "shallow_water")
	own, err := filepath.Glob(filepath.Join(folder, "src_pool", "*.f90"))
	require.NoError(t, err)
	shared, err := filepath.Glob(filepath.Join(folder, "src", "*.f90"))
	require.NoError(t, err)
	paths := own
	for _, s := range shared {
		if !slices.ContainsFunc(own, func(o string) bool { return filepath.Base(o) == filepath.Base(s) }) {
			paths = append(paths, s)
		}
	}
	sources := w.program(paths)
	converted := w.convert([]string{"--auto", "--device", "cuda"}, sources...)
	w.build("original", []string{"-O2"}, sources...)
	w.build("converted.x", []string{"-O2"}, converted...)
	state := func(program string, env []string) string {
		out := filepath.Join(w.folder, "out")
		require.NoError(t, os.RemoveAll(out))
		require.NoError(t, os.MkdirAll(out, 0o755))
		here, err := filepath.Abs(filepath.Join(folder, "cases", "small_dam_break.nml"))
		require.NoError(t, err)
		_, text, err := w.try(env, w.path(program), here, out)
		require.NoError(t, err, text)
		require.Empty(t, text)
		return w.text("out/small_dam_break.swe")
	}
	require.True(t, state("original", nil) == state("converted.x", env), "other bits")
	if *fake != "none" {
		require.GreaterOrEqual(t, strings.Count(w.text("driver"), "cuModuleGetFunction"), 13, "a nest did not run on the device")
	}
}

// TestDeviceCensus: all nests of the census on the device, with the bits of the same program on one thread. The compiler says nothing of the generated
// code that it does not say of the original.
func TestDeviceCensus(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	var paths []string
	for _, pattern := range []string{"*.f90", "*.F90", "*.f"} {
		found, err := filepath.Glob(filepath.Join(tree, "bench", "loops", "census", "*", pattern))
		require.NoError(t, err)
		paths = append(paths, found...)
	}
	sources := w.program(paths)
	hidden := slices.Index(sources, "support_outside.f90")
	require.GreaterOrEqual(t, hidden, 0)
	seen := slices.Delete(slices.Clone(sources), hidden, hidden+1)
	converted := slices.Insert(w.convert([]string{"--auto", "--device", "cuda"}, seen...), hidden, sources[hidden])
	_, after := clean(t, w, strict(w.compiler), sources, converted)
	w.linked("converted.x", nil, after...)
	want := strings.Split(w.run([]string{"PORTABLE_DEVICE=serial"}, "converted.x"), "\n")
	require.Equal(t, want, strings.Split(w.run(env, "converted.x"), "\n"))
	if *fake != "none" {
		t.Log(strings.Count(w.text("driver"), "cuModuleGetFunction"), "kernels on the device")
	}
}
