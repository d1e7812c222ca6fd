package tree

// Walk calls visit for n and, if that says so, for all below it, in the order of the source: *File, *Unit, Declaration, Node, Expression,
// *TypeSpec, *Entity, *Branch, *Case. The depth is that of the tree, which package parse limits.
func Walk(n any, visit func(n any) bool) {
	w := walker{visit}
	w.any(n)
}

type walker struct{ visit func(any) bool }

func (w walker) any(n any) {
	switch n := n.(type) {
	case *File:
		if w.visit(n) {
			each(n.Units, w.unit)
		}
	case *Unit:
		w.unit(n)
	case Declaration:
		w.declaration(n)
	case Node:
		w.node(n)
	case Expression:
		w.expression(n)
	case *TypeSpec:
		w.typeSpec(n)
	case *Entity:
		w.entity(n)
	case *Branch:
		w.branch(n)
	case *Case:
		w.block(n)
	}
}

func each[T any](list []T, f func(T)) {
	for _, x := range list {
		f(x)
	}
}

func (w walker) unit(u *Unit) {
	if !w.visit(u) {
		return
	}
	w.typeSpec(u.Type)
	w.bind(u.Bind)
	each(u.Declarations, w.declaration)
	each(u.Body, w.node)
	each(u.Contains, w.unit)
}

func (w walker) bind(b *Bind) {
	if b != nil {
		w.expression(b.Name)
	}
}

func (w walker) dimensions(list []Dimension) {
	for i := range list {
		w.expression(list[i].Lower)
		w.expression(list[i].Upper)
	}
}

func (w walker) arguments(list []Argument) {
	for i := range list {
		w.expression(list[i].Value)
	}
}

func (w walker) attributes(list []Attribute) {
	for i := range list {
		w.dimensions(list[i].Dimensions)
		w.bind(list[i].Bind)
	}
}

func (w walker) entity(e *Entity) {
	if !w.visit(e) {
		return
	}
	w.dimensions(e.Dimensions)
	w.dimensions(e.Codimensions)
	w.expression(e.Length)
	w.expression(e.Value)
	each(e.Data, w.expression)
}

func (w walker) entities(list []Entity) {
	for i := range list {
		w.entity(&list[i])
	}
}

func (w walker) typeSpec(s *TypeSpec) {
	if s == nil || !w.visit(s) {
		return
	}
	w.expression(s.Kind)
	w.expression(s.Length)
	w.typeSpec(s.Returns)
	w.arguments(s.Parameters)
}

func (w walker) declaration(d Declaration) {
	if d == nil || !w.visit(d) {
		return
	}
	switch d := d.(type) {
	case *Variables:
		w.typeSpec(d.Type)
		w.attributes(d.Attributes)
		w.entities(d.Entities)
	case *Attributes:
		w.attributes([]Attribute{d.Attribute})
		w.entities(d.Entities)
	case *Implicit:
		for i := range d.Rules {
			w.typeSpec(d.Rules[i].Type)
		}
	case *Common:
		for i := range d.Blocks {
			w.entities(d.Blocks[i].Entities)
		}
	case *Equivalence:
		for _, set := range d.Sets {
			each(set, w.expression)
		}
	case *Data:
		for i := range d.Sets {
			each(d.Sets[i].Objects, w.expression)
			each(d.Sets[i].Values, w.expression)
		}
	case *Interface:
		each(d.Bodies, w.unit)
		w.unread(d.Unread)
	case *DerivedType:
		w.attributes(d.Attributes)
		for _, c := range d.Components {
			w.declaration(c)
		}
		w.unread(d.Unread)
	case *Enum:
		w.entities(d.Entities)
		w.unread(d.Unread)
	case *StatementFunction:
		w.node(d.Assignment)
	}
}

func (w walker) unread(list []*UnreadDeclaration) {
	for _, u := range list {
		w.declaration(u)
	}
}
