package nest

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/nest/brute"
)

// claimOf is what a verdict claims, in the words of package brute.
func claimOf(n *Nest) brute.Claim {
	c := brute.Claim{Reduction: map[string]string{}, Sums: map[string]string{}}
	for _, y := range n.Last {
		c.Last = append(c.Last, y.Name)
	}
	for _, y := range n.Private {
		if !slices.Contains(c.Last, y.Name) {
			c.Private = append(c.Private, y.Name)
		}
	}
	for _, r := range n.Reductions {
		c.Reduction[r.Symbol.Name] = string(r.Operator)
		for _, p := range r.Place {
			c.Reduction[p.Name] = string(r.Operator) + "loc"
		}
	}
	for _, s := range n.Sums {
		c.Sums[n.Arguments[s.Argument].Symbol.Name] = string(s.Operator)
	}
	return c
}

// TestBruteForce proves that no verdict "parallel" is wrong: random nests against the accesses that they really make.
// PORTABLE_NESTS is the number of nests.
func TestBruteForce(t *testing.T) {
	count := 2000
	if text := os.Getenv("PORTABLE_NESTS"); text != "" {
		var err error
		count, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	m := brute.NewMachine()
	proofs, outer, independent, wrong := 0, 0, 0, 0
	missed := map[Rule]int{}
	for seed := range count {
		n, truth := brute.Random(uint64(seed), m)
		text := n.Fortran()
		nests := Find(program("nest.f90", text), Options{Auto: true})
		outermost := false
		for _, found := range nests {
			if found.Verdict != Parallel {
				continue
			}
			var loops []int
			for _, l := range found.Loops {
				at := slices.IndexFunc(truth.Loops, func(x brute.LoopTruth) bool { return x.Line == int(l.Do.Where.From.Line) })
				require.NotEqual(t, -1, at)
				loops = append(loops, at)
				outermost = outermost || truth.Loops[at].Depth == 1
			}
			proofs++
			if err := truth.Check(loops, claimOf(found)); err != nil {
				wrong++
				if wrong < 6 {
					t.Errorf("seed %d: %s is wrong: %v\n%s", seed, summaryOf(found), err, text)
				}
			}
		}
		if _, why := truth.Best(0); why == "" {
			independent++
			if outermost {
				outer++
			} else {
				rule := Rule("none")
				for _, found := range nests {
					if len(found.Refusals) > 0 {
						rule = found.Refusals[0].Rule
						if os.Getenv("PORTABLE_SHOW") == string(rule) {
							fmt.Println(seed, summaryOf(found), found.Refusals[0].Text, "\n", text)
						}
						break
					}
				}
				missed[rule]++
			}
		}
	}
	t.Logf("%d nests, %d proofs, %d wrong; %d outer loops are independent for the data, %d of them proved; the others by reason: %v", count, proofs, wrong, independent, outer, missed)
	require.Greater(t, proofs, count/4)
}
