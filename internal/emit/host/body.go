package host

import (
	"libportable/internal/emit/libmath"
	"libportable/internal/fortran/scope"
)

// body is the outlined loop: the user's declarations, the loops over the tile, the user's statements. check: what it tells the library; nil:
// nothing.
func (n *one) body(name string, strided bool, check *checks) {
	t := &n.place.text
	checked := check != nil
	apart := checked && check != n.check
	names, _ := n.passed(strided, "@portable_r")
	if checked {
		names = append(names, n.check.strides()...)
	}
	if apart {
		names = append(names, "@portable_apart")
	}
	n.procedure("subroutine", name, append([]string{"@portable_t"}, names...), "")
	d := n.bodyNeeds()
	uses := []string{"use portable_list_mod, only: @portable_tile"}
	if list := n.atomics(); list != "" {
		uses[0] += ", " + list
	}
	if apart {
		uses[0] += ", @portable_shadow_apart"
	}
	told := checked && len(check.arrays) > 0
	if told {
		uses[0] += ", @portable_shadow, @portable_race_cell, @portable_shadow_of, @portable_shadow_read, @portable_shadow_write, @portable_tile_iteration"
	}
	switch {
	case told:
		uses = append(uses, "use, intrinsic :: iso_c_binding, only: @c_int64_t, @c_ptr, @c_null_ptr, @c_f_pointer")
	case checked || n.integers(strided):
		uses = append(uses, "use, intrinsic :: iso_c_binding, only: @c_int64_t")
	}
	if list := n.w.math.Uses[n.n.Unit]; len(list) > 0 {
		uses = append(uses, "use "+libmath.Module+", only: "+join(list))
	}
	n.declareNeeds(d, checked, uses...)
	t.add(4, "type(@portable_tile), intent(in) :: @portable_t")
	for _, l := range n.loops {
		if l.step != "" {
			t.add(4, l.typ+", value :: "+l.first+", "+l.step)
		}
	}
	var bounds []string
	for _, a := range n.args {
		bounds = append(bounds, a.bodyBounds(strided)...)
	}
	if len(bounds) > 0 {
		t.add(4, "integer(@c_int64_t), value :: "+join(bounds))
	}
	n.declareArguments(func(a *arg) string {
		if t := n.isTurned(a); t != nil {
			return a.inOrder(t)
		}
		return a.inBody(strided)
	}, false)
	for _, r := range n.results {
		t.add(4, r.typ+", intent(inout) :: "+r.begin+r.shape())
		t.add(4, r.typ+" :: "+r.name+r.shape())
		if r.hit != "" {
			t.add(4, "logical, intent(inout) :: "+r.hit)
		}
	}
	if n.mayBeAlone() {
		t.add(4, "logical, value :: @portable_alone")
	}
	if n.keepsLast() {
		t.add(4, "logical, value :: @portable_last")
	}
	var locals []string
	for _, l := range n.locals {
		dims := ""
		if l.dims != "" {
			dims = "(" + l.dims + ")"
		}
		locals = append(locals, l.typ+" :: "+l.name+dims)
	}
	n.declare(4, locals)
	if checked {
		t.add(4, "integer(@c_int64_t), value :: "+join(n.check.strides()))
		n.declareChecks(check)
	}
	if apart {
		n.declareApart()
	}
	for _, s := range d.after {
		t.add(4, s)
	}
	if checked {
		n.beginChecks(check)
	}
	if apart {
		n.beginApart()
	}
	for _, r := range n.results {
		t.add(4, r.name+" = "+r.begin)
	}
	for _, l := range n.locals {
		if l.last != nil {
			n.beginLast(l)
		}
	}
	n.loopsOfTile(check)
	for _, r := range n.results {
		t.add(4, r.begin+" = "+r.name)
	}
	for _, l := range n.locals {
		if l.last != nil {
			t.add(4, "if (@portable_last) "+l.last.name+" = "+l.name)
		}
	}
	n.contained(check)
	t.add(2, "end subroutine "+name)
}

// beginLast gives a private variable a value before the loop, so that no compiler says that it may have none behind it.
func (n *one) beginLast(l *local) {
	t := &n.place.text
	zero := ""
	switch y := l.symbol; {
	case len(y.Dims) > 0:
	case y.Type.Base == scope.Integer || y.Type.Base == scope.Real || y.Type.Base == scope.ComplexType:
		zero = "0"
	case y.Type.Base == scope.Logical:
		zero = ".false."
	}
	if zero == "" {
		t.add(4, "if (@portable_last) "+l.name+" = "+l.last.name)
		return
	}
	t.add(4, l.name+" = "+zero)
	t.add(4, "if (@portable_last) "+l.name+" = "+l.last.name)
}

// bodyNeeds are the names of the declarations and of the text.
func (n *one) bodyNeeds() *need {
	d := n.need()
	for _, l := range n.loops {
		d.all(l.need)
	}
	for _, a := range n.args {
		d.all(a.need)
		d.all(a.sizes)
	}
	for _, r := range n.results {
		d.all(r.need)
	}
	for _, l := range n.locals {
		d.all(l.need)
	}
	for _, name := range sorted(n.k.Names) {
		d.known(name, n.k.Names[name])
	}
	return d
}

// integers reports whether the body has bounds as arguments.
func (n *one) integers(strided bool) bool {
	for _, a := range n.args {
		if len(a.bodyBounds(strided)) > 0 {
			return true
		}
	}
	return false
}

func (n *one) atomics() string {
	have := map[string]bool{}
	for _, s := range n.sums {
		switch s.Operator {
		case "min", "max":
			have["@portable_atomic_"+string(s.Operator)] = true
		default:
			have["@portable_atomic_add"] = true
		}
	}
	return join(sorted(have))
}

// loopsOfTile writes the loops over the tile with the user's statements in them.
func (n *one) loopsOfTile(check *checks) {
	t := &n.place.text
	rank := len(n.loops)
	indent := 4
	for i, l := range n.loops {
		d := decimal(rank - i)
		lower, upper := "@portable_t%lower("+d+")", "@portable_t%upper("+d+")"
		if n.isWide() {
			lower, upper = "int(@portable_t%lower64("+d+"), "+decimal(l.kind)+")", "int(@portable_t%upper64("+d+"), "+decimal(l.kind)+")"
		}
		head := ""
		if l.do.Name != "" {
			head = l.do.Name + ": "
		}
		if l.step == "" {
			t.add(indent, head+"do "+l.variable+" = "+lower+", "+upper)
		} else {
			t.add(indent, head+"do "+l.variable+" = "+l.first+" + "+lower+"*"+l.step+", "+l.first+" + "+upper+"*"+l.step+", "+l.step)
		}
		indent += 2
	}
	if check != nil && len(check.arrays) > 0 {
		n.numberIteration(indent)
		for _, c := range check.statements(n.k.Inner) {
			t.add(indent, c)
		}
	}
	mask := n.mask()
	if mask != "" {
		t.add(indent, "if ("+mask+") then")
	}
	for _, p := range n.statements(check) {
		t.user(p.text, p.line)
	}
	if mask != "" {
		t.add(indent, "end if")
	}
	for i := rank - 1; i >= 0; i-- {
		indent -= 2
		end := "end do"
		if name := n.loops[i].do.Name; name != "" {
			end += " " + name
		}
		t.add(indent, end)
	}
}

// contained copies the internal procedures that the text calls.
func (n *one) contained(check *checks) {
	told := check != nil && len(check.arrays) > 0
	if len(n.k.Internal) == 0 && !told {
		return
	}
	t := &n.place.text
	t.add(2, "contains")
	if told {
		n.checkProcedures(check)
	}
	for _, u := range n.k.Internal {
		if u.HeadLine == nil || u.EndLine == nil {
			n.refuse(n.k.Loops[0].Do.Where.From, "the procedure '"+u.Name+"', which it calls, has no END", "end it")
			return
		}
		at := u.HeadLine.Span.From
		end := n.w.next(max(u.EndLine.Span.To.Offset-1, 0))
		from := n.w.start(at.Offset)
		e := editor{source: n.w.source, text: n.w.text, form: n.w.form}
		n.w.powers(&e, from, end)
		n.w.makeRecursive(&e, u)
		n.w.usesFunctions(&e, u)
		for _, p := range e.apply(from, end, at.Line) {
			t.user(p.text, p.line)
		}
	}
}

// passed are the arguments of the body in their order, as dummies and as the tile gives them, with the variable that has the results.
func (n *one) passed(strided bool, results string) (names, given []string) {
	add := func(name string) {
		names = append(names, name)
		given = append(given, "@portable_b%"+name)
	}
	for _, l := range n.loops {
		if l.step != "" {
			add(l.first)
			add(l.step)
		}
	}
	for _, a := range n.args {
		for _, name := range a.bodyBounds(strided) {
			add(name)
		}
	}
	for _, a := range n.args {
		if t := n.isTurned(a); t != nil {
			names, given = append(names, a.name), append(given, "@portable_b%"+t.name)
			continue
		}
		add(a.name)
	}
	for _, r := range n.results {
		names, given = append(names, r.begin), append(given, results+"%"+r.name)
		if r.hit != "" {
			names, given = append(names, r.hit), append(given, results+"%"+r.hit)
		}
	}
	if n.mayBeAlone() {
		names, given = append(names, "@portable_alone"), append(given, workersAlone)
	}
	if n.keepsLast() {
		rank := decimal(len(n.loops))
		names = append(names, "@portable_last")
		given = append(given, "all(@portable_t%upper64(1:"+rank+") == @portable_b%@portable_upper)")
	}
	return names, given
}

// keepsLast reports whether values of the last iteration go to the user's variables.
func (n *one) keepsLast() bool {
	for _, l := range n.locals {
		if l.last != nil {
			return true
		}
	}
	return false
}

// tile is what the library calls: it takes the argument block apart.
func (n *one) tile(name, body string, strided bool) {
	t := &n.place.text
	d := n.need()
	for _, l := range n.loops {
		if l.step != "" {
			d.all(l.need)
		}
	}
	for _, a := range n.args {
		d.all(a.need)
	}
	uses := []string{"use, intrinsic :: iso_c_binding, only: @c_ptr, @c_f_pointer, @c_int64_t", "use portable_list_mod, only: @portable_tile"}
	if n.outside() {
		uses[0] += ", @c_null_ptr"
		uses[1] += ", @portable_swap_kernel"
	}
	if len(n.results) == 0 {
		n.procedure("subroutine", name, []string{"@portable_t", "@portable_a"}, " bind(c, name='')")
		n.declareNeeds(d, true, uses...)
		t.add(4, "type(@portable_tile), intent(in) :: @portable_t")
		t.add(4, "type(@c_ptr), value :: @portable_a")
		n.blockType(!strided && !n.turning)
		t.add(4, "type(@portable_block), pointer :: @portable_b")
		t.add(4, "call @c_f_pointer(@portable_a, @portable_b)")
	} else {
		for _, r := range n.results {
			d.all(r.need)
		}
		n.procedure("subroutine", name, []string{"@portable_t", "@portable_r"}, "")
		n.declareNeeds(d, true, uses...)
		t.add(4, "type(@portable_tile), intent(in) :: @portable_t")
		n.blockType(!strided && !n.turning)
		n.resultType()
		t.add(4, "type(@portable_result), intent(inout) :: @portable_r")
		t.add(4, "type(@portable_block), pointer :: @portable_b")
		if n.outside() {
			t.add(4, "type(@c_ptr) :: @portable_job")
		}
		t.add(4, "call @c_f_pointer(@portable_r%@portable_block, @portable_b)")
	}
	_, given := n.passed(strided, "@portable_r")
	list := append([]string{"@portable_t"}, given...)
	n.callBody("call " + body + "(" + join(list) + ")")
	t.add(2, "end subroutine "+name)
}
