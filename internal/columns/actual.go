package columns

import (
	"slices"
	"strconv"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// This file finds the dimensions of actual arguments that are those of the columns.

// actuals decides for each argument of a marked call which of its dimensions are those of the columns.
func (p *Plan) actuals(r *region) {
	n := r.call
	_, y := r.scope.Meaning(&tree.Reference{Base: n.Procedure, Arguments: n.Arguments})
	if y != nil && y.Kind == scope.Generic {
		p.fault(n.Where.From, "call the specific procedure, or write the indices into the call", "which procedure '%s' is, is not known: its arguments have more dimensions than one column", y.Name)
		return
	}
	if y == nil || y.Kind != scope.Procedure || y.Body == nil {
		p.fault(n.Where.From, "give its file to portablef", "'%s', called at line %d, is in none of the files", parts.Show(n.Procedure), n.Where.From.Line)
		return
	}
	for i := range n.Arguments {
		a := &n.Arguments[i]
		if a.Value == nil {
			continue
		}
		d := dummyOf(y, n.Arguments, i)
		if c, is := n.Procedure.(*tree.Component); is { // the object is the first argument
			if b := r.scope.Component(c); b == nil || b.Kind != scope.Procedure {
				d = nil
			} else if a.Keyword == "" && i+1 < len(y.Dummies) {
				d = y.Body.Lookup(y.Dummies[i+1])
			}
		}
		if d == nil || d.Kind != scope.Variable {
			continue
		}
		p.actual(r, a, y, d)
	}
}

func (p *Plan) actual(r *region, a *tree.Argument, y, d *scope.Symbol) {
	_, rank := r.scope.TypeOf(a.Value)
	at, columns := a.Value.Span().From, len(r.d.Columns)
	if rank == len(d.Dims) || rank <= 0 || d.AssumedRank || slices.Contains(y.Body.Unit.Prefix, "elemental") && len(d.Dims) == 0 && rank == 0 {
		return
	}
	if rank != len(d.Dims)+columns {
		if rank < len(d.Dims) {
			return // sequence association is as it is without columns
		}
		p.fault(at, "pass one with "+strconv.Itoa(len(d.Dims)+columns)+" dimensions, or one column of it", "'%s' has %d dimensions, but the dummy '%s' of '%s' has %d, and columns adds %d",
			parts.Show(a.Value), rank, d.Name, y.Name, len(d.Dims), columns)
		return
	}
	array := last(r.scope, a.Value)
	whole := true
	for e := a.Value; whole; {
		switch x := e.(type) {
		case *tree.Name:
		case *tree.Component:
			if _, inner := r.scope.TypeOf(x.Base); inner != 0 {
				whole = false
				continue
			}
			e = x.Base
			if _, is := e.(*tree.Reference); is {
				break
			}
			continue
		default:
			whole = false
			continue
		}
		break
	}
	if !whole || array == nil || array.Kind != scope.Variable {
		p.fault(at, "pass an array, or write its column: a(i, j, :)", "'%s' has the dimensions of columns, but is no whole array", parts.Show(a.Value))
		return
	}
	where, why := p.dimensions(r, array)
	if why != "" {
		p.fault(at, "write the indices into the call: "+p.example(r, parts.Show(a.Value), p.shape(array), rank), "which dimensions of '%s' are those of columns is not known: %s", parts.Show(a.Value), why)
		return
	}
	list := make([]string, rank)
	for k := range list {
		list[k] = ":"
	}
	for k, at := range where {
		list[at] = r.d.Columns[k].Name
	}
	r.indices[a] = list
	p.Notes = append(p.Notes, Note{At: at, Of: r.call.Where.From, Name: d.Name, Text: "'" + d.Name + "' of '" + y.Name + "' gets (" + indices(r) + "): it is " + parts.Show(a.Value) + "(" + strings.Join(list, ", ") + ")"})
}

// last is the variable, or the component, that a designator ends with.
func last(s *scope.Scope, e tree.Expression) *scope.Symbol {
	if c, is := e.(*tree.Component); is {
		return s.Component(c)
	}
	return s.Symbol(e)
}

func indices(r *region) string {
	var names []string
	for _, c := range r.d.Columns {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// example is how a user writes one column of an array: with each index at the dimension that has its bounds, if there are such dimensions.
func (p *Plan) example(r *region, array string, all []bounds, rank int) string {
	list, found := slices.Repeat([]string{":"}, rank), 0
	for k, b := range all {
		for _, c := range r.d.Columns {
			if p.sameText(r, c, b) && list[k] == ":" && !slices.Contains(list, c.Name) {
				list[k] = c.Name
				found++
			}
		}
	}
	if found < len(r.d.Columns) {
		list = slices.Repeat([]string{":"}, rank)
		for k, c := range r.d.Columns {
			list[k] = c.Name
		}
	}
	return array + "(" + strings.Join(list, ", ") + ")"
}

// bounds are those of a dimension, with the scope of their names.
type bounds struct {
	lower, upper tree.Expression
	scope        *scope.Scope
}

// dimensions finds for each index of columns the dimension of an array with its bounds: in the order of the indices. Equal texts are better
// than equal values, and one answer is needed.
func (p *Plan) dimensions(r *region, y *scope.Symbol) (where []int, why string) {
	all := p.shape(y)
	if all == nil {
		return nil, "its bounds are given at run time"
	}
	fits := func(same func(c directive.Column, b bounds) bool) (found [][]int) {
		var next func(k int, chosen []int)
		next = func(k int, chosen []int) {
			if k == len(r.d.Columns) {
				found = append(found, slices.Clone(chosen))
				return
			}
			from := 0
			if k > 0 {
				from = chosen[k-1] + 1
			}
			for d := from; d < len(all); d++ {
				if same(r.d.Columns[k], all[d]) {
					next(k+1, append(chosen[:k:k], d))
				}
			}
		}
		next(0, nil)
		return found
	}
	found := fits(func(c directive.Column, b bounds) bool { return p.sameText(r, c, b) })
	if len(found) == 0 {
		found = fits(func(c directive.Column, b bounds) bool {
			other := func(o directive.Column) bool {
				return o.Name != c.Name && p.sameText(r, o, b) && (o.First != c.First || o.Last != c.Last)
			}
			return p.sameValue(r, c, b) && !slices.ContainsFunc(r.d.Columns, other)
		})
	}
	shape := "it has the shape (" + showBounds(all) + ")"
	var want []string
	for _, c := range r.d.Columns {
		want = append(want, c.Name+"="+c.First+":"+c.Last)
	}
	switch len(found) {
	case 1:
		return found[0], ""
	case 0:
		for _, c := range r.d.Columns {
			for _, b := range all {
				if other := p.otherName(r, c, b); parts.Show(b.upper) == c.Last && other != "" {
					return nil, shape + ", whose '" + other + "' is another variable than that of columns"
				}
			}
		}
		return nil, shape + ", and columns has " + strings.Join(want, ", ")
	}
	return nil, shape + ", and " + strconv.Itoa(len(found)) + " choices have the bounds of " + strings.Join(want, ", ")
}

// shape are the bounds of an array as it is declared, or as the only ALLOCATE of it has them; nil: they are not known.
func (p *Plan) shape(y *scope.Symbol) (all []bounds) {
	for _, d := range y.Dims {
		if d.Upper == nil || d.Star {
			return p.allocated(y)
		}
		all = append(all, bounds{d.Lower, d.Upper, y.Scope})
	}
	return all
}

// sameText reports whether a dimension has the bounds of a column as they are written, and the names in them mean the same.
func (p *Plan) sameText(r *region, c directive.Column, b bounds) bool {
	lower := "1"
	if b.lower != nil {
		lower = parts.Show(b.lower)
	}
	if lower != c.First || parts.Show(b.upper) != c.Last {
		return false
	}
	return p.otherName(r, c, b) == ""
}

// otherName is a name in the bounds of a column that means something else where an array got its bounds; "": there is none.
func (p *Plan) otherName(r *region, c directive.Column, b bounds) string {
	for _, name := range c.Names {
		if y := r.scope.Lookup(name); y != b.scope.Lookup(name) && y.Kind != scope.Intrinsic {
			return name
		}
	}
	return ""
}

// sameValue reports whether the bounds of both are constants of the same values.
func (p *Plan) sameValue(r *region, c directive.Column, b bounds) bool {
	lower, known := int64(1), true
	if b.lower != nil {
		lower, known = value(b.scope, b.lower)
	}
	upper, too := value(b.scope, b.upper)
	first, has := valueOf(r.scope, c.First)
	last, have := valueOf(r.scope, c.Last)
	return known && too && has && have && lower == first && upper == last
}

func value(s *scope.Scope, e tree.Expression) (int64, bool) {
	v, ok := s.Constant(e)
	return v.Integer, ok && v.Type.Base == scope.Integer
}

// valueOf is the value of a bound of columns: a number, or the name of a constant.
func valueOf(s *scope.Scope, text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	return value(s, &tree.Name{At: tree.At{Where: token.Span{}}, Name: text})
}
