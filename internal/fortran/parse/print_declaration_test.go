package parse

import (
	"fmt"
	"sort"
	"strings"

	"libportable/internal/fortran/tree"
)

func (p *printer) entity(e tree.Entity) string {
	s := e.Name
	if e.Dimensions != nil {
		s += "(" + p.dimensions(e.Dimensions) + ")"
	}
	if e.Codimensions != nil {
		s += "[" + p.dimensions(e.Codimensions) + "]"
	}
	if e.Length != nil {
		s += "*(" + p.expression(e.Length) + ")"
	}
	switch {
	case e.Value != nil && e.Pointer:
		s += " => " + p.expression(e.Value)
	case e.Value != nil:
		s += " = " + p.expression(e.Value)
	case e.Data != nil:
		s += " /" + p.expressions(e.Data) + "/"
	}
	return s
}

func (p *printer) entities(list []tree.Entity) string {
	var out []string
	for _, e := range list {
		out = append(out, p.entity(e))
	}
	return strings.Join(out, ", ")
}

func (p *printer) attribute(a tree.Attribute) string {
	switch {
	case a.Bind != nil:
		return "bind(c" + optional(", name=", p.expression(a.Bind.Name)) + ")"
	case a.Name == "codimension" && a.Dimensions != nil:
		return "codimension[" + p.dimensions(a.Dimensions) + "]"
	case a.Dimensions != nil:
		return a.Name + "(" + p.dimensions(a.Dimensions) + ")"
	case a.Inside != nil:
		return a.Name + "(" + strings.Join(a.Inside, ", ") + ")"
	}
	return a.Name
}

func (p *printer) attributes(list []tree.Attribute) (s string) {
	for _, a := range list {
		s += ", " + p.attribute(a)
	}
	return s
}

func (p *printer) unread(list []*tree.UnreadDeclaration) {
	for _, u := range list {
		p.declaration(u)
	}
}

func (p *printer) declaration(d tree.Declaration) {
	line := func(format string, args ...any) { p.line(d.Info().Label, d.Info().Before, format, args...) }
	switch d := d.(type) {
	case *tree.Variables:
		line("%s%s :: %s", p.typeSpec(d.Type), p.attributes(d.Attributes), p.entities(d.Entities))
	case *tree.Attributes:
		switch {
		case d.Attribute.Name == "parameter":
			line("parameter (%s)", p.entities(d.Entities))
		case d.Attribute.Name == "cray pointer":
			var out []string
			for i := 0; i+1 < len(d.Entities); i += 2 {
				out = append(out, "("+p.entity(d.Entities[i])+", "+p.entity(d.Entities[i+1])+")")
			}
			line("pointer %s", strings.Join(out, ", "))
		case d.Entities == nil:
			line("%s", p.attribute(d.Attribute))
		default:
			line("%s :: %s", p.attribute(d.Attribute), p.entities(d.Entities))
		}
	case *tree.Use:
		s := "use" + optional(", ", d.Nature) + " :: " + d.Module
		if d.Only {
			s += ", only:"
		} else if d.Renames != nil {
			s += ","
		}
		for i, r := range d.Renames {
			if i > 0 {
				s += ","
			}
			if s += " " + r.Local; r.Local != r.Name {
				s += " => " + r.Name
			}
		}
		line("%s", s)
	case *tree.Implicit:
		if d.None {
			line("implicit none")
			break
		}
		if d.Rules == nil {
			line("implicit none (external)")
			break
		}
		var out []string
		for _, r := range d.Rules {
			var letters []string
			for _, l := range r.Letters {
				letters = append(letters, fmt.Sprintf("%c-%c", l[0], l[1]))
			}
			out = append(out, p.typeSpec(r.Type)+" ("+strings.Join(letters, ", ")+")")
		}
		line("implicit %s", strings.Join(out, ", "))
	case *tree.Common:
		s := ""
		for _, b := range d.Blocks {
			s += " /" + b.Name + "/ " + p.entities(b.Entities)
		}
		line("common%s", s)
	case *tree.Equivalence:
		var out []string
		for _, set := range d.Sets {
			out = append(out, "("+p.expressions(set)+")")
		}
		line("equivalence %s", strings.Join(out, ", "))
	case *tree.Data:
		var out []string
		for _, set := range d.Sets {
			out = append(out, p.expressions(set.Objects)+" /"+p.expressions(set.Values)+"/")
		}
		line("data %s", strings.Join(out, ", "))
	case *tree.Namelist:
		var out []string
		for g, names := range d.Groups {
			out = append(out, "/"+g+"/ "+strings.Join(names, ", "))
		}
		sort.Strings(out)
		line("namelist %s", strings.Join(out, " "))
	case *tree.Generic:
		line("generic%s :: %s => %s", optional(", ", d.Access), d.Name, strings.Join(d.Procedures, ", "))
	case *tree.Import:
		switch {
		case d.Kind == "only":
			line("import, only: %s", strings.Join(d.Names, ", "))
		case d.Kind != "":
			line("import, %s", d.Kind)
		default:
			line("import%s", optional(" :: ", strings.Join(d.Names, ", ")))
		}
	case *tree.StatementFunction:
		p.node(d.Assignment)
	case *tree.Ignored:
		switch d.Kind {
		case "entry":
			line("entry %s(%s)%s", d.Names[0], strings.Join(d.Names[1:], ", "), optional(" result(", d.Result+")")[:resultLength(d.Result)])
		case "format":
			line("format (...)")
		default:
			line("%s%s", d.Kind, optional(" :: ", strings.Join(d.Names, ", ")))
		}
	case *tree.UnreadDeclaration:
		line("? %s", words(d.Text))
	default:
		p.block(d, line)
	}
}

// resultLength is the length of RESULT(name), 0 without a name.
func resultLength(name string) int {
	if name == "" {
		return 0
	}
	return len(" result()") + len(name)
}

func (p *printer) block(d tree.Declaration, line func(string, ...any)) {
	switch d := d.(type) {
	case *tree.Interface:
		if d.Abstract {
			line("abstract interface")
		} else {
			line("interface%s", optional(" ", d.Generic))
		}
		p.indent++
		for _, u := range d.Bodies {
			p.unit(u)
		}
		if d.Procedures != nil {
			p.line(0, nil, "procedure :: %s", strings.Join(d.Procedures, ", "))
		}
		p.unread(d.Unread)
		p.indent--
		p.end(d.End, "interface")
	case *tree.DerivedType:
		parameters := ""
		if d.Parameters != nil {
			parameters = "(" + strings.Join(d.Parameters, ", ") + ")"
		}
		inside := ""
		for _, a := range d.Attributes {
			if word, ok := strings.CutSuffix(a.Name, " components"); ok {
				inside += word + ";"
			}
		}
		outside := func(list []tree.Attribute) (out []tree.Attribute) {
			for _, a := range list {
				if !strings.HasSuffix(a.Name, " components") {
					out = append(out, a)
				}
			}
			return out
		}
		line("type%s :: %s%s", p.attributes(outside(d.Attributes)), d.Name, parameters)
		p.indent++
		for _, word := range strings.Split(strings.TrimSuffix(inside, ";"), ";") {
			if word != "" {
				p.line(0, nil, "%s", word)
			}
		}
		if d.Sequence {
			p.line(0, nil, "sequence")
		}
		for _, c := range d.Components {
			p.declaration(c)
		}
		if d.Bindings != nil {
			p.line(0, nil, "contains")
		}
		for _, b := range d.Bindings {
			p.binding(b)
		}
		p.unread(d.Unread)
		p.indent--
		p.end(d.End, "type")
	case *tree.Enum:
		line("enum, bind(c)")
		p.indent++
		if d.Entities != nil {
			p.line(0, nil, "enumerator :: %s", p.entities(d.Entities))
		}
		p.unread(d.Unread)
		p.indent--
		p.end(d.End, "enum")
	default:
		line("?%T", d)
	}
}

func (p *printer) binding(b tree.Binding) {
	switch b.Kind {
	case "generic":
		p.line(0, nil, "generic%s :: %s => %s", p.attributes(b.Attributes), b.Name, strings.Join(b.Procedures, ", "))
	case "final":
		p.line(0, nil, "final :: %s", strings.Join(b.Procedures, ", "))
	default:
		if b.Interface != "" {
			p.line(0, nil, "procedure(%s)%s :: %s", b.Interface, p.attributes(b.Attributes), b.Name)
		} else {
			p.line(0, nil, "procedure%s :: %s => %s", p.attributes(b.Attributes), b.Name, b.Procedures[0])
		}
	}
}
