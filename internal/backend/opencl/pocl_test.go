//go:build portable_test_hooks

package opencl

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// numbers has the host's bits in arithmetic, and its functions are the driver's.
const numbers = `struct block { const double *x; double *r; long long n; };
extern "C" __global__ void numbers(block b) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= b.n) return;
  const double x = b.x[i];
  double *r = b.r + 6 * i;
  r[0] = x * x + x / 3.7 - sqrt(x);
  r[1] = exp(x - 3); r[2] = log(x); r[3] = sin(x); r[4] = cos(x); r[5] = pow(x, 1.3);
}
`

// Where a driver and its clang are installed (Debian: pocl-opencl-icd), a kernel runs on it: bit for bit, functions within 2 units in the last place. All
// other tests on it need an archive with PORTABLE_OPENCL (ffi_tests/cuda/opencl).
func TestDriverRuns(t *testing.T) {
	none := func(string) string { return "" }
	t.Setenv("POCL_CACHE_DIR", t.TempDir())
	if why := openDevices(); why != "" {
		t.Skip(why)
	}
	if why := NoCompiler(0, none); why != "" {
		t.Skip(why)
	}
	j := Job{Text: numbers, File: "/nowhere/numbers.cu", Options: []string{"--fmad=false"}, Variable: none}
	files, err := filepath.Glob(filepath.Join("..", "cuda", "prelude", "*.h"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		j.HeaderNames, j.Texts = append(j.HeaderNames, filepath.Base(file)), append(j.Texts, string(text))
	}
	image, log, err := Compile(j)
	require.NoError(t, err, log)
	x := make([]float64, 4000)
	for i := range x {
		x[i] = 0.001 + float64(i)*0.0037
	}
	r, err := runEntry(image, "numbers", x, 6*len(x))
	require.NoError(t, err)
	for i, x := range x {
		r := r[6*i : 6*i+6]
		square, part := x*x, x/3.7
		require.Equal(t, float64(square+part)-math.Sqrt(x), r[0], "x = %v", x)
		for k, want := range []float64{math.Exp(x - 3), math.Log(x), math.Sin(x), math.Cos(x), math.Pow(x, 1.3)} {
			// Go's functions are within one unit themselves.
			require.LessOrEqual(t, math.Abs(r[k+1]-want), 3*math.Abs(math.Nextafter(want, 9)-want), "function %d of %v", k, x)
		}
	}
}
