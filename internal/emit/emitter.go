package emit

import (
	"io"

	"libportable/internal/nest"
)

// NotConverted is the rule of nests that an emitter cannot write.
const NotConverted nest.Rule = "not-converted"

// Reason says why a kernel cannot be written.
type Reason = nest.Refusal

// Emitter writes kernels in one language.
type Emitter interface {
	Name() string                       // "host", "cuda"
	Suffix() string                     // of the files that it makes, behind the stem of the source: ".pf.F90"
	Refuses(*Kernel) []Reason           // empty: it can write the kernel
	Write(w io.Writer, k *Kernel) error // the procedures of the kernel
}
