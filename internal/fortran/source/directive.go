package source

import (
	"strings"

	"libportable/internal/fortran/token"
)

// Sentinels of directives behind the comment character: those that begin with $, and those that end with it. Others, such as
// $Id$ of version control, are comments.
var (
	dollarFirst = []string{"omp", "acc", "portable", "cuf", "pgi", "dir"}
	dollarLast  = []string{"dir", "dec", "gcc", "pgi", "ibm", "nec", "ms"}
)

// directive is the sentinel at the beginning of text, which is behind the comment character; "": there is none.
func directive(text []byte) string {
	if len(text) < 3 {
		return ""
	}
	if text[0] == '$' {
		if !isLetter(text[1]) {
			return ""
		}
		for _, s := range dollarFirst {
			if startsFold(text[1:], s) && (len(text) == len(s)+1 || !inName(text[len(s)+1])) {
				return s
			}
		}
		return ""
	}
	if n := strings.IndexByte(string(text[:min(len(text), 4)]), '$'); n > 0 {
		for _, s := range dollarLast {
			if len(s) == n && startsFold(text, s) {
				return s
			}
		}
	}
	return ""
}

// sentinelLength is the number of bytes of a sentinel with its dollar sign.
func sentinelLength(sentinel string) int { return len(sentinel) + 1 }

// conditional reports whether text, behind the comment character, is a line of conditional compilation: $ and a blank.
func conditional(text []byte) bool {
	return len(text) > 1 && text[0] == '$' && (isBlank(text[1]) || text[1] == '&')
}

// directive makes the statement a directive whose sentinel is the bytes i to j of l.
func (s *statement) directive(l *placed, i, j int, sentinel string) {
	s.kind, s.sentinel = Directive, sentinel
	s.labelAt = token.Span{From: l.at(i), To: l.runs[l.search(j-1)].span(j - 1).To}
	// A blank keeps the text from being empty, so that a directive without text is a line too.
	s.one([]byte{' '}, s.labelAt, false)
}
