package arch

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// budgets are the most lines of C that each room may have: `wc -l` of .c .h .S .inc, without public headers, array kernels, device code and tests.
// A number is raised only together with an entry in the room's RATIONALE.md that says why the lines are not Go.
var budgets = map[string]int{
	"arrays/owner":            2292, // goal of HOUSE.md: 625
	"capi":                    760,  // goal of HOUSE.md: 359
	"capi/fortran":            2770, // goal of HOUSE.md: 691
	"exec/algorithm":          4020, // goal of HOUSE.md: 1235
	"exec/device":             2600, // goal of HOUSE.md: 900
	"exec/graph":              1145, // no goal in HOUSE.md
	"exec/halo":               1600, // no goal in HOUSE.md
	"exec/launch":             2320, // goal of HOUSE.md: 996
	"exec/liveout":            200,  // goal of HOUSE.md: 55
	"exec/mesh":               2090, // no goal in HOUSE.md
	"exec/race":               350,  // no goal in HOUSE.md
	"exec/stage":              640,  // no goal in HOUSE.md
	"exec/stream":             2240, // goal of HOUSE.md: 1315
	"exec/timer":              850,  // goal of HOUSE.md: 395
	"gator/front":             1950, // goal of HOUSE.md: 839
	"internal/backend/cuda":   2905, // goal of HOUSE.md: 1797, without the twins of AMD's driver
	"internal/backend/opencl": 1400, // no goal in HOUSE.md: tag opencl only
	"internal/edge":           2010, // goal of HOUSE.md: 730
	"internal/guard":          2480, // goal of HOUSE.md: 977
	"internal/handle":         200,  // goal of HOUSE.md: 115
	"internal/memcheck":       2190, // goal of HOUSE.md: 932
	"internal/observe":        1570, // goal of HOUSE.md: 832
	"internal/stacks":         1060, // goal of HOUSE.md: 835
	"internal/team":           2670, // goal of HOUSE.md: 1645
	"internal/tracing":        490,  // goal of HOUSE.md: 395
}

// counted lists the lines of C and of Go in the archive's rooms.
func counted(t *testing.T) (c, golang map[string]int) {
	c, golang = map[string]int{}, map[string]int{}
	root := filepath.Join("..", "..")
	for _, top := range []string{"arrays", "capi", "exec", "gator", "internal"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, top), func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
			if d.IsDir() {
				if notCounted(name) {
					return filepath.SkipDir
				}
				return nil
			}
			into := c
			switch ext := filepath.Ext(name); {
			case ext == ".go" && !strings.HasSuffix(name, "_test.go"):
				into = golang
			case !slices.Contains([]string{".c", ".h", ".S", ".inc"}, ext):
				return nil
			}
			text, err := os.ReadFile(path)
			into[roomWith(name)] += bytes.Count(text, []byte{'\n'})
			return err
		}))
	}
	return c, golang
}

// notCounted are folders with public headers, array kernels, device code, tests, and the commands' and generators' rooms, which are not in the archive.
func notCounted(folder string) bool {
	switch folder {
	case "capi/include", "internal/kernels", "internal/backend/cuda/kernels", "internal/backend/cuda/prelude", "internal/backend/opencl/prelude", "internal/cudasim", "internal/gen", "internal/arch", "internal/fortran", "internal/nest",
		"internal/emit", "internal/report", "internal/command", "internal/script", "internal/backend/paper", "internal/backend/fake", "internal/backend/backendtest", "gator/fronttest":
		return true
	}
	base := folder[strings.LastIndexByte(folder, '/')+1:]
	return base == "testdata" || strings.HasSuffix(base, "test") || strings.HasSuffix(base, "_tests") || base == "tests" || base == "doors"
}

// roomWith is the room of a file: the longest name in the table of rooms that its folder begins with.
func roomWith(file string) string {
	folder := file
	for {
		i := strings.LastIndexByte(folder, '/')
		if i < 0 {
			return folder
		}
		folder = folder[:i]
		if _, known := rooms[folder]; known {
			return folder
		}
	}
}

// TestBudgets: no room has more lines of C than its budget. -v prints the table and the share of Go.
func TestBudgets(t *testing.T) {
	c, golang := counted(t)
	var names []string
	linesC, linesGo := 0, 0
	for name := range c {
		names = append(names, name)
		linesC += c[name]
	}
	for _, n := range golang {
		linesGo += n
	}
	slices.Sort(names)
	for _, name := range names {
		most, known := budgets[name]
		t.Logf("%-24s C %6d of %6d   Go %6d", name, c[name], most, golang[name])
		if !known {
			t.Errorf("%s has %d lines of C and no budget; a room with C needs a line in the table of this file, and an entry in its RATIONALE.md", name, c[name])
		} else if c[name] > most {
			t.Errorf("%s has %d lines of C, its budget is %d: move what plans to Go. If measurement says that C must stay, write the entry in %s/RATIONALE.md with its figure first, then raise the budget here", name, c[name], most, name)
		}
	}
	for name := range budgets {
		if c[name] == 0 {
			t.Errorf("%s has a budget and no C: take its line out", name)
		}
	}
	t.Logf("%-24s C %6d             Go %6d, %d %% Go", "all", linesC, linesGo, 100*linesGo/(linesC+linesGo))
}
