package lint

import (
	"fmt"
	"path/filepath"
	"strconv"

	"libportable/internal/fortran/source"
	tokens "libportable/internal/fortran/token"
)

// This file takes the lines of a file from package source, with all branches of the preprocessor,
// and makes them the words of this package.

const escape = "yaklcheck: ok"

// contents is a file with the names of the files that its lines come from.
type contents struct {
	*source.Contents
	set   *source.Set
	names map[string]string // of an included file: the name that Options.Include gives, by the path that was asked for
}

// split reads a file and the files that it includes.
func split(f File, o Options) contents {
	c := contents{names: map[string]string{}}
	c.set = source.NewSet(func(path string) ([]byte, error) {
		if o.Include != nil {
			name := path
			if relative, err := filepath.Rel(filepath.Dir(f.Name), path); err == nil {
				name = relative
			}
			if found, ok := o.Include(f.Name, name); ok {
				c.names[path] = found.Name
				return found.Text, nil
			}
		}
		return nil, fmt.Errorf("%s is left out", path)
	})
	options := source.Options{FixedColumns: o.Columns, AllBranches: true, Mark: escape}
	switch {
	case o.Fixed:
		options.Form = source.Fixed
	case o.Free:
		options.Form = source.Free
	}
	c.Contents = source.Read(c.set, f.Name, f.Text, options)
	return c
}

// file is the name of the file that a line is in.
func (c contents) file(l *source.Line) string {
	name := c.set.File(l.Span.From.File).Name
	if given, included := c.names[name]; included {
		return given
	}
	return name
}

// words are the tokens of a line.
func words(l *source.Line) []token {
	out := make([]token, 0, len(l.Tokens))
	for _, t := range l.Tokens {
		w := token{sign, t.Text, t.Span.From.Line}
		switch t.Kind {
		case tokens.Name:
			w.kind = name
		case tokens.Integer, tokens.Real, tokens.BOZ:
			w.kind = number
		case tokens.String, tokens.Hollerith:
			w.kind = text
		}
		out = append(out, w)
	}
	return out
}

// label is the statement label of a line, "" without one.
func label(l *source.Line) string {
	if l.Label == 0 {
		return ""
	}
	return strconv.Itoa(int(l.Label))
}
