// Package doctor looks at the environment of a program before it runs, and tells what will hurt it there, each with its remedy.
//
// In this file: what is looked at and what is answered. machine.go has processors and memory, limits.go what a process may take,
// variables.go the environment, program.go the executable, device.go NVIDIA's driver. Not in this package: printing.
//
// Invariants: nothing is changed and nothing is run; what can not be read is said to be unknown, or left out. All is read below
// System.Root, so a test can have any machine. Thread rule: one goroutine.
package doctor

import (
	"io/fs"
	"strings"
)

// Level is how much a verdict matters.
type Level string

// Levels: nothing to do; worth knowing; will hurt.
const (
	OK      Level = "ok"
	Note    Level = "note"
	Warning Level = "warning"
)

// Verdict is one thing that was looked at.
type Verdict struct {
	Level   Level  `json:"level"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Remedy  string `json:"remedy,omitempty"`
}

// System is the machine and the environment that are looked at.
type System struct {
	Root fs.FS                   // the root folder
	Env  map[string]string       // of the process
	Open func(path string) error // whether a device may be opened for reading and writing
}

// Check looks at everything; program is the bytes of an executable, or nil.
func Check(s *System, name string, program []byte) (out []Verdict) {
	d := &doctor{System: s}
	d.processors()
	d.memory()
	d.limits()
	d.openMP()
	d.variables()
	d.launcher()
	if program != nil {
		d.program(name, program)
	}
	d.devices()
	return d.out
}

type doctor struct {
	*System
	out     []Verdict
	cpus    int // that this process may use; 0 not known
	threads int // that a launch will have; 0 not known
}

func (d *doctor) tell(level Level, subject, text, remedy string) {
	d.out = append(d.out, Verdict{level, subject, text, remedy})
}

// text reads a small file of /proc or /sys; "" where there is none.
func (d *doctor) text(path string) string {
	b, err := fs.ReadFile(d.Root, strings.TrimPrefix(path, "/"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// field is what follows a name at the beginning of a line.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}
