package doors

import (
	"math/rand"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// With and without AVX2, contiguous lines and lines side by side have the same bits. ffi_tests/fft has the whole call.
func TestTransformWidths(t *testing.T) {
	defer hideInstructions(0)
	const most, lines = 240, 75
	random := rand.New(rand.NewSource(1))
	var in, out, first [2 * (most + 2) * lines]float64
	for _, n := range []int64{1, 2, 3, 4, 5, 7, 8, 11, 12, 15, 16, 24, 30, 63, 64, 90, 97, 128, 192, 240} {
		for form := range int32(8) {
			real, backward, bytes := form&1, form>>1&1, 4+form&4
			tr := newTransform(n, real == 1)
			for i := range in {
				in[i] = random.Float64() - 0.5
				if bytes == 4 {
					pair := (*[2]float32)(unsafe.Pointer(&in[i]))
					pair[0], pair[1] = random.Float32()-0.5, random.Float32()-0.5
				}
			}
			for sideBySide := range int32(2) {
				for hidden := range 2 {
					hideInstructions(hidden)
					to := &out
					if hidden == 0 {
						to = &first
					}
					*to = [len(out)]float64{}
					require.True(t, tr.lines(bytes, backward, sideBySide, lines, unsafe.Pointer(&in), unsafe.Pointer(to)))
				}
				require.Equal(t, first, out, "n %d, form %d, side by side %d", n, form, sideBySide)
			}
			tr.free()
		}
	}
}
