// Command testone plans `make test-one`: which targets the tests need whose names begin with a
// word.
//
// main.go holds the flags and the output, plan.go finds targets, read.go reads what CMake, CTest
// and Ninja know, near.go finds similar names. scripts/test-one builds the targets and runs the
// tests.
//
// The output has lines of the form KEY VALUE: `say` for the user, `target` for the build, `exclude`
// for a label that is left out.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	build := flag.String("build", "build/test", "the build `FOLDER`")
	packages := flag.Bool("packages", false, "list packages of Go whose names are near to NAME, and end with 2")
	flag.Parse()
	if flag.NArg() != 1 {
		stop("usage: testone [-build FOLDER] NAME")
	}
	name := flag.Arg(0)
	if *packages {
		text, err := exec.Command("go", "list", "-f", "./{{slice .ImportPath 12}}", "./...").Output()
		if err != nil {
			stop("the packages of Go are unknown: %v", err)
		}
		stop("there is no package of Go at %s; %s", name, suggestion(name, strings.Fields(string(text))))
	}
	folder, err := filepath.Abs(*build)
	if err != nil {
		stop("%v", err)
	}
	all, err := readTests(folder)
	if err != nil {
		stop("the tests of %s are unknown: %v", *build, err)
	}
	outputs, err := readOutputs(folder)
	if err != nil {
		stop("the targets of %s are unknown: %v", *build, err)
	}
	p := plan(name, all, folder, outputs)
	if len(p.tests) == 0 {
		var names []string
		for _, t := range all {
			names = append(names, t.name)
		}
		stop("no test has a name that begins with '%s'; %s", name, suggestion(name, names))
	}
	for _, line := range p.lines() {
		fmt.Println(line)
	}
}

func stop(form string, values ...any) {
	fmt.Fprintf(os.Stderr, "test-one: "+form+"\n", values...)
	os.Exit(2)
}
