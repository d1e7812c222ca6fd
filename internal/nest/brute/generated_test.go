package brute

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSameSeedSameNest(t *testing.T) {
	for seed := range uint64(5) {
		first, _ := Random(seed, NewMachine())
		m := NewMachine()
		Random(seed+1000, m)
		again, _ := Random(seed, m)
		require.Equal(t, first.Fortran(), again.Fortran())
		require.Equal(t, first.Driver(), again.Driver())
	}
}

// TestLines: each loop has its line in the text.
func TestLines(t *testing.T) {
	m := NewMachine()
	for seed := range uint64(300) {
		n, truth := Random(seed, m)
		lines := strings.Split(n.Fortran(), "\n")
		for _, l := range truth.Loops {
			require.Contains(t, lines[l.Line-1], "do "+l.Var+" = ", "seed %d", seed)
		}
	}
}

// TestVariety: of a thousand nests enough are independent, and enough are not, for each reason and with each class of variables.
func TestVariety(t *testing.T) {
	m := NewMachine()
	const nests = 1000
	count := map[string]int{}
	for seed := range uint64(nests) {
		n, truth := Random(seed, m)
		claim, why := truth.Best(0)
		if why != "" {
			count["dependent"]++
			continue
		}
		count["independent"]++
		for word, is := range map[string]bool{
			"private": len(claim.Private) > 0, "last": len(claim.Last) > 0, "reduction": len(claim.Reduction) > 0, "sums": len(claim.Sums) > 0,
			"private array": strings.Contains(strings.Join(claim.Private, " ")+" ", "w "),
			"two loops":     len(truth.Loops) > 1, "jump": strings.Contains(n.Fortran(), "cycle"), "place": claim.Reduction["at"] != "",
			"section": strings.Contains(n.Fortran(), ":n") || strings.Contains(n.Fortran(), ":i"),
		} {
			if is {
				count[word]++
			}
		}
	}
	t.Log(count)
	for word, least := range map[string]int{
		"dependent": 300, "independent": 300, "private": 100, "last": 10, "reduction": 40, "sums": 15, "private array": 15, "two loops": 100, "jump": 10, "place": 3, "section": 40,
	} {
		require.GreaterOrEqual(t, count[word], least, word)
	}
}

// TestByCompiler: gfortran takes the texts; their subscripts are inside the arrays; and where truth says that a loop is independent, without
// last values, its iterations give the same results backwards.
func TestByCompiler(t *testing.T) {
	if _, err := exec.LookPath("gfortran"); err != nil || testing.Short() {
		t.Skip("no gfortran, or a short run")
	}
	seeds := uint64(60)
	if os.Getenv("PORTABLE_TEST_LONG") != "" {
		seeds = 1200
	}
	m := NewMachine()
	for first := uint64(0); first < seeds; first += 60 {
		var forth, back, drivers strings.Builder
		var nests []*Nest
		reversed := 0
		for seed := first; seed < first+60; seed++ {
			n, truth := Random(seed+5000, m)
			n.Name = "nest" + string(rune('a'+(seed-first)/26)) + string(rune('a'+(seed-first)%26))
			nests = append(nests, n)
			forth.WriteString(n.Fortran())
			drivers.WriteString(n.Driver())
			text := n.Fortran()
			for l := range truth.Loops {
				if claim, why := truth.Best(l); why == "" && len(claim.Last) == 0 && len(claim.Reduction) == 0 {
					text = n.Reversed(l)
					reversed++
					break
				}
			}
			back.WriteString(text)
		}
		require.Greater(t, reversed, 15)
		main := drivers.String() + Program(nests...)
		require.Equal(t, build(t, forth.String()+main), build(t, back.String()+main), "seeds from %d", first)
	}
}

// build compiles and runs a program.
func build(t *testing.T, text string) string {
	t.Helper()
	folder := t.TempDir()
	source := filepath.Join(folder, "all.f90")
	require.NoError(t, os.WriteFile(source, []byte(text), 0o644))
	out, err := exec.Command("gfortran", "-std=f2018", "-O0", "-fcheck=all", "-Wall", "-Wno-maybe-uninitialized", "-Wno-unused-dummy-argument", "-Wno-unused-variable",
		"-Wno-conversion", "-ffree-line-length-none", "-J", folder, "-o", source+".exe", source).CombinedOutput()
	require.NoError(t, err, string(out))
	run, err := exec.Command(source + ".exe").CombinedOutput()
	require.NoError(t, err, string(run[max(0, len(run)-600):]))
	require.Greater(t, len(run), 1000)
	return string(run)
}

func BenchmarkRandom(b *testing.B) {
	m := NewMachine()
	for i := range b.N {
		Random(uint64(i), m)
	}
}
