package data

import (
	"slices"
	"strconv"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/parts"
)

// This file finds regions, and refuses those that statements enter or leave.

// region is the statements between two directives of one block.
type region struct {
	unit       *tree.Unit
	scope      *scope.Scope
	begin, end *source.Line
	data       *directive.Data
	body       []tree.Node
	around     []tree.Node       // constructs around it, from the outermost on
	tail       []*tree.Directive // in front of its end, behind the last statement
	label      string
	kept       []kept
	known      bool // kept is made
}

// unit finds the regions of a unit and of those in it.
func (f *finder) unit(u *tree.Unit) (list []*region) {
	if u.Interface {
		return nil
	}
	if s := f.program.Of(u); s != nil {
		list = f.block(u, s, u.Body, u.Tail(), nil)
	}
	for _, inner := range u.Contains {
		list = append(list, f.unit(inner)...)
	}
	return list
}

func (f *finder) block(u *tree.Unit, s *scope.Scope, body []tree.Node, tail []*tree.Directive, around []tree.Node) (list []*region) {
	var open []*region
	step := func(dirs []*tree.Directive, next int) {
		for i, d := range dirs {
			p := directive.Parse(d.Line)
			if !f.accepted(d.Line, p.Data) {
				continue
			}
			switch p.Data.Kind {
			case "data":
				if d.Line.Nested {
					f.refuse(d.Line.Span.From, "the data region begins in an INCLUDE file", "move it into the source file")
					continue
				}
				open = append(open, &region{unit: u, scope: s, begin: d.Line, data: p.Data, around: around, label: name(u) + ":" + line(d.Line.Span.From), body: body[next:]})
			case "end":
				if len(open) == 0 || open[len(open)-1].begin.Sentinel != d.Line.Sentinel {
					if d.Line.Sentinel == "portable" {
						f.refuse(d.Line.Span.From, "'end data' ends no region of this block", "write '!$portable data' in the same block")
					}
					continue
				}
				r := open[len(open)-1]
				open = open[:len(open)-1]
				r.tail = dirs[:i]
				r.end, r.body = d.Line, r.body[:len(r.body)-(len(body)-next)]
				f.regions[r.begin] = r
				list = append(list, r)
			case "enter", "exit":
				f.points = append(f.points, &point{u, s, d.Line, p.Data})
			}
		}
	}
	for i, n := range body {
		if n == nil {
			continue
		}
		step(n.Info().Before, i)
		e, _ := parts.End(n)
		blocks := parts.Blocks(n)
		for k, b := range blocks {
			in := s
			if x := f.program.Inside(n); x != nil {
				in = x
			}
			if c, ok := n.(*tree.Select); ok && c.Kind != "case" {
				if x := f.program.Case(c, k); x != nil {
					in = x
				}
			}
			list = append(list, f.block(u, in, b, tailOf(n, k, len(blocks), e), append(around[:len(around):len(around)], n))...)
		}
	}
	step(tail, len(body))
	for _, r := range open {
		if r.begin.Sentinel == "portable" {
			f.refuse(r.begin.Span.From, "the data region has no end in its block", "write '!$portable end data' in the same block")
		}
	}
	return list
}

// tailOf are the directives behind a block of a construct.
func tailOf(n tree.Node, block, blocks int, e tree.End) []*tree.Directive {
	if f, is := n.(*tree.If); is && !f.HasElse && block == blocks-1 {
		return nil // there is no such block
	}
	if block == blocks-1 {
		return e.Before
	}
	switch n := n.(type) {
	case *tree.If:
		if block+1 < len(n.Branches) {
			return n.Branches[block+1].Before
		}
		if !n.HasElse {
			return e.Before
		}
		return n.ElseDirs
	case *tree.Select:
		if block+1 < len(n.Cases) {
			return n.Cases[block+1].Before
		}
	}
	return nil
}

func name(u *tree.Unit) string {
	if u.Name == "" {
		return "main"
	}
	return u.Name
}

func line(at token.Pos) string { return strconv.Itoa(int(at.Line)) }

// leaves refuses jumps into and out of a region, and regions that threads share. It reports whether the region may be written.
func (f *finder) leaves(r *region) bool {
	before := len(f.plan.Refusals)
	leave := func(at token.Pos, what string) {
		f.refuse(at, what+" leaves the data region that begins at line "+line(r.begin.Span.From), "end the region first, or let a condition skip the rest of it")
	}
	inside := map[int32]bool{}
	parts.Nodes(r.body, func(n tree.Node) {
		inside[n.Info().Label] = true
		if e, ok := parts.End(n); ok {
			inside[e.Label] = true
		}
	})
	var walk func(body []tree.Node, loops, names []string)
	walk = func(body []tree.Node, loops, names []string) {
		for _, n := range body {
			at := n.Info().Where.From
			switch n := n.(type) {
			case *tree.Jump:
				switch n.Kind {
				case "return":
					leave(at, "RETURN")
				case "exit", "cycle":
					if n.Target == "" && len(loops) == 0 || n.Target != "" && !slices.Contains(names, n.Target) {
						leave(at, "'"+n.Kind+"'")
					}
				}
			case *tree.Do:
				walk(n.Body, append(loops[:len(loops):len(loops)], n.Name), append(names[:len(names):len(names)], n.Name))
				continue
			}
			for _, b := range parts.Blocks(n) {
				walk(b, loops, append(names[:len(names):len(names)], n.Info().Name))
			}
		}
	}
	walk(r.body, nil, nil)
	own := map[tree.Node]bool{}
	parts.Nodes(r.body, func(n tree.Node) { own[n] = true })
	parts.Nodes(r.unit.Body, func(n tree.Node) {
		for _, label := range targets(n) {
			switch {
			case own[n] && !inside[label]:
				leave(n.Info().Where.From, "a jump to label "+strconv.Itoa(int(label)))
			case !own[n] && inside[label]:
				f.refuse(n.Info().Where.From, "a jump to label "+strconv.Itoa(int(label))+" enters the data region that begins at line "+line(r.begin.Span.From), "jump to the region's beginning")
			}
		}
	})
	f.threads(r)
	return len(f.plan.Refusals) == before
}

// targets are the labels to which a statement may jump.
func targets(n tree.Node) (list []int32) {
	label := func(args []tree.Argument) {
		for _, a := range args {
			if a.Label != 0 {
				list = append(list, a.Label)
			}
			if a.Keyword == "err" || a.Keyword == "end" || a.Keyword == "eor" {
				if l, ok := a.Value.(*tree.Literal); ok {
					if v, err := strconv.Atoi(l.Text); err == nil {
						list = append(list, int32(v))
					}
				}
			}
		}
	}
	switch n := n.(type) {
	case *tree.Goto:
		return n.Labels
	case *tree.Call:
		label(n.Arguments)
	case *tree.Transfer:
		label(n.Control)
	}
	return list
}

// threads refuses a region that stands in a region of threads of OpenMP.
func (f *finder) threads(r *region) {
	var open []token.Pos
	for _, l := range r.unit.File.Lines {
		if l.Kind != source.Directive || l.Sentinel != "omp" || f.dropped[l] || l.Span.From.File != r.begin.Span.From.File {
			continue
		}
		if l.Span.From.Offset > r.begin.Span.From.Offset {
			break
		}
		if r.unit.HeadLine != nil && l.Span.From.Offset < r.unit.HeadLine.Span.From.Offset {
			continue
		}
		switch p := directive.Parse(l); p.Role {
		case directive.Begin:
			open = append(open, l.Span.From)
		case directive.Close:
			open = open[:max(0, len(open)-1)]
		}
	}
	for _, n := range r.around {
		for _, d := range n.Info().Before {
			if role := directive.Parse(d.Line).Role; d.Line.Sentinel == "omp" && !f.dropped[d.Line] && (role == directive.Loop || role == directive.Inner) {
				open = append(open, d.Line.Span.From)
			}
		}
	}
	if len(open) > 0 {
		f.refuse(r.begin.Span.From, "the data region stands in a region of threads, which begins at line "+line(open[0]), "write it around that region, or remove the threads")
	}
}
