package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNames: a program that has all names of the generated code for its own becomes the same program, with other names in what is
// generated.
func TestNames(t *testing.T) {
	ours := regexp.MustCompile(`\b(portable_[a-z0-9_]+|c_[a-z0-9_]+)\b`)
	quoted := regexp.MustCompile(`'[^'\n]*'`)
	compiled := false
	if _, err := exec.LookPath("gfortran"); err == nil {
		compiled = os.Getenv("PORTABLE_TEST_LONG") != ""
	}
	folder := t.TempDir()
	if compiled {
		stub, err := filepath.Abs("testdata/portable_list_mod.f90")
		require.NoError(t, err)
		gfortran(t, folder, "-O1", "-w", "-c", stub)
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			o := Options{Check: !compiled, Width: 10000} // no statement is broken; the module of the tests has no shadows of all types
			plain, _ := automatic(t, r.name, r.text, o)
			names := map[string]bool{}
			for _, m := range ours.FindAllString(quoted.ReplaceAllString(plain, ""), -1) {
				if m != "portable_list_mod" && m != "portable_core_mod" && !strings.Contains(r.text, m) {
					names[m] = true
				}
			}
			require.NotEmpty(t, names)
			// A module of the file has variables of all these names, and so have the units of the row.
			list := sorted(names)
			module := "module taken\n  implicit none\n"
			for _, name := range list {
				module += "  integer :: " + name + " = 1\n"
			}
			module += "end module taken\n"
			if strings.HasSuffix(r.name, ".f") {
				module = strings.ReplaceAll(module, "\n  ", "\n      ")
				module = "      " + strings.ReplaceAll(module, "\nend", "\n      end")
			}
			text, written := automatic(t, r.name, module+r.text, o)
			require.GreaterOrEqual(t, len(written), r.launches, text)
			for _, line := range strings.Split(strings.Replace(text, module, "", 1), "\n") {
				line = quoted.ReplaceAllString(line, "")
				head, only, found := strings.Cut(line, "only:")
				if strings.Contains(head, "use") && found {
					for _, x := range strings.Split(only, ",") {
						if local := strings.TrimSpace(strings.Split(x, "=>")[0]); names[local] {
							require.Fail(t, "USE takes a name of the user", "%s in\n%s", line, text)
						}
					}
					continue
				}
				if strings.Contains(line, "=> ") && !strings.Contains(line, "%") || strings.Contains(module, line) {
					continue
				}
				for _, m := range ours.FindAllString(line, -1) {
					require.False(t, names[m], "'%s' is a name of the user: %s in\n%s", m, line, text)
				}
			}
			if !compiled {
				return
			}
			suffix := filepath.Ext(r.name)
			suffix = strings.ToUpper(suffix[:2]) + suffix[2:]
			require.NoError(t, os.WriteFile(filepath.Join(folder, "converted"+suffix), []byte(text), 0o644))
			gfortran(t, folder, "-std=gnu", "-w", "-ffree-line-length-none", "-ffixed-line-length-none", "-fsyntax-only", "converted"+suffix)
		})
	}
}
