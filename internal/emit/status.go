package emit

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// This file makes ALLOCATED and ASSOCIATED of variables from outside arguments of the launch: no iteration changes them, and the body has other declarations,
// with which these functions cannot ask.

// copyValue is a remedy.
const copyValue = "copy its value into a variable before the loop, and use that"

// status is one such call.
type status struct {
	call *tree.Reference
	use  Use
	of   []*scope.Symbol
	none string // why the call, or the variable, cannot be evaluated before the loop
}

// asks notes the call if its arguments are variables, or components of structures, as a whole.
func (c *collector) asks(sc *scope.Scope, e *tree.Reference, function string) bool {
	if function != "allocated" && function != "associated" {
		return false
	}
	s := status{call: e, use: Use{Expression: e, Prefix: e, Scope: sc, Statement: c.node, Read: true}}
	for i := range e.Arguments {
		x := e.Arguments[i].Value
		var object *scope.Symbol
		for {
			d, ok := x.(*tree.Component)
			if !ok {
				break
			}
			if z := sc.Component(d); object == nil {
				object = z
			} else if z == nil || z.Allocatable || z.Pointer {
				s.none = "the structure that contains it may not exist there"
			}
			x = d.Base
		}
		name, ok := x.(*tree.Name)
		if !ok {
			return false
		}
		y := sc.Lookup(name.Name)
		if y.Kind != scope.Variable || c.own[y.Scope] || len(y.Dims) > 0 && x != e.Arguments[i].Value {
			return false
		}
		s.of = append(s.of, y)
		switch {
		case y.Optional:
			s.none = "'" + y.Name + "' may be absent there"
		case x != e.Arguments[i].Value && (y.Allocatable || y.Pointer):
			s.none = "the structure that contains it may not exist there"
		}
	}
	c.statuses = append(c.statuses, s)
	return true
}

// status makes the arguments; those of local variables stay calls. It comes in front of the loop over the variables that the text names.
func (c *collector) status(local map[*scope.Symbol]bool) (list []*Argument) {
	for _, s := range c.statuses {
		own := false
		for _, y := range s.of {
			own = own || local[y] || c.k.IsLocal(y)
		}
		switch at := s.call.Where.From; {
		case own:
			c.node = s.use.Statement
			for i := range s.call.Arguments {
				c.expression(s.use.Scope, s.call.Arguments[i].Value, false)
			}
		case s.none != "":
			c.refuse(at, "'"+parts.Show(s.call)+"' is evaluated before the loop: "+s.none, copyValue)
		case len(c.inside) > 0 && c.own[s.use.Scope]:
			c.refuse(at, "'"+parts.Show(s.call)+"' stands in an internal procedure", copyValue)
		case !c.spelt(s.call, parts.Show(s.call)):
			c.refuse(at, "'"+parts.Show(s.call)+"' stands in another file, in a macro, or on several lines", copyValue)
		default:
			list = add(list, s)
		}
	}
	return list
}

func add(list []*Argument, s status) []*Argument {
	for _, a := range list {
		if parts.Show(a.Object) == parts.Show(s.call) && a.Uses[0].Scope.Lookup(a.Spelt) == s.use.Scope.Lookup(a.Spelt) {
			a.Uses = append(a.Uses, s.use)
			return list
		}
	}
	y := s.of[0]
	t, _ := s.use.Scope.TypeOf(s.call)
	a := &Argument{Symbol: &scope.Symbol{Name: y.Name, Kind: scope.Variable, Type: t, Scope: y.Scope, Where: y.Where}, Object: s.call, Spelt: y.Name, Type: t, Uses: []Use{s.use}}
	x := s.call.Arguments[0].Value
	for {
		d, ok := x.(*tree.Component)
		if !ok {
			break
		}
		a.Path = append([]string{d.Name}, a.Path...)
		x = d.Base
	}
	a.Path = append(a.Path, "is")
	return append(list, a)
}
