//go:build portable_test_hooks

package edge

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/outside"
)

func TestNumbersOfALine(t *testing.T) {
	for _, n := range []uint64{0, 1, 9, 10, 15, 16, 255, 1<<32 - 1, 1 << 32, math.MaxInt64, math.MaxUint64} {
		require.Equal(t, fmt.Sprintf("%d|%x|%5d|%06d\n", n, n, n, n), builtLine(200, addNumber("decimal", n, 0, 0), addText("text", "|", 0),
			addNumber("hex", n, 0, 0), addText("text", "|", 0), addNumber("padded", n, 5, ' '), addText("text", "|", 0), addNumber("padded", n, 6, '0')))
	}
	require.Equal(t, strings.Repeat(" ", 23)+"1\n", builtLine(200, addNumber("padded", 1, 99, ' ')), "more than a number has digits")
}

// A line of any length ends with its newline, in its buffer; what fits is there.
func TestALineIsCut(t *testing.T) {
	const label = "a\x1b[1mé\n"
	whole := "kernel '" + outside.Clean(label) + "' at ffffffffffffffff, 18446744073709551615, one two\n"
	for room := 1; room <= len(whole)+3; room++ {
		got := builtLine(room, addText("text", "kernel '", 0), addText("clean", label, math.MaxUint64), addText("text", "' at ", 0),
			addNumber("hex", math.MaxUint64, 0, 0), addText("text", ", ", 0), addNumber("decimal", math.MaxUint64, 0, 0), addText("joined", ", one\ntwo", 0))
		require.LessOrEqual(t, len(got), room)
		require.Equal(t, byte('\n'), got[len(got)-1])
		switch end := len("kernel '") + len(outside.Clean(label)); {
		case room >= len(whole):
			require.Equal(t, whole, got)
		case room > end: // the cut is behind the label; a blank is not the last character
			require.True(t, strings.HasPrefix(whole, got[:len(got)-1]) && len(got) >= room-1, "%q in %d bytes", got, room)
		case room <= len("kernel '"):
			require.Equal(t, whole[:room-1]+"\n", got)
		}
	}
}

func TestTextsOfALine(t *testing.T) {
	require.Equal(t, "one two \\x1b[1m three\n", builtLine(100, addText("joined", "one\ntwo\n\x1b[1m\nthree", 0)))
	require.Equal(t, "a\\nb\n", builtLine(100, addText("clean", "a\nb", math.MaxUint64)))
	require.Equal(t, "abcd'\n", builtLine(100, addText("clean", "abcdefgh", 4), addText("text", "'", 0)), "at most so many bytes")
	require.Equal(t, "abc'\n", builtLine(100, addText("clean", "abc\x1bdefgh", 6), addText("text", "'", 0)), "an escape is whole or missing")
	require.Equal(t, "abcd\n", builtLine(5, addText("clean", "abcdefgh", 6)))
}
