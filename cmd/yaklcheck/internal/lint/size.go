package lint

import (
	"math"
	"slices"
	"strconv"
)

// This file computes the bytes of arrays with constant extents, as far as it can follow constants.

// bytes is 0 if the extents are unknown or not constant.
func (p *program) bytes(s *scope, y *symbol) int64 {
	total := int64(4)
	if y.kind > 0 {
		total = y.kind
	}
	switch {
	case y.character, y.derived && y.kind == 0:
		total = 1
	case y.typeName == "complex":
		total *= 2
	}
	for _, part := range list(y.dims) {
		low, known := int64(1), true
		i := find(part, ":")
		if i > 0 {
			low, known = p.constant(s, part[:i], 0)
		}
		high, ok := p.constant(s, part[i+1:], 0)
		if !known || !ok || high < low || high-low > 1<<40 || total > math.MaxInt64/(1<<42) {
			return 0
		}
		total *= high - low + 1
	}
	return total
}

// constant is the value of an expression of integers and named constants.
func (p *program) constant(s *scope, t []token, depth int) (int64, bool) {
	if len(t) == 0 || depth > 40 {
		return 0, false
	}
	for _, ops := range [][]string{{"+", "-"}, {"*", "/"}} {
		last := 0
		for i, w := range outside(t) {
			if w.kind == sign && slices.Contains(ops, w.word) {
				last = i
			}
		}
		if last == 0 {
			continue // a sign at the beginning has no left side
		}
		a, ok := p.constant(s, t[:last], depth+1)
		b, ok2 := p.constant(s, t[last+1:], depth+1)
		op := t[last].word
		if !ok || !ok2 || op == "/" && b == 0 || max(a, -a, b, -b) > 1<<31 {
			return 0, false
		}
		switch op {
		case "+":
			return a + b, true
		case "-":
			return a - b, true
		case "*":
			return a * b, true
		}
		return a / b, true
	}
	switch {
	case t[0].is("-"):
		v, ok := p.constant(s, t[1:], depth+1)
		return -v, ok
	case t[0].is("(") && closing(t, 0) == len(t)-1:
		return p.constant(s, t[1:len(t)-1], depth+1)
	case len(t) == 1 && t[0].kind == number:
		v, err := strconv.ParseInt(t[0].word, 10, 64)
		return v, err == nil
	case len(t) == 1 && t[0].kind == name:
		if y := p.lookup(s, t[0].word).symbol; y != nil && y.parameter && len(y.init) > 0 {
			return p.constant(y.scope, y.init, depth+1)
		}
	}
	return 0, false
}
