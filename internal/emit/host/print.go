package host

import (
	"strings"

	"libportable/internal/emit/libmath"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// words are the user's bytes of an expression if they stand on one line of this file, else its text from the tree.
func (w *writer) words(e tree.Expression) string {
	if e == nil {
		return ""
	}
	plain := speller{}.text(e)
	if s, ok := w.bytes(e.Span()); ok && squeezed(s) == squeezed(plain) {
		return s
	}
	return plain // a macro, or several lines
}

// squeezed is a text without what the same text may differ in.
func squeezed(s string) string {
	return strings.NewReplacer(" ", "", "\t", "", "kind=", "", "len=", "", "\"", "'").Replace(strings.ToLower(s))
}

func (w *writer) bytes(s token.Span) (string, bool) {
	if !s.From.Known() || s.From.File != w.file.Source.Index || s.From.Line != s.To.Line || s.To.Offset > int32(len(w.file.Source.Text)) {
		return "", false
	}
	return string(w.file.Source.Text[s.From.Offset:s.To.Offset]), true
}

// speller writes expressions; names has those that become another name.
type speller struct {
	names  map[tree.Expression]string
	powers map[*tree.Binary]map[int]string // those that become a function
}

func (p speller) text(e tree.Expression) string {
	if name, ok := p.names[e]; ok {
		return name
	}
	switch e := e.(type) {
	case *tree.Literal:
		return literal(e)
	case *tree.Name:
		return e.Name
	case *tree.Reference:
		return p.text(e.Base) + "(" + p.arguments(e.Arguments) + ")"
	case *tree.Component:
		return p.text(e.Base) + "%" + e.Name
	case *tree.Coindexed:
		return p.text(e.Base) + "[" + p.arguments(e.Arguments) + "]"
	case *tree.Range:
		s := p.text(e.Lower) + ":" + p.text(e.Upper)
		if e.Stride != nil {
			s += ":" + p.text(e.Stride)
		}
		return s
	case *tree.Unary:
		if e.Operator[0] == '.' {
			return e.Operator + " " + p.text(e.X)
		}
		return e.Operator + p.text(e.X)
	case *tree.Binary:
		if kind, ok := p.powers[e]; ok {
			operands := []string{p.text(e.X), p.text(e.Y)}
			for i, k := range kind {
				operands[i] = "real(" + operands[i] + ", " + k + ")"
			}
			return libmath.Power + "(" + join(operands) + ")"
		}
		if e.Operator == "**" {
			return p.text(e.X) + e.Operator + p.text(e.Y)
		}
		return p.text(e.X) + " " + e.Operator + " " + p.text(e.Y)
	case *tree.Parenthesis:
		return "(" + p.text(e.X) + ")"
	case *tree.Complex:
		return "(" + p.text(e.Re) + ", " + p.text(e.Im) + ")"
	case *tree.Constructor:
		items := make([]string, len(e.Items))
		for i, x := range e.Items {
			items[i] = p.text(x)
		}
		return "[" + typePrefix(e.Type) + strings.Join(items, ", ") + "]"
	case *tree.ImpliedDo:
		items := make([]string, len(e.Items))
		for i, x := range e.Items {
			items[i] = p.text(x)
		}
		s := "(" + strings.Join(items, ", ") + ", " + e.Variable + " = " + p.text(e.First) + ", " + p.text(e.Last)
		if e.Step != nil {
			s += ", " + p.text(e.Step)
		}
		return s + ")"
	case *tree.Star:
		return "*"
	}
	return ""
}

func typePrefix(t *tree.TypeSpec) string {
	if t == nil {
		return ""
	}
	return typeWords(t) + " :: "
}

// typeWords writes a type from the tree.
func typeWords(t *tree.TypeSpec) string {
	s := t.Base
	switch {
	case t.Base == "type" || t.Base == "class":
		return s + "(" + t.Name + ")"
	case t.Base == "character":
		length := "1"
		if t.Colon {
			length = ":"
		} else if t.Length != nil {
			length = speller{}.text(t.Length)
		}
		if t.Kind != nil {
			return s + "(len=" + length + ", kind=" + speller{}.text(t.Kind) + ")"
		}
		return s + "(len=" + length + ")"
	case t.Kind != nil && t.Bytes:
		return s + "*" + speller{}.text(t.Kind)
	case t.Kind != nil:
		return s + "(" + speller{}.text(t.Kind) + ")"
	}
	return s
}

func (p speller) arguments(list []tree.Argument) string {
	out := make([]string, len(list))
	for i, a := range list {
		if a.Keyword != "" {
			out[i] = a.Keyword + "="
		}
		if a.Value != nil {
			out[i] += p.text(a.Value)
		}
	}
	return strings.Join(out, ", ")
}

// quoted writes a text as a literal.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func literal(e *tree.Literal) string {
	s := e.Text
	switch e.Kind {
	case tree.StringLiteral:
		s = quoted(s)
		if e.Parameter != "" {
			return e.Parameter + "_" + s
		}
		return s
	case tree.LogicalLiteral:
		if !strings.HasPrefix(s, ".") {
			s = "." + s + "."
		}
	}
	if e.Parameter != "" {
		return s + "_" + e.Parameter
	}
	return s
}
