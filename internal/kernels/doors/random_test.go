package doors

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// With each width of vectors, ranges of any parity have the bits of single calls, and write nothing else. ffi_tests/random has the whole call.
func TestRandomWidths(t *testing.T) {
	defer hideInstructions(0)
	const most, mark = 700, 0x5555555555555555
	firsts := []int64{0, 1, -301, 1<<33 - 100, math.MinInt64, math.MinInt64 + 1, math.MaxInt64 - most + 1}
	for hidden := range 4 {
		hideInstructions(hidden)
		for distribution := range int32(2) {
			for _, first := range firsts {
				for _, r := range [][2]int64{{0, most}, {1, most}, {0, 17}, {3, 20}, {5, 5}, {5, 6}, {100, 163}, {99, 164}, {0, 513}, {0, 514}} {
					var large [most]uint64
					var small [most]uint32
					for i := range large {
						large[i], small[i] = mark, mark&math.MaxUint32
					}
					randomFill(unsafe.Pointer(&large), randomReal64, distribution, 9, first, most, r[0], r[1])
					randomFill(unsafe.Pointer(&small), randomReal32, distribution, 9, first, most, r[0], r[1])
					for i := range int64(most) {
						want, wantSmall := uint64(mark), uint32(mark&math.MaxUint32)
						if i >= r[0] && i < r[1] {
							want, wantSmall = randomSingle64(distribution, 9, first+i), randomSingle32(distribution, 9, first+i)
						}
						if large[i] != want || small[i] != wantSmall {
							require.Fail(t, "other bits", fmt.Sprintf("hidden %d, distribution %d, first %d, range %v, element %d", hidden, distribution, first, r, i))
						}
					}
				}
			}
		}
	}
}
