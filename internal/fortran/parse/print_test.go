package parse

import (
	"fmt"
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// words are tokens with blanks between them.
func words(list []token.Token) string {
	var out []string
	for _, t := range list {
		switch t.Kind {
		case token.String:
			out = append(out, "'"+strings.ReplaceAll(t.Text, "'", "''")+"'")
		case token.Hollerith:
			out = append(out, fmt.Sprintf("%dh%s", len(t.Text), t.Text))
		default:
			out = append(out, t.Text)
		}
	}
	return strings.Join(out, " ")
}

func (p *printer) directives(list []*tree.Directive) {
	for _, d := range list {
		sentinel := "$" + d.Line.Sentinel
		switch d.Line.Sentinel {
		case "gcc", "dec", "ibm", "nec", "ms":
			sentinel = d.Line.Sentinel + "$"
		}
		fmt.Fprintf(p, "!%s %s\n", sentinel, words(d.Line.Tokens))
	}
}

func (p *printer) line(label int32, before []*tree.Directive, format string, args ...any) {
	p.directives(before)
	p.WriteString(strings.Repeat("  ", p.indent))
	if label != 0 {
		fmt.Fprintf(p, "%d ", label)
	}
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// unit heads by kind.
func (p *printer) unit(u *tree.Unit) {
	s := strings.Join(u.Prefix, " ")
	if s != "" {
		s += " "
	}
	if u.Type != nil {
		s += p.typeSpec(u.Type) + " "
	}
	switch u.Kind {
	case tree.Submodule:
		s += "submodule (" + strings.Join(u.Ancestor, ":") + ") " + u.Name
	case tree.ModuleProcedure:
		s += "module procedure " + u.Name
	case tree.Subroutine, tree.Function:
		s += kindOf[u.Kind] + " " + u.Name + "(" + strings.Join(u.Dummies, ", ") + ")"
		if u.Kind == tree.Function && u.Result != u.Name {
			s += " result(" + u.Result + ")"
		}
		if u.Bind != nil {
			s += " bind(c" + optional(", name=", p.expression(u.Bind.Name)) + ")"
		}
	default:
		s += kindOf[u.Kind] + " " + u.Name
	}
	if u.HeadLine != nil {
		p.line(0, u.Before, "%s", strings.TrimRight(s, " "))
	}
	p.indent++
	for _, d := range u.Declarations {
		p.declaration(d)
	}
	for i, n := range u.Body {
		if j, ok := n.(*tree.Jump); !ok || j.Kind != "end" || i < len(u.Body)-1 {
			p.node(n)
		}
	}
	p.indent--
	if u.ContainsLine != nil {
		p.line(0, u.ContainsDirs, "contains")
	}
	p.indent++
	for _, c := range u.Contains {
		p.unit(c)
	}
	p.indent--
	if u.EndLine != nil {
		p.line(u.EndLabel, u.EndBefore, "end %s", kindOf[u.Kind])
	}
}

// print is a file as Fortran.
func print(f *tree.File, braces bool) string {
	p := &printer{braces: braces}
	for _, u := range f.Units {
		p.unit(u)
	}
	p.directives(f.Behind)
	return p.String()
}
