package arrays

// This file has a model of arrays, a list of elements by index, and random operations on shape and
// model.

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// model is an array as one would write it without thinking: the position of the element of every index, listed with the first index
// running fastest.
type model struct {
	lower, extent []int64
	at            []int64
	base          int64 // default lower bound
}

// each calls visit for every index, the first one running fastest, with its number.
func each(extent []int64, visit func(number int, index []int64)) {
	n := 1
	for _, e := range extent {
		n *= int(e)
	}
	index := make([]int64, len(extent))
	for number := range n {
		visit(number, index)
		for d := range index {
			if index[d]++; index[d] < extent[d] {
				break
			}
			index[d] = 0
		}
	}
}

func (m *model) number(index []int64) int {
	n := 0
	for d := len(index) - 1; d >= 0; d-- {
		n = n*int(m.extent[d]) + int(index[d])
	}
	return n
}

// agrees compares a shape, whose first element is at origin, with the model.
func (m *model) agrees(t *testing.T, s *Shape, origin int64) {
	t.Helper()
	require.Equal(t, len(m.extent), s.Rank)
	require.Equal(t, m.lower, append([]int64{}, s.Lower[:s.Rank]...))
	require.Equal(t, m.extent, append([]int64{}, s.Extent[:s.Rank]...))
	require.EqualValues(t, len(m.at), s.Elements())
	seen := 0
	for _, d := range s.Fastest[:s.Rank] {
		seen |= 1 << d
	}
	require.Equal(t, 1<<s.Rank-1, seen, "fastest %v", s.Fastest)
	each(m.extent, func(number int, index []int64) {
		var i Indices
		for d, x := range index {
			i[d] = x + m.lower[d]
		}
		position, err := s.Locate(s.Rank, &i)
		require.NoError(t, err)
		require.Equal(t, m.at[number], origin+position, "index %v", i[:s.Rank])
	})
}

// dice makes random requests.
type dice struct{ *rand.Rand }

func (r dice) below(n int64) int64 { return r.Int64N(max(n, 1)) }

func (r dice) indices(rank int, from, to int64) []int64 {
	list := make([]int64, rank)
	for d := range list {
		list[d] = from + r.below(to-from+1)
	}
	return list
}

// array gives a random array, its model, and how much memory it lies in.
func (r dice) array(t *testing.T, mostRank int) (Shape, *model, int64) {
	rank := r.IntN(mostRank + 1)
	extent, lower := r.indices(rank, 0, 4), r.indices(rank, -3, 3)
	if r.IntN(4) > 0 {
		for d := range extent {
			extent[d] = max(extent[d], 1)
		}
	}
	m := &model{lower: lower, extent: extent, base: 1}
	request := Request{Rank: rank, Order: Order(r.IntN(3)), ElementBytes: 8, Extent: new(Indices)}
	copy(request.Extent[:], extent)
	if r.IntN(3) > 0 {
		request.Lower = new(Indices)
		copy(request.Lower[:], lower)
	} else {
		for d := range lower {
			lower[d] = 1
			if request.Order == C {
				lower[d] = 0
			}
		}
	}
	fastest := make([]int, rank)
	for k, d := range r.Perm(rank) {
		fastest[k] = d
		switch request.Order {
		case C:
			fastest[k] = rank - 1 - k
		case Fortran:
			fastest[k] = k
		}
	}
	if request.Order == Permuted {
		request.Fastest = new([MaxRank]int32)
		for k, d := range fastest {
			request.Fastest[k] = int32(d)
		}
	}
	if r.IntN(3) == 0 {
		request.RowBytes = 1 << (3 + r.IntN(4))
	}
	s, bytes, err := request.Layout()
	require.NoError(t, err)
	// Without thinking: one element after the other, lines filled up.
	stride, next := make([]int64, rank), int64(1)
	for k, d := range fastest {
		stride[d] = next
		next *= extent[d]
		for k == 0 && rank > 1 && request.RowBytes > 0 && next*8%int64(request.RowBytes) != 0 {
			next++
		}
	}
	require.EqualValues(t, next*8, bytes)
	each(extent, func(_ int, index []int64) {
		position := int64(0)
		for d, x := range index {
			position += x * stride[d]
		}
		m.at = append(m.at, position)
	})
	m.follow(&s)
	return s, m, next
}

// follow takes over what the order of the shape says of views.
func (m *model) follow(s *Shape) {
	m.base = 1
	if s.Order == C {
		m.base = 0
	}
}

// slice takes random parts of an array.
func (r dice) slice(t *testing.T, s *Shape, m *model) (Shape, int64, *model) {
	var ranges [MaxRank]Range
	lists := make([][]int64, s.Rank) // indices from 0 of each dimension
	kept := []int{}
	view := &model{}
	for d := range s.Rank {
		n := m.extent[d]
		switch r.IntN(5) {
		case 0:
			ranges[d] = All
			view.lower = append(view.lower, m.lower[d])
		case 1:
			if n > 0 {
				i := r.below(n)
				ranges[d] = Range{First: m.lower[d] + i, Last: m.lower[d] + i, Step: 0}
				lists[d] = []int64{i}
				continue
			}
			ranges[d] = Range{7, 3, 2} // empty, out of any bounds
			view.lower = append(view.lower, m.base)
		case 2:
			ranges[d] = Range{1<<63 - 1, -1 << 63, -1 - r.below(3)}
			view.lower = append(view.lower, m.base)
		default:
			first, last, step := r.below(n), r.below(n), 1+r.below(3)
			if n == 0 {
				first, last = 1, 0
			}
			ranges[d] = Range{m.lower[d] + first, m.lower[d] + last, step}
			view.lower = append(view.lower, m.base)
		}
		for i := range n {
			lists[d] = append(lists[d], i)
		}
		if x := ranges[d]; x != All {
			lists[d] = nil
			if x.Step > 0 {
				for i := x.First; i <= x.Last && n > 0; i += x.Step {
					lists[d] = append(lists[d], i-m.lower[d])
				}
			} else {
				for i := n - 1; i >= 0; i += x.Step {
					lists[d] = append(lists[d], i)
				}
			}
		}
		kept = append(kept, d)
	}
	whole := make([]int64, s.Rank)
	for d, list := range lists {
		whole[d] = int64(len(list))
	}
	view.extent = []int64{}
	for _, d := range kept {
		view.extent = append(view.extent, whole[d])
	}
	view.lower = append([]int64{}, view.lower...)
	each(whole, func(_ int, index []int64) {
		from := make([]int64, len(index))
		for d, i := range index {
			from[d] = lists[d][i]
		}
		view.at = append(view.at, m.at[m.number(from)])
	})
	v, origin, err := s.Slice(&ranges)
	require.NoError(t, err, "%v of %s", ranges[:s.Rank], s.Bounds())
	view.follow(&v)
	return v, origin, view
}

func (r dice) permute(t *testing.T, s *Shape, m *model) (Shape, *model) {
	order := r.Perm(s.Rank)
	var list [MaxRank]int32
	given := &list
	if r.IntN(3) == 0 {
		given = nil
		for d := range order {
			order[d] = s.Rank - 1 - d
		}
	}
	view := &model{lower: []int64{}, extent: []int64{}}
	for d, o := range order {
		list[d] = int32(o)
		view.lower = append(view.lower, m.lower[o])
		view.extent = append(view.extent, m.extent[o])
	}
	each(view.extent, func(_ int, index []int64) {
		from := make([]int64, len(index))
		for d, o := range order {
			from[o] = index[d]
		}
		view.at = append(view.at, m.at[m.number(from)])
	})
	v, err := s.Permute(given)
	require.NoError(t, err)
	view.follow(&v)
	return v, view
}

func (r dice) rebase(t *testing.T, s *Shape, m *model) (Shape, *model) {
	view := &model{lower: r.indices(s.Rank, -9, 9), extent: m.extent, at: m.at, base: m.base}
	lower := new(Indices)
	copy(lower[:], view.lower)
	v, err := s.Rebase(lower)
	require.NoError(t, err)
	return v, view
}

// reshape gives another shape of the same count, where that is possible.
func (r dice) reshape(t *testing.T, s *Shape, m *model) (Shape, *model) {
	sorted := slices.IsSorted(laid(s, m)) && (len(m.at) < 2 || laid(s, m)[len(m.at)-1]-laid(s, m)[0] == int64(len(m.at)-1))
	require.Equal(t, sorted || len(m.at) == 0, s.Contiguous())
	n := int64(len(m.at))
	view := &model{lower: []int64{}, extent: []int64{}}
	rest := n
	for range r.IntN(4) {
		divisor := int64(1)
		for d := range rest {
			if rest%(d+1) == 0 && r.IntN(2) == 0 {
				divisor = d + 1
			}
		}
		view.extent = append(view.extent, divisor)
		rest /= divisor
	}
	view.extent = append(view.extent, rest)
	rank := len(view.extent)
	extent := new(Indices)
	copy(extent[:], view.extent)
	v, err := s.Reshape(rank, extent, nil)
	if !s.Contiguous() || s.Order == Permuted && rank > 1 && rank != s.Rank {
		require.ErrorIs(t, err, ErrArgument)
		return *s, m
	}
	require.NoError(t, err)
	for range rank {
		base := m.base
		if s.Order == Permuted {
			base = 1
		}
		view.lower = append(view.lower, base)
	}
	// The k-th element as it lies is the k-th of the new shape as that lies.
	view.at = make([]int64, n)
	all := laid(s, m)
	indicesInOrder(view.extent, v.Fastest[:rank], func(k int, index []int64) { view.at[view.number(index)] = all[k] })
	view.follow(&v)
	return v, view
}

// laid lists the positions in the order of the shape.
func laid(s *Shape, m *model) (list []int64) {
	indicesInOrder(m.extent, s.Fastest[:s.Rank], func(_ int, index []int64) { list = append(list, m.at[m.number(index)]) })
	return list
}

func indicesInOrder(extent []int64, fastest []int8, visit func(k int, index []int64)) {
	turned := make([]int64, len(extent))
	for k, d := range fastest {
		turned[k] = extent[d]
	}
	each(turned, func(number int, index []int64) {
		back := make([]int64, len(index))
		for k, d := range fastest {
			back[d] = index[k]
		}
		visit(number, back)
	})
}
