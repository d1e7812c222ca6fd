package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamed(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, name := range []string{"b.F90", "a/z.f", "a/notes.txt", "c.inc", "empty/notes.txt"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(at(name)), 0o777))
		require.NoError(t, os.WriteFile(at(name), nil, 0o666))
	}
	names, err := Named([]string{at("c.inc"), folder}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{at("c.inc"), at("a/z.f"), at("b.F90")}, names, "a named file counts with any extension")
	names, err = Named([]string{folder}, func(path string) bool { return filepath.Base(path) == "z.f" })
	require.NoError(t, err)
	require.Equal(t, []string{at("a/z.f")}, names)
	_, err = Named([]string{at("empty")}, nil)
	require.ErrorContains(t, err, "empty: the folder has no Fortran source")
	_, err = Named([]string{at("missing.f90")}, nil)
	require.ErrorIs(t, err, os.ErrNotExist)
}
