// Package loops tests the sources below this folder without the tool: their counts, that compilers take them, and that their results do not
// depend on the level of optimisation.
package loops

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"libportable/internal/nest/truth"

	"github.com/stretchr/testify/require"
)

// long says that the wide part runs too.
func long() bool { return os.Getenv("PORTABLE_TEST_LONG") != "" }

// sources are the sources of a folder.
func sources(t *testing.T, folder string) (names []string) {
	for _, pattern := range []string{"*.f90", "*.F90", "*.f"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		require.NoError(t, err)
		names = append(names, found...)
	}
	require.NotEmpty(t, names)
	return names
}

// nestsOf are the nests of a source.
func nestsOf(t *testing.T, name string) []truth.Nest {
	list, err := truth.ReadFile(name)
	require.NoError(t, err)
	require.NotEmpty(t, list, "%s has no nest", name)
	return list
}

// nests are the nests of all sources of a folder.
func nests(t *testing.T, folder string) (all []truth.Nest) {
	for _, name := range sources(t, folder) {
		all = append(all, nestsOf(t, name)...)
	}
	return all
}

// compiles runs a compiler, and fails with its text.
func compiles(t *testing.T, compiler string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("no %s", compiler)
	}
	out, err := exec.Command(compiler, args...).CombinedOutput()
	require.NoError(t, err, string(out))
}
