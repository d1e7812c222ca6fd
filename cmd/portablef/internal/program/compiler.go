package program

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/flags"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
)

// scopes are the facts of flags that package scope needs. Flags that change declared kinds are not followed.
func scopes(f flags.Flags) (scope.Options, error) {
	for _, becomes := range []map[int]int{f.RealBecomes, f.IntegerBecomes} {
		for from, to := range becomes {
			return scope.Options{}, fmt.Errorf("a flag makes declared kinds of %d bytes ones of %d bytes, which portablef does not follow; declare the kinds in the source", from, to)
		}
	}
	return scope.Options{Integer: f.Integer, Real: f.Real, Double: f.Double, Logical: f.Logical, ImplicitNone: f.ImplicitNone, Recursive: f.Recursive}, nil
}

// defined are the names of the macros that flags define.
func defined(f flags.Flags) (names []string) {
	for _, m := range f.Source.Macros {
		name, _, _ := strings.Cut(m.Name, "(")
		names = slices.DeleteFunc(names, func(n string) bool { return n == name })
		if !m.Undefine {
			names = append(names, name)
		}
	}
	return names
}

// isFlang reports whether the compiler is LLVM's flang.
func isFlang(f flags.Flags) bool {
	return slices.ContainsFunc(f.Source.Predefined, func(m source.Macro) bool { return m.Name == "__flang__" })
}
