package outside

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ValueMost is how many bytes of a variable's value a message shows.
const ValueMost = 200

// Clean makes a label or a value fit to stand in one line: control characters, characters that change the direction of text, and bytes that are not UTF-8
// become \n, \r, \t, \x1b or \u202e. All other text stays as it is.
func Clean(text string) string { return clean(text, false) }

// Lines is Clean for a message of several lines: newlines and tabs stay.
func Lines(text string) string { return clean(text, true) }

// Value is Clean for the value of a variable: what is longer than ValueMost bytes is cut, and ends with three dots.
func Value(value string) string {
	text := Clean(value[:min(len(value), ValueMost+utf8.UTFMax)])
	if len(text) <= ValueMost {
		return text
	}
	end := ValueMost
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

func clean(text string, lines bool) string {
	first := strings.IndexFunc(text, func(r rune) bool { return r == utf8.RuneError || Acts(r) })
	if first < 0 {
		return text
	}
	var b strings.Builder
	for i, width := 0, 0; i < len(text); i += width {
		var r rune
		r, width = utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && width == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case !Acts(r) || lines && (r == '\n' || r == '\t'):
			b.WriteString(text[i : i+width])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Acts says that a character does something to the terminal, or to the text around it.
func Acts(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff
}
