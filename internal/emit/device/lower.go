package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// NotDevice is the rule of nests that stay on the host.
const NotDevice = "host-only"

// lowerer makes the typed kernel.
type lowerer struct {
	k   *emit.Kernel
	out *Kernel
	procedure
	global    names                       // of functions
	members   names                       // of the argument block
	functions map[*scope.Symbol]*Function // nil: it is being lowered
	elements  *elements                   // of the assignment of arrays that is lowered; nil: there is none
	arguments map[*emit.Argument]*Argument
	parts     map[partKey]*Argument
	prefixes  map[tree.Expression]*emit.Argument // components that are arguments of their own
	pieces    map[*emit.Argument]piece           // of these, those that the host has not
	odd       *Variable                          // of Results
	found     []place
	phase     *Argument    // of the launch; nil: no place is found
	before    *[]Statement // in front of the statement that is lowered; nil: nothing may stand there
	inner     *[]Statement // in front of the element that is assigned; nil: nothing may stand there
	count     int
	reasons   []emit.Reason
	node      tree.Node
	partial   bool                        // the host adds into copies of small arrays, and the device by atomic operations
	added     map[*scope.Symbol]*Variable // small arrays of reals that are results; see order.go
	objects   []object
	modules   map[*scope.Symbol]*emit.Argument // variables of modules that called procedures name
	aliases   map[*scope.Symbol]*Expression    // values and places of names of ASSOCIATE
}

// Lower describes the kernel for devices. Reasons say why it stays on the host.
func Lower(k *emit.Kernel) (*Kernel, []emit.Reason) {
	n := k.Nest
	first := k.Loops[0].Do.Where.From
	l := &lowerer{k: k, out: &Kernel{Label: n.Label, File: n.File.Source.Name, Line: first.Line}, global: names{}, members: newNames(), functions: map[*scope.Symbol]*Function{},
		arguments: map[*emit.Argument]*Argument{}, parts: map[partKey]*Argument{}, prefixes: map[tree.Expression]*emit.Argument{}, modules: map[*scope.Symbol]*emit.Argument{}, aliases: map[*scope.Symbol]*Expression{}, added: map[*scope.Symbol]*Variable{}, pieces: map[*emit.Argument]piece{}}
	l.procedure = procedure{names: newNames(), variables: map[*scope.Symbol]*Variable{}, locals: &l.out.Locals}
	l.allowed()
	for _, a := range k.Arguments {
		l.takePieces(a)
		for _, u := range a.Uses {
			if u.Prefix != nil {
				l.prefixes[u.Prefix] = a
			}
		}
	}
	sc := n.Scope
	for i := range k.Loops {
		if inside := k.Program.Inside(k.Loops[i].Do); inside != nil {
			sc = inside
		}
		l.loop(sc, i)
	}
	if len(l.reasons) == 0 {
		l.results()
	}
	if len(l.reasons) == 0 {
		l.kernelBody(sc)
		l.findLasts()
	}
	if len(l.reasons) == 0 && l.argumentCount() > mostArguments {
		l.refuse(first, "the loop has more than 64 arguments", "use fewer arrays and scalars in it")
	}
	if len(l.reasons) == 0 {
		l.again(first)
	}
	return l.out, l.reasons
}

// again refuses a nest that sets arrays where the device runs again: it would set them twice. Where the host may have to reduce again, the library
// gives the device copies of these arrays; see exec/stage.
func (l *lowerer) again(at token.Pos) {
	if l.phase == nil {
		return
	}
	for _, a := range l.out.Arguments {
		if a.Write && !a.Memory { // memory may be set twice
			l.refuse(at, "'"+a.Name+"' is set in a loop that finds the place of an extreme value", "write two loops")
			return
		}
	}
}

// most arguments of a launch with a list
const mostArguments = 64

func (l *lowerer) refuse(at token.Pos, text, remedy string) {
	l.reasons = append(l.reasons, emit.Reason{Rule: NotDevice, At: at, Text: text, Remedy: remedy})
}

// allowed refuses what has no form for devices.
func (l *lowerer) allowed() {
	n := l.k.Nest
	for _, s := range n.Sums {
		y := n.Arguments[s.Argument].Symbol
		if !small(y) || s.Operator == "min" || s.Operator == "max" {
			continue
		}
		if l.add(&n.Arguments[s.Argument], &s) {
			continue
		}
		l.partial = true
		if y.Type.Base != scope.Integer || s.Operator != "+" && s.Operator != "-" || len(l.k.Loops) > mostReduced {
			l.refuse(s.Statements[0].Info().Where.From, "the sum into the small array '"+y.Name+"' would have other bits on devices", "sum into an array with an element for each iteration, and sum that")
		}
	}
}

// small reports whether the host adds into a copy of the array for each tile, which a device has not.
func small(y *scope.Symbol) bool {
	bytes := int64(max(y.Type.Kind, 1))
	for _, d := range y.Dims {
		lower := scope.Value{Integer: 1}
		if d.Upper == nil {
			return false
		}
		upper, ok := y.Scope.Constant(d.Upper)
		if d.Lower != nil && ok {
			lower, ok = y.Scope.Constant(d.Lower)
		}
		if !ok {
			return false
		}
		bytes *= max(upper.Integer-lower.Integer+1, 0)
	}
	return len(y.Dims) > 0 && bytes <= mostPrivate
}

// loop makes the variable of a parallel loop, and the arguments of one that does not go on by 1.
func (l *lowerer) loop(sc *scope.Scope, i int) {
	from := l.k.Loops[i]
	name, step := from.Do.Variable, from.Do.Step
	if from.Do.Kind == tree.Concurrent {
		x := from.Do.Indices[from.Index]
		name, step = x.Name, x.Step
	}
	t := Type{scope.Integer, l.integerKind()}
	if from.Variable != nil && from.Variable.Type.Kind > 0 {
		t.Kind = from.Variable.Type.Kind
	}
	v := &Variable{Name: l.names.local(name), Type: t}
	if from.Variable != nil {
		l.variables[from.Variable] = v
	}
	if y := sc.Lookup(name); y != nil {
		l.variables[y] = v
	}
	loop := Loop{Variable: v}
	if step != nil && !isOne(sc, step) {
		bound := func(end string) *Argument {
			a := &Argument{Loop: i, Name: l.members.local(name + end), Type: t}
			l.out.Arguments = append(l.out.Arguments, a)
			return a
		}
		loop.First, loop.Step = bound("_first"), bound("_step")
	}
	l.out.Loops = append(l.out.Loops, loop)
}

func (l *lowerer) integerKind() int {
	if k := l.k.Program.Options.Integer; k > 0 {
		return k
	}
	return 4
}

func isOne(_ *scope.Scope, e tree.Expression) bool {
	lit, ok := e.(*tree.Literal)
	return ok && lit.Kind == tree.IntegerLiteral && lit.Text == "1" && lit.Parameter == ""
}

// kernelBody lowers one iteration.
func (l *lowerer) kernelBody(sc *scope.Scope) {
	l.starred()
	iteration := &Frame{IsLoop: true, Iterate: true}
	l.frames = append(l.frames, frame{iteration, l.k.Inner, l.k.Inner.Name})
	body := l.body(sc, l.k.Body)
	body = append(l.prologue, body...)
	l.arrive()
	if l.k.Inner.Kind == tree.Concurrent && l.k.Inner.Condition != nil {
		body = []Statement{&If{Conditions: []*Expression{l.expression(sc, l.k.Inner.Condition)}, Bodies: [][]Statement{body}}}
	}
	l.out.Body = body
}

// typeOf is the type of a symbol or an expression that devices know; ok false: refused by the caller.
func typeOf(t scope.Type) (Type, bool) {
	switch t.Base {
	case scope.Integer, scope.Logical:
		return Type{t.Base, t.Kind}, t.Kind == 1 || t.Kind == 2 || t.Kind == 4 || t.Kind == 8
	case scope.Real, scope.ComplexType:
		return Type{t.Base, t.Kind}, t.Kind == 4 || t.Kind == 8
	}
	return Type{}, false
}

// typeName says a type in a message.
func typeName(t scope.Type) string {
	switch t.Base {
	case scope.Integer:
		return "an integer of that kind"
	case scope.Real:
		return "a real of that kind"
	case scope.ComplexType:
		return "a complex number of that kind"
	case scope.Character:
		return "a text"
	case scope.Derived, scope.Class:
		return "of a derived type"
	}
	return "of a type that is not known"
}
