package main

import (
	"fmt"
	"strings"
)

// reduceKind is one element kind of the Fortran reductions.
type reduceKind struct {
	Name, Decl string
	Code       int    // PORTABLE_KIND_... of portable_reduce_array.h
	Class      string // number, complex or logical
	Single     bool   // has in_double=
}

// reduceKinds are kinds of portable_reduce_mod, in the names of commonKinds.
var reduceKinds = []reduceKind{
	{"int1", "integer(int8)", 1, "number", false},
	{"int2", "integer(int16)", 2, "number", false},
	{"int4", "integer(int32)", 3, "number", false},
	{"int8", "integer(int64)", 4, "number", false},
	{"real4", "real(real32)", 5, "number", true},
	{"real8", "real(real64)", 6, "number", false},
	{"cplx4", "complex(real32)", 7, "complex", true},
	{"cplx8", "complex(real64)", 8, "complex", false},
	{"log1", "logical(c_bool)", 9, "logical", false},
	{"log2", "logical(2)", 10, "logical", false},
	{"log", "logical(4)", 11, "logical", false},
	{"log8", "logical(8)", 12, "logical", false},
}

// reduction is one generic of the Fortran reductions.
type reduction struct {
	Name   string
	Result string // "": the array's kind
}

var arrayReductions = map[string][]reduction{
	"number":  {{"sum", ""}, {"product", ""}, {"min", ""}, {"max", ""}, {"minloc", "integer"}, {"maxloc", "integer"}},
	"complex": {{"sum", ""}, {"product", ""}},
	"logical": {{"any", ""}, {"all", ""}, {"count", "integer"}},
}

var reductionNames = []string{"sum", "product", "min", "max", "minloc", "maxloc", "any", "all", "count"}

// reduceSpecific is one specific procedure.
type reduceSpecific struct {
	reduceKind
	reduction
	Rank int
	Dim  bool
	// Scalar is a mask that is one logical for all.
	Scalar bool
}

// Is says whether the specific is of one of the generics.
func (s reduceSpecific) Is(names ...string) bool {
	for _, n := range names {
		if s.reduction.Name == n {
			return true
		}
	}
	return false
}

func (s reduceSpecific) Procedure() string {
	name := fmt.Sprintf("%s_%s_%d", s.reduction.Name, s.reduceKind.Name, s.Rank)
	if s.Dim {
		name += "_dim"
	}
	if s.Scalar {
		name += "_all"
	}
	return name
}

func (s reduceSpecific) Type() string {
	if s.Result != "" {
		return s.Result
	}
	return s.Decl
}

// Masked says whether there is mask=.
func (s reduceSpecific) Masked() bool { return s.Class != "logical" }

// Flags are the optional logical arguments.
func (s reduceSpecific) Flags() string {
	var flags []string
	if s.Single && s.Is("sum", "product") {
		flags = append(flags, "in_double")
	}
	if s.Is("sum") && strings.Contains(s.Decl, "real") {
		flags = append(flags, "exact")
	}
	return strings.Join(flags, ", ")
}

// Dummies are the names of the arguments.
func (s reduceSpecific) Dummies() string {
	names := []string{"a"}
	if s.Dim {
		names = append(names, "dim")
	}
	if s.Masked() {
		names = append(names, "mask")
	}
	names = append(names, "label")
	if f := s.Flags(); f != "" {
		names = append(names, f)
	}
	return strings.Join(append(names, "stat", "errmsg", "device", "stream"), ", ")
}

// Call are the arguments for portable_internal_reduce.
func (s reduceSpecific) Call() string {
	mask, dim, flags := "portable_internal_section()", "0", ""
	if s.Masked() {
		mask = fmt.Sprintf("portable_internal_mask_%d(mask)", s.Rank)
	}
	if s.Scalar {
		mask = "portable_internal_mask_0(mask)"
	}
	if s.Dim {
		dim = "merge(dim, -1, dim > 0)"
	}
	for _, f := range []string{"in_double", "exact"} {
		if strings.Contains(s.Flags(), f) {
			flags += f + "=" + f + ", "
		}
	}
	return fmt.Sprintf("portable_internal_%s, portable_internal_array(a), %s, %s, c_loc(answer), label, %sstat=stat, errmsg=errmsg, device=device, stream=stream",
		s.reduction.Name, mask, dim, flags)
}

// Zero is the result after an error.
func (s reduceSpecific) Zero() string {
	if _, kind, found := strings.Cut(s.Type(), "("); found {
		kind = "_" + strings.TrimSuffix(kind, ")")
		if s.Class == "logical" {
			return ".false." + kind
		}
		if s.Class == "complex" {
			return "(0.0" + kind + ", 0.0" + kind + ")"
		}
		if strings.Contains(kind, "real") {
			return "0.0" + kind
		}
		return "0" + kind
	}
	return "0"
}

// Shape is that of the result.
func (s reduceSpecific) Shape() string {
	switch loc := s.Is("minloc", "maxloc"); {
	case !s.Dim && loc:
		return fmt.Sprintf("(%d)", s.Rank)
	case !s.Dim || s.Rank == 1:
		return ""
	default:
		return "(" + list(s.Rank-1, "size(a,#+merge(1,0,dim<=#))") + ")"
	}
}

// reduceModule is what one module of reductions holds.
type reduceModule struct {
	Kinds []reduceKind
	// More is the module for dim= and for masks that are one logical for all.
	More bool
	// Prefix is that of the generics.
	Prefix string
}

// Specifics are those of one generic.
func (m reduceModule) Specifics(name string) (list []reduceSpecific) {
	for _, k := range m.Kinds {
		for _, r := range arrayReductions[k.Class] {
			if r.Name != name {
				continue
			}
			for rank := 1; rank <= commonRanks; rank++ {
				s := reduceSpecific{reduceKind: k, reduction: r, Rank: rank}
				if !m.More {
					list = append(list, s)
					continue
				}
				s.Dim = true
				list = append(list, s)
				if s.Masked() {
					s.Scalar = true
					list = append(list, s)
					s.Dim = false
					list = append(list, s)
				}
			}
		}
	}
	return list
}

func (m reduceModule) All() (list []reduceSpecific) {
	for _, n := range reductionNames {
		list = append(list, m.Specifics(n)...)
	}
	return list
}

func (m reduceModule) Names() []string { return reductionNames }

func (m reduceModule) Ranks() []int { return upto(commonRanks) }

// reduceCheck is a kind with a rank, for the test that walks through them.
type reduceCheck struct {
	reduceKind
	Rank int
}

func (c reduceCheck) Name() string { return fmt.Sprintf("%s_%d", c.reduceKind.Name, c.Rank) }

// Cast makes integers of a name into elements.
func (c reduceCheck) Cast(name string) string {
	base, kind, _ := strings.Cut(strings.TrimSuffix(c.Decl, ")"), "(")
	switch base {
	case "integer":
		return "int(" + name + ", " + kind + ")"
	case "real":
		return "real(" + name + ", " + kind + ")"
	}
	// Either part is 0, so that products are exact.
	return "cmplx(merge(" + name + ", 0, small > 0), merge(0, " + name + ", small > 0), " + kind + ")"
}

func reduceChecks() (data struct{ Specifics []reduceCheck }) {
	for _, k := range reduceKinds {
		for _, rank := range []int{1, 2, 3, 5, 7} {
			data.Specifics = append(data.Specifics, reduceCheck{k, rank})
		}
	}
	return data
}

// reduceOutputs are the generated parts of the modules of reductions.
func reduceOutputs() []output {
	whole := reduceModule{Kinds: reduceKinds, Prefix: "portable_reduce_"}
	more := reduceModule{Kinds: reduceKinds, Prefix: "reduce_", More: true}
	return []output{
		{"fortran/portable_reduce_array_interfaces.inc", "reduce_array_interfaces.inc.tmpl", whole},
		{"fortran/portable_reduce_array_sections.inc", "reduce_array_sections.inc.tmpl", whole},
		{"fortran/portable_reduce_array_procedures.inc", "reduce_array_procedures.inc.tmpl", whole},
		{"fortran/portable_reduce_more_interfaces.inc", "reduce_array_interfaces.inc.tmpl", more},
		{"fortran/portable_reduce_more_procedures.inc", "reduce_array_procedures.inc.tmpl", more},
		{"every/every_dim.f90", "every_dim.f90.tmpl", reduceChecks()},
		{"every/every_reduction.f90", "every_reduction.f90.tmpl", reduceChecks()},
	}
}
