// Package doctor examines the environment of a program before it runs, and reports problems with a
// remedy: processors and memory (machine.go), limits (limits.go), variables (variables.go), the
// executable (program.go), drivers of NVIDIA (device.go), AMD and OpenCL (device_other.go). This
// file has the verdicts and the order of checks; the command prints. It changes nothing, runs
// nothing, and reads below System.Root, so a test can provide any machine. Threads: one goroutine.
package doctor

import (
	"io/fs"
	"strings"
)

// Level is the weight of a verdict.
type Level string

// Levels: nothing to do; useful to know; a problem.
const (
	OK      Level = "ok"
	Note    Level = "note"
	Warning Level = "warning"
)

// Verdict is the result of one check.
type Verdict struct {
	Level   Level  `json:"level"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Remedy  string `json:"remedy,omitempty"`
}

// System is the machine and the environment to examine.
type System struct {
	Root fs.FS                   // the root folder
	Env  map[string]string       // of the process
	Open func(path string) error // may the device be opened for reading and writing?
}

// Check runs all checks; program is the bytes of an executable, or nil.
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
	d.nvidia()
	d.amd()
	d.openCL()
	return d.out
}

type doctor struct {
	*System
	out     []Verdict
	cpus    int // that this process may use; 0: unknown
	threads int // that a launch will have; 0: unknown
}

func (d *doctor) tell(level Level, subject, text, remedy string) {
	d.out = append(d.out, Verdict{level, subject, text, remedy})
}

// text reads a small file of /proc or /sys; "" if it does not exist.
func (d *doctor) text(path string) string {
	b, err := fs.ReadFile(d.Root, strings.TrimPrefix(path, "/"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// field is the rest of the line that begins with a name.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}
