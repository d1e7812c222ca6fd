package parse

import (
	"fmt"
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// inside reports whether b is in a. Places in files that are included tell nothing about each other.
func inside(a, b token.Span) bool {
	if a.From.File != b.From.File || !a.From.Known() || !b.From.Known() {
		return !a.From.Known() == !b.From.Known() || b.From.Known()
	}
	return a.From.Offset <= b.From.Offset && b.To.Offset <= a.To.Offset && b.From.Offset <= b.To.Offset
}

// where is the span of something in a tree.
func where(n any) (token.Span, bool) {
	switch n := n.(type) {
	case tree.Expression:
		return n.Span(), true
	case *tree.TypeSpec:
		return n.Where, true
	case *tree.Entity:
		return n.Where, true
	case *tree.Branch:
		return n.Where, true
	case *tree.Case:
		return n.Where, n.Where.From.Known()
	case tree.Node:
		return n.Info().Where, true
	case tree.Declaration:
		return n.Info().Where, true
	}
	return token.Span{}, false
}

// wrongSpan is a message about the first span that is not inside of its parent's, or names other bytes; "": there is none.
func wrongSpan(f *tree.File) (wrong string) {
	tree.Walk(f, func(n any) bool {
		parent, known := where(n)
		if name, ok := n.(*tree.Name); ok && parent.From.File == f.Source.Index && wrong == "" && !strings.HasPrefix(name.Name, "%") {
			text := string(f.Source.Text[parent.From.Offset:parent.To.Offset])
			if len(text) == len(name.Name) && !strings.EqualFold(text, name.Name) && letters(text) {
				wrong = fmt.Sprintf("%d:%d: the bytes of %s are %q", parent.From.Line, parent.From.Column, name.Name, text)
			}
		}
		if !known || wrong != "" {
			return wrong == ""
		}
		first := true
		tree.Walk(n, func(child any) bool {
			if first {
				first = false
				return true
			}
			_, statement := child.(tree.Node)
			_, declaration := child.(tree.Declaration)
			later := false // it belongs to a later statement of the construct
			switch child.(type) {
			case *tree.Branch, *tree.Case:
				later = true
			case *tree.Entity:
				_, later = n.(*tree.Enum)
			}
			if s, ok := where(child); ok && !statement && !declaration && !later && !inside(parent, s) {
				wrong = fmt.Sprintf("%T at %v is not inside of %T at %v", child, s, n, parent)
			}
			return false
		})
		return wrong == ""
	})
	return wrong
}

// letters reports whether a text is a plain name: a macro's use has other bytes.
func letters(text string) bool {
	for _, c := range []byte(text) {
		if c != '_' && (c < '0' || c > '9') && (c|32 < 'a' || c|32 > 'z') {
			return false
		}
	}
	return true
}
