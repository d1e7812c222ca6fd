package arrays

// This file lays out arrays. Request.Layout places the elements of new memory, Request.Wrap those
// of memory that the program has; both check rank, extents, order and overflow.

import (
	"math"
	"math/bits"
)

// Request is an array to lay out.
type Request struct {
	Rank         int
	Order        Order
	Fastest      *[MaxRank]int32 // of Permuted
	Extent       *Indices
	Lower        *Indices // nil: 0 in C order, 1 in any other
	ElementBytes uint64
	RowBytes     uint64 // lines of the fastest dimension begin at multiples of it; 0: without gaps
}

// Layout lays out new memory: its shape and bytes.
func (r *Request) Layout() (s Shape, bytes uint64, err error) {
	if s, err = r.shape(); err != nil {
		return Shape{}, 0, err
	}
	if s.empty() {
		for d := range s.Rank {
			s.Stride[d] = 1
		}
		return s, 0, nil
	}
	step, whole := uint64(1), uint64(1)
	for k, d := range s.Fastest[:s.Rank] {
		s.Stride[d] = int64(whole)
		over, product := bits.Mul64(whole, uint64(s.Extent[d]))
		if k == 0 && r.RowBytes > 0 && s.Rank > 1 {
			step = r.RowBytes / gcd(r.RowBytes, r.ElementBytes)
			if product > math.MaxInt64-step {
				over = 1
			}
			product = (product + step - 1) / step * step
		}
		if over > 0 || product > math.MaxInt64 {
			return Shape{}, 0, r.tooMany(&s)
		}
		whole = product
	}
	over, bytes := bits.Mul64(whole, r.ElementBytes)
	if over > 0 || bytes > math.MaxInt64 {
		return Shape{}, 0, r.tooMany(&s)
	}
	return s, bytes, nil
}

func (r *Request) tooMany(s *Shape) error {
	return overflow("the byte count of the bounds %s with %d bytes an element overflows; look at how the extents were computed", s.Bounds(), r.ElementBytes)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Wrap gives the shape of elements of the program; strides nil: without gaps.
func (r *Request) Wrap(strides *Indices) (Shape, error) {
	if strides == nil {
		s, _, err := r.Layout()
		return s, err
	}
	s, err := r.shape()
	if err != nil {
		return Shape{}, err
	}
	copy(s.Stride[:s.Rank], strides[:])
	if s.empty() {
		return s, nil
	}
	// The count, and the distance of the farthest element in each direction, must not overflow.
	var up, down uint64
	count := uint64(1)
	for d := range s.Rank {
		if s.Stride[d] == 0 && s.Extent[d] > 1 {
			return Shape{}, wrong("stride %d is 0; the %d indices of that dimension would all be one element", d+1, s.Extent[d])
		}
		steps := uint64(s.Extent[d] - 1)
		over, reach := bits.Mul64(steps, magnitude(s.Stride[d]))
		to := &up
		if s.Stride[d] < 0 {
			to = &down
		}
		more, product := bits.Mul64(count, uint64(s.Extent[d]))
		if over > 0 || more > 0 || reach > math.MaxInt64-*to || product > math.MaxInt64 {
			return Shape{}, r.tooFar(&s, d)
		}
		*to += reach
		count = product
		overUp, bytesUp := bits.Mul64(up, r.ElementBytes)
		overDown, bytesDown := bits.Mul64(down, r.ElementBytes)
		if overUp > 0 || overDown > 0 || bytesUp > math.MaxInt64 || bytesDown > math.MaxInt64 {
			return Shape{}, r.tooFar(&s, d)
		}
	}
	if over, bytes := bits.Mul64(count, r.ElementBytes); over > 0 || bytes > math.MaxInt64 {
		return Shape{}, r.tooMany(&s)
	}
	return s, nil
}

func (r *Request) tooFar(s *Shape, d int) error {
	return overflow("dimension %d with extent %d and stride %d reaches farther than 64-bit integers count bytes", d+1, s.Extent[d], s.Stride[d])
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// shape checks all members of the request; Wrap checks the strides.
func (r *Request) shape() (s Shape, err error) {
	if r.Rank < 0 || r.Rank > MaxRank {
		return s, wrong("rank is %d; it is 0 to %d", r.Rank, MaxRank)
	}
	if r.ElementBytes == 0 || r.ElementBytes > math.MaxInt32 {
		return s, wrong("an element of %d bytes; it has 1 to %d", r.ElementBytes, math.MaxInt32)
	}
	if r.RowBytes&(r.RowBytes-1) != 0 || r.RowBytes > 1<<30 {
		return s, wrong("row_bytes is %d; it is a power of two up to %d, or 0", r.RowBytes, 1<<30)
	}
	s.Rank = r.Rank
	for d := range r.Rank {
		if r.Extent[d] < 0 {
			return s, wrong("extent %d is %d; it is 0 or more: look at how it was computed", d+1, r.Extent[d])
		}
		s.Extent[d] = r.Extent[d]
	}
	switch r.Order {
	case C:
		for k := range r.Rank {
			s.Fastest[k] = int8(r.Rank - 1 - k)
		}
	case Fortran:
		for k := range r.Rank {
			s.Fastest[k] = int8(k)
		}
	case Permuted:
		if s.Fastest, err = permutation("fastest", r.Rank, r.Fastest); err != nil {
			return s, err
		}
	default:
		return s, wrong("order is %d; it is PORTABLE_ORDER_C, _FORTRAN or _PERMUTED", r.Order)
	}
	err = s.setLower(r.Lower, r.Order.base())
	s.setOrder(r.Order)
	return s, err
}

// permutation checks that dims has each dimension once.
func permutation(name string, rank int, dims *[MaxRank]int32) (p Dims, err error) {
	if dims == nil {
		return p, wrong("%s is NULL; it lists the %d dimensions", name, rank)
	}
	seen := 0
	for k := range rank {
		d := dims[k]
		if d < 0 || int(d) >= rank {
			return p, wrong("entry %d of %s is none of the %d dimensions", k+1, name, rank)
		}
		if seen&(1<<d) != 0 {
			return p, wrong("entry %d of %s names a dimension that an earlier one has named; each of the %d is named once", k+1, name, rank)
		}
		seen |= 1 << d
		p[k] = int8(d)
	}
	return p, nil
}
