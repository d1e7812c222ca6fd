package device

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
)

// A private array whose bounds are known when the program runs, and one that a called procedure declares with such bounds, is a slice of memory that the
// host gets for the launch: each iteration has one, and elements of neighbouring iterations lie side by side. The host computes how large a slice is, so
// its bounds come from arguments of the launch.

// Slice makes the view of such an array in the iteration's part of the memory, or of a dummy array of assumed size. The bounds follow as Shape.
type Slice struct {
	Variable *Variable
	Memory   *Argument // its first dimension is the number of the iteration, from 1; of a dummy array: its elements as they follow
}

func (*Slice) statement() {}

// bounds are those of a slice, one for each dimension.
type bounds struct{ lower, upper []*Expression }

// demand is how many elements of a slice a procedure needs, by its parameters.
type demand struct {
	memory *Argument
	size   *Expression
}

// canSlice reports whether a private array can be a slice: its bounds are known before the iterations.
func (l *lowerer) canSlice(y *scope.Symbol) bool {
	own := y.Scope != nil && y.Scope.Kind == scope.BlockScope && !l.around(y.Scope)
	return !own && !y.Saved && len(y.Dims) <= 7 && !slices.ContainsFunc(y.Dims, func(d scope.Dimension) bool { return d.Upper == nil || d.Star || d.Deferred || d.Assumed })
}

// sliced is the view of a private array whose bounds are no constants; nil after a refusal. Its memory is made at the beginning of the procedure.
func (l *lowerer) sliced(y *scope.Symbol, t Type, at token.Pos) *Variable {
	if !l.canSlice(y) {
		l.refuse(at, "the bounds of the private array '"+y.Name+"' are not constants", "give it constant bounds, or bounds that are arguments of the procedure")
		return nil
	}
	v := &Variable{Name: l.names.local(y.Name), Type: t, View: len(y.Dims)}
	l.variables[y] = v
	var lower, upper []*Expression
	for i := range y.Dims {
		low, high := l.declared(y, i, false), l.declared(y, i, true)
		if low == nil || high == nil {
			return nil
		}
		lower, upper = append(lower, low), append(upper, high)
	}
	l.prologue = append(l.prologue, l.slice(v, lower, upper, at)...)
	return v
}

// declared is a bound of an array as it is declared; nil after a refusal.
func (l *lowerer) declared(y *scope.Symbol, i int, isUpper bool) *Expression {
	e := y.Dims[i].Lower
	if isUpper {
		e = y.Dims[i].Upper
	}
	if e == nil {
		return one(wide)
	}
	if c, ok := y.Scope.Constant(e); ok && c.Shape == nil {
		return number(c.Integer)
	}
	if l.scope != nil {
		return converted(l.expression(y.Scope, e), wide)
	}
	// its value when the user's procedure began
	a := &Argument{Local: y, Dim: i + 1, Upper: isUpper, Name: l.members.local(y.Name + "_bound"), Type: Type{scope.Integer, l.integerKind()}}
	l.out.Arguments = append(l.out.Arguments, a)
	return converted(&Expression{Do: Value, Type: a.Type, Argument: a}, wide)
}

// starred makes views of the dummy arrays of assumed size that have several dimensions or a lower bound. The last dimension has as many elements as the
// program names.
func (l *lowerer) starred() {
	for _, a := range l.k.Arguments {
		if !isStarred(a) || a.Rank == 1 && a.Dims[0].Lower == nil || len(a.Uses) == 0 {
			continue
		}
		memory := l.argument(a, a.Uses[0].Expression.Span().From)
		if memory == nil {
			return
		}
		v := &Variable{Name: l.names.local(a.Spelt), Type: memory.Type, View: a.Rank, Constant: !a.Write}
		l.variables[a.Symbol] = v
		*l.locals = append(*l.locals, v)
		l.prologue = append(l.prologue, &Slice{v, memory})
		for d := range a.Rank {
			s := &Shape{Variable: v, Dim: d + 1, Lower: l.declared(a.Symbol, d, false)}
			if s.Upper = folded(Add, s.Lower, number(1<<40)); d+1 < a.Rank {
				s.Upper = l.declared(a.Symbol, d, true)
			}
			l.prologue = append(l.prologue, s)
		}
	}
}

// around reports whether a BLOCK stands around the nest: then its variables have their bounds before the launch.
func (l *lowerer) around(s *scope.Scope) bool {
	return s.Construct != nil && slices.Contains(l.k.Nest.Path, s.Construct)
}

// slice gives a view its memory and its bounds.
func (l *lowerer) slice(v *Variable, lower, upper []*Expression, at token.Pos) (list []Statement) {
	switch {
	case l.phase != nil || len(l.k.Last) > 0:
		l.refuse(at, "'"+v.Name+"' has no constant bounds, in a loop with places of extreme values or last values", "give it constant bounds, or write two loops")
		return nil
	case l.k.Nest.Directive != nil && l.k.Nest.Directive.Async != "":
		l.refuse(at, "'"+v.Name+"' has no constant bounds, in a loop in a stream", "give it constant bounds, or remove async")
		return nil
	}
	if l.out.Number == nil {
		l.numberLoops()
	}
	l.numbered = true
	*l.locals = append(*l.locals, v)
	if l.slices == nil {
		l.slices = map[*Variable]bounds{}
	}
	l.slices[v] = bounds{lower, upper}
	a := &Argument{Name: l.members.local(strings.TrimRight(v.Name, "_") + "_memory"), Type: v.Type, Rank: 2, Write: true, Packed: true, Memory: true}
	l.out.Arguments = append(l.out.Arguments, a)
	list = append(list, &Slice{v, a})
	size := (*Expression)(nil)
	for d := range lower {
		list = append(list, &Shape{Variable: v, Dim: d + 1, Lower: lower[d], Upper: upper[d]})
		extent := folded(Add, folded(Subtract, upper[d], lower[d]), one(wide))
		extent = &Expression{Do: "max", Type: wide, Operands: []*Expression{extent, zero(wide)}}
		if size == nil {
			size = extent
		} else {
			size = &Expression{Do: Multiply, Type: wide, Operands: []*Expression{size, extent}}
		}
	}
	l.demanded(demand{a, size}, at)
	return list
}

// resolved has the bounds of slices in the place of questions for them.
func (l *lowerer) resolved(x *Expression) *Expression {
	if b, is := l.slices[x.Variable]; is && x.Dim > 0 {
		switch x.Do {
		case Lowest:
			return b.lower[x.Dim-1]
		case Highest:
			return b.upper[x.Dim-1]
		case Extent:
			extent := folded(Add, folded(Subtract, b.upper[x.Dim-1], b.lower[x.Dim-1]), one(wide))
			return &Expression{Do: "max", Type: wide, Operands: []*Expression{extent, zero(wide)}}
		}
	}
	out := *x
	out.Operands = nil
	for _, o := range x.Operands {
		out.Operands = append(out.Operands, l.resolved(o))
	}
	return &out
}

// demanded notes the size: of the kernel for the host, of a procedure for its calls.
func (l *lowerer) demanded(d demand, at token.Pos) {
	d.size = l.resolved(d.size)
	switch {
	case l.scope != nil:
		l.demands = append(l.demands, d)
	case !AtHost(d.size):
		l.refuse(at, "the size of the private array '"+strings.TrimSuffix(d.memory.Name, "_memory")+"' is not known before the launch",
			"give it constant bounds, or bounds by arguments that are the same in all iterations")
	default:
		d.memory.Sizes = append(d.memory.Sizes, d.size)
	}
}

// AtHost reports whether the host can compute the value before the launch: from arguments, constants and bounds of arrays.
func AtHost(x *Expression) bool {
	if x == nil {
		return false
	}
	switch x.Do {
	case Constant:
		return x.Type.Base == scope.Integer
	case Value:
		return x.Type.Base == scope.Integer && (x.Argument.Of != nil && x.Argument.Part == "" || x.Argument.Local != nil)
	case Lowest, Highest, Extent:
		return x.Argument != nil && x.Argument.Of != nil && x.Argument.Part == "" && x.Which == nil
	case Convert, Add, Subtract, Multiply, Divide, Negate, "min", "max", "mod", "abs":
		if x.Type.Base != scope.Integer {
			return false
		}
		for _, o := range x.Operands {
			if !AtHost(o) {
				return false
			}
		}
		return true
	}
	return false
}

// called gives the sizes that a procedure needs to its caller, by the actual arguments.
func (l *lowerer) called(f *Function, given []*Expression, at token.Pos) {
	if f.Numbered {
		l.numbered = true
	}
	for _, d := range f.demands {
		x := f.actual(d.size, given)
		if x == nil {
			l.refuse(at, "the size of the array '"+strings.TrimSuffix(d.memory.Name, "_memory")+"' in a called procedure is not known before the launch",
				"give it constant bounds, or bounds by arguments that are the same in all iterations")
			return
		}
		l.demanded(demand{d.memory, x}, at)
	}
}

// actual is an expression of a procedure with its actual arguments in the place of the parameters; nil: it has another variable.
func (f *Function) actual(x *Expression, given []*Expression) *Expression {
	at := -1
	for i, p := range f.Parameters {
		if x.Variable == p {
			at = i
		}
	}
	switch {
	case x.Do == Private:
		if at < 0 || f.Parameters[at].Reference {
			return nil
		}
		return given[at]
	case x.Variable != nil && (x.Do == Lowest || x.Do == Highest || x.Do == Extent):
		var shape *Shape
		for _, s := range f.Body {
			if s, is := s.(*Shape); is && s.Variable == x.Variable && s.Dim == x.Dim {
				shape = s
			}
		}
		if at < 0 || shape == nil {
			return nil
		}
		lower := f.actual(shape.Lower, given)
		extent := (*Expression)(nil)
		if shape.Upper == nil { // the extents of the actual argument
			if v := given[at]; v.Do == Vector && 2*x.Dim <= len(v.Operands) && x.Dim <= len(v.Dims) && v.Dims[x.Dim-1] > 0 {
				extent = v.Operands[2*x.Dim-2]
			}
		} else if upper := f.actual(shape.Upper, given); upper != nil && lower != nil {
			extent = folded(Add, folded(Subtract, upper, lower), one(wide))
		}
		switch {
		case lower == nil || extent == nil:
			return nil
		case x.Do == Lowest:
			return lower
		case x.Do == Extent:
			return &Expression{Do: "max", Type: wide, Operands: []*Expression{extent, zero(wide)}}
		}
		return folded(Subtract, folded(Add, lower, extent), one(wide))
	case x.Variable != nil:
		return nil
	}
	out := *x
	out.Operands = nil
	for _, o := range x.Operands {
		y := f.actual(o, given)
		if y == nil {
			return nil
		}
		out.Operands = append(out.Operands, y)
	}
	return &out
}
