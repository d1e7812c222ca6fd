package host

import (
	"cmp"
	"fmt"
	"strings"

	"libportable/internal/fortran/source"
)

// piece is a part of the output: whole lines, the user's or generated ones.
type piece struct {
	text string
	line int32 // of the first line in the user's file; 0: generated
}

// form is the form of the file: how a statement becomes lines.
type form struct {
	fixed bool
	width int
	moved *source.File // a file whose text was rewritten, with the user's lines of its parts; nil: the text is the user's
}

// statement is a statement as lines, broken where it is too long.
func (f form) statement(indent int, text string) string {
	if f.fixed {
		return f.broken("      "+text, 6, "     & ", "")
	}
	return f.broken(strings.Repeat(" ", indent)+text, indent, strings.Repeat(" ", indent+2), " &")
}

// broken breaks a line behind commas, blanks and operators outside of texts. lead stands in front of each line but the first, mark at the
// end of each but the last.
func (f form) broken(line string, keep int, lead, mark string) string {
	var b strings.Builder
	for len(line) > f.width && !f.onlyComment(line) {
		at := f.breakAt(line, keep, f.width-len(mark))
		if at == 0 {
			break
		}
		b.WriteString(strings.TrimRight(line[:at], " ") + mark + "\n")
		line = lead + strings.TrimLeft(line[at:], " ")
		keep = len(lead)
	}
	b.WriteString(line + "\n")
	return b.String()
}

// onlyComment reports whether it is only the comment behind a statement that makes a line too long. It stays: a comment cannot be continued.
func (f form) onlyComment(line string) bool {
	at, _ := commentAt(line, 0)
	return at >= 0 && at <= f.width && strings.TrimSpace(line[:at]) != ""
}

// breakAt is the last place up to limit where a line may be broken; 0: there is none. Without a comma or a blank, it is behind a parenthesis or a colon,
// as in the bounds of an array with a long name.
func (f form) breakAt(line string, keep, limit int) int {
	quote, best, last := byte(0), 0, 0
	for i := 0; i < len(line) && i <= limit; i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
			if i > keep && line[i-1] != c { // not in a doubled one
				best = max(best, i)
			}
		case c == '!':
			return cmp.Or(best, last)
		case i > keep && c == ' ' && line[i-1] != ';': // gfortran continues no statement of fixed form that has ended
			best = i
		case i > keep && c == ',' && i < limit:
			best = i + 1
		case i > keep && i < limit && i+1 < len(line) && (c == '(' && line[i+1] != '/' || c == ':' && line[i+1] != ':'):
			last = i + 1
		}
	}
	if f.fixed && quote == 0 && limit > keep {
		return cmp.Or(best, last, limit) // blanks mean nothing there, so any place will do
	}
	return cmp.Or(best, last)
}

// text collects the generated statements and the user's lines of one place.
type text struct {
	form
	pieces  []piece
	resolve func(string) string // writes the names of generated code; nil: there are none
}

func (t *text) add(indent int, statement string) {
	if t.resolve != nil {
		statement = t.resolve(statement)
	}
	t.pieces = append(t.pieces, piece{text: t.statement(indent, statement)})
}

// conditional adds a short statement that only a compiler with OpenMP reads.
func (t *text) conditional(indent int, statement string) {
	if t.resolve != nil {
		statement = t.resolve(statement)
	}
	t.pieces = append(t.pieces, piece{text: "!$" + strings.Repeat(" ", indent) + statement + "\n"})
}

// comment adds a comment line.
func (t *text) comment(indent int, words string) {
	t.pieces = append(t.pieces, piece{text: strings.Repeat(" ", indent) + "! " + words + "\n"})
}

// user adds lines of the user's file.
func (t *text) user(lines string, number int32) {
	if lines == "" {
		return
	}
	if !strings.HasSuffix(lines, "\n") {
		lines += "\n"
	}
	t.pieces = append(t.pieces, piece{lines, number})
}

// render joins the pieces. Markers tell compilers and debuggers the lines of the user's file, and those of what is generated.
func render(list []piece, o *Options, source string) []byte {
	var b strings.Builder
	written, next := int32(0), int32(0)
	file := ""
	for _, p := range list {
		if p.text == "" {
			continue
		}
		if !o.NoMarkers {
			name, line := source, p.line
			if p.line == 0 {
				name, line = o.Output, written+1
			}
			if name != file || line != next {
				if p.line == 0 {
					line++ // the marker takes a line itself
				}
				// #line and not #: gfortran -pedantic warns of the latter.
				fmt.Fprintf(&b, "#line %d \"%s\"\n", line, strings.ReplaceAll(name, `\`, `/`))
				written++
				file, next = name, line
			}
		}
		b.WriteString(p.text)
		n := int32(strings.Count(p.text, "\n"))
		if !strings.HasSuffix(p.text, "\n") {
			b.WriteByte('\n')
			n++
		}
		written += n
		next += n
	}
	return []byte(b.String())
}

// data adds a DATA statement with one value on each line.
func (t *text) data(indent int, head string, list []string, end string) {
	lead, mark := strings.Repeat(" ", indent+2), " &"
	first := strings.Repeat(" ", indent)
	if t.fixed {
		first, lead, mark = "      ", "     &", ""
	}
	var b strings.Builder
	b.WriteString(first + head + mark + "\n")
	for i, s := range list {
		if i+1 < len(list) {
			b.WriteString(lead + s + "," + mark + "\n")
			continue
		}
		b.WriteString(lead + s + end + "\n")
	}
	t.pieces = append(t.pieces, piece{text: b.String()})
}
