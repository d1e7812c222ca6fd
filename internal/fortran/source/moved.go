package source

import (
	"sort"

	"libportable/internal/fortran/token"
)

// This file gives rewritten text the places of the text that it was made of.

// Part is a part of a rewritten text, up to the next one. It begins a line.
type Part struct {
	Offset int32 // in the rewritten text
	Line   int32 // of its first line in the user's file
	Column int32 // 0: the lines are the user's; else all bytes stand at this column of Line
	Inner  bool  // it begins inside of a statement
	raw    int32 // its first line in the rewritten text
}

// ReadMoved is Read of a text that was made of the named file. Lines and columns of places are those of the file; offsets are those of the text.
func ReadMoved(set *Set, name string, text []byte, parts []Part, o Options) *Contents {
	line, at := int32(1), int32(0)
	for i := range parts {
		for ; at < parts[i].Offset; at++ {
			if text[at] == '\n' {
				line++
			}
		}
		parts[i].raw = line
	}
	c := Read(set, name, text, o)
	c.File.Parts = parts
	move := func(p *token.Pos) {
		if p.Known() && p.File == c.File.Index {
			*p = c.File.moved(*p)
		}
	}
	span := func(s *token.Span) {
		move(&s.From)
		move(&s.To)
	}
	for _, l := range c.Lines {
		span(&l.Span)
		for i := range l.Tokens {
			span(&l.Tokens[i].Span)
		}
	}
	for i := range c.Problems {
		move(&c.Problems[i].At)
	}
	return c
}

// moved is a place of the rewritten text with the line and the column of the user's file.
func (f *File) moved(p token.Pos) token.Pos {
	i := sort.Search(len(f.Parts), func(i int) bool { return f.Parts[i].Offset > p.Offset }) - 1
	if i < 0 {
		return p
	}
	part := &f.Parts[i]
	if part.Column > 0 {
		p.Line, p.Column = part.Line, part.Column
		return p
	}
	p.Line += part.Line - part.raw
	return p
}

// LineAt is the line of the user's file at an offset of a line's beginning, where line is that of the text.
func (f *File) LineAt(offset, line int32) int32 {
	return f.moved(token.Pos{Line: line, Column: 1, Offset: offset}).Line
}

// PartAt is the part of one line of a rewritten text, which begins at an offset.
func (f *File) PartAt(offset, line int32) Part {
	i := sort.Search(len(f.Parts), func(i int) bool { return f.Parts[i].Offset > offset }) - 1
	if i < 0 {
		return Part{Line: line}
	}
	part := f.Parts[i]
	if part.Column == 0 {
		part.Line += line - part.raw
	}
	return Part{Line: part.Line, Column: part.Column, Inner: part.Inner && part.raw == line}
}
