package main

import "fmt"

// This file holds the data of the generated parts of portable_fields_mod. Not in this file: kinds (reduce_array.go).

// fieldSpecific adds an array of one kind and rank to a list of fields.
type fieldSpecific struct {
	Kind reduceKind
	Rank int
}

func (s fieldSpecific) Procedure() string { return fmt.Sprintf("add_%s_%d", s.Kind.Name, s.Rank) }

// fieldsModule is what portable_fields_mod holds.
type fieldsModule struct{}

func (fieldsModule) Names() []string { return []string{"portable_fields_add"} }

func (m fieldsModule) All() []fieldSpecific { return m.Specifics("portable_fields_add") }

// Specifics are those of the one generic.
func (fieldsModule) Specifics(string) (list []fieldSpecific) {
	for _, k := range reduceKinds {
		for rank := 1; rank <= commonRanks; rank++ {
			list = append(list, fieldSpecific{k, rank})
		}
	}
	return list
}

// fieldsOutputs are the generated parts of portable_fields_mod.
func fieldsOutputs() []output {
	return []output{
		{"fortran/portable_fields_interfaces.inc", "generic_interfaces.inc.tmpl", fieldsModule{}},
		{"fortran/portable_fields_procedures.inc", "fields_procedures.inc.tmpl", fieldsModule{}},
	}
}
