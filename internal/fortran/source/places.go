package source

import "libportable/internal/fortran/token"

// run is a part of a placed text that lies together in its file, or that has one place (macros, filled blanks).
type run struct {
	at       int // first byte in the text
	from, to token.Pos
	one      bool // every byte has the span from, to
	macro    bool
}

// placed is text whose bytes know where they come from. runs[0].at is 0 if there is text.
type placed struct {
	text []byte
	runs []run
}

// reset empties p and keeps its memory.
func (p *placed) reset() {
	p.text, p.runs = p.text[:0], p.runs[:0]
}

// shift is the place n bytes behind p on its line.
func shift(p token.Pos, n int) token.Pos {
	p.Column += int32(n)
	p.Offset += int32(n)
	return p
}

// span is the place of byte i, which r holds.
func (r *run) span(i int) token.Span {
	if r.one {
		return token.Span{From: r.from, To: r.to}
	}
	return token.Span{From: shift(r.from, i-r.at), To: shift(r.from, i-r.at+1)}
}

// find is the index of the run that holds byte i, searched from run k on.
func (p *placed) find(i, k int) int {
	for k+1 < len(p.runs) && p.runs[k+1].at <= i {
		k++
	}
	return k
}

// search is find without a place to begin.
func (p *placed) search(i int) int {
	low, high := 0, len(p.runs)
	for high-low > 1 {
		if m := (low + high) / 2; p.runs[m].at <= i {
			low = m
		} else {
			high = m
		}
	}
	return low
}

// at is the place of byte i; behind the last byte, the end of the text.
func (p *placed) at(i int) token.Pos {
	if len(p.runs) == 0 {
		return token.Pos{}
	}
	if i >= len(p.text) {
		return p.runs[len(p.runs)-1].span(len(p.text) - 1).To
	}
	return p.runs[p.search(i)].span(i).From
}

// one appends bytes that have one place.
func (p *placed) one(text []byte, where token.Span, macro bool) {
	if len(text) > 0 {
		p.runs = append(p.runs, run{len(p.text), where.From, where.To, true, macro})
		p.text = append(p.text, text...)
	}
}

// lie appends bytes that lie in a file from a place on.
func (p *placed) lie(text []byte, from token.Pos) {
	if len(text) == 0 {
		return
	}
	if n := len(p.runs); n > 0 {
		if last := &p.runs[n-1]; !last.one && last.from.File == from.File && int(last.from.Offset)+len(p.text)-last.at == int(from.Offset) &&
			last.from.Line == from.Line {
			p.text = append(p.text, text...)
			return
		}
	}
	p.runs = append(p.runs, run{at: len(p.text), from: from})
	p.text = append(p.text, text...)
}

// add appends the bytes i to j of q.
func (p *placed) add(q *placed, i, j int) {
	p.addFrom(q, i, j, q.search(i))
}

// addFrom is add where run k of q holds byte i. It returns the run that holds the last byte.
func (p *placed) addFrom(q *placed, i, j, k int) int {
	for i < j {
		k = q.find(i, k)
		end := j
		if k+1 < len(q.runs) {
			end = min(j, q.runs[k+1].at)
		}
		r := &q.runs[k]
		if r.one {
			if n := len(p.runs); n > 0 && p.runs[n-1] == (run{p.runs[n-1].at, r.from, r.to, true, r.macro}) {
				p.text = append(p.text, q.text[i:end]...)
			} else {
				p.one(q.text[i:end], token.Span{From: r.from, To: r.to}, r.macro)
			}
		} else {
			p.lie(q.text[i:end], r.span(i).From)
		}
		i = end
	}
	return k
}
