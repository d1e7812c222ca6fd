package parse

import (
	"fmt"
	"strings"

	"libportable/internal/fortran/tree"
)

// printer writes a tree as Fortran. With braces, each operator with its operands stands between { }.
type printer struct {
	strings.Builder
	braces bool
	indent int
}

func (p *printer) expressions(list []tree.Expression) string {
	var out []string
	for _, x := range list {
		out = append(out, p.expression(x))
	}
	return strings.Join(out, ", ")
}

func (p *printer) arguments(list []tree.Argument) string {
	var out []string
	for _, a := range list {
		s := ""
		if a.Keyword != "" {
			s = a.Keyword + "="
		}
		if a.Label != 0 {
			s += fmt.Sprintf("*%d", a.Label)
		} else {
			s += p.expression(a.Value)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func optional(s, x string) string {
	if x == "" {
		return ""
	}
	return s + x
}

func (p *printer) expression(x tree.Expression) string {
	switch x := x.(type) {
	case nil:
		return ""
	case *tree.Literal:
		switch x.Kind {
		case tree.StringLiteral:
			if s := "'" + strings.ReplaceAll(x.Text, "'", "''") + "'"; x.Parameter != "" {
				return x.Parameter + "_" + s
			} else {
				return s
			}
		case tree.HollerithLiteral:
			return fmt.Sprintf("%dh%s", len(x.Text), x.Text)
		}
		return x.Text + optional("_", x.Parameter)
	case *tree.Name:
		return x.Name
	case *tree.Reference:
		return p.expression(x.Base) + "(" + p.arguments(x.Arguments) + ")"
	case *tree.Component:
		return p.expression(x.Base) + "%" + x.Name
	case *tree.Coindexed:
		return p.expression(x.Base) + "[" + p.arguments(x.Arguments) + "]"
	case *tree.Range:
		return p.expression(x.Lower) + ":" + p.expression(x.Upper) + optional(":", p.expression(x.Stride))
	case *tree.Unary:
		s := x.Operator + p.expression(x.X)
		if len(x.Operator) > 1 {
			s = x.Operator + " " + p.expression(x.X)
		}
		if p.braces {
			return "{" + s + "}"
		}
		return s
	case *tree.Binary:
		s := p.expression(x.X) + " " + x.Operator + " " + p.expression(x.Y)
		if p.braces {
			return "{" + s + "}"
		}
		return s
	case *tree.Parenthesis:
		return "(" + p.expression(x.X) + ")"
	case *tree.Complex:
		return "(" + p.expression(x.Re) + ", " + p.expression(x.Im) + ")"
	case *tree.Constructor:
		s := p.expressions(x.Items) + "]"
		if x.Type != nil {
			return "[" + p.spec(x.Type) + " :: " + s
		}
		return "[" + s
	case *tree.ImpliedDo:
		s := "(" + p.expressions(x.Items) + ", "
		if x.VariableIsType != nil {
			s += p.typeSpec(x.VariableIsType) + " :: "
		}
		return s + x.Variable + " = " + p.expression(x.First) + ", " + p.expression(x.Last) + optional(", ", p.expression(x.Step)) + ")"
	case *tree.Star:
		return "*"
	}
	return fmt.Sprintf("?%T", x)
}

func (p *printer) typeSpec(t *tree.TypeSpec) string {
	parameters := func() string {
		if t.Parameters == nil {
			return ""
		}
		return "(" + p.arguments(t.Parameters) + ")"
	}
	length := p.expression(t.Length)
	if t.Colon {
		length = ":"
	}
	switch {
	case t.Base == "type" || t.Base == "class":
		return t.Base + "(" + t.Name + parameters() + ")"
	case t.Base == "procedure" && t.Returns != nil:
		return "procedure(" + p.typeSpec(t.Returns) + ")"
	case t.Base == "procedure":
		return "procedure(" + t.Name + ")"
	case t.Base == "character" && length != "" && t.Kind != nil:
		return "character(len=" + length + ", kind=" + p.expression(t.Kind) + ")"
	case t.Base == "character" && length != "":
		return "character(" + length + ")"
	case t.Kind != nil && t.Bytes:
		return t.Base + "*" + p.expression(t.Kind)
	case t.Kind != nil:
		return t.Base + "(kind=" + p.expression(t.Kind) + ")"
	}
	return t.Base
}

func (p *printer) dimensions(list []tree.Dimension) string {
	var out []string
	for _, d := range list {
		s := p.expression(d.Upper)
		switch {
		case d.Rank:
			s = ".."
		case d.Star:
			s = "*"
		}
		if d.Lower != nil {
			s = p.expression(d.Lower) + ":" + s
		} else if d.Colon {
			s = ":"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}
