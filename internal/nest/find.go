package nest

import (
	"slices"
	"strconv"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/around"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// finder goes through all files and makes nests.
type finder struct {
	program        *scope.Program
	options        Options
	effects        *summaries
	nests          []*Nest
	stray          []Refusal
	names          map[*tree.Unit]map[string][]token.Pos
	onlyDirectives bool
	passages       map[passageKey]passage
	cut            bool // the last walk behind a loop did not come to the end
	looksInside    bool // for the loops inside of a proved nest

	file   *tree.File
	off    bool                      // behind !$portable off
	region map[*tree.Do]*around.Loop // the outermost region around a loop
}

// Find gives the nests of all files in the order of the text.
func Find(p *scope.Program, o Options) []*Nest {
	f := newFinder(p, o)
	f.all()
	return f.nests
}

// Stray are faults of directives that stand at no loop.
func Stray(p *scope.Program, o Options) []Refusal {
	f := newFinder(p, Options{Accept: o.Accept})
	f.onlyDirectives = true
	f.all()
	return f.stray
}

func newFinder(p *scope.Program, o Options) *finder {
	if o.Accept == nil {
		o.Accept = map[string]bool{"omp": true, "acc": true, "do-concurrent": true}
	}
	return &finder{program: p, options: o, effects: newSummaries(p), names: map[*tree.Unit]map[string][]token.Pos{}, region: map[*tree.Do]*around.Loop{},
		passages: map[passageKey]passage{}}
}

func (f *finder) all() {
	f.effects.budget.all = leastSteps
	for _, file := range f.program.Files {
		for _, u := range file.Units {
			f.allow(u)
		}
	}
	f.effects.budget.open()
	for _, file := range f.program.Files {
		f.file, f.off = file, false
		for _, u := range file.Units {
			f.unit(u)
		}
	}
	for _, n := range f.nests {
		do := n.Outer
		if len(n.Loops) > 0 {
			do = n.Loops[0].Do
		}
		if r := f.region[do]; r != nil {
			n.Region = r.Drop
		}
		for _, x := range n.Inside {
			x.Region = n.Region
		}
	}
	Keep(f.nests)
	f.levels()
	f.labels()
}

// allow adds the steps for the statements of a unit.
func (f *finder) allow(u *tree.Unit) {
	parts.Nodes(u.Body, func(tree.Node) { f.effects.budget.all += statementSteps })
	for _, inner := range u.Contains {
		f.allow(inner)
	}
}

func (f *finder) unit(u *tree.Unit) {
	if u.Interface {
		return
	}
	if s := f.program.Of(u); s != nil && len(f.effects.body(u)) > 0 {
		regions := around.Finder{Program: f.program, Accept: f.options.Accept, Found: f.region}
		regions.Unit(f.effects.body(u), u.Tail(), s)
		f.block(&context{unit: u, levels: []level{{block: f.effects.body(u), scope: s}}}, true)
	}
	f.directives(u.EndBefore)
	f.directives(u.ContainsDirs)
	for _, inner := range u.Contains {
		f.unit(inner)
	}
}

// block looks for nests in the innermost block of a context. taken says that nests may be taken; else only directives are read.
func (f *finder) block(cx *context, taken bool) {
	last := cx.levels[len(cx.levels)-1]
	for i, n := range last.block {
		if n == nil {
			continue
		}
		own := f.directives(n.Info().Before)
		here := cx.to(i)
		if do, ok := n.(*tree.Do); ok && (do.Kind == tree.Counted || do.Kind == tree.Concurrent && len(do.Indices) > 0) {
			f.loop(here, do, own, taken)
		} else {
			f.misplaced(own)
			f.misplacedWhole(n.Info().Before)
			f.blocks(here, n, taken)
		}
		if e, ok := parts.End(n); ok {
			f.directives(e.Before)
		}
	}
}

// blocks looks into the blocks of a construct.
func (f *finder) blocks(cx *context, n tree.Node, taken bool) {
	for k, b := range parts.Blocks(n) {
		s := cx.scope()
		if x := f.program.Inside(n); x != nil {
			s = x
		}
		if sel, ok := n.(*tree.Select); ok && sel.Kind != "case" {
			if x := f.program.Case(sel, k); x != nil {
				s = x
			}
		}
		f.block(cx.inside(n, s, b, 0), taken)
	}
}

// directives follows !$portable off and on, and returns the directive of the loop behind them.
func (f *finder) directives(list []*tree.Directive) (own *directive.Parsed) {
	for _, d := range list {
		p := directive.Parse(d.Line)
		switch p.Role {
		case directive.Loop, directive.Sequence, directive.Inner:
			left := &p
			if own == nil || p.Role == directive.Loop {
				left, own = own, &p
			}
			if f.accepted(left) { // its conditions and devices hold too
				x, y := left.Directive, own.Directive
				y.Self, y.If = append(y.Self, x.Self...), append(y.If, x.If...)
				y.On, y.SerialOn = append(y.On, x.On...), append(y.SerialOn, x.SerialOn...)
			}
			continue
		case directive.Off:
			f.off = true
		case directive.On:
			f.off = false
		}
		for _, x := range p.Problems {
			f.fault(x)
		}
	}
	return own
}

func (f *finder) fault(p directive.Problem) {
	f.stray = append(f.stray, refusalOfProblem(p))
}

func refusalOfProblem(p directive.Problem) Refusal {
	return Refusal{Rule: "directive", At: p.At, Text: p.Text, Remedy: p.Remedy}
}

// misplaced reports a directive of a loop that stands before another statement.
func (f *finder) misplaced(own *directive.Parsed) {
	if own == nil || own.Role != directive.Loop || own.Directive.Kind != "portable" || len(own.Directive.Columns) > 0 {
		return // package columns tells where a directive with columns may stand
	}
	f.stray = append(f.stray, Refusal{Rule: "directive", At: own.Directive.Line.Span.From, Text: "no counted DO or DO CONCURRENT follows the directive", Remedy: "write it in the line before the loop"})
}

// misplacedWhole reports a directive against cuts that stands before another statement than a counted loop.
func (f *finder) misplacedWhole(list []*tree.Directive) {
	for _, d := range list {
		if directive.Parse(d.Line).Role == directive.Whole {
			f.stray = append(f.stray, Refusal{Rule: "directive", At: d.Line.Span.From, Text: "no counted DO follows nofission", Remedy: "write it in the line before the loop"})
		}
	}
}

// accepted reports whether a directive is one that the options take.
func (f *finder) accepted(d *directive.Parsed) bool {
	return d != nil && d.Role == directive.Loop && (d.Directive.Kind == "portable" || f.options.Accept[d.Directive.Kind])
}

// loop decides about a loop that may be the outermost of a nest.
func (f *finder) loop(cx *context, do *tree.Do, own *directive.Parsed, taken bool) {
	if f.onlyDirectives {
		if own != nil && own.Role == directive.Loop && do.Kind != tree.Counted && do.Kind != tree.Concurrent {
			f.misplaced(own)
		}
		f.blocks(cx, do, taken)
		return
	}
	var asked *Directive
	serial := f.off || own != nil && own.Role == directive.Sequence
	region := f.shared(do, own)
	switch {
	case f.accepted(own):
		asked = own.Directive
	case own != nil && own.Role == directive.Inner && f.removed(do) && f.options.Accept[own.Directive.Kind]:
		asked = own.Directive
	case own != nil && own.Role == directive.Loop:
		serial = true // another tool's loop
	case own == nil && f.kernels(do) != nil:
		asked = f.kernels(do)
	case do.Kind == tree.Concurrent && f.options.Accept["do-concurrent"]:
		asked = concurrentDirective(do)
	}
	wanted := taken && !serial && (asked != nil || f.options.Auto)
	if !wanted || region != nil {
		f.unasked(cx, do, asked, wanted, region)
		return
	}
	f.effects.budget.open()
	nests := f.asked(cx, do, asked, own)
	f.advise(cx, do, asked, nests)
	f.nests = append(f.nests, nests...)
	if len(nests) == 0 {
		f.blocks(cx, do, taken)
		return
	}
	f.quiet(do.Body)
}

// asked makes the nests of a loop whose directive is asked, as own has it; both may be nil.
func (f *finder) asked(cx *context, do *tree.Do, asked *Directive, own *directive.Parsed) []*Nest {
	nests := f.try(cx, do, asked)
	if asked != nil && own != nil {
		for _, p := range own.Problems {
			for _, n := range nests {
				n.Verdict = Refused
				n.Refusals = append([]Refusal{refusalOfProblem(p)}, n.Refusals...)
			}
		}
		if len(own.Problems) > 0 && len(nests) == 0 {
			for _, p := range own.Problems {
				f.fault(p)
			}
		}
	}
	return nests
}

// quiet follows the directives in loops that are decided.
func (f *finder) quiet(body []tree.Node) {
	for _, n := range body {
		if n == nil {
			continue
		}
		f.directives(n.Info().Before)
		for _, b := range parts.Blocks(n) {
			f.quiet(b)
		}
		if e, ok := parts.End(n); ok {
			f.directives(e.Before)
		}
	}
}

// unasked lists a loop that stays serial, and looks inside for directives. A nest inside of a region of another tool is refused.
func (f *finder) unasked(cx *context, do *tree.Do, asked *Directive, wanted bool, r *around.Loop) {
	if isNest(do) {
		n := f.newNest(cx, do, asked)
		n.Verdict = Serial
		if wanted && r != nil {
			n.Verdict = Refused
			n.Refusals = []Refusal{{Rule: "directive", At: do.Where.From, Also: []token.Pos{r.At}, Loop: do.Variable,
				Text:   "the loop stands in the region '" + r.Name + "' at line " + strconv.Itoa(int(r.At.Line)) + ", whose threads run it together",
				Remedy: "remove the region, and write the directive at the loop"}}
			if r.Name == "" {
				n.Refusals[0].Text = "the directive at line " + strconv.Itoa(int(r.At.Line)) + " shares the loop between the threads of a region around the call"
				n.Refusals[0].Remedy = "write a directive of its own at the loop, such as parallel do"
			}
		}
		f.nests = append(f.nests, n)
		if n.Verdict == Refused {
			f.quiet(do.Body)
			return
		}
	}
	before := len(f.nests)
	f.blocks(cx, do, true)
	// Loops inside that no directive asks for belong to the one around.
	kept := f.nests[:before]
	for _, n := range f.nests[before:] {
		if n.Verdict != Serial || n.Directive != nil {
			kept = append(kept, n)
		}
	}
	f.nests = kept
}

// isNest reports whether a loop looks like a nest: it sets elements of arrays, combines a scalar with itself, or calls subroutines with arguments.
func isNest(do *tree.Do) (is bool) {
	parts.Nodes(do.Body, func(n tree.Node) {
		switch n := n.(type) {
		case *tree.Assignment:
			switch n.Left.(type) {
			case *tree.Reference, *tree.Component:
				is = true
			case *tree.Name:
				text := parts.Show(n.Left)
				parts.Every(n.Right, func(e tree.Expression) { is = is || parts.Show(e) == text })
			}
		case *tree.Call:
			is = is || len(n.Arguments) > 0
		}
	})

	return is
}

func (f *finder) newNest(cx *context, do *tree.Do, asked *Directive) *Nest {
	n := &Nest{File: f.file, Scope: cx.scope(), Unit: cx.unit, Outer: do, Path: cx.path(), Directive: asked}
	if asked != nil && asked.Label != "" {
		n.Label = asked.Label
	}
	return n
}

// labels names the nests: procedure:line, with the file's stem in front where two agree.
func (f *finder) labels() {
	count := map[string]int{}
	name := func(n *Nest) string {
		unit := n.Unit.Name
		if unit == "" {
			unit = "main"
		}
		do := n.Outer
		if len(n.Loops) > 0 {
			do = n.Loops[0].Do
		}
		return unit + ":" + strconv.Itoa(int(do.Where.From.Line))
	}
	all := slices.Clone(f.nests)
	for _, n := range f.nests {
		all = append(all, n.Inside...)
	}
	for _, n := range all {
		if n.Label == "" {
			count[name(n)]++
		}
	}
	for _, n := range all {
		if n.Label != "" {
			continue
		}
		n.Label = name(n)
		if count[n.Label] > 1 && n.File.Source != nil {
			stem := n.File.Source.Name
			stem = stem[strings.LastIndexAny(stem, `/\`)+1:]
			stem, _, _ = strings.Cut(stem, ".")
			n.Label = stem + ":" + n.Label
		}
	}
}
