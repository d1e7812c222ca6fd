package exec

// This file divides an index space into blocks of threads (portable_work_division).

// Division is a portable_work_division, whose memory C and Go share: an index space in blocks of threads, and threads of elements.
type Division struct {
	Rank, Order               int32
	Lower, Stride, Extent     [MaxRank]int64
	Blocks, Threads, Elements [MaxRank]int64
}

// Divide divides a space into blocks of threads[d] times elements[d] indices in dimension d, as many as are needed. nil slices: 1
// in each dimension. They have as many elements as there are dimensions. wanted: the call has a place for the division.
func Divide(b *Bounds, threads, elements []int64, wanted bool) (Division, Refusal) {
	const call = "portable_work_divide"
	none := Division{}
	if !wanted || b == nil {
		return none, refuse(BadArgument, "%s: division_out or bounds is NULL", call)
	}
	w, padded, whole := Division{Rank: b.Rank, Order: b.Order}, int64(1), true
	if !b.made() {
		return none, refuse(BadArgument, "%s: these bounds were not made by portable_bounds_make", call)
	}
	if b.badStride() > 0 {
		return none, refuse(BadArgument, "%s: a stride of the bounds is below 1", call)
	}
	of := func(list []int64, d int) int64 {
		if list == nil {
			return 1
		}
		return list[d]
	}
	for k := range int(b.Rank) {
		d := int(b.Rank) - 1 - k // the fastest dimension first
		if b.Order == 1 {
			d = k
		}
		t, e := of(threads, d), of(elements, d)
		if t < 1 || e < 1 {
			return none, refuse(BadArgument, "%s: dimension %d has blocks of %d threads with %d elements each; both are 1 or more", call, d+1, t, e)
		}
		n, counted := b.extent(d)
		size, fitsOne := times(t, e)
		if whole = whole && counted && fitsOne; !whole {
			break
		}
		blocks := n / size
		if n%size != 0 {
			blocks++
		}
		w.Lower[d], w.Stride[d], w.Extent[d] = b.Lower[d], b.Stride[d], n
		w.Blocks[d], w.Threads[d], w.Elements[d] = blocks, t, e
		all, fitsAll := times(blocks, size)
		// An empty dimension makes the count 0, and must not hide that the others are too long.
		var fitsPadded bool
		padded, fitsPadded = times(padded, max(all, 1))
		whole = fitsAll && fitsPadded
	}
	if !whole {
		return none, refuse(Overflow, "%s: with what the last blocks reach beyond the index space, there are more indices than a 64-bit integer counts; "+
			"make blocks or bounds smaller", call)
	}
	return w, Refusal{}
}
