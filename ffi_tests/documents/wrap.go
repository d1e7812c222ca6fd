package main

// How a fragment becomes something that can be compiled. The rules are few and do not look at who wrote the
// fragment, so the text that readers copy is the text that is compiled.
// In this file: the rules for Fortran, C and CMake. Not in this file: compilers (run.go).

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	fortranUnit = regexp.MustCompile(`(?i)^\s*(program|module|submodule|(pure |elemental |recursive |impure )*(subroutine|function))\s+\w`)
	fortranMain = regexp.MustCompile(`(?im)^\s*program\s+\w`)
	fortranUse  = regexp.MustCompile(`(?i)^\s*use\b`)
	fortranWord = regexp.MustCompile(`(?i)^\s*(implicit|integer|real|complex|logical|character|type|class|double precision|procedure|include)\b`)
	fortranInit = regexp.MustCompile(`(?i)\bgator_init\b`)
	cMain       = regexp.MustCompile(`\bmain\s*\(`)
	cFunction   = regexp.MustCompile(`(?m)^[A-Za-z_][^;=]*\)\s*\{\s*$`)
	cControl    = regexp.MustCompile(`^(if|for|while|switch|else|do)\b`)
	cmakeWhole  = regexp.MustCompile(`(?mi)^\s*project\s*\(`)
	cmakeTarget = regexp.MustCompile(`(?mi)^\s*add_executable\s*\(\s*(\w+)`)
)

// wrapFortran makes a source file of a block. Whole program units stay as they are. Statements get a program
// around them: `use` first (gator_mod when there is none), `implicit none`, declarations, and, when the statements
// do not start the library themselves, a start before and a stop after them.
func wrapFortran(text string) (source string, hasMain bool) {
	for _, line := range strings.Split(text, "\n") {
		if trimmed := strings.TrimSpace(line); trimmed == "" || strings.HasPrefix(trimmed, "!") {
			continue
		}
		if fortranUnit.MatchString(line) {
			return text, fortranMain.MatchString(text)
		}
		break
	}
	var uses, declarations, rest []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		continued := len(rest) == 0 && len(declarations) > 0 && strings.HasSuffix(uncommented(declarations[len(declarations)-1]), "&")
		switch {
		case len(rest) == 0 && len(declarations) == 0 && fortranUse.MatchString(line):
			uses = append(uses, line)
		case len(rest) == 0 && (continued || fortranWord.MatchString(line) || trimmed == "" || strings.HasPrefix(trimmed, "!")):
			declarations = append(declarations, line)
		default:
			rest = append(rest, line)
		}
	}
	if len(uses) == 0 {
		uses = []string{"use gator_mod"}
	}
	if !fortranInit.MatchString(text) {
		rest = append(append([]string{"call gator_init()"}, rest...), "call gator_finalize()")
	}
	all := append([]string{"program example"}, uses...)
	all = append(append(all, "implicit none"), declarations...)
	return strings.Join(append(append(all, rest...), "end program", ""), "\n"), true
}

// uncommented cuts a comment off; good enough for lines that end in & or not.
func uncommented(line string) string {
	line, _, _ = strings.Cut(line, "!")
	return strings.TrimSpace(line)
}

// wrapC makes a source file of a block. A text with a main or other functions stays as it is; statements go into a
// main of their own, after the preprocessor's lines.
func wrapC(text string) (source string, hasMain bool) {
	if cMain.MatchString(text) {
		return text, true
	}
	for _, line := range cFunction.FindAllString(text, -1) {
		if !cControl.MatchString(line) {
			return text, false
		}
	}
	var head, rest []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			head = append(head, line)
		} else {
			rest = append(rest, line)
		}
	}
	return strings.Join(head, "\n") + "\nint main(void) {\n" + strings.Join(rest, "\n") + "\nreturn 0;\n}\n", true
}

// wrapCMake makes a CMakeLists.txt of a block. Without project() it gets one, and without a target of its own the
// target `model` of model.f90, which the documents speak of.
func wrapCMake(text string) string {
	if cmakeWhole.MatchString(text) {
		return text
	}
	head := "cmake_minimum_required(VERSION 3.16)\nproject(example LANGUAGES C CXX Fortran)\n"
	if !cmakeTarget.MatchString(text) {
		head += "add_executable(model model.f90)\n"
	}
	return head + text
}

// cmakePrograms are the programs that a CMakeLists.txt makes.
func cmakePrograms(text string) (names []string) {
	for _, m := range cmakeTarget.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// fixture is a file that a block needs: a copy of ffi_tests/documents/given/from, or, when to has no extension, the
// program that is built of it.
type fixture struct{ from, to string }

var sourceName = regexp.MustCompile(`\b[A-Za-z]\w*\.(?:f90|F90|c|cpp)\b`)

// fixtures are the files that the directive names, and those that the text mentions and that exist.
func fixtures(given, text string, exists func(name string) bool) (list []fixture, err error) {
	taken := map[string]bool{}
	if given != "" {
		for _, item := range strings.Split(given, ";") {
			words := strings.Fields(item)
			switch {
			case len(words) == 1:
				words = append(words, "as", words[0])
			case len(words) != 3 || words[1] != "as":
				return nil, fmt.Errorf("given: %q is not FILE or FILE as NAME", strings.TrimSpace(item))
			}
			if !exists(words[0]) {
				return nil, fmt.Errorf("given: there is no %s in ffi_tests/documents/given, nor among the installed sources", words[0])
			}
			list, taken[words[2]] = append(list, fixture{words[0], words[2]}), true
		}
	}
	for _, name := range sourceName.FindAllString(text, -1) {
		if !taken[name] && exists(name) {
			list, taken[name] = append(list, fixture{name, name}), true
		}
	}
	return list, nil
}
