package main

// The examples of a document: fenced blocks, each with the directives in the comments right above it.
// In this file: reading Markdown as far as that needs it. Not in this file: what is done with a block.

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// block is one fenced block.
type block struct {
	document   string // relative to the tree
	line       int    // of the opening fence
	language   string // first word behind the fence, in lower case; "" when there is none
	text       string // without the fences, and without the indentation of the opening one
	directives map[string]string
}

func (b block) place() string { return fmt.Sprintf("%s:%d", b.document, b.line) }

// The directives, written as <!-- KEY: VALUE --> above a block.
const (
	keyNotRun   = "not run"     // why the block cannot be run
	keyRunBy    = "run by"      // the name of another test of ctest that runs it
	keyDryRun   = "dry run"     // why its commands of make are run with -n only
	keyGiven    = "given"       // files it needs: "plain.f90 as model.f90; leak.f90 as model", or the folder of an example: "examples/axpy"
	keyNeeds    = "needs"       // tools without which it is not run: "mpirun, valgrind"
	keyRun      = "run"         // "with and without the library"
	keyOutput   = "output of"   // "the example above"
	keyPaths    = "paths of"    // "the tree" or "the prefix"
	keyDiff     = "diff of"     // two files, relative to the document
	keyVerdicts = "verdicts of" // "portablef survey": comments of loops say what it says
	keyEnds     = "ends with"   // the exit code of each command of a console, where that is not 0
)

var keys = []string{keyNotRun, keyRunBy, keyDryRun, keyGiven, keyNeeds, keyRun, keyOutput, keyPaths, keyDiff, keyVerdicts, keyEnds}

var (
	fence     = regexp.MustCompile("^( *)(`{3,}|~{3,}) *([^`]*)$")
	comment   = regexp.MustCompile(`(?s)^<!--\s*(.*?)\s*-->$`)
	directive = regexp.MustCompile(`(?s)^([a-z ]+?)\s*:\s*(.+)$`)
	listItem  = regexp.MustCompile(`^ *([-*+]|\d+[.)]) `)
)

// parse finds the blocks of a document. Besides them it gives an error for each thing that would hide an
// example: a fence that is not closed, a directive that does not exist, code that is indented instead of fenced.
func parse(document, text string) (blocks []block, err error) {
	var faults []error
	fault := func(line int, format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s:%d: %s", document, line, fmt.Sprintf(format, args...)))
	}
	lines := strings.Split(text, "\n")
	above := map[string]string{} // directives since the last line that was something else
	inList, afterBlank := false, true
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t\r")
		if line == "" {
			afterBlank = true
			continue
		}
		if m := fence.FindStringSubmatch(line); m != nil {
			end := closing(lines, i+1, m[2])
			if end < 0 {
				fault(i+1, "the fence is not closed")
				break
			}
			b := block{document: document, line: i + 1, directives: above}
			if words := strings.Fields(m[3]); len(words) > 0 {
				b.language = strings.ToLower(words[0])
			}
			for _, l := range lines[i+1 : end] {
				b.text += strings.TrimRight(unindent(l, len(m[1])), "\r") + "\n"
			}
			blocks = append(blocks, b)
			above, i, afterBlank = map[string]string{}, end, false
			continue
		}
		if strings.HasPrefix(line, "<!--") {
			first := i
			for !strings.Contains(line, "-->") && i+1 < len(lines) {
				i++
				line += " " + strings.TrimSpace(lines[i])
			}
			if m := comment.FindStringSubmatch(line); m != nil {
				if d := directive.FindStringSubmatch(m[1]); d != nil {
					if !slices.Contains(keys, d[1]) {
						fault(first+1, "there is no directive %q; there are: %s", d[1], strings.Join(keys, ", "))
					}
					above[d[1]] = strings.Join(strings.Fields(d[2]), " ")
				}
			}
			continue
		}
		if len(above) > 0 {
			fault(i+1, "a directive stands above text that is no fenced block")
			above = map[string]string{}
		}
		switch {
		case listItem.MatchString(line):
			inList = true
		case !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t"):
			inList = false
		case afterBlank && !inList && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")):
			fault(i+1, "an example by indentation; write it between fences, with its language, so that it is tested")
		}
		afterBlank = false
	}
	return blocks, errors.Join(faults...)
}

// closing gives the line that closes a fence, or -1.
func closing(lines []string, from int, mark string) int {
	for i := from; i < len(lines); i++ {
		l := strings.TrimSpace(lines[i])
		if len(l) >= len(mark) && strings.Trim(l, mark[:1]) == "" {
			return i
		}
	}
	return -1
}

func unindent(line string, n int) string {
	for range n {
		line = strings.TrimPrefix(line, " ")
	}
	return line
}
