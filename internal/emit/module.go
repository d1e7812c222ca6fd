package emit

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// The host's body names the variables of modules that called procedures name, too. A device gets them as arguments of the launch. The function that
// launches names them itself, because the user's procedure need not have their names.

// Way is how that function comes to such a variable.
type Way struct {
	Module string // that it uses; "": the function stands in the module
	Name   string // in the module
}

// ModuleVariable is the argument for a variable of a module; why and remedy say why it cannot be one.
func (k *Kernel) ModuleVariable(y *scope.Symbol) (a *Argument, why, remedy string) {
	what := "'" + y.Name + "', which a called procedure uses, "
	const give = "give it to the procedure as an argument"
	switch {
	case y.ThreadPrivate:
		return nil, what + "is THREADPRIVATE", give
	case len(y.Shares) > 0:
		return nil, what + "shares memory by EQUIVALENCE", give
	case y.Coarray || y.Volatile || y.Asynchronous:
		return nil, what + "is a coarray, VOLATILE or ASYNCHRONOUS", give
	case len(y.Dims) == 0 && (y.Pointer || y.Allocatable):
		return nil, what + "is a scalar that is allocated while the program runs", give
	}
	a = &Argument{Symbol: y, Spelt: y.Name, Type: y.Type, Dims: y.Dims, Rank: len(y.Dims), Write: k.written[y]}
	for sc := k.Nest.Scope; sc != nil; sc = sc.Parent {
		if sc != y.Scope {
			continue
		}
		if k.Nest.Scope.Lookup(y.Name) != y {
			return nil, what + "has the name of another variable here", "give one of them another name"
		}
		a.Module = &Way{Name: y.Name}
		return a, "", ""
	}
	m := y.Scope
	switch {
	case m.Unit == nil || m.Unit.Kind != tree.Module || k.Program.Modules()[m.Name] != m:
		return nil, what + "is one of a submodule, or of one of several modules of this name", give
	case m.Exported(y.Name) != y:
		return nil, what + "is PRIVATE in the module '" + m.Name + "'", "make it PUBLIC, or " + give
	case !k.comesTo(m.Name):
		return nil, what + "is in the module '" + m.Name + "', which nothing here uses", "write USE " + m.Name + " in this procedure"
	}
	a.Module = &Way{m.Name, y.Name}
	return a, "", ""
}

// comesTo reports whether the nest's procedure uses a module, perhaps by other modules: only then it is compiled before.
func (k *Kernel) comesTo(module string) bool {
	known := map[string]bool{}
	var uses, has func(u *tree.Unit) bool
	uses = func(u *tree.Unit) bool {
		for _, d := range u.Declarations {
			use, ok := d.(*tree.Use)
			if !ok || known[use.Module] {
				continue
			}
			known[use.Module] = true
			if m := k.Program.Modules()[use.Module]; use.Module == module || m != nil && m.Unit != nil && has(m.Unit) {
				return true
			}
		}
		return false
	}
	has = func(u *tree.Unit) bool { return uses(u) || slices.ContainsFunc(u.Contains, has) }
	for sc := k.Nest.Scope; sc != nil; sc = sc.Parent {
		if sc.Unit != nil && uses(sc.Unit) {
			return true
		}
	}
	return false
}
