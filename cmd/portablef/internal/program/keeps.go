package program

import (
	"slices"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// mention is a place where a procedure names a local variable.
type mention struct {
	sets   bool
	blocks []int // numbers of the blocks around it, from the outermost on
}

// keeper collects the mentions of the local variables of a procedure in the order of its text.
type keeper struct {
	p        *scope.Program
	mentions map[*scope.Symbol][]mention
	blocks   int
	jumps    bool
}

// keeps is a local variable that a procedure may read before it sets it, so that it may need its value of the call before; nil if there
// is none. The first mention must set it, and all others must stand in the same block or inside of it.
func keeps(p *scope.Program, unit *tree.Unit) *scope.Symbol {
	s := p.Of(unit)
	if s == nil {
		return nil
	}
	k := keeper{p: p, mentions: map[*scope.Symbol][]mention{}}
	k.body(s, unit.Body, nil)
	for _, y := range s.Own() {
		list := k.mentions[y]
		if y.Kind != scope.Variable || y.Dummy || y.Result || len(list) == 0 {
			continue
		}
		if !list[0].sets || k.jumps {
			return y
		}
		depth := len(list[0].blocks)
		for _, m := range list {
			if len(m.blocks) < depth || !slices.Equal(m.blocks[:depth], list[0].blocks) {
				return y
			}
		}
	}
	return nil
}

func (k *keeper) body(s *scope.Scope, list []tree.Node, blocks []int) {
	for _, n := range list {
		k.statement(s, n, blocks)
	}
}

func (k *keeper) statement(s *scope.Scope, n tree.Node, blocks []int) {
	if inside := k.p.Inside(n); inside != nil {
		s = inside
	}
	var set tree.Expression
	switch n := n.(type) {
	case *tree.Assignment:
		if name, ok := n.Left.(*tree.Name); ok {
			set = name
		}
	case *tree.Goto:
		k.jumps = true
	}
	emit.Own(n, func(e tree.Expression) {
		if e == set {
			return
		}
		emit.Inside(e, func(x tree.Expression) {
			if name, ok := x.(*tree.Name); ok {
				k.note(s, name.Name, false, blocks)
			}
		})
	})
	if name, ok := set.(*tree.Name); ok {
		k.note(s, name.Name, true, blocks)
	}
	if do, ok := n.(*tree.Do); ok && do.Variable != "" {
		k.note(s, do.Variable, true, blocks)
	}
	emit.Blocks(n, func(inner []tree.Node, number int) {
		at := s
		if c, ok := n.(*tree.Select); ok {
			if one := k.p.Case(c, number); one != nil {
				at = one
			}
		}
		k.blocks++
		k.body(at, inner, append(blocks[:len(blocks):len(blocks)], k.blocks))
	})
}

func (k *keeper) note(s *scope.Scope, name string, sets bool, blocks []int) {
	y := s.Lookup(name)
	k.mentions[y] = append(k.mentions[y], mention{sets, blocks})
}
