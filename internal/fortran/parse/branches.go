package parse

import (
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
)

// This file makes lines of all branches of the preprocessor (source.Options.AllBranches) nest.

// nesting makes the branches of one #if nest: only the last one opens and closes constructs for the lines behind #endif. In
// the others, what stays open is closed at their end, and what closes something in front of them is left out.
func (p *parser) nesting(lines []*source.Line) []*source.Line {
	var open []int // of each #if that is open: where the lines of its branch begin
	out := make([]*source.Line, 0, len(lines))
	for _, l := range lines {
		if l.Kind != source.Branch {
			out = append(out, l)
			continue
		}
		last := len(open) - 1
		switch {
		case l.Sentinel == "endif" && last >= 0:
			open = open[:last]
		case l.Sentinel == "endif":
		case (l.Sentinel == "else" || l.Sentinel == "elif") && last >= 0:
			from := open[last]
			out = append(out[:from], p.balanced(out[from:])...)
			open[last] = len(out)
		default:
			open = append(open, len(out))
		}
	}
	return out
}

// balanced are the lines of a branch in which each construct, interface, type and unit begins and ends.
func (p *parser) balanced(lines []*source.Line) []*source.Line {
	var open []*statement
	kept := make([]*source.Line, 0, len(lines))
	for _, l := range lines {
		if l.Kind != source.Statement {
			kept = append(kept, l)
			continue
		}
		s := classify(l)
		last := len(open) - 1
		switch kind, _ := s.ending(); {
		case s.keyword == "end" && kind != "?" && kind != "file":
			if last < 0 {
				continue
			}
			open = open[:last]
		case s.begins(last < 0 || open[last].keyword != "interface"):
			s.keyword = ""
			open = append(open, s)
		case s.keyword == "abstract":
			s.keyword = "interface"
			open = append(open, s)
		case s.keyword == "interface" || s.keyword == "enum" || s.defines(),
			p.construct(s) != nil && !(s.keyword == "do" && s.ahead(1).Kind == token.Integer):
			open = append(open, s)
		}
		kept = append(kept, l)
	}
	for i := len(open) - 1; i >= 0; i-- {
		kept = append(kept, open[i].ends())
	}
	return kept
}

// ends is an END statement for what a statement has opened; a unit has no keyword.
func (s *statement) ends() *source.Line {
	l := &source.Line{Kind: source.Statement, Span: s.line.Span, Lines: s.line.Lines, Nested: s.line.Nested}
	l.Tokens = []token.Token{{Kind: token.Name, Text: "end", Span: l.Span}}
	if word := s.keyword; word != "" {
		if word == "change" {
			word = "team"
		}
		l.Tokens = append(l.Tokens, token.Token{Kind: token.Name, Text: word, Span: l.Span})
	}
	return l
}
