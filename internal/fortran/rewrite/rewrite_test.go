package rewrite

import (
	"strings"
	"testing"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"

	"github.com/stretchr/testify/require"
)

// TestNarrow: lines that are too long are broken where Fortran allows it, and read as the same tokens.
func TestNarrow(t *testing.T) {
	long := "call physics(" + strings.Repeat("'a, !b', argument, ", 12) + "last)"
	for _, fixed := range []bool{false, true} {
		c := &Changes{File: &tree.File{Source: &source.File{Fixed: fixed}}}
		indent := "  "
		if fixed {
			indent = "      "
		}
		var text strings.Builder
		list := c.Narrow(indent+long, token.Pos{}, 7)
		require.Greater(t, len(list), 1)
		for i, l := range list {
			require.LessOrEqual(t, len(l.Text)-1, map[bool]int{false: 132, true: 72}[fixed])
			require.Equal(t, i > 0, l.Inner)
			require.EqualValues(t, 7, l.Number)
			text.WriteString(l.Text)
		}
		name := map[bool]string{false: "a.f90", true: "a.f"}[fixed]
		read := func(text string) (words []string) {
			contents := source.Read(source.NewSet(nil), name, []byte(text), source.Options{FixedColumns: -1})
			require.Empty(t, contents.Problems)
			require.Len(t, contents.Lines, 1)
			for _, x := range contents.Lines[0].Tokens {
				words = append(words, x.Text)
			}
			return words
		}
		require.Equal(t, read(indent+long+"\n"), read(text.String()))
	}
	c := &Changes{File: &tree.File{Source: &source.File{}}}
	comment := "  call physics(a) ! " + strings.Repeat("far too long ", 20)
	require.Len(t, c.Narrow(comment, token.Pos{}, 1), 1)
	directive := c.Narrow("!$portable parallel private("+strings.Repeat("a, ", 50)+"b)", token.Pos{}, 1)
	require.True(t, strings.HasPrefix(directive[1].Text, "!$portable& "), directive)
	require.True(t, strings.HasSuffix(directive[0].Text, " &\n"), directive)
}

// TestParts: places of a rewritten text are those of the user's file.
func TestParts(t *testing.T) {
	text := "subroutine s\n! new\ncall a(x)\nend subroutine\n"
	parts := []source.Part{{Offset: 13, Line: 2, Column: 5}, {Offset: 19, Line: 2}}
	c := source.ReadMoved(source.NewSet(nil), "a.f90", []byte(text), parts, source.Options{})
	var lines []int32
	for _, l := range c.Lines {
		lines = append(lines, l.Span.From.Line)
	}
	require.Equal(t, []int32{1, 2, 3}, lines)
	require.EqualValues(t, 2, c.File.LineAt(19, 3))
	require.EqualValues(t, 1, c.File.LineAt(0, 1))
}
