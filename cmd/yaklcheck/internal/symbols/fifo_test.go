package symbols

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// At the place of a program that ran there may be a FIFO, which is not waited for.
func TestFileThatIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "program")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	done := make(chan error, 1)
	go func() { done <- (&file{path: path}).open() }()
	select {
	case err := <-done:
		require.ErrorContains(t, err, "it is not a regular file")
		require.ErrorContains(t, err, "its lines are not known")
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for a writer")
	}
}
