package main

// In this file: the command of a test as yaklcheck runs it. Scripts that compare outputs, or start ranks, would see yaklcheck's words among the
// program's, so of those that are known the program is run as they run it.

import (
	"path/filepath"
	"slices"
	"strings"
)

// words are the program and its arguments, or nil where there is no program of the build folder.
func (t *testOf) words(build string) []string {
	if len(t.Command) == 0 {
		return nil
	}
	name, rest := t.Command[0], t.Command[1:]
	switch {
	case strings.HasPrefix(name, build+"/"):
		return t.Command
	case filepath.Base(name) == "cmake" && len(rest) > 2 && slices.Equal(rest[:2], []string{"-E", "env"}):
		// env NAME=VALUE... PROGRAM ...
		for _, word := range rest[2:] {
			if strings.HasPrefix(word, build+"/") {
				return append([]string{"/usr/bin/env"}, rest[2:]...)
			}
		}
	case filepath.Base(name) == "bash" && len(rest) > 0:
		return script(name, rest[0], rest[1:])
	}
	return nil
}

// script is what is run of a script of ours.
func script(bash, path string, arguments []string) []string {
	// launch RANKS BINDING PROGRAM..., with the options that this machine's launcher needs
	ranks := func(mpirun string, launched ...string) []string {
		return append([]string{bash, "-c", `mpirun=$1; . "$0"; shift; launch "$@"`, filepath.Join(filepath.Dir(path), "options.sh"), mpirun}, launched...)
	}
	switch filepath.Base(path) {
	case "run_mpi.sh": // MPIRUN RANKS BINDING PROGRAM ARGUMENT..., each program once
		if len(arguments) >= 4 && arguments[1] == "2" && arguments[2] == "none" {
			return ranks(arguments[0], arguments[1:]...)
		}
	case "run_shallow_water.sh": // MPIRUN PROGRAM SERIAL CASE FOLDER WHAT
		if len(arguments) == 6 && arguments[5] == "ranks" {
			return ranks(arguments[0], "2", "none", arguments[1], arguments[3], filepath.Dir(arguments[1]))
		}
	case "compare.sh": // PLAIN SERVED: the same program without the library and with it
		if len(arguments) == 2 {
			return arguments[1:]
		}
	}
	return nil
}

// programOf is the program among the words.
func programOf(words []string, build string) string {
	for _, word := range words {
		if strings.HasPrefix(word, build+"/") {
			return word
		}
	}
	return words[0]
}
