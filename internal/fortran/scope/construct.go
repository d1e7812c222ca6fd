package scope

import (
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// walkBody makes the scopes of the constructs in a body, and notes how statements and declarations use names.
func (s *Scope) walkBody() {
	if s.Kind != ProcedureScope && s.Kind != ProgramScope {
		return
	}
	s.mentions = map[string]*mention{}
	for _, n := range s.Unit.Body {
		tree.Walk(n, s.visit)
	}
	for _, d := range s.Unit.Declarations {
		s.mentionsOf(d)
	}
}

// visit notes the names in a node. A construct with a scope of its own is walked with that one.
func (s *Scope) visit(n any) bool {
	switch n := n.(type) {
	case *tree.Unit:
		return false
	case tree.Expression:
		return s.visitExpression(n)
	case tree.Node:
		return s.visitNode(n)
	}
	return true
}

func (s *Scope) visitNode(n tree.Node) bool {
	walk := func(inside *Scope, body []tree.Node) bool {
		for _, n := range body {
			tree.Walk(n, inside.visit)
		}
		return false
	}
	inside := s.construct(n)
	switch n := n.(type) {
	case *tree.Block:
		return walk(inside, n.Body)
	case *tree.Associate:
		for i := range n.Names {
			tree.Walk(n.Names[i].Selector, s.visit)
		}
		return walk(inside, n.Body)
	case *tree.Do:
		if n.Kind == tree.Counted {
			s.mention(n.Variable, n.VariableAt)
		}
		if n.Kind == tree.Concurrent {
			inside.visitIndices(n.Indices, n.Condition)
			return walk(inside, n.Body)
		}
	case *tree.Forall:
		inside.visitIndices(n.Indices, n.Mask)
		return walk(inside, n.Body)
	case *tree.Call:
		if name, ok := n.Procedure.(*tree.Name); ok {
			s.mention(name.Name, name.Where).subroutine = true
		}
	case *tree.Labels:
		s.mention(n.Variable, n.Where)
	case *tree.Select:
		if n.Kind != "case" {
			s.selectScopes(n)
			return false
		}
	}
	return true
}

func (s *Scope) visitIndices(list []tree.Index, mask tree.Expression) {
	for i := range list {
		tree.Walk(list[i].First, s.visit)
		tree.Walk(list[i].Last, s.visit)
		tree.Walk(list[i].Step, s.visit)
	}
	tree.Walk(mask, s.visit)
}

func (s *Scope) visitExpression(e tree.Expression) bool {
	switch e := e.(type) {
	case *tree.Name:
		s.mention(e.Name, e.Where)
	case *tree.Reference:
		if name, ok := e.Base.(*tree.Name); ok && !isSubstring(e.Arguments) {
			s.mention(name.Name, name.Where).called = true
		}
	case *tree.ImpliedDo:
		// The variable of an array constructor is no variable of the scope, that of a transfer or DATA is one.
		// To note it in both cases is harmless: it has the type that the scope gives the name.
		if e.VariableIsType == nil {
			s.mention(e.Variable, e.VariableAt)
		}
	}
	return true
}

// construct makes the scope of a construct; of another statement it is s itself.
func (s *Scope) construct(n tree.Node) *Scope {
	at := n.Info().Where
	switch n := n.(type) {
	case *tree.Block:
		inside := s.newBlock(n)
		inside.declareAll(n.Declarations)
		for _, d := range n.Declarations {
			inside.mentionsOf(d)
		}
		return inside
	case *tree.Associate:
		inside := s.newBlock(n)
		for i := range n.Names {
			a := &n.Names[i]
			inside.alias(a.Name, a.Selector, a.Where)
		}
		return inside
	case *tree.Do:
		if n.Kind != tree.Concurrent {
			return s
		}
		inside := s.newBlock(n)
		inside.indices(n.Indices, n.IndexType, at)
		for _, locality := range n.Locality {
			if locality.Kind == "local" || locality.Kind == "local_init" {
				inside.locals(locality.Names, at)
			}
		}
		return inside
	case *tree.Forall:
		inside := s.newBlock(n)
		inside.indices(n.Indices, nil, at)
		return inside
	}
	return s
}

func (s *Scope) newBlock(n tree.Node) *Scope {
	inside := s.Program.newScope(BlockScope, n.Info().Name, s)
	inside.Construct = n
	s.Program.inside[n] = inside
	return inside
}

// indices enters the indices of DO CONCURRENT and FORALL. Their type is the written one, or that of the name around.
func (s *Scope) indices(list []tree.Index, spec *tree.TypeSpec, at token.Span) {
	for i := range list {
		y := s.own(list[i].Name, list[i].Where)
		y.spec, y.outer = spec, spec == nil
	}
}

// locals enters LOCAL and LOCAL_INIT: each has the type and shape of the name around.
func (s *Scope) locals(names []string, at token.Span) {
	for _, name := range names {
		if s.symbols[name] == nil {
			s.own(name, at).outer = true
		}
	}
}

func (s *Scope) alias(name string, selector tree.Expression, at token.Span) {
	y := s.own(name, at)
	y.Kind, y.Alias = Alias, selector
}

// selectScopes makes the scopes of the blocks of SELECT TYPE and SELECT RANK.
func (s *Scope) selectScopes(n *tree.Select) {
	tree.Walk(n.Selector, s.visit)
	name := n.Alias
	if base, ok := n.Selector.(*tree.Name); ok && name == "" {
		name = base.Name
	}
	var scopes []*Scope
	for i := range n.Cases {
		c := &n.Cases[i]
		inside := s.Program.newScope(BlockScope, n.Name, s)
		inside.Construct = n
		if name != "" {
			inside.alias(name, n.Selector, c.Where)
			y := inside.symbols[name]
			if n.Kind == "type" {
				y.spec, y.class = c.Type, c.Class
			} else if len(c.Values) == 1 {
				y.ranked = c.Values[0]
			}
		}
		scopes = append(scopes, inside)
		for _, statement := range c.Body {
			tree.Walk(statement, inside.visit)
		}
	}
	s.Program.cases[n] = scopes
}

// mention notes that a statement names something, at the construct that declares the name, else at the unit.
func (s *Scope) mention(name string, at token.Span) *mention {
	for ; s.Kind == BlockScope; s = s.Parent {
		if y := s.symbols[name]; y != nil {
			if y.mentioned == nil {
				y.mentioned = &mention{at: at}
			}
			return y.mentioned
		}
	}
	m := s.mentions[name]
	if m == nil {
		if s.mentions == nil {
			s.mentions = map[string]*mention{}
		}
		m = &mention{at: at}
		s.mentions[name] = m
	}
	return m
}

// isSubstring reports whether arguments can only be a range: a call has none.
func isSubstring(arguments []tree.Argument) bool {
	for i := range arguments {
		if _, ok := arguments[i].Value.(*tree.Range); ok {
			return true
		}
	}
	return false
}

// mentionsOf notes the names in the expressions of a declaration: bounds, lengths, initial values.
func (s *Scope) mentionsOf(d tree.Declaration) {
	if f, ok := d.(*tree.StatementFunction); ok {
		if y := s.functionOf(f); y != nil {
			s.statementMentions(f, y)
			return
		}
	}
	tree.Walk(d, s.visit)
}

// functionOf is the statement function that a declaration makes; nil if it is an assignment.
func (s *Scope) functionOf(d *tree.StatementFunction) *Symbol {
	if name := baseName(d.Assignment.Left); name != nil {
		if y := s.symbols[name.Name]; y != nil && y.Function == d.Assignment {
			return y
		}
	}
	return nil
}

// statementMentions notes the names of a statement function, not its dummies.
func (s *Scope) statementMentions(d *tree.StatementFunction, y *Symbol) {
	dummy := map[string]bool{}
	for _, name := range y.Dummies {
		dummy[name] = s.mentions[name] == nil
	}
	tree.Walk(d.Assignment.Right, s.visit)
	for name, only := range dummy {
		if only {
			delete(s.mentions, name)
		}
	}
}
