package device

import (
	"fmt"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// partOf is an element of a component in an array of a derived type: p(i)%x, p(i)%v(3), p(i)%a%b. The component of all elements is one array, with the
// size of the type as its distance, and is an argument of its own. An array component whose subscripts are found in the iteration is as many arrays as it
// has elements, up to mostViews. ok false: the designator is another one.
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
	c := chosen{texts: []string{""}}
	text, name := "", a.Spelt
	var last *scope.Symbol
	for i, p := range list[1:] {
		if p.name != "" {
			last = p.component
			if last == nil || last.Kind != scope.Variable || last.Pointer || last.Allocatable {
				return nil, false
			}
			text, name = text+"%"+p.name, name+"_"+p.name
			c.add("%" + p.name)
			if len(last.Dims) == 0 || i+2 < len(list) && list[i+2].name == "" && len(list[i+2].subscripts) == len(last.Dims) {
				continue
			}
			if i+2 < len(list) {
				return nil, false
			}
		}
		index, known := l.constantIndex(sc, last, p.subscripts)
		if !known {
			if !l.choose(sc, &c, e, last, p.subscripts, i+2 == len(list)) {
				return nil, len(l.reasons) > 0
			}
			text += "(" + strings.Repeat(":, ", len(last.Dims)-1) + ":)"
			continue
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
		c.add("(" + inner + ")")
	}
	t, known := typeOf(last.Type)
	if !known {
		return nil, false
	}
	key := text
	if c.which != nil {
		key = strings.Join(c.texts, ";")
	}
	argument := l.parts[partKey{a, key}]
	if argument == nil {
		argument = &Argument{Of: a, Part: text, Type: t, Rank: a.Rank, Write: a.Write, Name: l.members.local(name)}
		if c.which != nil {
			argument.Views, argument.Elements = len(c.texts), c.texts
		}
		l.parts[partKey{a, key}] = argument
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
	return &Expression{Do: Element, Type: t, Argument: argument, Which: c.which, Operands: index}, true
}

// partKey names a component of an argument.
type partKey struct {
	argument *emit.Argument
	text     string
}

// chosen are the elements of array components that a designator may stand for, as Fortran writes them, and which of them it is, from 0.
type chosen struct {
	texts []string
	which *Expression // nil: there is one alone
}

func (c *chosen) add(text string) {
	for i := range c.texts {
		c.texts[i] += text
	}
}

// choose adds the elements of a component with those subscripts; end: it is the last one of the designator e, and may be an array.
func (l *lowerer) choose(sc *scope.Scope, c *chosen, e tree.Expression, y *scope.Symbol, subscripts []tree.Argument, end bool) bool {
	var index []*Expression
	if _, rank := sc.TypeOf(e); rank != 0 && end {
		if l.elements == nil || rank != len(l.elements.numbers) {
			return false
		}
		index = l.elementOf(sc, e)
	} else if rank == 0 {
		for _, s := range subscripts {
			x := converted(l.expression(sc, s.Value), wide)
			if x == nil {
				return false
			}
			index = append(index, x)
		}
	}
	if len(index) != len(y.Dims) {
		return false
	}
	count := int64(len(c.texts))
	for d := range y.Dims {
		lower, upper, known := constantBounds(y, d)
		if !known || upper < lower {
			return false
		}
		if upper-lower >= mostViews || count*(upper-lower+1) > mostViews {
			l.refuse(e.Span().From, "'"+emit.Spelling(e)+"' is one of more than 16 elements of array components in an array of a derived type",
				"make the component an array of its own, or copy the elements into a private array by assignments with constant subscripts")
			return false
		}
		first := zero(wide)
		first.Constant.Integer = lower
		number := folded(Subtract, index[d], first)
		if count > 1 {
			stride := zero(wide)
			stride.Constant.Integer = count
			number = folded(Multiply, number, stride)
		}
		if c.which == nil {
			c.which = number
		} else {
			c.which = folded(Add, c.which, number)
		}
		var texts []string
		for v := lower; v <= upper; v++ {
			for _, t := range c.texts {
				if d > 0 {
					t += ", "
				} else {
					t += "("
				}
				texts = append(texts, t+fmt.Sprint(v))
			}
		}
		c.texts, count = texts, int64(len(texts))
	}
	c.add(")")
	return true
}

// fixed gives the constant bounds of an array component in an array of a derived type; nil: it is another designator.
func (l *lowerer) fixed(sc *scope.Scope, e tree.Expression) func(Operation, int) *Expression {
	list, ok := partsOf(sc, e)
	if !ok || len(list) < 2 || list[0].name != "" || list[len(list)-1].name == "" || sc.Symbol(e) == nil {
		return nil
	}
	a, y := l.k.Find(sc.Symbol(e)), list[len(list)-1].component
	if a == nil || a.Rank == 0 || a.Type.Base != scope.Derived || y == nil || y.Pointer || y.Allocatable {
		return nil
	}
	var bounds [2][]int64
	for d := range y.Dims {
		lower, upper, known := constantBounds(y, d)
		if !known {
			return nil
		}
		bounds[0], bounds[1] = append(bounds[0], lower), append(bounds[1], upper)
	}
	return func(do Operation, d int) *Expression {
		x := zero(wide)
		low, high := bounds[0][d-1], bounds[1][d-1]
		switch do {
		case Lowest:
			x.Constant.Integer = low
		case Highest:
			x.Constant.Integer = high
		default:
			x.Constant.Integer = max(high-low+1, 0)
		}
		return x
	}
}
