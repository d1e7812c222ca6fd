package device

import (
	"slices"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// frame is a construct around the statements that are lowered.
type frame struct {
	frame *Frame
	node  tree.Node
	name  string
}

func (l *lowerer) body(sc *scope.Scope, list []tree.Node) (out []Statement) {
	for _, n := range list {
		if len(l.reasons) > 0 {
			return nil // the first reason is enough
		}
		out = append(out, l.statement(sc, n)...)
	}
	return out
}

// statement lowers a statement with those in it.
func (l *lowerer) statement(sc *scope.Scope, n tree.Node) []Statement {
	l.node = n
	inner := sc
	if s := l.k.Program.Inside(n); s != nil {
		inner = s
	}
	var mark []Statement
	if label := n.Info().Label; label != 0 && (l.scope == nil && l.k.Jumps[label] || l.scope != nil && jumpsTo(l.scope.Unit.Body, label)) {
		l.marks = append(l.marks, label)
		mark = append(mark, &Mark{label})
	}
	var before []Statement
	outer := l.before
	l.before = &before
	list := l.statementIn(sc, inner, n)
	l.before = outer
	return append(append(mark, before...), list...)
}

// statementIn lowers a statement; inner is the scope of a construct's body.
func (l *lowerer) statementIn(sc, inner *scope.Scope, n tree.Node) []Statement {
	at := n.Info().Where.From
	switch n := n.(type) {
	case *tree.Assignment:
		return l.assignment(sc, n)
	case *tree.If:
		return l.conditional(sc, n)
	case *tree.Do:
		return l.do(sc, inner, n)
	case *tree.Where:
		return l.where(sc, n)
	case *tree.Associate:
		return l.associate(sc, inner, n)
	case *tree.Select:
		return l.choice(sc, n)
	case *tree.Block:
		f := l.enter(n, n.Name, false)
		body := l.body(inner, n.Body)
		l.leave()
		return []Statement{&Block{Target{f}, body}}
	case *tree.Jump:
		return l.jump(n)
	case *tree.Call:
		return l.callStatement(sc, n)
	case *tree.Passive:
		return nil
	case *tree.Goto:
		if len(n.Labels) == 1 && n.Kind == "goto" {
			l.jumps = append(l.jumps, label{n.Labels[0], at})
			return []Statement{&Goto{n.Labels[0]}}
		}
	}
	l.refuse(at, statementName(n)+" in the loop is not written for devices", "move it out of the loop, or leave the loop to the host by on(cpu)")
	return nil
}

// label is where a GOTO leads to.
type label struct {
	number int32
	at     token.Pos
}

// arrive refuses jumps to a label whose statement has no text.
func (l *lowerer) arrive() {
	for _, j := range l.jumps {
		if !slices.Contains(l.marks, j.number) {
			l.refuse(j.at, "GOTO to this label is not written for devices", "use IF, CYCLE or EXIT")
			return
		}
	}
}

func jumpsTo(body []tree.Node, label int32) bool {
	found := false
	emit.Statements(body, func(n tree.Node) {
		if g, ok := n.(*tree.Goto); ok {
			found = found || slices.Contains(g.Labels, label)
		}
	})
	return found
}

func statementName(n tree.Node) string {
	switch n := n.(type) {
	case *tree.Forall:
		return "FORALL"
	case *tree.Goto:
		return "GOTO"
	case *tree.Transfer:
		return "input or output"
	case *tree.Jump:
		return n.Kind
	case *tree.Allocation:
		return strings.ToUpper(n.Kind)
	case *tree.PointerAssignment:
		return "an assignment of pointers"
	}
	return "this statement"
}

func (l *lowerer) assignment(sc *scope.Scope, n *tree.Assignment) []Statement {
	at := n.Where.From
	if sc.Assignment(n.Left, n.Right) != nil {
		l.refuse(at, "a defined assignment is not written for devices", "call the procedure of the assignment")
		return nil
	}
	t, rank := sc.TypeOf(n.Left)
	switch {
	case rank > 0:
		return l.arrays(sc, n)
	case t.Base == scope.Derived:
		return l.structure(sc, n, t)
	}
	if s := l.sumOf(n); s != nil && l.added[l.k.Nest.Arguments[s.Argument].Symbol] == nil {
		return []Statement{l.sum(sc, n, s)}
	}
	if list := l.extreme(sc, n); list != nil || len(l.reasons) > 0 {
		return list
	}
	value := l.expression(sc, n.Right)
	to := l.designator(sc, n.Left)
	if to == nil || value == nil {
		return nil
	}
	if to.Do == Value {
		l.refuse(at, "the scalar '"+to.Argument.Name+"' is set in the loop and is not private", "use a private variable, or an element of an array")
		return nil
	}
	if (to.Type.Base == scope.Logical) != (value.Type.Base == scope.Logical) {
		l.refuse(at, "an assignment of a number to a logical is an extension", "write a comparison")
		return nil
	}
	return []Statement{&Assign{Line: at.Line, To: to, Value: converted(value, to.Type)}}
}

func (l *lowerer) conditional(sc *scope.Scope, n *tree.If) []Statement {
	if list := l.placed(sc, n); list != nil || len(l.reasons) > 0 {
		return list
	}
	conditions, bodies := []*Expression(nil), [][]Statement(nil)
	before := make([][]Statement, len(n.Branches)) // of the conditions behind the first
	f := l.enter(n, n.Name, false)
	for i := range n.Branches {
		if i > 0 {
			l.before = &before[i]
		}
		c := l.condition(sc, n.Branches[i].Condition)
		if c == nil {
			break
		}
		conditions = append(conditions, c)
		bodies = append(bodies, l.body(sc, n.Branches[i].Body))
	}
	out := &If{Else: l.body(sc, n.Else)}
	l.leave()
	for i := len(conditions) - 1; i >= 0; i-- {
		out.Conditions = append([]*Expression{conditions[i]}, out.Conditions...)
		out.Bodies = append([][]Statement{bodies[i]}, out.Bodies...)
		if len(before[i]) > 0 { // it is evaluated where the conditions in front of it do not hold
			out = &If{Else: append(before[i], out)}
		}
	}
	if f.Leave {
		return []Statement{&Block{Target{f}, []Statement{out}}}
	}
	return []Statement{out}
}

// condition is a logical expression; nil after a refusal.
func (l *lowerer) condition(sc *scope.Scope, e tree.Expression) *Expression {
	x := l.expression(sc, e)
	if x != nil && x.Type.Base != scope.Logical {
		l.refuse(e.Span().From, "the condition is no logical value", "write a comparison")
		return nil
	}
	return x
}

func (l *lowerer) do(sc, inner *scope.Scope, n *tree.Do) []Statement {
	at := n.Where.From
	switch n.Kind {
	case tree.While, tree.Forever:
		out := &While{}
		var before []Statement // of each test of the condition
		l.before = &before
		if n.Kind == tree.While {
			if out.Condition = l.condition(sc, n.Condition); out.Condition == nil {
				return nil
			}
		}
		out.Frame = l.enter(n, n.Name, true)
		out.Body = l.body(inner, n.Body)
		l.leave()
		if len(before) > 0 {
			ended := &Expression{Do: Not, Type: boolean, Operands: []*Expression{out.Condition}}
			leave := &Jump{To: out.Frame, Nearby: true}
			out.Condition, out.Body = nil, append(append(before, &If{Conditions: []*Expression{ended}, Bodies: [][]Statement{{leave}}}), out.Body...)
		}
		return []Statement{out}
	case tree.Concurrent:
		l.before = nil
		return l.concurrent(sc, inner, n, 0)
	}
	if n.First == nil || n.Last == nil {
		l.refuse(at, "the DO statement is not complete", "write DO i = first, last")
		return nil
	}
	y := sc.Lookup(n.Variable)
	if !l.isPrivate(y) || y.Type.Base != scope.Integer {
		l.refuse(at, "'"+n.Variable+"' is no private integer", "use a local integer as the variable of the inner loop")
		return nil
	}
	return l.counted(sc, inner, n, l.variable(y, at), [3]tree.Expression{n.First, n.Last, n.Step}, func() []Statement { return l.body(inner, n.Body) })
}

// concurrent is an inner DO CONCURRENT: its loops, the first index fastest, and its mask.
func (l *lowerer) concurrent(sc, inner *scope.Scope, n *tree.Do, done int) []Statement {
	if len(n.Locality) > 0 {
		l.refuse(n.Where.From, "an inner DO CONCURRENT with LOCAL or REDUCE is not written for devices", "write DO")
		return nil
	}
	if done == 0 && !emit.Settled(l.k.Program, n, sc) {
		l.refuse(n.Where.From, "the mask or a bound of the inner DO CONCURRENT has what its body sets", "copy it before the loop")
		return nil
	}
	if done == len(n.Indices) {
		f := l.enter(n, n.Name, false)
		body := l.body(inner, n.Body)
		l.leave()
		if n.Condition != nil {
			c := l.condition(inner, n.Condition)
			if c == nil {
				return nil
			}
			body = []Statement{&If{Conditions: []*Expression{c}, Bodies: [][]Statement{body}}}
		}
		return []Statement{&Block{Target{f}, body}}
	}
	x := n.Indices[len(n.Indices)-1-done]
	v := l.variable(inner.Lookup(x.Name), x.Where.From)
	return l.counted(sc, inner, n, v, [3]tree.Expression{x.First, x.Last, x.Step}, func() []Statement { return l.concurrent(sc, inner, n, done+1) })
}

func (l *lowerer) counted(sc, _ *scope.Scope, n *tree.Do, v *Variable, bounds [3]tree.Expression, body func() []Statement) []Statement {
	if v == nil {
		return nil
	}
	out := &Counted{Variable: v, Step: one(v.Type)}
	for i, to := range []**Expression{&out.First, &out.Last, &out.Step} {
		if bounds[i] == nil {
			continue
		}
		x := l.expression(sc, bounds[i])
		if x == nil {
			return nil
		}
		if x.Type.Base != scope.Integer {
			l.refuse(bounds[i].Span().From, "a bound of the inner loop is no integer", "convert it by INT")
			return nil
		}
		*to = converted(x, v.Type)
	}
	name := n.Name
	if n.Kind == tree.Concurrent {
		name = ""
	}
	out.Inside = isConstant(out.Step, 1) && out.Last.Do == Constant && out.Last.Constant.Integer < 1<<(8*v.Type.Kind-1)-1
	out.Frame = l.enter(n, name, n.Kind != tree.Concurrent)
	out.Body = body()
	l.leave()
	return []Statement{out}
}

func isConstant(x *Expression, value int64) bool {
	return x.Do == Constant && x.Type.Base == scope.Integer && x.Constant.Integer == value
}

func one(t Type) *Expression {
	return &Expression{Do: Constant, Type: t, Constant: scope.Value{Type: scope.Type{Base: t.Base, Kind: t.Kind}, Integer: 1}}
}

func (l *lowerer) enter(n tree.Node, name string, isLoop bool) *Frame {
	l.count++
	f := &Frame{Number: l.count, IsLoop: isLoop}
	l.frames = append(l.frames, frame{f, n, name})
	return f
}

func (l *lowerer) leave() { l.frames = l.frames[:len(l.frames)-1] }

// jump is CYCLE or EXIT of a construct around it.
func (l *lowerer) jump(n *tree.Jump) []Statement {
	switch {
	case n.Kind == "continue" || n.Kind == "end":
		return nil
	case n.Kind == "return" && l.scope != nil && n.Value == nil:
		return []Statement{&Return{l.result}}
	}
	if n.Kind != "cycle" && n.Kind != "exit" {
		l.refuse(n.Where.From, statementName(n)+" in the loop is not written for devices", "move it out of the loop, or leave the loop to the host by on(cpu)")
		return nil
	}
	loops := 0
	for i := len(l.frames) - 1; i >= 0; i-- {
		f := l.frames[i]
		_, isDo := f.node.(*tree.Do)
		if n.Target == f.name && n.Target != "" || n.Target == "" && isDo {
			to := f.frame
			next := n.Kind == "cycle"
			if d, ok := f.node.(*tree.Do); ok && d.Kind == tree.Concurrent && !to.Iterate {
				next = false // the end of the block that is one iteration
			}
			if to.Iterate && !next {
				break
			}
			// A loop's own break and continue need that no other loop stands between, and that it is written as a loop.
			nearby := loops == 0 && to.IsLoop
			if !nearby {
				to.Next, to.Leave = to.Next || next, to.Leave || !next
			}
			return []Statement{&Jump{To: to, Next: next, Nearby: nearby}}
		}
		if f.frame.IsLoop || isDo {
			loops++
		}
	}
	l.refuse(n.Where.From, "'"+n.Kind+"' leaves more than an iteration", "leave by a condition around the rest of the iteration")
	return nil
}
