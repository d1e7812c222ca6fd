package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDivide(t *testing.T) {
	objects := []*object{
		{name: "go.o", defined: []string{"_cgo_start"}, needed: []string{"portable__engine", "malloc"}},
		{name: "engine.o", defined: []string{"portable__engine"}, needed: []string{"portable__table"}},
		{name: "defaults.o", weak: []string{"portable__table"}},
		{name: "table.o", defined: []string{"portable__table"}},
		{name: "constructor.o", defined: []string{"portable__begin"}, hasConstructor: true},
		{name: "pulls.o", needed: []string{"pthread_create"}},
		{name: "mesh.o", defined: []string{"portable_mesh", "portable__mesh"}, needed: []string{"portable__engine", "portable__sort", "portable_sort"}},
		{name: "sort.o", defined: []string{"portable_sort", "portable__sort"}, needed: []string{"portable__sort"}},
		{name: "kernel.o", defined: []string{"portable_driver"}, needed: []string{"cuInit"}},
		{name: "driver.o", defined: []string{"cuInit"}},
		{name: "unused.o", defined: []string{"portable__unused"}},
	}
	p := divide(objects, []string{"portable_[!_]*"})
	require.Equal(t, []string{"go.o", "engine.o", "table.o", "constructor.o", "pulls.o", "kernel.o", "driver.o"}, p.core)
	require.Equal(t, []string{"mesh.o", "sort.o"}, p.members)
	require.Equal(t, []string{"portable__engine", "portable__sort"}, p.names)
}
