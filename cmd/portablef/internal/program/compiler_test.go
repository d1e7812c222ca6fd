package program

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/flags"
	"libportable/internal/fortran/scope"
)

func TestCompiler(t *testing.T) {
	f, err := flags.Read("", []string{"-DA", "-DF(x)=x", "-DB=1", "-UA", "-DB=2", "-fdefault-real-8", "-fopenmp"})
	require.NoError(t, err)
	require.Equal(t, []string{"F", "B"}, defined(f))
	o, err := scopes(f)
	require.NoError(t, err)
	require.Equal(t, scope.Options{Real: 8, Double: 16, Recursive: true}, o)
	for _, word := range []string{"-freal-4-real-8", "-finteger-4-integer-8"} {
		f, err := flags.Read("", []string{word})
		require.NoError(t, err)
		_, err = scopes(f)
		require.ErrorContains(t, err, "declared kinds of 4 bytes ones of 8 bytes")
	}
}
