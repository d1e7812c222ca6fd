package parse

import (
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// prefixes are the words in front of SUBROUTINE and FUNCTION.
var prefixes = []string{"recursive", "non_recursive", "pure", "impure", "elemental", "module"}

// begins reports whether the statement begins a unit. expected: one may begin here.
func (s *statement) begins(expected bool) bool {
	switch s.keyword {
	case "program", "submodule", "subroutine", "recursive", "non_recursive", "pure", "impure", "elemental":
		return true
	case "function":
		return expected || s.ahead(1).Kind == token.Name
	case "module":
		return !(s.ahead(1).IsName("procedure") && s.ahead(2).Kind != token.End || s.now().Text == "moduleprocedure") || s.ahead(3).Kind == token.End && expected
	case "block":
		return s.ahead(1).IsName("data") || strings.HasPrefix(s.now().Text, "blockdata")
	case "attributes":
		i := skip(s.tokens, s.at+1)
		return i < len(s.tokens) && (s.tokens[i].IsName("subroutine") || s.tokens[i].IsName("function") || s.tokens[i].Kind == token.Name && keywords[s.tokens[i].Text] != "")
	case "integer", "real", "double", "complex", "logical", "character", "byte", "type", "class":
		return s.function()
	}
	return false
}

// function reports whether FUNCTION stands behind a type.
func (s *statement) function() bool {
	for i := s.at; i < len(s.tokens); i++ {
		t := s.tokens[i]
		switch {
		case opens(t):
			i = skip(s.tokens, i) - 1
			continue
		case t.Is("::"), t.Is(","):
			return false
		case t.Kind != token.Name:
			continue
		}
		if (t.Text == "function" || t.Text == "subroutine") && i > s.at && i+1 < len(s.tokens) && s.tokens[i+1].Kind == token.Name {
			return true
		}
	}
	return false
}

// unit reads the first statement of a unit; nil: it is not understood.
func (s *statement) unit() *tree.Unit {
	u := &tree.Unit{Head: s.where, HeadLine: s.line, Before: s.before}
	procedure := func(kind tree.UnitKind) {
		u.Kind = kind
		u.Name, u.NameAt = s.name()
		if s.take("(") && !s.take(")") {
			u.Dummies = s.dummies()
		}
		if kind == tree.Function {
			u.Result = u.Name
		}
		s.suffixes(u)
	}
	switch {
	case s.keyword == "program" && s.words("program"):
		u.Kind = tree.Program
		u.Name, u.NameAt = s.name()
		if s.now().Is("(") { // an old form with the names of files
			s.at = skip(s.tokens, s.at)
		}
	case s.keyword == "submodule" && s.words("submodule"):
		u.Kind = tree.Submodule
		s.need("(")
		for s.failed == "" {
			name, _ := s.name()
			if u.Ancestor = append(u.Ancestor, name); !s.take(":") {
				break
			}
		}
		s.need(")")
		u.Name, u.NameAt = s.name()
	case s.keyword == "block" && s.words("block", "data"):
		u.Kind = tree.BlockData
		if !s.end() {
			u.Name, u.NameAt = s.name()
		}
	case s.keyword == "module" && s.words("module", "procedure") && !s.end():
		u.Kind = tree.ModuleProcedure
		u.Name, u.NameAt = s.name()
	case s.keyword == "module" && s.plainModule():
		u.Kind = tree.Module
		u.Name, u.NameAt = s.name()
	default:
		for s.failed == "" {
			if s.words("subroutine") {
				procedure(tree.Subroutine)
				break
			}
			if s.words("function") {
				procedure(tree.Function)
				break
			}
			s.prefix(u)
		}
	}
	if !s.done() {
		return nil
	}
	return u
}

// plainModule skips MODULE of MODULE NAME.
func (s *statement) plainModule() bool {
	at := s.at
	if s.words("module") && s.now().Kind == token.Name && s.ahead(1).Kind == token.End {
		return true
	}
	s.at = at
	return false
}

// prefix reads one word or type in front of SUBROUTINE or FUNCTION.
func (s *statement) prefix(u *tree.Unit) {
	for _, w := range prefixes {
		if s.words(w) {
			u.Prefix = append(u.Prefix, w)
			return
		}
	}
	from := s.at
	if s.words("attributes") {
		s.at = skip(s.tokens, s.at)
		text := ""
		for _, t := range s.tokens[from:s.at] {
			text += t.Text
		}
		u.Prefix = append(u.Prefix, text)
		return
	}
	if u.Type != nil || s.now().Kind != token.Name {
		s.unexpected("SUBROUTINE or FUNCTION")
		return
	}
	if u.Type = s.typeSpec(); s.at == from {
		s.unexpected("SUBROUTINE or FUNCTION")
	}
}

// suffixes reads RESULT(r) and BIND(C) in any order.
func (s *statement) suffixes(u *tree.Unit) {
	for s.failed == "" && !s.end() {
		switch {
		case s.words("result"):
			s.need("(")
			u.Result, _ = s.name()
			s.need(")")
		case s.words("bind"):
			u.Bind = s.bindRest()
		default:
			s.unexpected("RESULT or BIND")
		}
	}
}
