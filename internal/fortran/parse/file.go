package parse

import (
	"fmt"
	"slices"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// parser makes the tree of one file.
type parser struct {
	file   *tree.File
	lines  []*source.Line
	at     int
	before []*tree.Directive // directives in front of the current statement
	seen   *statement        // the current statement, once it is classified
	open   []frame           // units and constructs around the current statement
	sink   *[]tree.Declaration
	names  names // that the unit has declared
	closed closing
}

// names are what tells statement functions from assignments to elements.
type names struct {
	arrays, typed map[string]bool // with dimensions; in a type declaration
	none          bool            // IMPLICIT NONE, of the unit or a host
	block         bool            // in BLOCK, which has no statement functions
}

// frame is an open unit or construct.
type frame struct {
	kind  string // if, do, select case, ..., unit
	label int32  // of a DO that ends with a label
	unit  *tree.Unit
	start token.Pos
}

// closing is the end of a labelled DO, which several loops may share.
type closing struct {
	label int32
	end   tree.End
}

// File parses the lines of a file. With all branches of the preprocessor (source.Options.AllBranches) see nesting.
func File(c *source.Contents) *tree.File {
	p := &parser{file: &tree.File{Source: c.File, Lines: c.Lines, Problems: slices.Clone(c.Problems), Includes: c.Includes}, lines: c.Lines}
	if slices.ContainsFunc(c.Lines, func(l *source.Line) bool { return l.Kind == source.Branch }) {
		p.lines = p.nesting(c.Lines)
	}
	for s := p.peek(); s != nil; s = p.peek() {
		if stray(s) {
			p.problem(s.where, "this statement ends nothing; remove it")
			p.advance()
			continue
		}
		p.file.Units = append(p.file.Units, p.unit(nil, false))
	}
	p.file.Behind = p.before
	return p.file
}

// stray reports whether a statement outside of all units belongs to none. END alone is a whole program, and so is CONTAINS with procedures.
func stray(s *statement) bool {
	if s.keyword != "end" {
		return false
	}
	kind, _ := s.ending()
	return kind != "" && kind != "program" && kind != "file"
}

// peek is the current statement; nil: there is no more.
func (p *parser) peek() *statement {
	for p.seen == nil && p.at < len(p.lines) {
		l := p.lines[p.at]
		if l.Kind != source.Statement {
			if l.Kind == source.Directive {
				p.before = append(p.before, &tree.Directive{Line: l})
			}
			p.at++
			continue
		}
		p.seen = classify(l)
		p.seen.before, p.before = p.before, nil
	}
	return p.seen
}

// advance moves behind the current statement.
func (p *parser) advance() *statement {
	s := p.peek()
	p.seen = nil
	p.at++
	return s
}

func (p *parser) problem(at token.Span, format string, args ...any) {
	p.file.Problems = append(p.file.Problems, source.Problem{At: at.From, Text: fmt.Sprintf(format, args...)})
}

// push opens a unit or construct.
func (p *parser) push(f frame) { p.open = append(p.open, f) }

func (p *parser) pop() { p.open = p.open[:len(p.open)-1] }

// top is the innermost open unit or construct.
func (p *parser) top() frame {
	if len(p.open) == 0 {
		return frame{}
	}
	return p.open[len(p.open)-1]
}

// isOpen reports whether a construct of that kind is open in this unit.
func (p *parser) isOpen(kind string) bool {
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.open[i].kind == kind {
			return true
		}
		if p.open[i].kind == "unit" {
			break
		}
	}
	return false
}

// full reports whether nothing more may nest.
func (p *parser) full() bool { return len(p.open) >= 500 }
