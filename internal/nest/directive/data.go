package directive

import (
	"slices"

	"libportable/internal/fortran/token"
)

// This file reads directives of data on devices: !$portable data, and their forms in OpenACC and OpenMP.

// Data is a directive of data.
type Data struct {
	Kind  string // data, end, enter, exit, update
	Items []Item
}

// Item is an array of a directive of data. Clause is in, out, inout or local; of update in (to the device) or out.
type Item struct {
	Clause string
	Name   string // a, t%a
	Whole  bool   // all elements
	At     token.Pos
}

var dataClauses = map[string]string{"in": "in", "out": "out", "inout": "inout", "local": "local"}

// portableData reads what stands behind DATA.
func (r *reader) portableData() *Data {
	d := &Data{Kind: "data"}
	for {
		for r.peek().Is(",") {
			r.next()
		}
		t := r.next()
		if t.Kind == token.End {
			return d
		}
		clause := dataClauses[t.Text]
		if t.Kind != token.Name || clause == "" {
			r.unknown(t, map[string]shape{"in": names, "out": names, "inout": names, "local": names})
			r.skip()
			continue
		}
		if !r.peek().Is("(") {
			r.problem(t, "'"+t.Text+"' stands without its arguments", "write "+t.Text+"(...)")
			continue
		}
		inside, closed := r.inside()
		if !closed {
			r.problem(t, "the parenthesis of '"+t.Text+"' is not closed", "add ')'")
		}
		items := itemsOf(clause, inside)
		if len(items) == 0 {
			r.problem(t, "'"+t.Text+"' has an empty list", "remove it")
		}
		for _, x := range items {
			switch {
			case x.Name == "":
				r.out.Problems = append(r.out.Problems, Problem{At: x.At, Text: "'" + t.Text + "' has a list of arrays", Remedy: "write " + t.Text + "(a, b)"})
			case !x.Whole:
				r.out.Problems = append(r.out.Problems, Problem{At: x.At, Text: "'" + t.Text + "' names a part of '" + x.Name + "'", Remedy: "name the whole array"})
			}
		}
		d.Items = append(d.Items, items...)
	}
}

// itemsOf reads a, b(1:n), t%c. An item that is no designator has no name.
func itemsOf(clause string, inside []token.Token) (list []Item) {
	for len(inside) > 0 {
		x := Item{Clause: clause, Whole: true, At: inside[0].Span.From}
		if inside[0].Kind == token.Name {
			x.Name = inside[0].Text
			inside = inside[1:]
		}
		depth := 0
		for len(inside) > 0 && (depth > 0 || !inside[0].Is(",")) {
			t := inside[0]
			inside = inside[1:]
			switch {
			case t.Is("("):
				depth++
			case t.Is(")"):
				depth--
			case depth == 0 && t.Is("%") && len(inside) > 0 && inside[0].Kind == token.Name && x.Whole:
				x.Name += "%" + inside[0].Text
				inside = inside[1:]
			case depth == 0:
				x.Name = ""
			case !t.Is(":") && !t.Is(","):
				x.Whole = false
			}
		}
		list = append(list, x)
		if len(inside) > 0 {
			inside = inside[1:]
		}
	}
	return list
}

var accData = map[string]string{"copy": "inout", "copyin": "in", "copyout": "out", "create": "local", "delete": "local", "self": "out", "host": "out", "device": "in"}

// accData reads the clauses of a data directive of OpenACC. Compilers say what is wrong in it.
func (r *reader) accData(kind string) *Data {
	d := &Data{Kind: kind}
	for r.peek().Kind != token.End {
		t := r.next()
		if t.Kind != token.Name || !r.peek().Is("(") {
			continue
		}
		inside, _ := r.inside()
		word := t.Text
		for _, prefix := range []string{"present_or_", "p"} {
			if rest, ok := cutPrefix(word, prefix); ok && accData[rest] != "" {
				word = rest
			}
		}
		if clause := accData[word]; clause != "" {
			if len(inside) > 1 && inside[1].Is(":") && (inside[0].IsName("readonly") || inside[0].IsName("zero")) {
				inside = inside[2:]
			}
			d.Items = append(d.Items, partly(itemsOf(clause, inside))...)
		}
	}
	return d
}

func cutPrefix(s, prefix string) (string, bool) {
	if len(s) > len(prefix) && s[:len(prefix)] == prefix {
		return s[len(prefix):], true
	}
	return s, false
}

// partly keeps what a part of an array does not name: the others are wanted.
func partly(list []Item) []Item {
	for i := range list {
		if !list[i].Whole {
			list[i].Clause = "inout"
		}
	}
	return slices.DeleteFunc(list, func(x Item) bool { return x.Name == "" })
}

var ompMaps = map[string]string{"to": "in", "from": "out", "tofrom": "inout", "alloc": "local", "release": "local", "delete": "local"}

// ompData reads the clauses of a data directive of OpenMP.
func (r *reader) ompData(kind string) *Data {
	d := &Data{Kind: kind}
	for r.peek().Kind != token.End {
		t := r.next()
		if t.Kind != token.Name || !r.peek().Is("(") {
			continue
		}
		inside, _ := r.inside()
		clause := ""
		switch {
		case t.Text == "map":
			clause = "inout"
			for i, w := range inside {
				if w.Is("(") {
					break
				}
				if w.Is(":") && i > 0 {
					clause = ompMaps[inside[i-1].Text]
					inside = inside[i+1:]
					break
				}
			}
		case kind == "update" && t.Text == "to":
			clause = "in"
		case kind == "update" && t.Text == "from":
			clause = "out"
		}
		if clause != "" {
			d.Items = append(d.Items, partly(itemsOf(clause, inside))...)
		}
	}
	return d
}
