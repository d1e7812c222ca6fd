package parse

import (
	"libportable/internal/fortran/tree"
)

// declaration reads a declaration of one statement; nil: it is not understood.
func (s *statement) declaration() tree.Declaration {
	var d tree.Declaration
	switch s.keyword {
	case "integer", "real", "double", "complex", "logical", "character", "byte", "type", "class", "procedure":
		d = s.variables()
	case "use":
		d = s.use()
	case "import":
		d = s.imports()
	case "implicit":
		d = s.implicit()
	case "common":
		d = s.common()
	case "equivalence":
		d = s.equivalence()
	case "data":
		d = s.data()
	case "namelist":
		d = s.namelist()
	case "generic":
		d = s.generic()
	case "public", "private", "format", "entry", "sequence", "include":
		d = s.ignored()
	case "":
		return nil
	default:
		d = s.attributes()
	}
	if !s.done() {
		return nil
	}
	return d
}

// variables reads a type declaration.
func (s *statement) variables() *tree.Variables {
	v := &tree.Variables{DeclarationHead: s.declarationHead(), Type: s.typeSpec()}
	for s.failed == "" && s.take(",") {
		v.Attributes = append(v.Attributes, s.attribute())
	}
	if !s.take("::") && v.Attributes != nil {
		s.unexpected("'::'")
	}
	s.list(func() { v.Entities = append(v.Entities, s.entity()) })
	return v
}

// attributes reads SAVE, DIMENSION, PARAMETER and their kin.
func (s *statement) attributes() *tree.Attributes {
	a := &tree.Attributes{DeclarationHead: s.declarationHead()}
	from := s.now().Span
	word := s.opening()
	a.Attribute.Name = word
	switch {
	case word == "attributes" || word == "intent" || word == "bind":
		s.at--
		a.Attribute = s.attribute()
	case word == "parameter":
		open := s.take("(")
		s.list(func() { a.Entities = append(a.Entities, s.entity()) })
		if open {
			s.need(")")
		}
		return a
	case word == "pointer" && s.now().Is("("):
		a.Attribute.Name = "cray pointer"
		s.list(func() {
			s.need("(")
			p := s.entity()
			s.need(",")
			a.Entities = append(a.Entities, p, s.entity())
			s.need(")")
		})
		return a
	}
	a.Attribute.Where = s.since(from)
	s.take("::")
	if word == "save" && s.end() {
		return a
	}
	s.list(func() {
		if t := s.now(); t.Is("/") {
			name := "/" + s.blockName() + "/"
			a.Entities = append(a.Entities, tree.Entity{Where: s.since(t.Span), NameAt: s.since(t.Span), Name: name})
		} else {
			a.Entities = append(a.Entities, s.entity())
		}
	})
	return a
}

// opening skips the first keyword, and gives it.
func (s *statement) opening() string {
	s.words(s.keyword)
	return s.keyword
}

func (s *statement) use() *tree.Use {
	u := &tree.Use{DeclarationHead: s.declarationHead()}
	s.opening()
	if s.take(",") {
		u.Nature, _ = s.name()
		s.need("::")
	} else {
		s.take("::")
	}
	u.Module, _ = s.name()
	if !s.take(",") {
		return u
	}
	if s.now().IsName("only") && s.ahead(1).Is(":") {
		s.next()
		s.next()
		if u.Only = true; s.end() {
			return u
		}
	}
	s.list(func() {
		r := tree.Rename{Local: s.genericSpec()}
		if r.Name = r.Local; s.take("=>") {
			r.Name = s.genericSpec()
		}
		u.Renames = append(u.Renames, r)
	})
	return u
}

func (s *statement) imports() *tree.Import {
	d := &tree.Import{DeclarationHead: s.declarationHead()}
	s.opening()
	if s.take(",") {
		d.Kind, _ = s.name()
		if d.Kind == "only" {
			s.need(":")
			d.Names = s.names()
		}
		return d
	}
	if s.take("::") || !s.end() {
		d.Names = s.names()
	}
	return d
}

// implicit reads IMPLICIT NONE or rules.
func (s *statement) implicit() *tree.Implicit {
	d := &tree.Implicit{DeclarationHead: s.declarationHead()}
	if s.words("implicit", "none") || s.words("implicit", "undefined") {
		if d.None = true; s.take("(") && !s.end() {
			if list := s.names(); len(list) == 1 && list[0] == "external" { // types stay implicit
				d.None = false
			}
			s.need(")")
		}
		return d
	}
	s.opening()
	s.list(func() {
		r := tree.ImplicitRule{}
		// A single parenthesis holds the letters: it hides from the reader of types.
		if at := s.letters(); at > 0 {
			tail := s.tokens
			s.tokens = s.tokens[:at]
			r.Type = s.typeSpec()
			if s.failed == "" {
				s.tokens = tail
			}
		} else {
			s.unexpected("a type with letters")
		}
		s.need("(")
		s.list(func() {
			from := s.letter()
			to := from
			if s.take("-") {
				to = s.letter()
			}
			r.Letters = append(r.Letters, [2]byte{from, to})
		})
		s.need(")")
		d.Rules = append(d.Rules, r)
	})
	return d
}

// letters is the index of the last parenthesis of a rule of IMPLICIT, or -1.
func (s *statement) letters() int {
	last := -1
	for i := s.at; i < len(s.tokens) && !s.tokens[i].Is(","); i++ {
		if opens(s.tokens[i]) {
			last = i
			i = skip(s.tokens, i) - 1
		}
	}
	return last
}

func (s *statement) letter() byte {
	name, _ := s.name()
	if len(name) != 1 {
		s.fail("IMPLICIT needs letters")
		return 0
	}
	return name[0]
}

func (s *statement) common() *tree.Common {
	d := &tree.Common{DeclarationHead: s.declarationHead()}
	s.opening()
	for first := true; s.failed == "" && !s.end(); first = false {
		var b tree.CommonBlock
		if !first || s.now().Is("/") || s.now().Is("//") {
			b.Name = s.blockName()
		}
		s.list(func() { // the list may end with a comma in front of the next block
			if !s.now().Is("/") && !s.now().Is("//") {
				b.Entities = append(b.Entities, s.commonEntity())
			}
		})
		d.Blocks = append(d.Blocks, b)
	}
	return d
}

// commonEntity reads NAME or NAME(DIMENSIONS): a slash behind it begins the next block.
func (s *statement) commonEntity() (e tree.Entity) {
	from := s.now().Span
	if e.Name, e.NameAt = s.name(); s.now().Is("(") {
		e.Dimensions = s.dimensions("(", ")")
	}
	e.Where = s.since(from)
	return e
}
