package outside

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// soon fails the test where f waits for something that never comes.
func soon(t *testing.T, f func()) {
	t.Helper()
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for another process")
	}
}

// odd makes one of each kind of thing that is not a regular file, and a link to a FIFO.
func odd(t *testing.T) map[string]string {
	folder := t.TempDir()
	fifo, link := filepath.Join(folder, "fifo"), filepath.Join(folder, "link")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	require.NoError(t, os.Symlink(fifo, link))
	return map[string]string{"a FIFO": fifo, "a link to a FIFO": link, "a folder": folder, "a device": "/dev/zero", "a terminal": "/dev/tty"}
}

func TestReadersTakeRegularFiles(t *testing.T) {
	for name, path := range odd(t) {
		for what, f := range map[string]func() error{
			"ReadFile":     func() error { _, err := ReadFile(path, TextMost); return err },
			"ReadTrusted":  func() error { _, err := ReadTrusted(path, TextMost); return err },
			"Open":         func() error { _, err := Open(path); return err },
			"OpenArgument": func() error { _, err := OpenArgument(path); return err },
			"ReadArgument": func() error { _, err := ReadArgument(path, TextMost); return err },
			"Regular":      func() error { return Regular(path) },
		} {
			t.Run(what+" of "+name, func(t *testing.T) {
				soon(t, func() {
					err := f()
					if name != "a terminal" { // without a terminal it cannot be opened either
						require.ErrorContains(t, err, path)
					}
					require.Error(t, err)
				})
			})
		}
	}
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	text := strings.Repeat("0123456789", 10000)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	got, err := ReadFile(path, int64(len(text)))
	require.NoError(t, err)
	require.Equal(t, text, string(got))
	_, err = ReadFile(path, int64(len(text)-1))
	require.ErrorContains(t, err, "it has more than 99999 bytes")
	require.NoError(t, os.Truncate(path, 1<<42)) // sparse: no memory is taken for it
	_, err = ReadFile(path, TextMost)
	require.ErrorContains(t, err, "it has more than 64 MB")
	got, err = ReadFile("/proc/self/cmdline", TextMost) // its size reads as 0
	require.NoError(t, err)
	require.NotEmpty(t, got)
	_, err = ReadFile("/proc/self/maps", 100)
	require.ErrorContains(t, err, "more than 100 bytes")
	_, err = ReadFile(filepath.Join(filepath.Dir(path), "none"), TextMost)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// The shell makes a FIFO of <(command), and its writer is there.
func TestArgumentsMayBePipes(t *testing.T) {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer read.Close()
	_, err = write.WriteString("text")
	require.NoError(t, err)
	require.NoError(t, write.Close())
	path := fmt.Sprintf("/dev/fd/%d", read.Fd())
	got, err := ReadArgument(path, TextMost)
	require.NoError(t, err)
	require.Equal(t, "text", string(got))
}

func TestCreate(t *testing.T) {
	paths := odd(t)
	soon(t, func() {
		_, err := Create(paths["a FIFO"])
		require.ErrorContains(t, err, "it is a FIFO that no process reads")
		_, err = Create(paths["a folder"])
		require.Error(t, err)
		require.NoError(t, WriteFile("/dev/null", []byte("text")))
	})
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, WriteFile(path, []byte("a long text")))
	require.NoError(t, WriteFile(path, []byte("short")))
	got, err := ReadFile(path, TextMost)
	require.NoError(t, err)
	require.Equal(t, "short", string(got))

	reader, err := os.OpenFile(paths["a FIFO"], os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer reader.Close()
	require.NoError(t, WriteFile(paths["a FIFO"], []byte("read")))
	got, err = io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, "read", string(got))
}

func TestOnlyOurs(t *testing.T) {
	const me, other = 1000, 1001
	for _, c := range []struct {
		owner, mode uint32
		good        bool
	}{
		{me, syscall.S_IFREG | 0o644, true},
		{me, syscall.S_IFREG | 0o600, true},
		{0, syscall.S_IFREG | 0o644, true},
		{other, syscall.S_IFREG | 0o644, false},
		{me, syscall.S_IFREG | 0o664, false},
		{me, syscall.S_IFREG | 0o646, false},
		{0, syscall.S_IFREG | 0o666, false},
		{me, syscall.S_IFREG | syscall.S_ISVTX | 0o666, false}, // the bit means nothing for a file
		{me, syscall.S_IFDIR | 0o755, true},
		{0, syscall.S_IFDIR | 0o755, true},
		{other, syscall.S_IFDIR | 0o755, false},
		{me, syscall.S_IFDIR | 0o775, false},
		{me, syscall.S_IFDIR | 0o777, false},
		{0, syscall.S_IFDIR | syscall.S_ISVTX | 0o777, true}, // /tmp
		{other, syscall.S_IFDIR | syscall.S_ISVTX | 0o777, false},
	} {
		require.Equal(t, c.good, onlyOurs(c.owner, c.mode, me) == nil, "%+v", c)
	}
}
