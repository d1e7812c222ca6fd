package main

// This file holds the data of the generated parts of portable_sort_mod. Not in this file: kinds (reduce_array.go).

// sortSpecific is one specific procedure of the sorts.
type sortSpecific struct {
	Key   reduceKind
	Other string // values or indices; "": keys alone
	// OtherKind is the kind of values or indices.
	OtherKind reduceKind
}

func (s sortSpecific) Procedure() string {
	switch s.Other {
	case "values":
		return "by_key_" + s.Key.Name + "_" + s.OtherKind.Name
	case "indices":
		return "index_" + s.Key.Name + "_" + s.OtherKind.Name
	}
	return "sort_" + s.Key.Name
}

func (s sortSpecific) Dummies() string {
	other := ""
	if s.Other != "" {
		other = s.Other + ", "
	}
	return "keys, " + other + "descending, label, stat, errmsg, device, stream"
}

// Call are the arguments for sort_any.
func (s sortSpecific) Call() string {
	call := "portable_internal_array(keys), descending, label, stat, errmsg, device, stream"
	if s.Other != "" {
		call += ", " + s.Other + "=portable_internal_array(" + s.Other + ")"
	}
	return call
}

func (s sortSpecific) KeyIntent() string {
	if s.Other == "indices" {
		return "in"
	}
	return "inout"
}

func (s sortSpecific) OtherIntent() string { return "inout" }

// sortModule is what portable_sort_mod holds.
type sortModule struct{}

func (sortModule) Names() []string {
	return []string{"portable_sort", "portable_sort_by_key", "portable_sort_index"}
}

// sortKeys are the kinds that have an order.
func sortKeys() (list []reduceKind) {
	for _, k := range reduceKinds {
		if k.Class == "number" {
			list = append(list, k)
		}
	}
	return list
}

// Specifics are those of one generic.
func (sortModule) Specifics(name string) (list []sortSpecific) {
	for _, key := range sortKeys() {
		switch name {
		case "portable_sort":
			list = append(list, sortSpecific{Key: key})
		case "portable_sort_by_key":
			for _, value := range reduceKinds {
				list = append(list, sortSpecific{key, "values", value})
			}
		default:
			for _, index := range reduceKinds {
				if index.Name == "int4" || index.Name == "int8" {
					list = append(list, sortSpecific{key, "indices", index})
				}
			}
		}
	}
	return list
}

func (m sortModule) All() (list []sortSpecific) {
	for _, n := range m.Names() {
		list = append(list, m.Specifics(n)...)
	}
	return list
}

// sortOutputs are the generated parts of portable_sort_mod.
func sortOutputs() []output {
	return []output{
		{"fortran/portable_sort_interfaces.inc", "generic_interfaces.inc.tmpl", sortModule{}},
		{"fortran/portable_sort_procedures.inc", "sort_procedures.inc.tmpl", sortModule{}},
	}
}
