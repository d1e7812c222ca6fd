package lint

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// This file reads the files of a program, with all branches of the preprocessor, and finds places and words of the source.

const escape = "yaklcheck: ok"

// program is all files.
type program struct {
	*scope.Program
	set        *source.Set
	order      map[string]int           // of the files as given
	lines      map[int32][]*source.Line // statements of each file of the set
	branches   map[int32][]int32        // lines of a file with #if, #else, #endif and their kin
	procedures []*procedure             // with their statements, in the order of the text; no interface bodies
	of         map[*scope.Scope]*procedure
	meanings   map[seen]meaning
	asked      map[question]bool
}

func (o Options) open(path string) ([]byte, error) {
	if o.Open == nil {
		return nil, errors.New("included files are left out")
	}
	return o.Open(path)
}

func load(files []File, o Options) *program {
	p := &program{set: source.NewSet(o.open), order: map[string]int{}, lines: map[int32][]*source.Line{}, branches: map[int32][]int32{},
		of: map[*scope.Scope]*procedure{}, meanings: map[seen]meaning{}, asked: map[question]bool{}}
	options := source.Options{FixedColumns: o.Columns, AllBranches: true, Mark: escape, Include: o.Folders}
	switch {
	case o.Fixed:
		options.Form = source.Fixed
	case o.Free:
		options.Form = source.Free
	}
	var trees []*tree.File
	for i, f := range files {
		p.order[f.Name] = i
		c := source.Read(p.set, f.Name, f.Text, options)
		for _, l := range c.Lines {
			switch at := l.Span.From; l.Kind {
			case source.Statement:
				if n := len(p.lines[at.File]); n == 0 || p.lines[at.File][n-1].Span.From.Offset < at.Offset { // included once more
					p.lines[at.File] = append(p.lines[at.File], l)
				}
			case source.Branch:
				p.branches[at.File] = append(p.branches[at.File], at.Line)
			case source.Directive:
				claim(l)
			}
		}
		trees = append(trees, parse.File(c))
	}
	p.Program = scope.Build(trees, scope.Options{Library: ourModules{}})
	for _, t := range trees {
		for _, u := range t.Units {
			p.unit(u)
		}
	}
	return p
}

// place is a position with the name of its file as a user knows it.
func (p *program) place(at token.Pos) Place {
	if !at.Known() {
		return Place{}
	}
	return Place{p.set.File(at.File).Name, int(at.Line)}
}

// declared is where a symbol is declared: an implicit one by its procedure.
func (p *program) declared(y *scope.Symbol) Place {
	if y.Implicit && y.Scope.Unit != nil {
		return p.place(head(y.Scope.Unit))
	}
	return p.place(y.Where.From)
}

// words are the tokens of an expression as they are written.
func (p *program) words(e tree.Expression) (out []token.Token) {
	at := e.Span()
	lines := p.lines[at.From.File]
	i := sort.Search(len(lines), func(i int) bool { return lines[i].Span.From.Offset > at.From.Offset })
	if i == 0 {
		return nil
	}
	for _, t := range lines[i-1].Tokens {
		if t.Span.From.Offset >= at.From.Offset && t.Span.To.Offset <= at.To.Offset {
			out = append(out, t)
		}
	}
	return out
}

// spelled is the text of an expression without blanks.
func (p *program) spelled(e tree.Expression) string {
	var b strings.Builder
	for _, t := range p.words(e) {
		if t.Kind == token.String {
			b.WriteString("'" + t.Text + "'")
		} else {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// written is the text of an expression with blanks as people set them.
func (p *program) written(e tree.Expression) (s string) {
	words := p.words(e)
	for i, t := range words {
		if i > 0 && (words[i-1].Is(",") || slices.ContainsFunc([]string{"+", "-"}, func(op string) bool { return t.Is(op) || words[i-1].Is(op) })) {
			s += " "
		}
		s += t.Text
	}
	return s
}
