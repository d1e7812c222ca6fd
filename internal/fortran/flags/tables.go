package flags

import (
	"errors"
	"strconv"
	"strings"

	"libportable/internal/fortran/source"
)

// exact are flags without a value. Flags of Intel's, NVIDIA's and LLVM's compilers stand where they mean the same.
var exact = map[string]func(*reader){
	"-ffree-form": free, "-free": free, "-Mfree": free, "-Mfreeform": free,
	"-ffixed-form": fixed, "-fixed": fixed, "-Mfixed": fixed,
	"-cpp": always, "-fpp": always, "-Mpreprocess": always,
	"-nocpp": never, "-nofpp": never,
	"-fopenmp": openMP, "-qopenmp": openMP, "-mp": openMP, "-openmp": openMP,
	"-fno-openmp": func(r *reader) { r.f.Source.OpenMP = false },
	"-fopenacc":   openACC, "-acc": openACC,
	"-fopenmp-simd":      func(r *reader) { r.f.Source.Conditional = true },
	"-fd-lines-as-code":  func(r *reader) { r.f.Source.DLines = true },
	"-d-lines":           func(r *reader) { r.f.Source.DLines = true },
	"-fbackslash":        func(r *reader) { r.f.Source.Backslash = true },
	"-fimplicit-none":    func(r *reader) { r.f.ImplicitNone = true },
	"-Mdclchk":           func(r *reader) { r.f.ImplicitNone = true },
	"-frecursive":        func(r *reader) { r.f.Recursive = true },
	"-recursive":         func(r *reader) { r.f.Recursive = true },
	"-Mrecursive":        func(r *reader) { r.f.Recursive = true },
	"-fno-automatic":     static,
	"-save":              static,
	"-Msave":             static,
	"-fdefault-real-8":   real8,
	"-fdefault-real-10":  func(r *reader) { r.real10 = true },
	"-fdefault-real-16":  func(r *reader) { r.real16 = true },
	"-fdefault-double-8": func(r *reader) { r.double8 = true },
	// These keep DOUBLE PRECISION, other than gfortran's flag.
	"-r8":                   real8only,
	"-Mr8":                  real8only,
	"-fdefault-integer-8":   integer8,
	"-i8":                   integer8,
	"-Mi8":                  integer8,
	"-extend-source":        func(r *reader) { r.f.Source.FixedColumns = 132 },
	"-Mextend":              func(r *reader) { r.f.Source.FixedColumns = 132 },
	"-132":                  func(r *reader) { r.f.Source.FixedColumns = 132 },
	"-80":                   func(r *reader) { r.f.Source.FixedColumns = 80 },
	"-finit-local-zero":     initial,
	"-finit-derived":        initial,
	"-freal-4-real-8":       func(r *reader) { r.real(4, 8) },
	"-freal-4-real-10":      func(r *reader) { r.real(4, 10) },
	"-freal-4-real-16":      func(r *reader) { r.real(4, 16) },
	"-freal-8-real-4":       func(r *reader) { r.real(8, 4) },
	"-freal-8-real-10":      func(r *reader) { r.real(8, 10) },
	"-freal-8-real-16":      func(r *reader) { r.real(8, 16) },
	"-finteger-4-integer-8": func(r *reader) { r.integer(4, 8) },
}

func free(r *reader)      { r.f.Source.Form = source.Free }
func fixed(r *reader)     { r.f.Source.Form = source.Fixed }
func always(r *reader)    { r.f.Source.Preprocess = source.Always }
func never(r *reader)     { r.f.Source.Preprocess = source.Never }
func openMP(r *reader)    { r.f.Source.OpenMP, r.f.Recursive = true, true }
func openACC(r *reader)   { r.f.Source.OpenACC = true }
func static(r *reader)    { r.f.NoAutomatic = true }
func real8(r *reader)     { r.real8 = true }
func real8only(r *reader) { r.real8, r.double8 = true, true }
func integer8(r *reader)  { r.integer8 = true }
func initial(r *reader)   { r.f.InitLocals = true }

func (r *reader) real(from, to int) {
	if r.f.RealBecomes == nil {
		r.f.RealBecomes = map[int]int{}
	}
	r.f.RealBecomes[from] = to
}

func (r *reader) integer(from, to int) {
	if r.f.IntegerBecomes == nil {
		r.f.IntegerBecomes = map[int]int{}
	}
	r.f.IntegerBecomes[from] = to
}

// prefixed are flags with a value. separate: the value may be the next word.
var prefixed = []struct {
	flag     string
	separate bool
	set      func(r *reader, value string) error
}{
	{"-ffixed-line-length-", false, func(r *reader, v string) (err error) {
		r.f.Source.FixedColumns, err = columns(v, -1)
		return err
	}},
	{"-ffree-line-length-", false, func(r *reader, v string) (err error) {
		r.f.Source.FreeColumns, err = columns(v, 0)
		return err
	}},
	{"-finit-", false, func(r *reader, v string) error { r.f.InitLocals = true; return nil }},
	{"-fopenmp=", false, func(r *reader, v string) error { openMP(r); return nil }},
	{"-mp=", false, func(r *reader, v string) error { openMP(r); return nil }},
	{"-acc=", false, func(r *reader, v string) error { openACC(r); return nil }},
	{"-module", true, func(r *reader, v string) error { r.f.ModuleFolder = v; return nil }},
	{"-J", true, func(r *reader, v string) error { r.f.ModuleFolder = v; return nil }},
	{"-isystem", true, include},
	{"-idirafter", true, include},
	{"-I", true, include},
	{"-D", true, func(r *reader, v string) error {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			value = "1"
		}
		return r.macro(source.Macro{Name: name, Value: value})
	}},
	{"-U", true, func(r *reader, v string) error { return r.macro(source.Macro{Name: v, Undefine: true}) }},
	{"-real-size", true, func(r *reader, v string) error { r.real8, r.double8 = v == "64", v == "64" || r.double8; return nil }},
	{"-integer-size", true, func(r *reader, v string) error { r.integer8 = v == "64"; return nil }},
	// Values of these are no flags.
	{"-o", true, func(*reader, string) error { return nil }},
	{"-Xpreprocessor", true, func(*reader, string) error { return nil }},
	{"-Xlinker", true, func(*reader, string) error { return nil }},
}

func include(r *reader, v string) error {
	r.f.Source.Include = append(r.f.Source.Include, v)
	return nil
}

func (r *reader) macro(m source.Macro) error {
	if m.Name == "" || !(m.Name[0] == '_' || m.Name[0]|' ' >= 'a' && m.Name[0]|' ' <= 'z') {
		return errors.New("the name of the macro is missing; it begins with a letter")
	}
	r.f.Source.Macros = append(r.f.Source.Macros, m)
	return nil
}

// columns is a line length; without and 0: no end.
func columns(v string, without int) (int, error) {
	n, err := strconv.Atoi(v)
	switch {
	case v == "none" || err == nil && n == 0:
		return without, nil
	case err != nil || n < 7:
		return 0, errors.New("the length is invalid; write none, or a number of at least 7")
	}
	return n, nil
}
