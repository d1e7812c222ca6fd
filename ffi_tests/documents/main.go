// Command documents runs every example of the documents: each fenced block of README.md, docs, examples and
// packaging is compiled, configured, executed or compared, as its language asks. A block that nothing here
// knows how to run is a failure, so no example stands untested; one that cannot be run says why in a comment
// of the Markdown, and is listed at the end.
//
//	go run ./ffi_tests/documents -prefix PREFIX -work FOLDER [-source TREE] [DOCUMENT...]
//
// Without a DOCUMENT it runs the examples of all. The links of all documents are followed in any case.
// PREFIX is an installed libportable, FOLDER is emptied and used. FC, CC, CXX and CMAKE are taken from the
// environment. In this file: arguments, the order of work and the table that is printed. Not in this file: what
// a block is (blocks.go), how fragments become programs (wrap.go), how each language is run (run.go, shell.go,
// compare.go), links (links.go). CONTRIBUTING.md describes the text that an author writes.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// outcome is what became of one block.
type outcome struct {
	block block
	how   string // what was done, for the table
	why   string // not "": it was not run, and this is the reason
	err   error
	took  time.Duration
}

func main() {
	prefix := flag.String("prefix", "", "an installed libportable")
	work := flag.String("work", "", "a folder to work in; what is in it is deleted")
	source := flag.String("source", ".", "the source tree")
	build := flag.String("build", "", "the build tree whose ctest is asked for tests that documents name")
	compiler := flag.String("go", "go", "the go command; examples that call it find it in PATH")
	flag.Parse()
	if *prefix == "" || *work == "" {
		fmt.Fprintln(os.Stderr, "documents: -prefix and -work are needed; see the head of main.go")
		os.Exit(2)
	}
	if folder := filepath.Dir(*compiler); folder != "." {
		if err := os.Setenv("PATH", os.Getenv("PATH")+":"+folder); err != nil {
			fmt.Fprintln(os.Stderr, "documents:", err)
			os.Exit(2)
		}
	}
	if err := run(*source, *prefix, *build, *work, flag.Args()); err != nil {
		fmt.Printf("\n%v\n", err)
		os.Exit(1)
	}
}

// documents are the files with examples, relative to the tree: every page in Markdown. Folders that begin with a dot and outputs (build, build-*, out) are not of
// the tree, modules of others (vendor) and data of tests have pages that are not ours.
func documents(tree string) (names []string, err error) {
	err = filepath.WalkDir(tree, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(tree, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case !entry.IsDir():
			if filepath.Ext(name) == ".md" {
				names = append(names, name)
			}
		case name != "." && strings.HasPrefix(entry.Name(), "."), strings.HasPrefix(name, "build"), name == "out", name == "vendor", entry.Name() == "testdata":
			return filepath.SkipDir
		}
		return nil
	})
	return names, err
}

func run(source, prefix, build, work string, names []string) error {
	tree, err := filepath.Abs(source)
	if err != nil {
		return err
	}
	all, err := documents(tree)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = all
	}
	r, err := newRunner(tree, prefix, build, work)
	if err != nil {
		return err
	}
	var failures []string
	var outcomes []outcome
	blocks := make([][]block, len(names))
	for i, name := range names {
		text, err := os.ReadFile(filepath.Join(tree, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		found, err := parse(name, string(text))
		if err != nil {
			failures = append(failures, err.Error())
		}
		blocks[i] = found
	}
	for _, name := range all {
		text, err := os.ReadFile(filepath.Join(tree, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		failures = append(failures, checkLinks(tree, name, string(text))...)
	}
	// Blocks of one document in their order, because an output block follows its command; documents at once.
	var lock sync.Mutex
	var group sync.WaitGroup
	room := make(chan struct{}, 2)
	for n := range names {
		i := len(names) - 1 - n // examples/ first: they take longest
		room <- struct{}{}
		group.Add(1)
		go func() {
			defer group.Done()
			defer func() { <-room }()
			var previous *result
			for _, b := range blocks[i] {
				began := time.Now()
				var o outcome
				o, previous = r.do(b, previous)
				o.took = time.Since(began)
				lock.Lock()
				outcomes = append(outcomes, o)
				lock.Unlock()
			}
		}()
	}
	group.Wait()
	slices.SortFunc(outcomes, func(a, b outcome) int {
		if a.block.document != b.block.document {
			return strings.Compare(a.block.document, b.block.document)
		}
		return a.block.line - b.block.line
	})
	return report(outcomes, len(names), failures, work)
}

// report prints a line for each block, then what was not run and why, then what failed.
func report(outcomes []outcome, documents int, failures []string, work string) error {
	ran := 0
	var notRun []string
	for _, o := range outcomes {
		state := "ok    "
		switch {
		case o.err != nil:
			state = "FAILED"
			failures = append(failures, fmt.Sprintf("%s: %v", o.block.place(), o.err))
		case o.why != "":
			state = "-     "
			notRun = append(notRun, fmt.Sprintf("%s (%s): %s", o.block.place(), o.block.language, o.why))
		default:
			ran++
		}
		fmt.Printf("%s %-36s %-8s %5.1f s  %s\n", state, o.block.place(), o.block.language, o.took.Seconds(), o.how)
	}
	fmt.Printf("\n%d documents, %d examples: %d run, %d not run, %d failures\n", documents, len(outcomes), ran, len(notRun), len(failures))
	for _, line := range notRun {
		fmt.Println("not run:", line)
	}
	if len(failures) > 0 {
		return fmt.Errorf("%s\n\nthe folders of the failed examples are in %s", strings.Join(failures, "\n\n"), work)
	}
	// Large, and of no use after success.
	return os.RemoveAll(work)
}
