package libmath

import (
	"sort"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// This file tells which places of a file can be edited: none that an included file or a part of a macro has.

// sign is where ** of a power stands. A power that cannot be written in its place is refused: the compiler's would be left.
func (f *finder) sign(e *tree.Binary) (token.Span, bool) {
	if e.Where.From.File != f.file.Source.Index {
		f.refuse(e.Where, "a power of reals stands in an included file, which is not written", "write the power in the file itself, or as a call of "+Power)
		return token.Span{}, false
	}
	x, y := e.X.Span(), e.Y.Span()
	for i := f.first(x.To.Offset); i < len(f.tokens) && f.tokens[i].Span.From.Offset < y.From.Offset; i++ {
		t := f.tokens[i]
		if !t.Is("**") || t.Macro {
			continue
		}
		if t.Span.From.Line != t.Span.To.Line {
			f.refuse(e.Where, "the two characters of ** stand on two lines", "write them on one line")
			return token.Span{}, false
		}
		if !f.whole(x) || !f.whole(y) {
			break
		}
		return t.Span, true
	}
	f.refuse(e.Where, "a macro makes a part of this power", "put the macro's text in parentheses, or write the power without the macro")
	return token.Span{}, false
}

// first is the first token that begins at an offset or behind it.
func (f *finder) first(offset int32) int {
	return sort.Search(len(f.tokens), func(i int) bool { return f.tokens[i].Span.From.Offset >= offset })
}

// whole reports whether the macros in an operand make whole operands: of b+c in front of **, only c would be in the power.
func (f *finder) whole(operand token.Span) bool {
	depth := 0
	for i := f.first(operand.From.Offset); i < len(f.tokens) && f.tokens[i].Span.From.Offset < operand.To.Offset; {
		from := i
		switch t := f.tokens[i]; {
		case t.Macro:
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
		for i++; f.tokens[from].Macro && i < len(f.tokens) && f.tokens[i].Macro && f.tokens[i].Span == f.tokens[from].Span; i++ {
		}
		if depth == 0 && f.tokens[from].Macro && !primary(f.tokens[from:i]) {
			return false
		}
	}
	return true
}

// primary reports whether tokens have closed parentheses, and no operator or comma outside of them.
func primary(list []token.Token) bool {
	depth := 0
	for _, t := range list {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case depth == 0 && t.Kind == token.Operator && !t.Is("%"):
			return false
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

// placed refuses a procedure that needs a USE statement where none can be written.
func (f *finder) placed(u *tree.Unit) {
	at, nested := u.Head, u.HeadLine != nil && u.HeadLine.Nested
	if u.HeadLine == nil { // a program without a PROGRAM statement
		for _, d := range u.Declarations {
			at = d.Info().Where
			nested = at.From.File != f.file.Source.Index
			break
		}
	}
	if nested {
		f.refuse(at, "a procedure with functions of "+Module+" begins in an included file, which is not written", "convert a file that has the procedure itself")
	}
}
