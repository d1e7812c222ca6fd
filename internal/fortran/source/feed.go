package source

import (
	"bytes"

	"libportable/internal/fortran/token"
)

// feed gives the lines of one file.
type feed struct {
	r        *reader
	file     *File
	pos      int   // first byte that is not read
	line     int32 // its line
	nested   bool
	plain    bool   // the preprocessor does not run here
	now      placed // the line being read
	next     int    // fixed form: the next line behind comments, see continues; -1: not known
	goesOn   bool   // that line is a continuation line
	noEnd    bool   // there is no */ behind pos
	expanded bool   // a macro made a part of the present line
	markers  []lineMarker
}

// cut takes one line of the file, without its end.
func (in *feed) cut() (text []byte, from token.Pos) {
	from = token.Pos{File: in.file.Index, Line: in.line, Column: 1, Offset: int32(in.pos)}
	if in.line == 1 && in.pos == 3 {
		from.Column = 4 // behind the byte order mark
	}
	rest := in.file.Text[in.pos:]
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
		in.pos = len(in.file.Text)
	} else {
		in.pos += n + 1
	}
	in.line++
	if n > 0 && rest[n-1] == '\r' {
		n--
	}
	return rest[:n], from
}

// read reads one line, or several that the preprocessor makes one.
func (in *feed) read() {
	r := in.r
	text, from := in.cut()
	in.now.reset()
	in.now.lie(text, from)
	if r.pre != nil && !in.plain {
		if !r.pre.line(in, from) {
			return
		}
	} else if len(text) > 0 && text[0] == '#' {
		in.plainHash(text, from)
		return
	}
	if in.fixed() {
		in.fixedLine(from)
	} else {
		in.freeLine(from)
	}
}

// plainHash reads a line of the preprocessor where it does not run.
func (in *feed) plainHash(text []byte, from token.Pos) {
	r := in.r
	if !r.o.AllBranches {
		if i := skip(text, 1, len(text), isBlank); i < len(text) && !isDigit(text[i]) && !startsFold(text[i:], "line") {
			remedy := "compile with -cpp"
			if in.plain {
				remedy = "read the file by #include, not by INCLUDE"
			}
			r.problem(from, "a line of the preprocessor is left out, because the preprocessor does not run here; %s", remedy)
		}
		return
	}
	for bytes.HasSuffix(text, []byte{'\\'}) && in.pos < len(in.file.Text) {
		more, _ := in.cut()
		text = append(append([]byte(nil), text[:len(text)-1]...), more...)
	}
	i := skip(text, 1, len(text), isBlank)
	word := string(text[i:skip(text, i, len(text), isLetter)])
	switch word {
	case "if", "ifdef", "ifndef", "elif", "else", "endif":
		if r.now.open || in.fixed() && r.now.kind == Statement && len(r.now.text) > 0 && in.continues() {
			return // inside of a statement: all branches make it
		}
		r.end()
		l := r.newLine()
		*l = Line{Kind: Branch, Sentinel: word, Span: token.Span{From: from, To: shift(from, len(text))}, Lines: [2]int32{from.Line, in.line - 1},
			Alone: true, Nested: in.nested}
		r.out.Lines = append(r.out.Lines, l)
	case "include":
		if name, here, ok := includeName(text[i+len(word):]); ok && !r.now.open {
			r.end()
			r.include(from, name, here, true)
		}
	}
}

// includeName is the name behind #include. here: it is in quotes.
func includeName(text []byte) (name string, here, ok bool) {
	text = bytes.TrimSpace(text)
	if len(text) < 2 {
		return "", false, false
	}
	quote := text[0]
	if quote == '<' {
		quote = '>'
	} else if quote != '"' && quote != '\'' {
		return "", false, false
	}
	n := bytes.IndexByte(text[1:], quote)
	if n <= 0 {
		return "", false, false
	}
	return string(text[1 : n+1]), quote != '>', true
}
