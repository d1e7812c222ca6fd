package cuda

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPowersOfGfortran compares each product of constant powers with those in gfortran's own code.
func TestPowersOfGfortran(t *testing.T) {
	fc, err := exec.LookPath("gfortran")
	if err != nil {
		t.Skip("there is no gfortran")
	}
	var text strings.Builder
	powers := []int{1000, 1001, 4095, 65537, 2000001}
	for n := 2; n < 300; n++ {
		powers = append(powers, n)
	}
	for _, n := range powers {
		fmt.Fprintf(&text, "real(8) function p%d(x)\nreal(8), intent(in) :: x\np%d = x**%d\nend function\n", n, n, n)
	}
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "p.f90"), []byte(text.String()), 0o666))
	cmd := exec.Command(fc, "-O2", "-c", "-fdump-tree-optimized=p.opt", "p.f90")
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	dump, err := os.ReadFile(filepath.Join(folder, "p.opt"))
	require.NoError(t, err)
	function, assignment := regexp.MustCompile(`^;; Function p(\d+) `), regexp.MustCompile(`^ *(\S+) = (\S+)(?: \* (\S+))?;$`)
	seen, power, is := 0, int64(0), map[string]int64{}
	for _, line := range strings.Split(string(dump), "\n") {
		if m := function.FindStringSubmatch(line); m != nil {
			power, _ = strconv.ParseInt(m[1], 10, 64)
			is = map[string]int64{}
		} else if m := assignment.FindStringSubmatch(line); m != nil && m[3] == "" {
			is[m[1]] = 1
		} else if m != nil {
			a, b := is[m[2]], is[m[3]]
			require.True(t, a > 0 && b > 0, "x**%d: %s", power, line)
			require.Contains(t, []int64{a, b}, partOf(a+b), "x**%d: %s", power, line)
			is[m[1]] = a + b
			if a+b == power {
				seen++
			}
		}
	}
	require.Equal(t, len(powers), seen, "this compiler does not multiply")
}
