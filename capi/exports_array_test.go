//go:build portable_test_hooks

package capi

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Programs make arrays and views in their time steps.
func TestArraysAllocateNothing(t *testing.T) {
	extents := [15]_Ctype_int64_t{10, 20, 30}
	fastest := [15]_Ctype_int32_t{2, 0, 1}
	ranges := [15]_Ctype_struct_portable_array_range{{first: 2, last: 9, step: 3}, {first: 5, last: 5}, {first: 30, last: 1, step: -1}}
	shape := [15]_Ctype_int64_t{60, 100}
	var bytes _Ctype_uint64_t
	var origin _Ctype_int64_t
	var plan _Ctype_struct_portable__array_plan
	var same _Ctype_int32_t
	var section _Ctype_struct_portable__fortran_view
	var elements [48000]byte
	label := append([]byte("array"), 0)
	made := func(order _Ctype_int32_t) (a _Ctype_struct_portable_array) {
		var config _Ctype_struct_portable_array_config
		config.struct_size, config.order = _Ctype_uint32_t(unsafe.Sizeof(config)), order
		m := _Ctype_struct_portable__array_making{given: &config, label: textOf(label), extents: &extents[0], kind: 6, rank: 3}
		a.data = unsafe.Pointer(&elements)
		if portable__go_array_make(&m, &a) != 0 || m.bytes != 48000 {
			t.Error("no layout", lastError())
		}
		return a
	}
	c, fortran := made(0), made(1)
	for name, call := range map[string]func() _Ctype_int32_t{
		"slice":   func() _Ctype_int32_t { a := fortran; return portable__go_array_slice(&a, &ranges[0]) },
		"subset":  func() _Ctype_int32_t { a := fortran; return portable__go_array_subset(&a, 3, 5) },
		"reshape": func() _Ctype_int32_t { a := fortran; return portable__go_array_reshape(&a, 2, &shape[0], nil) },
		"permute": func() _Ctype_int32_t { a := fortran; return portable__go_array_permute(&a, &fastest[0]) },
		"rebase":  func() _Ctype_int32_t { a := fortran; return portable__go_array_rebase(&a, &extents[0]) },
		"compact": func() _Ctype_int32_t { a := fortran; return portable__go_array_compact(&a, &bytes) },
		"pair":    func() _Ctype_int32_t { return portable__go_array_pair(&c, &fortran, &plan) },
		"number":  func() _Ctype_int32_t { return portable__go_array_numbered(&fortran, &plan) },
		"same":    func() _Ctype_int32_t { return portable__go_array_same(&c, &fortran, &plan, &same) },
		"section": func() _Ctype_int32_t { return portable__go_array_section(&fortran, &section, &origin) },
	} {
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if call() != 0 {
				t.Error(name, lastError())
			}
		}), name)
	}
	require.EqualValues(t, 6000, plan.elements)
	require.EqualValues(t, 1, same)
}
