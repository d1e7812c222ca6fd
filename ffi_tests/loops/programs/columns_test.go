package programs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs physics of one column that the clause columns of directives converts (../columns), and compares it with loops over the columns that are
// written by hand. Not in this file: what the clause refuses (cmd/portablef/testdata).

// columnSources are the files of the program, in the order of their modules.
var columnSources = []string{"column_state.F90", "column_radiation.F90", "column_physics.F90", "column_driver.F90"}

// TestColumns: serial runs, threads and a device have the bits of the loops by hand.
func TestColumns(t *testing.T) {
	w := with(t)
	for _, name := range columnSources {
		w.copy(filepath.Join("..", "columns", name))
	}
	w.build("by_hand.x", []string{"-O2", "-DBY_HAND"}, columnSources...)
	want, text, err := w.try(nil, w.path("by_hand.x"))
	require.NoError(t, err, text)
	require.Equal(t, 9, strings.Count(want, "\n"))
	converted := w.convert([]string{"--device", "cuda"}, columnSources...)
	w.build("converted.x", []string{"-O2"}, converted...)
	for _, env := range [][]string{{"PORTABLE_DEVICE=serial"}, {"PORTABLE_NUM_THREADS=2"}, {"PORTABLE_NUM_THREADS=5"}} {
		require.Equal(t, want, w.run(env, "converted.x"), env)
	}
	for _, name := range converted { // the user's names that copies do not use are not in their declarations
		if !isFlang(w.compiler) {
			_, text := w.compile(name, "-std=f2008", "-Wall", "-Wextra")
			require.Empty(t, text)
		}
	}
	env := onDevice(t, w)
	require.Equal(t, want, w.run(env, "converted.x"))
	if *fake == "none" {
		return
	}
	launched := launchesOnDevice(w.text("log"))
	for _, label := range []string{"call", "list"} {
		require.Contains(t, launched, label)
	}
	// Memory that the device cannot access is copied.
	require.NoError(t, os.Remove(w.path("log")))
	far := slices.DeleteFunc(env, func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
	require.Equal(t, want, w.run(far, "converted.x"))
	require.Contains(t, launchesOnDevice(w.text("log")), "call")
}

// TestColumnsOfOneFile: fixed form and procedures outside of modules; loops over levels that run over columns.
func TestColumnsOfOneFile(t *testing.T) {
	for name, launches := range map[string]int{"column_fixed.F": 3, "column_levels.F90": 9, "column_constructs.F90": 1, "column_allocatable.F90": 1} {
		t.Run(name, func(t *testing.T) {
			w := with(t)
			w.copy(filepath.Join("..", "columns", name))
			w.build("by_hand.x", []string{"-O2", "-DBY_HAND"}, name)
			want := w.run(nil, "by_hand.x")
			converted := w.convert([]string{"--device", "cuda"}, name)
			if _, text := w.compile(converted[0], "-Wall"); !isFlang(w.compiler) {
				require.Empty(t, text)
			}
			w.build("converted.x", []string{"-O2"}, converted...)
			for _, env := range [][]string{{"PORTABLE_DEVICE=serial"}, {"PORTABLE_NUM_THREADS=2"}, {"PORTABLE_NUM_THREADS=5"}, onDevice(t, w)} {
				require.Equal(t, want, w.run(env, "converted.x"), env)
			}
			require.True(t, *fake == "none" || len(launchesOnDevice(w.text("log"))) == launches, w.text("log"))
		})
	}
}
