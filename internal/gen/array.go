package main

import (
	"fmt"
	"strings"
)

// arrayModule is the data of portable_array_mod for every kind and rank.
type arrayModule struct {
	Kinds []reduceKind
	Ranks []int // of pointers
}

// twinModule is what portable_twin_mod has for every kind, rank and side; portable_record_mod has no sides.
type twinModule struct {
	Kinds []reduceKind
	Ranks []int
	Sides []string
}

// arrayOutputs are the generated parts of the module of arrays.
func arrayOutputs() []output {
	m := arrayModule{reduceKinds, upto(maxRank)}
	twins := twinModule{reduceKinds, upto(commonRanks), []string{"host", "device"}}
	return []output{
		{"fortran/portable_array_interfaces.inc", "array_interfaces.inc.tmpl", m},
		{"fortran/portable_array_bindings.inc", "array_bindings.inc.tmpl", m},
		{"fortran/portable_cfi_interfaces.inc", "cfi_interfaces.inc.tmpl", interoperable()},
		{"fortran/portable_cfi_procedures.inc", "cfi_procedures.inc.tmpl", interoperable()},
		{"fortran/portable_twin_interfaces.inc", "twin_interfaces.inc.tmpl", twins},
		{"fortran/portable_twin_bindings.inc", "twin_bindings.inc.tmpl", twins},
		{"fortran/portable_record_interfaces.inc", "record_interfaces.inc.tmpl", twins},
		{"fortran/portable_record_bindings.inc", "record_bindings.inc.tmpl", twins},
		{"every/every_array.f90", "every_array.f90.tmpl", arrayChecks()},
	}
}

// interoperable are the kinds that C has, under the names that compilers know them by: pointers to others are in no interface with C.
func interoperable() (data struct{ Kinds []reduceKind }) {
	names := strings.NewReplacer("(int8)", "(c_int8_t)", "(int16)", "(c_int16_t)", "(int32)", "(c_int32_t)", "(int64)", "(c_int64_t)",
		"l(real32)", "l(c_float)", "l(real64)", "l(c_double)", "x(real32)", "x(c_float_complex)", "x(real64)", "x(c_double_complex)")
	for _, k := range reduceKinds {
		if k.Decl = names.Replace(k.Decl); strings.Contains(k.Decl, "(c_") {
			data.Kinds = append(data.Kinds, k)
		}
	}
	return data
}

// arrayCheck is a kind with a rank, for the test that walks through them.
type arrayCheck struct {
	kind
	Rank int
}

func (c arrayCheck) Name() string { return fmt.Sprintf("%s_%d", c.kind.Name, c.Rank) }

func arrayChecks() (data struct{ Specifics []arrayCheck }) {
	for _, k := range commonKinds {
		for _, rank := range append(upto(commonRanks+1), maxRank) {
			data.Specifics = append(data.Specifics, arrayCheck{k, rank})
		}
	}
	return data
}
