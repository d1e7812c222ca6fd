package opencl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"libportable/internal/edge"
	"libportable/internal/outside"
)

// varClang names the compiler.
const varClang = "PORTABLE_CLANG"

// The versions of clang that are tried for SPIR-V, the newest first; older ones do not know the target.
const (
	newestClang = 22
	oldestClang = 14
)

// tools are the programs that compile for one device.
type tools struct {
	clang, translator string // of LLVM's bitcode to SPIR-V; "": not needed
}

// find looks for the compiler that a device's driver needs: bitcode must not be newer than the driver's LLVM.
func find(f Form, variable func(string) string) (t tools, why string) {
	newest := newestClang
	if f.Spir && f.LLVM > 0 {
		newest = f.LLVM
	}
	if !f.Spir {
		// The translator does not read what a newer clang writes.
		for n := newestClang; n >= oldestClang && t.translator == ""; n-- {
			if t.translator = program(fmt.Sprintf("llvm-spirv-%d", n)); t.translator != "" {
				newest = n
			}
		}
		if t.translator == "" {
			t.translator = program("llvm-spirv")
		}
		if t.translator == "" {
			return t, "there is no llvm-spirv in PATH, which translates clang's programs to SPIR-V for this driver"
		}
	}
	if named := variable(varClang); named != "" {
		path := program(named)
		if path == "" {
			return t, fmt.Sprintf("%s=%s: there is no such program", varClang, outside.Value(named))
		}
		t.clang = path
	}
	for n := newest; n >= oldestClang && t.clang == ""; n-- {
		for _, name := range []string{fmt.Sprintf("clang-%d", n), fmt.Sprintf("/usr/lib/llvm-%d/bin/clang", n)} {
			if t.clang == "" {
				t.clang = program(name)
			}
		}
	}
	if t.clang == "" && !f.Spir {
		t.clang = program("clang")
	}
	if t.clang == "" {
		if f.Spir && f.LLVM > 0 {
			return t, fmt.Sprintf("there is no clang of LLVM %d or older (at least %d) in PATH, and newer ones make programs that this driver does not read", newest, oldestClang)
		}
		return t, fmt.Sprintf("there is no clang of LLVM %d to %d in PATH", oldestClang, newest)
	}
	return t, ""
}

// program is the path of a program; "": there is none.
func program(name string) string {
	if strings.Contains(name, "/") {
		if executable(name) {
			return name
		}
		return ""
	}
	for _, folder := range filepath.SplitList(path()) {
		if path := filepath.Join(folder, name); filepath.IsAbs(path) && executable(path) {
			return path
		}
	}
	return ""
}

// path lists the folders with programs. In a privileged program the user's list would choose what runs with its rights.
func path() string {
	if edge.Privileged() {
		return "/usr/local/bin:/usr/bin:/bin"
	}
	return os.Getenv("PATH")
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// run calls a program in a folder, and returns its messages. It does without package os/exec, which would make each program of a user larger.
func run(folder, path string, arguments ...string) (log string, err error) {
	out, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return "", err
	}
	defer out.Close()
	in, err := os.Open(os.DevNull)
	if err != nil {
		return "", err
	}
	defer in.Close()
	child, err := os.StartProcess(path, append([]string{path}, arguments...), &os.ProcAttr{Dir: folder, Files: []*os.File{in, out, out}})
	if err != nil {
		return "", err
	}
	state, err := child.Wait()
	text, _ := os.ReadFile(out.Name())
	if err == nil && !state.Success() {
		err = &exit{path, state.String()}
	}
	return string(text), err // a program that ignores its children's ends gets an error here; the caller looks for the result
}

// exit is the end of a program that has failed.
type exit struct{ path, state string }

func (e *exit) Error() string { return e.path + ": " + e.state }
