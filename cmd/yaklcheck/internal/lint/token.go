package lint

import "iter"

type tokenKind uint8

const (
	name tokenKind = iota
	number
	text
	sign
)

// token is a word of a statement; names are in lower case, strings without their quotes.
type token struct {
	kind tokenKind
	word string
	line int32
}

func (t token) is(word string) bool     { return t.word == word && t.kind != text }
func (t token) isName(word string) bool { return t.kind == name && t.word == word }

// closing is the index of the parenthesis that closes the one at i, or len(t).
func closing(t []token, i int) int {
	depth := 0
	for ; i < len(t); i++ {
		if t[i].kind != sign {
			continue
		}
		switch t[i].word {
		case "(", "[":
			depth++
		case ")", "]":
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return len(t)
}

// outside yields the tokens outside of parentheses, without the parentheses.
func outside(t []token) iter.Seq2[int, token] {
	return func(yield func(int, token) bool) {
		for i := 0; i < len(t); i++ {
			if t[i].is("(") || t[i].is("[") {
				i = closing(t, i)
			} else if !yield(i, t[i]) {
				return
			}
		}
	}
}

// cut cuts at a word outside of parentheses.
func cut(t []token, word string) (parts [][]token) {
	from := 0
	for i, w := range outside(t) {
		if w.is(word) {
			parts = append(parts, t[from:i])
			from = i + 1
		}
	}
	return append(parts, t[from:])
}

// list cuts at commas outside of parentheses. An empty text has no parts.
func list(t []token) [][]token {
	if len(t) == 0 {
		return nil
	}
	return cut(t, ",")
}

// find is the index of a sign outside of parentheses, or -1.
func find(t []token, word string) int {
	for i, w := range outside(t) {
		if w.kind == sign && w.word == word {
			return i
		}
	}
	return -1
}

// keyword splits an argument NAME=VALUE; without a keyword, the value is the whole argument.
func keyword(a []token) (word string, value []token) {
	if find(a, "=") == 1 {
		return a[0].word, a[2:]
	}
	return "", a
}

// isVariable reports whether a text is one variable, with its subscripts and components.
func isVariable(t []token) bool { return len(t) > 0 && designator(t) == len(t) }

// designator is the length of a variable at the beginning: name, (...), %name and so on; 0: there is none.
func designator(t []token) int {
	if len(t) == 0 || t[0].kind != name {
		return 0
	}
	i := 1
	for i < len(t) {
		switch {
		case t[i].is("("):
			end := closing(t, i)
			if end >= len(t) {
				return 0
			}
			i = end + 1
		case t[i].is("%") && i+1 < len(t) && t[i+1].kind == name:
			i += 2
		default:
			return i
		}
	}
	return i
}

// at is the token at i, or an empty one.
func at(t []token, i int) token {
	if i < 0 || i >= len(t) {
		return token{kind: sign}
	}
	return t[i]
}
