package instance

// This file compares documents with the environment: every variable that they name exists, and
// every variable is explained. Not in this file: the values (environment_test.go), the examples of
// the documents (ffi_tests/documents).

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/settings"
)

// like matches the names of variables. Constants and options of CMake look the same.
var like = regexp.MustCompile(`\b(?:GATOR|PORTABLE)_[A-Z][A-Z_]*[A-Z]\b`)

func read(t *testing.T, pattern ...string) (texts map[string]string) {
	texts = map[string]string{}
	for _, p := range pattern {
		found, err := filepath.Glob(filepath.Join("..", "..", p))
		require.NoError(t, err)
		for _, f := range found {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			texts[f] = string(text)
		}
	}
	require.NotEmpty(t, texts)
	return texts
}

func TestDocumentsNameVariablesThatExist(t *testing.T) {
	// These names are no variables: constants of the header, options and functions of CMake.
	var others []string
	for _, text := range read(t, "capi/include/*/portable*.h", "capi/include/*/portable*.hpp", "CMakeLists.txt", "cmake/*") {
		others = append(others, like.FindAllString(text, -1)...)
	}
	for name, text := range read(t, "*.md", "docs/*.md", "docs/*/*.md", "examples/*/*.md", "capi/include/c/portable.h") {
		for i, line := range strings.Split(text, "\n") {
			for _, variable := range like.FindAllString(line, -1) {
				if slices.Contains(settings.Names(), variable) || strings.HasSuffix(name, ".h") && !strings.HasPrefix(variable, "GATOR_") {
					continue
				}
				// Families of constants, as PORTABLE_ERR_ in front of a star, are named by their beginning.
				require.True(t, slices.ContainsFunc(others, func(o string) bool { return strings.HasPrefix(o, variable) && !strings.HasPrefix(variable, "GATOR_") }),
					"%s:%d names %s, which is no variable of this version, no constant of portable.h and no option of CMake", name, i+1, variable)
			}
		}
	}
}

func TestDocumentsExplainEveryVariable(t *testing.T) {
	for name, text := range read(t, "docs/build/environment.md") {
		for _, variable := range settings.Names() {
			require.Contains(t, text, "\n| `"+variable+"` |", "%s has no row for %s", name, variable)
		}
	}
}
