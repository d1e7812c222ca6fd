package job

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	j, err := parse("x.job", `# a comment
compiler LLVMFlang
depfile /b/x.d
stamp /b/x.stamp
include /i
include
define A=1
define -DB
flag SHELL:-I "/with blank"
flag
flags -O2 -DC='"t"'
base /lib
with m.f90
base /src
source a.f90
output /b/a.pf.F90
source sub/b.f
output /b/b.pf.F90
flag -ffixed-form
define LOCAL
`)
	require.NoError(t, err)
	require.Equal(t, &Job{
		Sources: []Source{{Name: "/src/a.f90", Output: "/b/a.pf.F90"},
			{Name: "/src/sub/b.f", Output: "/b/b.pf.F90", Flags: []string{"-ffixed-form", "-DLOCAL"}}},
		Flags:    []string{"-I/i", "-DA=1", "-DB", "-I", "/with blank", "-O2", `-DC="t"`},
		Compiler: "llvmflang", With: []string{"/lib/m.f90"}, Depfile: "/b/x.d", Stamp: "/b/x.stamp",
	}, j)
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"output a":              "x.job:1: output stands before the first source",
		"source a":              "the source a has no output",
		"\nsauce a":             `x.job:2: the key "sauce" is not known`,
		"flags -D'x":            "x.job:1: the flags",
		"flag SHELL:-D'x":       "x.job:1: the flags",
		"source a\nsource b\no": "the source a has no output",
	} {
		_, err := parse("x.job", text)
		require.ErrorContains(t, err, want, text)
	}
}
