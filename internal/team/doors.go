package team

/*
#include <string.h>
#include "team.h"
*/
import "C"

// Small doors to C for the tests of this package, which can not import C themselves.

// space is an index space as C gets it.
type space struct {
	fortran              bool
	lower, upper, stride []int64
}

// box is a tile as C gives it.
type box struct{ lower, upper []int64 }

// cut gives the boxes of each of the parts of a space; why is what C says is wrong. leaf > 0: units of about that size, < 0: of at most -leaf; else
// as a launch would have them.
func cut(s space, tile []int64, workers int, leaf int64) (parts [][]box, why int) {
	var b C.portable_bounds
	b.struct_size = C.sizeof_portable_bounds
	b.rank = C.int32_t(len(s.lower))
	if s.fortran {
		b.order = C.PORTABLE_ORDER_FORTRAN
	}
	for d := range s.lower {
		b.lower[d], b.upper[d], b.stride[d] = C.int64_t(s.lower[d]), C.int64_t(s.upper[d]), C.int64_t(s.stride[d])
	}
	var c C.struct_portable__cut
	if why = int(C.portable__cut_space(&b, &c)); why != 0 {
		return nil, why
	}
	var wanted [C.PORTABLE_LOOP_RANK]C.int64_t
	for d, n := range tile {
		wanted[d] = C.int64_t(n)
	}
	if leaf > 0 {
		C.portable__cut_leaves(&c, C.int64_t(leaf))
	} else if leaf < 0 {
		C.portable__cut_chunks(&c, C.int64_t(-leaf))
	} else {
		C.portable__cut_units(&c, &wanted[0], C.int32_t(workers))
	}
	for w := range workers {
		var part []box
		var from, to C.int64_t
		C.portable__cut_share(c.units, C.int32_t(w), C.int32_t(workers), &from, &to)
		for from < to {
			var t C.portable_tile
			from += C.portable__cut_box(&c, from, to, &t)
			one := box{}
			for d := range s.lower {
				one.lower = append(one.lower, int64(t.lower[d]))
				one.upper = append(one.upper, int64(t.upper[d]))
			}
			part = append(part, one)
		}
		parts = append(parts, part)
	}
	return parts, 0
}
