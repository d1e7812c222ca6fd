// Package flags reads the flags of Fortran compilers that change what a source means: form, macros,
// folders of included files, default kinds, OpenMP.
//
// It runs no compiler and opens no file. Flags that say nothing about sources (-O2, -Wall) are left out;
// a flag with an invalid value is an error. Threads: functions without state.
package flags

import (
	"fmt"
	"strings"

	"libportable/internal/fortran/source"
)

// Flags are facts about a compilation.
type Flags struct {
	Source source.Options

	// Default kinds in bytes; 0: the language's usual ones, 4, 4, 8 and 4.
	Integer, Real, Double, Logical int
	// Kinds that declared ones become, in bytes: -freal-4-real-8 makes {4: 8}.
	RealBecomes, IntegerBecomes map[int]int

	ImplicitNone bool   // names must be declared
	Recursive    bool   // local variables are not static: -frecursive, -fopenmp
	NoAutomatic  bool   // local variables are static: -fno-automatic, -save
	InitLocals   bool   // local variables have initial values: -finit-real=zero and its kin
	ModuleFolder string // -J
}

// Read reads flags of a command line. compiler is the name of its program, or "": gfortran.
func Read(compiler string, words []string) (Flags, error) {
	r := reader{words: words}
	if strings.Contains(compiler, "flang") {
		r.f.Source.Predefined, r.f.Source.AllIncluded = source.Flang(), true
	}
	for r.next() {
		if err := r.flag(); err != nil {
			return r.f, err
		}
	}
	r.defaults()
	return r.f, nil
}

// reader reads words one after the other.
type reader struct {
	words                                    []string
	word                                     string
	f                                        Flags
	real8, real10, real16, double8, integer8 bool
}

func (r *reader) next() bool {
	if len(r.words) == 0 {
		return false
	}
	r.word, r.words = r.words[0], r.words[1:]
	return true
}

// value is the value of a flag that is -Xvalue or -X value.
func (r *reader) value(flag string) (string, error) {
	if v := strings.TrimPrefix(r.word, flag); v != "" {
		return v, nil
	}
	if len(r.words) == 0 {
		return "", fmt.Errorf("the flag '%s' has no value; write it behind the flag", flag)
	}
	v := r.words[0]
	r.words = r.words[1:]
	return v, nil
}

// flag reads one flag, with its value.
func (r *reader) flag() error {
	if set := exact[r.word]; set != nil {
		set(r)
		return nil
	}
	for _, p := range prefixed {
		if !strings.HasPrefix(r.word, p.flag) {
			continue
		}
		v := strings.TrimPrefix(r.word, p.flag)
		if p.separate {
			var err error
			if v, err = r.value(p.flag); err != nil {
				return err
			}
		}
		if err := p.set(r, v); err != nil {
			return fmt.Errorf("the flag '%s': %w", r.word, err)
		}
		return nil
	}
	return nil
}

// defaults computes the default kinds as gfortran does: -fdefault-real-8 makes DOUBLE PRECISION twice as long too, unless
// -fdefault-double-8 is given.
func (r *reader) defaults() {
	f := &r.f
	if r.integer8 {
		f.Integer, f.Logical = 8, 8
	}
	switch {
	case r.real8:
		f.Real, f.Double = 8, 16
	case r.real10:
		f.Real, f.Double = 10, 16
	case r.real16:
		f.Real, f.Double = 16, 16
	}
	if r.double8 {
		f.Double = 8
	}
}
