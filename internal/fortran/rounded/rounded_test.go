package rounded

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFunctions compares with values that MPFR gives, and with package math, which is a few units off.
func TestFunctions(t *testing.T) {
	rows := []struct {
		name string
		x    *big.Float
		bits uint
		want float64
	}{
		{"pi", scaleBy(Atan(Number(1)), 2), 53, math.Pi},
		{"acos(-1)", Acos(Number(-1)), 24, float64(float32(math.Pi))},
		{"e", Exp(Number(1)), 53, math.E},
		{"exp(0)", Exp(Number(0)), 53, 1},
		{"log(2)", Log(Number(2)), 53, math.Ln2},
		{"log10(1000)", Log10(Number(1000)), 53, 3},
		{"sin(1e9)", Sin(Number(1e9)), 53, 0.5458434494486996},
		{"sqrt(2) as a power", Power(2, 0.5), 53, math.Sqrt2},
		{"hypot", Hypot(3, 4), 53, 5},
	}
	for _, row := range rows {
		got, ok := Round(row.x, row.bits)
		require.True(t, ok, row.name)
		require.Equal(t, row.want, got, row.name)
	}
	functions := map[string]struct {
		ours   func(*big.Float) *big.Float
		theirs func(float64) float64
	}{
		"exp": {Exp, math.Exp}, "log": {Log, math.Log}, "log10": {Log10, math.Log10}, "sin": {Sin, math.Sin}, "cos": {Cos, math.Cos}, "tan": {Tan, math.Tan},
		"atan": {Atan, math.Atan}, "asin": {Asin, math.Asin}, "acos": {Acos, math.Acos}, "sinh": {Sinh, math.Sinh}, "cosh": {Cosh, math.Cosh}, "tanh": {Tanh, math.Tanh},
	}
	for name, f := range functions {
		for _, x := range []float64{0.0625, 0.3, 0.75, 0.999, 1.7, 12.5, 100.25} {
			got, ok := Round(f.ours(Number(x)), 53)
			want := f.theirs(x)
			if math.IsNaN(want) {
				require.False(t, ok, "%s(%v)", name, x)
				continue
			}
			require.True(t, ok, "%s(%v)", name, x)
			require.InEpsilon(t, want, got, 1e-14, "%s(%v)", name, x)
		}
	}
	require.Nil(t, Log(Number(-1)))
	require.Nil(t, Atan2(1, 0))
}
