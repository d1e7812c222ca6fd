package edge

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"libportable/internal/outside"
)

func TestPrivilegedProgramsRefuseNamesOfFiles(t *testing.T) {
	for _, c := range []struct {
		name, value string
		refused     bool
	}{
		{"PORTABLE_TOOLS", "/tmp/tool.so", true},
		{"PORTABLE_TOOLS", "0", true},
		{"KOKKOS_TOOLS_LIBS", "tool.so", true},
		{"KOKKOS_TOOLS_ARGS", "x", true},
		{"NVTX_INJECTION64_PATH", "x.so", true},
		{"PORTABLE_CUDA_LIBRARY", "x", true},
		{"PORTABLE_NVRTC_LIBRARY", "x", true},
		{"PORTABLE_FFT_LIBRARY", "x", true},
		{"PORTABLE_OPENCL_LIBRARY", "x", true},
		{"PORTABLE_CLANG", "clang", true},
		{"PORTABLE_CUDA_PATH", "/tmp", true},
		{"PORTABLE_CACHE", "/tmp", true},
		{"HOME", "/home/user", true},
		{"XDG_CACHE_HOME", "/tmp", true},
		{"PORTABLE_VERBOSE", "1", true}, // a file with a name that can be guessed
		{"PORTABLE_TRACE", "x", true},
		{"PORTABLE_TUNING", "file", true},
		{"PORTABLE_TUNING", "label: tile=8", false},
		{"PORTABLE_PROFILE", "1", false},
		{"PORTABLE_PROFILE", "user,all", false},
		{"PORTABLE_PROFILE", "user,file=x", true},
		{"PORTABLE_PROFILE", "json = x", true},
		{"PORTABLE_HASH", "checkpoints", false},
		{"PORTABLE_HASH", "dump=a#0@1", true},
		{"PORTABLE_CHECK", "launch,arrays", false},
		{"PORTABLE_CHECK", "all", false},
		{"PORTABLE_CHECK", "launch,Memory", true},
		{"PORTABLE_CHECK", "HASH", true},
		{"PORTABLE_CHECK", "", false},
		{"PORTABLE_NUM_THREADS", "4", false},
		{"PORTABLE_DEVICE", "cuda", false},
		{"PORTABLE_LIMIT_MB", "4", false},
	} {
		require.Equal(t, c.refused, NamesFile(c.name, c.value), "%s=%s", c.name, c.value)
	}
}

func TestLookup(t *testing.T) {
	require.False(t, Privileged(), "go test is started by its user")
	t.Setenv("PORTABLE_TOOLS", "/tmp/tool.so")
	value, ok := Lookup("PORTABLE_TOOLS")
	require.True(t, ok)
	require.Equal(t, "/tmp/tool.so", value)
	t.Setenv("PORTABLE_TOOLS", "")
	value, ok = Lookup("PORTABLE_TOOLS")
	require.True(t, ok)
	require.Empty(t, value)
	_, ok = Lookup("PORTABLE_NEVER_SET")
	require.False(t, ok)
}

// Both languages clean alike. C never writes beyond its buffer, nor a part of a character.
func TestCleanIsTheSameInBothLanguages(t *testing.T) {
	pieces := []string{"a", "label ", "\n", "\r", "\t", "\x00", "\x1b[31m", "\x7f", "\u0085", "\u00a0", "\u009b", "é", "温", "\U0001f30a", "\u061c", "\u200e", "\u200f", "\u2027",
		"\u2028", "\u202e", "\u202f", "\u2066", "\u2069", "\u206a", "\ufeff", "\ufffd", "\xff", "\xc3", "\xe2\x80", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x80\x80\x80", "\\"}
	for _, p := range pieces {
		require.Equal(t, outside.Clean(p), Clean(p, 100), "%q", p)
	}
	for range 2000 {
		var b strings.Builder
		for range rand.IntN(12) {
			b.WriteString(pieces[rand.IntN(len(pieces))])
		}
		text := b.String()
		want := outside.Clean(text)
		require.Equal(t, want, Clean(text, 1000), "%q", text)
		room := 1 + rand.IntN(30)
		got := Clean(text, room)
		require.Less(t, len(got), room)
		require.True(t, strings.HasPrefix(want, got), "%q in %d bytes: %q", text, room, got)
		require.True(t, utf8.ValidString(got), "%q in %d bytes: %q", text, room, got)
	}
}
