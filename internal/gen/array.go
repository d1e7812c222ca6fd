package main

import "fmt"

// arrayModule is what portable_array_mod has for every kind and rank.
type arrayModule struct {
	Kinds     []reduceKind
	Ranks     []int // of pointers
	WrapRanks []int // of what is wrapped: those of portable_internal_section
}

// arrayOutputs are the generated parts of the module of arrays.
func arrayOutputs() []output {
	m := arrayModule{reduceKinds, upto(maxRank), upto(commonRanks)}
	return []output{
		{"fortran/portable_array_interfaces.inc", "array_interfaces.inc.tmpl", m},
		{"fortran/portable_array_bindings.inc", "array_bindings.inc.tmpl", m},
		{"fortran/portable_array_pointers.inc", "array_pointers.inc.tmpl", m},
		{"ffi_tests/arrays/every_array.f90", "every_array.f90.tmpl", arrayChecks()},
	}
}

// arrayCheck is a kind with a rank, for the test that walks through them.
type arrayCheck struct {
	kind
	Rank int
}

// Wraps says whether there is a wrap of this rank.
func (c arrayCheck) Wraps() bool { return c.Rank <= commonRanks }

func (c arrayCheck) Name() string { return fmt.Sprintf("%s_%d", c.kind.Name, c.Rank) }

func arrayChecks() (data struct{ Specifics []arrayCheck }) {
	for _, k := range commonKinds {
		for _, rank := range append(upto(commonRanks+1), maxRank) {
			data.Specifics = append(data.Specifics, arrayCheck{k, rank})
		}
	}
	return data
}
