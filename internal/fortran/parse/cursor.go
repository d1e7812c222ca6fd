package parse

import (
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// deepest is how deep expressions may nest; also the longest chain of operators of one level.
const deepest = 10000

// cursor reads the tokens of one statement. After a failure every question answers no, so that readers need not look.
type cursor struct {
	tokens []token.Token
	at     int
	depth  int
	failed string // why the statement is not understood
	last   token.Span
}

// token is the token i places ahead.
func (c *cursor) ahead(i int) token.Token {
	if i += c.at; i >= 0 && i < len(c.tokens) {
		return c.tokens[i]
	}
	var t token.Token
	if len(c.tokens) > 0 {
		t.Span.From = c.tokens[len(c.tokens)-1].Span.To
		t.Span.To = t.Span.From
	}
	return t
}

func (c *cursor) now() token.Token { return c.ahead(0) }

func (c *cursor) next() token.Token {
	t := c.now()
	if t.Kind != token.End {
		c.at++
		c.last = t.Span
	}
	return t
}

// end reports whether all tokens are read.
func (c *cursor) end() bool { return c.now().Kind == token.End }

// fail keeps the first reason, and moves behind the last token.
func (c *cursor) fail(reason string) {
	if c.failed == "" {
		c.failed = reason
		c.at = len(c.tokens)
	}
}

// unexpected fails at the current token.
func (c *cursor) unexpected(wanted string) {
	if t := c.now(); t.Kind == token.End {
		c.fail(wanted + " is missing at the end")
	} else {
		c.fail(wanted + " is expected, found '" + t.Text + "'")
	}
}

// take skips the sign s, if it is there.
func (c *cursor) take(s string) bool {
	if c.now().Is(s) {
		c.next()
		return true
	}
	return false
}

// need skips the sign s, and fails if it is not there.
func (c *cursor) need(s string) {
	if !c.take(s) {
		c.unexpected("'" + s + "'")
	}
}

// name reads a name.
func (c *cursor) name() (string, token.Span) {
	if c.now().Kind != token.Name {
		c.unexpected("a name")
		return "", token.Span{}
	}
	t := c.next()
	return t.Text, t.Span
}

// word skips the name w as it stands.
func (c *cursor) word(w string) bool {
	if c.now().IsName(w) {
		c.next()
		return true
	}
	return false
}

// words skips keywords, with or without blanks between them: END DO, ENDDO.
func (c *cursor) words(words ...string) bool {
	at, offset, last := c.at, 0, c.last
	for _, w := range words {
		t := c.now()
		if t.Kind != token.Name || !strings.HasPrefix(t.Text[offset:], w) {
			c.at, c.last = at, last
			return false
		}
		if offset += len(w); offset == len(t.Text) {
			c.next()
			offset = 0
		}
	}
	if offset > 0 {
		c.at, c.last = at, last
		return false
	}
	return true
}

// since is the span from a token on to the last one that was read.
func (c *cursor) since(from token.Span) token.Span {
	if c.last.To.Offset < from.From.Offset {
		return from
	}
	return token.Span{From: from.From, To: c.last.To}
}

func (c *cursor) place(from token.Span) tree.At { return tree.At{Where: c.since(from)} }

// opens and closes are the signs of nesting.
func opens(t token.Token) bool {
	return t.Kind == token.Operator && (t.Text == "(" || t.Text == "[")
}
func closes(t token.Token) bool {
	return t.Kind == token.Operator && (t.Text == ")" || t.Text == "]")
}

// skip is the index behind the parenthesis that closes the one at i, or the number of tokens.
func skip(t []token.Token, i int) int {
	for depth := 0; i < len(t); i++ {
		switch {
		case opens(t[i]):
			depth++
		case closes(t[i]):
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return len(t)
}

// find is the index of the sign s outside of parentheses from i on, or -1.
func find(t []token.Token, i int, s string) int {
	for i < len(t) {
		switch {
		case opens(t[i]):
			i = skip(t, i)
			continue
		case t[i].Is(s):
			return i
		case closes(t[i]):
			return -1
		}
		i++
	}
	return -1
}

// list reads items with commas between them, up to what stop tells, or the end.
func (c *cursor) list(item func()) {
	for item(); c.failed == "" && c.take(","); {
		item()
	}
}

// names reads names with commas between them.
func (c *cursor) names() (names []string) {
	c.list(func() {
		n, _ := c.name()
		names = append(names, n)
	})
	return names
}
