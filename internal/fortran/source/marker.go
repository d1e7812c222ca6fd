package source

import (
	"bytes"
	"strconv"

	"libportable/internal/fortran/token"
)

// lineMarker is a line such as # 12 "file": the next line of the file came from there.
type lineMarker struct {
	Line int32  // the line behind the marker
	As   int32  // what it is called
	Name string // file, or "" if the marker has no name
}

// marker reads the rest of #line.
func (in *feed) marker(text []byte, p *preprocessor, from token.Pos) {
	text = bytes.TrimSpace(text)
	n := skip(text, 0, len(text), isDigit)
	as, err := strconv.ParseInt(string(text[:n]), 10, 32)
	if err != nil {
		in.r.problem(from, "#line has no number")
		return
	}
	name, _, _ := includeName(text[n:])
	if name == "" && len(in.markers) > 0 {
		name = in.markers[len(in.markers)-1].Name
	}
	in.markers = append(in.markers, lineMarker{in.line, int32(as), name})
}

// line0 and file0 are the values of __LINE__ and __FILE__ in the innermost file.
func (p *preprocessor) line0(at token.Pos) int32 {
	in := p.r.stack[len(p.r.stack)-1]
	if n := len(in.markers); n > 0 {
		return in.markers[n-1].As + at.Line - in.markers[n-1].Line
	}
	return at.Line
}

func (p *preprocessor) file0() string {
	in := p.r.stack[len(p.r.stack)-1]
	if n := len(in.markers); n > 0 && in.markers[n-1].Name != "" {
		return in.markers[n-1].Name
	}
	return in.file.Name
}
