package halo

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// sorted makes the migration of a rank by the owners of its particles.
func sorted(owner []int, received []int64) *Particles {
	p := &Particles{Count: int64(len(owner)), First: []int64{0}, Received: received}
	for rank := range received {
		for i, o := range owner {
			if o == rank {
				p.Order = append(p.Order, int64(i))
			}
		}
		p.First = append(p.First, int64(len(p.Order)))
	}
	return p
}

// TestParticles: particles of random owners against lists that are moved one by one. A particle's number is 1000 rank + place.
func TestParticles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 400 {
		ranks, most := 1+r.IntN(5), r.IntN(12)
		owner, want := make([][]int, ranks), make([][]int64, ranks)
		received := make([][]int64, ranks)
		for rank := range owner {
			received[rank] = make([]int64, ranks)
			for range r.IntN(most + 1) {
				to := r.IntN(ranks)
				if r.IntN(3) > 0 {
					to = rank
				}
				owner[rank] = append(owner[rank], to)
			}
		}
		for stays := 1; stays >= 0; stays-- {
			for rank := range owner {
				for i, to := range owner[rank] {
					if (stays == 1) == (to == rank) {
						want[to] = append(want[to], int64(1000*rank+i))
						received[to][rank]++
					}
				}
			}
		}
		w := world{}
		extent := int64(12*ranks + 2)
		for rank := range ranks {
			data := [][]int64{make([]int64, extent), make([]int64, 3*extent), make([]int64, 2*extent)}
			for i := range int64(len(owner[rank])) {
				x := int64(1000*rank) + i
				data[0][i], data[1][3*i], data[1][3*i+2], data[2][extent+i] = x, x+1, x+2, x+3
			}
			s := &Spec{Rank: rank, Ranks: ranks, Particles: sorted(owner[rank], received[rank])}
			fields := []Field{field("a", data[0], []int64{extent}, []int{0}, nil), field("b", data[1], []int64{3, extent}, []int{0, 1}, nil),
				field("c", data[2], []int64{extent, 2}, []int{0, 1}, []int{0})}
			w.specs, w.data, w.fields = append(w.specs, s), append(w.data, data), append(w.fields, fields)
		}
		w.exchange(t, false)
		for rank := range ranks {
			n, _ := w.specs[rank].Particles.After(rank)
			require.EqualValues(t, len(want[rank]), n)
			require.Equal(t, want[rank], append([]int64(nil), w.data[rank][0][:n]...))
			for i, x := range want[rank] {
				require.Equal(t, []int64{x + 1, 0, x + 2}, w.data[rank][1][3*i:3*i+3])
				require.Equal(t, x+3, w.data[rank][2][extent+int64(i)])
			}
		}
	}
}

// TestParticlesRefused: each text names the field, its extent and the number that it needs.
func TestParticlesRefused(t *testing.T) {
	data := make([]int64, 24)
	s := &Spec{Rank: 1, Ranks: 3, Particles: sorted([]int{1, 0, 1}, []int64{4, 0, 2})}
	fields := []Field{field("x", data, []int64{8}, []int{0}, nil), field("v", data, []int64{3, 7}, []int{0, 1}, nil)}
	_, is := New(s, fields)
	require.EqualValues(t, "extent 2 of field 2 'v' is 7, and 8 particles need a place here: 6 arrive; make the field larger before the migration", is)
	_, is = New(s, []Field{field("x", data, []int64{2}, []int{0}, nil)})
	require.EqualValues(t, "extent 1 of field 1 'x' is 2; there are 3 particles", is)
	_, is = New(s, nil)
	require.Contains(t, is, "there is no field")
	_, is = New(s, []Field{field("x", data, []int64{3, 4}, []int{0, 1}, []int{0, 1})})
	require.Contains(t, is, "field 1 'x' names 2 dimensions")
	require.EqualValues(t, "the owner of particle 3 of 3 is rank -1; the ranks are 0 to 2", s.Wrong(2, -1))
}
