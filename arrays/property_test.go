package arrays

// These tests compare shapes after random operations with the model (model_test.go).

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// walk makes a random array and random views of views of it, each compared with the model.
func (r dice) walk(t *testing.T, mostRank int) (Shape, int64, *model, int64) {
	s, m, memory := r.array(t, mostRank)
	m.agrees(t, &s, 0)
	origin := int64(0)
	for range r.IntN(4) {
		var by int64
		switch r.IntN(4) {
		case 0:
			s, by, m = r.slice(t, &s, m)
			origin += by
		case 1:
			s, m = r.permute(t, &s, m)
		case 2:
			s, m = r.rebase(t, &s, m)
		case 3:
			s, m = r.reshape(t, &s, m)
		}
		if len(m.at) == 0 {
			return s, origin, m, memory
		}
		m.agrees(t, &s, origin)
	}
	return s, origin, m, memory
}

// section compares what Fortran is given with the model.
func section(t *testing.T, s *Shape, origin int64, m *model) {
	p, err := s.Section()
	if err != nil {
		require.ErrorIs(t, err, ErrArgument)
		require.NotEqual(t, Fortran, s.Order, "%+v", s)
		return
	}
	each(m.extent, func(number int, index []int64) {
		position, stride := origin+p.Origin, int64(1)
		for d, i := range index {
			at := p.First[d] + i*p.Step[d]
			require.True(t, at >= 1 && at <= p.Big[d], "%+v of %+v", p, s)
			position += (at - 1) * stride
			stride *= p.Big[d]
		}
		require.Equal(t, m.at[number], position)
	})
	for d := range s.Rank {
		if m.extent[d] > 0 {
			require.Equal(t, m.extent[d], (p.Last[d]-p.First[d])/p.Step[d]+1)
		}
	}
}

// pair compares a planned copy with one by index.
func pair(t *testing.T, p Plan, fromAt, toAt []int64, from, to int64) {
	want, got := map[int64]int64{}, map[int64]int64{}
	for k := range fromAt {
		want[toAt[k]] = fromAt[k]
	}
	extent := make([]int64, p.Rank)
	for k, a := range p.Axes[:p.Rank] {
		extent[k] = a.Extent
		require.Greater(t, a.Extent, int64(1))
	}
	require.EqualValues(t, len(fromAt), p.Elements)
	if p.Elements > 0 {
		each(extent, func(_ int, index []int64) {
			f, g := from, to
			for k, i := range index {
				f += i * p.Axes[k].From
				g += i * p.Axes[k].To
			}
			got[g] = f
		})
	}
	require.Equal(t, want, got)
}

func property(t *testing.T, seed uint64) {
	r := dice{rand.New(rand.NewPCG(seed, 0))}
	mostRank := 4
	if r.IntN(8) == 0 {
		mostRank = 7
	}
	s, origin, m, _ := r.walk(t, mostRank)
	section(t, &s, origin, m)
	if position, err := s.Locate(s.Rank+1, new(Indices)); err == nil || position != 0 {
		t.Errorf("an index too many is at %d", position)
	}

	// A copy in any other order, and back through what it lies in.
	o, other := r.permute(t, &s, m)
	compact, _, err := o.Compact(8)
	require.NoError(t, err)
	require.True(t, compact.Contiguous())
	require.Equal(t, o.Order, compact.Order)
	p, err := Pair(&o, &compact)
	require.NoError(t, err)
	at := make([]int64, 0, len(other.at))
	each(other.extent, func(_ int, index []int64) {
		position := int64(0)
		for d, i := range index {
			position += i * compact.Stride[d]
		}
		at = append(at, position)
	})
	pair(t, p, other.at, at, origin, 0)
	numbers := make([]int64, len(other.at))
	for k := range numbers {
		numbers[k] = int64(k)
	}
	pair(t, Numbered(&o), other.at, numbers, origin, 0)

	// As many elements of another shape.
	v, view := r.reshape(t, &compact, &model{lower: other.lower, extent: other.extent, at: at, base: other.base})
	if !SameShape(&v, &compact) {
		p, err := Pair(&compact, &v)
		require.NoError(t, err)
		require.LessOrEqual(t, p.Rank, MaxRank)
		_ = view
	}
}

func TestProperties(t *testing.T) {
	for seed := range uint64(3000) {
		property(t, seed)
	}
}

func FuzzProperties(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(property)
}
