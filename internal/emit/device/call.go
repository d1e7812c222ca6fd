package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// procedure is what lowering a body needs: the kernel's own, or that of a called procedure.
type procedure struct {
	scope     *scope.Scope // of a called procedure; nil: the kernel
	names     names
	variables map[*scope.Symbol]*Variable
	locals    *[]*Variable
	frames    []frame
	marks     []int32
	jumps     []label
	result    *Variable
	prologue  []Statement // in front of the body
	numbered  bool        // it has slices, or calls a procedure that has
	demands   []demand
	slices    map[*Variable]bounds
	selectors map[*scope.Symbol]selector // of names of ASSOCIATE that are arrays
	outer     *procedure                 // that calls it
	captures  []capture
}

// call lowers the call of a procedure that is in sight. A function gives its value; nil after a refusal.
func (l *lowerer) call(sc *scope.Scope, name tree.Expression, y *scope.Symbol, actual []tree.Argument, at token.Pos) *Expression {
	f := l.function(y, emit.Spelling(name), at)
	if f == nil {
		return nil
	}
	given := make([]*Expression, len(f.Parameters))
	for i := range actual {
		to := i
		if k := actual[i].Keyword; k != "" {
			to = -1
			for j, d := range y.Dummies {
				if d == k {
					to = j
				}
			}
		}
		if to < 0 || to >= len(given) || actual[i].Value == nil {
			l.refuse(at, "the arguments of '"+y.Name+"' have no form for devices", "give all arguments, by position")
			return nil
		}
		if p := f.Parameters[to]; p.View > 0 {
			given[to] = l.vector(sc, p, y.Body.Lookup(y.Dummies[to]), actual[i].Value, y.Name)
		} else {
			given[to] = l.actual(sc, p, actual[i].Value, y.Name)
		}
		if given[to] == nil {
			return nil
		}
	}
	for _, g := range given {
		if g == nil {
			l.refuse(at, "an argument of '"+y.Name+"' is left out", "give all arguments")
			return nil
		}
	}
	if l.called(f, given, at); len(l.reasons) > 0 {
		return nil
	}
	for _, c := range f.captures {
		v := l.variable(c.symbol, at)
		if v == nil {
			return nil
		}
		given = append(given, &Expression{Do: Private, Type: v.Type, Variable: v})
	}
	x := &Expression{Do: Call, Function: f, Operands: given}
	if f.Result != nil {
		x.Type = f.Result.Type
	}
	return x
}

// actual is an actual argument: a value, or a place of the same type.
func (l *lowerer) actual(sc *scope.Scope, p *Variable, e tree.Expression, of string) *Expression {
	at := e.Span().From
	if t, rank := sc.TypeOf(e); rank != 0 || t.Base == scope.NoType {
		l.refuse(at, "an argument of '"+of+"' is an array", "call it for each element in a loop")
		return nil
	}
	x := (*Expression)(nil)
	if p.Reference {
		x = l.designator(sc, e)
	} else {
		x = l.expression(sc, e)
	}
	switch {
	case x == nil:
		return nil
	case x.Type != p.Type || p.Reference && x.Do != Private && x.Do != Element:
		l.refuse(at, "an argument of '"+of+"' has no form for devices", "give a variable of the type of the dummy argument")
		return nil
	}
	return x
}

// function is the device form of a procedure; nil after a refusal.
func (l *lowerer) function(y *scope.Symbol, name string, at token.Pos) *Function {
	if y == nil || y.Kind != scope.Procedure || y.Body == nil || y.OnlyInterface || y.Body.Unit == nil || y.Body.Unit.Name != y.Name || y.Function != nil {
		l.refuse(at, "the call of '"+name+"' has no form for devices", "give the file that has the procedure")
		return nil
	}
	if f, known := l.functions[y]; known {
		if f == nil {
			l.refuse(at, "'"+y.Name+"' calls itself", "write a loop in place of the recursion")
		}
		return f
	}
	l.functions[y] = nil
	f := &Function{Name: Own + "p_" + unique(l.global, y.Name), Line: y.Body.Unit.HeadLine.Span.From.Line}
	outer := &procedure{}
	*outer = l.procedure
	before, inner, elements := l.before, l.inner, l.elements
	l.before, l.inner, l.elements = nil, nil, nil
	l.procedure = procedure{scope: y.Body, names: newNames(), variables: map[*scope.Symbol]*Variable{}, locals: &f.Locals, outer: outer}
	defer func() { l.procedure, l.before, l.inner, l.elements = *outer, before, inner, elements }()
	assigned := l.assignedByName(y)
	for _, d := range y.Dummies {
		z := y.Body.Lookup(d)
		t, ok := typeOf(z.Type)
		if !ok || z.AssumedRank || z.Optional || z.Pointer || z.Allocatable || z.Kind != scope.Variable {
			l.refuse(at, "the argument '"+d+"' of '"+y.Name+"' has no form for devices", "give numbers, logicals, and arrays of these, without OPTIONAL, POINTER and ALLOCATABLE")
			return nil
		}
		if len(z.Dims) > 0 {
			v := l.parameterArray(y, z, t, assigned[d] && z.Intent != "in", at)
			if v == nil {
				return nil
			}
			l.variables[z] = v
			f.Parameters = append(f.Parameters, v)
			continue
		}
		v := &Variable{Name: l.names.local(d), Type: t}
		v.Reference = !z.Value && (z.Intent == "out" || z.Intent == "inout" || z.Intent == "" && assigned[d])
		l.variables[z] = v
		f.Parameters = append(f.Parameters, v)
	}
	if y.ResultName != "" {
		z := y.Body.Lookup(y.ResultName)
		if len(z.Dims) > 0 {
			l.refuse(at, "the result of '"+y.Name+"' is an array", "write a subroutine that sets an array")
			return nil
		}
		if f.Result = l.variable(z, at); f.Result == nil {
			return nil
		}
		l.result = f.Result
	}
	shapes := l.shape(y)
	body := l.body(y.Body, y.Body.Unit.Body)
	f.Body = append(append(shapes, l.prologue...), body...)
	f.Numbered, f.demands, f.captures = l.numbered, l.demands, l.captures
	for _, c := range f.captures {
		f.Captured = append(f.Captured, c.variable)
	}
	l.arrive()
	if len(l.reasons) > 0 {
		return nil
	}
	l.functions[y] = f
	l.out.Functions = append(l.out.Functions, f)
	return f
}

// assignedIn are the names that statements may set: left sides, variables of loops, arguments of calls.
func assignedIn(body []tree.Node) map[string]bool {
	set := map[string]bool{}
	note := func(e tree.Expression) {
		for {
			switch x := e.(type) {
			case *tree.Name:
				set[x.Name] = true
			case *tree.Reference:
				e = x.Base
				continue
			case *tree.Component:
				e = x.Base
				continue
			}
			return
		}
	}
	emit.Statements(body, func(n tree.Node) {
		switch n := n.(type) {
		case *tree.Assignment:
			note(n.Left)
		case *tree.Do:
			set[n.Variable] = true
		case *tree.Associate:
			for i := range n.Names {
				note(n.Names[i].Selector)
			}
		case *tree.Call:
			for i := range n.Arguments {
				note(n.Arguments[i].Value)
			}
		}
		emit.Own(n, func(e tree.Expression) {
			emit.Inside(e, func(x tree.Expression) {
				if r, ok := x.(*tree.Reference); ok {
					for i := range r.Arguments {
						note(r.Arguments[i].Value)
					}
				}
			})
		})
	})
	return set
}

// callStatement is CALL.
func (l *lowerer) callStatement(sc *scope.Scope, n *tree.Call) []Statement {
	name, ok := n.Procedure.(*tree.Name)
	if !ok {
		l.refuse(n.Where.From, "the call of a type's procedure has no form for devices", "call the procedure by its own name")
		return nil
	}
	y := sc.Lookup(name.Name)
	if y.Kind == scope.Generic {
		y = sc.Specific(y, n.Arguments)
	}
	x := l.call(sc, n.Procedure, y, n.Arguments, n.Where.From)
	if x == nil {
		return nil
	}
	return []Statement{&Do{Call: x}}
}
