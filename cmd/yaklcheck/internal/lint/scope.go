package lint

import "slices"

// This file holds scopes, their declarations and their statements.

type scopeKind int

const (
	moduleScope scopeKind = iota
	programScope
	procedureScope
	blockScope // BLOCK, ASSOCIATE, SELECT TYPE, DO CONCURRENT: names of their own inside a procedure
)

type symbol struct {
	name      string
	where     Place
	scope     *scope
	typeName  string // integer, real, ...; of type(x) and class(x): x
	derived   bool
	character bool
	array     bool
	dims      []token // as declared
	init      []token // of a constant: its value
	kind      int64   // bytes of an element; 0: the default, or unknown
	common    string  // name of the COMMON block, "//" for the blank one
	private   bool    // THREADPRIVATE
	alias     []token // of ASSOCIATE: the selector; nil: none
	declared  bool    // a type or dimension was given
	ok        bool    // escape comment at its declaration
	attributes
}

type attributes struct {
	parameter bool
	pointer   bool
	saved     bool // by SAVE, by its value, or DATA
	value     bool
	external  bool   // a procedure
	intent    string // in, out, inout or ""
}

type use struct {
	module  string
	only    bool
	renames map[string]string // local name to the module's
	names   map[string]bool   // of only: the module's names
}

type scope struct {
	kind       scopeKind
	of         string // of a submodule: the module or submodule that it belongs to
	name       string
	where      Place
	parent     *scope
	symbols    map[string]*symbol
	uses       []use
	inside     map[string]*scope   // procedures
	generic    map[string][]string // generic name to specific ones
	bindings   map[string]string   // type-bound name to procedure
	types      map[string]bool     // derived types defined here
	saveAll    bool
	noImplicit bool

	// of procedures
	args       []string
	result     string
	recursive  bool
	elemental  bool
	body       bool // an interface body: a header only
	ok         bool
	statements []statement
	referenced map[string]bool // every name in statements
}

// statement is a statement of a scope, with the constructs around it.
type statement struct {
	scope   *scope // the innermost, for names
	file    string
	t       []token
	guards  [][]token // conditions of IF around it
	guarded bool      // within OpenMP's atomic or critical
	ok      bool
	do      bool // inside of a DO
}

func (s statement) line() int32 { return at(s.t, 0).line }

func newScope(kind scopeKind, name string, where Place, parent *scope) *scope {
	return &scope{kind: kind, name: name, where: where, parent: parent, symbols: map[string]*symbol{}, inside: map[string]*scope{},
		generic: map[string][]string{}, bindings: map[string]string{}, types: map[string]bool{}, referenced: map[string]bool{}}
}

// procedure is the procedure, program or module of a scope, or the scope itself.
func (s *scope) procedure() *scope {
	for s != nil && s.kind == blockScope {
		s = s.parent
	}
	return s
}

func (s *scope) symbol(n string, where Place) *symbol {
	y := s.symbols[n]
	if y == nil {
		y = &symbol{name: n, scope: s, where: where}
		s.symbols[n] = y
	}
	return y
}

func (s *scope) isArgument(n string) bool { return slices.Contains(s.args, n) }

// program is all files.
type program struct {
	modules    map[string]*scope
	globals    map[string]*scope // procedures outside of modules
	procedures []*scope          // all, in their order, but for interface bodies
	units      []*scope
	files      map[string]int
	asked      map[question]bool
	looked     map[seen]meaning
}

func newProgram() *program {
	return &program{modules: map[string]*scope{}, globals: map[string]*scope{}, files: map[string]int{}, asked: map[question]bool{},
		looked: map[seen]meaning{}}
}

func (p *program) finish() {
	for _, u := range p.units {
		if parent := p.modules[u.of]; u.of != "" && parent != nil && !u.within(parent) {
			u.parent = parent
			u.implement(parent)
		}
	}
	for _, s := range p.procedures {
		if s.parent == nil && s.kind == procedureScope && p.globals[s.name] == nil {
			p.globals[s.name] = s
		}
	}
}

// within reports whether the scope is around the other one, or is it; submodules of each other would never end.
func (s *scope) within(other *scope) bool {
	for ; other != nil; other = other.parent {
		if other == s {
			return true
		}
	}
	return false
}

// implement replaces a module's interfaces of procedures by the submodule's procedures, with their dummies.
func (s *scope) implement(parent *scope) {
	for n, q := range s.inside {
		for at := parent; at != nil; at = at.parent {
			head := at.inside[n]
			if head == nil || !head.body {
				continue
			}
			if q.args == nil {
				q.args = head.args
				q.recursive = q.recursive || head.recursive
				q.elemental = head.elemental
				q.result = head.result
				for name, y := range head.symbols {
					if q.symbols[name] == nil {
						own := *y
						own.scope = q
						q.symbols[name] = &own
					}
				}
			}
			at.inside[n] = q
		}
	}
}
