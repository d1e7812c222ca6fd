package scope

import (
	"strings"

	"libportable/internal/fortran/tree"
)

// interfaceBlock enters the procedures of an interface block and its generic name.
func (s *Scope) interfaceBlock(d *tree.Interface) {
	names := d.Procedures
	for _, u := range d.Bodies {
		body := s.Program.plant(u, s)
		body.Kind = InterfaceScope
		s.enterProcedure(body)
		if y := s.symbols[u.Name]; y != nil {
			y.Decls = append(y.Decls, d)
			y.Abstract = d.Abstract
		}
		names = append(names[:len(names):len(names)], u.Name)
	}
	if d.Generic != "" {
		s.generic(d.Generic, names, d)
	}
}

// generic adds specifics to a generic name, operator or assignment.
func (s *Scope) generic(name string, specifics []string, d tree.Declaration) {
	at := d.Info().Where
	y := s.symbols[name]
	switch {
	case y == nil:
		y = s.own(name, at)
		y.Kind = Generic
	case y.Kind == Procedure && y.Body != nil:
		// A generic and its specific have the same name.
		specific := *y
		*y = Symbol{Kind: Generic, Name: name, Scope: s, Where: at, Decls: y.Decls, Specific: []*Symbol{&specific}}
	case y.Kind == Variable:
		y.Kind = Generic
	}
	y.Decls = append(y.Decls, d)
	y.group = append(y.group, specifics...)
}

// enumerators are integer constants: each is one more than the one before it, or what is written.
func (s *Scope) enumerators(d *tree.Enum) {
	var before tree.Expression
	for i := range d.Entities {
		e := &d.Entities[i]
		y := s.own(e.Name, e.NameAt)
		y.Kind, y.Decls = Constant, append(y.Decls, d)
		y.spec = &tree.TypeSpec{At: tree.At{Where: e.Where}, Base: "integer", Kind: &tree.Literal{Text: "4"}}
		y.Where = e.NameAt
		switch {
		case e.Value != nil:
			y.Init = e.Value
		case before == nil:
			y.Init = &tree.Literal{At: tree.At{Where: e.Where}, Text: "0", Parameter: "4"}
		default:
			y.Init = &tree.Binary{At: tree.At{Where: e.Where}, Operator: "+", X: before, Y: &tree.Literal{Text: "1", Parameter: "4"}}
		}
		before = &tree.Name{At: tree.At{Where: e.Where}, Name: e.Name}
	}
}

// derivedType enters a type, its components and its bindings.
func (s *Scope) derivedType(d *tree.DerivedType) {
	y := s.own(d.Name, d.NameAt)
	if y.Kind == Generic {
		// The generic of a type's name overloads its constructor.
		y.Specific = nil
	}
	y.Kind, y.Decls, y.Where = DerivedType, append(y.Decls, d), d.NameAt
	inside := s.Program.newScope(TypeScope, d.Name, s)
	def := &TypeDef{Name: d.Name, Scope: inside, Bindings: map[string]*Symbol{}, Sequence: d.Sequence, Decl: d}
	inside.def, y.Def = def, def
	for _, a := range d.Attributes {
		switch a.Name {
		case "bind":
			def.BindC = true
		case "private":
			y.Private = true
		case "public":
			s.visibility(true, []string{d.Name})
		case "extends":
			if len(a.Inside) > 0 {
				def.parent = a.Inside[0]
			}
		}
	}
	for _, name := range d.Parameters {
		inside.own(name, d.NameAt)
	}
	for _, variables := range d.Components {
		for i := range variables.Entities {
			e := &variables.Entities[i]
			component := inside.own(e.Name, e.NameAt)
			component.declareAs(variables, e, variables.Type, variables.Attributes)
			if has(variables.Attributes, "kind") || has(variables.Attributes, "len") {
				def.parameters = append(def.parameters, component)
			} else {
				def.Components = append(def.Components, component)
			}
		}
	}
	for i := range d.Bindings {
		def.bind(&d.Bindings[i], d)
	}
}

func has(attributes []tree.Attribute, name string) bool {
	for i := range attributes {
		if attributes[i].Name == name {
			return true
		}
	}
	return false
}

// bind enters a type-bound procedure or generic.
func (def *TypeDef) bind(b *tree.Binding, d *tree.DerivedType) {
	if b.Kind == "final" {
		return
	}
	y := def.Bindings[b.Name]
	if y == nil {
		y = &Symbol{Kind: Procedure, Name: b.Name, Scope: def.Scope, Where: d.NameAt, owner: def}
		def.Bindings[b.Name] = y
	}
	y.nopass = has(b.Attributes, "nopass")
	for i := range b.Attributes {
		if a := &b.Attributes[i]; a.Name == "pass" && len(a.Inside) > 0 {
			y.pass = a.Inside[0]
		}
	}
	switch {
	case b.Kind == "generic":
		y.Kind = Generic
		y.group = append(y.group, b.Procedures...)
	case b.Interface != "":
		y.target, y.OnlyInterface = b.Interface, true
	case len(b.Procedures) > 0:
		y.target = b.Procedures[0]
	default:
		y.target = b.Name
	}
}

// importNames keeps the IMPORT statements of an interface body or BLOCK.
func (s *Scope) importNames(d *tree.Import) {
	kind := strings.ToLower(d.Kind)
	if len(d.Names) == 0 && kind == "" {
		kind = "all"
	}
	if s.imports == nil {
		s.imports = &imports{}
	}
	s.imports.all = s.imports.all || kind == "all"
	s.imports.none = s.imports.none || kind == "none" || kind == "only"
	s.imports.names = append(s.imports.names, d.Names...)
}
