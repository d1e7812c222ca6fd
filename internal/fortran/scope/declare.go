package scope

import (
	"strings"

	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// declare enters the names of a scope. It looks up nothing: other scopes may not have their names yet.
func (s *Scope) declare() {
	u := s.Unit
	if u == nil || s.Kind == BlockScope || s.Kind == TypeScope {
		return
	}
	if len(u.Dummies) > 0 {
		for _, name := range u.Dummies {
			if name != "*" {
				s.own(name, u.NameAt).Dummy = true
			}
		}
	}
	s.nameOfUnit()
	s.declareAll(u.Declarations)
	for _, inner := range u.Contains {
		s.enterProcedure(s.Program.units[inner])
	}
	s.directives(u)
}

// nameOfUnit enters the unit's own name, and its result.
func (s *Scope) nameOfUnit() {
	u := s.Unit
	if u.Kind != tree.Function && u.Kind != tree.Subroutine && u.Kind != tree.ModuleProcedure {
		return
	}
	self := s.symbolOfUnit()
	if self.ResultName != "" {
		result := s.own(self.ResultName, u.NameAt)
		result.Result, result.spec = true, u.Type
	}
	if self.ResultName != u.Name {
		if s.Parent == nil && s.Program.globals[u.Name] != nil && s.Program.globals[u.Name].Body == s {
			self = s.Program.globals[u.Name]
		}
		s.symbols[u.Name] = self
	}
}

// enterProcedure enters a contained procedure, or the body of an interface.
func (s *Scope) enterProcedure(body *Scope) {
	if body.Name == "" { // its statement is not readable: nothing refers to it
		return
	}
	self := body.symbolOfUnit()
	self.Scope = s
	self.OnlyInterface = body.Kind == InterfaceScope
	y := s.symbols[self.Name]
	if y == nil {
		s.symbols[self.Name] = self
		s.order = append(s.order, self.Name)
	} else {
		// A dummy procedure; a separate module procedure with its interface; a generic of the same name.
		if y.Kind == Generic {
			y.Specific = append(y.Specific, self)
			return
		}
		if y.Kind == Procedure && y.Body != nil && self.OnlyInterface {
			return
		}
		if y.Kind == Procedure && y.OnlyInterface && (body.Unit.Kind == tree.ModuleProcedure || hasPrefix(body.Unit.Prefix, "module")) {
			return // see headers
		}
		y.Kind, y.Body, y.Dummies, y.ResultName, y.OnlyInterface = Procedure, self.Body, self.Dummies, self.ResultName, self.OnlyInterface
	}
	if own := body.symbols[self.Name]; own != nil && own.Kind == Procedure && own.Body == body {
		body.symbols[self.Name] = s.symbols[self.Name]
	}
}

// own is the symbol of a name in this very scope.
func (s *Scope) own(name string, at token.Span) *Symbol {
	if y := s.symbols[name]; y != nil {
		return y
	}
	y := &Symbol{Kind: Variable, Name: name, Scope: s, Where: at}
	s.symbols[name] = y
	s.order = append(s.order, name)
	return y
}

func (s *Scope) declareAll(declarations []tree.Declaration) {
	for _, d := range declarations {
		switch d := d.(type) {
		case *tree.Use:
			s.uses = append(s.uses, &use{Use: d, file: s.Unit.File})
		case *tree.Implicit:
			s.implicitRules(d)
		case *tree.Import:
			s.importNames(d)
		case *tree.Variables:
			for i := range d.Entities {
				s.entity(d, &d.Entities[i])
			}
		case *tree.Attributes:
			s.attributes(d)
		case *tree.Common:
			s.common(d)
		case *tree.Data:
			s.data(d)
		case *tree.Namelist:
			for name := range d.Groups {
				y := s.own(name, d.Where)
				y.Kind, y.Decls = NamelistName, append(y.Decls, d)
			}
		case *tree.Interface:
			s.interfaceBlock(d)
		case *tree.Generic:
			s.generic(d.Name, d.Procedures, d)
		case *tree.DerivedType:
			s.derivedType(d)
		case *tree.Enum:
			s.enumerators(d)
		case *tree.StatementFunction:
			s.statementFunction(d)
		case *tree.Ignored:
			s.ignored(d)
		case *tree.UnreadDeclaration:
			s.Program.problem(d.Where, "this declaration is not understood: "+d.Reason)
		}
	}
}

func (s *Scope) entity(d *tree.Variables, e *tree.Entity) {
	if s.symbols[e.Name] == nil && s.function() == e.Name {
		// TYPE F in a function F with RESULT is an error; take it as the result's type.
		return
	}
	y := s.own(e.Name, e.NameAt)
	y.declareAs(d, e, d.Type, d.Attributes)
	if e.Value != nil && s.Kind != TypeScope && y.Kind == Variable {
		y.Saved = true
	}
	if e.Data != nil {
		y.Saved = true
	}
	if s.Kind == ModuleScope && y.Kind == Variable {
		y.Saved = true
	}
}

func (s *Scope) function() string {
	if s.Kind == ProcedureScope && s.Unit.Kind == tree.Function {
		return s.Unit.Name
	}
	return ""
}

// declareAs gives a symbol what a type declaration says.
func (y *Symbol) declareAs(d tree.Declaration, e *tree.Entity, spec *tree.TypeSpec, attributes []tree.Attribute) {
	y.Decls = append(y.Decls, d)
	if e.NameAt.From.Known() {
		y.Where = e.NameAt
	}
	if spec != nil {
		y.spec = spec
		if spec.Base == "procedure" {
			y.Kind, y.target = Procedure, spec.Name
			y.External = spec.Name == "" && !has(attributes, "pointer")
		}
	}
	if e.Length != nil {
		y.length = e.Length
	}
	for i := range attributes {
		y.attribute(&attributes[i])
	}
	if e.Dimensions != nil {
		y.raw = e.Dimensions
	}
	if e.Codimensions != nil {
		y.Coarray = true
	}
	if e.Value != nil {
		y.Init = e.Value
	}
}

// attribute gives a symbol an attribute.
func (y *Symbol) attribute(a *tree.Attribute) {
	switch a.Name {
	case "dimension":
		y.raw = a.Dimensions
	case "codimension":
		y.Coarray = true
	case "parameter":
		y.Kind = Constant
	case "external":
		y.Kind, y.External = Procedure, true
	case "intrinsic":
		y.Kind = Intrinsic
	case "allocatable":
		y.Allocatable = true
	case "pointer":
		y.Pointer = true
	case "target":
		y.Target = true
	case "optional":
		y.Optional = true
	case "value":
		y.Value = true
	case "contiguous":
		y.Contiguous = true
	case "volatile":
		y.Volatile = true
	case "asynchronous":
		y.Asynchronous = true
	case "save":
		y.Saved = true
	case "protected":
		y.Protected = true
	case "private":
		y.Private = true
	case "threadprivate":
		y.ThreadPrivate = true
	case "intent":
		y.Intent = strings.Join(a.Inside, "")
	}
	if a.Dimensions != nil && (a.Name == "allocatable" || a.Name == "pointer" || a.Name == "target") {
		y.raw = a.Dimensions
	}
}

// attributes is a statement that gives names an attribute.
func (s *Scope) attributes(d *tree.Attributes) {
	name := d.Attribute.Name
	if len(d.Entities) == 0 && name == "save" {
		s.saveAll = true
	}
	if name == "public" || name == "private" {
		var names []string
		for i := range d.Entities {
			names = append(names, d.Entities[i].Name)
		}
		s.visibility(name == "public", names)
		return
	}
	for i := range d.Entities {
		e := &d.Entities[i]
		if strings.HasPrefix(e.Name, "/") {
			s.block(e.Name).mark(name)
			continue
		}
		y := s.own(e.Name, e.NameAt)
		y.declareAs(d, e, nil, []tree.Attribute{d.Attribute})
	}
}

// visibility is PUBLIC or PRIVATE, with or without names.
func (s *Scope) visibility(public bool, names []string) {
	if len(names) == 0 {
		s.private = !public
		return
	}
	if s.access == nil {
		s.access = map[string]bool{}
	}
	for _, name := range names {
		s.access[name] = public
	}
}

func (s *Scope) ignored(d *tree.Ignored) {
	switch d.Kind {
	case "public", "private":
		s.visibility(d.Kind == "public", d.Names)
	case "entry":
		if len(d.Names) > 0 {
			s.entry(d.Names[0], d.Names[1:], d.Result, d.Where)
		}
	}
}

// statementFunction is f(x) = EXPRESSION, unless f is an array or a host's one.
func (s *Scope) statementFunction(d *tree.StatementFunction) {
	left, ok := d.Assignment.Left.(*tree.Reference)
	if !ok {
		return
	}
	base, ok := left.Base.(*tree.Name)
	if !ok {
		return
	}
	y := s.symbols[base.Name]
	if y != nil && (y.raw != nil || y.Kind != Variable || y.Dummy || y.Pointer || y.Allocatable) {
		return
	}
	if y == nil && s.hostHasArray(base.Name) {
		return
	}
	y = s.own(base.Name, base.Where)
	y.Kind, y.Function = Procedure, d.Assignment
	y.Decls = append(y.Decls, d)
	for _, argument := range left.Arguments {
		if name, ok := argument.Value.(*tree.Name); ok {
			y.Dummies = append(y.Dummies, name.Name)
		}
	}
}

// hostHasArray reports whether an assignment to NAME(...) can mean an element of a host's array. Hosts come first in Build.
func (s *Scope) hostHasArray(name string) bool {
	for host := s.Parent; host != nil && s.Kind != InterfaceScope; host = host.Parent {
		if y := host.symbols[name]; y != nil {
			return y.raw != nil || y.Pointer || y.Allocatable
		}
		for _, u := range host.uses {
			if u.mayBring(s.Program, name) {
				return true
			}
		}
	}
	for _, u := range s.uses {
		if u.mayBring(s.Program, name) {
			return true
		}
	}
	return false
}
