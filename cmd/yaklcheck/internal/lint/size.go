package lint

import (
	"math"
	"strconv"
)

// This file computes the bytes of arrays with constant extents, as far as it can follow constants.

// bytes is 0 if the extents are unknown or not constant.
func (p *program) bytes(s *scope, y *symbol) int64 {
	element := int64(4)
	switch {
	case y.derived || y.character:
		element = 1
	case y.typeName == "complex":
		element = 8
	}
	if y.kind > 0 && !y.character {
		element = y.kind
		if y.typeName == "complex" {
			element *= 2
		}
	}
	total := element
	for _, part := range list(y.dims) {
		low := int64(1)
		high := part
		if i := find(part, ":"); i >= 0 {
			if i > 0 {
				v, ok := p.constant(s, part[:i], 0)
				if !ok {
					return 0
				}
				low = v
			}
			high = part[i+1:]
		}
		v, ok := p.constant(s, high, 0)
		if !ok || v < low || v-low > 1<<40 || total > math.MaxInt64/(1<<42) {
			return 0
		}
		total *= v - low + 1
	}
	return total
}

// constant is the value of an expression of integers and named constants.
func (p *program) constant(s *scope, t []token, depth int) (int64, bool) {
	if len(t) == 0 || depth > 40 {
		return 0, false
	}
	for _, ops := range [][]string{{"+", "-"}, {"*", "/"}} {
		for i := len(t) - 1; i > 0; i-- {
			if t[i].is(")") {
				for open := 1; i > 0 && open > 0; {
					i--
					if t[i].is(")") {
						open++
					} else if t[i].is("(") {
						open--
					}
				}
				continue
			}
			if t[i].kind != sign || t[i].word != ops[0] && t[i].word != ops[1] {
				continue
			}
			a, ok := p.constant(s, t[:i], depth+1)
			b, ok2 := p.constant(s, t[i+1:], depth+1)
			if !ok || !ok2 || t[i].word == "/" && b == 0 || max(a, -a, b, -b) > 1<<31 {
				return 0, false
			}
			switch t[i].word {
			case "+":
				return a + b, true
			case "-":
				return a - b, true
			case "*":
				return a * b, true
			}
			return a / b, true
		}
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
