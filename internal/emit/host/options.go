package host

import (
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

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
