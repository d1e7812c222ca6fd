package lint

// This file reads program units, interfaces and types, which begin a scope of names.

var prefixes = map[string]bool{"recursive": true, "non_recursive": true, "pure": true, "impure": true, "elemental": true, "module": true}

var basicTypes = map[string]bool{"integer": true, "real": true, "complex": true, "logical": true, "character": true,
	"doubleprecision": true, "byte": true}

// typeSpec is the length of a type at the beginning, and its part of the symbol; 0: there is none.
func typeSpec(t []token) (n int, y symbol) {
	w := at(t, 0)
	switch {
	case w.kind != name:
		return 0, y
	case w.word == "double" && (at(t, 1).isName("precision") || at(t, 1).isName("complex")):
		return 2, symbol{typeName: "real", kind: 8}
	case basicTypes[w.word]:
		y = symbol{typeName: w.word, character: w.word == "character"}
		n = 1
		if at(t, 1).is("*") {
			n = 3
			if at(t, 2).is("(") {
				return min(closing(t, 2)+1, len(t)), y
			}
			y.kind = kindBytes(t[2:min(n, len(t))], w.word == "complex")
			return min(n, len(t)), y
		}
		y.kind = kindBytes(inParentheses(t, 1), false)
	case (w.word == "type" || w.word == "class") && at(t, 1).is("("):
		y = symbol{typeName: at(t, 2).word, derived: true}
		if basicTypes[y.typeName] {
			y.derived = false
			y.character = y.typeName == "character"
		}
		n = 1
	case w.word == "procedure" && at(t, 1).is("("):
		y = symbol{attributes: attributes{external: true}}
		n = 1
	default:
		return 0, y
	}
	if at(t, 1).is("(") {
		n = min(closing(t, 1)+1, len(t))
	}
	return n, y
}

// kinds are the kinds whose number or name says the bytes.
var kinds = map[string]int64{
	"1": 1, "c_bool": 1, "c_char": 1, "int8": 1, "c_int8_t": 1,
	"2": 2, "int16": 2, "c_int16_t": 2,
	"4": 4, "real32": 4, "int32": 4, "c_float": 4, "c_int": 4, "sp": 4,
	"8": 8, "real64": 8, "int64": 8, "c_double": 8, "c_int64_t": 8, "c_long": 8, "dp": 8, "wp": 8, "r8": 8,
	"16": 16, "real128": 16,
}

// kindBytes are the bytes of a kind, else 0. whole: the number is that of both parts of a complex number.
func kindBytes(t []token, whole bool) int64 {
	if len(t) == 3 && t[0].isName("kind") && t[1].is("=") {
		t = t[2:]
	}
	if len(t) != 1 {
		return 0
	}
	bytes := kinds[t[0].word]
	if whole && bytes >= 8 {
		bytes /= 2
	}
	return bytes
}

// unit reads statements that begin a program unit, a procedure, an interface or a type.
func (r *reader) unit(t []token, ok bool) bool {
	inside := r.top() == "interface"
	switch first, second := t[0].word, at(t, 1); {
	case first == "module" && len(t) == 2 && second.kind == name && second.word != "procedure":
		r.module(second)
	case first == "submodule" && second.is("("):
		parent := inParentheses(t, 1)
		own := at(t, closing(t, 1)+1)
		if own.kind != name || len(parent) == 0 {
			return false
		}
		r.module(own).of = parent[len(parent)-1].word
	case first == "program" && len(t) == 2 && second.kind == name:
		r.program(second)
	case first == "block" && second.isName("data"), first == "blockdata":
		r.program(t[0])
	case first == "contains" && len(t) == 1:
		r.endConstructs()
	case first == "abstract" && second.isName("interface"), first == "interface":
		r.push(frame{what: "interface", scope: r.scope(), name: genericName(t)})
	case inside && (first == "procedure" || first == "module" && second.isName("procedure")):
		r.specifics(t)
	case first == "module" && second.isName("procedure") && len(t) == 3:
		r.procedure(t[2], nil, false, ok)
	case first == "type" && !second.is("("):
		return r.beginType(t)
	case first == "enum":
		r.push(frame{what: "enum"})
	default:
		return r.header(t, ok)
	}
	return true
}

func (r *reader) module(n token) *scope {
	s := r.begin(moduleScope, "module", n)
	r.p.modules[n.word] = s
	return s
}

func (r *reader) program(n token) {
	r.p.procedures = append(r.p.procedures, r.begin(programScope, "program", n))
}

// begin begins a program unit that is in no other one.
func (r *reader) begin(kind scopeKind, what string, n token) *scope {
	s := newScope(kind, n.word, r.place(n.line), nil)
	r.p.units = append(r.p.units, s)
	r.frames = []frame{{what: what, scope: s}}
	return s
}

// endConstructs: after CONTAINS no construct is open.
func (r *reader) endConstructs() {
	for i := len(r.frames) - 1; i >= 0; i-- {
		if r.frames[i].isUnit() {
			r.frames = r.frames[:i+1]
			return
		}
	}
}

func genericName(t []token) string {
	i := 1
	if t[0].word == "abstract" {
		i = 2
	}
	if g := at(t, i); g.kind == name && len(t) == i+1 {
		return g.word
	}
	return ""
}

// specifics: MODULE PROCEDURE a, b in an interface.
func (r *reader) specifics(t []token) {
	s := r.scope()
	f := r.frames[len(r.frames)-1]
	if s == nil || f.name == "" {
		return
	}
	for _, w := range t[1:] {
		if w.kind == name && w.word != "procedure" {
			s.generic[f.name] = append(s.generic[f.name], w.word)
		}
	}
}

func (r *reader) beginType(t []token) bool {
	i := find(t, "::")
	n := at(t, i+1)
	if i < 0 {
		n = at(t, 1)
		if len(t) != 2 {
			return false
		}
	}
	if n.kind != name {
		return false
	}
	if s := r.scope(); s != nil {
		s.types[n.word] = true
	}
	r.push(frame{what: "type", scope: r.scope(), name: n.word})
	return true
}

// inType reads type-bound procedures, and nothing else of a type.
func (r *reader) inType(t []token) {
	if t[0].word == "endtype" || t[0].word == "end" && (len(t) == 1 || at(t, 1).isName("type")) {
		r.pop("type")
		return
	}
	s := r.scope()
	i := find(t, "::")
	if s == nil || t[0].word != "procedure" && t[0].word != "generic" || i < 0 {
		return
	}
	for _, part := range list(t[i+1:]) {
		switch {
		case len(part) == 1 && part[0].kind == name:
			s.bindings[part[0].word] = part[0].word
		case len(part) == 3 && part[1].is("=>"):
			s.bindings[part[0].word] = part[2].word
		}
	}
}

// header reads SUBROUTINE and FUNCTION with their prefix.
func (r *reader) header(t []token, ok bool) bool {
	i, recursive, elemental, kind := 0, false, false, symbol{}
	for i < len(t) && t[i].kind == name {
		if prefixes[t[i].word] && !at(t, i+1).is("::") {
			recursive = recursive || t[i].word == "recursive"
			elemental = elemental || t[i].word == "elemental"
			i++
			continue
		}
		n, y := typeSpec(t[i:])
		if n == 0 {
			break
		}
		kind = y
		i += n
	}
	w := at(t, i)
	if !w.isName("subroutine") && !w.isName("function") || at(t, i+1).kind != name || at(t, i+1).word == "" {
		return false
	}
	if next := at(t, i+2); i+2 < len(t) && !next.is("(") && !next.isName("bind") && !next.isName("result") {
		return false
	}
	s := r.procedure(t[i+1], inParentheses(t, i+2), recursive, ok)
	s.elemental = elemental
	if w.word == "function" {
		s.result = t[i+1].word
		for j := i + 2; j < len(t); j++ {
			if t[j].isName("result") && at(t, j+2).kind == name && at(t, j+1).is("(") {
				s.result = t[j+2].word
			}
		}
		y := s.symbol(s.result, s.where)
		if kind.typeName != "" {
			y.typeName, y.derived, y.character, y.declared = kind.typeName, kind.derived, kind.character, true
		}
	}
	return true
}

func (r *reader) procedure(n token, args []token, recursive, ok bool) *scope {
	parent := r.scope()
	if r.top() != "interface" {
		r.endConstructs()
		parent = r.scope()
	}
	s := newScope(procedureScope, n.word, r.place(n.line), parent)
	s.recursive, s.ok = recursive, ok
	for _, a := range list(args) {
		if len(a) == 1 && a[0].kind == name {
			s.args = append(s.args, a[0].word)
			s.symbol(a[0].word, r.place(a[0].line))
		}
	}
	s.body = r.top() == "interface"
	if parent != nil {
		if old := parent.inside[n.word]; old == nil || old.body || !s.body { // a later branch of the preprocessor wins
			parent.inside[n.word] = s
		}
		if f := r.frames[len(r.frames)-1]; s.body && f.name != "" {
			parent.generic[f.name] = append(parent.generic[f.name], n.word)
		}
	}
	if !s.body {
		r.p.procedures = append(r.p.procedures, s)
	}
	r.push(frame{what: "procedure", scope: s})
	return s
}
