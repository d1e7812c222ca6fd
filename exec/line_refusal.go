package exec

// This file refuses calls on the lines of arrays: systems of few diagonals, and Fourier transforms. Not in this file: checks that other calls
// share (array_refusal.go).

// Flags of portable_solve.h.
const solveOne = 2

func (c *ArrayCall) solve() bool {
	c.ElementBytes = c.Kind.bytes()
	return c.options() || !c.Kind.in(real) && c.refuse(BadArgument, "%d is not a kind of systems; they are PORTABLE_KIND_REAL32 and _REAL64", c.Kind) ||
		c.rank() || c.extents() || c.order() || c.dim() ||
		c.Dim == 0 && c.Rank > 1 && c.refuse(BadArgument, "dim is 0, but the array has %d dimensions; dim says which one counts the rows", c.Rank) ||
		c.flags(3, "there are PORTABLE_SOLVE_PERIODIC and _ONE") || !c.empty && c.solveOperands() || c.launch()
}

// bandNames are those of the arguments.
func (c *ArrayCall) bandNames() []string {
	if c.Call == SolveThree {
		return []string{"lower", "diag", "upper"}
	}
	return []string{"lower2", "lower", "diag", "upper", "upper2"}
}

func (c *ArrayCall) solveOperands() bool {
	names := c.bandNames()
	for k, name := range names {
		if c.nullOf(name, c.Bands[k]) {
			return true
		}
	}
	if c.nullOf("rhs", c.Result) || c.tooMany("bytes", c.ElementBytes, -1) {
		return true
	}
	var rhs Placed
	placed := make([]Placed, len(names))
	for k, name := range names {
		if c.placeBand(&placed[k], name, c.Bands[k]) {
			return true
		}
	}
	if c.place(&rhs, "rhs", c.Result, c.ElementBytes) || c.onItself(&rhs, "rhs") {
		return true
	}
	for k, name := range names {
		if found := c.Memory.Overlap(&rhs, &placed[k]); found != Distinct {
			return c.refuse(BadArgument, "rhs (%#x) %s %s (%#x), which is read while rhs is written; copy one of them first", rhs.At, found, name, placed[k].At)
		}
	}
	return false
}

// placeBand finds the strides of a diagonal, which is a vector if all systems share it.
func (c *ArrayCall) placeBand(to *Placed, name string, o Operand) bool {
	if c.Flags&solveOne == 0 {
		return c.place(to, name, o, c.ElementBytes)
	}
	*to = Placed{At: o.At, Bytes: c.ElementBytes, Rank: 1}
	to.Extents[0], to.Strides[0] = c.Extents[max(c.Dim-1, 0)], c.ElementBytes
	if o.Strides != nil {
		to.Strides[0] = o.Strides[0]
	}
	return !c.Memory.Fits(to) && c.wide(name)
}

// ---- transforms ----

// Types of portable_fft.h.
const (
	fftComplex = 0
	fftReal    = 1
)

// RefuseFFT refuses a plan; planned tests the length.
func RefuseFFT(label, missing string, kind int32, n int64, dim int32, planned bool) Refusal {
	const call = "portable_fft_create of '%s': "
	switch {
	case missing != "":
		return refuse(BadArgument, call+"%s is NULL", label, missing)
	case kind < fftComplex || kind > fftReal:
		return refuse(BadArgument, call+"type is %d; it is PORTABLE_FFT_C2C or PORTABLE_FFT_R2C", label, kind)
	case n < 1:
		return refuse(BadArgument, call+"n is %d; a line has 1 number or more", label, n)
	case dim < 1 || dim > 8:
		return refuse(BadArgument, call+"dim is %d; an array has the dimensions 1 to 8", label, dim)
	case !planned:
		return refuse(Overflow, call+"n is %d; its tables need more bytes than a 64-bit integer counts", label, n)
	}
	return Refusal{}
}

// NoFFT: a plan that cannot be made.
func NoFFT(label string, n int64, bytes uint64) Refusal {
	return refuse(NoMemory, "portable_fft_create of '%s': no memory for the tables of n = %d (%d bytes), or there are too many plans; destroy some", label, n, bytes)
}

func (c *ArrayCall) fft() bool {
	c.ElementBytes = c.Kind.bytes()
	return c.options() || !c.Kind.in(real) && c.refuse(BadArgument, "%d is not a kind of transforms; they are PORTABLE_KIND_REAL32 and _REAL64", c.Kind) ||
		c.rank() || c.extents() || c.order() || c.flags(0, "there are none") || c.reserved() || c.fftLength() ||
		!c.empty && (c.nullOf("in", c.A) || c.nullOf("out", c.Result) || c.fftMemory()) || c.launch()
}

func (c *ArrayCall) fftLength() bool {
	return (c.Lower < 1 || c.Lower > int64(c.Rank)) && c.refuse(BadArgument, "the plan is for dimension %d; the array has the dimensions 1 to %d", c.Lower, c.Rank) ||
		c.Extents[c.Lower-1] != c.Count &&
			c.refuse(BadArgument, "extent %d is %d; the plan is for lines of %d numbers", c.Lower, c.Extents[c.Lower-1], c.Count)
}

// fftSide is a side of the call: its memory, of complex numbers whose parts lie apart in two pieces.
type fftSide struct {
	placed  []Placed
	complex bool
	step    int64 // along a line
}

func (c *ArrayCall) part() int64 {
	if c.Part != 0 {
		return c.Part
	}
	return c.ElementBytes
}

// along is the place of the plan's dimension, the fastest one first.
func (c *ArrayCall) along() int {
	if c.Order == 0 {
		return len(c.Extents) - int(c.Lower)
	}
	return int(c.Lower) - 1
}

func (c *ArrayCall) fftSide(to *fftSide, name string, o Operand, isComplex bool) bool {
	x := Placed{At: o.At, Bytes: c.ElementBytes, Rank: c.Rank}
	apart := isComplex && c.part() != c.ElementBytes
	step := c.ElementBytes
	if isComplex && !apart {
		step *= 2
		x.Bytes = step
	}
	for k := range c.Extents {
		d := k
		if c.Order == 0 {
			d = len(c.Extents) - 1 - k
		}
		x.Extents[k], x.Strides[k] = c.Extents[d], step
		if k == c.along() && c.Op == fftReal && isComplex {
			x.Extents[k] = x.Extents[k]/2 + 1
		}
		if o.Strides != nil {
			x.Strides[k] = o.Strides[d]
		}
		step *= x.Extents[k]
	}
	to.placed, to.complex, to.step = []Placed{x}, isComplex, x.Strides[c.along()]
	if apart {
		x.At += uintptr(c.part())
		to.placed = append(to.placed, x)
	}
	for k := range to.placed {
		if !c.Memory.Fits(&to.placed[k]) {
			return c.wide(name)
		}
	}
	return false
}

func (c *ArrayCall) fftMemory() bool {
	var from, to fftSide
	if c.tooMany("bytes", 2*c.ElementBytes, -1) ||
		c.fftSide(&from, "in", c.A, c.Op == fftComplex || c.Call == FFTBackward) ||
		c.fftSide(&to, "out", c.Result, c.Op == fftComplex || c.Call == FFTForward) || c.onItself(&to.placed[0], "out") {
		return true
	}
	if len(to.placed) == 2 && c.Memory.Overlap(&to.placed[0], &to.placed[1]) != Distinct {
		return c.refuse(BadArgument, "real and imaginary parts of out overlap; part_stride is %d bytes", c.Part)
	}
	for i := range from.placed {
		for k := range to.placed {
			if found := c.Memory.Overlap(&to.placed[k], &from.placed[i]); found != Distinct && !c.inPlace(&from, &to) {
				return c.refuse(BadArgument, "out (%#x) %s in (%#x), and is not the same lines%s; take another array, or the same strides for both", to.placed[0].At, found,
					from.placed[0].At, [...]string{fftComplex: "", fftReal: " with room for n/2+1 complex numbers each"}[c.Op])
			}
		}
	}
	return false
}

// inPlace: each line of out lies where the line of in lies, and has room for both.
func (c *ArrayCall) inPlace(from, to *fftSide) bool {
	x, y, along := from.placed[0], to.placed[0], c.along()
	if x.At != y.At {
		return false
	}
	for k := range c.Extents {
		if k != along && x.Extents[k] > 1 && x.Strides[k] != y.Strides[k] {
			return false
		}
	}
	if c.Op == fftComplex {
		return c.Count == 1 || from.step == to.step
	}
	real, complex := from, to
	if c.Call == FFTBackward {
		real, complex = to, from
	}
	if c.Count > 1 && (real.step != c.part() || complex.step != 2*c.part()) {
		return false
	}
	both := real.placed[0]
	both.Extents[along], both.Strides[along] = 2*(c.Count/2+1), c.part()
	return c.Memory.Fits(&both) && !c.Memory.OverlapsItself(&both)
}
