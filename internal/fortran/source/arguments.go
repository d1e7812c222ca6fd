package source

import (
	"bytes"
	"slices"

	"libportable/internal/fortran/token"
)

// fits reports whether the number of arguments is the macro's.
func (p *preprocessor) fits(m *macro, args [][]byte, name string, at token.Pos) bool {
	if len(args) == len(m.names) || len(m.names) == 0 && len(args) == 1 && len(bytes.TrimSpace(args[0])) == 0 ||
		m.variadic && len(args) == len(m.names)-1 {
		return true
	}
	p.r.problem(at, "the macro '%s' has %d arguments here, and %d parameters", name, len(args), len(m.names))
	return false
}

// maxLines is the most lines of the arguments of one macro.
const maxLines = 256

// arguments reads the arguments of a macro behind its name, which ends at j. in: lines that follow may be read; nil: not.
func (p *preprocessor) arguments(in *feed, text []byte, j int, m *macro) (args [][]byte, end int) {
	i := skip(text, j, len(text), isBlank)
	if i == len(text) || text[i] != '(' {
		return nil, -1
	}
	if p.budget <= 0 {
		return nil, -1
	}
	var back savedLine // taken before the line changes
	depth, quote, more := 0, byte(0), 0
	from := i + 1
	for ; ; i++ {
		if i >= len(text) {
			if in == nil || more == maxLines || in.pos >= len(in.file.Text) || p.budget <= 0 {
				break
			}
			if more++; more == 1 {
				back = in.save()
			}
			p.budget -= len(text)
			quote = 0
			if text = in.joined(); text == nil {
				break
			}
			i = min(i, len(text)) - 1
			continue
		}
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '!' && in != nil && !in.fixed():
			if more++; more == 1 {
				back = in.save()
			}
			in.now.truncate(i) // a comment is no part of the arguments
			text = in.now.text
			i--
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return append(args, text[from:i]), i + 1
			}
		case c == ',' && depth == 1 && !(m.variadic && len(args) == len(m.names)-1):
			args = append(args, text[from:i])
			from = i + 1
		}
	}
	p.budget -= i - j
	if more > 0 {
		back.restore(in) // no end: the lines are lines again
	}
	return nil, -1
}

// savedLine is the present line of a feed, with the place behind it.
type savedLine struct {
	now  placed
	pos  int
	line int32
}

func (in *feed) save() savedLine {
	return savedLine{placed{slices.Clone(in.now.text), slices.Clone(in.now.runs)}, in.pos, in.line}
}

func (b savedLine) restore(in *feed) { in.now, in.pos, in.line = b.now, b.pos, b.line }

// joined appends the next line of the file to the present one, without the continuation marks of free form.
func (in *feed) joined() []byte {
	l := &in.now
	next := in.file.Text[in.pos:]
	i := skip(next, 0, len(next), isBlank)
	if i < len(next) && next[i] == '#' {
		return nil
	}
	text, at := in.cut()
	if in.fixed() {
		if in.r.isComment(text) {
			return l.text
		}
		_, _, c := fixedColumns(text, 0, in.r.o.DLines)
		l.lie(text[min(c.first, len(text)):], shift(at, c.first))
		return l.text
	}
	n := len(bytes.TrimRight(l.text, " \t"))
	marked := n > 0 && l.text[n-1] == '&'
	if i < len(text) && text[i] == '!' {
		return l.text
	}
	if marked {
		l.truncate(n - 1)
		if i < len(text) && text[i] == '&' {
			text, at = text[i+1:], shift(at, i+1)
		}
	}
	l.one([]byte{' '}, token.Span{From: at, To: at}, false)
	l.lie(text, at)
	return l.text
}

func (in *feed) fixed() bool { return in.r.out.File.Fixed }
