package host

import (
	"io"

	"libportable/internal/emit"
)

// Emitter writes the procedures of kernels in Fortran.
type Emitter struct{ Options Options }

var _ emit.Emitter = Emitter{}

// Name is the name of the output.
func (Emitter) Name() string { return "host" }

// Suffix is that of the generated files; in fixed form it is .pf.F.
func (Emitter) Suffix() string { return ".pf.F90" }

// Refuses says why the kernel cannot be written.
func (e Emitter) Refuses(k *emit.Kernel) []emit.Reason {
	return newWriter(k.Nest.File, &e.Options).nest(k)
}

// Write writes the procedures of a kernel, without the file around them.
func (e Emitter) Write(out io.Writer, k *emit.Kernel) error {
	w := newWriter(k.Nest.File, &e.Options)
	if reasons := w.nest(k); len(reasons) > 0 {
		return &Refused{reasons}
	}
	for _, p := range w.places {
		if _, err := out.Write(render(p.text.pieces, &e.Options, e.Options.name(k.Nest.File))); err != nil {
			return err
		}
	}
	return nil
}
