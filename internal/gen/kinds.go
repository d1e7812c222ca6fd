package main

// kind is one element type of the pool's Fortran arrays.
type kind struct {
	// Name is the part of a specific's name that stands for the type: YAKL's names where YAKL has the type.
	Name string
	// Decl is the type as Fortran declares it.
	Decl string
	// Guard is the preprocessor condition under which compilers have the type; "" is always.
	Guard string
	// One and Two are two different values, for tests.
	One, Two string
	// Same is the comparison of x and y, for tests.
	Same string
}

// commonKinds are the kinds of gator_mod. Their kind numbers are fixed, never a default kind, so that
// -fdefault-integer-8 and -fdefault-real-8 change nothing in the module. Logical kinds have no named
// constants; the numbers are bytes in every compiler that the library is tested with.
var commonKinds = []kind{
	{Name: "int1", Decl: "integer(int8)", One: "1_int8", Two: "2_int8", Same: "x == y"},
	{Name: "int2", Decl: "integer(int16)", One: "1_int16", Two: "2_int16", Same: "x == y"},
	{Name: "int4", Decl: "integer(int32)", One: "1_int32", Two: "2_int32", Same: "x == y"},
	{Name: "int8", Decl: "integer(int64)", One: "1_int64", Two: "2_int64", Same: "x == y"},
	{Name: "real4", Decl: "real(real32)", One: "1.0_real32", Two: "2.0_real32", Same: "abs(x - y) <= 0.0"},
	{Name: "real8", Decl: "real(real64)", One: "1.0_real64", Two: "2.0_real64", Same: "abs(x - y) <= 0.0"},
	{Name: "cplx4", Decl: "complex(real32)", One: "(1.0_real32, 3.0_real32)", Two: "(2.0_real32, 4.0_real32)", Same: "abs(x - y) <= 0.0"},
	{Name: "cplx8", Decl: "complex(real64)", One: "(1.0_real64, 3.0_real64)", Two: "(2.0_real64, 4.0_real64)", Same: "abs(x - y) <= 0.0"},
	{Name: "log1", Decl: "logical(c_bool)", One: ".true._c_bool", Two: ".false._c_bool", Same: "x .eqv. y"},
	{Name: "log2", Decl: "logical(2)", One: ".true._2", Two: ".false._2", Same: "x .eqv. y"},
	{Name: "log", Decl: "logical(4)", One: ".true._4", Two: ".false._4", Same: "x .eqv. y"},
	{Name: "log8", Decl: "logical(8)", One: ".true._8", Two: ".false._8", Same: "x .eqv. y"},
}

// flangX86 is what flang defines itself; it has no macros for the kinds it supports.
const flangX86 = "(defined(__flang__) && defined(__x86_64__))"

// rareKinds are the kinds of gator_more_mod: not every compiler has them, and most programs do not use them, so
// they do not lengthen the compilation of files that use gator_mod.
var rareKinds = []kind{
	{Name: "char1", Decl: "character(kind=c_char, len=1)", One: "'a'", Two: "'b'", Same: "x == y"},
	{Name: "int16", Decl: "integer(16)", Guard: "defined(__GFC_INT_16__) || " + flangX86, One: "1_16", Two: "2_16", Same: "x == y"},
	{Name: "real10", Decl: "real(10)", Guard: "defined(__GFC_REAL_10__) || " + flangX86, One: "1.0_10", Two: "2.0_10", Same: "abs(x - y) <= 0.0"},
	{Name: "cplx10", Decl: "complex(10)", Guard: "defined(__GFC_REAL_10__) || " + flangX86, One: "(1.0_10, 3.0_10)", Two: "(2.0_10, 4.0_10)", Same: "abs(x - y) <= 0.0"},
	{Name: "real16", Decl: "real(16)", Guard: "defined(__GFC_REAL_16__) || " + flangX86, One: "1.0_16", Two: "2.0_16", Same: "abs(x - y) <= 0.0"},
	{Name: "cplx16", Decl: "complex(16)", Guard: "defined(__GFC_REAL_16__) || " + flangX86, One: "(1.0_16, 3.0_16)", Two: "(2.0_16, 4.0_16)", Same: "abs(x - y) <= 0.0"},
}

const (
	commonRanks = 7  // ranks of gator_mod and of derived types
	maxRank     = 15 // the largest rank of Fortran 2008
)

// group is one kind with the ranks that one file has for it.
type group struct {
	kind
	Ranks []int
}

func groups(kinds []kind, first, last int) []group {
	var ranks []int
	for r := first; r <= last; r++ {
		ranks = append(ranks, r)
	}
	var gs []group
	for _, k := range kinds {
		gs = append(gs, group{kind: k, Ranks: ranks})
	}
	return gs
}
