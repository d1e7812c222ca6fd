package exec

// This file keeps the device versions of kernels: code and loaded functions. Main functions:
// DevicePrograms.Add and Form. Lock: DevicePrograms.mu, then the lock of one program. Threads: any.

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"libportable/internal/outside"
)

// DeviceLoader compiles and loads the code of programs, and keeps records of them for launches.
type DeviceLoader interface {
	// Record makes the record of a program, which launches read; nil: no memory.
	Record(p *DeviceProgram) any
	// Load makes a function of the code on a device, and publishes it in the record. The log is the compiler's.
	// Its errors are *CodeProblem and *DriverProblem.
	Load(p *DeviceProgram, index, variant int) (log string, err error)
	// Forget removes all functions from a record, and releases a record that no later launch uses; then it returns true.
	Forget(record any) bool
	// NoCompiler is the reason why the compiler for a device is missing; "": it is open. Compiler names it, and says what to do.
	NoCompiler(index int) string
	Compiler(index int) (name, remedy string)
}

// CodeProblem is a failure to load code that the program or the installation can change.
type CodeProblem struct {
	NoCompiler bool // the compiler is missing
	Lasting    bool // the same code would fail again
	Text       string
}

func (p *CodeProblem) Error() string { return p.Text }

// DriverProblem is the driver's refusal of a call, with its own name and sentence for the code.
type DriverProblem struct {
	Code             int
	Sticky           bool // the context is lost
	Call, Name, Text string
	Log              string // text of its compiler
}

func (d *DriverProblem) Error() string { return d.Call + ": " + d.Text }

// DevicePrograms are the device versions of kernels: code, and the functions that were made of it. A launch finds a function in
// the program's record, without a call into Go; it asks Form for a missing one. Programs stay until End, even if they were replaced or
// destroyed, because launches may be in streams. Locks: mu guards the list; each program has its own while its functions are made.
type DevicePrograms struct {
	loader DeviceLoader
	warn   func(line string)

	mu      sync.Mutex
	all     map[uint32]*DeviceProgram
	made    uint32
	missing []string // the compilers of which a warning was printed, with remedies

	lists sync.Mutex // taken before mu; guards own
	own   map[DeviceKernel]*DeviceProgram
}

// deviceForm names a function of a program: the index of its device, and a variant of the code.
type deviceForm struct{ index, variant int }

// DeviceProgram is code for devices.
type DeviceProgram struct {
	Number uint32
	Code   DeviceCode
	Record any
	names  []string // of arguments

	mu       sync.Mutex // guards what follows
	log      string
	loaded   map[deviceForm]bool
	failures map[deviceForm]string // code that does not compile is not tried again
}

// NewDevicePrograms returns an empty table. warn prints a line.
func NewDevicePrograms(loader DeviceLoader, warn func(line string)) *DevicePrograms {
	return &DevicePrograms{loader: loader, warn: warn, all: map[uint32]*DeviceProgram{}, own: map[DeviceKernel]*DeviceProgram{}}
}

// Add makes a program of checked code. names are the names of the kernel's arguments.
func (t *DevicePrograms) Add(code DeviceCode, names []string) (*DeviceProgram, error) {
	if code.NoEntry {
		code.Entry = code.Label
	}
	p := &DeviceProgram{Code: code, names: argumentNames(names), loaded: map[deviceForm]bool{}, failures: map[deviceForm]string{}}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.made++
	p.Number = t.made
	if p.Record = t.loader.Record(p); p.Record == nil {
		return nil, NoMemoryForCode(code.Label)
	}
	t.all[p.Number] = p
	return p, nil
}

// Find returns the program of a number; nil: it was released.
func (t *DevicePrograms) Find(number uint32) *DeviceProgram {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all[number]
}

// End forgets all functions, with nothing in progress, and the programs that no later launch uses.
func (t *DevicePrograms) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for number, p := range t.all {
		p.mu.Lock()
		clear(p.loaded)
		clear(p.failures)
		p.mu.Unlock()
		if t.loader.Forget(p.Record) {
			delete(t.all, number)
		}
	}
}

// ErrNoCompiler: the device's compiler is missing, a warning was printed, and the host version runs.
var ErrNoCompiler = errors.New("portable: the compiler for the device is missing")

// ErrCodeRefused says that generated code does not compile, and that the host version runs: a warning was printed.
var ErrCodeRefused = errors.New("portable: generated device code does not compile")

// GeneratedEntry is the entry of code that the source tool wrote: users cannot repair it, so the host version runs where it does not compile.
const GeneratedEntry = "portable_nest"

// Form makes the function of a program on a device in a variant, unless another thread has. onHost: the kernel has a host version.
// It then runs if the error is ErrNoCompiler (without a compiler) or ErrCodeRefused (generated code does not compile).
func (t *DevicePrograms) Form(p *DeviceProgram, index, variant int, onHost bool) error {
	form := deviceForm{index, variant}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loaded[form] {
		return nil
	}
	refused := func(text string) error {
		if onHost && p.Code.Entry == GeneratedEntry {
			return ErrCodeRefused
		}
		return p.badCode(text)
	}
	if text, failed := p.failures[form]; failed {
		return refused(text)
	}
	log, err := t.loader.Load(p, index, variant)
	if log != "" {
		p.log = log
	}
	var code *CodeProblem
	var driver *DriverProblem
	switch {
	case err == nil:
		p.loaded[form] = true
	case errors.As(err, &code) && code.NoCompiler && onHost:
		t.warnNoCompiler(index, t.loader.NoCompiler(index))
		return ErrNoCompiler
	case code != nil && code.NoCompiler:
		return refuseDevice(DeviceNoCompiler, "kernel '%s': %s", outside.Clean(p.Code.Label), code.Text)
	case code != nil:
		if code.Lasting {
			p.failures[form] = code.Text
		}
		err := refused(code.Text)
		if err == ErrCodeRefused {
			t.warn("kernel '" + outside.Clean(p.Code.Label) + "' runs on the host: " + code.Text)
		}
		return err
	case errors.As(err, &driver):
		return driver.Refuse(p.Code.Label)
	}
	return err
}

func (p *DeviceProgram) badCode(text string) error {
	kind := DeviceArgument
	if p.Code.Builtin != "" {
		kind = DeviceInternal
	}
	return &DeviceRefusal{kind, "kernel '" + outside.Clean(p.Code.Label) + "': " + text}
}

// Log is the compiler's last log.
func (p *DeviceProgram) Log() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log
}

// Compiles tests for the compiler of a device. Without it, callers continue on the host, and one warning is printed.
func (t *DevicePrograms) Compiles(index int) bool {
	why := t.loader.NoCompiler(index)
	if why != "" {
		t.warnNoCompiler(index, why)
	}
	return why == ""
}

// MissingCompilers lists the compilers of which that warning was printed: "NVRTC was not found: install it ...".
func (t *DevicePrograms) MissingCompilers() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.missing)
}

func (t *DevicePrograms) warnNoCompiler(index int, why string) {
	name, remedy := t.loader.Compiler(index)
	entry := name + " was not found: " + remedy
	t.mu.Lock()
	told := slices.Contains(t.missing, entry)
	if !told {
		t.missing = append(t.missing, entry)
	}
	t.mu.Unlock()
	if !told {
		t.warn("portable: warning: " + name + " is missing: " + why + "; kernels whose device version is source, and reductions, scans, " +
			"filters, sorts and copies between orders, run on the host; " + remedy)
	}
}

// DeviceNote is a failure that a kernel reported on a device: by portable_device_fail, or an index out of bounds.
type DeviceNote struct {
	Kernel           uint32 // the program's number
	Code             int
	Said             string
	Argument         int  // from 1; 0: unknown
	Index            bool // an index, with the fields below
	Dimension, Rank  int
	At, Lower, Upper int64
}

// Note returns the label of the note's kernel, and the text of the failure.
func (t *DevicePrograms) Note(n *DeviceNote) (label, text string) {
	label, view := "a kernel", "a view"
	if p := t.Find(n.Kernel); p != nil {
		label = p.Code.Label
		if n.Argument >= 1 && n.Argument <= len(p.names) {
			view = fmt.Sprintf("argument %d", n.Argument)
			if name := p.names[n.Argument-1]; name != "" {
				view += " ('" + outside.Clean(name) + "')"
			}
		}
	}
	text = fmt.Sprintf("parallel_for '%s': the kernel failed with code %d", outside.Clean(label), n.Code)
	if n.Index {
		return label, text + fmt.Sprintf(": PORTABLE_CHECK=arrays: the index of dimension %d (of %d) of %s is %d; its bounds are %d:%d",
			n.Dimension, n.Rank, view, n.At, n.Lower, n.Upper)
	}
	if n.Said != "" {
		text += ": " + outside.Clean(n.Said)
	}
	return label, text
}
