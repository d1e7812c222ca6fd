package main

import (
	"fmt"
	"slices"
	"strings"
)

// misuse is one kind of misuse in Fortran: the code that commits it, and the rule for its outcome. The rule is written
// from the promises of the documents (portable.h, docs/build/environment.md, docs/start/yakl.md), not from the output of a
// run. This file holds the parts of a kind and the words of the rules. The kinds are in misuse_*_kinds.go, those of C in
// ffi_tests/misuse.
//
// A form whose code is empty does not exist. In code {stat} stands for `, stat=stat, errmsg=message`, and {only} for the
// same as the only arguments. {say} prints both; it follows the line of the last {stat} or {only} if the code does not
// name it. Without stat= all three are nothing.
type misuse struct {
	name, what string
	rule       func(c cell) verdict
	stub       func(c cell) verdict // the rule with portable_stub.F90; nil: the same
	env        func(c cell) string  // variables
	fortran    string               // gator_mod, with stat= and without
	system     string               // the same with the modules that the stub does not have
	checked    string               // YAKL's helpers in gator_mod, which have no stat=
	bare       string               // gator_allocate_c and gator_deallocate_c from Fortran, which have no status
}

// form is one way to commit a kind: its program, the end of the kind's name there, and the mark of its texts.
type form struct {
	program, suffix, mark string
	stat                  bool // the program asks for stat=
	code                  func(m *misuse) string
}

var (
	withStat    = &form{"misuse_stat", "", "F:", true, func(m *misuse) string { return m.fortran }}
	plain       = &form{"misuse_no_stat", "", "F:", false, func(m *misuse) string { return m.fortran }}
	checked     = &form{"misuse_no_stat", "_checked", "K:", false, func(m *misuse) string { return m.checked }}
	bare        = &form{"misuse_no_stat", "_bare", "B:", false, func(m *misuse) string { return m.bare }}
	systemStat  = &form{"misuse_system_stat", "", "F:", true, func(m *misuse) string { return m.system }}
	systemPlain = &form{"misuse_system_no_stat", "", "F:", false, func(m *misuse) string { return m.system }}
	forms       = []*form{withStat, plain, checked, bare, systemStat, systemPlain}
)

// systemUses are the modules that the programs of system kinds have in addition.
const systemUses = "  use portable_pool_mod\n  use portable_system_mod\n  use portable_observe_mod\n  use portable_graph_mod\n" +
	"  use portable_mesh_mod\n  use portable_particles_mod\n  use portable_argument_mod\n" +
	"  use portable_blocks_mod\n  use {program}_blocks\n"

func (m *misuse) forms() []*form {
	return slices.DeleteFunc(slices.Clone(forms), func(f *form) bool { return f.code(m) == "" })
}

// running is code between gator_init and gator_finalize, before which no block is live if the code does not say it.
func running(code string) string {
	if !strings.Contains(code, "goes_on(") {
		code += "\ncall goes_on(0)"
	}
	return "call gator_init()\n" + strings.TrimLeft(code, "\n") + "\ncall gator_finalize()"
}

// cell is one place of the matrix, for a kind that is known.
type cell struct {
	form                  *form
	strict, disable, slow bool // GATOR_STRICT=1, GATOR_DISABLE=1, PORTABLE_FASTPATH=0
}

// cells is the product of all settings.
func (f *form) cells() (all []cell) {
	for i := range 8 {
		all = append(all, cell{form: f, slow: i&4 != 0, disable: i&2 != 0, strict: i&1 != 0})
	}
	return all
}

// fate is the end of the program.
type fate int

const (
	passes fate = iota // nothing is written
	tells              // a text is written that is no error, as the list of leaks
	warns              // the same, with the word warning on exactly one line
	fails              // an error: a status, or the end of the program
)

// verdict is the expected outcome of a cell. Each text must be found; one that begins with the mark of a form counts in
// that form alone.
type verdict struct {
	fate  fate
	code  int
	texts []string
}

func says(f fate, texts ...string) verdict      { return verdict{fate: f, texts: texts} }
func failure(code int, texts ...string) verdict { return verdict{fails, code, texts} }

// always is the rule of an outcome that no setting changes.
func always(v verdict) func(cell) verdict { return func(cell) verdict { return v } }

// refused is the rule of an error that no setting changes.
func refused(code int, texts ...string) func(cell) verdict { return always(failure(code, texts...)) }

// strictly is the rule of an outcome that GATOR_STRICT=1 changes.
func strictly(otherwise, strict verdict) func(cell) verdict {
	return func(c cell) verdict {
		if c.strict {
			return strict
		}
		return otherwise
	}
}

// disabled is the rule of an outcome that GATOR_DISABLE=1 changes.
func disabled(otherwise, disable verdict) func(cell) verdict {
	return func(c cell) verdict {
		if c.disable {
			return disable
		}
		return otherwise
	}
}

// The numbers of portable.h; a test compares them.
const (
	errArg      = 1
	errNomem    = 2
	errHandle   = 3
	errState    = 4
	errPointer  = 5
	errOverflow = 6
	errNoDevice = 7
	errLeak     = 8
	errKernel   = 13
)

// mine are the texts that count in a form, without their marks.
func (v verdict) mine(f *form) (texts []string) {
	for _, t := range v.texts {
		if len(t) > 2 && t[1] == ':' && strings.Contains("FKB", t[:1]) {
			if t[:2] != f.mark {
				continue
			}
			t = t[2:]
		}
		texts = append(texts, t)
	}
	return texts
}

// outcome is the verdict in the words of cells.txt; the head of ffi_tests/misuse/run_cells.c explains them.
func (v verdict) outcome(c cell) string {
	texts := v.mine(c.form)
	word := map[fate]string{passes: "ok", tells: "says", warns: "warning", fails: "stop"}[v.fate]
	if c.form.stat {
		texts = append([]string{fmt.Sprintf("stat %d:", v.code)}, texts...)
	}
	if v.fate == fails && (c.form.stat || c.form == bare) {
		word = "says"
		if c.form == bare && c.strict {
			word = "abort"
		}
	}
	if len(texts) == 0 {
		return word
	}
	return word + ": " + strings.Join(texts, " && ")
}
