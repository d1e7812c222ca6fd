package scope

import (
	"slices"

	"libportable/internal/fortran/tree"
)

// Exported is the symbol that a USE of this module gives a name; nil: the module does not offer the name.
func (s *Scope) Exported(name string) *Symbol {
	var r result
	s.export(name, map[visit]bool{}, &r)
	return s.one(name, &r)
}

// Ordered are the arguments of an intrinsic function in the order of its dummies, without KIND; ok false: a keyword that it does not have, or an
// argument that is left out in front of another one.
func Ordered(name string, arguments []tree.Argument) (list []tree.Expression, ok bool) {
	in := intrinsicsByName[name]
	if in == nil {
		return nil, false
	}
	list = make([]tree.Expression, len(arguments))
	count := 0
	for i := range arguments {
		place, kind := i, i < len(in.dummies) && in.dummies[i] == "kind"
		if k := arguments[i].Keyword; k != "" {
			place, kind = slices.Index(in.dummies, k), k == "kind"
		}
		if kind {
			continue
		}
		if place < 0 || place >= len(list) || list[place] != nil || arguments[i].Value == nil {
			return nil, false
		}
		list[place] = arguments[i].Value
		count++
	}
	return list[:count], !slices.Contains(list[:count], nil)
}

// Actuals are the arguments of an intrinsic function by its dummies. A mask in the place of DIM is MASK; ok false: it has no such keyword.
func (s *Scope) Actuals(name string, arguments []tree.Argument) (args map[string]tree.Expression, ok bool) {
	c := s.newCall(name, arguments)
	if c == nil {
		return nil, false
	}
	for key, e := range c.args {
		if e == nil || !slices.Contains(intrinsicsByName[name].dummies, key) {
			return nil, false
		}
	}
	return c.args, true
}
