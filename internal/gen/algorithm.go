package main

import (
	"fmt"
	"strings"
)

// scanKinds are the kinds of the prefix operations, filterKinds those of pack_into and unpack_into, among the rows of reduceKinds.
var (
	scanKinds   = reduceKinds[2:6]
	filterKinds = append(append([]reduceKind{}, reduceKinds[2:8]...), reduceKinds[10])
)

// algorithmSpecific is a kind with a rank.
type algorithmSpecific struct {
	reduceKind
	Rank int
}

func (s algorithmSpecific) Name() string { return fmt.Sprintf("%s_%d", s.reduceKind.Name, s.Rank) }

// indexKind is a kind of lists of indices, and of their masks.
type indexKind struct{ Name, Decl, Mask string }

// algorithmModule is the data of the templates of scans and filters.
type algorithmModule struct {
	Scans   []string
	Indices []indexKind
}

func specificsOf(kinds []reduceKind) (list []algorithmSpecific) {
	for _, k := range kinds {
		for rank := 1; rank <= commonRanks; rank++ {
			list = append(list, algorithmSpecific{k, rank})
		}
	}
	return list
}

// Scanned and Filtered are the specifics of each prefix operation, and of pack_into and unpack_into.
func (m algorithmModule) Scanned() []algorithmSpecific  { return specificsOf(scanKinds) }
func (m algorithmModule) Filtered() []algorithmSpecific { return specificsOf(filterKinds) }

// scanCheck is a kind with a rank, for the test that walks through them.
type scanCheck struct{ reduceCheck }

// Equal is how elements are compared.
func (c scanCheck) Equal() string {
	if c.Class == "logical" {
		return ".eqv."
	}
	return "=="
}

// Cast makes integers of a name into elements.
func (c scanCheck) Cast(name string) string {
	switch c.Class {
	case "logical":
		return "logical(" + name + " > 0, 4)"
	case "complex":
		return strings.Replace(c.Decl, "complex(", "cmplx("+name+", 3, ", 1)
	}
	return c.reduceCheck.Cast(name)
}

func scanChecks(kinds []reduceKind) (list []scanCheck) {
	for _, k := range kinds {
		for _, rank := range []int{1, 2, 3, 5, 7} {
			list = append(list, scanCheck{reduceCheck{k, rank}})
		}
	}
	return list
}

func (m algorithmModule) ScanChecks() []scanCheck   { return scanChecks(scanKinds) }
func (m algorithmModule) FilterChecks() []scanCheck { return scanChecks(filterKinds) }

// algorithmOutputs are the generated parts of the module of scans and filters.
func algorithmOutputs() []output {
	module := algorithmModule{
		Scans: []string{"sum", "product", "min", "max"},
		Indices: []indexKind{
			{"int4", "integer(int32)", "logical"}, {"int8", "integer(int64)", "logical"},
			{"int4_bool", "integer(int32)", "logical(c_bool)"}, {"int8_bool", "integer(int64)", "logical(c_bool)"},
		},
	}
	return []output{
		{"fortran/portable_algorithm_interfaces.inc", "algorithm_interfaces.inc.tmpl", module},
		{"fortran/portable_algorithm_procedures.inc", "algorithm_procedures.inc.tmpl", module},
		{"every/every_kind.f90", "every_scan.f90.tmpl", module},
	}
}
