package device

import (
	"strconv"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// variable is the private variable of a symbol; nil after a refusal.
func (l *lowerer) variable(y *scope.Symbol, at token.Pos) *Variable {
	if v := l.variables[y]; v != nil {
		return v
	}
	if l.isHosts(y) {
		return l.captured(y, at)
	}
	t, ok := typeOf(y.Type)
	switch {
	case !ok:
		l.refuse(at, "the private variable '"+y.Name+"' is "+typeName(y.Type), "use numbers and logicals that are set before the loop, or leave the loop to the host by on(cpu)")
		return nil
	case y.Pointer || y.Allocatable:
		l.refuse(at, "the private variable '"+y.Name+"' is allocated while the program runs", "give it constant bounds")
		return nil
	}
	v := &Variable{Type: t}
	for _, d := range y.Dims {
		lower, upper := int64(1), int64(0)
		if d.Lower != nil {
			c, ok := y.Scope.Constant(d.Lower)
			if !ok {
				return l.sliced(y, t, at)
			}
			lower = c.Integer
		}
		c, ok := scope.Value{}, false
		if d.Upper != nil {
			c, ok = y.Scope.Constant(d.Upper)
		}
		if !ok {
			return l.sliced(y, t, at)
		}
		upper = c.Integer
		v.Lower, v.Upper = append(v.Lower, lower), append(v.Upper, upper)
	}
	if bytes := v.Bytes(); bytes > mostPrivate {
		if l.canSlice(y) {
			return l.sliced(y, t, at)
		}
		l.refuse(at, "the private array '"+y.Name+"' has more than 4096 bytes", "use a smaller one, or an array with the loop's indices")
		return nil
	}
	v.Name = l.names.local(y.Name)
	l.variables[y] = v
	*l.locals = append(*l.locals, v)
	return v
}

// most bytes of a private array that a thread holds; larger ones are slices
const mostPrivate = 4096

// Bytes of a variable.
func (v *Variable) Bytes() int64 {
	bytes := v.Type.Size()
	for i := range v.Lower {
		extent := max(v.Upper[i]-v.Lower[i]+1, 0)
		if extent > mostPrivate {
			return extent
		}
		bytes *= extent
	}
	return bytes
}

// temporary is a variable that the source does not have.
func (l *lowerer) temporary(name string, t Type) *Variable {
	l.count++
	v := &Variable{Name: l.names.local(name + "_" + strconv.Itoa(l.count)), Type: t}
	*l.locals = append(*l.locals, v)
	return v
}

// argument is the member of the block; nil after a refusal.
func (l *lowerer) argument(a *emit.Argument, at token.Pos) *Argument {
	if out := l.arguments[a]; out != nil {
		return out
	}
	name := a.Spelt
	for _, p := range a.Path {
		name += "%" + p
	}
	t, ok := typeOf(a.Type)
	y := a.Symbol
	switch {
	case !ok:
		l.refuse(at, "'"+name+"' is "+typeName(a.Type), "compute numbers or logicals of it before the loop, or leave the loop to the host by on(cpu)")
		return nil
	case len(a.Path) == 0 && l.added[y] != nil:
		l.refuse(at, "'"+name+"' is used in another way than by sums into its elements", "use another array")
		return nil
	case len(a.Path) == 0 && y.Optional:
		l.refuse(at, "'"+name+"' is OPTIONAL", "call a procedure that has it always")
		return nil
	case a.Rank == 0 && a.Write:
		l.refuse(at, "the scalar '"+name+"' is set in the loop and is not private", "use a private variable, or an element of an array")
		return nil
	case a.Rank > 7:
		l.refuse(at, "'"+name+"' has more than 7 dimensions", "join dimensions")
		return nil
	}
	out := &Argument{Of: a, Type: t, Rank: a.Rank, Write: a.Write, Packed: packed(a), InPlace: isStarred(a) || l.oldAssumedSize(a)}
	if isStarred(a) { // its elements as they follow
		out.Rank = 1
	}
	if p, is := l.pieces[a]; is {
		out.Of, out.Part, out.Component = p.of, p.text, p.end
	}
	out.Name = l.members.local(memberName(a))
	l.arguments[a] = out
	l.out.Arguments = append(l.out.Arguments, out)
	return out
}

// isStarred reports whether an array is of assumed size.
func isStarred(a *emit.Argument) bool { return len(a.Dims) > 0 && a.Dims[len(a.Dims)-1].Star }

// oldAssumedSize reports whether the array may have more elements than its declaration says. Copies for the device would be too short.
func (l *lowerer) oldAssumedSize(a *emit.Argument) bool {
	y := a.Symbol
	if len(a.Path) > 0 || a.Rank == 0 || len(a.Dims) != a.Rank || !(y.Dummy || y.Common != "") {
		return false
	}
	last := a.Dims[a.Rank-1]
	if last.Upper == nil || last.Deferred || last.Assumed {
		return false
	}
	upper, known := y.Scope.Constant(last.Upper)
	lower := int64(1)
	if known && last.Lower != nil {
		var v scope.Value
		v, known = y.Scope.Constant(last.Lower)
		lower = v.Integer
	}
	return known && upper.Integer == lower
}

func memberName(a *emit.Argument) string {
	name := a.Spelt
	for _, p := range a.Path {
		name += "_" + p
	}
	return name
}

// designator lowers a variable, an element or a component. It is a place to assign to, too.
func (l *lowerer) designator(sc *scope.Scope, e tree.Expression) *Expression {
	base := e
	if r, ok := e.(*tree.Reference); ok {
		base = r.Base
	}
	at := e.Span().From
	for _, o := range l.objects {
		if sameDesignator(e, o.designator) {
			return &Expression{Do: Private, Type: o.variable.Type, Variable: o.variable}
		}
	}
	if x, ok := l.partOf(sc, e, at); ok {
		return x
	}
	var argument *emit.Argument
	switch b := base.(type) {
	case *tree.Name:
		y := sc.Lookup(b.Name)
		switch {
		case l.aliases[y] != nil && base == e:
			return l.aliases[y]
		case y.Kind == scope.Alias && l.variables[y] == nil:
			l.refuse(at, "'"+b.Name+"' is a name of ASSOCIATE", "use the variable itself")
			return nil
		case l.isPrivate(y) || l.constants(y):
			return l.private(sc, e, y, at)
		case l.scope != nil && (l.k.IsLocal(y) || y.Saved && y.Scope == l.scope):
			l.refuse(at, "'"+b.Name+"' of a called procedure has no form for devices", "give it as an argument")
			return nil
		}
		argument = l.find(y, at)
		if argument == nil && y.Kind == scope.Constant {
			l.refuse(at, "the constant array '"+b.Name+"' is not written for devices", "copy it into an array before the loop")
			return nil
		}
	case *tree.Component:
		argument = l.prefixes[b]
	}
	var a *Argument
	var which *Expression
	if argument != nil {
		a = l.argument(argument, at)
	} else if len(l.reasons) > 0 {
		return nil
	} else if a, which = l.family(sc, base); a == nil && len(l.reasons) == 0 {
		if y := sc.Symbol(e); l.scope != nil && y != nil && y.Scope != nil && y.Scope.Kind == scope.ModuleScope {
			l.refuse(at, "'"+emit.Spelling(e)+"', which a called procedure uses, is no array or scalar of a module", "give it to the procedure as an argument")
		} else if l.isWideFamily(sc, base) {
			l.refuse(at, "'"+emit.Spelling(e)+"' is an array of its own for each element of an array that is a component itself, or has more than 16 elements or no constant bounds",
				"copy what the loop needs into one array before the loop")
		} else {
			l.refuse(at, "'"+emit.Spelling(e)+"' has no form for devices", "copy it into an array or a scalar of numbers or logicals before the loop")
		}
	}
	if a == nil {
		return nil
	}
	if a.Rank == 0 {
		return &Expression{Do: Value, Type: a.Type, Argument: a}
	}
	index := l.indices(sc, e, a.Rank)
	if index == nil {
		return nil
	}
	return &Expression{Do: Element, Type: a.Type, Argument: a, Which: which, Operands: index}
}

// isOwn reports whether a variable is declared in a construct of the text.
func (l *lowerer) isOwn(y *scope.Symbol) bool {
	return y.Kind == scope.Variable && y.Scope != nil && y.Scope.Kind == scope.BlockScope && y.Init == nil && !y.Saved && !l.around(y.Scope)
}

// isPrivate reports whether a variable belongs to the iteration, or to the called procedure.
func (l *lowerer) isPrivate(y *scope.Symbol) bool {
	switch {
	case y.Kind == scope.Alias:
		return l.variables[y] != nil
	case y.Kind != scope.Variable:
		return false
	case l.variables[y] != nil || l.isOwn(y) || l.isHosts(y):
		return true
	case l.scope != nil:
		return y.Scope == l.scope && !y.Saved && y.Init == nil && y.Common == "" && len(y.Shares) == 0
	}
	return l.k.IsLocal(y)
}

// constants makes the variable for a named constant that is an array; false: it is another symbol, or too large.
func (l *lowerer) constants(y *scope.Symbol) bool {
	t, ok := typeOf(y.Type)
	if y.Kind != scope.Constant || len(y.Dims) == 0 || !ok || y.Scope == nil || y.Init == nil {
		return false
	}
	if l.variables[y] != nil {
		return true
	}
	c, ok := y.Scope.Constant(&tree.Name{At: tree.At{Where: y.Init.Span()}, Name: y.Name})
	if !ok || len(c.Shape) != len(y.Dims) {
		return false
	}
	v := &Variable{Name: l.names.local(y.Name), Type: t, Constant: true}
	for d, extent := range c.Shape {
		lower := scope.Value{Integer: 1}
		if e := y.Dims[d].Lower; e != nil {
			if lower, ok = y.Scope.Constant(e); !ok {
				return false
			}
		}
		v.Lower, v.Upper = append(v.Lower, lower.Integer), append(v.Upper, lower.Integer+extent-1)
	}
	if v.Bytes() > mostPrivate || v.Bytes() == 0 {
		return false
	}
	for _, x := range c.List {
		x, ok := scope.Convert(x, y.Type)
		if !ok {
			return false
		}
		v.Values = append(v.Values, x)
	}
	l.variables[y] = v
	*l.locals = append(*l.locals, v)
	return true
}

func (l *lowerer) private(sc *scope.Scope, e tree.Expression, y *scope.Symbol, at token.Pos) *Expression {
	v := l.variable(y, at)
	if v == nil {
		return nil
	}
	rank := len(v.Lower) + v.View
	if rank == 0 {
		return &Expression{Do: Private, Type: v.Type, Variable: v}
	}
	index := l.indices(sc, e, rank)
	if index == nil {
		return nil
	}
	return &Expression{Do: Element, Type: v.Type, Variable: v, Operands: index}
}

// indices are the subscripts of an element as 64-bit integers; nil after a refusal. In an assignment of arrays a section stands for its element.
func (l *lowerer) indices(sc *scope.Scope, e tree.Expression, rank int) (list []*Expression) {
	if _, r := sc.TypeOf(e); r != 0 {
		if l.elements != nil && r == len(l.elements.numbers) {
			list = l.elementOf(sc, e)
		}
		if list == nil {
			l.refuse(e.Span().From, "'"+emit.Spelling(e)+"' is an array or a section", "write a loop over its elements")
		}
		return list
	}
	reference, ok := e.(*tree.Reference)
	if !ok || len(reference.Arguments) != rank {
		l.refuse(e.Span().From, "'"+emit.Spelling(e)+"' is an array or a section", "write a loop over its elements")
		return nil
	}
	for _, s := range reference.Arguments {
		x := l.expression(sc, s.Value)
		if x == nil {
			return nil
		}
		list = append(list, converted(x, Type{scope.Integer, 8}))
	}
	return list
}

// converted is an expression of the type.
func converted(x *Expression, t Type) *Expression {
	if x == nil || x.Type == t {
		return x
	}
	if x.Do == Constant {
		if v, ok := scope.Convert(x.Constant, scope.Type{Base: t.Base, Kind: t.Kind}); ok {
			return &Expression{Do: Constant, Type: t, Constant: v}
		}
	}
	return &Expression{Do: Convert, Type: t, Operands: []*Expression{x}}
}
