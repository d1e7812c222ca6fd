package host

import (
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// result is a variable that all iterations combine, or the place of one.
type result struct {
	symbol    *scope.Symbol
	name      string     // in the generated procedures
	actual    string     // the user's
	uses      []emit.Use // of a component: designators that become the name
	begin     string     // the body's dummy: what the tile begins with, and gets
	typ       string
	dims      string // of partial arrays
	extents   []string
	need      []ref
	operator  nest.Operator
	identity  string  // "": what the variable holds
	of        *result // the value that this is the place of
	places    []*result
	hit       string // of a value whose last place wins: the flag that a tile has found one
	later     bool   // of equal values the later one stays: max(x, s)
	byIf      bool   // the statement is an IF
	reduction *nest.Reduction
	floating  bool   // real or complex: the order of a sum matters
	absent    bool   // it may not exist when the loop begins: the dummy is OPTIONAL
	owner     *owner // of a component of a structure that may not exist: the launch has a variable in the place of a dummy, with its value before and behind the loop
	component *arg   // that component
}

func (r *result) shape() string {
	if r.dims == "" {
		return ""
	}
	return "(" + r.dims + ")"
}

// planResults declares the reductions, their places, and partial arrays of sums.
func (n *one) planResults() {
	for i := range n.n.Reductions {
		x := &n.n.Reductions[i]
		var r *result
		t := x.Symbol.Type
		if x.Object != nil {
			r, t = n.componentResult(x)
		} else {
			r = n.result(x.Symbol)
		}
		if r == nil {
			continue
		}
		r.operator, r.reduction = x.Operator, x
		r.floating = t.Base == scope.Real || t.Base == scope.ComplexType
		r.identity = n.identity(x.Operator, t, r)
		n.form(r)
		for _, y := range x.Place {
			p := n.result(y)
			if p == nil {
				continue
			}
			p.of = r
			r.places = append(r.places, p)
		}
		if len(r.places) > 0 && !x.Strict || x.Operator == nest.LastSet {
			r.hit = n.dummy("portable_hit_" + r.name)
		}
	}
}

// result makes the result of a variable; nil if it has one.
func (n *one) result(y *scope.Symbol) *result {
	for _, r := range n.results {
		if r.symbol == y {
			return nil
		}
	}
	t, refs, ok := n.typeOf(y, y.Type)
	if !ok || y.Type.Base == scope.Character {
		n.refuse(n.k.Loops[0].Do.Where.From, "the type of '"+y.Name+"' cannot be reduced", "use a variable of an intrinsic type")
		return nil
	}
	name := n.k.NameOf(y)
	r := &result{symbol: y, name: name, actual: name, begin: n.dummy("portable_" + name), typ: t, need: refs,
		absent: len(y.Dims) == 0 && (y.Pointer || y.Allocatable || y.Optional)}
	n.results = append(n.results, r)
	return r
}

// componentResult makes the result of a reduction into a component: it was an argument with a name of its own.
func (n *one) componentResult(x *nest.Reduction) (*result, scope.Type) {
	want := strings.ToLower(speller{}.text(x.Object))
	for i, a := range n.args {
		if a.Symbol != x.Symbol || len(a.Path) == 0 || a.form != reference || strings.ToLower(speller{}.text(a.Object)) != want {
			continue
		}
		n.args = append(n.args[:i:i], n.args[i+1:]...)
		r := &result{name: a.name, actual: a.actual, begin: n.dummy("portable_" + a.name), typ: a.typ, need: a.need, uses: a.Uses, owner: a.of,
			absent: a.absent && a.of == nil, component: a}
		n.results = append(n.results, r)
		return r, a.Type
	}
	n.refuse(x.Object.Span().From, "the component '"+want+"' is reduced, and its variable is used as a whole", "reduce into a scalar variable of its own")
	return nil, scope.Type{}
}

// form notes how the statements of a reduction decide between equal values.
func (n *one) form(r *result) {
	for _, s := range r.reduction.Statements {
		switch s := s.(type) {
		case *tree.If:
			r.byIf = true
		case *tree.Assignment:
			if f, ok := s.Right.(*tree.Reference); ok && len(f.Arguments) > 1 {
				r.later = r.later || sameText(f.Arguments[len(f.Arguments)-1].Value, s.Left)
			}
		}
	}
}

// identity is the value that a tile begins with: it changes no bit of what it is combined with.
func (n *one) identity(op nest.Operator, t scope.Type, r *result) string {
	kind := "_" + decimal(t.Kind)
	switch op {
	case "+", "-":
		switch t.Base {
		case scope.Real:
			return "-0.0" + kind
		case scope.ComplexType:
			return "cmplx(-0.0" + kind + ", -0.0" + kind + ", " + decimal(t.Kind) + ")"
		}
		return "0" + kind
	case "*":
		switch t.Base {
		case scope.Real:
			return "1.0" + kind
		case scope.ComplexType:
			return "cmplx(1.0" + kind + ", 0.0" + kind + ", " + decimal(t.Kind) + ")"
		}
		return "1" + kind
	case ".and.", ".eqv.":
		return ".true." + kind
	case ".or.", ".neqv.":
		return ".false." + kind
	case "iand":
		return "not(0" + kind + ")"
	case "ior", "ieor":
		return "0" + kind
	case "min", "max", nest.LastSet:
		return ""
	}
	n.refuse(n.k.Loops[0].Do.Where.From, "the reduction '"+string(op)+"' is not converted", "reduce with +, *, MIN, MAX or a logical operator")
	return ""
}

// resultType declares what a tile finds: with the address of the argument block, which each partial result gets from the identity.
func (n *one) resultType() {
	if len(n.results) == 0 {
		return
	}
	t := &n.place.text
	t.add(4, "type :: @portable_result")
	t.add(6, "type(@c_ptr) :: @portable_block")
	for _, r := range n.results {
		shape := "" // flang 16 takes no components with lower bounds of their own
		if len(r.extents) > 0 {
			shape = "(" + join(r.extents) + ")"
		}
		t.add(6, r.typ+" :: "+r.name+shape)
		if r.hit != "" {
			t.add(6, "logical :: "+r.hit)
		}
	}
	t.add(4, "end type @portable_result")
}

// beginResults sets the identity of each result, and what the result begins with.
func (n *one) beginResults(indent int) {
	n.identities(indent)
	t := &n.place.text
	t.add(indent, "@portable_r = @portable_identity")
	for _, r := range n.results {
		if r.identity != "" {
			t.add(indent, "@portable_r%"+r.name+" = "+r.name)
		}
	}
}

// identities sets the identity of each result.
func (n *one) identities(indent int) {
	t := &n.place.text
	t.add(indent, "@portable_identity%@portable_block = @c_loc(@portable_b)")
	for _, r := range n.results {
		if r.identity != "" {
			t.add(indent, "@portable_identity%"+r.name+" = "+r.identity)
		} else {
			t.add(indent, "@portable_identity%"+r.name+" = "+r.name)
		}
		if r.hit != "" {
			t.add(indent, "@portable_identity%"+r.hit+" = .false.")
		}
	}
}

// reduce launches a nest with results.
func (n *one) reduce() {
	t := &n.place.text
	if n.device == nil {
		if n.outside() {
			n.leaveRegions(4)
		}
		n.beginResults(4)
	}
	n.cutLeaves()
	tiles := ""
	if n.leafIterations() > 1 {
		tiles = ", tile=@portable_leaf"
	}
	indent := 4
	if n.device != nil {
		n.reduceOnDevice(tiles)
		t.add(4, "if (.not. @portable_on) then")
		indent = 6
		n.beginResults(6)
	}
	launch := func(bounds, tile, more string) string {
		return "call @portable_parallel_reduce(" + quoted(n.n.Label) + ", " + bounds + ", " + tile +
			", @c_loc(@portable_r), " + n.name + "_combine, storage_size(@portable_r, @c_size_t)/8_@c_size_t, @c_loc(@portable_identity), into=.true." + n.suffix() +
			more + ")"
	}
	whole := func(tile string) string {
		return launch("@portable_bounds(@portable_lower, @portable_upper)", n.name+tile, n.config()+tiles+n.hostDevice())
	}
	n.inParts(indent, launch(wholeParts, n.name+"_part", ", tile=[1]"), func(indent int) {
		if !n.anyLoose() {
			t.add(indent, whole("_tile"))
			return
		}
		t.add(indent, "if (@portable_contiguous) then")
		t.add(indent+2, whole("_tile"))
		if n.turned != nil {
			t.add(indent, "else if (@portable_turned) then")
			t.add(indent+2, whole("_turned_tile"))
		}
		t.add(indent, "else")
		t.add(indent+2, whole("_strided_tile"))
		t.add(indent, "end if")
	})
	if n.device != nil {
		t.add(4, "end if")
	}
	for _, r := range n.results {
		if n.onlyAtomic(r) { // the device has added into the array itself
			t.add(4, "if (.not. @portable_on) "+r.name+" = @portable_r%"+r.name)
			continue
		}
		t.add(4, r.name+" = @portable_r%"+r.name)
	}
	n.endLasts()
}

// placed are the results whose place the device finds; see device/place.go.
func (n *one) placed() (list []*result) {
	for _, r := range n.results {
		if n.device != nil && len(r.places) > 0 {
			list = append(list, r)
		}
	}
	return list
}

// foundName is the variable with the value that the second launch looks for, and numberName the one that gets the iteration's number.
func (n *one) foundName(of *nest.Reduction) string {
	for i, r := range n.placed() {
		if r.reduction == of {
			return "@portable_found_" + decimal(i+1)
		}
	}
	return ""
}

func numberName(i int) string { return "@portable_number_" + decimal(i+1) }

// noNumber is no iteration, to which the least or the greatest number is joined.
func (r *result) noNumber() string {
	if r.reduction.Strict {
		return "9223372036854775807_@c_int64_t"
	}
	return "-1_@c_int64_t"
}

// declareSeek declares what both launches and the host's iteration need.
func (n *one) declareSeek() {
	t := &n.place.text
	if len(n.placed()) == 0 {
		return
	}
	t.add(4, "type(@portable_result), target :: @portable_f")
	t.add(4, "type(@portable_tile) :: @portable_t")
	t.add(4, "integer(4), target :: @portable_phase")
	t.add(4, "integer(@c_int64_t), target :: @portable_low("+decimal(len(n.loops))+")")
	t.add(4, "integer(@c_int64_t) :: @portable_rest, @portable_extent")
	for i, r := range n.placed() {
		t.add(4, "integer(@c_int64_t), target :: "+numberName(i))
		t.add(4, r.typ+", target :: "+n.foundName(r.reduction))
	}
}

// beginSeek prepares the first launch.
func (n *one) beginSeek() {
	t := &n.place.text
	if len(n.placed()) == 0 {
		return
	}
	t.add(6, "@portable_phase = 0")
	t.add(6, "@portable_low = @portable_lower")
	for _, r := range n.placed() {
		t.add(6, n.foundName(r.reduction)+" = "+r.name)
	}
}

// seek launches again to find the iterations that have the extreme values, and runs them on the host. It clears @portable_on where it finds none.
func (n *one) seek(launch func(results string)) {
	list := n.placed()
	if len(list) == 0 {
		return
	}
	t := &n.place.text
	some := ""
	for d := range n.loops {
		some += "@portable_upper(" + decimal(d+1) + ") >= @portable_lower(" + decimal(d+1) + ") .and. "
	}
	t.add(4, "if (@portable_on) then")
	for _, r := range list {
		t.add(6, n.foundName(r.reduction)+" = @portable_r%"+r.name)
		is := "@portable_phase = 1"
		if r.reduction.Strict { // of equal values the one from before the loop stays
			is = "if (" + r.better() + ") " + is
		}
		t.add(6, is)
	}
	some = some[:len(some)-len(" .and. ")]
	t.add(6, "if (.not. ("+some+")) @portable_phase = 0")
	t.add(4, "end if")
	t.add(4, "if (@portable_on .and. @portable_phase == 1) then")
	launch("@portable_f")
	t.add(4, "end if")
	for i, r := range list {
		t.add(4, "if (@portable_on) then")
		t.add(6, "if (@portable_phase == 1 .and. "+numberName(i)+" /= "+r.noNumber()+") then")
		n.leaveRegions(8)
		n.runAlone(numberName(i), r)
		t.add(6, "else if ("+r.better()+") then")
		t.add(8, "@portable_on = .false.")
		t.add(6, "else")
		t.add(8, "@portable_r%"+r.name+" = "+r.name)
		for _, p := range r.places {
			t.add(8, "@portable_r%"+p.name+" = "+p.name)
		}
		t.add(6, "end if")
		t.add(4, "end if")
	}
}

// better is whether the device has found a value beyond that from before the loop.
func (r *result) better() string {
	sign := " > "
	if r.operator == "min" {
		sign = " < "
	}
	return "@portable_r%" + r.name + sign + r.name
}

// runAlone runs one iteration as a tile, beginning with the values from before the loop.
func (n *one) runAlone(number string, r *result) {
	t := &n.place.text
	t.add(8, "@portable_rest = "+number)
	t.add(8, "@portable_t%lower64 = 0")
	for d := range n.loops {
		at := "(" + decimal(d+1) + ")"
		t.add(8, "@portable_extent = @portable_upper"+at+" - @portable_lower"+at+" + 1_@c_int64_t")
		t.add(8, "@portable_t%lower64"+at+" = @portable_lower"+at+" + @portable_rest - @portable_rest/@portable_extent*@portable_extent")
		t.add(8, "@portable_rest = @portable_rest/@portable_extent")
	}
	t.add(8, "@portable_t%upper64 = @portable_t%lower64")
	t.add(8, "@portable_t%stride64 = 1")
	if n.isWide() {
		t.add(8, "@portable_t%lower = 0")
	} else {
		t.add(8, "@portable_t%lower = int(@portable_t%lower64)")
	}
	t.add(8, "@portable_t%upper = @portable_t%lower")
	t.add(8, "@portable_t%stride = 1")
	t.add(8, "@portable_t%rank = "+decimal(len(n.loops)))
	t.add(8, "@portable_t%worker = 0")
	t.add(8, "@portable_t%workers = 1")
	t.add(8, "@portable_t%device = 0")
	t.add(8, "@portable_t%number = 0")
	t.add(8, "@portable_t%launch = @c_null_ptr")
	n.identities(8)
	t.add(8, "@portable_f = @portable_identity")
	call := func(indent int, body string, strided bool) {
		_, given := n.passed(strided, "@portable_f")
		t.add(indent, "call "+n.name+body+"("+join(append([]string{"@portable_t"}, given...))+")")
	}
	if n.anyLoose() {
		t.add(8, "if (@portable_contiguous) then")
		call(10, "_body", false)
		t.add(8, "else")
		call(10, "_strided", true)
		t.add(8, "end if")
	} else {
		call(8, "_body", false)
	}
	t.add(8, "@portable_r%"+r.name+" = @portable_f%"+r.name)
	for _, p := range r.places {
		t.add(8, "@portable_r%"+p.name+" = @portable_f%"+p.name)
	}
}

// arrayResult is the result of a small array; nil: the nest has no such result.
func (n *one) arrayResult(y *scope.Symbol) *result {
	for _, r := range n.results {
		if r.dims != "" && r.symbol == y {
			return r
		}
	}
	return nil
}

// onlyAtomic reports whether a device adds into the user's array itself, not into the results of the launch.
func (n *one) onlyAtomic(r *result) bool {
	if n.device == nil || r.dims == "" {
		return false
	}
	for _, d := range n.device.kernel.Results {
		if d.Array != nil && d.Array == r.symbol {
			return false
		}
	}
	return true
}

// counter is the variable of an implied DO over a dimension.
func counter(d int) string { return "@portable_e" + decimal(d+1) }

// declareCounters declares them.
func (n *one) declareCounters() {
	most := 0
	for _, d := range n.device.kernel.Results {
		if d.Array != nil {
			most = max(most, len(d.Variable.Lower))
		}
	}
	for i := range most {
		n.place.text.add(4, "integer :: "+counter(i))
	}
}

// beginArrays sets the small arrays that are results, and lists their elements in the order of memory.
func (n *one) beginArrays(results string) (list []string) {
	for _, d := range n.device.kernel.Results {
		if d.Array == nil {
			continue
		}
		r := n.arrayResult(d.Array)
		n.place.text.add(6, results+"%"+r.name+" = "+r.name)
		var index []string
		for i := range r.extents {
			index = append(index, counter(i))
		}
		item := "@portable_result_of(" + results + "%" + r.name + "(" + join(index) + "), '" + d.Operation + "', into=.true." + n.suffix() + ")"
		for i, extent := range r.extents {
			item = "(" + item + ", " + counter(i) + "=1, " + extent + ")"
		}
		list = append(list, item)
	}
	return list
}
