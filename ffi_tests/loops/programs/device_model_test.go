package programs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs examples/column_model, whose hot loops call procedures that name the variables of a module, on the device. Not in this file: rows of
// the table of semantics (device_test.go).

// columns is a run of every part of the model: day and night, rain and deep convection.
const columns = "&column_model\n columns = 150\n levels = 24\n steps = 8\n radiation_every = 2\n report_every = 2\n/\n"

// hot are the nests that must run on the device.
var hot = []string{"condensation:20", "convection:25", "shortwave:19", "surface_fluxes:23", "wave_drag:19", "dry_adjustment:20"}

// TestDeviceModel: the fields have the bits of the original, with arrays that are copied for each launch.
func TestDeviceModel(t *testing.T) {
	w := with(t)
	env := slices.DeleteFunc(onDevice(t, w), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
	paths, err := filepath.Glob(filepath.Join(tree, "examples", "column_model", "src", "*.f90"))
	require.NoError(t, err)
	sources := w.program(paths)
	converted := w.convert([]string{"--auto", "--device", "cuda"}, sources...)
	w.build("original", []string{"-O2"}, sources...)
	w.build("converted.x", []string{"-O2"}, converted...)
	require.NoError(t, os.WriteFile(w.path("columns.nml"), []byte(columns), 0o644))
	lines := func(program string, env []string) []string {
		out, text, err := w.try(env, w.path(program), w.path("columns.nml"))
		require.NoError(t, err, text)
		return strings.Split(strings.TrimSpace(out), "\n")
	}
	original, host, here := lines("original", nil), lines("converted.x", []string{"PORTABLE_DEVICE=serial"}), lines("converted.x", env)
	last := len(original) - 1
	require.Contains(t, original[last], "bits of the result")
	require.Equal(t, original[last], here[last])
	require.Equal(t, host, here) // also the sums over columns, which the original adds in another order
	if *fake == "none" {
		return
	}
	launched := launchesOnDevice(w.text("log"))
	for _, label := range hot {
		require.Contains(t, launched, label)
	}
}
