package outside

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"velocity", "velocity"},
		{`C:\temp 'x' "y" 100%`, `C:\temp 'x' "y" 100%`},
		{"höhe 温度 \U0001f30a", "höhe 温度 \U0001f30a"},
		{"a\nb\rc\td", `a\nb\rc\td`},
		{"\x00\x1b[31m\x7f", `\x00\x1b[31m\x7f`},
		{"\u0085\u009b31m\u00a0", "\\u0085\\u009b31m\u00a0"},
		{"\u202egnp.exe\u2066\u2069\u200f", `\u202egnp.exe\u2066\u2069\u200f`},
		{"\u2028\u2029\ufeff", `\u2028\u2029\ufeff`},
		{"\xff\xc3", `\xff\xc3`},
		{"\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80", `\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80`},
		{"\ufffd", "\ufffd"}, // a character of its own, although it also stands for invalid bytes
	} {
		require.Equal(t, c.want, Clean(c.text), "%q", c.text)
		require.Equal(t, c.want, Clean(Clean(c.text)), "once more changes nothing")
	}
	require.Equal(t, "two\n\tlines\\x1b", Lines("two\n\tlines\x1b"))
}

func TestValueIsCut(t *testing.T) {
	require.Equal(t, strings.Repeat("x", ValueMost), Value(strings.Repeat("x", ValueMost)))
	require.Equal(t, strings.Repeat("x", ValueMost)+"...", Value(strings.Repeat("x", 100000)))
	for shift := range 4 { // never inside a character
		text := Value(strings.Repeat("x", shift) + strings.Repeat("温", 1000))
		require.True(t, utf8.ValidString(text), text)
		require.LessOrEqual(t, len(text), ValueMost+3)
		require.NotContains(t, text, `\x`)
	}
	require.LessOrEqual(t, len(Value(strings.Repeat("\x1b", 1000))), ValueMost+3)
}

func FuzzClean(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[0m\n\u202e\xff")
	f.Fuzz(func(t *testing.T, text string) {
		clean := Clean(text)
		require.True(t, utf8.ValidString(clean))
		require.NotContains(t, clean, "\n")
		require.Negative(t, strings.IndexFunc(clean, Acts), clean)
		require.Equal(t, clean, Clean(clean))
		if utf8.ValidString(text) && strings.IndexFunc(text, Acts) < 0 {
			require.Equal(t, text, clean)
		}
	})
}
