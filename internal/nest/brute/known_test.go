package brute

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// small reads short nests for the tables of this file: statements separated by `;`, references such as a(i-1,j), loops `do i=1,n{...}`.
// It knows affine subscripts, p(...) as an integer array, `+=`, and nothing else.
type small struct {
	n    *Nest
	vars map[string]int
	open []*Loop
}

func (s *small) variable(name string, rank int) int {
	if v, known := s.vars[name]; known {
		return v
	}
	s.n.Vars = append(s.n.Vars, Var{Name: name, Rank: rank})
	v := &s.n.Vars[len(s.n.Vars)-1]
	v.Integer = strings.Contains("nmijklpq", name) || name == "kk"
	v.Symbol = name == "n" || name == "m"
	v.Local = strings.Contains("ijklwxy", name)
	if name == "w" {
		v.Fixed, v.Lower, v.Upper = true, [maxRank]int{0}, [maxRank]int{9}
	}
	s.vars[name] = len(s.n.Vars) - 1
	return s.vars[name]
}

func (s *small) expr(text string) (x Expr) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "-", "+-"), " ", "")
	for _, part := range strings.Split(text, "+") {
		t := Term{Coef: 1}
		if strings.HasPrefix(part, "-") {
			t.Coef, part = -1, part[1:]
		}
		if of, in, ok := strings.Cut(part, "["); ok { // p[i]
			arg := s.expr(strings.TrimSuffix(in, "]"))
			t.Kind, t.A, t.Arg = OfElement, s.variable(of, 1), &arg
			x.Terms = append(x.Terms, t)
			continue
		}
		if factor, rest, ok := strings.Cut(part, "*"); ok {
			c, _ := strconv.Atoi(factor)
			t.Coef, part = t.Coef*c, rest
		}
		if c, err := strconv.Atoi(part); err == nil {
			x.Const += t.Coef * c
		} else if part != "" {
			t.A = s.variable(part, 0)
			x.Terms = append(x.Terms, t)
		}
	}
	return x
}

func (s *small) ref(text string) Ref {
	name, in, array := strings.Cut(strings.TrimSpace(text), "(")
	if !array {
		rank := 0
		if name == "w" {
			rank = 1
		}
		return Ref{Var: s.variable(name, rank)}
	}
	r := Ref{}
	for _, d := range strings.Split(strings.TrimSuffix(in, ")"), ",") {
		if lo, hi, section := strings.Cut(d, ":"); section {
			r.Dims = append(r.Dims, Dim{Section: true, Lo: s.expr(lo), Hi: s.expr(hi), Step: 1})
		} else {
			r.Dims = append(r.Dims, Dim{Lo: s.expr(d)})
		}
	}
	r.Var = s.variable(name, len(r.Dims))
	return r
}

func (s *small) body(text string) (list []Stmt) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), ";")) {
		if strings.HasPrefix(text, "do ") || strings.HasPrefix(text, "if ") {
			at, depth := strings.Index(text, "{"), 0
			end := at
			for ; end < len(text); end++ {
				depth += strings.Count(text[end:end+1], "{") - strings.Count(text[end:end+1], "}")
				if depth == 0 {
					break
				}
			}
			list = append(list, s.block(text[:at], text[at+1:end]))
			text = text[end+1:]
			continue
		}
		one, rest, _ := strings.Cut(text, ";")
		list = append(list, s.simple(strings.TrimSpace(one)))
		text = rest
	}
	return list
}

func (s *small) block(head, inner string) Stmt {
	if condition, is := strings.CutPrefix(head, "if "); is {
		f := strings.Fields(condition)
		return &If{Left: s.expr(f[0]), Op: f[1], Right: s.expr(f[2]), Then: s.body(inner)}
	}
	v, rest, _ := strings.Cut(strings.TrimPrefix(head, "do "), "=")
	bounds := append(strings.Split(rest, ","), "1")
	l := &Loop{Var: s.variable(v, 0), Lo: s.expr(bounds[0]), Hi: s.expr(bounds[1]), Step: s.expr(bounds[2])}
	s.open = append(s.open, l)
	l.Body = s.body(inner)
	s.open = s.open[:len(s.open)-1]
	return l
}

func (s *small) simple(text string) Stmt {
	switch text {
	case "cycle", "exit":
		return &Jump{Of: s.open[len(s.open)-1], Exit: text == "exit"}
	case "cycle out":
		return &Jump{Of: s.open[0]}
	}
	if to, from, is := strings.Cut(text, " max= "); is {
		return &Place{Op: "max", From: s.ref(from), Best: s.variable(strings.TrimSpace(to), 0), At: s.variable("kk", 0), Value: s.expr("i")}
	}
	for _, op := range []string{"+", "*"} {
		if to, from, is := strings.Cut(text, " "+op+"= "); is {
			return &Update{To: s.ref(to), Op: op, From: []Ref{s.ref(from)}}
		}
	}
	to, from, _ := strings.Cut(text, " = ")
	if strings.HasPrefix(to, "kk") {
		return &SetInt{Var: s.variable("kk", 0), Value: s.expr(from)}
	}
	a := &Assign{To: s.ref(to)}
	for _, f := range strings.Split(from, " + ") {
		if f != "0" {
			a.From = append(a.From, s.ref(f))
		}
	}
	return a
}

func known(t *testing.T, text, after string) *Truth {
	s := &small{n: &Nest{Name: "nest"}, vars: map[string]int{}}
	s.variable("n", 0)
	s.variable("m", 0)
	s.n.Top = s.body(text)[0].(*Loop)
	s.n.After = s.body(after)
	for i, n := range []int{5, 4, 1} {
		row := make([]int, len(s.n.Vars))
		row[0], row[1] = n, i-1
		s.n.Data, s.n.Fills = append(s.n.Data, row), append(s.n.Fills, i)
	}
	truth := s.n.Truth(NewMachine())
	require.NotNil(t, truth, text)
	return truth
}

// TestKnown: for each nest the best claim of each loop, in the order of the text; `no` and a variable if no claim holds.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		text, after string
		want        []string
	}{
		{"do i=1,n{a(i) = b(i)}", "", []string{""}},
		{"do i=1,n{a(i) = a(i-1)}", "", []string{"no a"}},
		{"do i=1,n{a(i) = a(i+1)}", "", []string{"no a"}},
		{"do i=1,n{a(i) = a(i+7)}", "", []string{""}},
		{"do i=1,n{a(2*i) = a(2*i-1)}", "", []string{""}},
		{"do i=1,n{a(2*i) = a(3*i)}", "", []string{"no a"}},
		{"do i=1,n,2{a(i) = a(i+1)}", "", []string{""}},
		{"do i=n,1,-1{a(i) = a(i)}", "", []string{""}},
		{"do i=1,n{a(i) = a(i+m)}", "", []string{"no a"}},
		{"do i=1,n{a(i,1) = a(i,2)}", "", []string{""}},
		{"do i=1,n{a(m) = b(i)}", "", []string{"last(a)"}},
		{"do i=1,n{x = b(i); a(i) = x}", "", []string{"private(x)"}},
		{"do i=1,n{x = b(i); a(i) = x}", "c(1) = x", []string{"last(x)"}},
		{"do i=1,n{a(i) = x; x = b(i)}", "", []string{"no x"}},
		{"do i=1,n{if p[i] > 2 {x = b(i)}; a(i) = x}", "", []string{"no x"}},
		{"do i=1,n{s += b(i)}", "", []string{"reduction(+:s)"}},
		{"do i=1,n{s *= b(i)}", "", []string{"reduction(*:s)"}},
		{"do i=1,n{s += b(i); s *= b(i)}", "", []string{"no s"}},
		{"do i=1,n{s += b(i); a(i) = s}", "", []string{"no s"}},
		{"do i=1,n{h(p[i]) += b(i)}", "", []string{"sums(+:h)"}},
		{"do i=1,n{h(p[i]) = b(i)}", "", []string{"no h"}},
		{"do i=1,n{h(p[i]) += b(i); a(i) = h(p[i])}", "", []string{"no h"}},
		{"do i=1,n{s max= b(i)}", "", []string{"reduction(max:s, maxloc:kk)"}},
		{"do j=1,n{do i=1,n{a(i,j) = b(i,j)}}", "", []string{"private(i)", ""}},
		{"do j=1,n{do i=1,n{a(i,j) = a(i-1,j)}}", "", []string{"private(i)", "no a"}},
		{"do j=1,n{do i=1,n{a(i,j) = a(i,j-1)}}", "", []string{"no a", ""}},
		{"do j=1,n{do i=1,n{a(i,j) = a(i-1,j+1)}}", "", []string{"no a", ""}},
		{"do j=1,n{do i=1,n{a(i) = b(i,j)}}", "", []string{"private(i) last(a)", ""}},
		{"do j=1,n{do i=1,j{a(i,j) = b(i,j)}}", "", []string{"private(i)", ""}},
		{"do j=1,n{do i=1,n{a(i,j) = b(i,j)}}", "c(1) = i", []string{"last(i)", ""}},
		{"do j=1,n{x = 0; do i=1,n{x += b(i,j)}; a(j) = x}", "", []string{"private(i, x)", "reduction(+:x)"}},
		{"do j=1,n{do i=1,n{w(i) = b(i,j)}; do i=1,n{a(i,j) = w(i)}}", "", []string{"private(i, w)", "", ""}},
		{"do j=1,n{do i=2,n{w(i) = b(i,j)}; do i=1,n{a(i,j) = w(i)}}", "", []string{"no w", "", ""}},
		{"do j=1,n{w = 0; do i=1,n{a(i,j) = w(i-1)}}", "", []string{"private(i, w)", ""}},
		{"do j=1,n{a(1:n,j) = b(1:n,j)}", "", []string{""}},
		{"do j=1,n{a(1:j) = b(1:j)}", "", []string{"last(a)"}},
		{"do j=1,n{a(j:n) = b(j:n)}", "", []string{"no a"}},
		{"do j=1,n{a(j:j+1) = b(1:2)}", "", []string{"no a"}},
		{"do i=1,n{if p[i] > 9 {exit}; a(i) = b(i)}", "", []string{"no jump"}},
		{"do i=1,n{if p[i] > 1 {cycle}; a(i) = b(i)}", "", []string{""}},
		{"do j=1,n{do i=1,n{if p[i] > 9 {cycle out}; a(i,j) = b(i,j)}}", "", []string{"private(i)", "no jump"}},
		{"do j=1,n{do i=1,n{if p[i] > 9 {exit}; a(i,j) = b(i,j)}}", "", []string{"private(i)", "no jump"}},
		{"do i=1,n{kk = i; a(kk) = b(i)}", "", []string{"last(kk)"}},
		{"do i=1,n{kk = kk+1; a(kk) = b(i)}", "", []string{"no kk"}},
		{"do i=1,n{a(i) = b(i); if i == 2 {x = a(i)}}", "c(1) = x", []string{""}},
		{"do i=1,n{if i < 3 {x = b(i)}}", "c(1) = x", []string{"no x"}},
	} {
		truth := known(t, c.text, c.after)
		var got []string
		for l := range truth.Loops {
			claim, why := truth.Best(l)
			if why == "" {
				require.NoError(t, truth.Check([]int{l}, claim), c.text)
				got = append(got, claim.String())
			} else {
				require.Error(t, truth.Check([]int{l}, Claim{}), c.text)
				got = append(got, "no "+strings.Trim(strings.Fields(strings.TrimPrefix(why, "a "))[0], "'"))
			}
		}
		require.Equal(t, c.want, got, "%s | %s", c.text, c.after)
	}
}

// TestClaims: claims that are wrong for one loop or for several that are collapsed.
func TestClaims(t *testing.T) {
	ops := func(v, op string) map[string]string { return map[string]string{v: op} }
	for _, c := range []struct {
		text, after string
		loops       []int
		claim       Claim
		wrong       string // what the error says; empty: the claim is right
	}{
		{"do i=1,n{x = b(i); a(i) = x}", "", []int{0}, Claim{}, "'x' has a conflict"},
		{"do i=1,n{x = b(i); a(i) = x}", "c(1) = x", []int{0}, Claim{Private: []string{"x"}}, "'x' is not private"},
		{"do i=1,n{x = b(i); a(i) = x}", "c(1) = x", []int{0}, Claim{Last: []string{"x"}}, ""},
		{"do i=1,n{if i == 2 {x = b(i)}}", "c(1) = x", []int{0}, Claim{Last: []string{"x"}}, "'x' is not the value of the last"},
		{"do i=1,n{s += b(i)}", "", []int{0}, Claim{Reduction: ops("s", "max")}, "'s' is not only updated with max"},
		{"do i=1,n{s += b(i); a(i) = s}", "", []int{0}, Claim{Reduction: ops("s", "+")}, "'s' is not only updated"},
		{"do i=1,n{h(p[i]) += b(i); a(i) = h(p[i])}", "", []int{0}, Claim{Sums: ops("h", "+")}, "'h' has an element"},
		{"do j=1,n{do i=1,n{a(i,j) = b(i,j)}}", "", []int{0, 1}, Claim{}, ""},
		{"do j=1,n{do i=1,n{a(i,j) = b(i,j)}}", "c(1) = i", []int{0}, Claim{}, "'i' is the variable of an inner loop"},
		{"do j=1,n{do i=1,n{a(i,j) = b(i,j)}}", "c(1) = i", []int{0, 1}, Claim{}, ""},
		{"do j=1,n{do i=1,n{a(i,j) = a(i-1,j)}}", "", []int{0}, Claim{}, ""},
		{"do j=1,n{do i=1,n{a(i,j) = a(i-1,j)}}", "", []int{0, 1}, Claim{}, "'a' has a conflict"},
		{"do j=1,n{do i=1,n{x = b(i,j); s += x}}", "", []int{0, 1}, Claim{Private: []string{"x"}, Reduction: ops("s", "+")}, ""},
		{"do j=1,n{do i=1,n{w(1) = b(i,j); a(i,j) = w(2)}}", "", []int{0}, Claim{Private: []string{"w"}}, "'w' is not private"},
		{"do j=1,n{do i=1,n{if p[i] > 9 {exit}; a(i,j) = b(i,j)}}", "", []int{0, 1}, Claim{}, "a jump leaves it"},
		{"do i=1,n{s max= b(i)}", "", []int{0}, Claim{Reduction: map[string]string{"s": "max", "kk": "maxloc"}}, ""},
	} {
		err := known(t, c.text, c.after).Check(c.loops, c.claim)
		if c.wrong == "" {
			require.NoError(t, err, c.text)
		} else {
			require.ErrorContains(t, err, c.wrong, c.text)
		}
	}
}
