package scope

import (
	"strings"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// block is a COMMON block as one scope sees it.
type block struct {
	scope *Scope
	name  string
}

func (s *Scope) block(name string) block { return block{s, name} }

// mark gives all members of the block an attribute, also those that come later: it is kept as a name of the scope.
func (b block) mark(attribute string) {
	y := b.scope.symbols[b.name]
	if y == nil {
		// The name of a block is no name of the scope: "/b/" cannot be looked up by a program.
		y = &Symbol{Kind: NamelistName, Name: b.name, Scope: b.scope}
		b.scope.symbols[b.name] = y
	}
	switch attribute {
	case "save":
		y.Saved = true
	case "threadprivate":
		y.ThreadPrivate = true
	}
}

func (s *Scope) common(d *tree.Common) {
	for i := range d.Blocks {
		b := &d.Blocks[i]
		name := "/" + b.Name + "/"
		for j := range b.Entities {
			e := &b.Entities[j]
			y := s.own(e.Name, e.NameAt)
			y.Common = name
			y.declareAs(d, e, nil, nil)
		}
	}
}

// blockMarks hands the attributes of COMMON blocks to their members.
func (s *Scope) blockMarks() {
	for _, name := range s.order {
		y := s.symbols[name]
		if y.Common == "" {
			continue
		}
		if b := s.symbols[y.Common]; b != nil {
			y.Saved = y.Saved || b.Saved
			y.ThreadPrivate = y.ThreadPrivate || b.ThreadPrivate
		}
	}
}

// data marks the objects of DATA as saved.
func (s *Scope) data(d *tree.Data) {
	for _, set := range d.Sets {
		for _, object := range set.Objects {
			s.dataObject(object)
		}
	}
}

func (s *Scope) dataObject(e tree.Expression) {
	switch e := e.(type) {
	case *tree.Name:
		s.own(e.Name, e.Where).Saved = true
	case *tree.Reference:
		s.dataObject(e.Base)
	case *tree.Component:
		s.dataObject(e.Base)
	case *tree.ImpliedDo:
		for _, item := range e.Items {
			s.dataObject(item)
		}
	}
}

// equivalences joins the sets of EQUIVALENCE that have a member in common, and shares SAVE and COMMON.
func (s *Scope) equivalences(declarations []tree.Declaration) {
	parent := map[*Symbol]*Symbol{}
	var members []*Symbol
	find := func(y *Symbol) *Symbol {
		for parent[y] != y {
			parent[y] = parent[parent[y]]
			y = parent[y]
		}
		return y
	}
	for _, d := range declarations {
		equivalence, ok := d.(*tree.Equivalence)
		if !ok {
			continue
		}
		for _, set := range equivalence.Sets {
			var first *Symbol
			for _, e := range set {
				name := baseName(e)
				if name == nil {
					continue
				}
				y := s.own(name.Name, name.Where)
				if parent[y] == nil {
					parent[y] = y
					members = append(members, y)
				}
				if first == nil {
					first = y
				} else {
					parent[find(y)] = find(first)
				}
			}
		}
	}
	sets := map[*Symbol][]*Symbol{}
	for _, y := range members {
		root := find(y)
		sets[root] = append(sets[root], y)
	}
	for _, set := range sets {
		saved := false
		for _, y := range set {
			saved = saved || y.Saved
		}
		for _, y := range set {
			y.Saved = saved
			for _, other := range set {
				if other != y {
					y.Shares = append(y.Shares, other)
				}
			}
		}
	}
}

// baseName is the name at the beginning of a designator; nil if there is none.
func baseName(e tree.Expression) *tree.Name {
	for {
		switch x := e.(type) {
		case *tree.Name:
			return x
		case *tree.Reference:
			e = x.Base
		case *tree.Component:
			e = x.Base
		case *tree.Coindexed:
			e = x.Base
		default:
			return nil
		}
	}
}

// entry enters an ENTRY: its name around the procedure, its dummies and result inside.
func (s *Scope) entry(name string, dummies []string, result string, at token.Span) {
	if strings.HasPrefix(name, "/") {
		return
	}
	for _, dummy := range dummies {
		if dummy != "*" {
			s.own(dummy, at).Dummy = true
		}
	}
	y := &Symbol{Kind: Procedure, Name: name, Scope: s.Parent, Where: at, Body: s, Dummies: dummies}
	if s.Unit.Kind == tree.Function {
		y.ResultName = result
		if result == "" {
			y.ResultName = name
		}
		s.own(y.ResultName, at).Result = true
	}
	if y.ResultName != name {
		s.symbols[name] = y
	}
	if s.Parent == nil {
		if s.Program.globals[name] == nil {
			s.Program.globals[name] = y
		}
		return
	}
	if s.Parent.symbols[name] == nil {
		s.Parent.symbols[name] = y
		s.Parent.order = append(s.Parent.order, name)
	}
}

// directives carries out the directives of a unit that declare something: !$omp threadprivate(a, /b/).
func (s *Scope) directives(u *tree.Unit) {
	list := func(directives []*tree.Directive) {
		for _, d := range directives {
			s.threadPrivate(d.Line)
		}
	}
	for _, d := range u.Declarations {
		list(d.Info().Before)
	}
	for _, n := range u.Body {
		list(n.Info().Before)
	}
	list(u.EndBefore)
	list(u.ContainsDirs)
}

func (s *Scope) threadPrivate(line *source.Line) {
	if line == nil || line.Sentinel != "omp" || len(line.Tokens) == 0 || !line.Tokens[0].IsName("threadprivate") {
		return
	}
	tokens := line.Tokens[1:]
	for i, t := range tokens {
		if t.Kind != token.Name {
			continue
		}
		if i > 0 && tokens[i-1].Is("/") {
			s.block("/" + t.Text + "/").mark("threadprivate")
			continue
		}
		s.own(t.Text, t.Span).ThreadPrivate = true
	}
}

// NamesGroup reports whether a control of an input or output statement names a NAMELIST group, with NML= or without it.
func (s *Scope) NamesGroup(c *tree.Argument) bool {
	name, is := c.Value.(*tree.Name)
	if !is || c.Keyword != "" && c.Keyword != "fmt" { // READ GROUP has the keyword of a format
		return c.Keyword == "nml"
	}
	y := s.Lookup(name.Name)
	return y != nil && y.Kind == NamelistName
}
