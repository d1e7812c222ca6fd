package main

import "strings"

// This file holds the data of the reductions inside a team (portable_inner_sum and so on). Not in this file: kinds (reduce_array.go).

// innerKind is a kind of the values.
type innerKind struct{ reduceKind }

// Real says whether there are NaN.
func (k innerKind) Real() bool { return strings.HasPrefix(k.Decl, "real") }

// Zero is the sum of no values.
func (k innerKind) Zero() string { return reduceSpecific{reduceKind: k.reduceKind}.Zero() }

// Lowest is the largest of no values.
func (k innerKind) Lowest() string {
	if k.Real() {
		return "-huge(answer)"
	}
	return "-huge(answer) - 1" + strings.TrimPrefix(k.Zero(), "0")
}

// innerModule is the data of the templates.
type innerModule struct{}

func (innerModule) Names() []string {
	return []string{"portable_inner_sum", "portable_inner_min", "portable_inner_max", "portable_inner_scan"}
}

// innerSpecific is one specific procedure.
type innerSpecific struct{ Procedure string }

// Specifics are those of one generic.
func (m innerModule) Specifics(name string) (list []innerSpecific) {
	for _, k := range m.Kinds() {
		list = append(list, innerSpecific{strings.TrimPrefix(name, "portable_") + "_" + k.Name})
	}
	return list
}

// Kinds are integers and reals of 32 and 64 bits.
func (innerModule) Kinds() (list []innerKind) {
	for _, k := range componentKinds {
		list = append(list, innerKind{k})
	}
	return list
}

// innerOutputs are the generated parts of portable_core_mod for it.
func innerOutputs() []output {
	return []output{
		{"fortran/portable_inner_interfaces.inc", "generic_interfaces.inc.tmpl", innerModule{}},
		{"fortran/portable_inner_procedures.inc", "inner_procedures.inc.tmpl", innerModule{}},
	}
}
