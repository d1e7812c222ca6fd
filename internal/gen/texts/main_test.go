package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShorten(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"int a; // b\n  int c;\n":    "int a;\nint c;\n",
		"/* a\n b */ int c;\nint d;": "int c;\n\nint d;",
		"#define A /* x\n y */ 1\n":  "#define A   1\n\n",
		"#define A \\\n    b /* c */ \\\n    d // e\n": "#define A \\\nb   \\\nd\n",
		"x = \"/* // \\\" */\"; y = '\"'; /**/ z":      "x = \"/* // \\\" */\"; y = '\"';   z",
		"a/**/b":               "a b",
		"#error don't\nb // c": "#error don't\nb",
	} {
		require.Equal(t, want, shorten(text), "%q", text)
	}
}

// The texts of the archive have the same tokens: gcc preprocesses both to the same, line by line.
func TestTexts(t *testing.T) {
	compiler, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc")
	}
	root := filepath.Join("..", "..", "..")
	folder := t.TempDir()
	files := []string{filepath.Join(root, "internal", "backend", "cuda", "builtin.go"), filepath.Join(root, "internal", "backend", "cuda", "headers.go"), filepath.Join(root, "capi", "exports_device.go")}
	require.NoError(t, run(folder, files))
	before, after := 0, 0
	for _, file := range files {
		names, err := embedded(file)
		require.NoError(t, err)
		for _, name := range names {
			short, err := filepath.Glob(filepath.Join(folder, "*_"+filepath.Base(name)))
			require.NoError(t, err)
			require.NotEmpty(t, short)
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			shortened, err := os.ReadFile(short[0])
			require.NoError(t, err)
			require.Equal(t, strings.Count(string(text), "\n"), strings.Count(string(shortened), "\n"), name)
			before, after = before+len(text), after+len(shortened)
			// Directives are left as they are: only comments go, and includes of the machine's files do not matter.
			tokens := func(text []byte) string {
				c := exec.Command(compiler, "-fpreprocessed", "-dD", "-E", "-P", "-x", "c++", "-")
				c.Stdin = strings.NewReader(string(text))
				out, err := c.Output()
				require.NoError(t, err, name)
				return strings.Join(strings.Fields(string(out)), " ")
			}
			require.Equal(t, tokens(text), tokens(shortened), name)
		}
	}
	require.Less(t, after, before*4/5)
}
