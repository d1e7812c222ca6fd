package main

import (
	"fmt"
	"slices"
	"strings"
)

// This file holds the data of the generated parts of portable_mesh_mod.

// meshBuild is a specific procedure of portable_csr_build.
type meshBuild struct {
	Bits, Rank int    // of row_of; rank 0: counts
	N          string // kind of n
}

// Name is that in the module's interface.
func (b meshBuild) Name() string {
	name, kind := "build_1", "_int32"
	if b.Rank == 2 {
		name = "build_2"
	}
	if b.Rank == 0 {
		name = "counts"
	}
	if b.Bits == 64 {
		kind = "_int64"
	}
	if b.N == "int64" && b.Rank > 0 {
		kind += "_n64"
	}
	return name + kind
}

// meshSum is a specific procedure of a reduction of rows.
type meshSum struct {
	Op   string
	Kind reduceKind
	Bits int // of row and index
}

// Procedure is the name of the specific.
func (s meshSum) Procedure() string { return fmt.Sprintf("%s_%s_%d", s.Op, s.Kind.Name, s.Bits) }

// meshOps are the operations, in the order of their numbers.
var meshOps = []string{"sum", "product", "min", "max"}

// Number is that of portable_reduce.h.
func (s meshSum) Number() int { return slices.Index(meshOps, s.Op) + 1 }

func (meshModule) Names() (list []string) {
	for _, op := range meshOps {
		list = append(list, "portable_segmented_"+op)
	}
	return list
}

func (meshModule) Specifics(name string) (list []meshSum) {
	for _, k := range componentKinds {
		for _, bits := range []int{32, 64} {
			list = append(list, meshSum{strings.TrimPrefix(name, "portable_segmented_"), k, bits})
		}
	}
	return list
}

func (m meshModule) Sums() (list []meshSum) {
	for _, name := range m.Names() {
		list = append(list, m.Specifics(name)...)
	}
	return list
}

// meshModule is what portable_mesh_mod holds.
type meshModule struct{}

func (meshModule) Builds() (list []meshBuild) {
	for _, bits := range []int{32, 64} {
		for rank := 1; rank <= 2; rank++ {
			list = append(list, meshBuild{bits, rank, "int32"}, meshBuild{bits, rank, "int64"})
		}
		list = append(list, meshBuild{bits, 0, "int64"})
	}
	return list
}

// meshOutputs are the generated parts of portable_mesh_mod.
func meshOutputs() []output {
	return []output{
		{"fortran/portable_mesh_interfaces.inc", "generic_interfaces.inc.tmpl", meshModule{}},
		{"fortran/portable_mesh_procedures.inc", "mesh_procedures.inc.tmpl", meshModule{}},
	}
}

// mergeSpecific is a specific procedure of the merges of portable_particles_mod.
type mergeSpecific struct {
	Key   reduceKind
	Value reduceKind // Name "": keys alone
}

// Procedure is the name of the specific.
func (s mergeSpecific) Procedure() string {
	if s.Value.Name == "" {
		return "merge_" + s.Key.Name
	}
	return "merge_" + s.Key.Name + "_" + s.Value.Name
}

// particleModule is what portable_particles_mod holds.
type particleModule struct{}

func (particleModule) Names() []string {
	return []string{"portable_merge_sorted", "portable_merge_by_key"}
}

// Specifics are those of one generic.
func (particleModule) Specifics(name string) (list []mergeSpecific) {
	for _, key := range sortKeys() {
		if name == "portable_merge_sorted" {
			list = append(list, mergeSpecific{Key: key})
			continue
		}
		for _, value := range reduceKinds {
			list = append(list, mergeSpecific{key, value})
		}
	}
	return list
}

func (m particleModule) All() (list []mergeSpecific) {
	for _, n := range m.Names() {
		list = append(list, m.Specifics(n)...)
	}
	return list
}

// Reals are the kinds of positions.
func (particleModule) Reals() []string { return []string{"real32", "real64"} }

// Bits are the kinds of lists and keys.
func (particleModule) Bits() []int { return []int{32, 64} }

// particleOutputs are the generated parts of portable_particles_mod.
func particleOutputs() []output {
	return []output{
		{"fortran/portable_particles_interfaces.inc", "generic_interfaces.inc.tmpl", particleModule{}},
		{"fortran/portable_particles_procedures.inc", "particles_procedures.inc.tmpl", particleModule{}},
	}
}
