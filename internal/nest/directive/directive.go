package directive

import (
	"slices"
	"strconv"
	"strings"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/spelling"
)

// Operator of a reduction: + * min max .and. .or. .eqv. .neqv. iand ior ieor.
type Operator string

// Directive is the directive of a nest with its clauses.
type Directive struct {
	Line         *source.Line
	Kind         string // portable, omp, acc, do concurrent
	Collapse     int
	Private      []string
	FirstPrivate []string
	LastPrivate  []string
	Reductions   map[string]Operator
	Independent  bool
	Async        string   // expression, as written
	If           []string // conditions of OpenMP's and OpenACC's IF, all of which must hold
	Self         []string // conditions of OpenACC's SELF, any of which keeps the loop on the host
	On           []string
	SerialOn     []string
	Label        string
	Columns      []Column // of columns(i=1:nx, j=1:ny), the fastest first
	Target       bool     // OpenMP's TARGET gives the loop to a device
	Dynamic      bool     // OpenMP's schedule(dynamic) or schedule(guided): iterations take unlike times
}

// OnHost reports whether the name in on() or serial() is the host's.
func OnHost(name string) bool {
	return slices.Contains([]string{"cpu", "host", "threads", "serial", "openmp"}, name)
}

// OnDevice reports whether the name in on() or serial() is that of a device with its own kernels: of any, or a driver's.
func OnDevice(name string) bool {
	driver, _, _ := strings.Cut(name, ":")
	return name == "gpu" || name == "device" || slices.Contains([]string{"cuda", "hip", "opencl"}, driver)
}

// Role says what a directive line does.
type Role uint8

// The roles.
const (
	Passive     Role = iota // it says nothing about loops: data, updates, barriers, hints
	Loop                    // the DO behind it runs in parallel
	Inner                   // a worksharing or vector directive inside of a region: OMP DO, ACC LOOP
	Sequence                // the DO behind it stays serial: ACC LOOP SEQ
	Simd                    // one thread runs the DO behind it with vectors: OMP SIMD
	Begin                   // a region of parallel or exclusive work begins
	Close                   // a region ends
	Off                     // !$portable off
	On                      // !$portable on
	Whole                   // !$portable nofission: the DO behind it is not cut into parts
	Private                 // THREADPRIVATE: Names
	Unsupported             // a directive that is not taken: Problems says why
)

// Problem is a fault of a directive.
type Problem struct {
	At           token.Pos
	Text, Remedy string
	Later        bool // a correct clause that is not taken yet
}

// Parsed is one directive line.
type Parsed struct {
	Role      Role
	Directive *Directive // of Loop, Inner, Sequence, Simd and Begin
	Odd       bool       // of Begin: it has a clause that is not taken
	Region    string     // of Begin and Close: its words
	EndsLoop  bool       // the END of a Loop or Inner, which the loop's own END makes superfluous
	Names     []string   // of Private
	Data      *Data      // of a directive of data, which is Passive
	Problems  []Problem
}

// Parse reads a directive line. Lines of other sentinels are Passive.
func Parse(line *source.Line) Parsed {
	r := &reader{tokens: line.Tokens, line: line}
	r.out.Directive = &Directive{Line: line, Kind: line.Sentinel, Reductions: map[string]Operator{}}
	switch line.Sentinel {
	case "portable":
		r.portable()
	case "omp":
		r.omp()
	case "acc":
		r.acc()
	}
	if !slices.Contains([]Role{Loop, Inner, Sequence, Simd, Begin}, r.out.Role) {
		r.out.Directive = nil
	}
	return r.out
}

type reader struct {
	tokens []token.Token
	line   *source.Line
	out    Parsed
}

func (r *reader) peek() token.Token {
	if len(r.tokens) == 0 {
		return token.Token{Kind: token.End, Span: token.Span{From: r.line.Span.To, To: r.line.Span.To}}
	}
	return r.tokens[0]
}

func (r *reader) next() token.Token {
	t := r.peek()
	if len(r.tokens) > 0 {
		r.tokens = r.tokens[1:]
	}
	return t
}

func (r *reader) problem(at token.Token, text, remedy string) {
	pos := at.Span.From
	if !pos.Known() {
		pos = r.line.Span.From
	}
	r.out.Problems = append(r.out.Problems, Problem{At: pos, Text: text, Remedy: remedy})
}

// words reads names up to a parenthesis, a sign or a known clause.
func (r *reader) words(clauses map[string]shape) (words []string) {
	for {
		t := r.peek()
		if t.Kind != token.Name {
			return words
		}
		if _, clause := clauses[t.Text]; clause && len(words) > 0 && !slices.Contains(constructs, t.Text) {
			return words
		}
		if len(r.tokens) > 1 && r.tokens[1].Is("(") && len(words) > 0 {
			return words
		}
		words = append(words, split(t.Text)...)
		r.next()
	}
}

// split separates words that may be written together.
func split(word string) []string {
	for _, first := range []string{"parallel", "end", "enddo", "target"} {
		if rest, ok := strings.CutPrefix(word, first); ok && rest != "" && slices.Contains(constructs, rest) {
			return []string{first, rest}
		}
	}
	return []string{word}
}

// constructs are words of directive names.
var constructs = []string{"parallel", "do", "target", "teams", "distribute", "simd", "loop", "kernels", "serial", "end", "data", "single", "master", "masked",
	"task", "taskloop", "sections", "section", "workshare", "critical", "ordered", "atomic", "declare", "enter", "exit", "host_data", "for"}

// shape is what stands behind the name of a clause.
type shape uint8

const (
	alone     shape = iota // nothing
	names                  // (a, b)
	number                 // (2)
	operators              // (+: a, b)
	words                  // (cpu, gpu): names or strings
	textual                // ('name')
	anything               // (...), which is left alone
	maybe                  // nothing or (...)
	ranges                 // (i=1:nx, j=1:ny)
	refuse                 // changes what the loop means in a way that is not taken
)

// clauses reads the clauses up to the end.
func (r *reader) clauses(known map[string]shape) {
	for {
		for r.peek().Is(",") {
			r.next()
		}
		t := r.next()
		if t.Kind == token.End {
			return
		}
		kind, ok := known[t.Text]
		if t.Kind != token.Name || !ok {
			r.unknown(t, known)
			r.skip()
			continue
		}
		r.clause(t, kind)
	}
}

func (r *reader) unknown(t token.Token, known map[string]shape) {
	list := make([]string, 0, len(known))
	for name := range known {
		list = append(list, name)
	}
	slices.Sort(list)
	remedy := "the clauses are " + strings.Join(list, ", ")
	if near := spelling.Nearest(t.Text, list); near != "" {
		remedy = "did you mean '" + near + "'?"
	}
	r.problem(t, "'"+t.Text+"' is no clause of !$"+r.line.Sentinel+" here", remedy)
}

func (r *reader) clause(t token.Token, kind shape) {
	open := r.peek().Is("(")
	if kind == alone || kind == maybe && !open {
		if open && kind == alone {
			r.problem(t, "'"+t.Text+"' has no arguments", "remove the parentheses")
			r.skip()
		}
		if t.Text == "independent" {
			r.out.Directive.Independent = true
		}
		if t.Text == "seq" || t.Text == "serial" {
			r.out.Role = Sequence
		}
		if t.Text == "self" {
			r.out.Directive.Self = append(r.out.Directive.Self, Always)
		}
		return
	}
	if kind == refuse {
		r.problem(t, "'"+t.Text+"' is not taken: it gives the iterations an order or a value from one to another", "remove it")
		r.skip()
		return
	}
	if !open {
		r.problem(t, "'"+t.Text+"' stands without its arguments", "write "+t.Text+"(...)")
		return
	}
	inside, closed := r.inside()
	if !closed {
		r.problem(t, "the parenthesis of '"+t.Text+"' is not closed", "add ')'")
	}
	r.arguments(t, kind, inside)
}

// skip passes over parentheses, if there are any.
func (r *reader) skip() {
	if r.peek().Is("(") {
		r.inside()
	}
}

// inside is the text between parentheses; the reader then stands behind them.
func (r *reader) inside() (inside []token.Token, closed bool) {
	depth := 0
	for {
		t := r.next()
		switch {
		case t.Kind == token.End:
			return inside, false
		case t.Is("(") || t.Is("(/"):
			depth++
			if depth == 1 {
				continue
			}
		case t.Is(")") || t.Is("/)"):
			depth--
			if depth == 0 {
				return inside, true
			}
		}
		inside = append(inside, t)
	}
}

func (r *reader) arguments(t token.Token, kind shape, inside []token.Token) {
	d := r.out.Directive
	switch kind {
	case names:
		list := r.list(t, inside)
		switch t.Text {
		case "private", "local":
			d.Private = append(d.Private, list...)
		case "firstprivate", "local_init":
			d.FirstPrivate = append(d.FirstPrivate, list...)
		case "lastprivate":
			d.LastPrivate = append(d.LastPrivate, list...)
		}
	case number:
		n, err := 0, error(nil)
		if len(inside) == 1 && inside[0].Kind == token.Integer {
			n, err = strconv.Atoi(inside[0].Text)
		}
		if n < 1 || n > 8 || err != nil {
			r.problem(t, "'"+t.Text+"' has no number from 1 to 8", "write "+t.Text+"(2)")
			return
		}
		d.Collapse = n
	case operators:
		r.reduction(t, inside)
	case ranges:
		r.columns(t, inside)
	case words:
		for _, w := range inside {
			if w.Is(",") {
				continue
			}
			if w.Kind != token.Name && w.Kind != token.String {
				r.problem(w, "'"+t.Text+"' has names of devices, not '"+w.Text+"'", "write "+t.Text+"(cpu) or "+t.Text+"(gpu)")
				return
			}
			if !OnHost(w.Text) && !OnDevice(w.Text) {
				r.problem(w, "'"+t.Text+"' does not know the device '"+w.Text+"'", "write "+t.Text+"(cpu) or "+t.Text+"(gpu)")
				return
			}
			if t.Text == "on" {
				d.On = append(d.On, w.Text)
			} else {
				d.SerialOn = append(d.SerialOn, w.Text)
			}
		}
		if len(inside) == 0 {
			r.problem(t, "'"+t.Text+"' names no device", "write "+t.Text+"(cpu) or "+t.Text+"(gpu)")
		}
	case textual:
		if len(inside) != 1 || inside[0].Kind != token.String || inside[0].Text == "" {
			r.problem(t, "'"+t.Text+"' has no text in quotes", "write "+t.Text+"('name')")
			return
		}
		d.Label = inside[0].Text
	case anything:
		if t.Text == "async" && r.line.Sentinel == "portable" {
			d.Async = joined(inside)
		}
		if t.Text == "schedule" {
			d.Dynamic = scheduled(inside)
		}
		if t.Text == "if" {
			r.out.Directive.If = append(r.out.Directive.If, r.condition(t, inside)...)
		}
	case maybe:
		if t.Text == "self" {
			r.out.Directive.Self = append(r.out.Directive.Self, r.condition(t, inside)...)
		}
	}
}

// scheduled reports whether SCHEDULE gives free threads the next iterations. Modifiers stand before a colon.
func scheduled(inside []token.Token) bool {
	if i := slices.IndexFunc(inside, func(w token.Token) bool { return w.Is(":") }); i >= 0 {
		inside = inside[i+1:]
	}
	return len(inside) > 0 && (inside[0].IsName("dynamic") || inside[0].IsName("guided"))
}

// Always is the condition of SELF without one.
const Always = ".true."

// condition reads the condition of IF or SELF. A name before a colon says what it is for; SIMD changes no result.
func (r *reader) condition(t token.Token, inside []token.Token) []string {
	if i := slices.IndexFunc(inside, func(w token.Token) bool { return w.Is(":") }); i > 0 && !slices.ContainsFunc(inside[:i], func(w token.Token) bool { return w.Kind != token.Name }) {
		if inside[0].Text == "simd" {
			return nil
		}
		inside = inside[i+1:]
	}
	if len(inside) == 0 {
		r.problem(t, "'"+t.Text+"' has no condition", "write "+t.Text+"(n > 100)")
		return nil
	}
	var words []string
	for i := range inside {
		words = append(words, joined(inside[i:i+1]))
	}
	return []string{strings.Join(words, " ")}
}

// list reads a, b, c.
func (r *reader) list(t token.Token, inside []token.Token) (list []string) {
	for i, w := range inside {
		switch {
		case i%2 == 0 && w.Kind == token.Name:
			list = append(list, w.Text)
		case i%2 == 1 && w.Is(",") && i+1 < len(inside):
		default:
			r.problem(w, "'"+t.Text+"' has a list of names, not '"+w.Text+"'", "write "+t.Text+"(x, y)")
			return list
		}
	}
	if len(inside) == 0 {
		r.problem(t, "'"+t.Text+"' has an empty list", "remove it")
	}
	return list
}

// Operators of reductions.
var Operators = []Operator{"+", "*", "min", "max", ".and.", ".or.", ".eqv.", ".neqv.", "iand", "ior", "ieor"}

func (r *reader) reduction(t token.Token, inside []token.Token) {
	colon := slices.IndexFunc(inside, func(w token.Token) bool { return w.Is(":") })
	if colon < 1 {
		r.problem(t, "'"+t.Text+"' has no operator", "write "+t.Text+"(+: s)")
		return
	}
	operator := Operator(inside[colon-1].Text)
	if operator == "-" {
		operator = "+"
	}
	if !slices.Contains(Operators, operator) {
		list := make([]string, len(Operators))
		for i, o := range Operators {
			list[i] = string(o)
		}
		r.problem(inside[colon-1], "'"+string(operator)+"' is no operator of a reduction", "the operators are "+strings.Join(list, " "))
		return
	}
	for _, name := range r.list(t, inside[colon+1:]) {
		r.out.Directive.Reductions[name] = operator
	}
}

func joined(tokens []token.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		if t.Kind == token.String {
			b.WriteString(t.Prefix + "'" + strings.ReplaceAll(t.Text, "'", "''") + "'")
			continue
		}
		b.WriteString(t.Text)
	}
	return b.String()
}
