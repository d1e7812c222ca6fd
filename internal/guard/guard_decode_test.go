//go:build portable_test_hooks

package guard

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBytesOfAnAccess reads the list of instructions that the decoder for files is tested with, too.
func TestBytesOfAnAccess(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("instructions of x86-64")
	}
	looked := 0
	for line := range strings.Lines(instructions(t)) {
		words := strings.Fields(line)
		if len(words) < 4 || words[0] == "#" {
			continue
		}
		code, err := hex.DecodeString(words[0])
		require.NoError(t, err, line)
		require.Equal(t, words[1], strconv.Itoa(accessBytes(code)), line)
		looked++
	}
	require.Greater(t, looked, 100)
}

// instructions is the list, which the root of the tree leads to.
func instructions(t *testing.T) string {
	root := ".."
	for range 8 {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Join(root, "..")
	}
	text, err := os.ReadFile(filepath.Join(root, "cmd", "yaklcheck", "internal", "statics", "testdata", "instructions.txt"))
	require.NoError(t, err)
	return string(text)
}

// Whatever stands there, it is looked at and no further.
func FuzzBytesOfAnAccess(f *testing.F) {
	f.Add([]byte{0xf3, 0x0f, 0x11, 0x07})
	f.Fuzz(func(t *testing.T, code []byte) {
		n := accessBytes(code[:min(len(code), 15)])
		require.True(t, n >= 0 && n <= 128)
	})
}
