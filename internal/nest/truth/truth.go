// Package truth reads the truth of loop nests from comments of Fortran sources: the verdict that a tool
// must reach, written by hand before the nest as `! truth: parallel i j; private d`. Tests of the tool,
// of its table of semantics and of the census compare with it. Keys are in Nest. Not here: any analysis;
// it finds where a nest ends, its depth and its number of statements, and nothing else. It imports
// nothing of ours. Threads: safe, no state.
package truth

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Nest is one truth comment and the nest behind it. Names are in lower case.
type Nest struct {
	File string
	Line int // of the comment

	Do, End    int // lines of the nest's first and last statement
	Depth      int // of DO constructs
	Statements int // from DO to END DO, both counted
	Loops      []string

	Parallel   []string          // parallel i j: the loops that run in parallel, outermost first
	Refused    string            // refused RULE NAME; several rules that will do are joined by a bar: directive|effect
	Name       string            // that the refusal must name; may be empty
	Private    []string          // private a b
	Last       []string          // last a b
	Reductions map[string]string // reduction +:s maxloc:k
	Sums       []string          // sums h
	Census     string            // census RULE: the rule by which the census of real codes counts it as refused, though it is parallel with last values
	Ask        string            // ask private w: a clause of the directive with which a refused nest is accepted
	Features   []string          // features sections calls-known
	Run        string            // run NAME: the row of the table of semantics
	Marks      []int             // lines with `!<` at their end, up to the next truth comment: those that a refusal must name
}

// Rules are the rules by which a nest is refused.
var Rules = []string{
	"carried-scalar", "conditional-scalar", "last-value", "recurrence", "unknown-distance", "same-element", "strides", "index-array", "whole-array",
	"private-array", "leaves-loop", "jump", "effect", "call-effect", "not-seen", "not-read", "not-converted", "directive", "overlap",
}

// Features are the words for what a nest of the census contains. Each nest has at least one; core stands alone.
var Features = []string{
	"core", "reduction", "component", "calls-known", "stride", "sections", "unseen", "private-array", "function-known", "exit-cycle", "array-sum", "indirect",
	"concurrent", "array-intrinsic", "character", "goto", "pointer", "last", "select", "while", "complex", "where",
}

// ReadFile reads a source; its form follows from its extension.
func ReadFile(name string) ([]Nest, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Read(name, string(text))
}

// Fixed says that a file of this name is in fixed form.
func Fixed(name string) bool {
	return slices.Contains([]string{".f", ".for", ".F", ".FOR"}, filepath.Ext(name))
}

// Read reads the text of a source.
func Read(name, text string) (nests []Nest, err error) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		items, is := strings.CutPrefix(line, "! truth:")
		more, continues := strings.CutPrefix(line, "! truth+")
		switch {
		case is:
			nests = append(nests, Nest{File: name, Line: i + 1, Reductions: map[string]string{}})
			more = items
			fallthrough
		case continues:
			if len(nests) == 0 {
				return nil, fmt.Errorf("%s:%d: this line continues no truth comment", name, i+1)
			}
			if err := nests[len(nests)-1].add(strings.ToLower(more)); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
			}
		case strings.HasSuffix(line, "!<") && len(nests) > 0:
			n := &nests[len(nests)-1]
			n.Marks = append(n.Marks, i+1)
		}
	}
	statements := split(lines, Fixed(name))
	for i := range nests {
		n := &nests[i]
		if err := n.measure(statements); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n.Line, err)
		}
		if err := n.check(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n.Line, err)
		}
	}
	return nests, nil
}

// add reads the items of one line.
func (n *Nest) add(items string) error {
	for _, item := range strings.Split(items, ";") {
		words := strings.Fields(item)
		if len(words) == 0 {
			continue
		}
		key, words := words[0], words[1:]
		if len(words) == 0 {
			return fmt.Errorf("'%s' has no word behind it", key)
		}
		switch key {
		case "parallel":
			n.Parallel = append(n.Parallel, words...)
		case "refused":
			n.Refused, n.Name = words[0], strings.Join(words[1:], " ")
		case "private":
			n.Private = append(n.Private, words...)
		case "last":
			n.Last = append(n.Last, words...)
		case "sums":
			n.Sums = append(n.Sums, words...)
		case "features":
			n.Features = append(n.Features, words...)
		case "run":
			n.Run = words[0]
		case "census":
			n.Census = words[0]
		case "ask":
			n.Ask = strings.Join(words, " ")
		case "reduction":
			for _, word := range words {
				op, name, good := strings.Cut(word, ":")
				if !good {
					return fmt.Errorf("'%s' is no operator:name", word)
				}
				n.Reductions[name] = op
			}
		default:
			return fmt.Errorf("the key '%s' is not known", key)
		}
	}
	return nil
}

// RefusedBy says that a refusal with this rule is right.
func (n *Nest) RefusedBy(rule string) bool {
	return slices.Contains(strings.Split(n.Refused, "|"), rule)
}

func (n *Nest) unknown() string {
	for _, rule := range strings.Split(n.Refused, "|") {
		if !slices.Contains(Rules, rule) {
			return rule
		}
	}
	return ""
}

// check refuses comments that say nothing, or too much.
func (n *Nest) check() error {
	switch {
	case len(n.Parallel) == 0 && n.Refused == "", len(n.Parallel) > 0 && n.Refused != "":
		return fmt.Errorf("a truth is either parallel or refused")
	case n.Refused != "" && n.unknown() != "":
		return fmt.Errorf("the rule '%s' is not known", n.unknown())
	case n.Census != "" && (n.Refused != "" || !slices.Contains(Rules, n.Census)):
		return fmt.Errorf("census names the rule of a nest that is parallel")
	case n.Ask != "" && n.Refused == "":
		return fmt.Errorf("only a refused nest asks for a clause")
	}
	for _, f := range n.Features {
		if !slices.Contains(Features, f) {
			return fmt.Errorf("the feature '%s' is not known", f)
		}
		if f == "core" && len(n.Features) > 1 {
			return fmt.Errorf("core stands alone")
		}
	}
	for _, v := range n.Parallel {
		if !slices.Contains(n.Loops, v) {
			return fmt.Errorf("the nest has no loop '%s', it has %v", v, n.Loops)
		}
	}
	return nil
}
