package fission

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParts(t *testing.T) {
	for _, row := range []struct {
		name        string
		n           int
		order, tied [][2]int
		serial      []int
		want        string
	}{
		{"nothing depends", 3, nil, nil, nil, "[{[0 1 2] true}]"},
		{"a recurrence last", 3, [][2]int{{0, 2}, {1, 2}}, nil, []int{2}, "[{[0 1] true} {[2] false}]"},
		{"a recurrence in the middle", 3, [][2]int{{0, 1}, {1, 2}}, nil, []int{1}, "[{[0] true} {[1] false} {[2] true}]"},
		{"the last needs no recurrence", 3, [][2]int{{0, 1}}, nil, []int{1}, "[{[0 2] true} {[1] false}]"},
		{"tied around the middle", 3, [][2]int{{0, 1}, {1, 2}}, [][2]int{{0, 2}}, []int{1}, "[{[0 1 2] false}]"},
		{"serial ones join", 4, [][2]int{{0, 1}, {1, 2}, {2, 3}}, nil, []int{1, 2}, "[{[0] true} {[1 2] false} {[3] true}]"},
		{"none is parallel", 2, nil, nil, []int{0, 1}, "[{[0 1] false}]"},
		{"the other order", 2, [][2]int{{1, 0}}, nil, []int{1}, "[{[1] false} {[0] true}]"},
		{"nothing", 0, nil, nil, nil, "[]"},
	} {
		g := New(row.n)
		for _, e := range row.order {
			g.Order(e[0], e[1])
		}
		for _, e := range row.tied {
			g.Order(e[0], e[1])
			g.Order(e[1], e[0])
		}
		got := g.Parts(func(list []int) bool {
			return !slices.ContainsFunc(list, func(s int) bool { return slices.Contains(row.serial, s) })
		})
		require.Equal(t, row.want, fmt.Sprint(got), row.name)
	}
}

// Two parallel parts that are not parallel together stay two.
func TestNotTogether(t *testing.T) {
	g := New(2)
	g.Order(0, 1)
	got := g.Parts(func(list []int) bool { return len(list) == 1 })
	require.Equal(t, "[{[0] true} {[1] true}]", fmt.Sprint(got))
}

// Random graphs: each statement is in one part, tied ones are together, ordered ones keep their order.
func TestRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 2000 {
		n := 1 + r.Intn(8)
		g := New(n)
		for range r.Intn(2 * n) {
			if s, u := r.Intn(n), r.Intn(n); s != u && r.Intn(4) == 0 {
				g.Order(s, u)
				g.Order(u, s)
			} else if s != u {
				g.Order(s, u)
			}
		}
		serial := r.Intn(1 << n)
		apart := r.Intn(2) == 0
		part, kinds := make([]int, n), 0
		for k, p := range g.Parts(func(list []int) bool {
			return !slices.ContainsFunc(list, func(s int) bool { return serial>>s&1 == 1 }) && (!apart || len(list) < 3)
		}) {
			require.True(t, slices.IsSorted(p.Statements))
			for _, s := range p.Statements {
				part[s], kinds = k, kinds+1
				require.False(t, p.Parallel && serial>>s&1 == 1)
			}
		}
		require.Equal(t, n, kinds)
		for s := range n {
			for u := range n {
				require.False(t, g.after[s][u] && part[s] > part[u], "%v %v", g.after, part)
			}
		}
	}
}
