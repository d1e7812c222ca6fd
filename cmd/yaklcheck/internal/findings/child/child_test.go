package child

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInForeground(t *testing.T) {
	for stat, want := range map[string]bool{
		"7 (yaklcheck) S 1 70 7 34816 70 4194304 1": true,
		"7 (yaklcheck) S 1 70 7 34816 71 4194304 1": false,
		"7 (yaklcheck) S 1 70 7 0 -1 4194304 1":     false, // no terminal
		"7 (a) b) (c) S 1 70 7 34816 70 4194304 1":  true,
		"7 (yaklcheck) S 1":                         false,
		"":                                          false,
	} {
		require.Equal(t, want, inForeground(stat), stat)
	}
}

func TestEnvironment(t *testing.T) {
	got := environment([]string{"A=1", "PORTABLE_CHECK=launch", "PORTABLE_CHECKS=x"}, map[string]string{"PORTABLE_CHECK": "memory"})
	require.Equal(t, []string{"A=1", "PORTABLE_CHECKS=x", "PORTABLE_CHECK=memory"}, got)
}

// TestContains puts a word at every place near the border of the pieces that a file is read in.
func TestContains(t *testing.T) {
	path := filepath.Join(t.TempDir(), "program")
	const piece = 1 << 20
	for _, at := range []int{0, 100, piece - 17, piece - 9, piece - 1, piece, piece + 1, 2*piece - 3} {
		text := []byte(strings.Repeat("x", 2*piece+100))
		copy(text[at:], mark)
		require.NoError(t, os.WriteFile(path, text, 0o666))
		found, err := contains(path, mark, oldMark)
		require.NoError(t, err)
		require.Equal(t, []bool{true, false}, found, at)
	}
}
