package exec

// This file names calls on whole arrays and describes their arguments (ArrayCall), which C passes
// after it found a fault.

// An Algorithm is a call on whole arrays, or on the results of a loop. C runs it (exec/algorithm); Go knows its kinds and operations.
type Algorithm int32

// The numbers are those of exec/algorithm/call.h.
const (
	ReduceArray    Algorithm = iota // an array, or its lines, to one value
	Scan                            // each element becomes the reduction of those before it
	Pack                            // elements that a mask chooses, one behind the other
	Unpack                          // the reverse
	FilterIndices                   // indices of the elements that a mask chooses
	Sort                            // keys in place
	SortByKey                       // keys with the values that belong to them
	SortIndex                       // indices that would sort the keys
	Binary                          // an operation of two arrays, element by element
	Unary                           // an operation of one
	Merge                           // one of two elements, as a mask says
	Fill                            // one value to all elements
	ParallelFilter                  // indices that a kernel chooses
	RandomFill                      // random numbers to all elements
	SolveThree                      // systems of three diagonals
	SolveFive                       // of five
	FFTForward                      // Fourier transforms of lines
	FFTBackward
)

// algorithms: their names in texts, and of their options.
var algorithms = [...]struct{ call, options string }{
	ReduceArray:    {"reduce_array", "ARRAY"},
	Scan:           {"scan", "SCAN"},
	Pack:           {"pack", "FILTER"},
	Unpack:         {"unpack", "FILTER"},
	FilterIndices:  {"filter_indices", "FILTER"},
	Sort:           {"sort", "SORT"},
	SortByKey:      {"sort", "SORT"},
	SortIndex:      {"sort", "SORT"},
	Binary:         {"binary", "COMPONENTWISE"},
	Unary:          {"unary", "COMPONENTWISE"},
	Merge:          {"merge", "COMPONENTWISE"},
	Fill:           {"fill", "COMPONENTWISE"},
	ParallelFilter: {"parallel_filter", ""},
	RandomFill:     {"random_fill", "RANDOM"},
	SolveThree:     {"solve_tridiagonal", "SOLVE"},
	SolveFive:      {"solve_pentadiagonal", "SOLVE"},
	FFTForward:     {"fft_forward", "FFT"},
	FFTBackward:    {"fft_backward", "FFT"},
}

// Name is the algorithm's name in texts.
func (a Algorithm) Name() string { return algorithms[a].call }

// A Size is the struct_size of a structure of the caller: one of an older header is smaller than the library's.
type Size struct{ Given, Most uint32 }

// Wrong: 0, or of a newer header. The zero Size is that of a structure that the caller left out.
func (s Size) Wrong() bool { return s.Most != 0 && (s.Given < 4 || s.Given > s.Most) }

// An Operand is an array, or one value, of a call.
type Operand struct {
	At      uintptr
	Strides []int64 // bytes, for each dimension; nil: contiguous
}

// Placed is an array in memory, laid out as struct portable__lying: byte strides, the fastest dimension first.
type Placed struct {
	At               uintptr
	Bytes            int64 // of an element
	Rank             int32
	Extents, Strides [8]int64
}

// Sharing is what C found about two arrays.
type Sharing int32

const (
	Distinct Sharing = iota
	Shares
	MayShare // too hard to tell
)

// Memory answers questions of overlap: C does, by the functions that the calls themselves use (internal/kernels/base/overlap.c).
type Memory interface {
	Fits(x *Placed) bool // its byte span is a number
	Overlap(a, b *Placed) Sharing
	OverlapsItself(x *Placed) bool
}

// IndexBounds are the bounds of a loop over one index. Known: the structure is of this library, so its rank can be read.
type IndexBounds struct {
	Known        bool
	Rank         int32
	Lower, Upper int64
}

// An ArrayCall is what a program has passed to an algorithm, with its options completed.
type ArrayCall struct {
	Call  Algorithm
	Label string

	Op                        int32
	Kind, MaskKind, IndexKind Kind
	ResultKind                Kind
	Rank, Order, Dim          int32
	Flags                     uint32
	Reserved                  int32
	Options, Launch           Size
	Extents                   []int64   // nil: NULL, or the rank is invalid
	Bands                     []Operand // of solves: the diagonals, the lowest first
	Result, A, B, Mask        Operand   // B: of filters the packed vector, of sorts the array that goes with the keys
	ElementBytes              int64
	Count                     int64        // of sorts: the keys; of filters: the capacity of the packed vector; of transforms: the numbers of a line
	Lower                     int64        // the first index, or cell
	Part                      int64        // of transforms: bytes from the real to the imaginary part; 0: side by side
	Stride, SecondStride      int64        // of sorts; of filters: SecondStride is that of the packed vector
	Rest, NoCount             bool         // filters: a vector fills the rest; count_out is NULL
	Bounds                    *IndexBounds // of parallel_filter; nil: NULL

	Memory Memory

	empty bool
	fault Status
	text  string
}

// Refuse repeats the checks of the call in their order. Ordinary: nothing is wrong; else the text of the refusal.
func (c *ArrayCall) Refuse() (Status, string) {
	switch c.Call {
	case ReduceArray:
		c.reduceArray()
	case Scan:
		c.scan()
	case Pack, Unpack, FilterIndices:
		c.filter()
	case Sort, SortByKey, SortIndex:
		c.sort()
	case Binary, Unary, Merge, Fill:
		c.componentwise()
	case ParallelFilter:
		c.parallelFilter()
	case RandomFill:
		c.randomFill()
	case SolveThree, SolveFive:
		c.solve()
	case FFTForward, FFTBackward:
		c.fft()
	}
	return c.fault, c.text
}
