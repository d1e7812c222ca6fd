package nest

import (
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
	"libportable/internal/nest/parts"
)

// block goes through statements in their order.
func (w *walker) block(body []tree.Node) {
	var closes map[int][]int32 // loops made by jumps, by their last statements
	for k, n := range body {
		if k > 0 {
			w.closeLoops(closes[k-1])
		}
		if n == nil {
			continue
		}
		if label := n.Info().Label; label != 0 {
			w.arrive(label)
			if jump, is := w.frame.back[label]; is {
				if last, ok := w.again(body, k, jump); ok {
					w.frame.open[label]++
					if closes == nil {
						closes = map[int][]int32{}
					}
					closes[last] = append(closes[last], label)
				}
			}
		}
		w.spend(100)
		if w.effects.budget.over() {
			w.tooLarge(n.Info().Where.From, tooLarge)
			return
		}
		if w.left <= 0 {
			w.tooLarge(n.Info().Where.From, tooLong)
			return
		}
		w.left--
		if w.frame.up == nil && w.silent == 0 {
			w.stmt = n
		}
		w.frame.last = n.Info().Where.From
		if w.ahead != nil && w.frame.up == nil && w.silent == 0 && w.ahead.passes(w, n) {
			continue
		}
		w.statement(n)
	}
	w.closeLoops(closes[len(body)-1])
}

func (w *walker) closeLoops(labels []int32) {
	for _, label := range labels {
		w.frame.open[label]--
	}
}

// arrive joins the states of jumps to a label.
func (w *walker) arrive(label int32) {
	if s := w.frame.pending[label]; s != nil {
		w.st = w.merged(w.st, s)
		delete(w.frame.pending, label)
	}
}

func (w *walker) statement(n tree.Node) {
	around := w.scope
	if x := w.program.Inside(n); x != nil {
		w.scope = x
	}
	defer func() { w.scope = around }()
	at := n.Info().Where.From
	switch n := n.(type) {
	case *tree.Assignment:
		w.assignment(n)
	case *tree.PointerAssignment:
		w.refuse("effect", at, "the pointer assignment at "+w.line(at)+" changes a pointer", "set pointers before the loop")
		w.expr(n.Right)
		if r, ok := w.resolve(n.Left); ok {
			r.rough = true
			w.write(r, affine.Unknown)
		}
	case *tree.Call:
		w.callStatement(n)
	case *tree.If:
		w.ifStatement(n)
	case *tree.Do:
		w.do(n)
	case *tree.Select:
		w.selection(n, around)
	case *tree.Where:
		w.where(n)
	case *tree.Forall:
		w.forall(n)
	case *tree.Associate:
		w.scope = around
		if inside := w.program.Inside(n); inside != nil {
			w.associate(n, inside)
			w.scope = inside
		}
		w.construct(n.Name, n.Body)
		w.arrive(n.End.Label)
	case *tree.Block:
		w.specification(w.scope)
		w.construct(n.Name, n.Body)
		w.arrive(n.End.Label)
	case *tree.Critical:
		w.refuse("effect", at, strings.ToUpper(n.Kind)+" at "+w.line(at)+" works between images", "remove it from the loop")
		w.block(n.Body)
	case *tree.Goto:
		w.jumpTo(n)
	case *tree.Jump:
		w.jump(n)
	case *tree.Transfer:
		w.transfer(n)
	case *tree.Allocation:
		w.allocation(n)
	case *tree.Labels:
		w.refuse("jump", at, "ASSIGN at "+w.line(at)+" is not converted", "use IF or SELECT CASE")
		w.lost = true
	case *tree.Passive:
	case *tree.Image:
		w.refuse("not-converted", at, strings.ToUpper(n.Kind)+" at "+w.line(at)+" works between images", "leave the loop as it is: !$portable off")
	case *tree.Unread:
		w.refuse("not-read", at, "the statement at "+w.line(at)+" is not understood: "+n.Reason, "write it in standard Fortran")
		w.lost = true
	}
}

// construct goes through the block of a construct that EXIT may name.
func (w *walker) construct(name string, body []tree.Node) {
	f := &loopFrame{name: name}
	w.frame.loops = append(w.frame.loops, f)
	w.block(body)
	w.frame.loops = w.frame.loops[:len(w.frame.loops)-1]
	if f.leave != nil {
		w.st = w.merged(w.st, f.leave)
	}
}

func (w *walker) assignment(n *tree.Assignment) {
	if y, defined := w.effects.assignment(w.scope, n); defined {
		w.refuse("not-converted", n.Where.From, "the defined assignment at "+w.line(n.Where.From)+" is not converted", "call its procedure")
		w.defined(y, n.Right, "assignment", n.Left, n.Right)
		return
	}
	value := w.expr(n.Right)
	t, rank := w.scope.TypeOf(n.Left)
	w.kindsOfWork(n, t)
	if t.Base == scope.Derived && hasPointers(t.Def, 0) && w.follows() {
		w.refuse("not-converted", n.Where.From, "the structure at "+w.line(n.Where.From)+" has pointers as components: its assignment changes pointers", "assign its other components")
	}
	r, ok := w.resolve(n.Left)
	if !ok {
		w.unwritable(n.Left)
		return
	}
	if rank != 0 || !isInteger(r.last()) {
		value = affine.Unknown
	}
	w.write(r, value)
}

// unwritable is an assignment to something that is no variable that the tool knows.
func (w *walker) unwritable(e tree.Expression) {
	y := w.scope.Symbol(e)
	if y != nil && w.frame.up != nil && y.Dummy {
		return // an absent argument
	}
	w.refuse("not-read", e.Span().From, "the left side '"+parts.Show(e)+"' at "+w.line(e.Span().From)+" is not understood", "declare it")
}

// kindsOfWork refuses statements that no kernel has.
func (w *walker) kindsOfWork(n *tree.Assignment, t scope.Type) {
	if w.frame.up != nil {
		return
	}
	at := n.Where.From
	switch {
	case t.Base == scope.Character:
		w.refuse("not-converted", at, "character work at "+w.line(at)+" is not converted", "move it out of the loop")
	case t.Base == scope.Class:
		w.refuse("not-converted", at, "the polymorphic variable at "+w.line(at)+" is not converted", "use TYPE instead of CLASS")
	case t.Base == scope.Derived && final(t.Def, 0):
		w.finalised(t, at, parts.Show(n.Left))
	case t.Base == scope.Derived && allocatable(t.Def, 0):
		w.refuse("not-converted", at, "the structure at "+w.line(at)+" has allocatable components: its assignment may allocate memory", "assign its components")
	}
	if r, ok := n.Left.(*tree.Name); ok {
		if y := w.scope.Lookup(r.Name); y.Allocatable && len(y.Dims) > 0 {
			if _, rank := w.scope.TypeOf(n.Right); rank != 0 {
				w.refuse("effect", at, "the assignment to the allocatable '"+y.Name+"' at "+w.line(at)+" may allocate memory", "write "+y.Name+"(:) = ...")
			}
		}
	}
}

// allocatable reports whether a type has allocatable components, also deep inside.
func allocatable(def *scope.TypeDef, depth int) bool {
	if def == nil || depth > 8 {
		return false
	}
	for _, y := range def.Components {
		if y.Allocatable || y.Type.Base == scope.Derived && allocatable(y.Type.Def, depth+1) {
			return true
		}
	}
	return allocatable(def.Parent, depth+1)
}

func (w *walker) callStatement(n *tree.Call) {
	meaning, y := w.scope.Meaning(&tree.Reference{At: tree.At{Where: n.Where}, Base: n.Procedure, Arguments: n.Arguments})
	at := n.Where.From
	switch {
	case meaning == scope.IntrinsicCall:
		w.intrinsicSubroutine(y.Name, n)
	case meaning == scope.FunctionCall && y != nil:
		w.call(y, n.Arguments, nil, n)
	case y != nil && y.Kind == scope.Missing:
		w.refuse("not-seen", at, "module '"+y.Module+"' is in none of the files: what '"+parts.Show(n.Procedure)+"' is, is not known", "give its file to portablef")
		w.unfollowed(nil, n.Arguments)
	default:
		if !w.trusting {
			w.refuse("not-seen", at, "'"+parts.Show(n.Procedure)+"', called at "+w.line(at)+", is in none of the files", "give its file to portablef, or add 'independent' to the directive")
		}
		w.unfollowed(nil, n.Arguments)
	}
}

func (w *walker) ifStatement(n *tree.If) {
	w.under++
	defer func() { w.under-- }()
	f := &loopFrame{name: n.Name}
	w.frame.loops = append(w.frame.loops, f)
	var after *state
	for i := range n.Branches {
		yes, no := w.condition(n.Branches[i].Condition)
		otherwise := w.copied(w.st)
		if len(otherwise.facts) < mostFacts {
			otherwise.facts = otherwise.facts.And(no...)
		}
		w.assume(yes...)
		w.block(n.Branches[i].Body)
		after = w.merged(after, w.st)
		w.st = otherwise
	}
	if n.HasElse {
		w.block(n.Else)
	}
	w.st = w.merged(after, w.st)
	w.frame.loops = w.frame.loops[:len(w.frame.loops)-1]
	if f.leave != nil {
		w.st = w.merged(w.st, f.leave)
	}
	w.arrive(n.End.Label)
}

func (w *walker) selection(n *tree.Select, around *scope.Scope) {
	w.scope = around
	if n.Kind != "case" {
		w.refuse("not-converted", n.Where.From, "SELECT "+strings.ToUpper(n.Kind)+" at "+w.line(n.Where.From)+" is not converted", "use TYPE and SELECT CASE")
	}
	w.under++
	defer func() { w.under-- }()
	value := w.expr(n.Selector)
	f := &loopFrame{name: n.Name}
	w.frame.loops = append(w.frame.loops, f)
	before := w.st
	var after *state
	all := false
	for i := range n.Cases {
		c := &n.Cases[i]
		w.st = w.copied(before)
		w.scope = around
		if x := w.program.Case(n, i); x != nil && n.Kind != "case" {
			w.scope = x
		}
		all = all || c.Default
		if n.Kind == "case" && len(c.Values) == 1 && value.Known() {
			w.caseFacts(value, c.Values[0])
		}
		w.block(c.Body)
		after = w.merged(after, w.st)
	}
	w.scope = around
	if !all {
		after = w.merged(after, before)
	}
	if after == nil {
		after = before
	}
	w.st = after
	w.frame.loops = w.frame.loops[:len(w.frame.loops)-1]
	if f.leave != nil {
		w.st = w.merged(w.st, f.leave)
	}
	w.arrive(n.End.Label)
}

func (w *walker) caseFacts(value affine.Form, e tree.Expression) {
	add := func(low, high affine.Form) {
		w.assume(value.Minus(low), high.Minus(value))
	}
	if g, ok := e.(*tree.Range); ok {
		low, high := affine.Unknown, affine.Unknown
		if g.Lower != nil {
			low = w.expr(g.Lower)
		}
		if g.Upper != nil {
			high = w.expr(g.Upper)
		}
		add(low, high)
		return
	}
	v := w.expr(e)
	add(v, v)
}

// where goes through WHERE: what it assigns is not set for sure.
func (w *walker) where(n *tree.Where) {
	for i := range n.Branches {
		w.expr(n.Branches[i].Condition)
		w.masked(n.Branches[i].Body)
	}
	w.masked(n.Else)
}

func (w *walker) masked(body []tree.Node) {
	w.under++
	defer func() { w.under-- }()
	before := w.copied(w.st)
	w.block(body)
	w.st = w.merged(before, w.st)
}

// forall goes through FORALL: its indices have any values of their ranges, and what it assigns is not set for sure.
func (w *walker) forall(n *tree.Forall) {
	before := w.copied(w.st)
	w.indices(n.Indices)
	if n.Mask != nil {
		yes, _ := w.condition(n.Mask)
		w.assume(yes...)
	}
	w.block(n.Body)
	w.st = w.merged(before, w.st)
}

// indices gives the indices of FORALL or DO CONCURRENT their ranges.
func (w *walker) indices(list []tree.Index) {
	for i := range list {
		x := &list[i]
		first, last := w.expr(x.First), w.expr(x.Last)
		step := affine.Integer(1)
		if x.Step != nil {
			step = w.expr(x.Step)
		}
		d := datum{root: w.scope.Lookup(x.Name)}
		value, facts, _ := w.index(x.Name, first, last, step)
		w.st.env[d] = value
		w.st.set[d] = true
		w.assume(facts...)
	}
}

func (w *walker) associate(n *tree.Associate, inside *scope.Scope) {
	for i := range n.Names {
		a := &n.Names[i]
		y := inside.Lookup(a.Name)
		if _, variable := w.effects.datumOf(w.scope, a.Selector); variable {
			if r, ok := w.resolve(a.Selector); ok {
				b := w.bindTo(y, r, nil, nil)
				w.frame.bindings[y] = b
				continue
			}
		}
		w.frame.bindings[y] = &binding{value: w.expr(a.Selector)}
	}
}
