package source

import (
	"bytes"

	"libportable/internal/fortran/token"
)

// expandLine replaces the macros of the line in in.now.
func (p *preprocessor) expandLine(in *feed) {
	l := &in.now
	in.expanded = false
	text := l.text
	s := &p.r.now
	inString := s.open && s.quote != 0
	if in.fixed() && p.r.isComment(text) && !in.codeInComment(text) {
		return
	}
	var out placed
	quote, from := byte(0), 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case isLetter(c):
			j := skip(text, i, len(text), inMacro)
			if quote == 0 && p.begins[c] {
				if result, end, ok := p.use(in, text, i, j, l.at(i), 0); ok {
					l, text = &in.now, in.now.text
					out.add(l, from, i)
					out.one(result, token.Span{From: l.at(i), To: l.runs[l.search(end-1)].span(end - 1).To}, true)
					in.expanded = true
					i, from = end, end
					continue
				}
				text = in.now.text
			}
			i = j
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '!' && !inString && !in.codeInComment(text[i:]):
			i = len(text)
			continue
		}
		i++
	}
	if in.expanded {
		out.add(l, from, len(text))
		in.now = out
	}
}

// codeInComment reports whether a comment is a directive or conditional compilation.
func (in *feed) codeInComment(text []byte) bool {
	i := skip(text, 0, len(text), isBlank)
	return i+1 < len(text) && (directive(text[i+1:]) != "" || in.r.o.conditional() && text[i+1] == '$')
}

// maxNesting is the most macros that expand each other.
const maxNesting = 1000

// maxUses is how often the uses of one macro with parameters lie in each other, as in f(f(x)).
const maxUses = 200

// replace is the text that a macro makes of its arguments. Macros in them are expanded with the text around them.
func (p *preprocessor) replace(m *macro, args [][]byte, at token.Pos, depth int) []byte {
	var out []byte
	for _, b := range m.body {
		if p.budget < len(out) {
			break
		}
		if b.parameter < 0 {
			out = append(out, b.text...)
			continue
		}
		if b.parameter >= len(args) {
			continue
		}
		arg := args[b.parameter]
		switch {
		case b.stringify:
			out = append(append(append(out, '"'), bytes.ReplaceAll(bytes.TrimSpace(arg), []byte{'"'}, []byte(`""`))...), '"')
		default:
			out = append(out, arg...)
		}
	}
	m.busy++
	out = p.expandText(out, at, depth+1)
	m.busy--
	return out
}

// expandText replaces the macros of a text that is no line of a file.
func (p *preprocessor) expandText(text []byte, at token.Pos, depth int) []byte {
	p.budget -= len(text) + 16
	if p.budget < 0 || depth > maxNesting {
		if !p.spent {
			p.spent = true
			p.r.problem(at, "the macros make too much text; the rest of them is not expanded")
		}
		return text
	}
	var out []byte
	quote, from := byte(0), 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case isLetter(c):
			j := skip(text, i, len(text), inMacro)
			if quote == 0 && p.begins[c] {
				if result, end, ok := p.use(nil, text, i, j, at, depth); ok {
					out = append(append(out, text[from:i]...), result...)
					i, from = end, end
					continue
				}
			}
			i = j
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		}
		i++
	}
	if from == 0 {
		return text
	}
	return append(out, text[from:]...)
}

// use expands the name i to j of a text, if it is a macro's use. end is the index behind the use. in: the text is its present
// line, and lines that follow may be taken; nil: not.
func (p *preprocessor) use(in *feed, text []byte, i, j int, at token.Pos, depth int) (result []byte, end int, ok bool) {
	name := text[i:j]
	for {
		if f := p.builtIn[string(name)]; f != nil && !ok {
			return []byte(f(at)), j, true
		}
		m := p.macros[string(name)]
		if m == nil || m.busy > 0 && (!m.function || m.busy >= maxUses) || ok && !m.function {
			return result, end, ok
		}
		var args [][]byte
		if m.function {
			var behind int
			if args, behind = p.arguments(in, text, j, m); behind < 0 || !p.fits(m, args, string(name), at) {
				return result, end, ok
			}
			j = behind
		}
		if in != nil {
			text = in.now.text
		}
		more := p.replace(m, args, at, depth)
		if ok {
			more = append(result[:len(result)-len(name):len(result)-len(name)], more...)
		}
		result, end, ok = more, j, true
		p.budget -= len(more)
		// The text may end with the name of another macro, whose arguments follow: #define A f
		n := len(result)
		for n > 0 && inMacro(result[n-1]) {
			n--
		}
		if name = result[n:]; len(name) == 0 || p.budget < 0 {
			return result, end, ok
		}
	}
}
