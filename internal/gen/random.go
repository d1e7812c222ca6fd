package main

import "fmt"

// This file holds the data of the generated parts of portable_random_fill_mod.

// randomSpecific is one specific procedure. First is the kind of the first cell, which must be given if it is int32; so compilers choose.
type randomSpecific struct {
	Kind  reduceKind
	Rank  int
	First string
}

func (s randomSpecific) Procedure() string {
	return fmt.Sprintf("fill_%s_%d_%s", s.Kind.Name, s.Rank, s.First)
}

func (s randomSpecific) Optional() string {
	if s.First == "int64" {
		return "optional, "
	}
	return ""
}

// Cell is the first cell as an argument.
func (s randomSpecific) Cell() string {
	if s.First == "int64" {
		return "first"
	}
	return "int(first, int64)"
}

// randomModule is what portable_random_fill_mod holds.
type randomModule struct{}

func (randomModule) Names() []string { return []string{"portable_random_fill"} }

func (m randomModule) All() []randomSpecific { return m.Specifics("portable_random_fill") }

// Specifics are those of the one generic.
func (randomModule) Specifics(string) (list []randomSpecific) {
	for _, k := range componentKinds {
		for rank := 1; k.Name[:4] == "real" && rank <= commonRanks; rank++ {
			list = append(list, randomSpecific{k, rank, "int32"}, randomSpecific{k, rank, "int64"})
		}
	}
	return list
}

// randomOutputs are the generated parts of portable_random_fill_mod.
func randomOutputs() []output {
	return []output{
		{"fortran/portable_random_fill_interfaces.inc", "generic_interfaces.inc.tmpl", randomModule{}},
		{"fortran/portable_random_fill_procedures.inc", "random_procedures.inc.tmpl", randomModule{}},
	}
}
