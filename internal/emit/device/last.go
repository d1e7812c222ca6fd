package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
)

// Last is a private scalar whose value of the last iteration goes to the user's variable.
type Last struct {
	Symbol *scope.Symbol
	Local  *Variable // one for each iteration
}

// LastArray is a private array whose values of the last iteration go to the user's array, which is an argument.
type LastArray struct {
	Symbol   *scope.Symbol
	Argument *Argument
	Body     []Statement // of the last iteration: all elements
}

// lasts makes the results that carry last values: a sum of integers, to which the last iteration alone gives something. A real travels as an integer
// of its bits, because a sum of reals keeps neither the sign of zero nor a NaN. They stand behind the reductions.
func (l *lowerer) lasts() {
	for _, y := range l.k.Last {
		at := l.k.Loops[0].Do.Where.From
		t, ok := typeOf(y.Type)
		switch {
		case ok && len(y.Dims) > 0 && len(y.Dims) <= 7 && l.k.IsLocal(y):
			a := &Argument{LastOf: y, Name: l.members.local(y.Name + "_last"), Type: t, Rank: len(y.Dims), Write: true}
			l.out.Arguments = append(l.out.Arguments, a)
			l.out.LastArrays = append(l.out.LastArrays, &LastArray{Symbol: y, Argument: a})
			continue
		case !ok || t.Base == scope.ComplexType || len(y.Dims) > 0 || !l.k.IsLocal(y):
			l.refuse(at, "the last value of '"+y.Name+"' is not written for devices", "use a variable of its own in the loop")
			return
		case t.Base == scope.Real && l.hidesTransfer():
			l.refuse(at, "the last value of '"+y.Name+"' needs the intrinsic function 'transfer', whose name a variable of this loop has", "give the variable another name")
			return
		}
		carrier := Type{scope.Integer, max(t.Kind, 4)}
		if t.Base == scope.Logical {
			carrier.Kind = 4
		}
		v := &Variable{Name: y.Name, Type: carrier, Result: len(l.out.Results) + 1}
		l.out.Results = append(l.out.Results, &Result{Last: &Last{Symbol: y}, Operation: "sum", Variable: v})
	}
	if len(l.k.Last) == 0 {
		return
	}
	for i := range l.out.Loops {
		o := &l.out.Loops[i]
		o.End = &Argument{Loop: i, Name: l.members.local(o.Variable.Name + "_end"), Type: Type{scope.Integer, 8}}
		l.out.Arguments = append(l.out.Arguments, o.End)
	}
}

// hidesTransfer reports whether the launch has a variable of that name.
func (l *lowerer) hidesTransfer() bool {
	const name = "transfer"
	for _, a := range l.k.Arguments {
		if emit.Spelling(a.Object) == name || a.Symbol != nil && a.Symbol.Name == name {
			return true
		}
	}
	for i := range l.k.Nest.Reductions {
		if l.k.Nest.Reductions[i].Symbol.Name == name {
			return true
		}
	}
	return false
}

// findLasts notes the variables of the lowered body whose values are kept.
func (l *lowerer) findLasts() {
	for _, x := range l.out.LastArrays {
		v := l.variables[x.Symbol]
		if v == nil || v.View > 0 || len(v.Lower) != x.Argument.Rank {
			l.refuse(l.k.Loops[0].Do.Where.From, "the last values of the array '"+x.Symbol.Name+"', which has no constant bounds, are not written for devices", "give it constant bounds, or use an array of its own in the loop")
			return
		}
		var index []*Expression
		for range v.Lower {
			index = append(index, &Expression{Do: Private, Type: wide, Variable: l.temporary("element", wide)})
		}
		to := &Expression{Do: Element, Type: v.Type, Argument: x.Argument, Operands: index}
		x.Body = []Statement{&Assign{To: to, Value: &Expression{Do: Element, Type: v.Type, Variable: v, Operands: index}}}
		for d, i := range index {
			l.count++
			x.Body = []Statement{&Counted{Target: Target{&Frame{Number: l.count, IsLoop: true}}, Variable: i.Variable, First: number(v.Lower[d]), Last: number(v.Upper[d]),
				Step: one(wide), Body: x.Body, Inside: true}}
		}
	}
	for _, r := range l.out.Results {
		if r.Last == nil {
			continue
		}
		if r.Last.Local = l.variables[r.Last.Symbol]; r.Last.Local == nil {
			l.refuse(l.k.Loops[0].Do.Where.From, "the last value of '"+r.Last.Symbol.Name+"' is not written for devices", "use a variable of its own in the loop")
			return
		}
	}
}
