package arrays

// This file makes views of all elements of an array: other extents, permuted dimensions, other
// lower bounds; and the compact shape of a copy.

// Reshape gives the elements another shape, in their order in memory.
func (s *Shape) Reshape(rank int, extent, lower *Indices) (view Shape, err error) {
	if !s.Contiguous() {
		return Shape{}, wrong("the elements do not lie one after the other, so they have no other shape; copy them into an array that is contiguous")
	}
	r := Request{Rank: rank, Order: s.Order, Extent: extent, Lower: lower, ElementBytes: 1}
	var fastest [MaxRank]int32
	if s.Order == Permuted {
		r.Fastest = &fastest
		for k, d := range s.Fastest[:s.Rank] {
			fastest[k] = int32(d)
		}
		switch {
		case rank < 2:
			r.Order = Fortran
		case rank != s.Rank:
			return Shape{}, wrong("the order is a permutation of %d dimensions, and %d are asked for; it can be kept only for as many", s.Rank, rank)
		}
	}
	view, bytes, err := r.Layout()
	if err != nil {
		return Shape{}, err
	}
	if int64(bytes) != s.Elements() {
		return Shape{}, wrong("the new shape %s has %d elements, the array %s has %d; a reshape keeps the count", view.Bounds(), bytes, s.Bounds(), s.Elements())
	}
	return view, nil
}

// Permute gives the dimensions another order: dimension d of the view is dimension dims[d]. nil: reversed.
func (s *Shape) Permute(dims *[MaxRank]int32) (view Shape, err error) {
	var p Dims
	for d := range s.Rank {
		p[d] = int8(s.Rank - 1 - d)
	}
	if dims != nil {
		if p, err = permutation("dims", s.Rank, dims); err != nil {
			return Shape{}, err
		}
	}
	view.Rank = s.Rank
	var inverse Dims
	for d := range s.Rank {
		o := p[d]
		inverse[o] = int8(d)
		view.Lower[d], view.Extent[d], view.Stride[d] = s.Lower[o], s.Extent[o], s.Stride[o]
	}
	for k, d := range s.Fastest[:s.Rank] {
		view.Fastest[k] = inverse[d]
	}
	view.setOrder(s.Order)
	return view, nil
}

// Rebase gives other lower bounds; nil: the default of the order.
func (s *Shape) Rebase(lower *Indices) (view Shape, err error) {
	view = *s
	if err = view.setLower(lower, s.Order.base()); err != nil {
		return Shape{}, err
	}
	return view, nil
}

// Compact gives the same bounds and order without gaps.
func (s *Shape) Compact(elementBytes uint64) (view Shape, bytes uint64, err error) {
	var fastest [MaxRank]int32
	for k, d := range s.Fastest[:s.Rank] {
		fastest[k] = int32(d)
	}
	r := Request{Rank: s.Rank, Order: Permuted, Fastest: &fastest, Extent: &s.Extent, Lower: &s.Lower, ElementBytes: elementBytes}
	if view, bytes, err = r.Layout(); err != nil {
		return Shape{}, 0, err
	}
	view.Order = s.Order
	return view, bytes, nil
}
