package source

import (
	"bytes"
	"sort"
	"strings"
)

// Blanks have no meaning in fixed form, so DO10I=1,5 and DO 10 I = 1, 5 are the same loop, and DO 10 I = 1.5 sets DO10I.
// Fortran is made so that the class of a statement shows before its words: an = outside of parentheses and no comma behind
// it make an assignment, all others begin with a keyword. Behind the keyword, only heads of procedures and types need more.

// head finds the bytes at which a word ends although a name could go on.
type head struct {
	s    []byte // the statement in lower case, without the contents of strings
	cuts []int
}

// heads appends the places where words of a statement without blanks are cut, ascending.
func heads(cuts []int, text []byte, holleriths [][2]int) []int {
	if len(text) > 0 && !needsHead(text) {
		return cuts
	}
	h := head{s: skeleton(text, holleriths), cuts: cuts}
	h.statement(0)
	sort.Ints(h.cuts)
	return h.cuts
}

// needsHead reports false of the commonest statement, name = ..., that no loop can be.
func needsHead(text []byte) bool {
	i := skip(text, 0, len(text), inName)
	return !(i+1 < len(text) && text[i] == '=' && text[i+1] != '=' && lower(text[0]) != 'd')
}

// skeleton is text in lower case with each byte of a string or Hollerith constant replaced by a byte without meaning.
func skeleton(text []byte, holleriths [][2]int) []byte {
	s := make([]byte, len(text))
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		if len(holleriths) > 0 && i == holleriths[0][0] {
			for n := min(holleriths[0][1], len(text)-i); n > 0; n-- {
				s[i] = '\''
				i++
			}
			i--
			holleriths = holleriths[1:]
			continue
		}
		c := text[i]
		switch {
		case quote != 0:
			s[i] = '\''
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			s[i], quote = '\'', c
		default:
			s[i] = lower(c)
		}
	}
	return s
}

func (h *head) has(i int, word string) bool {
	return i >= 0 && i <= len(h.s) && bytes.HasPrefix(h.s[i:], []byte(word))
}

// cut ends a word at i. It returns i.
func (h *head) cut(i int) int {
	if i > 0 && i < len(h.s) {
		h.cuts = append(h.cuts, i)
	}
	return i
}

// digits cuts behind the digits at i.
func (h *head) digits(i int) int { return h.cut(skip(h.s, i, len(h.s), isDigit)) }

func (h *head) name(i int) int { return skip(h.s, i, len(h.s), inName) }

// is reports whether byte i has the property.
func (h *head) is(i int, has func(byte) bool) bool { return i < len(h.s) && has(h.s[i]) }

func (h *head) at(i int) byte {
	if i < len(h.s) {
		return h.s[i]
	}
	return 0
}

// closing is the index behind the parenthesis that closes the one at i, or -1.
func (h *head) closing(i int) int {
	for depth := 0; i < len(h.s); i++ {
		switch h.s[i] {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// class says what is outside of the parentheses of the text from i on: the first =, :: in front of it, commas in front and behind.
func (h *head) class(i int) (equals, before, behind bool) {
	depth := 0
	for ; i < len(h.s); i++ {
		switch c := h.s[i]; {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case depth > 0:
		case c == ',' && equals:
			behind = true
		case c == ',':
			before = true
		case c == ':' && h.at(i+1) == ':' && !equals:
			before = true
		case c == '=' && h.at(i+1) == '=':
			i++
		case c == '=' && i > 0 && strings.IndexByte("/<>", h.s[i-1]) < 0:
			equals = true
		}
	}
	return equals, before, behind
}

// named are the words that a construct name may precede.
var named = []string{"do", "if(", "select", "where(", "forall(", "associate(", "block", "critical", "changeteam("}

// statement cuts the words of the statement at i.
func (h *head) statement(i int) {
	if j := h.name(i); j > i && isLetter(h.s[i]) && h.at(j) == ':' && h.at(j+1) != ':' {
		for _, w := range named {
			if h.has(j+1, w) {
				i = j + 1
				break
			}
		}
	}
	for _, w := range []string{"if", "where", "forall"} {
		if h.has(i, w+"(") {
			if end := h.closing(i + len(w)); end > 0 && h.is(end, inName) {
				if h.cut(i + len(w)); !(w == "if" && string(h.s[end:]) == "then") {
					h.statement(end)
				}
				return
			}
		}
	}
	equals, before, behind := h.class(i)
	if h.loop(i, behind) || equals && !before {
		return
	}
	if h.has(i, "elseif(") {
		if end := h.closing(i + 6); h.has(end, "then") {
			h.cut(end + 4)
		}
		return
	}
	if h.procedure(i) || h.declaration(i) {
		return
	}
	if w := keyword(h.s[i:]); w != "" {
		h.words(w, h.cut(i+len(w)))
	}
}

// loop cuts the words of DO. comma: there is a comma outside of parentheses behind the first =.
func (h *head) loop(i int, comma bool) bool {
	if !h.has(i, "do") {
		return false
	}
	p := i + 2
	label := skip(h.s, p, len(h.s), isDigit)
	variable := label
	if h.at(variable) == ',' {
		variable++
	}
	end := h.name(variable)
	switch {
	case variable == len(h.s), h.has(variable, "while("), h.has(variable, "concurrent("):
	case comma && h.at(end) == '=' && end > variable && isLetter(h.s[variable]):
	default:
		return false
	}
	h.cut(p)
	h.cut(label)
	return true
}

// prefixes are the words in front of FUNCTION and SUBROUTINE.
var prefixes = []string{"non_recursive", "recursive", "pure", "impure", "elemental", "module"}

// procedure cuts the head of a function or subroutine: REAL*8FUNCTIONF(X).
func (h *head) procedure(i int) bool {
	kept := len(h.cuts)
	p := i
next:
	for p < len(h.s) {
		for _, w := range prefixes {
			if h.has(p, w) {
				p = h.cut(p + len(w))
				continue next
			}
		}
		if q := h.typeSpec(p); q > p {
			p = q
			continue
		}
		break
	}
	for _, w := range []string{"function", "subroutine"} {
		if !h.has(p, w) || !h.is(p+len(w), isLetter) {
			continue
		}
		end := h.name(p + len(w))
		// REAL FUNCTIONX(10) declares an array; so does a list of names behind it.
		if rest := h.s[end:]; len(rest) == 0 && w == "subroutine" || len(rest) > 1 && rest[0] == '(' && !isDigit(rest[1]) && h.ends(end) {
			h.cut(p + len(w))
			return true
		}
	}
	h.cuts = h.cuts[:kept]
	return false
}

// ends reports whether the parentheses at i end the head of a procedure.
func (h *head) ends(i int) bool {
	end := h.closing(i)
	return end == len(h.s) || end > 0 && (h.has(end, "result(") || h.has(end, "bind("))
}

// types are the intrinsic types; a longer word comes first.
var types = []string{"doubleprecision", "doublecomplex", "character", "integer", "logical", "complex", "real", "byte"}

// typeSpec cuts a type with its kind at i. It returns the index behind it, or i.
func (h *head) typeSpec(i int) int {
	for _, w := range types {
		if h.has(i, w) {
			p := h.cut(i + len(w))
			switch {
			case h.at(p) == '*' && h.is(p+1, isDigit):
				return h.digits(p + 1)
			case h.at(p) == '*' && h.at(p+1) == '(':
				return max(i, h.closing(p+1))
			case h.at(p) == '(':
				return max(i, h.closing(p))
			}
			return p
		}
	}
	for _, w := range []string{"type(", "class("} {
		if h.has(i, w) {
			return max(i, h.closing(i+len(w)-1))
		}
	}
	return i
}

// declaration cuts the type of a declaration of variables.
func (h *head) declaration(i int) bool {
	if h.has(i, "typeis(") || h.has(i, "classis(") {
		return false
	}
	return h.typeSpec(i) > i
}

// words cuts what is behind some keywords; i is there.
func (h *head) words(word string, i int) {
	switch word {
	case "implicit":
		for i < len(h.s) {
			end := h.typeSpec(i)
			if end == i {
				return
			}
			if h.at(end) == '(' {
				end = h.closing(end)
			}
			if end < 0 || h.at(end) != ',' {
				return
			}
			i = end + 1
		}
	case "assign":
		if i = h.digits(i); h.has(i, "to") {
			h.cut(i + 2)
		}
	}
}
