package lint

import "slices"

// This file reads constructs of the executable part: loops, branches, and constructs with names of
// their own.

// construct reads a statement that begins or divides a construct; true: the statement needs no more. DO keeps its
// statement, which assigns a variable.
func (r *reader) construct(t []token, ok bool) bool {
	s := r.scope()
	switch w, second := t[0].word, at(t, 1); {
	case w == "do":
		return r.do(t, ok)
	case w == "if" && second.is("("):
		end := closing(t, 1)
		if end+1 < len(t) && t[len(t)-1].isName("then") && end+2 == len(t) {
			r.execute(t[:end+1], ok) // functions in the condition
			r.push(frame{what: "if", guard: t[2:end]})
			return true
		}
		return false
	case w == "else" || w == "elseif" || w == "elsewhere":
		r.alternative(t, ok)
	case w == "where" && second.is("(") && closing(t, 1) == len(t)-1:
		r.push(frame{what: "where"})
	case w == "forall" && second.is("(") && closing(t, 1) == len(t)-1:
		inner := newScope(blockScope, "", r.place(t[0].line), s)
		r.push(frame{what: "forall", scope: inner})
		r.indices(inner, list(t[2:len(t)-1]))
	case w == "select" && (second.isName("case") || second.isName("type") || second.isName("rank")), w == "selectcase", w == "selecttype":
		r.execute(t, ok)
		r.push(frame{what: "select", scope: r.aliases(s, t)})
	case w == "case" || w == "rank" && second.is("("), (w == "class" || w == "type") && (second.isName("is") || second.isName("default")):
	case w == "associate" && second.is("("):
		r.push(frame{what: "associate", scope: r.aliases(s, t)})
	case w == "block" && len(t) == 1:
		r.push(frame{what: "block", scope: newScope(blockScope, "", r.place(t[0].line), s)})
	case w == "critical" && (len(t) == 1 || second.is("(")):
		r.push(frame{what: "critical"})
	default:
		return false
	}
	return true
}

func (r *reader) do(t []token, ok bool) bool {
	f := frame{what: "do"}
	i := 1
	if at(t, i).kind == number {
		f.label = t[i].word
		i++
		if at(t, i).is(",") {
			i++
		}
	}
	if at(t, i).isName("concurrent") && at(t, i+1).is("(") {
		f.scope = newScope(blockScope, "", r.place(t[0].line), r.scope())
		f.scope.symbols["do concurrent"] = &symbol{name: "do concurrent", scope: f.scope}
		r.indices(f.scope, list(inParentheses(t, i+1)))
		for j := closing(t, i+1) + 1; j < len(t); j++ { // LOCAL and LOCAL_INIT: names of the loop
			if t[j].isName("local") || t[j].isName("local_init") {
				for _, part := range list(inParentheses(t, j+1)) {
					if len(part) == 1 && part[0].kind == name {
						f.scope.symbol(part[0].word, r.place(part[0].line)).declared = true
					}
				}
			}
		}
		r.push(f)
		r.execute(t, ok)
		return true
	}
	if i < len(t) && !at(t, i).isName("while") && !at(t, i+1).is("=") {
		return false
	}
	r.execute(t, ok)
	r.push(f)
	return true
}

// indices declares the indices of FORALL and DO CONCURRENT, i = 1:n, in a scope of the construct, each with its range.
func (r *reader) indices(s *scope, parts [][]token) {
	for _, part := range parts {
		if i := find(part, "::"); i >= 0 {
			part = part[i+1:]
		}
		if len(part) > 2 && part[0].kind == name && part[1].is("=") {
			y := s.symbol(part[0].word, r.place(part[0].line))
			y.declared, y.dims = true, part[2:]
		}
	}
}

func (r *reader) alternative(t []token, ok bool) {
	if t[0].word != "elsewhere" && !at(t, 1).isName("where") && r.top() == "if" {
		f := &r.frames[len(r.frames)-1]
		f.guard = nil
		if i := slices.IndexFunc(t, opens); i >= 0 {
			f.guard = inParentheses(t, i)
			r.execute(append([]token{{name, "if", t[0].line}}, t[i:min(closing(t, i)+1, len(t))]...), ok)
		}
	}
}

// aliases is the scope of ASSOCIATE and SELECT TYPE.
func (r *reader) aliases(s *scope, t []token) *scope {
	inner := newScope(blockScope, "", r.place(t[0].line), s)
	for _, part := range list(inParentheses(t, slices.IndexFunc(t, opens))) {
		if len(part) > 2 && part[0].kind == name && part[1].is("=>") {
			y := inner.symbol(part[0].word, r.place(part[0].line))
			y.declared, y.alias = true, part[2:]
		}
	}
	return inner
}

func opens(w token) bool { return w.is("(") }
