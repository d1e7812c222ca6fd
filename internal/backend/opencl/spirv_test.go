package opencl

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Where clang and the translator are installed, a source with shared memory, shuffles and atomic operations becomes SPIR-V, which
// is the form for drivers other than PoCL. Where its checker is, the program is valid.
func TestSPIRV(t *testing.T) {
	found, why := find(Form{}, func(string) string { return "" })
	if why != "" {
		t.Skip(why)
	}
	root := filepath.Join("..", "..", "..")
	j := Job{File: "/nowhere/sort.cu", Options: []string{"--fmad=false"}}
	for _, pattern := range []string{"internal/backend/cuda/prelude/*.h", "internal/backend/cuda/kernels/*.h", "capi/include/*/*.h"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			j.HeaderNames, j.Texts = append(j.HeaderNames, filepath.Base(file)), append(j.Texts, string(text))
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "internal/backend/cuda/kernels/sort.cu"))
	require.NoError(t, err)
	j.Text = string(text)
	folder := t.TempDir()
	parameters, log, err := j.bitcode(folder, found)
	require.NoError(t, err, log)
	require.Equal(t, 192, parameters["keys8_scatter"])
	log, err = run(folder, found.translator, "--spirv-max-version=1.2", "-o", "program.spv", "program.bc")
	require.NoError(t, err, log)
	if check := program("spirv-val"); check != "" {
		log, err = run(folder, check, "--target-env", "spv1.2", "program.spv")
		require.NoError(t, err, log)
	}
}
