package main

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
	return []output{{"fortran/portable_mesh_procedures.inc", "mesh_procedures.inc.tmpl", meshModule{}}}
}
