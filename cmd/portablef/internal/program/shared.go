package program

import (
	"slices"
	"strconv"

	"libportable/internal/emit/host"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// mostLocal is the most bytes of a local array that compilers put on the stack of each call, unless a flag tells them otherwise.
const mostLocal = 32768

// shared refuses calls of procedures that several threads cannot run at once, because compilers may keep a local variable in one place
// for all calls. RECURSIVE forbids that; the conversion adds it where it may.
func (p *Program) shared(n *nest.Nest) (reasons []nest.Refusal) {
	for unit := range host.Called(p.Scope, []*nest.Nest{n}) {
		if unit.Interface {
			continue
		}
		header := host.Header(p.Scope, unit)
		i, known := p.input[unit.File]
		if !known || p.Inputs[i].Flags.Recursive || recursive(unit) || header != nil && recursive(header) {
			continue
		}
		flag := p.Inputs[i].Flags.NoAutomatic
		if y := keeps(p.Scope, unit); flag && y != nil {
			reasons = append(reasons, nest.Refusal{Rule: "call-effect", At: n.Loops[0].Do.Where.From, Loop: n.Loops[0].Do.Variable,
				Text:   "'" + unit.Name + "', which it calls, may read '" + y.Name + "' before it sets it, and a flag of the compiler keeps its value between calls",
				Remedy: "set it first, or declare the procedure RECURSIVE"})
			continue
		}
		local := static(p.Scope, unit, flag, p.Inputs[i].Modules)
		if local == nil {
			continue
		}
		why, remedy := p.stays(unit, header)
		if why == "" {
			continue
		}
		reasons = append(reasons, nest.Refusal{Rule: "call-effect", At: n.Loops[0].Do.Where.From, Loop: n.Loops[0].Do.Variable,
			Text:   "'" + unit.Name + "', which it calls, " + why + ", so '" + local.Name + "' may be one variable of all threads",
			Remedy: remedy})
	}
	slices.SortFunc(reasons, func(a, b nest.Refusal) int { // the units come in any order
		if a.Text < b.Text {
			return -1
		}
		return 1
	})
	return reasons
}

// stays says why the conversion cannot make a procedure RECURSIVE, and what helps; "": it can.
func (p *Program) stays(unit, header *tree.Unit) (why, remedy string) {
	for _, u := range []*tree.Unit{unit, header} {
		if u == nil {
			continue
		}
		i, known := p.input[u.File]
		switch {
		case slices.Contains(u.Prefix, "elemental"):
			return "is ELEMENTAL and not RECURSIVE", "declare the variable ALLOCATABLE, or the procedure RECURSIVE too, which is Fortran 2018"
		case slices.Contains(u.Prefix, "non_recursive"):
			return "is NON_RECURSIVE", "remove NON_RECURSIVE"
		case known && p.Inputs[i].Modules:
			return "is not RECURSIVE, and its file " + p.Inputs[i].Name + " is not converted", "declare it RECURSIVE, or convert its file too"
		case !known || u.HeadLine == nil || u.HeadLine.Nested:
			return "is not RECURSIVE, and stands in an INCLUDE file (line " + strconv.Itoa(int(u.Head.From.Line)) + " of it)", "declare it RECURSIVE"
		}
	}
	return "", ""
}

func recursive(u *tree.Unit) bool { return slices.Contains(u.Prefix, "recursive") }

// static is a local variable that compilers may keep in one place for all calls of a procedure that is not RECURSIVE; nil if there is
// none. all: a flag makes each local variable such a one; arrays: each array may be one, for the compiler's limit is not known.
func static(p *scope.Program, unit *tree.Unit, all, arrays bool) *scope.Symbol {
	s := p.Of(unit)
	if s == nil {
		return nil
	}
	for _, y := range s.Own() {
		if y.Kind != scope.Variable || y.Dummy || y.Result || y.Allocatable && !all || y.Pointer && !all {
			continue
		}
		if all || arrays && len(y.Dims) > 0 && y.Init == nil || sizeOf(s, y) > mostLocal {
			return y
		}
	}
	return nil
}

// sizeOf is the size of a local array whose bounds are constants; 0: it has no such size.
func sizeOf(s *scope.Scope, y *scope.Symbol) int64 {
	if len(y.Dims) == 0 {
		return 0
	}
	size := int64(max(y.Type.Kind, 1))
	switch y.Type.Base {
	case scope.ComplexType:
		size *= 2
	case scope.Derived, scope.Class, scope.Character:
		size = mostLocal + 1 // not known here
	}
	for _, d := range y.Dims {
		lower := int64(1)
		if d.Lower != nil {
			v, ok := y.Scope.Constant(d.Lower)
			if !ok {
				return 0
			}
			lower = v.Integer
		}
		if d.Upper == nil {
			return 0
		}
		v, ok := s.Constant(d.Upper)
		if !ok {
			return 0
		}
		size *= max(0, v.Integer-lower+1)
	}
	return size
}
