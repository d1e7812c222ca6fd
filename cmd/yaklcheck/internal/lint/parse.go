package lint

import (
	"slices"

	"libportable/internal/fortran/source"
)

// This file reads statements: the scope of each, and the constructs around it. declare.go reads
// declarations. It leaves out an END that fits no construct, because it reads all branches of the
// preprocessor.

type frame struct {
	what  string // module, program, procedure, interface, type, do, if, select, where, associate, block, critical, ...
	scope *scope // for names inside
	guard []token
	label string // of DO with a label
	name  string // of an interface: the generic name
}

func (f frame) isUnit() bool {
	return f.what == "module" || f.what == "program" || f.what == "procedure"
}

type reader struct {
	p        *program
	file     string
	frames   []frame
	branches [][]frame // the frames at each #if that is open
	guarded  int       // 0: no; 1: the next statement; 2: until the end of critical
}

// maxDepth is the greatest depth of constructs; deeper ones are read as if they were at that depth.
const maxDepth = 2000

func parse(p *program, f File, o Options) {
	r := &reader{p: p}
	c := split(f, o)
	for _, l := range c.Lines {
		r.file = c.file(l)
		switch l.Kind {
		case source.Branch:
			r.branch(l.Sentinel)
		case source.Directive:
			if l.Sentinel == "omp" {
				r.openMP(words(l))
			}
		case source.Statement:
			r.line(words(l), label(l), l.Marked)
		}
	}
}

// branch: each alternative begins where the first one began.
func (r *reader) branch(word string) {
	n := len(r.branches)
	switch word {
	case "if", "ifdef", "ifndef":
		if n < maxDepth {
			r.branches = append(r.branches, slices.Clone(r.frames))
		}
	case "elif", "else":
		if n > 0 {
			r.frames = slices.Clone(r.branches[n-1])
		}
	case "endif":
		if n > 0 {
			r.branches = r.branches[:n-1]
		}
	}
}

func (r *reader) openMP(t []token) {
	first := at(t, 0).word
	switch {
	case first == "threadprivate":
		for _, part := range list(inParentheses(t, 1)) {
			if s := r.scope(); s != nil && len(part) == 1 && part[0].kind == name {
				s.symbol(part[0].word, r.place(part[0].line)).private = true
			} else if s != nil && len(part) == 3 && part[0].is("/") {
				s.symbol("/"+part[1].word+"/", r.place(part[1].line)).private = true
			}
		}
	case first == "atomic":
		r.guarded = 1
	case first == "critical":
		r.guarded = 2
	case first == "end" && at(t, 1).word == "critical":
		r.guarded = 0
	}
}

func inParentheses(t []token, i int) []token {
	if !at(t, i).is("(") {
		return nil
	}
	end := closing(t, i)
	return t[i+1 : max(i+1, min(end, len(t)))]
}

func (r *reader) place(line int32) Place { return Place{r.file, int(line)} }

func (r *reader) scope() *scope {
	for i := len(r.frames) - 1; i >= 0; i-- {
		if r.frames[i].scope != nil {
			return r.frames[i].scope
		}
	}
	return nil
}

func (r *reader) top() string {
	if len(r.frames) == 0 {
		return ""
	}
	return r.frames[len(r.frames)-1].what
}

func (r *reader) push(f frame) {
	if len(r.frames) < maxDepth {
		r.frames = append(r.frames, f)
	}
}

// pop ends the innermost construct of the kind, unless a procedure is between; "" is any program unit.
func (r *reader) pop(what string) {
	for i := len(r.frames) - 1; i >= 0; i-- {
		w, unit := r.frames[i].what, r.frames[i].isUnit()
		if w == what || what == "" && (unit || w == "interface" || w == "type") {
			r.frames = r.frames[:i]
			return
		}
		if unit && what != "module" && what != "program" && what != "procedure" || w == "interface" && what != "procedure" {
			return
		}
		if unit && what == "procedure" && w != "procedure" {
			return // END SUBROUTINE of a branch that was left
		}
	}
}

// line reads a statement; it first removes the label and the name of a construct.
func (r *reader) line(t []token, label string, ok bool) {
	if len(t) > 1 && t[0].kind == number {
		label, t = t[0].word, t[1:]
	}
	if len(t) > 2 && t[0].kind == name && t[1].is(":") && t[2].kind == name {
		t = t[2:]
	}
	if len(t) == 0 {
		return
	}
	r.statement(t, ok)
	if label != "" {
		for r.top() == "do" && r.frames[len(r.frames)-1].label == label {
			r.frames = r.frames[:len(r.frames)-1]
		}
	}
	if r.guarded == 1 {
		r.guarded = 0
	}
}

func isAssignment(t []token) bool {
	n := designator(t)
	return n > 0 && (at(t, n).is("=") || at(t, n).is("=>"))
}

func (r *reader) statement(t []token, ok bool) {
	if r.top() == "type" {
		r.inType(t)
		return
	}
	if isAssignment(t) {
		r.execute(t, ok)
		return
	}
	if t[0].kind != name {
		return
	}
	if r.end(t) || r.unit(t, ok) || r.declare(t, ok) || r.construct(t, ok) {
		return
	}
	r.execute(t, ok)
}

// execute keeps a statement for the rules.
func (r *reader) execute(t []token, ok bool) {
	s := r.scope()
	if s == nil || r.top() == "interface" {
		return
	}
	x := statement{scope: s, file: r.file, t: t, ok: ok, guarded: r.guarded > 0}
	for i := len(r.frames) - 1; i >= 0; i-- {
		f := r.frames[i]
		if f.isUnit() {
			break
		}
		if f.guard != nil {
			x.guards = append(x.guards, f.guard)
		}
		x.guarded = x.guarded || f.what == "critical"
		x.do = x.do || f.what == "do"
	}
	if t[0].is("if") && at(t, 1).is("(") {
		end := closing(t, 1)
		if end+1 < len(t) {
			x.guards = append(x.guards, t[2:end])
		}
	}
	owner := s.procedure()
	owner.statements = append(owner.statements, x)
	for i, w := range t { // neither components nor keywords of arguments
		if w.kind == name && !at(t, i-1).is("%") && (i == 0 || !at(t, i+1).is("=")) {
			owner.referenced[w.word] = true
		}
	}
}

var joined = map[string]string{"enddo": "do", "endif": "if", "endselect": "select", "endwhere": "where", "endforall": "forall",
	"endassociate": "associate", "endblock": "block", "endcritical": "critical", "endmodule": "module", "endprogram": "program",
	"endsubroutine": "procedure", "endfunction": "procedure", "endinterface": "interface", "endtype": "type", "endenum": "enum",
	"endprocedure": "procedure", "endsubmodule": "module", "endblockdata": "program"}

func (r *reader) end(t []token) bool {
	w := t[0].word
	if w == "end" {
		if len(t) == 1 {
			r.pop("")
			return true
		}
		if t[1].kind != name || t[1].word == "file" {
			return false
		}
		w = "end" + t[1].word
		if w == "endblock" && at(t, 2).isName("data") {
			w = "endblockdata"
		}
	}
	what, known := joined[w]
	if !known || t[0].word != "end" && len(t) > 2 {
		return false
	}
	r.pop(what)
	return true
}
