package main

import (
	"fmt"
	"strings"
)

// misuse is one kind of misuse: code that commits it, and the rule for its outcome. The rule follows the documents
// (portable.h, docs/build/environment.md, docs/start/yakl.md), not the output of a run. This file holds the parts of a
// kind, and the words of the rules. The kinds are in misuse_*_kinds.go.
//
// An empty field of code says that the kind cannot be committed in that way. In Fortran code {stat} stands
// for `, stat=stat, errmsg=message`, {only} for the same as the only arguments, and a line {say} prints the two;
// without stat= all three are empty. In C code ASK(call) tests the status of a call, or ignores it.
type misuse struct {
	name, what string
	fortran    string // gator_mod, with stat= and without
	checked    string // YAKL's helpers in gator_mod, which have no stat=
	bare       string // gator_allocate_c and gator_deallocate_c from Fortran, which have no status
	c          string // portable_*; the status is tested or ignored
	gator      string // gatorInit and so on, which have no status
	env        func(c cell) []string
	rule       func(c cell) verdict
	stub       func(c cell) verdict // the outcome with portable_stub.F90; nil: the same
}

// form is one way to commit a kind.
type form int

const (
	fortranStat form = iota
	fortranPlain
	fortranChecked
	fortranBare
	cStatus
	cIgnored
	cGator
	formCount
)

// forms says for each form which program holds it, what its kinds' names end in there, and whether the caller
// looks at a status.
var forms = [formCount]struct {
	program, suffix string
	stat            bool
}{
	fortranStat:    {"misuse_stat", "", true},
	fortranPlain:   {"misuse_no_stat", "", false},
	fortranChecked: {"misuse_no_stat", "_checked", false},
	fortranBare:    {"misuse_no_stat", "_bare", false},
	cStatus:        {"misuse_status", "", true},
	cIgnored:       {"misuse_no_status", "", false},
	cGator:         {"misuse_no_status", "_gator", false},
}

// code is the code of a kind in a form, "" if it cannot be committed so.
func (m *misuse) code(f form) string {
	return [formCount]string{m.fortran, m.fortran, m.checked, m.bare, m.c, m.c, m.gator}[f]
}

// cell is one cell of the matrix, for a given kind.
type cell struct {
	form                  form
	strict, disable, slow bool // GATOR_STRICT=1, GATOR_DISABLE=1, PORTABLE_FASTPATH=0
}

// inFortran says whether the caller sees gator_mod's errors: a stat, or error stop.
func (c cell) inFortran() bool {
	return c.form == fortranStat || c.form == fortranPlain || c.form == fortranChecked
}

// fate is what becomes of the program.
type fate int

const (
	passes fate = iota // nothing is said
	tells              // something is said that is no error, as the list of leaks
	warns              // the same, with the word warning on exactly one line
	fails              // an error: a status, or the end of the program
)

// verdict is what has to come of a cell. Each text must be found; one that begins with F: counts in gator_mod's
// forms with and without stat, K: in the helpers' form, B: in those without a status, C: in that of portable.h.
type verdict struct {
	fate  fate
	code  int
	texts []string
}

func says(f fate, texts ...string) verdict      { return verdict{fate: f, texts: texts} }
func failure(code int, texts ...string) verdict { return verdict{fails, code, texts} }

// always is the rule of what no setting changes.
func always(v verdict) func(cell) verdict { return func(cell) verdict { return v } }

// strictly is the rule of outcomes that GATOR_STRICT=1 changes.
func strictly(otherwise, strict verdict) func(cell) verdict {
	return func(c cell) verdict {
		if c.strict {
			return strict
		}
		return otherwise
	}
}

// disabled is the rule of what GATOR_DISABLE=1 gives another text to.
func disabled(otherwise, disable verdict) func(cell) verdict {
	return func(c cell) verdict {
		if c.disable {
			return disable
		}
		return otherwise
	}
}

// errorNames are the numbers of portable.h with their names; a test compares them.
var errorNames = map[int]string{
	1: "ARG", 2: "NOMEM", 3: "HANDLE", 4: "STATE", 5: "POINTER", 6: "OVERFLOW", 7: "NODEVICE", 8: "LEAK", 9: "VERSION", 10: "FORK", 11: "CORRUPT", 13: "KERNEL",
}

const (
	errArg = 1 + iota
	errNomem
	errHandle
	errState
	errPointer
	errOverflow
	errNoDevice
	errLeak
	errVersion
	errFork
	errCorrupt
	_
	errKernel
)

// mine gives the texts that count in a form, without their marks.
func (v verdict) mine(f form) (texts []string) {
	marks := [formCount]string{"F:", "F:", "K:", "B:", "C:", "C:", "B:"}
	for _, t := range v.texts {
		if len(t) > 2 && t[1] == ':' && strings.Contains("FKBC", t[:1]) {
			if t[:2] != marks[f] {
				continue
			}
			t = t[2:]
		}
		texts = append(texts, t)
	}
	return texts
}

// outcome is the verdict as cells.txt has it; the head of ffi_tests/misuse/run_cells.c explains the words.
func (v verdict) outcome(c cell) string {
	texts := v.mine(c.form)
	word := map[fate]string{passes: "ok", tells: "says", warns: "warning"}[v.fate]
	status := ""
	switch c.form {
	case fortranStat:
		status = fmt.Sprintf("stat %d:", v.code)
	case cStatus:
		status = "status 0"
		if v.fate == fails {
			status = fmt.Sprintf("status -%d PORTABLE_ERR_%s:", v.code, errorNames[v.code])
		}
	}
	if v.fate == fails {
		switch {
		case forms[c.form].stat:
			word = "says"
		case c.form == cIgnored: // the library prints nothing that a status says
			return "ok"
		case c.inFortran():
			word = "stop"
		case c.strict:
			word = "abort"
		default:
			word = "says"
		}
	}
	if status != "" {
		texts = append([]string{status}, texts...)
	}
	if len(texts) == 0 {
		return word
	}
	return word + ": " + strings.Join(texts, " && ")
}
