package program

import (
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestColumnsAnywhere: the clause before any loop or call of any source gives a verdict, and the text that it makes is read without a new fault.
func TestColumnsAnywhere(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	clauses := []string{"columns(i=1:n)", "columns(j=1:m, i=1:n) private(t)", "columns(k=1:9)", "columns(l=1:3)"}
	tried, planned := 0, 0
	err := filepath.WalkDir("../../../../ffi_tests/loops", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".f90") {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			word, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(line)), " ")
			if word != "call" && word != "do" || random.Intn(12) > 0 {
				continue
			}
			tried++
			marked := slices.Insert(slices.Clone(lines), i, "!$portable parallel "+clauses[random.Intn(len(clauses))])
			p, err := Read(written(t, filepath.Base(path), strings.Join(marked, "\n")), Options{Device: true})
			require.NoError(t, err)
			if p.plan != nil {
				planned++
				require.Len(t, p.Files[0].Problems, len(p.user[0].Problems), "%s:%d", path, i+1)
				_, _ = p.Generate(0, "a.pf.F90", Emission{Markers: true, Device: true})
			}
			p.Report("convert")
		}
		return nil
	})
	require.NoError(t, err)
	t.Log(tried, "places,", planned, "plans")
	require.Greater(t, planned, 3)
}
