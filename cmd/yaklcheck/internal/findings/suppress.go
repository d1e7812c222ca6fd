package findings

// This file reads suppressions: the format of the file, and which findings an entry matches.
// suppress_write.go writes entries.
//
// An entry is a line `suppress` with any words behind it, and conditions below it, one a line. All
// conditions must hold:
//
//	suppress tables that live until the end
//	  kind       leak, growth
//	  label      lut_*
//	  program    model*
//	  allocated  init_tables  tables.f90
//
// `kind` takes names of kinds; `label`, `other` and `program` take a pattern. `at`, `allocated`,
// `freed` and `launched` take a pattern of a procedure and, optionally, one of a file. They hold if
// a frame of that stack matches both. Several lines of one word must match frames in that order,
// innermost first; other frames may be between. In patterns * is any characters and ? is one. A
// pattern of a file may begin at any folder. Upper and lower case of procedures are equal, as in
// Fortran. # begins a comment.

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"libportable/internal/outside"
)

// Suppressions are entries of files, in order.
type Suppressions struct{ entries []*entry }

type entry struct {
	name                  string
	source                string // FILE:LINE
	kinds                 []*Kind
	label, other, program *string
	frames                map[Role][]framePattern
	used                  int
}

type framePattern struct{ procedure, file string }

// roleNames are the words of the file.
var roleNames = map[string]Role{"at": Here, "allocated": Allocated, "freed": Freed, "launched": Other}

// ReadSuppressions adds the entries of a file.
func (s *Suppressions) ReadSuppressions(path string) error {
	file, err := outside.OpenArgument(path)
	if err != nil {
		return fmt.Errorf("the suppressions cannot be read: %w", err)
	}
	defer file.Close()
	return s.parse(path, file)
}

func (s *Suppressions) parse(path string, from io.Reader) error {
	lines := bufio.NewScanner(from)
	number := 0
	var current *entry
	fail := func(format string, values ...any) error {
		return fmt.Errorf("%s:%d: %s", path, number, fmt.Sprintf(format, values...))
	}
	for lines.Scan() {
		number++
		text, _, _ := strings.Cut(lines.Text(), "#")
		word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		rest = strings.TrimSpace(rest)
		switch {
		case word == "":
			continue
		case word == "suppress":
			if err := current.complete(); err != nil {
				return err
			}
			current = &entry{name: rest, source: fmt.Sprintf("%s:%d", path, number), frames: map[Role][]framePattern{}}
			s.entries = append(s.entries, current)
			continue
		case current == nil:
			return fail("%q stands before the first line `suppress`", word)
		case rest == "":
			return fail("%q needs a value", word)
		}
		if text := current.condition(word, rest); text != "" {
			return fail("%s", text)
		}
	}
	if err := lines.Err(); err != nil {
		return fail("%v", err)
	}
	return current.complete()
}

// complete returns an error if the entry has no condition.
func (e *entry) complete() error {
	if e != nil && e.kinds == nil && e.label == nil && e.other == nil && len(e.frames) == 0 {
		return fmt.Errorf("%s: this entry has no condition: it would hide everything", e.source)
	}
	return nil
}

// condition adds one line, or says why it is invalid.
func (e *entry) condition(word, rest string) string {
	role, isRole := roleNames[word]
	switch {
	case word == "kind":
		for name := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == ',' || r == ' ' }) {
			kind := kindNamed(name)
			if kind == nil {
				return fmt.Sprintf("there is no kind %q; kinds are: %s", name, strings.Join(kindNames(), ", "))
			}
			e.kinds = append(e.kinds, kind)
		}
	case word == "label":
		e.label = &rest
	case word == "other":
		e.other = &rest
	case word == "program":
		e.program = &rest
	case isRole:
		fields := strings.Fields(rest)
		if len(fields) > 2 {
			return fmt.Sprintf("%q takes a procedure and a file, not %d words", word, len(fields))
		}
		e.frames[role] = append(e.frames[role], framePattern{fields[0], strings.Join(fields[1:], "")})
	default:
		return fmt.Sprintf("%q is not a condition; conditions are: kind, label, other, program, at, allocated, freed, launched", word)
	}
	return ""
}

func kindNames() (names []string) {
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	return names
}

// Match reports whether a finding in that program is suppressed, and marks the entry as used.
func (s *Suppressions) match(f *Finding, program string) bool {
	if s == nil {
		return false
	}
	for _, e := range s.entries {
		if e.matches(f, program) {
			e.used++
			return true
		}
	}
	return false
}

// Unused are the entries that have matched no finding, as sentences.
func (s *Suppressions) Unused() (texts []string) {
	if s == nil {
		return nil
	}
	for _, e := range s.entries {
		if e.used == 0 {
			texts = append(texts, strings.TrimSpace(fmt.Sprintf("unused suppression %s %s", e.source, e.name)))
		}
	}
	return texts
}

func (e *entry) matches(f *Finding, program string) bool {
	if e.kinds != nil && !slices.Contains(e.kinds, f.Kind) {
		return false
	}
	for _, p := range []struct {
		pattern *string
		text    string
	}{{e.label, f.Label}, {e.other, f.Other}, {e.program, filepath.Base(program)}} {
		if p.pattern != nil && !glob(*p.pattern, p.text) {
			return false
		}
	}
	for role, patterns := range e.frames {
		site := f.site(role)
		if site == nil || !matchFrames(patterns, site.Frames) {
			return false
		}
	}
	return true
}

func matchFrames(patterns []framePattern, frames []Frame) bool {
	for _, frame := range frames {
		if len(patterns) == 0 {
			return true
		}
		if patterns[0].matches(&frame) {
			patterns = patterns[1:]
		}
	}
	return len(patterns) == 0
}

func (p framePattern) matches(f *Frame) bool {
	if !glob(strings.ToLower(p.procedure), strings.ToLower(f.Procedure)) {
		return false
	}
	file := cmp.Or(f.File, f.Module)
	return p.file == "" || glob(p.file, file) || glob("*/"+p.file, file)
}

// glob matches a whole text: * is any characters, including the / of folders, and ? one of them.
func glob(pattern, text string) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
