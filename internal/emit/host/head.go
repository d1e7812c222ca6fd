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

func (a *arg) optional() string {
	if a.Symbol != nil && len(a.Path) == 0 && a.Symbol.Optional {
		return ", optional"
	}
	return ""
}

// isArray reports whether an argument is an array.
func (a *arg) isArray() bool { return a.form >= explicit }

// loose reports whether the elements may be apart from one another: only the launch knows.
func (a *arg) loose() bool {
	return (a.form == pointer || a.form == assumed) && !a.Symbol.Contiguous
}

// maybeNone reports whether there may be no array at the launch: then the body gets one element that it does not touch.
func (a *arg) maybeNone() bool {
	return (a.form == allocatable || a.form == pointer) && a.optional() == "" && a.Type.Base != scope.Class
}

// none declares that element.
func (a *arg) none() string {
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
