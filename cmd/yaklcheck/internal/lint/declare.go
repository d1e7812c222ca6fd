package lint

import "cmp"

// This file reads declarations.

// declare reads a statement of the specification part; false: it is another one.
func (r *reader) declare(t []token, ok bool) bool {
	s := r.scope()
	if s == nil {
		if w := t[0].word; w == "include" || w == "import" {
			return true
		}
		r.program(token{name, "the main program", t[0].line})
		s = r.scope()
	}
	switch w, second := t[0].word, at(t, 1); w {
	case "use":
		r.use(s, t)
	case "implicit":
		s.noImplicit = s.noImplicit || second.isName("none")
	case "import", "include", "private", "public", "protected", "namelist", "equivalence", "intrinsic", "format", "sequence", "enumerator",
		"entry", "final", "generic":
		if w == "include" && second.kind != text || w == "format" && !second.is("(") {
			return false
		}
	case "common":
		r.common(s, t)
	case "data":
		for i := 1; i < len(t); i++ { // names up to each slash
			if at(t, i).is("/") {
				for i++; i < len(t) && !t[i].is("/"); i++ {
					continue
				}
			} else if t[i].kind == name {
				r.attribute(s, t[i], "data")
			}
		}
	case "save":
		if len(t) == 1 {
			s.saveAll = true
		}
		r.names(s, t, "save")
	case "parameter":
		for _, part := range list(inParentheses(t, 1)) {
			if len(part) > 0 && part[0].kind == name {
				y := r.attribute(s, part[0], "parameter")
				if at(part, 1).is("=") {
					y.init = part[2:]
				}
			}
		}
	case "dimension", "allocatable", "pointer", "target", "volatile", "external", "optional", "value", "contiguous", "asynchronous", "bind",
		"codimension":
		r.names(s, t, w)
	case "intent":
		r.names(s, t[min(len(t), max(1, closing(t, 1)+1)):], "intent", inParentheses(t, 1)...)
	default:
		return r.typed(s, t, ok)
	}
	return true
}

// set adds an attribute by its word. inside is the text in its parentheses.
func (a *attributes) set(word string, inside []token) {
	switch word {
	case "parameter":
		a.parameter = true
	case "pointer":
		a.pointer = true
	case "save", "data":
		a.saved = true
	case "value":
		a.value = true
	case "external":
		a.external = true
	case "intent":
		a.intent = ""
		for _, w := range inside {
			a.intent += w.word
		}
	}
}

// add adds the attributes of another declaration.
func (a *attributes) add(more attributes) {
	a.parameter = a.parameter || more.parameter
	a.pointer = a.pointer || more.pointer
	a.saved = a.saved || more.saved
	a.value = a.value || more.value
	a.external = a.external || more.external
	a.intent = cmp.Or(more.intent, a.intent)
}

func (r *reader) attribute(s *scope, n token, what string, words ...token) *symbol {
	y := s.symbol(n.word, r.place(n.line))
	y.set(what, words)
	return y
}

// names reads the list behind an attribute: a, b(5), /block/.
func (r *reader) names(s *scope, t []token, what string, words ...token) {
	if len(t) > 0 && t[0].kind == name && (t[0].word == what) {
		t = t[1:]
	}
	if i := find(t, "::"); i >= 0 {
		t = t[i+1:]
	}
	for _, part := range list(t) {
		if len(part) == 0 || part[0].kind != name {
			continue
		}
		y := r.attribute(s, part[0], what, words...)
		if at(part, 1).is("(") {
			y.array, y.dims, y.declared = true, inParentheses(part, 1), true
		}
	}
}

func (r *reader) common(s *scope, t []token) {
	block := "//"
	for i := 1; i < len(t); {
		switch {
		case t[i].is("//"):
			block = "//"
			i++
		case t[i].is("/"):
			block = "//"
			if at(t, i+1).kind == name {
				block = "/" + t[i+1].word + "/"
				i++
			}
			i += 2
		case t[i].kind == name:
			y := s.symbol(t[i].word, r.place(t[i].line))
			y.common = block
			i++
			if at(t, i).is("(") {
				y.array, y.dims, y.declared = true, inParentheses(t, i), true
				i = closing(t, i) + 1
			}
		default:
			i++
		}
	}
}

// typed reads TYPE, ATTRIBUTES :: NAMES, and the same without the colons.
func (r *reader) typed(s *scope, t []token, ok bool) bool {
	n, y := typeSpec(t)
	if n == 0 || n >= len(t) {
		if !t[0].isName("procedure") {
			return false
		}
		n = 1
	}
	rest := t[n:]
	if i := find(rest, "::"); i >= 0 {
		for _, a := range list(rest[:i]) {
			if w := at(a, 0).word; w == "dimension" {
				y.array, y.dims = true, inParentheses(a, 1)
			} else {
				y.set(w, inParentheses(a, 1))
			}
		}
		rest = rest[i+1:]
	} else if at(rest, 0).kind != name {
		return at(rest, 0).is(",")
	}
	for _, part := range list(rest) {
		if len(part) > 0 && part[0].kind == name {
			r.entity(s, part, y, ok)
		}
	}
	return true
}

// entity reads NAME(dims)*len = value, or => value, or /value/.
func (r *reader) entity(s *scope, part []token, kind symbol, ok bool) {
	y := s.symbol(part[0].word, r.place(part[0].line))
	y.where = r.place(part[0].line)
	y.typeName, y.derived, y.character, y.declared = kind.typeName, kind.derived, kind.character, true
	y.add(kind.attributes)
	y.ok = y.ok || ok
	if kind.array {
		y.array, y.dims = true, kind.dims
	}
	i := 1
	if at(part, i).is("(") {
		y.array, y.dims = true, inParentheses(part, i)
		i = closing(part, i) + 1
	}
	y.kind = kind.kind
	if y.parameter && at(part, i).is("=") {
		y.init = part[i+1:]
	}
	if i < len(part) && !y.parameter {
		rest := part[i:]
		y.saved = y.saved || find(rest, "=") >= 0 || find(rest, "=>") >= 0 || rest[0].is("/")
	}
}

// use reads USE with its renames.
func (r *reader) use(s *scope, t []token) {
	rest := t[1:]
	if i := find(rest, "::"); i >= 0 {
		rest = rest[i+1:]
	}
	parts := list(rest)
	if len(parts) == 0 || len(parts[0]) != 1 {
		return
	}
	u := use{module: parts[0][0].word, renames: map[string]string{}, names: map[string]bool{}}
	for i, part := range parts[1:] {
		if i == 0 && at(part, 0).isName("only") && at(part, 1).is(":") {
			u.only = true
			part = part[2:]
		}
		switch {
		case len(part) == 1 && part[0].kind == name:
			u.names[part[0].word] = true
		case len(part) == 3 && part[1].is("=>"):
			u.renames[part[0].word] = part[2].word
		}
	}
	s.uses = append(s.uses, u)
}
