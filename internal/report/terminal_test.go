package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestColored(t *testing.T) {
	var pipe strings.Builder
	require.True(t, Colored("always", &pipe))
	require.False(t, Colored("never", os.Stderr))
	require.False(t, Colored("auto", &pipe), "a file needs no colours")
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer file.Close()
	require.False(t, IsTerminal(file))
	t.Setenv("NO_COLOR", "1")
	require.False(t, Colored("auto", os.Stderr))
}

// TestProgress: a line appears on a terminal, when the work takes long, and the end removes it.
func TestProgress(t *testing.T) {
	var seen strings.Builder
	p := NewProgress(&seen, "reading", 3)
	p.next = time.Time{}
	p.Step()
	p.End()
	require.Empty(t, seen.String(), "it is no terminal")

	p = NewProgress(&seen, "reading", 3)
	p.to = &seen
	p.Step()
	require.Empty(t, seen.String(), "the work has just begun")
	p.next = time.Time{}
	p.Step()
	require.Equal(t, "\r\x1b[Kreading 2 of 3", seen.String())
	p.Step()
	p.End()
	require.Equal(t, "\r\x1b[Kreading 2 of 3\r\x1b[K", seen.String(), "it changes seldom, and goes")
}
