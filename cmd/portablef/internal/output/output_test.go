package output

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "new", "a.F90")
	changed, err := Write(path, []byte("one"))
	require.NoError(t, err)
	require.True(t, changed)

	old := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, os.Chtimes(path, old, old))
	changed, err = Write(path, []byte("one"))
	require.NoError(t, err)
	require.False(t, changed)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.True(t, info.ModTime().Equal(old), "a file with the same text keeps its time")

	require.NoError(t, os.Chmod(path, 0o640))
	changed, err = Write(path, []byte("two"))
	require.NoError(t, err)
	require.True(t, changed)
	info, err = os.Stat(path)
	require.NoError(t, err)
	require.False(t, info.ModTime().Equal(old))
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm(), "it keeps its mode")

	link := filepath.Join(folder, "link.F90")
	require.NoError(t, os.Symlink(path, link))
	_, err = Write(link, []byte("three"))
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "three", string(text), "a link stays a link")

	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1, "no temporary file is left")
}

func TestWriteThatFailsLeavesTheFile(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "file"), nil, 0o666))
	_, err := Write(filepath.Join(folder, "file", "a.F90"), []byte("text"))
	require.Error(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(folder, "a.F90"), 0o777))
	_, err = Write(filepath.Join(folder, "a.F90"), []byte("text"))
	require.Error(t, err)
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, left, 2)
}

func TestDepfile(t *testing.T) {
	require.Equal(t, "out/a.F90 out/b\\ c.F90: \\\n  a.f90 \\\n  i/$$x\\#y.inc\n",
		string(Depfile([]string{"out/a.F90", "out/b c.F90"}, []string{"i/./$x#y.inc", "a.f90", "i/$x#y.inc"})))
	require.Equal(t, "a:\n", string(Depfile([]string{"a"}, nil)))
}

func TestRefresh(t *testing.T) {
	folder := t.TempDir()
	made, input := filepath.Join(folder, "a.F90"), filepath.Join(folder, "a.inc")
	old := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		what    string
		input   time.Time
		changes bool
	}{
		{"an older input", old.Add(-time.Hour), false},
		{"an input of the same time", old, false},
		{"a newer input", old.Add(time.Hour), true},
	} {
		require.NoError(t, os.WriteFile(made, []byte("text"), 0o666))
		require.NoError(t, os.WriteFile(input, nil, 0o666))
		require.NoError(t, os.Chtimes(made, old, old))
		require.NoError(t, os.Chtimes(input, c.input, c.input))
		require.NoError(t, Refresh(made, []string{filepath.Join(folder, "none.inc"), input}))
		info, err := os.Stat(made)
		require.NoError(t, err)
		require.Equal(t, c.changes, !info.ModTime().Equal(old), c.what)
	}
	require.NoError(t, Refresh(os.DevNull, []string{input}), "a file that is no file keeps its time")
}
