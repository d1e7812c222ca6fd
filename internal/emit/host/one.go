package host

import (
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// one writes one nest.
type one struct {
	w        *writer
	k        *emit.Kernel
	n        *nest.Nest
	place    *place
	scope    *scope.Scope
	name     string // of the function that launches; the others have it with an ending
	loops    []*loop
	args     []*arg
	owners   []*owner
	extents  []*arg // integers that the declarations of others need; also in args
	locals   []*local
	results  []*result
	sums     map[tree.Node]*nest.ArraySum // statements that become atomics
	reasons  []emit.Reason
	partials []*emit.Argument // small arrays that became results
	check    *checks
	device   *deviceText            // the text for devices; nil: there is none
	bounds   []bound                // of private arrays that have memory on devices
	inside   []*inside              // nests inside that run on devices, because there is none
	names    map[string]bool        // of dummies and local variables that were made
	renamed  map[string]string      // names of generated code
	turned   map[*arg]*turn         // arrays with another declaration in a body of their own
	turning  bool                   // that body is being written
	changed  map[*scope.Symbol]bool // variables that the user's procedure changes; made when it is asked for
}

// loop is a parallel loop.
type loop struct {
	variable          string
	symbol            *scope.Symbol
	typ               string
	need              []ref
	wide              bool   // not a default integer
	first, last, step string // names of the launch's dummies; step "": 1
	actual            [3]string
	do                *tree.Do
	after             string // name of the dummy that gets the variable's value behind the loop; "": no statement reads it
	kind              int
}

// local is a private variable.
type local struct {
	symbol *scope.Symbol
	name   string
	typ    string
	dims   string
	need   []ref
	last   *arg // the user's variable, which gets the value of the last iteration
}

// nest writes a nest, and those inside that run on devices in its place: edits of the file, and procedures at their place. The reasons of the result say
// why it cannot.
func (w *writer) nest(k *emit.Kernel) *one {
	n := &one{w: w, k: k, n: k.Nest, scope: k.Nest.Scope, sums: map[tree.Node]*nest.ArraySum{}, names: map[string]bool{}, renamed: map[string]string{}}
	n.allowed()
	n.copies()
	if len(n.reasons) > 0 {
		return n
	}
	n.place = w.placeOf(k.Nest.Unit)
	n.name = w.fresh(base(k.Nest), n.place.scope)
	n.plan()
	if len(n.reasons) > 0 {
		return n
	}
	for _, x := range n.inside { // in front: what ends both loops ends the one inside first
		n.reasons = append(n.reasons, w.nest(x.Kernel).reasons...)
	}
	n.place.text.resolve = n.resolve
	n.write()
	return n
}

// base is what the procedures of a nest are called: procedure_line.
func base(n *nest.Nest) string {
	var b strings.Builder
	for _, c := range strings.ToLower(n.Label) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' && b.Len() > 0:
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := strings.TrimRight(b.String(), "_")
	if name == "" {
		name = "loop_" + decimal(int(n.Loops[0].Do.Where.From.Line))
	}
	return name
}

func (n *one) refuse(at token.Pos, text, remedy string) {
	n.reasons = append(n.reasons, emit.Reason{Rule: emit.NotConverted, At: at, Text: text, Remedy: remedy})
}

// allowed refuses places where no launch may stand.
func (n *one) allowed() {
	first := n.k.Loops[0].Do
	at := first.Where.From
	for u := n.n.Unit; u != nil; u = u.Parent {
		prefix := u.Prefix
		if header := Header(n.w.o.Program, u); header != nil && u.Kind == tree.ModuleProcedure {
			prefix = header.Prefix
		}
		for _, p := range prefix {
			if p == "pure" || p == "elemental" && !has(prefix, "impure") {
				n.refuse(at, "'"+u.Name+"' is "+strings.ToUpper(p)+": a launch would not be", "remove "+strings.ToUpper(p)+", or leave the loop serial")
				return
			}
		}
	}
	if !n.w.isWhole(outermost(n.n.Unit)) {
		n.refuse(at, "the program unit begins or ends outside of this file", "put the whole unit into one file, and end it with END")
		return
	}
	for _, l := range []*tree.Do{first, n.k.Inner} {
		if l.Where.From.File != n.w.file.Source.Index || l.End.Where.From.File != n.w.file.Source.Index || l.Line != nil && l.Line.Nested {
			n.refuse(at, "the loop stands in an INCLUDE file", "move it into the source file")
			return
		}
	}
	for _, l := range n.k.Loops {
		if l.Do.Kind == tree.Counted && (l.Do.First == nil || l.Do.Last == nil) || l.Do.Line == nil || l.Do.End.Line == nil {
			n.refuse(at, "the DO statement is not complete", "write DO i = first, last")
			return
		}
		for _, t := range l.Do.Line.Tokens {
			if t.Macro && (t.IsName("do") || t.Is("=")) {
				n.refuse(at, "the DO statement comes from a macro", "write it without the macro")
				return
			}
		}
	}
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// plan decides the form of all that the procedures declare.
func (n *one) plan() {
	n.planSums()
	for i := range n.k.Loops {
		n.planLoop(&n.k.Loops[i])
	}
	for _, a := range n.k.Arguments {
		n.planArgument(a)
	}
	n.planResults()
	n.planLocals()
	n.planPairs()
	n.check = n.planChecks()
	n.planDevice()
	n.planInside()
	n.planTurned()
	n.intrinsics()
	for _, a := range n.args {
		if a.form == missing {
			n.refuse(n.k.Loops[0].Do.Where.From, "the type of '"+a.Spelt+"' has no name that the outlined loop can use", "declare the type in a module")
		}
	}
}

func (n *one) planLoop(l *nest.Loop) {
	name := l.Do.Variable
	first, last, step := l.Do.First, l.Do.Last, l.Do.Step
	if l.Do.Kind == tree.Concurrent {
		x := l.Do.Indices[l.Index]
		name, first, last, step = x.Name, x.First, x.Last, x.Step
	}
	p := &loop{variable: name, symbol: l.Variable, do: l.Do}
	kind := n.w.kinds().Integer
	if l.Variable != nil && l.Variable.Type.Kind > 0 {
		kind = l.Variable.Type.Kind
	}
	p.kind = kind
	p.wide = kind != 4
	p.typ, p.need = "integer", nil
	if l.Variable != nil {
		if t, refs, ok := n.typeOf(l.Variable, l.Variable.Type); ok {
			p.typ, p.need = t, refs
		}
	}
	p.first, p.last = n.dummy(name+"_first"), n.dummy(name+"_last")
	p.actual[0], p.actual[1] = n.bound(first, kind), n.bound(last, kind)
	if step != nil && n.w.words(step) != "1" {
		p.step = n.dummy(name + "_step")
		p.actual[2] = n.bound(step, kind)
	}
	if l.UsedAfter && l.Do.Kind == tree.Counted {
		p.after = n.dummy(name + "_after")
	}
	n.loops = append(n.loops, p)
}

// bound is a bound of a loop as an actual argument: of the kind of the variable, as DO converts it.
func (n *one) bound(e tree.Expression, kind int) string {
	text := n.w.words(e)
	t, _ := n.scope.TypeOf(e)
	if t.Base == scope.Integer && t.Kind == kind {
		return text
	}
	return "int(" + text + ", " + decimal(kind) + ")"
}
