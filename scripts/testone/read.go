package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// test is what CTest knows of one test.
type test struct {
	name     string
	words    []string // the command and the environment
	labels   []string
	setup    []string // fixtures that it sets up
	required []string // fixtures that it needs
}

func (t *test) long() bool {
	for _, l := range t.labels {
		if l == "long" {
			return true
		}
	}
	return false
}

// readTests asks ctest for names and properties. It leaves out the command of a test whose program is not built yet, so
// commands come from the files that ctest itself reads.
func readTests(build string) (tests []*test, err error) {
	text, err := exec.Command("ctest", "--test-dir", build, "--show-only=json-v1").Output()
	if err != nil {
		return nil, fmt.Errorf("ctest --show-only: %w", err)
	}
	var listed struct {
		Tests []struct {
			Name       string
			Properties []struct {
				Name  string
				Value any
			}
		}
	}
	if err := json.Unmarshal(text, &listed); err != nil {
		return nil, err
	}
	commands, err := readCommands(build)
	if err != nil {
		return nil, err
	}
	for _, l := range listed.Tests {
		t := &test{name: l.Name, words: commands[l.Name]}
		for _, p := range l.Properties {
			switch p.Name {
			case "ENVIRONMENT":
				t.words = append(t.words, list(p.Value)...)
			case "LABELS":
				t.labels = list(p.Value)
			case "FIXTURES_SETUP":
				t.setup = list(p.Value)
			case "FIXTURES_REQUIRED":
				t.required = list(p.Value)
			}
		}
		tests = append(tests, t)
	}
	return tests, nil
}

func list(value any) (words []string) {
	values, _ := value.([]any)
	for _, v := range values {
		words = append(words, fmt.Sprint(v))
	}
	return words
}

var (
	addTest = regexp.MustCompile(`(?m)^add_test\((\S+) (.*)\)$`)
	quoted  = regexp.MustCompile(`"((?:\\.|[^"\\])*)"`)
	escaped = regexp.MustCompile(`\\(.)`)
)

// readCommands reads each CTestTestfile.cmake: add_test([=[NAME]=] "WORD" "WORD").
func readCommands(build string) (map[string][]string, error) {
	commands := map[string][]string{}
	err := filepath.WalkDir(build, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "work": // a project that a test has made
			return filepath.SkipDir
		case d.Name() != "CTestTestfile.cmake":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range addTest.FindAllStringSubmatch(string(text), -1) {
			name := strings.Trim(m[1], "[=]\"")
			for _, word := range quoted.FindAllStringSubmatch(m[2], -1) {
				commands[name] = append(commands[name], escaped.ReplaceAllString(word[1], "$1"))
			}
		}
		return nil
	})
	return commands, err
}

// readOutputs asks ninja for the files that the build makes, relative to its folder, and whether each is a program or
// library.
func readOutputs(build string) (map[string]bool, error) {
	text, err := exec.Command("ninja", "-C", build, "-t", "targets", "all").Output()
	if err != nil {
		return nil, fmt.Errorf("ninja -t targets: %w", err)
	}
	outputs := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if path, rule, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && rule != "phony" {
			outputs[path] = strings.Contains(rule, "_LINKER__")
		}
	}
	return outputs, nil
}
