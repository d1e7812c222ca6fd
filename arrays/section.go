package arrays

// This file finds the Fortran section that a pointer must describe to access the elements of a
// shape; it refuses shapes that no section describes.

// Section is an array as Fortran can point to it: a part of a larger one in Fortran's order without gaps, Big(First:Last:Step, ...).
type Section struct {
	Origin                 int64 // where the first element of Big is, from the array's first
	Big, First, Last, Step Indices
}

// Section finds the section of the shape.
func (s *Shape) Section() (p Section, err error) {
	if s.Elements() == 0 {
		for d, n := range s.Extent[:s.Rank] {
			p.Big[d], p.First[d], p.Last[d], p.Step[d] = n, 1, n, 1
		}
		return p, nil
	}
	inner := uint64(1) // elements of Big from one index to the next
	for d, n := range s.Extent[:s.Rank] {
		p.Big[d], p.First[d], p.Last[d], p.Step[d] = 1, 1, 1, 1
		if n == 1 {
			continue
		}
		// The dimensions behind this one fix how long a line of Big is.
		outer := uint64(0)
		for e := d + 1; e < s.Rank; e++ {
			if s.Extent[e] > 1 {
				outer = gcd(outer, magnitude(s.Stride[e]))
			}
		}
		step := magnitude(s.Stride[d]) / inner
		reach := uint64(n-1)*step + 1
		line := reach
		if outer > 0 {
			line = outer / inner
		}
		if magnitude(s.Stride[d])%inner != 0 || outer%inner != 0 || line < reach {
			return Section{}, wrong("no Fortran pointer has elements that lie so: the order is not Fortran's (the strides of the bounds %s are %d); "+
				"permute the dimensions, or copy into an array in Fortran's order", s.Bounds(), append([]int64(nil), s.Stride[:s.Rank]...)) // a copy: s stays on the stack
		}
		p.Big[d], p.Last[d], p.Step[d] = int64(line), int64(reach), int64(step)
		if s.Stride[d] < 0 {
			p.First[d], p.Last[d], p.Step[d] = p.Last[d], 1, -p.Step[d]
			p.Origin += int64(n-1) * s.Stride[d]
		}
		inner *= line
	}
	return p, nil
}
