package statics

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/yaklcheck/internal/symbols"
)

func build(t *testing.T, flags ...string) string { return buildBy(t, "gfortran", flags...) }

func buildBy(t *testing.T, name string, flags ...string) string {
	t.Helper()
	compiler, err := exec.LookPath(name)
	if err != nil {
		t.Skip("there is no " + name)
	}
	folder := t.TempDir()
	exe := filepath.Join(folder, "model")
	out, err := exec.Command(compiler, append(flags, "-J"+folder, "testdata/model.f90", "-o", exe)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return exe
}

// folderOf makes a folder with this program alone: compilers for other processors do not search where programs are.
func folderOf(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skip("there is no " + program)
	}
	folder := t.TempDir()
	require.NoError(t, os.Symlink(path, filepath.Join(folder, program)))
	return folder
}

func told(r *Report) (out []string) {
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%d %s%s of %s, %d bytes, in %s", f.What, f.Block, f.Variable, f.Owner, f.Bytes, f.Procedure))
	}
	return out
}

func TestStatics(t *testing.T) {
	t.Parallel()
	const arm = "aarch64-linux-gnu-gfortran"
	flux, common := "2 flux of model, 8 bytes, in model::kernel", "4 old of , 88 bytes, in model::kernel"
	calls, big, n := "0 calls of model::kernel, 4 bytes, in model::kernel", "1 big of model::physics, 320000 bytes, in model::physics",
		"3 n of simulation, 4 bytes, in simulation::inner"
	for _, c := range []struct {
		name     string
		compiler string
		flags    []string
		want     []string
	}{
		{"O0", "gfortran", []string{"-g", "-O0"}, []string{flux, common, calls, big, n}},
		{"fixed addresses", "gfortran", []string{"-g", "-O1", "-no-pie", "-fno-pie", "-fno-inline"}, []string{flux, common, calls, big, n}},
		{"AVX", "gfortran", []string{"-g", "-O1", "-march=haswell", "-fno-inline"}, []string{flux, common, calls, big, n}},
		{"recursive", "gfortran", []string{"-g", "-frecursive"}, []string{flux, common, calls, n}},
		{"aarch64, O0", arm, []string{"-g", "-O0"}, []string{flux, common, calls, big, n}},
		{"aarch64, fixed addresses", arm, []string{"-g", "-O1", "-no-pie", "-fno-pie", "-fno-inline"}, []string{flux, common, calls, big, n}},
		{"aarch64, any address", arm, []string{"-g", "-O2", "-fPIC", "-pie", "-fno-inline"}, []string{flux, common, calls, big, n}},
		{"aarch64, any address, lld", arm, []string{"-g", "-O2", "-fPIC", "-pie", "-fno-inline", "-fuse-ld=lld", "-Wl,--no-relax"}, []string{flux, common, calls, big, n}},
		{"aarch64, any address, lld with relaxed instructions", arm, []string{"-g", "-O2", "-fPIC", "-pie", "-fno-inline", "-fuse-ld=lld"}, []string{flux, common, calls, big, n}},
		{"aarch64, recursive", arm, []string{"-g", "-frecursive"}, []string{flux, common, calls, n}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.name == "AVX" && runtime.GOARCH != "amd64" {
				t.Skip("there is no AVX")
			}
			flags := c.flags
			if slices.Contains(flags, "-fuse-ld=lld") {
				flags = append(flags, "-B"+folderOf(t, "ld.lld"))
			}
			r, err := Check(buildBy(t, c.compiler, flags...), Options{})
			require.NoError(t, err)
			require.Equal(t, c.want, told(r))
			require.ElementsMatch(t, []string{"model::kernel", "simulation::inner"}, r.Kernels)
			require.Equal(t, 3, r.Reached)
			require.Empty(t, r.Notes)
			require.Equal(t, "model.f90", filepath.Base(r.Findings[0].File))
			require.Equal(t, 13, r.Findings[0].Line)
			require.Equal(t, 24, r.Findings[0].AtLine)
		})
	}
}

// With a trace only procedures under a kernel count, and no frame behind the library's.
func TestSeen(t *testing.T) {
	t.Parallel()
	exe := build(t, "-g", "-O0")
	file, err := elf.Open(exe)
	require.NoError(t, err)
	defer file.Close()
	all, err := file.Symbols()
	require.NoError(t, err)
	address := func(name string) uint64 {
		for _, s := range all {
			if s.Name == name {
				return s.Value + 8
			}
		}
		t.Fatal("there is no " + name)
		return 0
	}
	never, physics := address("__model_MOD_never"), address("__model_MOD_physics")
	r, err := Check(exe, Options{Seen: [][]uint64{{1, physics, 1, never}, {1}}})
	require.NoError(t, err)
	require.Equal(t, []string{"1 big of model::physics, 320000 bytes, in model::physics"}, told(r))
	r, err = Check(exe, Options{Seen: [][]uint64{{never}}})
	require.NoError(t, err)
	require.Equal(t, []string{"0 sum of model::never, 8 bytes, in model::never"}, told(r))
	r, err = Check(exe, Options{Seen: [][]uint64{}})
	require.NoError(t, err)
	require.Empty(t, r.Findings)
	require.Contains(t, r.Notes[0], "there is no kernel in it")
}

func TestNothingToRead(t *testing.T) {
	t.Parallel()
	_, err := Check(build(t, "-O0"), Options{})
	require.ErrorIs(t, err, symbols.ErrNoDebug)
	_, err = Check(build(t, "-g", "-s"), Options{})
	require.ErrorIs(t, err, symbols.ErrNoDebug)
	_, err = Check("statics_test.go", Options{})
	require.ErrorContains(t, err, "statics_test.go is not an executable")
	_, err = Check("missing", Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A damaged file gives an error, and never a panic.
func TestDamaged(t *testing.T) {
	t.Parallel()
	exe := build(t, "-g", "-O0")
	whole, err := os.ReadFile(exe)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "damaged")
	for i := range 40 {
		text := append([]byte{}, whole...)
		for j := i * 97; j < len(text); j += 3001 {
			text[j] ^= byte(1 << (i % 8))
		}
		if i%4 == 0 {
			text = text[:len(text)*i/40]
		}
		require.NoError(t, os.WriteFile(path, text, 0o700))
		_, _ = Check(path, Options{})
	}
}

// Only the archive's own paths are ours: a user may work in a folder of the library's name.
func TestUsersFolderOfOurName(t *testing.T) {
	require.False(t, isLibrary("/home/model/libportable/src/loops.c", "", "kernel"))
	require.True(t, isLibrary("/_/libportable/exec/launch/launch.c", "", "run"))
}
