package oracle

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// symbols compares the names of one scope.
func (c *comparer) symbols(s *scope.Scope, n *namespace) {
	for _, theirs := range n.symbols {
		if theirs.name == "" || strings.ContainsAny(theirs.name, "@.") || strings.HasPrefix(theirs.name, "_") || theirs.name != strings.ToLower(theirs.name) {
			continue
		}
		c.symbol(s, theirs)
	}
}

func (c *comparer) symbol(s *scope.Scope, theirs symbol) {
	attributes := strings.FieldsFunc(theirs.attributes, func(r rune) bool { return r == ' ' || r == '(' || r == ')' })
	has := func(word string) bool { return slices.Contains(attributes, word) }
	if has("ARTIFICIAL") || has("INTRINSIC-PROC") || has("INTRINSIC") || has("MODULE") || has("LABEL") {
		return
	}
	y := s.Lookup(theirs.name)
	c.Symbols++
	tell := func(format string, args ...any) {
		c.differ(nil, "%s in %s: %s (%s)", theirs.name, s.Name, fmt.Sprintf(format, args...), theirs.attributes)
	}
	want := ""
	switch {
	case has("PARAMETER"):
		if want = "constant"; y.Kind != scope.Constant {
			tell("gfortran has a constant, we have kind %d", y.Kind)
			return
		}
	case has("VARIABLE"):
		if want = "variable"; y.Kind != scope.Variable && y.Kind != scope.Alias {
			tell("gfortran has a variable, we have kind %d", y.Kind)
			return
		}
	case has("FUNCTION"):
		if y.Kind != scope.Procedure {
			// The constructor of a type, an intrinsic with a declared type.
			return
		}
	default:
		return
	}
	c.specification(y, theirs.spec, tell)
	if want == "" {
		return
	}
	if rank, ok := rankOf(theirs.array, has("DIMENSION")); ok && !y.AssumedRank && rank != len(y.Dims) {
		tell("gfortran has rank %d, we have %d", rank, len(y.Dims))
	}
	// Ours may be more careful: VOLATILE holds for all scopes of a module variable, THREADPRIVATE without -fopenmp too.
	for word, ours := range map[string]bool{
		"ALLOCATABLE": y.Allocatable, "POINTER": y.Pointer, "TARGET": y.Target, "OPTIONAL": y.Optional, "CONTIGUOUS": y.Contiguous,
		"VALUE": y.Value, "VOLATILE": y.Volatile, "ASYNCHRONOUS": y.Asynchronous, "THREADPRIVATE": y.ThreadPrivate,
	} {
		if y.Kind == scope.Variable && has(word) != ours && !(ours && (word == "VOLATILE" || word == "THREADPRIVATE")) && y.Type.Base != scope.Class && y.Type.Base != scope.Derived {
			tell("%s: gfortran has %v, we have %v", word, has(word), ours)
		}
	}
	if intents := map[string]string{"IN": "in", "OUT": "out", "INOUT": "inout"}; has("DUMMY") && y.Kind == scope.Variable {
		if i := slices.Index(attributes, "DUMMY") + 1; i < len(attributes) && intents[attributes[i]] != y.Intent && intents[attributes[i]] != "" {
			tell("intent is %q, we have %q", attributes[i], y.Intent)
		}
		if !y.Dummy {
			tell("gfortran has a dummy")
		}
	}
	if has("IN-COMMON") != (y.Common != "") && y.Kind == scope.Variable && y.Shares == nil {
		tell("common is %q", y.Common)
	}
	if want == "constant" && theirs.value != "" {
		c.parameter(s, y, theirs.value)
	}
}

// parameter compares the value of a named constant.
func (c *comparer) parameter(s *scope.Scope, y *scope.Symbol, text string) {
	d, p := readExpression(text)
	if p.bad || y.Scope == nil {
		c.NotRead++
		return
	}
	v, ok := s.Constant(&tree.Name{Name: y.Name})
	if !ok || y.Scope != s && s.Lookup(y.Name) != y {
		c.NotValued++
		return
	}
	if v.Shape == nil && v.Fields == nil {
		c.value(nil, v, d, false)
		return
	}
	if d.kind != "array" || len(d.args) != len(v.List) {
		c.NotRead++
		return
	}
	for i := range v.List {
		if v.List[i].Fields == nil {
			c.value(nil, v.List[i], d.args[i], false)
		}
	}
}

// rankOf reads "(2 [0] AS_EXPLICIT ...".
func rankOf(array string, dimension bool) (int, bool) {
	var rank int
	if array == "" {
		return 0, !dimension
	}
	if _, err := fmt.Sscanf(array, "(%d", &rank); err != nil || rank < 0 {
		return 0, false
	}
	return rank, true
}

// specification compares a type: (REAL 8), (CHARACTER 5 1), (DERIVED t).
func (c *comparer) specification(y *scope.Symbol, spec string, tell func(string, ...any)) {
	fields := strings.Fields(strings.Trim(spec, "()"))
	if len(fields) < 2 || fields[0] == "UNKNOWN" || fields[0] == "VOID" || fields[0] == "PROCEDURE" {
		return
	}
	c.Types++
	bases := map[string]scope.Base{
		"INTEGER": scope.Integer, "REAL": scope.Real, "COMPLEX": scope.ComplexType, "LOGICAL": scope.Logical, "CHARACTER": scope.Character,
		"DERIVED": scope.Derived, "CLASS": scope.Class,
	}
	base, known := bases[fields[0]]
	if !known {
		return
	}
	if y.Type.Base != base && !(y.Type.Base == scope.Class && base == scope.Derived) {
		tell("gfortran has the type %s, we have base %d", spec, y.Type.Base)
		return
	}
	switch base {
	case scope.Derived:
		if y.Type.Def == nil || y.Type.Def.Name != strings.ToLower(fields[1]) {
			tell("gfortran has the type %s", spec)
		}
	case scope.Integer, scope.Real, scope.ComplexType, scope.Logical:
		if y.Type.Kind == 0 {
			c.NotValued++ // the kind is an expression that we do not compute
		} else if fields[1] != fmt.Sprint(y.Type.Kind) {
			tell("gfortran has the type %s, we have kind %d", spec, y.Type.Kind)
		}
	}
}
