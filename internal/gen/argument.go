package main

import "strings"

// This file holds the data of the generated parts of portable_argument_mod and portable_list_mod. Not in this file: kinds (reduce_array.go).

// argumentKind is an element kind as an argument of a kernel.
type argumentKind struct{ reduceKind }

// Bytes is how many a value has.
func (k argumentKind) Bytes() int {
	bytes := map[string]int{"1": 1, "2": 2, "4": 4, "8": 8}[k.Name[len(k.Name)-1:]]
	if bytes == 0 { // logical(4) is called log
		bytes = 4
	}
	if k.Class == "complex" {
		bytes *= 2
	}
	return bytes
}

// Sort says which operations a result of the kind has: integer, real, complex or logical.
func (k argumentKind) Sort() string {
	if k.Class != "number" {
		return k.Class
	}
	sort, _, _ := strings.Cut(k.Decl, "(")
	return sort
}

// PlaceBits are the sizes of the integers of a result's place; none: the kind has no places.
func (k argumentKind) PlaceBits() []string {
	if k.Class == "number" && k.Bytes() >= 4 {
		return []string{"32", "64"}
	}
	return nil
}

// Places are the ends of the names of its results with a place.
func (k argumentKind) Places() (names []string) {
	for _, bits := range k.PlaceBits() {
		names = append(names, k.Name+"_"+bits)
	}
	return names
}

// Value is an expression of the value's bytes: of a logical an integer that is 0 or 1, whatever the compiler's .true. is.
func (k argumentKind) Value(x string) string {
	if k.Class != "logical" {
		return x
	}
	kind := map[int]string{1: "c_int8_t", 2: "c_int16_t", 4: "c_int32_t", 8: "c_int64_t"}[k.Bytes()]
	return strings.NewReplacer("K", kind, "X", x).Replace("merge(1_K, 0_K, X)")
}

// argumentModule is what portable_argument_mod has for every kind and rank.
type argumentModule struct {
	Kinds []argumentKind
	Ranks []int
}

// argumentOutputs are the generated parts of the module of arguments.
func argumentOutputs() []output {
	m := argumentModule{Ranks: upto(commonRanks)}
	for _, k := range reduceKinds {
		m.Kinds = append(m.Kinds, argumentKind{k})
	}
	return []output{
		{"fortran/portable_argument_interfaces.inc", "argument_interfaces.inc.tmpl", m},
		{"fortran/portable_argument_procedures.inc", "argument_procedures.inc.tmpl", m},
		{"fortran/portable_result_interfaces.inc", "result_interfaces.inc.tmpl", m},
		{"fortran/portable_result_procedures.inc", "result_procedures.inc.tmpl", m},
	}
}
