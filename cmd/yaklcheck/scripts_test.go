package main

// This file runs the scripts in testdata (package script). fake_test.go has the programs that scripts
// run besides yaklcheck.

import (
	"regexp"
	"testing"

	"libportable/internal/script"
)

func TestMain(m *testing.M) {
	script.Main(m, map[string]func(){"yaklcheck": main, "model": fakeModel, "launcher": fakeLauncher})
}

var numbers = regexp.MustCompile(`(process |yaklcheck-model-|trace_|"pid": |"processes": \[\s+|yaklcheck-)\d+`)

func TestScripts(t *testing.T) { script.Run(t, numbers, "model") }
