package nest

import (
	"fmt"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
)

const deepestCall = 12

// call goes through a call. e is the expression of a function, stmt the statement of a subroutine. It returns the value of an integer function.
func (w *walker) call(y *scope.Symbol, args []tree.Argument, e tree.Expression, stmt *tree.Call) affine.Form {
	at := token.Pos{}
	var procedure tree.Expression
	if e != nil {
		at = e.Span().From
		if r, ok := e.(*tree.Reference); ok {
			procedure = r.Base
		}
	} else {
		at, procedure = stmt.Where.From, stmt.Procedure
	}
	if z := w.actualProcedure(y); z != nil {
		y = z
	}
	plain := func() affine.Form {
		w.unfollowed(nil, args)
		return affine.Unknown
	}
	if y.Kind != scope.Procedure || y.Dummy || y.Pointer || y.Abstract {
		w.refuse("call-effect", at, "'"+y.Name+"', called at "+w.line(at)+", is chosen at run time", "call a procedure by its name")
		return plain()
	}
	if c, ok := procedure.(*tree.Component); ok {
		object, fixed := w.effects.passed(w.scope, c, y)
		if !fixed {
			w.refuse("call-effect", at, "'"+y.Name+"', called at "+w.line(at)+", is chosen at run time", "call a procedure by its name")
			return plain()
		}
		args = insert(args, object, c.Base)
	}
	if w.frame.up == nil && w.silent == 0 && !w.st.dead {
		w.calls = append(w.calls, CallSite{Expression: e, Statement: w.stmt, Procedure: y, Trusted: y.Body == nil || y.OnlyInterface})
	}
	w.callees = append(w.callees, y)
	switch {
	case y.Body != nil && hasEntry(y.Body):
		w.refuse("not-converted", at, "'"+y.Name+"', called at "+w.line(at)+", has an ENTRY", "write a procedure of its own")
		return plain()
	case y.Body == nil || y.OnlyInterface && !pure(y.Body) && w.effects.of(y).unknown:
		if !w.trusting {
			remedy := "give its file to portablef, or add 'independent' to the directive"
			w.refuse("not-seen", at, "'"+y.Name+"', called at "+w.line(at)+", is in none of the files", remedy)
		}
		return plain()
	case y.OnlyInterface:
		w.trusted(y, args)
		return affine.Unknown
	case !w.follow:
		w.unfollowed(w.effects.of(y), args)
		return affine.Unknown
	}
	depth := 0
	for f := w.frame; f != nil; f = f.up {
		depth++
		if f.scope == y.Body || f.callee == y {
			w.refuse("call-effect", at, "'"+y.Name+"', called at "+w.line(at)+", calls itself", "write it without recursion")
			return plain()
		}
	}
	if depth > deepestCall || w.left <= 0 || w.effects.budget.over() {
		w.refuse("not-read", at, "the calls inside of '"+y.Name+"' are too many to be followed", "split the loop, or add 'independent' to the directive")
		return plain()
	}
	return w.enter(y, args, at)
}

// actualProcedure is the procedure that a dummy procedure stands for in the call that is followed, or nil.
func (w *walker) actualProcedure(y *scope.Symbol) *scope.Symbol {
	for f := w.frame; f != nil; f = f.up {
		if z := f.procedures[y]; z != nil {
			return z
		}
	}
	return nil
}

// passed is the position of the object that a type-bound procedure y gets, -1 if it gets none. ok is false if the procedure depends on the
// dynamic type, or is a procedure pointer.
func (m *summaries) passed(s *scope.Scope, c *tree.Component, y *scope.Symbol) (at int, ok bool) {
	t, _ := s.TypeOf(c.Base)
	if t.Base != scope.Derived || t.Def == nil {
		return -1, false
	}
	name := c.Name
	g := t.Def.Binding(name)
	if g != nil && g.Kind == scope.Generic {
		name = y.Name // of the binding that the generic means
		if z := t.Def.Binding(name); z == nil || z != y && (z.Body == nil || z.Body != y.Body) {
			return -1, false // the type overrides it
		}
	}
	for def := t.Def; def != nil; def = def.Parent {
		if def.Decl == nil {
			return -1, false
		}
		for i := range def.Decl.Bindings {
			b := &def.Decl.Bindings[i]
			if b.Kind != "procedure" || b.Name != name {
				continue
			}
			for _, a := range b.Attributes {
				switch {
				case a.Name == "nopass":
					return -1, true
				case a.Name == "pass" && len(a.Inside) > 0:
					for k, name := range y.Dummies {
						if name == a.Inside[0] {
							return k, true
						}
					}
				}
			}
			return 0, true
		}
	}
	return -1, false
}

// withObject are the arguments of a call with the object of a type-bound procedure among them. ok is false if it is not known which
// procedure is called.
func (m *summaries) withObject(s *scope.Scope, procedure tree.Expression, y *scope.Symbol, args []tree.Argument) (all []tree.Argument, ok bool) {
	c, is := procedure.(*tree.Component)
	if !is {
		return args, true
	}
	at, fixed := m.passed(s, c, y)
	if !fixed {
		return args, false
	}
	return insert(args, at, c.Base), true
}

func insert(args []tree.Argument, at int, object tree.Expression) []tree.Argument {
	if at < 0 || at > len(args) {
		return args
	}
	list := append([]tree.Argument(nil), args[:at]...)
	list = append(list, tree.Argument{Value: object})
	return append(list, args[at:]...)
}

// unfollowed reads all arguments and may write those that can be written. Nothing counts as set.
func (w *walker) unfollowed(s *summary, args []tree.Argument) {
	var dummies []*scope.Symbol
	if s == nil || s.unknown { // it may use any variable of a module
		for _, y := range w.behind {
			w.touchForeign(datum{root: y}, w.frame.last, false)
		}
	}
	if s != nil {
		dummies = s.dummies
		for d, at := range s.reads {
			w.touchForeign(d, at, false)
		}
		for d, at := range s.writes {
			w.touchForeign(d, at, true)
		}
	}
	list := matched(dummies, args)
	for k, a := range list {
		if a == nil {
			continue
		}
		_, variable := w.effects.datumOf(w.scope, a)
		if !variable {
			w.expr(a)
			continue
		}
		r, ok := w.resolve(a)
		if !ok {
			continue
		}
		if s == nil || k >= len(s.reading) || s.reading[k] || s.writing[k] {
			w.read(r)
		}
		if s == nil || k >= len(s.writing) || s.writing[k] {
			r.rough = true
			w.write(r, affine.Unknown)
		}
	}
}

// touchForeign is a use of data outside by a procedure that is not followed.
func (w *walker) touchForeign(d datum, at token.Pos, write bool) {
	steps := []step{{symbol: d.root}}
	if d.path != "" {
		return // the whole root is enough
	}
	r := ref{steps: steps, node: &tree.Name{At: tree.At{Where: token.Span{From: at, To: at}}, Name: d.root.Name}, rough: true}
	w.closeLast(&r)
	if write {
		w.write(r, affine.Unknown)
		return
	}
	w.read(r)
}

// trusted is a call of a pure procedure that no file has: its interface says what it does.
func (w *walker) trusted(y *scope.Symbol, args []tree.Argument) {
	s := w.effects.of(y)
	if z := y.Body.Lookup(y.ResultName); y.ResultName != "" && z != nil && z.Pointer || slices.ContainsFunc(s.dummies, func(d *scope.Symbol) bool {
		return d != nil && d.Pointer && d.Intent != "in"
	}) {
		w.refuse("not-seen", w.frame.last, "'"+y.Name+"', which gives a pointer, is in none of the files", "give its file to portablef")
	}
	type target struct {
		r    ref
		sure bool
	}
	var targets []target
	for k, a := range matched(s.dummies, args) {
		if a == nil {
			continue
		}
		d := (*scope.Symbol)(nil)
		if k < len(s.dummies) {
			d = s.dummies[k]
		}
		_, variable := w.effects.datumOf(w.scope, a)
		if !variable || d == nil || d.Intent == "in" || d.Value {
			w.expr(a)
			continue
		}
		r, ok := w.resolve(a)
		if !ok {
			continue
		}
		if y.ResultName != "" && d.Intent == "" { // dummies of pure functions are read only
			w.read(r)
			continue
		}
		if d.Intent != "out" {
			w.read(r)
		}
		targets = append(targets, target{r, d.Intent == "out" && !d.Optional})
	}
	for _, t := range targets {
		t.r.rough = t.r.rough || !t.sure
		w.write(t.r, affine.Unknown)
	}
}

// enter follows a call into the procedure.
func (w *walker) enter(y *scope.Symbol, args []tree.Argument, at token.Pos) affine.Form {
	w.spend(300)
	body := y.Body
	s := w.effects.of(y)
	f := &frame{up: w.frame, scope: body, callee: y, call: at, bindings: map[*scope.Symbol]*binding{}, pending: map[int32]*state{},
		procedures: map[*scope.Symbol]*scope.Symbol{}, labels: w.effects.labels(body.Unit), back: w.effects.backs(body.Unit), open: map[int32]int{}}
	if w.frame.up != nil {
		f.call = w.frame.call
	}
	actuals := matched(s.dummies, args)
	type late struct {
		dummy  *scope.Symbol
		r      ref
		bounds [][2]affine.Form
	}
	var arrays []late
	values := map[datum]affine.Form{}
	for k, d := range s.dummies {
		if d == nil {
			if k < len(args) && args[k].Label != 0 {
				w.refuse("jump", at, "'"+y.Name+"' returns to a label", "return a value and use IF")
			}
			continue
		}
		a := actuals[k]
		if a == nil {
			continue
		}
		if d.Kind == scope.Procedure || d.External {
			if n, ok := a.(*tree.Name); ok {
				if z := w.scope.Lookup(n.Name); z.Kind == scope.Procedure {
					if real := w.actualProcedure(z); real != nil {
						z = real
					}
					f.procedures[d] = z
				}
			}
			continue
		}
		_, variable := w.effects.datumOf(w.scope, a)
		if !variable || d.Value {
			values[datum{root: d}] = w.expr(a)
			continue
		}
		r, ok := w.resolve(a)
		if !ok {
			values[datum{root: d}] = w.expr(a)
			continue
		}
		if resets(d) { // the call itself changes it, before any statement
			q := r
			q.rough = true
			w.write(q, affine.Unknown)
		}
		if len(d.Dims) > 0 {
			x := late{dummy: d, r: r}
			if r.point() {
				for k := range r.steps[len(r.steps)-1].subs {
					low, high := w.boundsOf(r.steps, k)
					x.bounds = append(x.bounds, [2]affine.Form{low, high})
				}
			}
			arrays = append(arrays, x)
			continue
		}
		f.bindings[d] = w.bindTo(d, r, nil, nil)
	}
	frame, around, facts := w.frame, w.scope, w.st.facts
	w.frame, w.scope = f, body
	w.purge(body)
	for d, v := range values {
		if isInteger(d.root) {
			w.st.env[d] = w.valued(v)
		}
	}
	for _, a := range arrays {
		f.bindings[a.dummy] = w.bindTo(a.dummy, a.r, w.extents(a.dummy), a.bounds)
	}
	w.specification(body)
	w.block(w.effects.body(body.Unit))
	w.st = w.merged(w.st, f.returns)
	result := affine.Unknown
	if y.ResultName != "" {
		if z := body.Lookup(y.ResultName); isInteger(z) {
			if v, ok := w.st.env[datum{root: z}]; ok {
				result = v
			}
		}
	}
	w.purge(body)
	w.frame, w.scope = frame, around
	if !w.st.dead && len(w.st.facts) > len(facts) {
		w.st.facts = facts
	}
	return result
}

// purge forgets the variables of a procedure: each call has its own.
func (w *walker) purge(body *scope.Scope) {
	gone := func(d datum) bool {
		return d.root.Scope != nil && procedure(d.root.Scope) == body && !static(d.root)
	}
	for d := range w.st.env {
		if gone(d) {
			delete(w.st.env, d)
		}
	}
	for d := range w.st.set {
		if gone(d) {
			delete(w.st.set, d)
		}
	}
}

// extents evaluates the bounds of a variable of the procedure that is entered.
func (w *walker) extents(y *scope.Symbol) (list [][2]affine.Form) {
	around := w.scope
	if y.Scope != nil {
		w.scope = y.Scope
	}
	for _, d := range y.Dims {
		low, high := affine.Integer(1), affine.Unknown
		if d.Lower != nil {
			low = w.expr(d.Lower)
		}
		if d.Upper != nil {
			high = w.expr(d.Upper)
		}
		list = append(list, [2]affine.Form{low, high})
	}
	w.scope = around
	return list
}

// statementFunction goes through a statement function: its dummies are values.
func (w *walker) statementFunction(y *scope.Symbol, e *tree.Reference) affine.Form {
	head, ok := y.Function.Left.(*tree.Reference)
	if !ok || y.Scope == nil {
		return affine.Unknown
	}
	deep := func() affine.Form { // what it reads is not known
		w.refuse("not-read", w.frame.last, "the statement functions inside of '"+y.Name+"' are too many to be followed", "write a function")
		return affine.Unknown
	}
	if w.left <= 0 || w.effects.budget.over() {
		return deep()
	}
	w.left--
	around := w.scope
	old := map[datum]affine.Form{}
	var names []datum
	for i := range head.Arguments {
		if i >= len(e.Arguments) {
			break
		}
		v := w.expr(e.Arguments[i].Value)
		n, ok := head.Arguments[i].Value.(*tree.Name)
		if !ok {
			continue
		}
		d := datum{root: y.Scope.Lookup(n.Name)}
		if x, had := w.st.env[d]; had {
			old[d] = x
		}
		names = append(names, d)
		w.st.env[d] = w.valued(v)
	}
	bodies := 0
	for f := w.frame; f != nil; f = f.up {
		bodies += f.functions
	}
	f := affine.Unknown
	if bodies < deepestCall {
		w.frame.functions++
		w.hidden = append(w.hidden, names...)
		w.scope = y.Scope
		f = w.expr(y.Function.Right)
		w.scope = around
		w.hidden = w.hidden[:len(w.hidden)-len(names)]
		w.frame.functions--
	} else {
		deep()
	}
	for _, d := range names {
		delete(w.st.env, d)
		if x, had := old[d]; had {
			w.st.env[d] = x
		}
	}
	return f
}

// line names the line of a place: "line 12", or with its file if that is another one than the nest's.
func (w *walker) line(at token.Pos) string { return w.effects.line(at, w.file) }

func (m *summaries) line(at token.Pos, file int32) string {
	if at.File == file {
		return fmt.Sprintf("line %d", at.Line)
	}
	return fmt.Sprintf("%s:%d", m.fileName(at.File), at.Line)
}

func (m *summaries) fileName(file int32) string {
	for _, f := range m.program.Files {
		if f.Source != nil && f.Source.Index == file {
			return f.Source.Name
		}
	}
	return "an included file"
}
