package lint

import (
	"path/filepath"
	"slices"
	"strings"
)

// This file makes statements of the lines of a file, with branches of the preprocessor and
// directives of OpenMP.

type lineKind int

const (
	isStatement lineKind = iota
	isBranch             // #if, #else, #endif and their kin
	isOpenMP
	isInclude // #include; the text is the name
)

// logical is a statement with its continuation lines, or one line of another kind. The text has one line number a byte.
type logical struct {
	kind  lineKind
	text  []byte
	lines []int32
	label string // fixed form: columns 1 to 5
	ok    bool   // one of its lines has the escape comment
	word  string // of a branch: if, ifdef, ifndef, elif, else, endif
}

const escape = "yaklcheck: ok"

// maxColumns is the most of a line that is read, so that a file that is no source takes little memory.
const maxColumns = 1 << 16

type source struct {
	out     []logical
	now     logical
	quote   byte // of the string that a continuation is in
	open    bool // a continuation line must follow (free form)
	escaped map[int32]bool
}

// isFixed decides as compilers do, by the name.
func isFixed(name string, o Options) bool {
	if o.Fixed || o.Free {
		return o.Fixed
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".f", ".for", ".ftn", ".f77", ".fpp", ".fi":
		return true
	}
	return false
}

func split(f File, o Options) []logical {
	s := &source{escaped: map[int32]bool{}}
	fixed := isFixed(f.Name, o)
	text := string(f.Text)
	macro := false // the line belongs to a #define before it
	for n := 1; text != ""; n++ {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimSuffix(line, "\r")
		line = line[:min(len(line), maxColumns)]
		if macro || strings.HasPrefix(line, "#") {
			if !macro {
				s.branch(line)
			}
			macro = strings.HasSuffix(line, "\\")
		} else if fixed {
			s.fixedLine(line, int32(n), o.Columns)
		} else {
			s.freeLine(line, int32(n))
		}
	}
	s.flush()
	for i := range s.out {
		for _, n := range s.out[i].lines {
			s.out[i].ok = s.out[i].ok || s.escaped[n]
		}
	}
	return s.out
}

// branch reads a line of the preprocessor. A line that chooses text ends a statement only if it is complete.
func (s *source) branch(line string) {
	word := strings.TrimLeft(line[1:], " \t")
	if strings.HasPrefix(word, "include") && !s.open {
		if quoted := strings.Split(word, "\""); len(quoted) > 1 {
			s.flush()
			s.out = append(s.out, logical{kind: isInclude, text: []byte(quoted[1])})
		}
		return
	}
	end := strings.IndexFunc(word, func(r rune) bool { return r < 'a' || r > 'z' })
	if end >= 0 {
		word = word[:end]
	}
	switch word {
	case "if", "ifdef", "ifndef", "elif", "else", "endif":
		if !s.open {
			s.flush()
			s.out = append(s.out, logical{kind: isBranch, word: word})
		}
	}
}

func (s *source) flush() {
	if len(strings.TrimSpace(string(s.now.text))) > 0 {
		s.out = append(s.out, s.now)
	}
	s.now = logical{}
	s.quote = 0
	s.open = false
}

func (s *source) add(c byte, n int32) {
	s.now.text = append(s.now.text, c)
	s.now.lines = append(s.now.lines, n)
}

// comment reads the text after an exclamation mark. first: the line has nothing else.
func (s *source) comment(text string, n int32, first bool) {
	lower := strings.ToLower(text)
	if strings.Contains(lower, escape) {
		s.escaped[n] = true
	}
	if first && strings.HasPrefix(lower, "$omp") {
		s.out = append(s.out, logical{kind: isOpenMP, text: []byte(text[4:]), lines: slices.Repeat([]int32{n}, len(text)-4)})
	}
}

func (s *source) freeLine(line string, n int32) {
	trimmed := strings.TrimLeft(line, " \t")
	if s.open {
		if trimmed == "" || trimmed[0] == '!' {
			if trimmed != "" {
				s.comment(trimmed[1:], n, false)
			}
			return
		}
		if trimmed[0] == '&' {
			line = trimmed[1:]
		} else if s.quote == 0 {
			s.add(' ', n)
		}
	} else if trimmed != "" && trimmed[0] == '!' {
		s.comment(trimmed[1:], n, true)
		return
	}
	s.open = false
	s.body(line, n)
	if !s.open {
		s.flush()
	}
}

// body reads the characters of one line of free form, or of columns 7 on of fixed form.
func (s *source) body(line string, n int32) {
	for i := 0; i < len(line); i++ {
		c := line[i]
		if s.quote != 0 {
			if c == '&' && strings.TrimSpace(line[i+1:]) == "" {
				s.open = true
				return
			}
			s.add(c, n)
			if c == s.quote {
				s.quote = 0
			}
			continue
		}
		switch c {
		case '!':
			s.comment(line[i+1:], n, false)
			return
		case '&':
			rest := strings.TrimLeft(line[i+1:], " \t")
			if rest == "" || rest[0] == '!' {
				if rest != "" {
					s.comment(rest[1:], n, false)
				}
				s.open = true
				return
			}
		case ';':
			s.flush()
		case '\'', '"':
			s.quote = c
			s.add(c, n)
		default:
			s.add(c, n)
		}
	}
	if s.quote != 0 {
		s.add(s.quote, n)
		s.quote = 0
	}
}

func (s *source) fixedLine(line string, n int32, columns int) {
	if line == "" {
		return
	}
	if strings.IndexByte("cC*!dD", line[0]) >= 0 {
		if strings.HasPrefix(strings.ToLower(line[1:]), "$omp") { // other comments between continuation lines end nothing
			s.flush()
		}
		s.comment(line[1:], n, true)
		return
	}
	if strings.HasPrefix(strings.TrimLeft(line, " \t"), "!") {
		return
	}
	if columns == 0 {
		columns = 72
	}
	if columns > 0 && len(line) > columns {
		line = line[:columns]
	}
	label, continues, rest := fixedColumns(line)
	if !continues {
		s.flush()
		s.now.label = label
	}
	s.body(rest, n)
	s.open = false
}

// fixedColumns removes label and continuation mark from a line; a tab goes to column 7.
func fixedColumns(line string) (label string, continues bool, rest string) {
	if t := strings.IndexByte(line, '\t'); t >= 0 && t < 6 {
		rest = line[t+1:]
		if rest != "" && rest[0] >= '1' && rest[0] <= '9' {
			return strings.TrimSpace(line[:t]), true, rest[1:]
		}
		return strings.TrimSpace(line[:t]), false, rest
	}
	if len(line) < 6 {
		return strings.TrimSpace(line), false, ""
	}
	return strings.TrimSpace(line[:5]), line[5] != ' ' && line[5] != '0', line[6:]
}
