package directive

import (
	"slices"
	"strings"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
)

// Column is one index of columns(...): its variable and its bounds as they are written, in lower case and without blanks.
type Column struct {
	Name, First, Last string
	Names             []string // that the bounds mention
	At                token.Pos
}

// mostColumns bounds the indices: an array has 15 dimensions, a launch 8.
const mostColumns = 7

// columns reads i=1:nx, j=1:ny.
func (r *reader) columns(t token.Token, inside []token.Token) {
	const remedy = "write columns(i=1:nx, j=1:ny)"
	if len(inside) == 0 {
		r.problem(t, "'columns' names no index", remedy)
		return
	}
	for _, part := range apart(inside, ",") {
		c, ok := column(part)
		if !ok {
			at := t
			if len(part) > 0 {
				at = part[0]
			}
			r.problem(at, "'columns' has indices with their bounds, not '"+joined(part)+"'", remedy)
			return
		}
		d := r.out.Directive
		if slices.ContainsFunc(d.Columns, func(x Column) bool { return x.Name == c.Name }) {
			r.problem(part[0], "'columns' names '"+c.Name+"' twice", "name each index once")
			return
		}
		if len(d.Columns) == mostColumns {
			r.problem(part[0], "'columns' has more than 7 indices", "name at most 7")
			return
		}
		d.Columns = append(d.Columns, c)
	}
}

func column(part []token.Token) (c Column, ok bool) {
	if len(part) < 5 || part[0].Kind != token.Name || !part[1].Is("=") {
		return c, false
	}
	bounds := apart(part[2:], ":")
	if len(bounds) != 2 || len(bounds[0]) == 0 || len(bounds[1]) == 0 {
		return c, false
	}
	c = Column{Name: part[0].Text, First: joined(bounds[0]), Last: joined(bounds[1]), At: part[0].Span.From}
	for i, t := range part[2:] {
		if t.Kind == token.Name && !part[2+i-1].Is("%") {
			c.Names = append(c.Names, t.Text)
		}
	}
	return c, true
}

// apart separates tokens at a sign outside of parentheses.
func apart(list []token.Token, sign string) (parts [][]token.Token) {
	depth, from := 0, 0
	for i, t := range list {
		switch {
		case t.Is("(") || t.Is("["):
			depth++
		case t.Is(")") || t.Is("]"):
			depth--
		case depth == 0 && t.Is(sign):
			parts, from = append(parts, list[from:i]), i+1
		}
	}
	return append(parts, list[from:])
}

// Without is the text of a directive behind its sentinel without one of its clauses. Names in the others are replaced.
func Without(line *source.Line, clause string, names map[string]string) string {
	var words []string
	depth := 0
	for i := 0; i < len(line.Tokens); i++ {
		t := line.Tokens[i]
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case depth == 0 && t.IsName(clause):
			if i+1 < len(line.Tokens) && line.Tokens[i+1].Is("(") {
				for i++; i < len(line.Tokens); i++ {
					if line.Tokens[i].Is("(") {
						depth++
					} else if line.Tokens[i].Is(")") {
						if depth--; depth == 0 {
							break
						}
					}
				}
			}
			continue
		}
		text := joined(line.Tokens[i : i+1])
		if other := names[text]; other != "" && depth > 0 && t.Kind == token.Name {
			text = other
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}
