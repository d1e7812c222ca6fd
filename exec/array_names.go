package exec

// This file is the one list of kinds and operations, with the classes of kinds that each operation
// takes.

// A Kind is the type of an element, with the number that portable_reduce.h gives it.
type Kind int32

// class is a set of kinds.
type class uint8

const (
	small   class = 1 << iota // int8, int16
	whole                     // int32, int64
	real                      // real32, real64
	complex                   // complex32, complex64
	logical                   // logical8 to logical64
	exact                     // an exact sum
	scalars = small | whole | real
)

var kinds = [...]struct {
	name  string
	bytes int64
	class class
}{
	{name: "no kind"},
	{"int8", 1, small}, {"int16", 2, small}, {"int32", 4, whole}, {"int64", 8, whole},
	{"real32", 4, real}, {"real64", 8, real}, {"complex32", 8, complex}, {"complex64", 16, complex},
	{"logical8", 1, logical}, {"logical16", 2, logical}, {"logical32", 4, logical}, {"logical64", 8, logical},
	{"exact", 0, exact},
}

const (
	kindInt32  Kind = 3
	kindInt64  Kind = 4
	kindReal32 Kind = 5
	kindReal64 Kind = 6
)

// in reports whether a kind is of one of the classes; a number without a kind is of none.
func (k Kind) in(c class) bool { return k > 0 && int(k) < len(kinds) && kinds[k].class&c != 0 }

// Name is what texts call the kind.
func (k Kind) Name() string {
	if !k.in(^class(0)) {
		k = 0
	}
	return kinds[k].name
}

// bytes is the size of an element; 0: an invalid kind.
func (k Kind) bytes() int64 {
	if !k.in(^class(0)) {
		return 0
	}
	return kinds[k].bytes
}

// An operation has its number as the index into its list; the first entry is none.
type operation struct {
	name string
	of   class // kinds of elements that have it
}

// Operations of reductions; scans have the first four. A user's operation is one of launches only.
var reductions = []operation{{}, {"sum", scalars | complex}, {"product", scalars | complex}, {"min", scalars}, {"max", scalars},
	{"minloc", scalars}, {"maxloc", scalars}, {"any", logical}, {"all", logical}, {"count", logical}, {"user", 0}}

const (
	opSum    = 1
	opMax    = 4
	opMinloc = 5
	opMaxloc = 6
	opAny    = 7
	opCount  = 9
	opUser   = 10
)

// Operations element by element.
const arithmetic = whole | real

var binaries = []operation{{}, {"add", arithmetic}, {"subtract", arithmetic}, {"multiply", arithmetic}, {"divide", arithmetic}, {"mod", arithmetic},
	{"power", arithmetic}, {"min", arithmetic}, {"max", arithmetic}, {"sign", arithmetic}, {"atan2", real}, {"less", arithmetic},
	{"greater", arithmetic}, {"less_equal", arithmetic}, {"greater_equal", arithmetic}, {"equal", arithmetic | logical},
	{"unequal", arithmetic | logical}, {"and", arithmetic | logical}, {"or", arithmetic | logical}}

var unaries = []operation{{}, {"plus", arithmetic}, {"negate", arithmetic}, {"abs", arithmetic}, {"sqrt", real}, {"cbrt", real}, {"sin", real},
	{"cos", real}, {"tan", real}, {"asin", real}, {"acos", real}, {"atan", real}, {"exp", real}, {"log", real}, {"log10", real}, {"log2", real},
	{"floor", real}, {"ceil", real}, {"round", real}, {"isnan", real}, {"isinf", real}, {"not", arithmetic | logical}}

// The first operation of each list whose results are logical.
const (
	binaryLess = 11
	unaryIsnan = 19
)
