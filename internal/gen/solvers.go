package main

import "fmt"

// This file holds the data of the generated parts of portable_solvers_mod. Not in this file: kinds (reduce_array.go).

// solver is a specific procedure: systems of a kind and rank, and the rank of their diagonals.
type solver struct {
	reduceKind
	Rank, Bands int
}

// Name tells specifics apart.
func (s solver) Name() string {
	if s.Bands < s.Rank {
		return fmt.Sprintf("%s_one_%d", s.reduceKind.Name, s.Rank)
	}
	return fmt.Sprintf("%s_%d", s.reduceKind.Name, s.Rank)
}

// solverKind is a real with the integer of its size, and the bits of a quiet NaN.
type solverKind struct {
	reduceKind
	Whole, NaN string
}

// solverModule is what portable_solvers_mod holds.
type solverModule struct{}

func (solverModule) Kinds() []solverKind {
	return []solverKind{{reduceKinds[4], "int32", "7FC00000"}, {reduceKinds[5], "int64", "7FF8000000000000"}}
}

func (m solverModule) Solvers() (list []solver) {
	for _, k := range m.Kinds() {
		for rank := 1; rank <= commonRanks; rank++ {
			list = append(list, solver{k.reduceKind, rank, rank})
			if rank > 1 {
				list = append(list, solver{k.reduceKind, rank, 1})
			}
		}
	}
	return list
}

// solverOutputs are the generated parts of the module of solvers.
func solverOutputs() []output {
	return []output{
		{"fortran/portable_solvers_interfaces.inc", "solvers_interfaces.inc.tmpl", solverModule{}},
		{"fortran/portable_solvers_procedures.inc", "solvers_procedures.inc.tmpl", solverModule{}},
	}
}
