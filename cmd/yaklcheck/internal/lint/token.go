package lint

import (
	"iter"
	"strings"
)

type tokenKind uint8

const (
	name tokenKind = iota
	number
	text
	sign
)

// token is a word of a statement; names are in lower case, strings without their quotes.
type token struct {
	kind tokenKind
	word string
	line int32
}

func (t token) is(word string) bool     { return t.word == word && t.kind != text }
func (t token) isName(word string) bool { return t.kind == name && t.word == word }

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
func inName(c byte) bool { return letter(c) || digit(c) }

// behind is the index behind the characters of one kind from i on.
func behind(s string, i int, is func(byte) bool) int {
	for i < len(s) && is(s[i]) {
		i++
	}
	return i
}

// signs of two characters; all others have one.
var signs = []string{"**", "==", "/=", "<=", ">=", "=>", "::", "//"}

// tokens cuts a statement into words. A character that Fortran does not have becomes a sign.
func tokens(l logical) (out []token) {
	s := string(l.text)
	for i := 0; i < len(s); {
		c, start, line := s[i], i, l.lines[i]
		switch {
		case c == ' ' || c == '\t':
			i++
			continue
		case letter(c):
			i = behind(s, i, inName)
			out = append(out, token{name, strings.ToLower(s[start:i]), line})
		case digit(c) || c == '.' && i+1 < len(s) && digit(s[i+1]):
			i = endOfNumber(s, i)
			out = append(out, token{number, strings.ToLower(s[start:i]), line})
		case c == '\'' || c == '"':
			for i++; i < len(s); i++ {
				if s[i] == c {
					if i+1 < len(s) && s[i+1] == c {
						i++
						continue
					}
					break
				}
			}
			out = append(out, token{text, s[start+1 : min(i, len(s))], line})
			i++
		case c == '.' && dotted(s[i:]) > 0:
			i += dotted(s[i:])
			out = append(out, token{sign, strings.ToLower(s[start:i]), line})
		default:
			i++
			for _, two := range signs {
				if strings.HasPrefix(s[start:], two) {
					i = start + 2
					break
				}
			}
			out = append(out, token{sign, s[start:i], line})
		}
	}
	return out
}

// dotted is the length of an operator such as .and., or 0.
func dotted(s string) int {
	i := behind(s, 1, letter)
	if i > 1 && i < len(s) && s[i] == '.' {
		return i + 1
	}
	return 0
}

func endOfNumber(s string, i int) int {
	i = behind(s, i, digit)
	if i < len(s) && s[i] == '.' && dotted(s[i:]) == 0 {
		i = behind(s, i+1, digit)
	}
	if i < len(s) && strings.IndexByte("eEdDqQ", s[i]) >= 0 {
		e := i + 1
		if e < len(s) && (s[e] == '+' || s[e] == '-') {
			e++
		}
		if e < len(s) && digit(s[e]) {
			i = behind(s, e, digit)
		}
	}
	if i+1 < len(s) && s[i] == '_' && inName(s[i+1]) {
		i = behind(s, i, inName)
	}
	return i
}

// closing is the index of the parenthesis that closes the one at i, or len(t).
func closing(t []token, i int) int {
	depth := 0
	for ; i < len(t); i++ {
		if t[i].kind != sign {
			continue
		}
		switch t[i].word {
		case "(", "[":
			depth++
		case ")", "]":
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return len(t)
}

// outside yields the tokens outside of parentheses, without the parentheses.
func outside(t []token) iter.Seq2[int, token] {
	return func(yield func(int, token) bool) {
		for i := 0; i < len(t); i++ {
			if t[i].is("(") || t[i].is("[") {
				i = closing(t, i)
			} else if !yield(i, t[i]) {
				return
			}
		}
	}
}

// cut cuts at a word outside of parentheses.
func cut(t []token, word string) (parts [][]token) {
	from := 0
	for i, w := range outside(t) {
		if w.is(word) {
			parts = append(parts, t[from:i])
			from = i + 1
		}
	}
	return append(parts, t[from:])
}

// list cuts at commas outside of parentheses. An empty text has no parts.
func list(t []token) [][]token {
	if len(t) == 0 {
		return nil
	}
	return cut(t, ",")
}

// find is the index of a sign outside of parentheses, or -1.
func find(t []token, word string) int {
	for i, w := range outside(t) {
		if w.kind == sign && w.word == word {
			return i
		}
	}
	return -1
}

// keyword splits an argument NAME=VALUE; without a keyword, the value is the whole argument.
func keyword(a []token) (word string, value []token) {
	if find(a, "=") == 1 {
		return a[0].word, a[2:]
	}
	return "", a
}

// isVariable reports whether a text is one variable, with its subscripts and components.
func isVariable(t []token) bool { return len(t) > 0 && designator(t) == len(t) }

// designator is the length of a variable at the beginning: name, (...), %name and so on; 0: there is none.
func designator(t []token) int {
	if len(t) == 0 || t[0].kind != name {
		return 0
	}
	i := 1
	for i < len(t) {
		switch {
		case t[i].is("("):
			end := closing(t, i)
			if end >= len(t) {
				return 0
			}
			i = end + 1
		case t[i].is("%") && i+1 < len(t) && t[i+1].kind == name:
			i += 2
		default:
			return i
		}
	}
	return i
}

// at is the token at i, or an empty one.
func at(t []token, i int) token {
	if i < 0 || i >= len(t) {
		return token{kind: sign}
	}
	return t[i]
}
