package source

import (
	"fmt"
	"sort"

	"libportable/internal/fortran/token"
)

// maxProblems is the most problems that are kept of one file.
const maxProblems = 1000

// reader reads one file with those that it includes.
type reader struct {
	set      *Set
	o        Options
	out      *Contents
	pre      *preprocessor
	now      statement
	lex      lexer
	marks    map[int32][]int32 // lines of a file with Options.Mark, ascending
	stack    []*feed           // files that are being read, the innermost last
	included int               // bytes of included files
	// memory of lines and tokens comes in blocks
	lines  []Line
	tokens []token.Token
}

// Read reads a file whose text is given.
func Read(set *Set, name string, text []byte, o Options) *Contents {
	fixed := o.IsFixed(name)
	if len(text) > maxFile {
		f := set.add(name, nil, fixed)
		return &Contents{File: f, Problems: []Problem{{token.Pos{File: f.Index, Line: 1, Column: 1}, "the file has 2 GB or more; split it"}}}
	}
	r := &reader{set: set, o: o, marks: map[int32][]int32{}, out: &Contents{File: set.add(name, text, fixed)}}
	r.out.File.Last = o.columns()
	r.lex.r = r
	r.lex.names = map[string]string{}
	if o.IsPreprocessed(name) && !o.AllBranches {
		r.pre = newPreprocessor(r)
	}
	r.file(r.out.File, false)
	r.mark()
	return r.out
}

// ReadFile is Read of a file that the set opens.
func ReadFile(set *Set, name string, o Options) (*Contents, error) {
	text, err := set.open(name)
	if err != nil {
		return nil, err
	}
	return Read(set, name, text, o), nil
}

func (r *reader) problem(at token.Pos, format string, values ...any) {
	if len(r.out.Problems) < maxProblems {
		r.out.Problems = append(r.out.Problems, Problem{at, fmt.Sprintf(format, values...)})
	}
}

// mark sets Marked of the lines whose comments have the mark.
func (r *reader) mark() {
	if len(r.marks) == 0 {
		return
	}
	for _, l := range r.out.Lines {
		in := r.marks[l.Span.From.File]
		i := sort.Search(len(in), func(i int) bool { return in[i] >= l.Lines[0] })
		l.Marked = i < len(in) && in[i] <= l.Lines[1]
	}
}
