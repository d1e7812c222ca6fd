package host

import (
	"strings"

	"libportable/internal/fortran/scope"
)

// intent of an argument in the launch and in the body. One that a call gets as an actual argument has none: its dummy there may have
// another one.
func (a *arg) intent() string {
	switch {
	case a.Write:
		return ", intent(inout)"
	case a.Actual:
		return ""
	}
	return ", intent(in)"
}

// A branch that no iteration takes may use a scalar that is not allocated, a pointer without a target, or a component of such a structure: none of these may
// be evaluated where the launch is called. The launch gets them as OPTIONAL, the components from an owner, and tells the body which of them exist.

// owner is a structure that may not exist.
type owner struct {
	symbol *scope.Symbol
	name   string // of the launch's dummy
	typ    string
	need   []ref
	write  bool
}

// owned gives an argument its owner; false: its type has no name for a dummy.
func (n *one) owned(a *arg, y *scope.Symbol) bool {
	end := n.last(a.Argument)
	for _, o := range n.owners {
		if o.symbol == y {
			o.write = o.write || a.Write && !end.Pointer
			a.of = o
			return true
		}
	}
	t, refs, ok := n.typeOf(y, y.Type)
	if !ok || isProcedures(y.Type.Def) {
		return false
	}
	a.of = &owner{symbol: y, name: n.dummy("portable_of_" + y.Name), typ: t, need: refs, write: a.Write && !end.Pointer}
	n.owners = append(n.owners, a.of)
	return true
}

// isProcedures reports whether a type is declared in a procedure: a copy of it would be another type.
func isProcedures(def *scope.TypeDef) bool {
	return def != nil && !def.Sequence && def.Scope != nil && def.Scope.Parent != nil && def.Scope.Parent.Kind != scope.ModuleScope
}

func (o *owner) atLaunch() string {
	intent := "in"
	if o.write {
		intent = "inout"
	}
	return o.typ + ", intent(" + intent + "), optional, target :: " + o.name
}

// mayBeAbsent reports whether there may be nothing where the launch is called, though the user's declaration is not OPTIONAL.
func (a *arg) mayBeAbsent() bool { return a.absent || a.of != nil }

// optional is the attribute of an argument that may not exist; arrays have other ways to say it, but for the user's own OPTIONAL.
func (a *arg) optional() string {
	if a.mayBeAbsent() && a.Rank == 0 || a.Symbol != nil && len(a.Path) == 0 && a.Symbol.Optional {
		return ", optional"
	}
	return ""
}

// listed is the argument in a list of the launch: a pointer as such, because its elements may be apart as no other dummy has them.
func (a *arg) listed(kind, more string) string {
	bounds := ", lbound(" + a.here() + kind + ")"
	if a.form == pointer {
		bounds = ""
	}
	return "@portable_arg(" + a.here() + bounds + ", " + more + ")"
}

// here is the argument in the launch.
func (a *arg) here() string {
	if a.of == nil {
		return a.name
	}
	return a.of.name + "%" + strings.Join(a.Path, "%")
}

// exists are the conditions, one behind the other, under which the launch may use the argument.
func (a *arg) exists() (list []string) {
	if a.of != nil {
		list = append(list, "present("+a.of.name+")")
	} else if a.optional() != "" {
		list = append(list, "present("+a.name+")")
	}
	switch {
	case a.form == allocatable, a.of != nil && a.absent && a.last.Allocatable:
		list = append(list, "allocated("+a.here()+")")
	case a.form == pointer, a.of != nil && a.absent:
		list = append(list, "associated("+a.here()+")")
	}
	return list
}

// isArray reports whether an argument is an array.
func (a *arg) isArray() bool { return a.form >= explicit }

// loose reports whether the elements may be apart from one another: only the launch knows.
func (a *arg) loose() bool {
	return (a.form == pointer || a.form == assumed) && !a.Symbol.Contiguous
}

// maybeNone reports whether there may be no array at the launch: then the body gets one element that it does not touch.
func (a *arg) maybeNone() bool {
	return (a.form == allocatable || a.form == pointer || a.form == explicit && a.of != nil) && a.optional() == "" && a.Type.Base != scope.Class
}

// none declares that element, or an array with the bounds of one that has constant ones.
func (a *arg) none() string {
	if a.form == explicit { // it may be large
		return a.typ + ", target, save :: " + a.noneName() + "(" + a.dims + ")"
	}
	ones := strings.TrimSuffix(strings.Repeat("1, ", a.Rank), ", ")
	t := a.typ
	if t == "character(len=*)" {
		t = "character(len=1)"
	}
	return t + ", target :: " + a.noneName() + "(" + ones + ")"
}

func (a *arg) noneName() string { return "@portable_no_" + a.name }

// atLaunch declares an argument in the function that launches.
func (a *arg) atLaunch() string {
	switch a.form {
	case value:
		switch {
		case a.compared:
			return a.typ + ", intent(in)" + a.optional() + ", target :: " + a.name
		case a.optional() != "":
			return a.typ + ", intent(in), optional :: " + a.name
		}
		return a.typ + ", value :: " + a.name
	case reference:
		return a.typ + a.intent() + a.optional() + ", target :: " + a.name
	case explicit:
		return a.typ + a.intent() + a.optional() + ", target :: " + a.name + "(" + a.dims + ")"
	case bounded:
		return a.typ + a.intent() + a.optional() + ", target :: " + a.name + "(" + a.box() + ")"
	case starred:
		return a.typ + a.intent() + a.optional() + ", target :: " + a.name + "(1)"
	case allocatable:
		in := a.intent()
		if in == "" {
			in = ", intent(in)"
		}
		return a.typ + ", allocatable" + in + a.optional() + ", target :: " + a.name + colons(a.Rank)
	case pointer:
		return a.typ + ", pointer, intent(in)" + a.optional() + " :: " + a.name + colons(a.Rank)
	}
	contiguous := ""
	if !a.loose() {
		contiguous = ", contiguous"
	}
	return a.typ + contiguous + a.intent() + a.optional() + ", target :: " + a.name + "(" + a.slots() + ")"
}

// inBlock declares the component of the argument block.
func (a *arg) inBlock(contiguous bool) string {
	switch a.form {
	case value:
		return a.typ + " :: " + a.name
	case reference:
		return blockType(a.typ) + ", pointer :: " + a.name + " => null()"
	}
	rank, word := a.Rank, ""
	if a.form == starred {
		rank = 1
	}
	if contiguous {
		word = ", contiguous"
	}
	return blockType(a.typ) + ", pointer" + word + " :: " + a.name + colons(rank) + " => null()"
}

func blockType(t string) string {
	if t == "character(len=*)" {
		return "character(len=:)"
	}
	return t
}

// inBody declares an argument in the body; strided: arrays whose elements may be apart are of assumed shape.
func (a *arg) inBody(strided bool) string {
	switch a.form {
	case value:
		return a.typ + ", value :: " + a.name
	case reference:
		return a.typ + a.intent() + a.optional() + " :: " + a.name
	case explicit, starred:
		return a.typ + a.intent() + a.optional() + " :: " + a.name + "(" + a.dims + ")"
	}
	if strided && a.loose() && a.form == pointer { // its elements may be components of structures, which other dummies do not know
		return a.typ + ", pointer, intent(in) :: " + a.name + colons(a.Rank)
	}
	if strided && a.loose() {
		return a.typ + a.intent() + a.optional() + " :: " + a.name + "(" + a.slots() + ")"
	}
	return a.typ + a.intent() + a.optional() + " :: " + a.name + "(" + a.box() + ")"
}

// box is lower:upper of each dimension.
func (a *arg) box() string {
	s := make([]string, a.Rank)
	for i := range s {
		s[i] = a.up[i]
		if lo := a.lower(i); lo != "1" {
			s[i] = lo + ":" + a.up[i]
		}
	}
	return strings.Join(s, ", ")
}

// slots is lower: of each dimension.
func (a *arg) slots() string {
	s := make([]string, a.Rank)
	for i := range s {
		s[i] = ":"
		if lo := a.lower(i); lo != "1" {
			s[i] = lo + ":"
		}
	}
	return strings.Join(s, ", ")
}

func (a *arg) lower(i int) string {
	if a.low[i] != "" {
		return a.low[i]
	}
	return a.lo[i]
}

func colons(rank int) string {
	return "(" + strings.TrimSuffix(strings.Repeat(":, ", rank), ", ") + ")"
}

// bounds are the names of the bounds that go to the body: the lower ones that are not known, and the upper ones if wanted.
func (a *arg) bounds(upper bool) (list []string) {
	for i := range a.low {
		if a.low[i] == "" {
			list = append(list, a.lo[i])
		}
	}
	if upper {
		list = append(list, a.up...)
	}
	return list
}

// bodyBounds are those of a body; there a pointer has its own.
func (a *arg) bodyBounds(strided bool) []string {
	if strided && a.loose() && a.form == pointer {
		return nil
	}
	return a.bounds(a.hasUpper() && !(strided && a.loose()))
}

// atCall are the bounds that the user's procedure gives to the launch, with their actual arguments: what the launch cannot ask.
func (a *arg) atCall() (names, actual []string) {
	ask := func(name, f string, i int) {
		names = append(names, name)
		actual = append(actual, f+"("+a.actual+", "+decimal(i+1)+")")
	}
	switch a.form {
	case bounded:
		for i := range a.low {
			ask(a.lo[i], "lbound", i)
			ask(a.up[i], "ubound", i)
		}
	case assumed:
		if a.optional() != "" {
			break
		}
		for i := range a.low {
			if a.low[i] == "" {
				ask(a.lo[i], "lbound", i)
			}
		}
	}
	return names, actual
}

// leaveUnless leaves the loop as it stands where a condition does not hold.
func (n *one) leaveUnless(condition string) {
	n.place.text.add(4, "@portable_done = "+condition)
	n.fence()
	n.place.text.add(4, "if (.not. @portable_done) return")
}

// takeResults leaves the loop as it stands where a result does not exist, and takes the values of components.
func (n *one) takeResults() {
	t := &n.place.text
	for _, r := range n.results {
		var conditions []string
		if r.absent {
			conditions = []string{"present(" + r.name + ")"}
		}
		if r.owner != nil {
			conditions = r.component.exists()
		}
		for _, condition := range conditions {
			n.leaveUnless(condition)
		}
		if r.owner != nil {
			t.add(4, r.name+" = "+r.component.here())
		}
	}
}

// giveResults gives the components their values.
func (n *one) giveResults() {
	for _, r := range n.results {
		if r.owner != nil {
			n.place.text.add(4, r.component.here()+" = "+r.name)
		}
	}
}
