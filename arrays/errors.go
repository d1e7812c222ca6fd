package arrays

// This file has the error type of this package: a kind, which capi turns into a status code, and a
// text.

import (
	"errors"
	"fmt"
)

// Kinds of failure, for errors.Is.
var (
	ErrArgument = errors.New("an argument is invalid")
	ErrOverflow = errors.New("a number does not fit")
)

// fault is a failure: its kind, and a text with the asked value, the found value and an advice.
type fault struct {
	kind error
	text string
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.kind }

func wrong(format string, arguments ...any) error {
	return &fault{ErrArgument, fmt.Sprintf(format, arguments...)}
}

func overflow(format string, arguments ...any) error {
	return &fault{ErrOverflow, fmt.Sprintf(format, arguments...)}
}
