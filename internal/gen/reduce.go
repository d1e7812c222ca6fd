package main

import "strings"

// scalar is one kind of a reduction's result, or of a live-out.
type scalar struct {
	Name string
	// Decl is the type as Fortran declares it.
	Decl string
	// Number is that of portable_reduce.h.
	Number int
	// List: there are kernels with several results; Real: sums can be exact.
	List, Real bool
	// Infinity and Huge are the identities of the least value in a kernel and without an iteration, Lowest and Least those of
	// the greatest one; for numbers.
	Infinity, Huge, Lowest, Least string
}

// Forms are the endings of the names of a kind's specifics.
func (s scalar) Forms() []string {
	if s.List {
		return []string{"", "_list"}
	}
	return []string{""}
}

// reducing is the data of the templates of reductions.
type reducing struct{ Reductions, Liveouts []scalar }

// Numbers are the kinds that have places and users' operations.
func (r reducing) Numbers() (numbers []scalar) {
	for _, k := range r.Reductions {
		if k.List {
			numbers = append(numbers, k)
		}
	}
	return numbers
}

// Places are the kinds of the integers of a place.
func (r reducing) Places() []string { return []string{"int32", "int64"} }

// reduceForm is a specific of parallel_reduce with a named operation.
type reduceForm struct {
	Name, Kernel string // of the specific; of what its kernel's r is
	Decl, Kind   string // of the result, or of the value in the live-out
	List, Liveout,
	Exact, Double bool
}

// Dummies are the arguments between result and device.
func (f reduceForm) Dummies() string {
	var names []string
	if f.Liveout {
		names = append(names, "mold")
	}
	if f.Exact {
		names = append(names, "exact")
	} else {
		names = append(names, "op")
	}
	if f.Double {
		names = append(names, "in_double")
	}
	return strings.Join(names, ", ")
}

// Forms lists all of them. A mandatory argument distinguishes two forms, such as exact before op and in_double after it: compilers do not
// compare kernels.
func (r reducing) Forms() (forms []reduceForm) {
	for _, k := range r.Reductions {
		for _, end := range k.Forms() {
			forms = append(forms, reduceForm{Name: k.Name + end, Kernel: k.Name + end, Decl: k.Decl, Kind: k.Name, List: end != ""})
		}
		if k.Name == "exact" {
			continue
		}
		forms = append(forms, reduceForm{Name: "liveout_" + k.Name, Kernel: k.Name, Decl: k.Decl, Kind: k.Name, Liveout: true})
		if k.Real {
			forms = append(forms, reduceForm{Name: "exactly_" + k.Name, Kernel: "exact", Decl: k.Decl, Kind: k.Name, Exact: true},
				reduceForm{Name: "exactly_liveout_" + k.Name, Kernel: "exact", Decl: k.Decl, Kind: k.Name, Exact: true, Liveout: true})
		}
		if k.Name == "real32" {
			forms = append(forms, reduceForm{Name: "in_double", Kernel: "real64", Decl: k.Decl, Kind: k.Name, Double: true},
				reduceForm{Name: "in_double_list", Kernel: "real64_list", Decl: k.Decl, Kind: k.Name, Double: true, List: true},
				reduceForm{Name: "in_double_liveout", Kernel: "real64", Decl: k.Decl, Kind: k.Name, Double: true, Liveout: true})
		}
	}
	return forms
}

// reductions are the kinds that loops reduce to in Fortran; liveouts those that a value on a device can have.
func reductions() reducing {
	numbers := []scalar{
		{Name: "int32", Decl: "integer(int32)", Number: 3, List: true, Infinity: "huge(1_int32)", Huge: "huge(1_int32)",
			Lowest: "-huge(1_int32) - 1_int32", Least: "-huge(1_int32) - 1_int32"},
		{Name: "int64", Decl: "integer(int64)", Number: 4, List: true, Infinity: "huge(1_int64)", Huge: "huge(1_int64)",
			Lowest: "-huge(1_int64) - 1_int64", Least: "-huge(1_int64) - 1_int64"},
		{Name: "real32", Decl: "real(real32)", Number: 5, List: true, Real: true, Infinity: "transfer(2139095040_int32, 1.0_real32)",
			Huge: "huge(1.0_real32)", Lowest: "transfer(-8388608_int32, 1.0_real32)", Least: "-huge(1.0_real32)"},
		{Name: "real64", Decl: "real(real64)", Number: 6, List: true, Real: true, Infinity: "transfer(9218868437227405312_int64, 1.0_real64)",
			Huge: "huge(1.0_real64)", Lowest: "transfer(-4503599627370496_int64, 1.0_real64)", Least: "-huge(1.0_real64)"},
	}
	logical := scalar{Name: "logical", Decl: "logical(4)", Number: 11}
	exact := scalar{Name: "exact", Decl: "type(portable_exact)", Number: 13}
	return reducing{
		Reductions: append(append([]scalar{}, numbers...), logical, exact),
		Liveouts: append(append([]scalar{{Name: "int8", Decl: "integer(int8)", Number: 1}, {Name: "int16", Decl: "integer(int16)", Number: 2}},
			numbers...), scalar{Name: "complex32", Decl: "complex(real32)", Number: 7}, scalar{Name: "complex64", Decl: "complex(real64)", Number: 8}, logical),
	}
}
