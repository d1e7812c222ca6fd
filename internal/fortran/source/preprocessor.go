package source

import (
	"bytes"
	"strconv"

	"libportable/internal/fortran/token"
)

// The preprocessor of Fortran compilers: gfortran's is cpp in traditional mode. Text is text, not tokens: names in
// comments are left alone, parameters in the strings of a macro are replaced, /* */ is a comment, // is not.

// preprocessor holds the macros and the open branches of one run.
type preprocessor struct {
	r        *reader
	macros   map[string]*macro
	begins   [256]bool // first characters of macros
	branches []branch
	base     int // branches that were open when the present file began
	off      int // branches that are not read, of those that are open
	budget   int // bytes that macros may still make, so that any source ends
	spent    bool
	builtIn  map[string]func(at token.Pos) string
}

// branch is one #if up to its #endif.
type branch struct {
	at      token.Pos
	off     bool // the present part is not read
	done    bool // a part was read, so that #elif and #else are not
	hasElse bool
}

// maxExpansion is the most bytes that the macros of one run make.
const maxExpansion = 1 << 25

func newPreprocessor(r *reader) *preprocessor {
	p := &preprocessor{r: r, macros: map[string]*macro{}, budget: maxExpansion}
	p.builtIn = map[string]func(token.Pos) string{
		"__LINE__": func(at token.Pos) string { return strconv.Itoa(int(p.line0(at))) },
		"__FILE__": func(at token.Pos) string { return strconv.Quote(p.file0()) },
	}
	predefined := r.o.Predefined
	if predefined == nil {
		predefined = Gfortran()
	}
	for _, m := range predefined {
		p.command(m)
	}
	if r.o.OpenMP {
		p.command(Macro{Name: "_OPENMP", Value: "201511"})
	}
	if r.o.OpenACC {
		p.command(Macro{Name: "_OPENACC", Value: "201711"})
	}
	for _, m := range r.o.Macros {
		p.command(m)
	}
	for name := range p.builtIn {
		p.begins[name[0]] = true
	}
	return p
}

// command defines or removes a macro of the command line.
func (p *preprocessor) command(m Macro) {
	if m.Undefine {
		delete(p.macros, m.Name)
		return
	}
	p.define([]byte(m.Name+" "+m.Value), token.Pos{})
}

// line reads the line in in.now. It returns false if no text of it is left for the form.
func (p *preprocessor) line(in *feed, from token.Pos) bool {
	l := &in.now
	p.splice(in)
	i := skip(l.text, 0, len(l.text), isBlank)
	s := &p.r.now
	if i < len(l.text) && l.text[i] == '#' && (i == 0 || !(s.open && s.quote != 0)) {
		p.wholeComment(in)
		p.directive(in, l.text[i+1:], from)
		return false
	}
	if p.off > 0 {
		return false
	}
	if bytes.Contains(l.text, []byte("/*")) {
		p.uncomment(in)
	}
	p.expandLine(in)
	return true
}

// splice joins a line that ends with \ and the next one, as cpp does in all lines.
func (p *preprocessor) splice(in *feed) {
	l := &in.now
	for in.pos < len(in.file.Text) {
		n := len(l.text)
		for n > 0 && isBlank(l.text[n-1]) {
			n--
		}
		if n == 0 || l.text[n-1] != '\\' {
			return
		}
		l.truncate(n - 1)
		text, at := in.cut()
		l.lie(text, at)
	}
}

// truncate keeps n bytes.
func (p *placed) truncate(n int) {
	p.text = p.text[:n]
	for len(p.runs) > 0 && p.runs[len(p.runs)-1].at >= n {
		p.runs = p.runs[:len(p.runs)-1]
	}
}

// commentEnd is the index behind the */ of the comment at i, with as many lines as it needs; -1: it has no end, so it is no comment.
func (in *feed) commentEnd(i int) int {
	l := &in.now
	i += 2
	for {
		if n := bytes.Index(l.text[i:], []byte("*/")); n >= 0 {
			return i + n + 2
		}
		if in.noEnd || !bytes.Contains(in.file.Text[in.pos:], []byte("*/")) {
			in.noEnd = true
			return -1
		}
		i = len(l.text)
		text, at := in.cut()
		l.lie(text, at)
	}
}

// uncomment removes the comments of C.
func (p *preprocessor) uncomment(in *feed) {
	l := &in.now
	var out placed
	quote, from := byte(0), 0
	for i := 0; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '/' && i+1 < len(l.text) && l.text[i+1] == '*':
			end := in.commentEnd(i)
			if end < 0 {
				continue
			}
			out.add(l, from, i)
			from, i = end, end-1
		}
	}
	if from > 0 {
		out.add(l, from, len(l.text))
		in.now = out
	}
}

// wholeComment takes further lines, if the line ends inside of a comment of C.
func (p *preprocessor) wholeComment(in *feed) {
	for i := 0; ; {
		n := bytes.Index(in.now.text[i:], []byte("/*"))
		if n < 0 {
			return
		}
		if i = in.commentEnd(i + n); i < 0 {
			return
		}
	}
}

// directive reads a line behind its #.
func (p *preprocessor) directive(in *feed, text []byte, from token.Pos) {
	i := skip(text, 0, len(text), isBlank)
	j := skip(text, i, len(text), inMacro)
	word, rest := string(text[i:j]), text[j:]
	if p.branchWord(word, rest, from) || p.off > 0 {
		return
	}
	r := p.r
	switch {
	case word == "define":
		p.define(rest, from)
	case word == "undef":
		if name := firstName(rest); name != "" {
			delete(p.macros, name)
		} else {
			r.problem(from, "#undef has no name; write the macro behind it")
		}
	case word == "include" || word == "include_next" || word == "import":
		name, here, ok := includeName(rest)
		if !ok {
			name, here, ok = includeName(p.expandText(rest, from, 0))
		}
		if !ok {
			r.problem(from, "#include has no name; write it in quotes")
			return
		}
		base := p.base
		p.base = len(p.branches)
		r.include(from, name, here, false)
		p.base = base
	case word == "line" || word != "" && isDigit(word[0]):
		if word != "line" {
			rest = text[i:]
		}
		in.marker(p.expandText(rest, from, 0), p, from)
	case word == "error":
		r.problem(from, "#error%s", bytes.TrimRight(rest, " \t"))
	case word == "warning", word == "pragma", word == "ident", word == "sccs", word == "assert", word == "unassert":
	case word == "" && i == len(text):
	default:
		r.problem(from, "'#%s' is not known to the preprocessor; the line is left out", text[i:])
	}
}

func firstName(text []byte) string {
	i := skip(text, 0, len(text), isBlank)
	if i == len(text) || !isLetter(text[i]) {
		return ""
	}
	return string(text[i:skip(text, i, len(text), inMacro)])
}

// branchWord reads the lines that choose text.
func (p *preprocessor) branchWord(word string, rest []byte, from token.Pos) bool {
	open := len(p.branches) > p.base
	var b *branch
	if open {
		b = &p.branches[len(p.branches)-1]
	}
	turn := func(on bool) {
		if b.off == on {
			if b.off = !on; on {
				p.off--
			} else {
				p.off++
			}
		}
	}
	switch word {
	case "if", "ifdef", "ifndef":
		p.branches = append(p.branches, branch{at: from})
		b = &p.branches[len(p.branches)-1]
		// Inside of text that is not read, no part of it is read.
		b.done = p.off > 0 || p.holds(word, rest, from)
		turn(p.off == 0 && b.done)
	case "elif", "elifdef", "elifndef":
		switch {
		case !open:
			p.r.problem(from, "#%s without #if", word)
		case b.hasElse:
			p.r.problem(from, "#%s behind #else; the #if is in line %d", word, b.at.Line)
			turn(false)
		case b.done:
			turn(false)
		default:
			b.done = p.holds(word[2:], rest, from)
			turn(b.done)
		}
	case "else":
		switch {
		case !open:
			p.r.problem(from, "#else without #if")
		case b.hasElse:
			p.r.problem(from, "a second #else; the #if is in line %d", b.at.Line)
			turn(false)
		default:
			b.hasElse = true
			turn(!b.done)
			b.done = true
		}
	case "endif":
		if !open {
			p.r.problem(from, "#endif without #if")
			return true
		}
		turn(true)
		p.branches = p.branches[:len(p.branches)-1]
	default:
		return false
	}
	return true
}

// holds reports whether the condition of #if, #ifdef, #ifndef is true.
func (p *preprocessor) holds(word string, rest []byte, from token.Pos) bool {
	if word == "if" {
		value, problem := p.condition(rest, from)
		if problem != "" {
			p.r.problem(from, "#if: %s", problem)
		}
		return value
	}
	name := firstName(rest)
	if name == "" {
		p.r.problem(from, "#%s has no name; write the macro behind it", word)
		return false
	}
	return p.isDefined(name) == (word == "ifdef")
}

func (p *preprocessor) isDefined(name string) bool {
	return p.macros[name] != nil || p.builtIn[name] != nil
}

// close ends the branches that a file leaves open.
func (p *preprocessor) close(depth int) {
	for len(p.branches) > depth {
		b := p.branches[len(p.branches)-1]
		p.r.problem(b.at, "#if without #endif")
		if b.off {
			p.off--
		}
		p.branches = p.branches[:len(p.branches)-1]
	}
}
