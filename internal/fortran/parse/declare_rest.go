package parse

import (
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

func (s *statement) equivalence() *tree.Equivalence {
	d := &tree.Equivalence{DeclarationHead: s.declarationHead()}
	s.opening()
	s.list(func() {
		var set []tree.Expression
		s.need("(")
		s.list(func() { set = append(set, s.designator()) })
		s.need(")")
		d.Sets = append(d.Sets, set)
	})
	return d
}

// data reads DATA OBJECTS /VALUES/, with or without commas between the sets.
func (s *statement) data() *tree.Data {
	d := &tree.Data{DeclarationHead: s.declarationHead()}
	s.opening()
	for first := true; s.failed == "" && (first || !s.end()); first = false {
		var set tree.DataSet
		if !first {
			s.take(",")
		}
		s.list(func() {
			if s.now().Is("(") {
				set.Objects = append(set.Objects, s.parenthesis())
			} else {
				set.Objects = append(set.Objects, s.designator())
			}
		})
		set.Values = s.values()
		d.Sets = append(d.Sets, set)
	}
	return d
}

func (s *statement) namelist() *tree.Namelist {
	d := &tree.Namelist{DeclarationHead: s.declarationHead(), Groups: map[string][]string{}}
	s.opening()
	for first := true; s.failed == "" && (first || !s.end()); first = false {
		group := s.blockName()
		s.list(func() {
			if s.now().Is("/") {
				return
			}
			name, _ := s.name()
			d.Groups[group] = append(d.Groups[group], name)
		})
	}
	return d
}

// generic reads GENERIC, PUBLIC :: NAME => PROCEDURES.
func (s *statement) generic() *tree.Generic {
	d := &tree.Generic{DeclarationHead: s.declarationHead()}
	s.opening()
	if s.take(",") {
		d.Access, _ = s.name()
	}
	s.take("::")
	d.Name = s.genericSpec()
	s.need("=>")
	d.Procedures = s.names()
	return d
}

// ignored reads statements that say nothing about data.
func (s *statement) ignored() *tree.Ignored {
	d := &tree.Ignored{DeclarationHead: s.declarationHead()}
	d.Kind = s.opening()
	switch d.Kind {
	case "public", "private":
		if s.take("::") || !s.end() {
			s.list(func() { d.Names = append(d.Names, s.genericSpec()) })
		}
	case "format":
		if s.now().Is("(") && s.tokens[len(s.tokens)-1].Is(")") {
			s.at = len(s.tokens)
		} else {
			s.unexpected("'('")
		}
	case "entry":
		name, _ := s.name()
		d.Names = []string{name}
		if s.take("(") && !s.take(")") {
			d.Names = append(d.Names, s.dummies()...)
		}
		for s.failed == "" && !s.end() {
			if s.word("result") {
				s.need("(")
				d.Result, _ = s.name()
				s.need(")")
			} else if s.word("bind") {
				s.bindRest()
			} else {
				s.unexpected("RESULT or BIND")
			}
		}
	case "include":
		if s.now().Kind != token.String {
			s.unexpected("a file name")
		}
		s.next()
	}
	return d
}

// dummies reads the rest of a list of dummies, up to the parenthesis.
func (s *statement) dummies() (names []string) {
	s.list(func() {
		if s.take("*") {
			names = append(names, "*")
		} else {
			name, _ := s.name()
			names = append(names, name)
		}
	})
	s.need(")")
	return names
}
