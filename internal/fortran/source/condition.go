package source

import (
	"strconv"
	"strings"

	"libportable/internal/fortran/token"
)

// condition is the value of the expression of #if.
func (p *preprocessor) condition(text []byte, at token.Pos) (value bool, problem string) {
	c := &conditionReader{text: p.expandText(p.questions(uncommented(text), at), at, 0)}
	if c.blank(); c.i == len(c.text) {
		return false, "there is no expression"
	}
	v := c.choice()
	if c.blank(); c.problem == "" && c.i < len(c.text) {
		c.fail("'" + string(c.text[c.i:]) + "' is behind the expression")
	}
	if c.problem != "" {
		return false, c.problem
	}
	return v != 0, ""
}

// uncommented is text without the comments of C.
func uncommented(text []byte) []byte {
	for {
		i := strings.Index(string(text), "/*")
		if i < 0 {
			return text
		}
		n := strings.Index(string(text[i:]), "*/")
		if n < 0 {
			return text
		}
		text = append(append(append([]byte(nil), text[:i]...), ' '), text[i+n+2:]...)
	}
}

// questions replaces defined(X), defined X and __has_include(...) by 1 or 0, before macros are expanded.
func (p *preprocessor) questions(text []byte, at token.Pos) []byte {
	var out []byte
	for i := 0; i < len(text); {
		if !isLetter(text[i]) {
			out = append(out, text[i])
			i++
			continue
		}
		j := skip(text, i, len(text), inMacro)
		word := string(text[i:j])
		k := skip(text, j, len(text), isBlank)
		inside := k < len(text) && text[k] == '('
		answer := false
		switch {
		case word == "defined":
			if inside {
				k = skip(text, k+1, len(text), isBlank)
			}
			end := skip(text, k, len(text), inMacro)
			if end > k {
				answer = p.isDefined(string(text[k:end]))
				if inside {
					if end = skip(text, end, len(text), isBlank); end < len(text) && text[end] == ')' {
						end++
					} else {
						p.r.problem(at, "#if: 'defined(' has no ')'")
					}
				}
				j = end
			} else {
				p.r.problem(at, "#if: 'defined' has no name")
			}
		case word == "__has_include" && inside:
			end := k + 1
			for end < len(text) && text[end] != ')' {
				end++
			}
			name, here, ok := includeName(text[k+1 : end])
			answer = ok && p.r.find(at, name, here) != nil
			j = min(end+1, len(text))
		default:
			out = append(out, text[i:j]...)
			i = j
			continue
		}
		if out = append(out, ' ', '0', ' '); answer {
			out[len(out)-2] = '1'
		}
		i = j
	}
	return out
}

// conditionReader reads an expression of C.
type conditionReader struct {
	text    []byte
	i       int
	depth   int
	problem string
}

func (c *conditionReader) blank() { c.i = skip(c.text, c.i, len(c.text), isBlank) }

func (c *conditionReader) fail(text string) {
	if c.problem == "" {
		c.problem = text
	}
	c.i = len(c.text)
}

func (c *conditionReader) take(s string) bool {
	c.blank()
	if strings.HasPrefix(string(c.text[c.i:min(len(c.text), c.i+len(s))]), s) {
		c.i += len(s)
		return true
	}
	return false
}

// choice reads A ? B : C.
func (c *conditionReader) choice() int64 {
	v := c.binary(0)
	if !c.take("?") {
		return v
	}
	if c.depth++; c.depth > 1000 {
		c.fail("the expression nests too deep")
	}
	a := c.choice()
	if !c.take(":") {
		c.fail("':' is missing behind '?'")
	}
	b := c.choice()
	c.depth--
	if v != 0 {
		return a
	}
	return b
}

// levels are the binary operators, the weakest first; longer signs come first.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// operator takes an operator of a level. The sign of another level that begins alike does not count.
func (c *conditionReader) operator(level int) string {
	c.blank()
	rest := string(c.text[c.i:min(len(c.text), c.i+2)])
	for _, s := range levels[level] {
		if !strings.HasPrefix(rest, s) {
			continue
		}
		if len(s) == 1 && len(rest) == 2 && (rest == "||" || rest == "&&" || rest == "<<" || rest == ">>" || rest == "<=" || rest == ">=") {
			continue
		}
		c.i += len(s)
		return s
	}
	return ""
}

func (c *conditionReader) binary(level int) int64 {
	if level == len(levels) {
		return c.unary()
	}
	a := c.binary(level + 1)
	for {
		s := c.operator(level)
		if s == "" {
			return a
		}
		b := c.binary(level + 1)
		a = c.compute(s, a, b)
	}
}

func (c *conditionReader) compute(s string, a, b int64) int64 {
	is := func(t bool) int64 {
		if t {
			return 1
		}
		return 0
	}
	switch s {
	case "||":
		return is(a != 0 || b != 0)
	case "&&":
		return is(a != 0 && b != 0)
	case "|":
		return a | b
	case "^":
		return a ^ b
	case "&":
		return a & b
	case "==":
		return is(a == b)
	case "!=":
		return is(a != b)
	case "<=":
		return is(a <= b)
	case ">=":
		return is(a >= b)
	case "<":
		return is(a < b)
	case ">":
		return is(a > b)
	case "<<":
		return a << (uint64(b) & 63)
	case ">>":
		return a >> (uint64(b) & 63)
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	if b == 0 {
		return 0 // C evaluates it only where it counts; here it counts as 0
	}
	if s == "/" {
		return a / b
	}
	return a % b
}

func (c *conditionReader) unary() int64 {
	if c.depth++; c.depth > 1000 {
		c.fail("the expression nests too deep")
	}
	defer func() { c.depth-- }()
	c.blank()
	if c.i == len(c.text) {
		c.fail("the expression has no end")
		return 0
	}
	ch := c.text[c.i]
	c.i++
	switch {
	case ch == '!':
		if c.unary() == 0 {
			return 1
		}
		return 0
	case ch == '-':
		return -c.unary()
	case ch == '+':
		return c.unary()
	case ch == '~':
		return ^c.unary()
	case ch == '(':
		v := c.choice()
		if !c.take(")") {
			c.fail("')' is missing")
		}
		return v
	case ch == '\'':
		return c.character()
	case isDigit(ch):
		from := c.i - 1
		c.i = skip(c.text, from, len(c.text), inMacro)
		word := strings.TrimRight(string(c.text[from:c.i]), "uUlL")
		v, err := strconv.ParseUint(word, 0, 64)
		if err != nil {
			c.fail("'" + word + "' is no integer")
		}
		return int64(v)
	case isLetter(ch):
		c.i = skip(c.text, c.i, len(c.text), inMacro)
		if c.take("(") {
			c.fail("a macro with arguments is not defined")
		}
		return 0
	}
	c.fail("'" + string(ch) + "' is not expected")
	return 0
}

// character is the value of 'x'.
func (c *conditionReader) character() int64 {
	if n := strings.IndexByte(string(c.text[c.i:]), '\''); n == 1 {
		c.i += 2
		return int64(c.text[c.i-2])
	}
	c.fail("a character constant holds one character")
	return 0
}
