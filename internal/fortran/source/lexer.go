package source

import (
	"slices"
	"strings"

	"libportable/internal/fortran/token"
)

// lexer cuts the text of a statement into tokens.
type lexer struct {
	r       *reader
	names   map[string]string // one string for each text
	s       *statement
	i, k    int   // next byte, and the run that may hold it
	cuts    []int // fixed form: bytes at which a token begins
	lower   []byte
	scratch []byte
}

// intern is a string of the bytes in lower case, the same one for the same bytes.
func (x *lexer) intern(text []byte) string {
	x.lower = x.lower[:0]
	for _, c := range text {
		x.lower = append(x.lower, lower(c))
	}
	if s, ok := x.names[string(x.lower)]; ok {
		return s
	}
	s := string(x.lower)
	if len(s) < 64 && len(x.names) < 1<<18 {
		x.names[s] = s
	}
	return s
}

// statement makes the tokens of a statement. They stay valid.
func (x *lexer) statement(s *statement, fixed bool) []token.Token {
	r := x.r
	x.s, x.i, x.k = s, 0, 0
	x.cuts = x.cuts[:0]
	if fixed {
		x.cuts = heads(x.cuts, s.text, s.holleriths)
	}
	first := len(r.tokens)
	for {
		t, ok := x.next()
		if !ok {
			break
		}
		if len(r.tokens) == cap(r.tokens) {
			// A new block takes the tokens of this statement along: they lie together.
			block := make([]token.Token, len(r.tokens)-first, max(1024, 2*(len(r.tokens)-first)))
			copy(block, r.tokens[first:])
			r.tokens, first = block, 0
		}
		r.tokens = append(r.tokens, t)
	}
	return slices.Clip(r.tokens[first:])
}

// finish makes a token of the bytes from to x.i.
func (x *lexer) finish(kind token.Kind, from int, text, prefix string) token.Token {
	s := x.s
	x.k = s.find(from, x.k)
	k := x.k
	a := s.runs[k].span(from)
	t := token.Token{Kind: kind, Text: text, Prefix: prefix, Span: a}
	last := x.i - 1
	for ; ; k++ {
		r := &s.runs[k]
		t.Macro = t.Macro || r.macro
		end := last
		if k+1 < len(s.runs) {
			end = min(last, s.runs[k+1].at-1)
		}
		b := r.span(end)
		if b.To.File == a.From.File && b.To.Offset >= t.Span.To.Offset {
			t.Span.To = b.To
		}
		if b.From.Offset < t.Span.From.Offset && b.From.File == a.From.File {
			t.Span.From = b.From
		}
		if end == last {
			break
		}
		t.Broken = true
	}
	t.Broken = t.Broken && !t.Macro
	x.k = k
	return t
}

// limit is the end of a word that begins at i.
func (x *lexer) limit() int {
	for len(x.cuts) > 0 && x.cuts[0] <= x.i {
		x.cuts = x.cuts[1:]
	}
	if len(x.cuts) > 0 {
		return x.cuts[0]
	}
	return len(x.s.text)
}

// signs of two characters; all others have one.
var signs = []string{"**", "==", "/=", "<=", ">=", "=>", "::", "//"}

var one [256]string

func init() {
	for i := range one {
		one[i] = string([]byte{byte(i)})
	}
}

// next is the next token.
func (x *lexer) next() (t token.Token, ok bool) {
	text := x.s.text
	x.i = skip(text, x.i, len(text), isBlank)
	if x.i >= len(text) {
		return t, false
	}
	from := x.i
	c := text[from]
	end := x.limit()
	if h := x.s.holleriths; len(h) > 0 && h[0][0] <= from {
		x.s.holleriths = h[1:]
		if h[0][0] == from {
			x.i = min(from+h[0][1], len(text))
			digits := skip(text, from, x.i, isDigit)
			return x.finish(token.Hollerith, from, string(text[digits+1:x.i]), ""), true
		}
	}
	switch {
	case isLetter(c):
		x.i = skip(text, from, end, inName)
		if x.i < len(text) && (text[x.i] == '\'' || text[x.i] == '"') {
			if x.i == from+1 && strings.IndexByte("bozx", lower(c)) >= 0 {
				x.quoted()
				return x.finish(token.BOZ, from, x.intern(text[from:x.i]), ""), true
			}
			if text[x.i-1] == '_' && x.i-from > 1 {
				prefix := x.intern(text[from : x.i-1])
				return x.str(from, prefix), true
			}
		}
		return x.finish(token.Name, from, x.intern(text[from:x.i]), ""), true
	case isDigit(c) || c == '.' && from+1 < end && isDigit(text[from+1]):
		kind := x.number(end)
		if kind == token.Integer && x.i < len(text) && text[x.i] == '_' && x.i+1 < len(text) && (text[x.i+1] == '\'' || text[x.i+1] == '"') {
			prefix := x.intern(text[from:x.i])
			x.i++
			return x.str(from, prefix), true
		}
		return x.finish(kind, from, x.intern(text[from:x.i]), ""), true
	case c == '\'' || c == '"':
		return x.str(from, ""), true
	case c == '.':
		if n := dotted(text[from:end]); n > 0 {
			x.i = from + n
			if startsFold(text[from:x.i], ".true.") || startsFold(text[from:x.i], ".false.") {
				x.kind(end)
			}
			return x.finish(token.Operator, from, x.intern(text[from:x.i]), ""), true
		}
	}
	x.i = from + 1
	if x.i < end {
		for _, two := range signs {
			if two[0] == c && two[1] == text[x.i] {
				x.i++
				return x.finish(token.Operator, from, two, ""), true
			}
		}
	}
	kind := token.Operator
	if strings.IndexByte("+-*/()[],:;%=<>&.", c) < 0 {
		kind = token.Other
	}
	return x.finish(kind, from, one[c], ""), true
}

// quoted moves behind the string at x.i. It reports whether the string has an end.
func (x *lexer) quoted() bool {
	text := x.s.text
	quote := text[x.i]
	for x.i++; x.i < len(text); x.i++ {
		switch {
		case text[x.i] == '\\' && x.r.o.Backslash && x.i+1 < len(text):
			x.i++
		case text[x.i] != quote:
		case x.i+1 < len(text) && text[x.i+1] == quote:
			x.i++
		default:
			x.i++
			return true
		}
	}
	return false
}

// str makes a token of the string at x.i, which a kind from the byte from on may precede.
func (x *lexer) str(from int, prefix string) token.Token {
	text := x.s.text
	begin := x.i + 1
	quote := text[x.i]
	inside := len(text)
	if x.quoted() {
		inside = x.i - 1
	}
	x.scratch = x.scratch[:0]
	for i := begin; i < inside; i++ {
		c := text[i]
		switch {
		case c == quote:
			i++
		case c == '\\' && x.r.o.Backslash && i+1 < inside:
			i++
			c = text[i]
			if n := strings.IndexByte("abfnrtv0", c); n >= 0 {
				c = "\a\b\f\n\r\t\v\x00"[n]
			}
		}
		x.scratch = append(x.scratch, c)
	}
	value := x.scratch
	if prefix == "" && x.i < len(text) && x.i > inside && !(x.i+1 < len(text) && inName(text[x.i+1])) && isBits(value, lower(text[x.i])) {
		x.i++ // 'ff'x
		return x.finish(token.BOZ, from, x.intern(text[x.i-1:x.i])+x.intern(text[from:x.i-1]), "")
	}
	return x.finish(token.String, from, string(value), prefix)
}

// isBits reports whether text is a number of the base that a letter names.
func isBits(text []byte, letter byte) bool {
	digits := map[byte]string{'b': "01", 'o': "01234567", 'z': "0123456789abcdefABCDEF", 'x': "0123456789abcdefABCDEF"}[letter]
	if digits == "" || len(text) == 0 {
		return false
	}
	for _, c := range text {
		if strings.IndexByte(digits, c) < 0 {
			return false
		}
	}
	return true
}
