package source

import "libportable/internal/fortran/token"

// freeLine reads one line of free form.
func (in *feed) freeLine(from token.Pos) {
	r := in.r
	s := &r.now
	l := &in.now
	end := len(l.text)
	if n := r.o.FreeColumns; n > 0 && end > n {
		end = n
	}
	i := skip(l.text, 0, end, isBlank)
	if i == end {
		return // blank lines are comments
	}
	ifOpenMP := false
	if l.text[i] == '!' && s.left == 0 {
		d := directive(l.text[i+1 : end])
		switch {
		case r.o.conditional() && (!s.open || s.kind == Statement) && conditional(l.text[i+1:end]):
			ifOpenMP = true
			i = skip(l.text, i+2, end, isBlank)
			if i == end || l.text[i] == '!' && (s.quote == 0 || !s.open) {
				return
			}
		case d != "" && !(s.open && s.kind == Statement):
			in.freeDirective(l, i, end, d, from)
			return
		default:
			in.comment(l.text[i:end], from.Line)
			return
		}
	}
	if s.open && s.kind == Directive {
		r.end()
	}
	if s.open {
		s.open = false
		if l.text[i] == '&' {
			i++
			if j := skip(l.text, i, end, isBlank); j == end || l.text[j] == '!' && s.quote == 0 {
				s.open = true // nothing but a mark: the statement goes on
				return
			}
		} else if s.quote != 0 {
			i = 0
		} else {
			s.one([]byte{' '}, token.Span{From: l.at(i), To: l.at(i)}, false)
		}
	} else {
		r.end()
		s.ifOpenMP = ifOpenMP
	}
	in.rest(l, i, end, from)
}

// rest reads the text of a line of free form, and ends the statement if no continuation mark ends the line.
func (in *feed) rest(l *placed, i, end int, from token.Pos) {
	r := in.r
	s := &r.now
	s.begin(in, from)
	comment := in.body(l, i, end, false)
	if end < len(l.text) && !comment && skip(l.text, end, len(l.text), isBlank) < len(l.text) {
		r.problem(from, "the line has %d columns, and the flags allow %d: the rest is not read; break the line", len(l.text), end)
	}
	if s.open {
		return
	}
	if s.quote != 0 {
		r.problem(from, "the string has no end on its line; write the quote %c, or & at the end of the line", s.quote)
	}
	r.end()
}

// freeDirective reads a directive line; i is the exclamation mark.
func (in *feed) freeDirective(l *placed, i, end int, sentinel string, from token.Pos) {
	r := in.r
	s := &r.now
	if s.open && s.sentinel != sentinel {
		r.end()
	}
	first := i
	i += 1 + sentinelLength(sentinel)
	if s.open {
		s.open = false
		i = skip(l.text, i, end, isBlank)
		if i < end && l.text[i] == '&' {
			i++
		} else if s.quote == 0 {
			s.one([]byte{' '}, token.Span{From: l.at(i), To: l.at(i)}, false)
		}
	} else {
		r.end()
		s.directive(l, first, i, sentinel)
		if j := skip(l.text, i, end, isBlank); j < end && l.text[j] == '&' {
			i = j + 1
		}
	}
	in.rest(l, i, end, from)
}
