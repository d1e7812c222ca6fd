package nest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
)

// This file compares the clauses of a directive with what the analysis finds.

// concurrentDirective is the directive that the locality of a DO CONCURRENT amounts to.
func concurrentDirective(do *tree.Do) *Directive {
	d := &Directive{Line: do.Line, Kind: "do concurrent", Independent: true, Reductions: map[string]Operator{}}
	for _, l := range do.Locality {
		switch l.Kind {
		case "local":
			d.Private = append(d.Private, l.Names...)
		case "local_init":
			d.FirstPrivate = append(d.FirstPrivate, l.Names...)
		case "reduce":
			for _, name := range l.Names {
				d.Reductions[name] = directive.Operator(l.Operator)
			}
		}
	}
	return d
}

// check compares the clauses of the directive with the loop.
func (c *candidate) check() {
	d := c.asked
	if d == nil || c.w == nil {
		return
	}
	at := c.do.Where.From
	if d.Line != nil {
		at = d.Line.Span.From
	}
	refuse := func(text, remedy string, also ...token.Pos) {
		also = append(also, c.do.Where.From)
		c.refuse(Refusal{Rule: "directive", At: at, Also: also, Text: text, Remedy: remedy})
	}
	find := func(name string) *scope.Symbol { return c.scope.Lookup(name) }
	for _, name := range d.Private {
		y := find(name)
		used := c.uses(y)
		switch {
		case !used && d.Kind == "portable":
			refuse(fmt.Sprintf("private(%s) is written, but the loop does not use '%s'", name, name), "remove it")
		case slices.ContainsFunc(c.reductions, func(r Reduction) bool { return r.Symbol == y }):
			refuse(fmt.Sprintf("private(%s) is written, but '%s' is a reduction", name, name), "remove it, or write reduction")
		case used && len(y.Dims) == 0 && !c.setsScalar(y) && y.Kind == scope.Variable:
			refuse(fmt.Sprintf("private(%s) is written, but the loop reads '%s' and never sets it", name, name), "remove it", c.naming(y)...)
		}
	}
	for _, name := range d.FirstPrivate {
		y := find(name)
		if c.setsScalar(y) && len(c.exposedPlaces(datum{root: y})) > 0 {
			p := c.exposedPlaces(datum{root: y})[0]
			refuse(fmt.Sprintf("firstprivate(%s) is written, but an iteration may read at %s what an earlier one has set", name, c.placeLine(p)), "set it in each iteration", p.point())
		}
	}
	for _, name := range d.LastPrivate {
		y := find(name)
		if slices.Contains(c.private, y) && !slices.Contains(c.last, y) && c.end.isSet(datum{root: y}) {
			c.last = append(c.last, y)
		}
	}
	for name, op := range d.Reductions {
		c.checkReduction(find(name), op, refuse)
	}
}

func (c *candidate) checkReduction(y *scope.Symbol, op Operator, refuse func(text, remedy string, also ...token.Pos)) {
	for _, r := range c.reductions {
		if r.Symbol != y || r.Object != nil {
			continue
		}
		if r.Operator != op {
			p := r.Statements[0].Info().Where.From
			refuse(fmt.Sprintf("reduction(%s: %s) is written, but %s %s '%s'", op, y.Name, c.w.line(p), verbs[r.Operator], y.Name), fmt.Sprintf("write reduction(%s: %s)", r.Operator, y.Name), p)
		}
		return
	}
	if slices.ContainsFunc(c.sums, func(s sum) bool { return s.root == y && s.operator == op }) {
		return
	}
	if len(c.w.sets[datum{root: y}]) == 0 {
		if !c.uses(y) {
			return
		}
		refuse(fmt.Sprintf("reduction(%s: %s) is written, but the loop never sets '%s'", op, y.Name, y.Name), "remove it", c.naming(y)...)
		return
	}
	for _, p := range c.w.sets[datum{root: y}] {
		n, is := p.node.(*tree.Assignment)
		if !is {
			continue
		}
		if found, is := stepOf(c.scopeAt(n), n, y); is && found != op {
			refuse(fmt.Sprintf("reduction(%s: %s) is written, but %s %s '%s'", op, y.Name, c.placeLine(p), verbs[found], y.Name), "write one operator in all its statements", p.point())
			return
		}
	}
	if slices.Contains(c.private, y) && c.asked.Kind == "portable" {
		refuse(fmt.Sprintf("reduction(%s: %s) is written, but each iteration sets '%s' before it reads it", op, y.Name, y.Name), "remove it")
	}
}

var verbs = map[Operator]string{"+": "adds to", "*": "multiplies", "min": "takes the minimum of", "max": "takes the maximum of", ".and.": "joins by .and.",
	".or.": "joins by .or.", ".eqv.": "joins by .eqv.", ".neqv.": "joins by .neqv.", "iand": "joins by iand", "ior": "joins by ior", "ieor": "joins by ieor"}

// setsScalar reports whether the loop sets a scalar.
func (c *candidate) setsScalar(y *scope.Symbol) bool {
	for d := range c.w.sets {
		if d.root == y {
			return true
		}
	}
	return false
}

// naming are the first places of the loop that name a variable.
func (c *candidate) naming(y *scope.Symbol) (list []token.Pos) {
	list = c.mentions().places[y.Name]
	return slices.Clone(list[:min(len(list), 3)])
}

// uses reports whether the loop names a variable.
func (c *candidate) uses(y *scope.Symbol) bool {
	m := c.mentions()
	return len(m.places[y.Name]) > 0 || m.indices[y.Name]
}

// This file finds the regions of OpenMP and OpenACC around loops, and those whose directives may be removed: one thread then runs the statements in
// their order, and each loop is a launch.

// Region is a region whose directives the generated file loses, if all its loops are converted.
type Region struct {
	Lines []*source.Line // directives of the region, and the END directives of its loops
	Name  string
	If    []string // conditions of its IF
	loops []*tree.Do
}

// openRegion is a region of OpenMP or OpenACC.
type openRegion struct {
	name string
	at   token.Pos
	drop *Region // or nil
}

// around finds the regions of a unit.
func (f *finder) around(u *tree.Unit) {
	if body := f.effects.body(u); len(body) > 0 && f.program.Of(u) != nil {
		var open []*openRegion
		f.mark(body, u.EndBefore, f.program.Of(u), &open)
	}
}

func (f *finder) mark(body []tree.Node, tail []*tree.Directive, in *scope.Scope, open *[]*openRegion) {
	drops := f.removable(body, tail, in)
	step := func(list []*tree.Directive) {
		for _, d := range list {
			switch p := directive.Parse(d.Line); p.Role {
			case directive.Begin:
				*open = append(*open, &openRegion{p.Region, d.Line.Span.From, drops[d.Line]})
			case directive.Close:
				*open = closed(*open, p.Region)
			}
		}
	}
	for _, n := range body {
		if n == nil {
			continue
		}
		step(n.Info().Before)
		if do, ok := n.(*tree.Do); ok && len(*open) > 0 {
			f.region[do] = (*open)[0]
		}
		e, _ := end(n)
		inner, inside := blocks(n), in
		if x := f.program.Inside(n); x != nil {
			inside = x
		}
		for i, b := range inner {
			f.mark(b, tailOf(n, i, len(inner), e), inside, open)
		}
		if len(inner) == 0 {
			step(e.Before)
		}
	}
	step(tail)
}

// tailOf are the directives behind a block of a construct.
func tailOf(n tree.Node, block, blocks int, e tree.End) []*tree.Directive {
	if block == blocks-1 {
		return e.Before
	}
	switch n := n.(type) {
	case *tree.If:
		if block+1 < len(n.Branches) {
			return n.Branches[block+1].Before
		}
		return n.ElseDirs
	case *tree.Select:
		if block+1 < len(n.Cases) {
			return n.Cases[block+1].Before
		}
	}
	return nil
}

func closed(open []*openRegion, name string) []*openRegion {
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].name == name || i == len(open)-1 {
			return open[:i]
		}
	}
	return open
}

// removed reports whether the region around a loop may be removed.
func (f *finder) removed(do *tree.Do) bool { return f.region[do] != nil && f.region[do].drop != nil }

// kernels is the directive of a loop in a region KERNELS, which asks for all its loops; else nil.
func (f *finder) kernels(do *tree.Do) *Directive {
	if !f.removed(do) || f.region[do].name != "kernels" || !slices.Contains(f.region[do].drop.loops, do) {
		return nil
	}
	return &Directive{Line: f.region[do].drop.Lines[0], Kind: "acc", Reductions: map[string]Operator{}}
}

// shared is the region whose threads run the loop together; nil if there is none, or it may be removed. A loop with OMP DO or LOOP that stands in no
// region belongs to one around the call of its procedure.
func (f *finder) shared(do *tree.Do, own *directive.Parsed) *openRegion {
	if r := f.region[do]; r != nil {
		if r.drop != nil {
			return nil
		}
		return r
	}
	if own != nil && own.Role == directive.Inner && own.Directive.Kind == "omp" {
		return &openRegion{at: own.Directive.Line.Span.From}
	}
	return nil
}

// simple are the regions that may be removed. In those that are true one thread runs what stands outside of shared loops.
var simple = map[string]bool{"omp target": true, "omp target teams": false, "omp teams": false, "omp parallel": false, "omp target parallel": false,
	"acc kernels": true, "acc serial": true, "acc parallel": false}

// scan is a region that is read.
type scan struct {
	begin  *source.Line
	region *Region
	open   []string
	alone  bool // one thread runs the statements
	whole  bool // it may be removed
	first  []directive.Directive
	nodes  []tree.Node
}

// removable are the regions of a block that may be removed, by their first line.
func (f *finder) removable(body []tree.Node, tail []*tree.Directive, in *scope.Scope) map[*source.Line]*Region {
	drops := map[*source.Line]*Region{}
	var s *scan
	read := func(list []*tree.Directive) (shared bool) {
		for _, d := range list {
			p := directive.Parse(d.Line)
			if p.Role == directive.Begin && s == nil {
				s = &scan{begin: d.Line, region: &Region{Name: p.Region, If: p.Directive.If}, whole: true, alone: true}
			}
			if s == nil {
				continue
			}
			if p.Role == directive.Begin && s.begin != d.Line {
				s.region.If = append(s.region.If, p.Directive.If...)
			}
			shared = s.line(d.Line, p) || shared
			if len(s.open) == 0 {
				if s.whole && f.options.Accept[s.begin.Sentinel] && len(s.region.loops) > 0 && s.plain(in) {
					drops[s.begin] = s.region
				}
				s = nil
			}
		}
		return shared
	}
	for _, n := range body {
		if n == nil {
			continue
		}
		shared := read(n.Info().Before)
		if s == nil {
			continue
		}
		s.nodes = append(s.nodes, n)
		switch n := n.(type) {
		case *tree.Do:
			s.whole = s.whole && n.Kind == tree.Counted && (shared || s.alone)
			s.region.loops = append(s.region.loops, n)
		case *tree.Assignment:
		default:
			s.whole = false
		}
	}
	read(tail)
	return drops
}

// line reads a directive in a region; shared: the loop behind it is shared by the threads.
func (s *scan) line(l *source.Line, p directive.Parsed) (shared bool) {
	s.whole = s.whole && !l.Nested && l.Sentinel == s.begin.Sentinel
	switch p.Role {
	case directive.Begin:
		alone, ok := simple[l.Sentinel+" "+p.Region]
		s.whole = s.whole && ok && !p.Odd && len(p.Directive.FirstPrivate) == 0
		s.alone = s.alone && alone
		s.open = append(s.open, p.Region)
		s.first = append(s.first, *p.Directive)
		s.region.Lines = append(s.region.Lines, l)
	case directive.Close:
		s.whole = s.whole && p.Region == s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		s.region.Lines = append(s.region.Lines, l)
	case directive.Inner, directive.Loop:
		shared = true
		s.whole = s.whole && len(s.open) > 0 && (l.Sentinel == "acc" || s.once(l))
	case directive.Passive:
		s.whole = s.whole && p.EndsLoop
		s.region.Lines = append(s.region.Lines, l)
	default:
		s.whole = false
	}
	return shared
}

// once reports whether all threads together run the iterations of a loop of OpenMP once. TASKLOOP, a parallel loop in a parallel region, and a loop that
// is shared in each team are run more often.
func (s *scan) once(l *source.Line) bool {
	in := func(word string) bool {
		return slices.ContainsFunc(s.open, func(name string) bool { return strings.Contains(name, word) })
	}
	first := l.Tokens[0].Text
	switch {
	case strings.HasPrefix(first, "taskloop"):
		return false
	case strings.HasPrefix(first, "distribute"):
		return in("teams") && !in("parallel")
	case first == "loop":
		return !in("teams") || !in("parallel")
	case strings.HasPrefix(first, "do"):
		return in("parallel") && !in("teams")
	}
	return s.alone
}

// plain reports whether one thread gives the values that all threads give. Assignments that many threads run must not read what they set, and
// none may set a variable that each thread has for itself: behind the region it has its old value. Functions may ask for the thread.
func (s *scan) plain(in *scope.Scope) bool {
	for _, n := range s.nodes {
		a, ok := n.(*tree.Assignment)
		if !ok {
			continue
		}
		left := firstName(a.Left)
		if left == "" {
			return false
		}
		reads := false
		calls := false
		for _, side := range []tree.Expression{a.Left, a.Right} {
			everyPart(side, func(e tree.Expression) {
				reads = reads || side == a.Right && firstName(e) == left
				if r, ok := e.(*tree.Reference); ok {
					m, _ := in.Meaning(r)
					calls = calls || m == scope.FunctionCall || m == scope.StatementCall || m == scope.NotKnown
				}
			})
		}
		if calls || reads && !s.alone {
			return false
		}
		for _, d := range s.first {
			if _, reduced := d.Reductions[left]; reduced || slices.Contains(d.Private, left) {
				return false
			}
		}
	}
	return true
}

// firstName is the variable of a designator.
func firstName(e tree.Expression) string {
	switch e := e.(type) {
	case *tree.Name:
		return e.Name
	case *tree.Reference:
		return firstName(e.Base)
	case *tree.Component:
		return firstName(e.Base)
	}
	return ""
}

// Keep refuses the nests of the regions that stay, because a loop in them is not converted.
func Keep(nests []*Nest) {
	converted, broken := map[*tree.Do]bool{}, map[*Region]bool{}
	for _, n := range nests {
		if n.Region == nil {
			continue
		}
		if n.Verdict != Parallel {
			broken[n.Region] = true
			if n.Directive != nil && n.Directive.Line == n.Region.Lines[0] {
				n.Directive = nil // KERNELS leaves it to the tool which loops are parallel
			}
			continue
		}
		converted[n.Outer], converted[n.Loops[0].Do] = true, true
		for _, do := range n.Around {
			converted[do] = true
		}
	}
	for _, n := range nests {
		r := n.Region
		if r == nil || n.Verdict != Parallel {
			continue
		}
		if broken[r] || slices.ContainsFunc(r.loops, func(do *tree.Do) bool { return !converted[do] }) {
			n.Verdict, n.Directive = Refused, nil
			at := r.Lines[0].Span.From
			n.Refusals = []Refusal{{Rule: "directive", At: n.Outer.Where.From, Also: []token.Pos{at}, Loop: n.Outer.Variable,
				Text:   "the region '" + r.Name + "' at line " + strconv.Itoa(int(at.Line)) + " stays, because not all of its loops are converted",
				Remedy: "write a directive of its own at the loop, such as parallel do or parallel loop"}}
		}
	}
}
