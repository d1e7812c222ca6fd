package nest

import (
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
)

// datum is a variable, or a component path from it: all elements of t(i)%a(j) are the datum t%a.
type datum struct {
	root *scope.Symbol
	path string // "%a%b"
}

func (d datum) name() string { return d.root.Name + d.path }

// overlaps reports whether d is e, or a part of it, or the other way round.
func (d datum) overlaps(e datum) bool {
	return d.root == e.root && (begins(d.path, e.path) || begins(e.path, d.path))
}

// covers reports whether e is d or a part of it.
func (d datum) covers(e datum) bool { return d.root == e.root && begins(d.path, e.path) }

func begins(path, longer string) bool {
	return strings.HasPrefix(longer, path) && (len(path) == len(longer) || longer[len(path)] == '%')
}

// sub is one subscript: an index, or a range of them.
type sub struct {
	lo, hi affine.Form
	point  bool
	stride int64         // of a range; 0: not known
	full   bool          // all of the dimension
	index  *scope.Symbol // the subscript goes through this array or function
}

// step is a variable or component with its subscripts.
type step struct {
	symbol *scope.Symbol
	subs   []sub
	closed bool // subs are final
	view   *view
}

// ref is a designator with its subscripts as forms.
type ref struct {
	steps   []step
	node    tree.Expression
	foreign bool // a called procedure uses it by its own name
	rough   bool // it may be less than the subscripts say: it never counts as set
}

func (r ref) datum() datum {
	var path strings.Builder
	for _, s := range r.steps[1:] {
		path.WriteByte('%')
		path.WriteString(s.symbol.Name)
	}
	return datum{r.steps[0].symbol, path.String()}
}

func (r ref) last() *scope.Symbol { return r.steps[len(r.steps)-1].symbol }

// scalar reports whether r has no subscripts at all.
func (r ref) scalar() bool {
	for _, s := range r.steps {
		if len(s.subs) > 0 || len(s.symbol.Dims) > 0 {
			return false
		}
	}
	return true
}

// subs are all subscripts, from left to right.
func (r ref) subs() (list []sub) {
	for _, s := range r.steps {
		list = append(list, s.subs...)
	}
	return list
}

// point reports whether r is one element.
func (r ref) point() bool {
	for _, s := range r.steps {
		for _, x := range s.subs {
			if !x.point {
				return false
			}
		}
	}
	return true
}

// procedure is the scope of the procedure, program or module that s is in.
func procedure(s *scope.Scope) *scope.Scope {
	for s != nil && s.Kind == scope.BlockScope && s.Parent != nil {
		s = s.Parent
	}
	return s
}

// static reports whether a local variable keeps its value between calls.
func static(y *scope.Symbol) bool {
	return y.Saved || y.Common != "" || y.Scope != nil && (procedure(y.Scope).Kind == scope.ModuleScope || procedure(y.Scope).Kind == scope.ProgramScope)
}

// ofCall reports whether y is a variable that each call of the procedure of s has anew.
func ofCall(y *scope.Symbol, s *scope.Scope) bool {
	return y.Scope != nil && procedure(y.Scope) == procedure(s) && !y.Dummy && !static(y)
}

// mayPoint reports whether other names may mean the memory of y.
func mayPoint(y *scope.Symbol) bool { return y.Pointer || y.Target }
