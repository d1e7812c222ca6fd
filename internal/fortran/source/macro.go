package source

import (
	"bytes"

	"libportable/internal/fortran/token"
)

// macro is one #define.
type macro struct {
	function bool
	names    []string // parameters
	variadic bool
	body     []piece
	busy     int // uses that are being expanded: the name of a macro without parameters is text then
}

// piece is a part of the body of a macro: text, or a parameter.
type piece struct {
	text      []byte
	parameter int  // -1: text
	stringify bool // #parameter
}

// define reads the rest of a #define.
func (p *preprocessor) define(text []byte, from token.Pos) {
	i := skip(text, 0, len(text), isBlank)
	name := firstName(text)
	if name == "" || name == "defined" {
		p.r.problem(from, "#define has no name; write one that begins with a letter")
		return
	}
	i += len(name)
	m := &macro{}
	if i < len(text) && text[i] == '(' {
		end := bytes.IndexByte(text[i:], ')')
		if end < 0 {
			p.r.problem(from, "#define %s( has no ')' behind its parameters", name)
			return
		}
		m.function = true
		inside := bytes.TrimSpace(text[i+1 : i+end])
		for _, part := range bytes.Split(inside, []byte{','}) {
			part = bytes.TrimSpace(part)
			if len(inside) == 0 {
				break
			}
			if bytes.HasSuffix(part, []byte("...")) {
				m.variadic = true
				if part = bytes.TrimSpace(part[:len(part)-3]); len(part) == 0 {
					part = []byte("__VA_ARGS__")
				}
			}
			if firstName(part) != string(part) || len(part) == 0 {
				p.r.problem(from, "#define %s: '%s' is no parameter", name, part)
				return
			}
			m.names = append(m.names, string(part))
		}
		i += end + 1
	}
	m.body = bodyOf(bytes.TrimSpace(text[i:]), m.names)
	p.macros[name] = m
	p.begins[name[0]] = true
}

// bodyOf cuts the body of a macro at its parameters. Comments of C vanish: a/**/b joins what a and b stand for. So does ##,
// which cpp leaves as it is in traditional mode, where it makes no Fortran; other preprocessors join.
func bodyOf(text []byte, names []string) (body []piece) {
	var plain []byte
	flush := func() {
		if len(plain) > 0 {
			body = append(body, piece{text: plain, parameter: -1})
			plain = nil
		}
	}
	index := map[string]int{}
	for i, n := range names {
		index[n] = i
	}
	quote := byte(0)
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case isLetter(c):
			j := skip(text, i, len(text), inMacro)
			if n, ok := index[string(text[i:j])]; ok {
				stringify := quote == 0 && len(plain) > 0 && plain[len(plain)-1] == '#'
				if stringify {
					plain = plain[:len(plain)-1]
				}
				flush()
				body = append(body, piece{parameter: n, stringify: stringify})
			} else {
				plain = append(plain, text[i:j]...)
			}
			i = j
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			if n := bytes.Index(text[i+2:], []byte("*/")); n >= 0 {
				i += n + 4
				continue
			}
		case c == '#' && i+1 < len(text) && text[i+1] == '#':
			plain = bytes.TrimRight(plain, " \t")
			i = skip(text, i+2, len(text), isBlank)
			continue
		}
		plain = append(plain, c)
		i++
	}
	flush()
	return body
}
