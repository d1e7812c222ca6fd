package device

import (
	"fmt"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// partOf is an element of a component in an array of a derived type: p(i)%x, p(i)%v(3), p(i)%a%b. The component of all elements is one array, with the
// size of the type as its distance, and is an argument of its own; ok false: the designator is another one.
func (l *lowerer) partOf(sc *scope.Scope, e tree.Expression, at token.Pos) (x *Expression, ok bool) {
	list, ok := partsOf(sc, e)
	y := sc.Symbol(e)
	if !ok || len(list) < 2 || list[0].name != "" || y == nil {
		return nil, false
	}
	a := l.k.Find(y)
	if a == nil || a.Rank == 0 || a.Type.Base != scope.Derived || len(list[0].subscripts) != a.Rank || y.Optional ||
		len(a.Dims) > 0 && a.Dims[len(a.Dims)-1].Star {
		return nil, false
	}
	text, name := "", a.Spelt
	var last *scope.Symbol
	for i, p := range list[1:] {
		if p.name != "" {
			last = p.component
			if last == nil || last.Kind != scope.Variable || last.Pointer || last.Allocatable {
				return nil, false
			}
			text, name = text+"%"+p.name, name+"_"+p.name
			if len(last.Dims) == 0 || i+2 < len(list) && list[i+2].name == "" && len(list[i+2].subscripts) == len(last.Dims) {
				continue
			}
			if i+2 < len(list) {
				return nil, false
			}
		}
		index, known := l.constantIndex(sc, last, p.subscripts)
		if !known {
			return nil, false
		}
		inner := ""
		for d, v := range index {
			if d > 0 {
				inner += ", "
			}
			inner += fmt.Sprint(v)
			name += fmt.Sprintf("_%d", max(v, -v))
		}
		text += "(" + inner + ")"
	}
	t, known := typeOf(last.Type)
	if !known {
		return nil, false
	}
	argument := l.parts[partKey{a, text}]
	if argument == nil {
		argument = &Argument{Of: a, Part: text, Type: t, Rank: a.Rank, Write: a.Write, Name: l.members.local(name)}
		l.parts[partKey{a, text}] = argument
		l.out.Arguments = append(l.out.Arguments, argument)
	}
	var index []*Expression
	for _, s := range list[0].subscripts {
		if _, rank := sc.TypeOf(s.Value); rank != 0 {
			l.refuse(at, "'"+emit.Spelling(e)+"' is an array or a section", "write a loop over its elements")
			return nil, true
		}
		v := l.expression(sc, s.Value)
		if v == nil {
			return nil, true
		}
		index = append(index, converted(v, wide))
	}
	return &Expression{Do: Element, Type: t, Argument: argument, Operands: index}, true
}

// partKey names a component of an argument.
type partKey struct {
	argument *emit.Argument
	text     string
}
