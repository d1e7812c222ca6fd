// Package libmath finds in a file the functions and powers of reals that portable_math_mod has, so that serial code, threads and GPUs give the
// same bits (portablef convert --bits): each procedure with such a function uses the module, and x**y becomes portable_pow(x, y).
// Not here: the edits (internal/emit/host), the text for devices (internal/emit/cuda). Threads: one at a time for a program.
package libmath

import (
	"cmp"
	"slices"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// Module has the functions.
const Module = "portable_math_mod"

// Power is the name of x**y there.
const Power = "portable_pow"

var functions = map[string]string{ // by name in the source: specific names of old programs, too
	"dexp": "exp", "alog": "log", "dlog": "log", "alog10": "log10", "dlog10": "log10", "dsin": "sin", "dcos": "cos", "dtan": "tan",
	"dasin": "asin", "dacos": "acos", "datan": "atan", "datan2": "atan2", "dsinh": "sinh", "dcosh": "cosh", "dtanh": "tanh", "derf": "erf", "derfc": "erfc",
	"dasinh": "asinh", "dacosh": "acosh", "datanh": "atanh", "dgamma": "gamma", "lgamma": "log_gamma", "algama": "log_gamma", "dlgama": "log_gamma",
}

// others are functions of reals that the module does not have, and the C library or the compiler has in its own way.
var others = map[string]bool{}

func init() {
	for _, name := range strings.Fields("exp log log10 sin cos tan asin acos atan atan2 hypot sinh cosh tanh asinh acosh atanh erf erfc gamma log_gamma") {
		functions[name] = name
	}
	for _, name := range strings.Fields("erfc_scaled bessel_j0 bessel_j1 bessel_jn bessel_y0 bessel_y1 bessel_yn besj0 besj1 besjn besy0 besy1 besyn " +
		"dbesj0 dbesj1 dbesjn dbesy0 dbesy1 dbesyn sind cosd tand asind acosd atand atan2d cotan cotand dsind dcosd dtand dasind dacosd datand datan2d dcotan dcotand") {
		others[name] = true
	}
}

// Has reports whether the module has a function, by its generic name.
func Has(name string) bool { return functions[name] == name }

// Plan is what a file needs.
type Plan struct {
	Uses    map[*tree.Unit][]string         // what each procedure takes from the module: "exp", "dlog => log"
	Powers  map[*tree.Binary]map[int]string // the kind to which an operand is converted, 0 the base, 1 the exponent; none: as it is
	Signs   map[*tree.Binary]token.Span     // where ** stands
	List    []*tree.Binary                  // the powers in the order of the file, an outer one before those in it
	Reasons []emit.Reason
}

// Find makes the plan of a file.
func Find(p *scope.Program, file *tree.File) *Plan {
	f := &finder{program: p, file: file, plan: &Plan{Uses: map[*tree.Unit][]string{}, Powers: map[*tree.Binary]map[int]string{}, Signs: map[*tree.Binary]token.Span{}}}
	for _, l := range file.Lines {
		if !l.Nested {
			f.tokens = append(f.tokens, l.Tokens...)
		}
	}
	for _, u := range file.Units {
		f.unit(u)
	}
	return f.plan
}

type finder struct {
	program *scope.Program
	file    *tree.File
	tokens  []token.Token // of the file itself, in its order
	plan    *Plan
	names   map[string]bool // of the module, as the procedure at hand needs them
	bases   map[tree.Expression]bool
}

// unit gives the names that the procedures in u need, itself included.
func (f *finder) unit(u *tree.Unit) map[string]bool {
	if u.Interface {
		return nil
	}
	f.names, f.bases = map[string]bool{}, map[tree.Expression]bool{}
	if sc := f.program.Of(u); sc != nil {
		for _, d := range u.Declarations {
			if function, ok := d.(*tree.StatementFunction); ok {
				f.within(sc, function.Assignment)
				continue
			}
			f.bounds(sc, d)
		}
		for _, n := range u.Body {
			f.within(sc, n)
		}
	}
	mine := f.names
	all := map[string]bool{}
	for name := range mine {
		all[name] = true
	}
	for _, inner := range u.Contains {
		for name := range f.unit(inner) {
			all[name] = true
		}
	}
	if len(mine) > 0 {
		f.declared(u, mine)
		f.placed(u)
		for name := range mine {
			if generic := functions[name]; generic != "" && generic != name {
				name += " => " + generic
			}
			f.plan.Uses[u] = append(f.plan.Uses[u], name)
		}
		slices.Sort(f.plan.Uses[u])
	}
	return all
}

// within looks at a statement and all in it, whose names have the meaning of sc.
func (f *finder) within(sc *scope.Scope, root any) {
	tree.Walk(root, func(x any) bool {
		if n, ok := x.(tree.Node); ok {
			if inner := f.program.Inside(n); inner != nil && inner != sc {
				f.within(inner, n)
				return false
			}
		}
		switch x := x.(type) {
		case *tree.Block:
			for _, d := range x.Declarations {
				f.bounds(sc, d)
			}
			for _, n := range x.Body {
				f.within(sc, n)
			}
			return false
		case *tree.Unread:
			f.unread(x)
		case *tree.Reference:
			f.bases[x.Base] = true
			f.reference(sc, x)
		case *tree.Name:
			if y := sc.Lookup(x.Name); y != nil && y.Kind == scope.Intrinsic && functions[x.Name] != "" && !f.bases[x] {
				f.refuse(x.Where, "the function "+strings.ToUpper(x.Name)+" is an argument here, which one of "+Module+" cannot be", "write a function of your own that calls it")
			}
		case *tree.Binary:
			if x.Operator == "**" {
				f.power(sc, x)
			}
		}
		return true
	})
}

// unread refuses a statement that was not understood, if it may have a function or a power.
func (f *finder) unread(s *tree.Unread) {
	for _, t := range s.Text {
		if t.Text == "**" || functions[t.Text] != "" || others[t.Text] {
			f.refuse(s.Where, "this statement is not understood ("+s.Reason+"), so its "+strings.ToUpper(t.Text)+" would stay the compiler's", "write the statement in another way, or in a file that is not converted")
			return
		}
	}
}

func isReal(t scope.Type) bool { return t.Base == scope.Real && (t.Kind == 4 || t.Kind == 8) }

func (f *finder) reference(sc *scope.Scope, e *tree.Reference) {
	name, ok := e.Base.(*tree.Name)
	if !ok || functions[name.Name] == "" && !others[name.Name] {
		return
	}
	if meaning, _ := sc.Meaning(e); meaning != scope.IntrinsicCall {
		return
	}
	if others[name.Name] {
		f.refuse(e.Where, strings.ToUpper(name.Name)+" is no function of "+Module+": its last bits would stay the compiler's", "write it with functions that --bits takes, or in a file that is not converted")
		return
	}
	if sc.Lookup(name.Name).Kind != scope.Intrinsic { // a USE would hide the generic name
		if t, rank := sc.TypeOf(e); isReal(t) || rank < 0 {
			f.refuse(e.Where, strings.ToUpper(name.Name)+" is the compiler's function here, and a generic name of the program too", "give the generic name of the program another name")
		}
		return
	}
	if t, rank := sc.TypeOf(e); isReal(t) || rank < 0 {
		f.names[name.Name] = true
	}
}

// power notes a power of reals. Powers to an integer are products in a fixed order, by the compiler and on devices alike.
func (f *finder) power(sc *scope.Scope, e *tree.Binary) {
	x, xRank := sc.TypeOf(e.X)
	y, yRank := sc.TypeOf(e.Y)
	if yRank < 0 && y.Base != scope.Integer || xRank < 0 && y.Base != scope.Integer {
		f.refuse(e.Where, "the types of this power are not known", "give the files that declare its operands")
		return
	}
	result, _ := sc.TypeOf(e)
	if y.Base != scope.Real || !isReal(result) {
		return
	}
	kind := map[int]string{}
	for i, t := range []scope.Type{x, y} {
		if t.Base != scope.Real || t.Kind != result.Kind {
			kind[i] = map[int]string{4: "4", 8: "8"}[int(result.Kind)]
		}
	}
	sign, ok := f.sign(e)
	if !ok {
		return
	}
	f.names[Power] = true
	f.plan.Powers[e], f.plan.Signs[e] = kind, sign
	f.plan.List = append(f.plan.List, e)
}

func (f *finder) refuse(at token.Span, text, remedy string) {
	if slices.ContainsFunc(f.plan.Reasons, func(r emit.Reason) bool { return r.At == at.From }) {
		return
	}
	f.plan.Reasons = append(f.plan.Reasons, emit.Reason{Rule: emit.NotConverted, At: at.From, Text: text, Remedy: remedy})
}

// Between are the powers in a range of the file.
func (p *Plan) Between(from, to int32) (list []*tree.Binary) {
	for _, e := range p.List {
		if e.Where.From.Offset >= from && e.Where.To.Offset <= to {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b *tree.Binary) int { return cmp.Compare(a.Where.From.Offset, b.Where.From.Offset) })
	return list
}
