package scope

import (
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// Program is all files of a program with their names.
type Program struct {
	Files   []*tree.File
	Options Options

	modules    map[string]*Scope
	inFile     map[fileModule]*Scope
	submodules map[string]*Scope // "module:name"
	globals    map[string]*Symbol
	units      map[*tree.Unit]*Scope
	inside     map[tree.Node]*Scope
	cases      map[*tree.Select][]*Scope
	compiler   map[string]*Scope // modules of the compiler, made when they are used
	intrinsics map[string]*Symbol
	joined     []*Symbol // generics of several modules
	declared   bool      // all names are entered
	linked     bool      // symbols know each other
	scopes     []*Scope  // all, hosts before what they contain
	problems   []Problem
	depth      int // of questions about types, constants
}

// fileModule is a module of a file: several programs may have modules of one name, each in its own file.
type fileModule struct {
	file *tree.File
	name string
}

// Problem is a declaration that makes names unknown.
type Problem struct {
	At   token.Pos
	Text string
}

// Build reads the declarations of all files.
func Build(files []*tree.File, o Options) *Program {
	p := &Program{
		Files: files, Options: o.complete(), modules: map[string]*Scope{}, inFile: map[fileModule]*Scope{}, submodules: map[string]*Scope{},
		globals: map[string]*Symbol{}, units: map[*tree.Unit]*Scope{}, inside: map[tree.Node]*Scope{},
		cases: map[*tree.Select][]*Scope{}, intrinsics: map[string]*Symbol{},
	}
	for _, file := range files {
		for _, unit := range file.Units {
			p.plant(unit, nil)
		}
	}
	p.adopt()
	// Modules come first: a statement function is one only if no module has an array of that name. Scopes of types and
	// interfaces are made on the way.
	for _, modules := range []bool{true, false} {
		for i := 0; i < len(p.scopes); i++ {
			if s := p.scopes[i]; (s.Kind == ModuleScope) == modules {
				s.declare()
			}
		}
	}
	for i := 0; i < len(p.scopes); i++ {
		p.scopes[i].walkBody()
	}
	p.declared = true
	for _, s := range p.scopes {
		s.forgetFound()
	}
	p.headers()
	for _, s := range p.scopes {
		s.calledNames()
	}
	for _, s := range p.scopes {
		s.link()
	}
	for i := 0; i < len(p.joined); i++ {
		p.joined[i].link()
	}
	p.linked = true
	for _, s := range p.scopes {
		s.settleAll()
	}
	return p
}

func (o Options) complete() Options {
	if o.Double == 0 {
		o.Double = 8
		if o.Real == 8 {
			o.Double = 16
		}
	}
	for _, kind := range []*int{&o.Integer, &o.Real, &o.Logical} {
		if *kind == 0 {
			*kind = 4
		}
	}
	return o
}

// Of: the scope of a unit.
func (p *Program) Of(u *tree.Unit) *Scope { return p.units[u] }

// Inside is the scope of a BLOCK, ASSOCIATE, DO CONCURRENT or FORALL; nil if n has none.
func (p *Program) Inside(n tree.Node) *Scope { return p.inside[n] }

// Case is the scope of one block of a SELECT TYPE or SELECT RANK; nil if it has none of its own.
func (p *Program) Case(s *tree.Select, block int) *Scope {
	if scopes := p.cases[s]; block >= 0 && block < len(scopes) {
		return scopes[block]
	}
	return nil
}

// Modules are the modules of the files.
func (p *Program) Modules() map[string]*Scope { return p.modules }

// Global is an external procedure, module, program or block data; nil if no file has it.
func (p *Program) Global(name string) *Symbol { return p.globals[name] }

// Problems are the declarations that make names unknown.
func (p *Program) Problems() []Problem { return p.problems }

func (p *Program) problem(at token.Span, text string) {
	p.problems = append(p.problems, Problem{At: at.From, Text: text})
}

// plant makes the scope of a unit and of all units in it.
func (p *Program) plant(u *tree.Unit, parent *Scope) *Scope {
	s := p.newScope(ProcedureScope, u.Name, parent)
	s.Unit = u
	p.units[u] = s
	switch u.Kind {
	case tree.Program:
		s.Kind = ProgramScope
	case tree.Module, tree.Submodule, tree.BlockData:
		s.Kind = ModuleScope
	}
	if u.Interface {
		s.Kind = InterfaceScope
	}
	switch {
	case parent != nil || u.Interface:
	case u.Kind == tree.Submodule && len(u.Ancestor) > 0:
		p.submodules[u.Ancestor[0]+":"+u.Name] = s
	case u.Kind == tree.Module:
		p.inFile[fileModule{u.File, u.Name}] = s
		if p.modules[u.Name] == nil {
			p.modules[u.Name] = s
		} else {
			p.problem(u.NameAt, "module '"+u.Name+"' is defined twice: the first one is taken")
		}
		fallthrough
	default:
		if u.Name != "" && p.globals[u.Name] == nil {
			p.globals[u.Name] = s.symbolOfUnit()
		}
	}
	for _, inner := range u.Contains {
		p.plant(inner, s)
	}
	return s
}

func (p *Program) newScope(kind Kind, name string, parent *Scope) *Scope {
	s := &Scope{Kind: kind, Name: name, Parent: parent, Program: p, symbols: map[string]*Symbol{}}
	if parent != nil {
		s.Unit = parent.Unit
	}
	p.scopes = append(p.scopes, s)
	return s
}

// adopt gives submodules their parents.
func (p *Program) adopt() {
	for _, s := range p.submodules {
		ancestor := s.Unit.Ancestor
		module := ancestor[0]
		parent := p.modules[module]
		if len(ancestor) > 1 {
			parent = p.submodules[module+":"+ancestor[len(ancestor)-1]]
		}
		if parent == nil {
			s.absent = ancestor[len(ancestor)-1]
			continue
		}
		s.Parent = parent
	}
	// Submodules that are their own ancestors have no host.
	for _, s := range p.submodules {
		slow, fast := s, s.Parent
		for fast != nil && fast.Parent != nil && slow != fast {
			slow, fast = slow.Parent, fast.Parent.Parent
		}
		if slow == fast {
			p.problem(s.Unit.NameAt, "submodule '"+s.Name+"' is its own ancestor")
			s.absent, s.Parent = s.Name, nil
		}
	}
}

// symbolOfUnit is the name of a unit as its host, or the program, sees it.
func (s *Scope) symbolOfUnit() *Symbol {
	u := s.Unit
	y := &Symbol{Name: u.Name, Scope: s.Parent, Where: u.NameAt, Kind: Procedure, Body: s, Dummies: u.Dummies}
	switch u.Kind {
	case tree.Module, tree.Submodule, tree.BlockData, tree.Program:
		y.Kind = ModuleName
	case tree.Function:
		y.ResultName = u.Result
		if y.ResultName == "" {
			y.ResultName = u.Name
		}
	}
	return y
}
