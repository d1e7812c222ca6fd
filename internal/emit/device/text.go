package device

import (
	"slices"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// This file lowers values that come from texts: comparisons, LEN_TRIM, INDEX and their like. Devices have no texts, so the host computes the values in front
// of the launch: one, or one for each element of an array of texts. Not in this file: private texts, which depend on the iteration in other ways.

// Text is what the host computes for an argument: a value from texts that no iteration changes.
type Text struct {
	Value     tree.Expression
	Of        []*emit.Argument // the texts in it
	Array     *emit.Argument   // the one that is an array; nil: the value is one for all iterations
	Elements  []*tree.Reference
	Subscript []tree.Expression // of all Elements
}

// textFunctions are intrinsic functions of texts that can be computed for any text.
var textFunctions = map[string]bool{"len": true, "len_trim": true, "index": true, "scan": true, "verify": true, "ichar": true, "iachar": true, "trim": true,
	"adjustl": true, "adjustr": true, "lge": true, "lgt": true, "lle": true, "llt": true}

// takesText reports whether a value of numbers or logicals has an operand that is a text.
func takesText(sc *scope.Scope, operands ...tree.Expression) bool {
	for _, e := range operands {
		if e == nil {
			continue
		}
		if t, _ := sc.TypeOf(e); t.Base == scope.Character {
			return true
		}
	}
	return false
}

// text lowers such a value; nil after a refusal.
func (l *lowerer) text(sc *scope.Scope, e tree.Expression) *Expression {
	at := e.Span().From
	const remedy = "compute it before the loop, into an array of numbers or logicals"
	result, rank := sc.TypeOf(e)
	t, ok := typeOf(result)
	if !ok || rank != 0 {
		l.refuse(at, "this value of texts is not written for devices", remedy)
		return nil
	}
	if l.scope != nil {
		l.refuse(at, "a called procedure uses texts", "compute the value from texts before the loop, and give it as an argument")
		return nil
	}
	if d := l.k.Nest.Directive; d != nil && d.Async != "" {
		l.refuse(at, "the loop uses texts, and is launched with ASYNC", remedy)
		return nil
	}
	x := &Text{Value: e}
	if !l.textParts(sc, e, x) {
		l.refuse(at, "this value of texts depends on more than the texts of one array and on texts that no iteration changes", remedy)
		return nil
	}
	for _, a := range l.out.Arguments {
		if a.Text != nil && slices.Equal(a.Text.Of, x.Of) && sameDesignator(a.Text.Value, e) {
			return l.textValue(sc, a, x)
		}
	}
	name, dims := "text", 0
	if x.Array != nil {
		name, dims = memberName(x.Array), x.Array.Rank
	}
	a := &Argument{Text: x, Type: t, Rank: dims, Name: l.members.local(name)}
	l.out.Arguments = append(l.out.Arguments, a)
	return l.textValue(sc, a, x)
}

// textValue is the argument, or its element.
func (l *lowerer) textValue(sc *scope.Scope, a *Argument, x *Text) *Expression {
	if a.Rank == 0 {
		return &Expression{Do: Value, Type: a.Type, Argument: a}
	}
	var index []*Expression
	for _, s := range x.Subscript {
		i := l.expression(sc, s)
		if i == nil {
			return nil
		}
		index = append(index, converted(i, Type{scope.Integer, 8}))
	}
	return &Expression{Do: Element, Type: a.Type, Argument: a, Operands: index}
}

// textParts finds the texts in a value; false: the host cannot compute it in front of the launch.
func (l *lowerer) textParts(sc *scope.Scope, e tree.Expression, x *Text) bool {
	if e == nil {
		return true
	}
	switch e := e.(type) {
	case *tree.Literal:
		return e.Parameter == ""
	case *tree.Parenthesis:
		return l.textParts(sc, e.X, x)
	case *tree.Binary:
		return sc.Operator(e.Operator, []tree.Expression{e.X, e.Y}) == nil && l.textParts(sc, e.X, x) && l.textParts(sc, e.Y, x)
	case *tree.Name, *tree.Component:
		return l.textOf(sc, e, nil, x)
	case *tree.Reference:
		switch meaning, y := sc.Meaning(e); meaning {
		case scope.Element:
			return l.textOf(sc, e.Base, e, x)
		case scope.Substring:
			r, ok := e.Arguments[0].Value.(*tree.Range)
			t, _ := sc.TypeOf(e.Base)
			if t.Len == nil {
				return false
			}
			_, known := sc.Constant(t.Len) // else the bounds may be those of other texts than this one
			return ok && known && l.constantOrNone(sc, r.Lower) && l.constantOrNone(sc, r.Upper) && l.textParts(sc, e.Base, x)
		case scope.IntrinsicCall:
			if !textFunctions[y.Name] {
				return false
			}
			for _, a := range e.Arguments {
				if t, _ := sc.TypeOf(a.Value); t.Base != scope.Character && !l.constantOrNone(sc, a.Value) || !l.textParts(sc, a.Value, x) {
					return false
				}
			}
			return true
		}
	}
	return false
}

func (l *lowerer) constantOrNone(sc *scope.Scope, e tree.Expression) bool {
	if e == nil {
		return true
	}
	_, literal := e.(*tree.Literal)
	return literal
}

// textOf adds a text: a scalar, or an element of an array.
func (l *lowerer) textOf(sc *scope.Scope, designator tree.Expression, element *tree.Reference, x *Text) bool {
	var a *emit.Argument
	switch d := designator.(type) {
	case *tree.Name:
		a = l.k.Find(sc.Lookup(d.Name))
	case *tree.Component:
		a = l.prefixes[d]
	}
	if a == nil || a.Write || a.Module != nil || a.Type.Base != scope.Character || len(a.Path) == 0 && a.Symbol.Optional || a.Symbol.Kind != scope.Variable {
		return false
	}
	if p, is := l.pieces[a]; is && (p.end.Allocatable || p.end.Pointer || slices.ContainsFunc(p.of.Uses, func(u emit.Use) bool {
		_, whole := u.Expression.(*tree.Name)
		return whole && (u.Write || u.Actual)
	})) {
		return false
	}
	if a.Rank == 0 && len(a.Path) == 0 && (a.Symbol.Allocatable || a.Symbol.Pointer) {
		return false // it may not exist before the loop
	}
	x.Of = append(x.Of, a)
	if a.Rank == 0 {
		return element == nil
	}
	if element == nil || len(element.Arguments) != a.Rank || len(a.Dims) != a.Rank || a.Dims[a.Rank-1].Star {
		return false
	}
	for k, s := range element.Arguments {
		if s.Value == nil || x.Array != nil && (x.Array != a || !sameDesignator(s.Value, x.Subscript[k])) {
			return false
		}
	}
	if x.Array == nil {
		for _, s := range element.Arguments {
			x.Subscript = append(x.Subscript, s.Value)
		}
	}
	x.Array = a
	x.Elements = append(x.Elements, element)
	return true
}
