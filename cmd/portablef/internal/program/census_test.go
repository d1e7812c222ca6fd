package program

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/emit"
	"libportable/internal/emit/host"
	"libportable/internal/nest"
	"libportable/internal/nest/truth"
)

// TestCensus measures the shares of bench/loops/census that run on the threads of the host and on a device, without a directive of ours: of its nests, of
// the statements in nests, and of the statements in nests whose truth is that they can run in parallel. The floors are what was reached. All files are
// given for the device; PURE procedures that the host may call unseen have no text there.
func TestCensus(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "bench", "loops", "census")
	var inputs []Input
	require.NoError(t, filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch filepath.Ext(name) {
		case ".f90", ".F90", ".f":
			inputs = append(inputs, Input{Name: name})
		}
		return err
	}))
	p, err := Read(inputs, Options{Auto: true, Accept: map[string]bool{"do-concurrent": true}})
	require.NoError(t, err)
	onDevice := map[*nest.Nest]bool{}
	for _, n := range p.Nests {
		if n.Verdict != nest.Parallel {
			continue
		}
		k, reasons := emit.New(p.Scope, n)
		require.Empty(t, reasons)
		reasons = host.DeviceRefuses(k, p.options(p.input[n.File], "", Emission{Device: true}))
		onDevice[n] = len(reasons) == 0
		if len(reasons) > 0 {
			t.Logf("%v: host only: %s", p.Place(reasons[0].At), reasons[0].Text)
		}
	}
	type count struct{ nests, statements int }
	var all, can, threads, device count
	for i, in := range p.Inputs {
		list, err := truth.ReadFile(in.Name)
		require.NoError(t, err)
		for _, w := range list {
			add := func(to *count) { to.nests, to.statements = to.nests+1, to.statements+w.Statements }
			add(&all)
			if w.Refused == "" {
				add(&can)
			}
			parallel, lowered := false, true
			for _, n := range p.Nests {
				line := int(n.Outer.Where.From.Line)
				if p.input[n.File] == i && n.Verdict == nest.Parallel && line >= w.Do && line <= w.End {
					parallel, lowered = true, lowered && onDevice[n]
				}
			}
			if parallel {
				add(&threads)
			} else if w.Refused == "" {
				t.Logf("%s:%d: not parallel", in.Name, w.Do)
			}
			if parallel && lowered {
				add(&device)
			}
		}
	}
	share := func(name string, got count, nests, statements, possible float64) {
		of := func(a, b int) float64 { return 100 * float64(a) / float64(b) }
		n, s, c := of(got.nests, all.nests), of(got.statements, all.statements), of(got.statements, can.statements)
		t.Logf("%s: %d of %d nests (%.1f %%), %.1f %% of the statements in nests, %.1f %% of those in nests that can run in parallel", name, got.nests, all.nests, n, s, c)
		require.GreaterOrEqual(t, n, nests, name)
		require.GreaterOrEqual(t, s, statements, name)
		require.GreaterOrEqual(t, c, possible, name)
	}
	share("host", threads, 91, 94.5, 100)
	share("device", device, 89.5, 91.9, 97.1)

	// The census of real codes counts what language a tool must take, and refusals by the truth of a nest apart: a nest outside of both is refused
	// for its language. The goals of its table are of all nests taken, and of the statements in nests that are not refused for their language.
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	split := func(name string, got count, nests, statements float64) {
		row := func(what string, of, taken, truth int) float64 {
			part := func(n int) float64 { return 100 * float64(n) / float64(of) }
			line := fmt.Sprintf("| %s, %s | %.1f %% | %.1f %% | %.1f %% |", what, name, part(taken), part(truth), part(of-taken-truth))
			require.Contains(t, string(readme), line, "README.md has other figures")
			return part(taken + truth)
		}
		row("nests", all.nests, got.nests, all.nests-can.nests)
		require.GreaterOrEqual(t, 100*float64(got.nests)/float64(all.nests), nests, name)
		require.GreaterOrEqual(t, row("statements", all.statements, got.statements, all.statements-can.statements), statements, name)
	}
	split("host", threads, 91, 99)
	split("device", device, 88, 95)
}
