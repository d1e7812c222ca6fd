package nest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libportable/internal/nest/brute"
)

// FuzzFind: any bytes end without a panic, in bounded time and memory.
func FuzzFind(f *testing.F) {
	for _, folder := range []string{"refused", "semantics"} {
		files, _ := filepath.Glob(filepath.Join("..", "..", "ffi_tests", "loops", folder, "*.[fF]*"))
		for _, name := range files {
			if text, err := os.ReadFile(name); err == nil {
				f.Add(text, filepath.Ext(name) == ".f")
			}
		}
	}
	for _, n := range []int{2, 5, 9} {
		f.Add([]byte("subroutine s(a,w,n)\nreal a(n),w(n)\n"+nested(n, "w(i#)=w(i#-1)+i0", "a(i1)=a(i2)+w(3)")+"end\n"), false)
	}
	f.Add([]byte(in("!$omp parallel do private(t) reduction(+:s1)\ndo i=1,n\nt=x(i)\ns1=s1+t\nend do\nx(1)=s1")), false)
	f.Fuzz(func(t *testing.T, text []byte, fixed bool) {
		name := "a.f90"
		if fixed {
			name = "a.f"
		}
		if _, wrong := limited(name, text); wrong != "" {
			t.Fatal(wrong)
		}
	})
}

// TestMutated: sources with lines and words lost, doubled, exchanged end in a verdict in bounded time. PORTABLE_MUTATIONS is their number.
func TestMutated(t *testing.T) {
	count := 60
	if text := os.Getenv("PORTABLE_MUTATIONS"); text != "" {
		var err error
		count, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	var seeds []string
	for _, folder := range []string{"refused", "semantics"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "ffi_tests", "loops", folder, "*.[fF]90"))
		require.NoError(t, err)
		for _, name := range files {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			seeds = append(seeds, string(text))
		}
	}
	require.NotEmpty(t, seeds)
	for seed := range count {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		text := mutated(seeds[random.IntN(len(seeds))], random)
		func() {
			defer func() {
				if r := recover(); r != nil {
					_ = os.WriteFile(filepath.Join(t.TempDir(), "mutated.f90"), []byte(text), 0o644)
					t.Errorf("seed %d: %v\n%s", seed, r, text)
					panic(r)
				}
			}()
			begin := time.Now()
			for _, n := range nestsOf("mutated.f90", text) {
				require.False(t, n.Verdict == Refused && len(n.Refusals) == 0, "seed %d: line %d is refused without a reason", seed, n.Outer.Where.From.Line)
			}
			require.Less(t, time.Since(begin), 20*time.Second, "seed %d", seed)
		}()
	}
}

func mutated(text string, random *rand.Rand) string {
	lines := strings.Split(text, "\n")
	for range 1 + random.IntN(8) {
		i, k := random.IntN(len(lines)), random.IntN(len(lines))
		switch random.IntN(7) {
		case 0:
			lines = slices.Delete(lines, i, i+1)
		case 1:
			lines = slices.Insert(lines, i, lines[k])
		case 2:
			lines[i], lines[k] = lines[k], lines[i]
		case 3: // words of another line
			a, b := strings.Fields(lines[i]), strings.Fields(lines[k])
			if len(a) > 0 && len(b) > 0 {
				a[random.IntN(len(a))] = b[random.IntN(len(b))]
				lines[i] = strings.Join(a, " ")
			}
		case 4:
			if n := len(lines[i]); n > 0 {
				at := random.IntN(n)
				lines[i] = lines[i][:at] + string("()%,:*=+1ia"[random.IntN(11)]) + lines[i][at:]
			}
		case 5:
			if n := len(lines[i]); n > 0 {
				at := random.IntN(n)
				lines[i] = lines[i][:at] + lines[i][at+1:]
			}
		case 6:
			old, new := "i", []string{"j", "k", "n", "a", "1", "i+1", "a(i)", "x%y"}[random.IntN(8)]
			lines[i] = strings.Replace(lines[i], old, new, 1)
		}
		if len(lines) == 0 {
			return ""
		}
	}
	return strings.Join(lines, "\n")
}

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
