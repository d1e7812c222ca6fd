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
