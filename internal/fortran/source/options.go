package source

import (
	"path/filepath"
	"strings"
)

// Form is the form of a source.
type Form uint8

// The forms.
const (
	ByName Form = iota
	Free
	Fixed
)

// Preprocess says when the preprocessor runs.
type Preprocess uint8

// When the preprocessor runs.
const (
	BySuffix Preprocess = iota // .F90, .F, .fpp and their kin
	Always                     // -cpp
	Never                      // -nocpp
)

// Macro is a macro of the command line, or of the compiler. Name may have parameters: f(x).
type Macro struct {
	Name, Value string
	Undefine    bool
}

// Options say how a file is read. The zero value reads it as gfortran does without flags.
type Options struct {
	Form         Form
	Preprocess   Preprocess
	FixedColumns int      // last column of fixed form; 0: 72, -1: no end
	FreeColumns  int      // last column of free form; 0: no end
	Include      []string // folders of -I, in their order
	Macros       []Macro  // -D and -U, in their order
	Predefined   []Macro  // of the compiler; nil: Gfortran()
	OpenMP       bool     // lines with !$ are statements, _OPENMP is defined
	Conditional  bool     // lines with !$ are statements: -fopenmp-simd
	OpenACC      bool     // _OPENACC is defined
	DLines       bool     // fixed form: D in column 1 is a blank, not a comment
	Backslash    bool     // \ in strings begins an escape
	AllIncluded  bool     // the preprocessor reads files of INCLUDE too, as flang's does and gfortran's does not
	AllBranches  bool     // read all branches of #if, expand nothing, and give lines of the kind Branch
	Mark         string   // text in comments that marks lines (Line.Marked), in lower case; "": none
}

// fixedNames and preprocessed are gfortran's suffixes, with those of other compilers.
var (
	fixedNames   = []string{".f", ".for", ".ftn", ".f77", ".fpp", ".fi"}
	preprocessed = []string{".F", ".FOR", ".FTN", ".F77", ".FPP", ".fpp", ".F90", ".F95", ".F03", ".F08", ".F18", ".CUF", ".ff90", ".fpp90"}
)

// IsFixed decides the form as compilers do.
func (o *Options) IsFixed(name string) bool {
	if o.Form != ByName {
		return o.Form == Fixed
	}
	suffix := strings.ToLower(filepath.Ext(name))
	for _, s := range fixedNames {
		if suffix == s {
			return true
		}
	}
	return false
}

// IsPreprocessed decides whether the preprocessor runs.
func (o *Options) IsPreprocessed(name string) bool {
	if o.Preprocess != BySuffix {
		return o.Preprocess == Always
	}
	suffix := filepath.Ext(name)
	for _, s := range preprocessed {
		if suffix == s {
			return true
		}
	}
	return false
}

// conditional reports whether lines with !$ are statements.
func (o *Options) conditional() bool { return o.OpenMP || o.Conditional }

// columns is the last column of fixed form, or a number that no line reaches.
func (o *Options) columns() int {
	switch {
	case o.FixedColumns == 0:
		return 72
	case o.FixedColumns < 0:
		return 1 << 30
	}
	return o.FixedColumns
}
