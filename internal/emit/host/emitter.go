package host

import (
	"io"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/emit/libmath"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/data"
)

// Emitter writes the procedures of kernels in Fortran.
type Emitter struct{ Options Options }

var _ emit.Emitter = Emitter{}

// Name is the name of the output.
func (Emitter) Name() string { return "host" }

// Suffix is that of the generated files, of those in fixed form too: a flag tells compilers the form.
func (Emitter) Suffix() string { return ".pf.F90" }

// Refuses says why the kernel cannot be written.
func (e Emitter) Refuses(k *emit.Kernel) []emit.Reason {
	return newWriter(k.Nest.File, &e.Options).nest(k).reasons
}

// Write writes the procedures of a kernel, without the file around them.
func (e Emitter) Write(out io.Writer, k *emit.Kernel) error {
	w := newWriter(k.Nest.File, &e.Options)
	if reasons := w.nest(k).reasons; len(reasons) > 0 {
		return &Refused{reasons}
	}
	for _, p := range w.places {
		if _, err := out.Write(render(p.text.pieces, &e.Options, e.Options.name(k.Nest.File))); err != nil {
			return err
		}
	}
	return nil
}

// Options say how a file is written.
type Options struct {
	Program      *scope.Program
	Output       string              // name of the file that is written, for the line markers of what is generated
	Source       string              // name of the user's file in line markers; "": as it was read
	NoMarkers    bool                // no line markers
	Check        bool                // write the body with shadows for each nest, not only for those that are asserted
	Width        int                 // most columns of a generated line; 0: 132, in fixed form 72
	Always       bool                // launch also where the user's loop takes less time than its launch
	Preprocessed bool                // compilers preprocess the source itself
	WholeCopies  bool                // the compiler is flang 16, which copies whole arrays for sections that overlap
	Defined      []string            // names that the compiler's flags define
	Recursive    map[*tree.Unit]bool // procedures that nests of other files call (Called)
	Math         *libmath.Plan       // the functions and powers of reals that are those of portable_math_mod; nil: none
	Data         *data.Plan          // data regions; nil: none
	Device       emit.Emitter        // writes the text for devices, which is embedded; nil: there is none
}

// Refused is the error of nests that cannot be written.
type Refused struct{ Reasons []emit.Reason }

func (r *Refused) Error() string {
	texts := make([]string, 0, len(r.Reasons))
	for _, reason := range r.Reasons {
		texts = append(texts, reason.Text)
	}
	return strings.Join(texts, "; ")
}

// name is the user's file in line markers.
func (o *Options) name(file *tree.File) string {
	if o.Source != "" {
		return o.Source
	}
	return file.Source.Name
}

func (o *Options) width(fixed bool) int {
	switch {
	case o.Width > 0:
		return o.Width
	case fixed:
		return 72
	}
	return 132
}
