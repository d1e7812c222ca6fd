package nest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/brute"
)

// The limits of the whole way from bytes to verdicts, whatever the bytes are.
const (
	mostTime   = 10 * time.Second // of a processor, so that other work on the machine does not count
	mostMemory = 1 << 30
)

// spent is the processor time of this process.
func spent() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// limited goes all the way, and says which limit was passed.
func limited(name string, text []byte) (nests []*Nest, wrong string) {
	begin := spent()
	file := parse.File(source.Read(source.NewSet(nil), name, text, source.Options{}))
	p := scope.Build([]*tree.File{file}, scope.Options{})
	nests = Find(p, Options{Auto: true})
	Stray(p, Options{})
	took := spent() - begin
	for _, n := range nests {
		if n.Outer == nil || n.Verdict == Refused && len(n.Refusals) == 0 || n.Verdict == Parallel && len(n.Loops) == 0 {
			return nests, "an incomplete verdict"
		}
	}
	var m runtime.MemStats // Sys never falls
	runtime.ReadMemStats(&m)
	switch {
	case took > mostTime:
		return nests, fmt.Sprintf("%d bytes took %v", len(text), took)
	case m.Sys > mostMemory:
		return nests, fmt.Sprintf("%d bytes needed %d MB", len(text), m.Sys>>20)
	}
	return nests, ""
}

// many writes a line n times; # stands for the number, @ for the next one.
func many(n int, line string) string {
	var b strings.Builder
	for k := range n {
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(line, "#", strconv.Itoa(k)), "@", strconv.Itoa(k+1)))
		b.WriteByte('\n')
	}
	return b.String()
}

// nested are n loops i0, i1, ... around a body, with a line in each of them.
func nested(n int, each, body string) string {
	return many(n, "do i#=1,n\n"+each) + body + "\n" + many(n, "end do")
}

// TestLimits: large and deep sources end with a verdict in time.
func TestLimits(t *testing.T) {
	s := func(declarations, body string) string {
		return "subroutine s(a,b,n)\ninteger n\nreal a(n),b(n)\n" + declarations + body + "\nend\n"
	}
	loop := func(body string) string { return "do i=1,n\n" + body + "\nend do\n" }
	round := func(n int, inner string) string { return strings.Repeat("(", n) + inner + strings.Repeat(")", n) }
	for _, row := range []struct {
		name, text, want string
		long             bool
	}{
		{"60 loops", s("", nested(60, "", "a(i1)=a(i2)")), "unknown-distance", true},
		{"30 loops", s("", nested(30, "", "a(i1)=a(i2)")), "unknown-distance", false},
		{"calls as a small tree", "module m\ncontains\n" + many(12, "subroutine p#(x)\nreal x\n"+strings.Repeat("call p@(x)\n", 6)+"end subroutine") +
			"subroutine p12(x)\nreal x\nx=x+1\nend\nsubroutine s(a,n)\nreal a(n)\ndo i=1,n\ncall p0(a(i))\nend do\nend\nend module\n", "not-read", false},
		{"1000 nests in a row", s("", many(1000, "do i=1,n\nt=a(i)\nb(i)=t\nend do")), "parallel i", false},
		{"a long way behind the loop", s("", loop("b(i)=i\nif (a(i) > 0) call put(t)")+many(21000, "k=k+n")+"b(1)=t\ncontains\nsubroutine put(x)\nreal, intent(out) :: x\nx=n\nend subroutine\n"), "too many to see if 't' is used", false},
		{"250 loops", s("", nested(250, "", "a(i1)=a(i2)")), "not-read", true},
		{"loops with a work array", s("real w(0:200)\n", loop(nested(14, "w(i#)=w(i#-1)+i", "")+"a(i)=w(3)")), "private-array", false},
		{"60 loops with a work array", s("real w(0:200)\n", loop(nested(60, "w(i#)=w(i#-1)+i", "")+"a(i)=w(3)")), "not-read", true},
		{"deep conditions", s("", loop(many(200, "if (n>#) then")+"a(i)=a(i)+n\n"+strings.Repeat("end if\n", 200))), "parallel", false},
		{"sums of elements", s("", loop(many(10000, "a(i)=a(i)+b(i)*#"))), "parallel", true},
		{"different elements", s("", loop(many(10000, "a(i+#)=b(i+#)"))), "not-read", false},
		{"hard pairs", s("", loop(many(140, "a(i+n*#)=b(i+#)"))), "", false},
		{"deep and wide", s("", nested(40, "", many(100, "a(i1+#)=a(i2)"))), "not-read", true},
		{"deep with work in each loop", s("", nested(40, many(20, "a(i0+#)=a(n-i0)"), "")), "", true},
		{"products", s("", nested(3, "", many(140, "a(i0*n*#+i1*i2*i0-(n+i0+i1)*(i2+n*#))=a((i0+i1+n+#)*(i1+i2+n)*(i2+i0))"))), "", false},
		{"scalars", s("", loop(many(9000, "t#=a(i)+#")+many(9000, "a(i)=a(i)+t#"))), "parallel", true},
		{"reductions", s("", loop(many(8000, "t#=t#+b(i)"))+many(8000, "b(#)=t#")), "parallel", true},
		{"values", s("", loop(many(9000, "k#=i+#")+many(3000, "if (b(i)>#) k#=k@"))), "", true},
		{"arrays", s(many(6000, "real, target :: x#(n)"), loop(many(6000, "x#(i)=x#(i)+1"))), "not-read", false},
		{"work arrays", s(many(2000, "real w#(10)"), loop(many(2000, "w#(1)=i\nw#(2)=w#(1)"))), "", false},
		{"COMMON", s(many(6000, "real x#(10)\ncommon /c/ x#"), loop(many(6000, "x#(i)=x#(i)+1"))), "parallel", false},
		{"calls in a row", "module m\n" + many(3000, "real g#") + "contains\n" + many(3000, "subroutine p#(x)\nreal x\nx=x+g#\ng#=x\ncall p@(x)\nend subroutine") +
			"subroutine p3000(x)\nreal x\nend\nsubroutine s(a,n)\nreal a(n)\n" + loop("call p0(a(i))") + "end\nend module\n", "", true},
		{"calls as a tree", "module m\ncontains\n" + many(300, "subroutine p#(x)\nreal x\n"+strings.Repeat("call p@(x)\n", 6)+"end subroutine") +
			"subroutine p300(x)\nreal x\nx=x+1\nend\n" + many(300, "subroutine s#(a,n)\nreal a(n)\ndo i=1,n\ncall p#(a(i))\nend do\nend") + "end module\n", "", true},
		{"nests in a row", s("", many(8000, "do i=1,n\nt=a(i)\nb(i)=t\nend do")), "", true},
		{"nests in a loop", s("", "do i0=1,n\n"+many(3000, "do i=1,n\nt=a(i)\na(i)=t+a(i+1)\nend do")+"end do"), "", true},
		{"procedures", many(5000, "subroutine s#(a,b,n)\nreal a(n),b(n)\ndo i=1,n\nt=a(i)\nb(i)=t\nend do\nend"), "parallel", true},
		{"parentheses", s("", loop("a(i)="+round(100000, "i"))), "", false},
		{"parentheses of an index", s("", loop("a("+round(100000, "i")+")=1")), "", false},
		{"terms", s("", loop("a(i)=a(i)"+strings.Repeat("+b(i)", 100000))), "not-read", false},
		{"indices of indices", s("integer q(n)\n", loop(strings.Repeat("q(", 20000)+"i"+strings.Repeat(")", 20000)+"=1")), "", false},
		{"a line of 1 MB", s("", loop("a(i)="+strings.Repeat("1", 1<<20))), "", false},
		{"statements in one line", s("", "do i=1,n; "+strings.Repeat("a(i)=1; ", 100000)+"\nend do"), "", false},
		{"jumps", s("", loop(many(5000, "if (a(i)>#) goto @\na(i)=a(i)+1\n@ continue"))), "parallel", false},
		{"cases", s("", loop("select case(i)\n"+many(4000, "case(#)\na(i+#)=i\nk#=i")+"end select")), "", true},
		{"names for names", s("", "associate (b0=>a)\n"+many(300, "associate (b@=>b#)")+loop("b300(i)=i")+strings.Repeat("end associate\n", 301)), "", false},
		{"statement functions", s("f0(x)=x+1\n"+many(40, "f@(x)=f#(x)+f#(x)"), loop("a(i)=f40(real(i))")), "not-read", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.long && os.Getenv("PORTABLE_TEST_LONG") == "" {
				t.Skip("a row of the long part")
			}
			begin := spent()
			nests, wrong := limited("a.f90", []byte(row.text))
			if wrong != "" {
				t.Error(wrong)
			}
			var all []string
			for _, n := range nests[:min(len(nests), 3)] {
				all = append(all, summaryOf(n))
			}
			got := strings.Join(all, " | ")
			t.Logf("%v %.200s", spent()-begin, got)
			require.Contains(t, got, row.want)
		})
	}
}

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
