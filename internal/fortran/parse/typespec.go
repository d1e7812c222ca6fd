package parse

import (
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// bases are the words of types, the longer ones first.
var bases = []struct {
	base  string
	words []string
}{
	{"integer", []string{"integer"}}, {"real", []string{"real"}},
	{"double precision", []string{"double", "precision"}}, {"double complex", []string{"double", "complex"}},
	{"complex", []string{"complex"}}, {"logical", []string{"logical"}}, {"character", []string{"character"}},
	{"byte", []string{"byte"}}, {"type", []string{"type"}}, {"class", []string{"class"}}, {"procedure", []string{"procedure"}},
}

// typeSpec reads a type: INTEGER(8), REAL*8, TYPE(t), CHARACTER(LEN=*), ... A name alone is a derived type (in constructors and ALLOCATE).
func (c *cursor) typeSpec() *tree.TypeSpec {
	from := c.now().Span
	s := &tree.TypeSpec{}
	for _, b := range bases {
		if c.words(b.words...) {
			s.Base = b.base
			break
		}
	}
	switch s.Base {
	case "":
		s.Base = "type"
		c.derivedName(s)
	case "type", "class":
		c.need("(")
		if c.take("*") {
			s.Name = "*"
		} else if inner := c.intrinsicInside(); inner != nil {
			*s = *inner
		} else {
			c.derivedName(s)
		}
		c.need(")")
	case "procedure":
		c.need("(")
		if !c.now().Is(")") {
			if inner := c.intrinsicInside(); inner != nil {
				s.Returns = inner
			} else if c.now().IsName("type") || c.now().IsName("class") {
				s.Returns = c.typeSpec()
			} else {
				s.Name, _ = c.name()
			}
		}
		c.need(")")
	case "character":
		c.characterLength(s)
	default:
		c.kind(s)
	}
	s.At = c.place(from)
	return s
}

// intrinsicInside reads TYPE(INTEGER(8)), or nothing.
func (c *cursor) intrinsicInside() *tree.TypeSpec {
	switch c.now().Text {
	case "integer", "real", "complex", "logical", "character", "double", "doubleprecision":
		return c.typeSpec()
	}
	return nil
}

// derivedName reads NAME or NAME(PARAMETERS).
func (c *cursor) derivedName(s *tree.TypeSpec) {
	s.Name, _ = c.name()
	if c.take("(") {
		if !c.now().Is(")") {
			c.list(func() { s.Parameters = append(s.Parameters, c.argument()) })
		}
		c.need(")")
	}
}

// kind reads (KIND=k), (k) or *8.
func (c *cursor) kind(s *tree.TypeSpec) {
	switch {
	case c.take("*"):
		t := c.now()
		if s.Bytes = true; t.Kind != token.Integer {
			c.unexpected("a size in bytes")
			return
		}
		c.next()
		s.Kind = number(t)
	case c.now().Is("("):
		c.next()
		if c.now().IsName("kind") && c.ahead(1).Is("=") {
			c.next()
			c.next()
		}
		s.Kind = c.expression()
		c.need(")")
	}
}

// characterLength reads *5, *(*), (5), (LEN=*, KIND=1), (5, 1).
func (c *cursor) characterLength(s *tree.TypeSpec) {
	if c.take("*") {
		s.Length, s.Colon = c.starLength()
		if find(c.tokens, c.at, "::") < 0 { // CHARACTER*5, a
			c.take(",")
		}
		return
	}
	if !c.take("(") {
		return
	}
	for n := 0; c.failed == ""; n++ {
		word := ""
		if c.now().Kind == token.Name && c.ahead(1).Is("=") {
			word = c.next().Text
			c.next()
		}
		if word == "kind" || word == "" && n == 1 {
			s.Kind = c.expression()
		} else {
			s.Length, s.Colon = c.length()
		}
		if !c.take(",") {
			break
		}
	}
	c.need(")")
}

// starLength is what stands behind the * of CHARACTER*5 or CHARACTER*(*).
func (c *cursor) starLength() (x tree.Expression, colon bool) {
	if t := c.now(); t.Kind == token.Integer {
		c.next()
		return number(t), false
	}
	c.need("(")
	x, colon = c.length()
	c.need(")")
	return x, colon
}

// length reads an expression, * or :.
func (c *cursor) length() (x tree.Expression, colon bool) {
	t := c.now()
	switch {
	case c.take("*"):
		return &tree.Star{At: tree.At{Where: t.Span}}, false
	case c.take(":"):
		return nil, true
	}
	return c.expression(), false
}
