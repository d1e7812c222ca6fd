package around

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// Region is a region whose directives the generated file loses, if all its loops are converted.
type Region struct {
	Lines []*source.Line // directives of the region, and the END directives of its loops
	Name  string
	If    []string // conditions of its IF
	Self  []string // conditions of its SELF
	Loops []*tree.Do
}

// Loop tells the outermost region around a loop.
type Loop struct {
	Name string
	At   token.Pos
	Drop *Region // the region, if its directives may be removed; or nil
}

// Finder finds the regions of procedures.
type Finder struct {
	Program *scope.Program
	Accept  map[string]bool    // sentinels whose regions may be removed
	Found   map[*tree.Do]*Loop // loops without a region are not in it
}

// Unit adds the loops of a procedure with these statements.
func (f *Finder) Unit(body []tree.Node, tail []*tree.Directive, in *scope.Scope) {
	var open []*Loop
	f.mark(body, tail, in, &open)
}

func (f *Finder) mark(body []tree.Node, tail []*tree.Directive, in *scope.Scope, open *[]*Loop) {
	drops := f.removable(body, tail, in)
	step := func(list []*tree.Directive) {
		for _, d := range list {
			switch p := directive.Parse(d.Line); p.Role {
			case directive.Begin:
				*open = append(*open, &Loop{p.Region, d.Line.Span.From, drops[d.Line]})
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
			f.Found[do] = (*open)[0]
		}
		e, _ := parts.End(n)
		inner, inside := parts.Blocks(n), in
		if x := f.Program.Inside(n); x != nil {
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

func closed(open []*Loop, name string) []*Loop {
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].Name == name || i == len(open)-1 {
			return open[:i]
		}
	}
	return open
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
func (f *Finder) removable(body []tree.Node, tail []*tree.Directive, in *scope.Scope) map[*source.Line]*Region {
	drops := map[*source.Line]*Region{}
	var s *scan
	read := func(list []*tree.Directive) (shared bool) {
		for _, d := range list {
			p := directive.Parse(d.Line)
			if p.Role == directive.Begin && s == nil {
				s = &scan{begin: d.Line, region: &Region{Name: p.Region, If: p.Directive.If, Self: p.Directive.Self}, whole: true, alone: true}
			}
			if s == nil {
				continue
			}
			if p.Role == directive.Begin && s.begin != d.Line {
				s.region.If = append(s.region.If, p.Directive.If...)
				s.region.Self = append(s.region.Self, p.Directive.Self...)
			}
			shared = s.line(d.Line, p) || shared
			if len(s.open) == 0 {
				if s.whole && f.Accept[s.begin.Sentinel] && len(s.region.Loops) > 0 && s.plain(in) {
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
			s.region.Loops = append(s.region.Loops, n)
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
			parts.Every(side, func(e tree.Expression) {
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
