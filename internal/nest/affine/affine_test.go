package affine

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestForms(t *testing.T) {
	table := NewTable()
	i, n := Of(table.Varying("i")), Of(table.Varying("n"))
	for _, row := range []struct {
		form Form
		text string
	}{
		{i.Plus(i).Minus(Integer(3)), "2*i-3"},
		{i.Minus(i), "0"},
		{i.Plus(n).Times(i.Minus(n)), "i*i-n*n"},
		{i.Times(n).Plus(n.Times(i)), "2*i*n"},
		{i.Plus(Integer(1)).Times(n.Plus(Integer(-1))), "-i+i*n+n-1"},
		{n.Scaled(-1), "-n"},
		{Unknown.Plus(i), "?"},
		{Integer(1 << 41), "?"},
		{i.Times(i).Times(i).Times(i).Times(i), "?"},
	} {
		require.Equal(t, row.text, table.Text(row.form))
	}
	require.False(t, Unknown.Equal(Unknown))
	half, ok := i.Scaled(4).Plus(Integer(2)).Divided(2)
	require.True(t, ok)
	require.Equal(t, "2*i+1", table.Text(half))
	_, ok = i.Scaled(4).Plus(Integer(1)).Divided(2)
	require.False(t, ok)
}

func TestProofs(t *testing.T) {
	table := NewTable()
	a := func(name string) Form { return Of(table.Varying(name)) }
	i, j, n, m := a("i"), a("j"), a("n"), a("m")
	one := Integer(1)
	facts := Facts{}.And(i.Minus(one), n.Minus(i), j.Minus(i).Minus(one), m.Minus(j), n.Minus(m))
	for _, row := range []struct {
		goal   Form
		proved bool
	}{
		{n.Minus(one), true},                            // 1 <= i <= n
		{j.Minus(Integer(2)), true},                     // j > i >= 1
		{n.Minus(j), true},                              // j <= m <= n
		{n.Minus(i).Minus(one), true},                   // i < j <= n
		{m.Minus(n), false},                             // m may be smaller
		{n.Scaled(3).Minus(i).Minus(j.Scaled(2)), true}, // a combination of three facts
		{j.Scaled(2).Minus(i.Scaled(2)).Minus(one), true},
		{j.Minus(i).Minus(Integer(2)), false},
	} {
		require.Equal(t, row.proved, facts.NotNegative(row.goal), table.Text(row.goal))
	}
}

// TestProofsAreTrue looks for a wrong proof: random facts and goals, against all values in a box.
func TestProofsAreTrue(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	proofs := 0
	for range 150 {
		form := func() Form {
			f := Integer(int64(random.IntN(7) - 3))
			for a := Atom(1); a <= 3; a++ {
				f = f.Plus(Of(a).Scaled(int64(random.IntN(5) - 2)))
			}
			if random.IntN(6) == 0 {
				f = f.Plus(Of(1).Times(Of(2)).Scaled(int64(random.IntN(3) - 1)))
			}
			return f
		}
		var facts Facts
		for range 4 {
			facts = facts.And(form())
		}
		goal := form()
		if !facts.NotNegative(goal) {
			continue
		}
		proofs++
		each(func(v [4]int64) {
			for _, f := range facts {
				if value(f, v) < 0 {
					return
				}
			}
			require.GreaterOrEqual(t, value(goal, v), int64(0), "%s from %v", goal.Key(), facts)
		})
	}
	require.Greater(t, proofs, 8)
}

func each(visit func([4]int64)) {
	for x := int64(-4); x <= 4; x++ {
		for y := int64(-4); y <= 4; y++ {
			for z := int64(-4); z <= 4; z++ {
				visit([4]int64{0, x, y, z})
			}
		}
	}
}

func value(f Form, v [4]int64) int64 {
	sum := f.constant
	for _, t := range f.terms {
		product := t.coefficient
		for _, a := range t.atoms {
			product *= v[a]
		}
		sum += product
	}
	return sum
}

func TestSeparate(t *testing.T) {
	table := NewTable()
	fixed := func(name string) Form { a, _ := table.Fixed(name); return Of(a) }
	n, m := fixed("n"), fixed("m")
	i := table.Varying("i")
	v := Of(i)
	k := table.Varying("k")
	one := Integer(1)
	base := Facts{}.And(v.Minus(one), n.Minus(v)) // 1 <= i <= n
	inner := base.And(Of(k).Minus(one), n.Minus(Of(k)))
	three := base.And(Of(k).Minus(one), Integer(3).Minus(Of(k)))
	for _, row := range []struct {
		name     string
		a, b     Form
		facts    Facts
		way      Way
		distance int64
	}{
		{"equal", v, v, base, EqualIndex, 0},
		{"equal with a symbol", v.Plus(m), v.Plus(m), base, EqualIndex, 0},
		{"distance 1", v, v.Minus(one), base, Undecided, -1},
		{"distance -2", v, v.Plus(Integer(2)), base, Undecided, 2},
		{"even and odd", v.Scaled(2), v.Scaled(2).Minus(one), base, Divisibility, 0},
		{"unknown distance", v.Plus(m), v, base, Undecided, 0},
		{"constants", Integer(1), Integer(2), base, Constants, 0},
		{"beyond the end", v, n.Plus(one), base, Ranges, 0},
		{"beyond the begin", v, Integer(0), base, Ranges, 0},
		{"another half", v, v.Plus(n), base, Ranges, 0},
		{"blocks of 3", v.Scaled(3).Plus(Of(k)), v.Scaled(3).Plus(Of(k)), three, Ranges, 0},
		{"blocks of 2 that overlap", v.Scaled(2).Plus(Of(k)), v.Scaled(2).Plus(Of(k)), three, Undecided, 0},
		{"blocks of n", v.Times(n).Plus(Of(k)), v.Times(n).Plus(Of(k)), inner, Ranges, 0},
		{"triangle", Of(k), v, base.And(v.Minus(Of(k)).Minus(one), Of(k).Minus(one)), Undecided, 0},
		{"different strides", v.Scaled(2), v.Scaled(3), base, Undecided, 0},
		{"no index", m, m, base, Undecided, 0},
		{"n is not known to be 0", v.Times(m), v.Times(m), base, Undecided, 0},
	} {
		facts := append(row.facts.And(), table.Twins(row.facts)...)
		o := table.Separate(row.a, table.Twin(row.b), i, table.twin[i], facts)
		require.Equal(t, row.way, o.Way, row.name)
		require.Equal(t, row.distance, o.Distance, row.name)
	}
}
