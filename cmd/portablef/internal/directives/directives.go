// Package directives writes directives into sources: one line before each nest that runs in
// parallel and has none yet. All other bytes stay as they are, and a second run changes nothing.
// diff.go shows the change.
//
// It decides nothing about nests (package nest). Threads: one goroutine.
package directives

import (
	"bytes"
	"slices"
	"strings"

	"libportable/cmd/portablef/internal/program"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// Insertion is a line that is put before another one.
type Insertion struct {
	Line   int // before this line
	Offset int // in bytes
	Text   string
}

// Change is the insertions into one source, in its order.
type Change struct {
	Name       string
	Old        []byte
	Insertions []Insertion
	Left       []Left // nests that would get a directive, but no line can stand before them
}

// Left is a nest without a directive, and the reason.
type Left struct {
	At     token.Pos
	Reason string
}

// Plan finds the insertions for all sources of a program that was read with Auto. Clauses adds what the tool derives.
func Plan(p *program.Program, clauses bool) (changes []Change) {
	for i, f := range p.Files {
		if p.Inputs[i].Modules {
			continue
		}
		c := Change{Name: p.Inputs[i].Name, Old: f.Source.Text}
		for _, n := range p.Nests {
			if n.File == f && n.Verdict == nest.Parallel && n.Directive == nil && len(n.Loops) > 0 {
				c.add(f, n, clauses)
			}
		}
		slices.SortFunc(c.Insertions, func(a, b Insertion) int { return a.Offset - b.Offset })
		c.Insertions = slices.CompactFunc(c.Insertions, func(a, b Insertion) bool { return a.Offset == b.Offset })
		changes = append(changes, c)
	}
	return changes
}

func (c *Change) add(f *tree.File, n *nest.Nest, clauses bool) {
	do := n.Loops[0].Do
	at := do.Where.From
	reason := ""
	switch {
	case do.Line == nil || do.Line.Nested || at.File != f.Source.Index:
		reason = "the loop stands in an included file"
	case !do.Line.Alone:
		reason = "another statement or a macro stands on the line of the loop"
	case do.Line.If:
		reason = "the loop stands on a line of conditional compilation"
	}
	if reason != "" {
		c.Left = append(c.Left, Left{at, reason})
		return
	}
	start := int(do.Line.Span.From.Offset) - int(do.Line.Span.From.Column) + 1
	line := c.Old[start:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	ending := "\n"
	if bytes.HasSuffix(line, []byte("\r")) {
		ending = "\r\n"
	}
	indent := ""
	if !f.Source.Fixed {
		indent = string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	}
	c.Insertions = append(c.Insertions, Insertion{Line: int(do.Line.Lines[0]), Offset: start, Text: indent + text(n, clauses, f.Source.Fixed) + ending})
}

// widest is the last column of directives in fixed form.
const widest = 72

// text is the directive of a nest.
func text(n *nest.Nest, clauses, fixed bool) string {
	const plain = "!$portable parallel"
	if !clauses {
		return plain
	}
	words := []string{plain}
	if len(n.Loops) > 1 {
		words = append(words, "collapse("+string(rune('0'+len(n.Loops)))+")")
	}
	var private []string
	for _, s := range n.Private {
		if !slices.ContainsFunc(n.Loops, func(l nest.Loop) bool { return l.Variable == s }) && !slices.Contains(n.Last, s) { // PRIVATE would lose the last value
			private = append(private, s.Name)
		}
	}
	if len(private) > 0 {
		words = append(words, "private("+strings.Join(private, ", ")+")")
	}
	for _, r := range n.Reductions {
		if r.Operator == nest.LastSet {
			continue // there is no clause for it
		}
		words = append(words, "reduction("+string(r.Operator)+": "+r.Symbol.Name+")")
	}
	full := strings.Join(words, " ")
	if fixed && len(full) > widest || len(full) > 120 {
		return plain // the tool derives the clauses again
	}
	return full
}

// New is the source with the insertions.
func (c *Change) New() []byte {
	var b bytes.Buffer
	at := 0
	for _, in := range c.Insertions {
		b.Write(c.Old[at:in.Offset])
		b.WriteString(in.Text)
		at = in.Offset
	}
	b.Write(c.Old[at:])
	return b.Bytes()
}
