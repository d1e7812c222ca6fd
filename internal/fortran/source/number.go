package source

import "libportable/internal/fortran/token"

// dotted is the length of an operator such as .and. at the beginning of s, or 0.
func dotted(s []byte) int {
	i := 1
	for i < len(s) && isLetter(s[i]) && s[i] != '_' {
		i++
	}
	if i > 1 && i < len(s) && s[i] == '.' {
		return i + 1
	}
	return 0
}

// number moves behind the number at x.i. In 1.eq.2 the point is the operator's, in 1.e5 the number's.
func (x *lexer) number(end int) token.Kind {
	s := x.s.text
	kind := token.Integer
	x.i = skip(s, x.i, end, isDigit)
	if x.i < end && s[x.i] == '.' && dotted(s[x.i:end]) == 0 {
		kind = token.Real
		x.i = skip(s, x.i+1, end, isDigit)
	}
	if x.i < end {
		switch lower(s[x.i]) {
		case 'e', 'd', 'q':
			e := x.i + 1
			if e < end && (s[e] == '+' || s[e] == '-') {
				e++
			}
			if e < end && isDigit(s[e]) {
				kind = token.Real
				x.i = skip(s, e, end, isDigit)
			}
		}
	}
	x.kind(end)
	return kind
}

// kind moves behind the kind parameter at x.i, if there is one.
func (x *lexer) kind(end int) {
	s := x.s.text
	if x.i+1 < end && s[x.i] == '_' && inName(s[x.i+1]) {
		x.i = skip(s, x.i+1, end, inName)
	}
}
