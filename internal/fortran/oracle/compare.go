package oracle

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// Report counts what was compared, and lists what differs.
type Report struct {
	Files, Symbols, Statements, Types, Conversions, Constants, Calls int
	NotValued, NotRead, NotAligned                                   int // what one side does not show
	Differences                                                      []string
}

// comparer compares one file.
type comparer struct {
	*Report
	where   string
	options scope.Options
}

func (c *comparer) differ(e tree.Expression, format string, args ...any) {
	at := c.where
	if e != nil {
		at = fmt.Sprintf("%s:%d:%d", c.where, e.Span().From.Line, e.Span().From.Column)
	}
	c.Differences = append(c.Differences, at+": "+fmt.Sprintf(format, args...))
}

// letters are the types in gfortran's names: __convert_i4_r8.
var letters = map[scope.Base]string{
	scope.Integer: "i", scope.Real: "r", scope.ComplexType: "c", scope.Logical: "l", scope.Character: "s",
}

func code(t scope.Type) string {
	if letters[t.Base] == "" {
		return ""
	}
	return letters[t.Base] + strconv.Itoa(t.Kind)
}

func converts(t scope.Type) bool {
	return t.Base == scope.Integer || t.Base == scope.Real || t.Base == scope.ComplexType || t.Base == scope.Logical
}

var conversion = regexp.MustCompile(`^__convert_([ircls]\d+)_([ircls]\d+)$`)
var suffixed = regexp.MustCompile(`_([ircl])(\d+)$`)

// expression compares an expression in a place where the type want is needed (none: any).
func (c *comparer) expression(s *scope.Scope, e tree.Expression, want scope.Type, d *node) {
	if d == nil || d.kind == "other" || d.kind == "null" || e == nil {
		c.NotRead++
		return
	}
	t, _ := s.TypeOf(e)
	if m := conversion.FindStringSubmatch(d.text); d.kind == "call" && m != nil && len(d.args) == 1 {
		if t.Base == scope.BOZ {
			c.NotRead++
			return
		}
		c.Conversions++
		if code(t) == m[2] && throughIndex(d.args[0]) {
			c.expression(s, e, scope.Type{}, d.args[0])
			return
		}
		if code(t) != m[1] {
			c.differ(e, "we have type %s, gfortran converts %s to %s", code(t), m[1], m[2])
			return
		}
		if converts(want) && code(want) != m[2] {
			c.differ(e, "we convert %s to %s, gfortran to %s", code(t), code(want), m[2])
			return
		}
		c.expression(s, e, scope.Type{}, d.args[0])
		return
	}
	switch d.kind {
	case "number", "logical", "text", "complex":
		c.constant(s, e, t, want, d)
		return
	}
	if converts(want) && converts(t) && code(t) != code(want) && t.Kind != 0 {
		if _, structured := e.(*tree.Constructor); !structured && d.kind != "array" {
			c.differ(e, "we convert %s to %s, gfortran does not: %s", code(t), code(want), d)
			return
		}
	}
	if x, ok := e.(*tree.Parenthesis); ok {
		if d.kind == "operation" && d.text == "parens" && len(d.args) == 1 {
			d = d.args[0]
		}
		c.expression(s, x.X, scope.Type{}, d)
		return
	}
	if d.kind == "operation" && d.text == "parens" && len(d.args) == 1 {
		d = d.args[0]
	}
	switch d.kind {
	case "array":
		c.array(s, e, t, want, d)
	case "operation":
		c.operation(s, e, t, d)
	case "name":
		c.designator(s, e, d)
	case "call":
		c.call(s, e, d)
	default:
		c.NotRead++
	}
}

// throughIndex reports whether gfortran computes in the kind of indices and converts back.
func throughIndex(d *node) bool {
	return d.kind == "call" && (conversion.MatchString(d.text) || strings.Contains(d.text, "findloc") || strings.Contains(d.text, "maxloc") || strings.Contains(d.text, "minloc"))
}

// constant compares a value that gfortran has computed.
func (c *comparer) constant(s *scope.Scope, e tree.Expression, t, want scope.Type, d *node) {
	v, ok := s.Constant(e)
	if !ok || v.Shape != nil {
		c.NotValued++
		if t.Base != scope.NoType && t.Base != scope.Integer && t.Kind != 0 && !converts(want) {
			c.kind(e, t, d)
		}
		return
	}
	if converts(want) && v.Type.Base != scope.BOZ {
		if v, ok = scope.Convert(v, want); !ok {
			c.NotValued++
			return
		}
	}
	c.value(e, v, d, !converts(want))
}

// kind compares the kind behind a constant.
func (c *comparer) kind(e tree.Expression, t scope.Type, d *node) {
	defaults := map[scope.Base]int{
		scope.Integer: c.options.Integer, scope.Real: c.options.Real, scope.ComplexType: c.options.Real, scope.Logical: c.options.Logical,
	}
	kind := defaults[t.Base]
	// gfortran writes no kind behind logical constants.
	if kind == 0 || t.Base == scope.Logical {
		return
	}
	if d.suffix != "" {
		kind, _ = strconv.Atoi(d.suffix)
	}
	if d.kind == "complex" && len(d.args) == 2 && d.args[0].suffix != "" {
		kind, _ = strconv.Atoi(d.args[0].suffix)
	}
	c.Types++
	if t.Kind != kind {
		c.differ(e, "we have kind %d (%s), gfortran %d: %s", t.Kind, code(t), kind, d)
	}
}

// value compares a scalar value; loose: an integer's kind is that of a subscript, or of an argument.
func (c *comparer) value(e tree.Expression, v scope.Value, d *node, loose bool) {
	c.Constants++
	if !loose || v.Type.Base != scope.Integer {
		c.kind(e, v.Type, d)
	}
	same := false
	switch v.Type.Base {
	case scope.Integer:
		same = d.kind == "number" && d.text == strconv.FormatInt(v.Integer, 10)
	case scope.Real:
		same = sameReal(v.Real, v.Type.Kind, d)
	case scope.ComplexType:
		same = d.kind == "complex" && len(d.args) == 2 && sameReal(v.Real, v.Type.Kind, d.args[0]) && sameReal(v.Imag, v.Type.Kind, d.args[1])
	case scope.Logical:
		same = d.kind == "logical" && (d.text == "t") == v.Logical
	case scope.Character:
		// A text that is assigned has the length of the variable already.
		same = d.kind == "text" && (d.text == v.Text || strings.HasPrefix(v.Text+strings.Repeat(" ", len(d.text)), d.text) || strings.ContainsFunc(v.Text, func(r rune) bool { return r < ' ' || r > '~' }))
	default:
		c.Constants--
		c.NotRead++
		return
	}
	if !same {
		c.differ(e, "we have the value %d %v %v %q (%s), gfortran %s", v.Integer, v.Real, v.Imag, v.Text, code(v.Type), d)
	}
}

func sameReal(x float64, kind int, d *node) bool {
	y, err := strconv.ParseFloat(d.text, 8*kind)
	return err == nil && d.kind == "number" && (math.Float64bits(x) == math.Float64bits(y) || x == 0 && y == 0)
}

// array compares the elements of an array constructor, or of an array constant.
func (c *comparer) array(s *scope.Scope, e tree.Expression, t, want scope.Type, d *node) {
	if x, ok := e.(*tree.Constructor); ok && len(x.Items) == len(d.args) {
		// Kinds of arguments such as SHAPE are those of indices.
		element := t
		switch {
		case converts(want):
			element = want
		case t.Base == scope.Integer:
			element = scope.Type{}
		}
		simple := true
		for _, item := range x.Items {
			_, rank := s.TypeOf(item)
			_, loop := item.(*tree.ImpliedDo)
			simple = simple && rank == 0 && !loop
		}
		if simple {
			for i, item := range x.Items {
				// gfortran converts the items to the constructor's type, and these to that of the place.
				if it, _ := s.TypeOf(item); code(t) != code(element) && code(it) != code(t) {
					c.NotRead++
					continue
				}
				c.expression(s, item, element, d.args[i])
			}
			return
		}
	}
	v, ok := s.Constant(e)
	if !ok || len(v.List) != len(d.args) {
		c.NotValued++
		return
	}
	for i, x := range v.List {
		if d.args[i].kind == "array" || d.args[i].kind == "name" || d.args[i].kind == "call" {
			c.NotRead++
			return
		}
		if converts(want) {
			if x, ok = scope.Convert(x, want); !ok {
				c.NotValued++
				return
			}
		}
		c.value(e, x, d.args[i], !converts(want))
	}
}

var operators = map[string]string{
	"AND": ".and.", "OR": ".or.", "EQV": ".eqv.", "NEQV": ".neqv.", "NOT": ".not.", "U-": "-", "U+": "+",
	"+": "+", "-": "-", "*": "*", "/": "/", "**": "**", "//": "//", "==": "==", "/=": "/=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
}

func (c *comparer) operation(s *scope.Scope, e tree.Expression, t scope.Type, d *node) {
	switch x := e.(type) {
	case *tree.Unary:
		if operators[d.text] != x.Operator || len(d.args) != 1 {
			break
		}
		c.Types++
		c.expression(s, x.X, scope.Type{}, d.args[0])
		return
	case *tree.Binary:
		ours := x.Operator
		if ours == ".xor." {
			ours = ".neqv."
		}
		if operators[d.text] != ours || len(d.args) != 2 {
			break
		}
		c.Types++
		left, right := c.operands(s, x, t)
		c.expression(s, x.X, left, d.args[0])
		c.expression(s, x.Y, right, d.args[1])
		return
	}
	if _, loop := e.(*tree.ImpliedDo); loop {
		c.NotRead++ // gfortran shows its items
		return
	}
	c.differ(e, "gfortran has the operation %s", d)
}

// operands are the types to which an operation converts.
func (c *comparer) operands(s *scope.Scope, x *tree.Binary, t scope.Type) (left, right scope.Type) {
	a, _ := s.TypeOf(x.X)
	b, _ := s.TypeOf(x.Y)
	if !converts(a) || !converts(b) {
		return
	}
	switch x.Operator {
	case "**":
		if b.Base == scope.Integer && a.Base != scope.Integer {
			return t, b
		}
	case "==", "/=", "<", "<=", ">", ">=":
		t, _ = s.TypeOf(&tree.Binary{Operator: "+", X: x.X, Y: x.Y})
	}
	return t, t
}
