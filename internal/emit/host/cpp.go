package host

import (
	"strings"

	"libportable/internal/fortran/token"
)

// names that preprocessors define without being asked, without an underscore in front
var predefined = []string{"linux", "unix", "i386"}

// prologue are lines in front of a file that no compiler preprocesses unasked: the generated one is preprocessed, so names that the preprocessor
// knows must mean nothing.
func (w *writer) prologue() []piece {
	if w.o.Preprocessed {
		return nil
	}
	spelt := map[string]bool{}
	for _, l := range w.file.Lines {
		for _, t := range l.Tokens {
			if t.Kind == token.Name {
				if s, ok := w.bytes(t.Span); ok {
					spelt[s] = true
				}
			}
		}
	}
	var b strings.Builder
	for _, name := range append(append([]string{}, predefined...), w.o.Defined...) {
		if spelt[name] {
			b.WriteString("#undef " + name + "\n")
			delete(spelt, name)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return []piece{{text: b.String()}}
}

// unprocessed changes what the preprocessor would take for its own: in comments /* and a backslash at the end of a line.
func (w *writer) unprocessed() {
	at := int32(0)
	quote := byte(0)
	for int(at) < len(w.source) {
		end := w.next(at)
		quote = w.unprocessedLine(at, end, quote)
		at = end
	}
}

func (w *writer) unprocessedLine(from, end int32, quote byte) byte {
	line := w.source[from:end]
	comment := -1
	if w.fixed && len(line) > 0 && strings.IndexByte("cC*!dD", line[0]) >= 0 {
		comment = 0
	}
	if w.fixed {
		quote = 0
	}
	if comment < 0 {
		comment, quote = commentAt(string(line), quote)
	}
	text := strings.TrimRight(string(line), "\r\n")
	if comment >= 0 {
		for i := comment; i+1 < len(text); i++ {
			if text[i] == '/' && text[i+1] == '*' {
				w.replace(from+int32(i), from+int32(i)+2, "/ *")
				i++
			}
		}
	}
	if strings.HasSuffix(strings.TrimRight(text, " \t"), `\`) {
		w.replace(from+int32(len(text)), from+int32(len(text)), " .")
		if comment < 0 {
			w.edits[len(w.edits)-1].word = " ! ."
		}
	}
	if !strings.HasSuffix(strings.TrimRight(text, " \t"), "&") {
		quote = 0
	}
	return quote
}

// balance leaves out the lines of preprocessor conditionals that begin or end outside of the range.
func (n *one) balance(e *editor, from, to int32) {
	if !n.w.o.Preprocessed {
		return
	}
	type open struct{ at, last int32 }
	var stack []open
	drop, dropping := int32(0), 0
	for at := from; at < to; {
		end := min(n.w.next(at), to)
		word := directiveWord(string(n.w.source[at:end]))
		switch word {
		case "if", "ifdef", "ifndef":
			stack = append(stack, open{at, end})
			if dropping > 0 {
				dropping++
			}
		case "else", "elif", "elifdef", "elifndef":
			if len(stack) > 0 {
				stack[len(stack)-1].last = end
			} else if dropping == 0 {
				drop, dropping = at, 1
			}
		case "endif":
			switch {
			case len(stack) > 0:
				stack = stack[:len(stack)-1]
				if dropping > 0 {
					dropping--
				}
			case dropping > 0:
				e.replace(drop, end, "")
				dropping = 0
			default:
				e.replace(at, end, "")
			}
		}
		at = end
	}
	for _, o := range stack {
		e.replace(o.at, o.last, "")
	}
}

// directiveWord is the word behind # in column 1.
func directiveWord(line string) string {
	if !strings.HasPrefix(line, "#") {
		return ""
	}
	line = strings.TrimLeft(line[1:], " \t")
	i := 0
	for i < len(line) && line[i] >= 'a' && line[i] <= 'z' {
		i++
	}
	return line[:i]
}

// commentAt is the place of the comment behind a line, -1 if it has none. quote is that of a text which the line before leaves open, 0 if it leaves
// none; open is the same for this line.
func commentAt(line string, quote byte) (at int, open byte) {
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '\'' || c == '"':
			quote = c
		case c == '!':
			return i, 0
		}
	}
	return -1, quote
}
