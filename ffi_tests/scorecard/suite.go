package main

// In this file: the programs of all tests, examples and benchmarks under yaklcheck. None has a fault but those that are about faults: what they do
// wrong on purpose is in suite.supp, by program. A test that ends otherwise than without yaklcheck is reported, too. Not in this file: which program a
// test runs, where a script is between (words.go).

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// testOf is one test of ctest's list.
type testOf struct {
	Name       string
	Command    []string
	Properties []struct {
		Name  string
		Value any
	}
}

func (t *testOf) property(name string) (values []string) {
	for _, p := range t.Properties {
		if p.Name != name {
			continue
		}
		switch v := p.Value.(type) {
		case bool:
			values = append(values, fmt.Sprint(v))
		case string:
			values = append(values, v)
		case []any:
			for _, one := range v {
				values = append(values, fmt.Sprint(one))
			}
		}
	}
	return values
}

// otherwise are tests, without the device that they run on, that ask for what is different under checks, with what it is.
var otherwise = map[string]string{
	"pool.alloc":          "it counts slabs, of which blocks under guard need none",
	"pool.pool.c":         "it counts slabs, of which blocks under guard need none",
	"pool.source":         "it counts the slabs that a pool takes from the program, and blocks under guard are in none",
	"pool.start":          "it looks how large the first slab is",
	"pool.steps":          "it counts crossings into Go, and blocks under guard need one each",
	"pool.environment":    "it looks how large the first slab is",
	"observe.verbose":     "it counts slabs, of which blocks under guard need none",
	"memory.sources":      "it counts the slabs that a pool takes from the program, and blocks under guard are in none",
	"memory.system":       "it looks how much the kernel gives under a limit, which the guards' range of addresses is a part of",
	"memory.arrays":       "it counts what is mapped",
	"guest.process.quiet": "it counts switches between threads, which closing pages makes",
	"arrays.emulated":     "its children die by an access that is a finding under checks, and goes on",
}

// leftOut are tests, as above, that say nothing under yaklcheck, with the reason.
var leftOut = map[string]string{
	"cuda.suite.twins.twins.c": waitsForHost,
	"cuda.streams":             waitsForHost,
	"guest.kernels.every":      "it calls every function with any argument, together with stops: each kind of finding may come",
	"memory.stacks":            "it measures the recorder of stacks, and links no library",
}

const waitsForHost = "its kernels wait for the host, and while checks watch, each launch there is waited for (docs/build/cuda.md)"

// fits says whether a test has a program of the build folder that can be run alone, and is not one that measures checks.
func (t *testOf) fits(build string) bool {
	for _, label := range []string{"slowpath", "consumer", "long", "scorecard", "misuse"} {
		if slices.Contains(t.property("LABELS"), label) {
			return false
		}
	}
	return !t.among(leftOut) && len(t.property("WILL_FAIL")) == 0 && t.words(build) != nil
}

// among says whether the test has one of these names, or a name that begins so.
func (t *testOf) among(names map[string]string) bool {
	for name := range names {
		if t.Name == name || strings.HasPrefix(t.Name, name+".") {
			return true
		}
	}
	return false
}

// mayFail says whether the test may end otherwise than without yaklcheck; findings are findings all the same.
func (t *testOf) mayFail() bool { return t.among(otherwise) }

// runSuite gives the exit code.
func runSuite(build string) int {
	build, err := filepath.Abs(build)
	var text []byte
	if err == nil { // a test has a folder of its own
		*yaklcheck, err = filepath.Abs(*yaklcheck)
	}
	if err == nil {
		text, err = exec.Command("ctest", "--test-dir", build, "--show-only=json-v1").Output()
	}
	var list struct{ Tests []testOf }
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scorecard: the tests cannot be listed:", err)
		return 2
	}
	wanted, err := regexp.Compile("^(" + *only + ")")
	if err != nil {
		fmt.Fprintln(os.Stderr, "scorecard:", err)
		return 2
	}
	run, failed := 0, 0
	for _, mode := range strings.Split(*modes, ",") {
		begin := time.Now()
		r := suiteRun{build: build, mode: mode, programs: map[string]bool{}}
		var alone, together []testOf
		for _, t := range list.Tests {
			switch {
			case !t.fits(build) || !wanted.MatchString(t.Name):
			case slices.Contains(t.property("RUN_SERIAL"), "true"):
				alone = append(alone, t)
			default:
				together = append(together, t)
			}
		}
		r.all(together, runtime.NumCPU())
		r.all(alone, 1)
		run, failed = run+r.runs, failed+r.failed
		fmt.Printf("mode %s: %d runs of %d programs that link the library, %d s\n", mode, r.runs, len(r.programs), int(time.Since(begin).Seconds()))
	}
	fmt.Printf("%d passed, %d failed\n", run-failed, failed)
	if failed > 0 || run == 0 {
		return 1
	}
	return 0
}

// suiteRun is the suite in one mode.
type suiteRun struct {
	build, mode string

	mu           sync.Mutex
	programs     map[string]bool // those of which something was checked
	runs, failed int
}

// all runs tests, so many at once.
func (r *suiteRun) all(tests []testOf, atOnce int) {
	var group sync.WaitGroup
	room := make(chan struct{}, atOnce)
	for _, t := range tests {
		room <- struct{}{}
		group.Add(1)
		go func() {
			defer group.Done()
			r.one(&t)
			<-room
		}()
	}
	group.Wait()
}

func (r *suiteRun) one(t *testOf) {
	words := t.words(r.build)
	if _, err := exec.LookPath(words[0]); err != nil {
		return // not built
	}
	problem, checked := t.underYaklcheck(words, r.mode)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs++
	if problem != "" {
		r.failed++
		fmt.Printf("FAILED %s (%s): %s\n", t.Name, r.mode, problem)
	} else if *verbose {
		fmt.Println("ok", t.Name, r.mode)
	}
	if checked {
		r.programs[programOf(words, r.build)] = true
	}
}

// underYaklcheck runs one test, and says what is wrong, and whether something was checked.
func (t *testOf) underYaklcheck(words []string, mode string) (problem string, checked bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	supp, _ := filepath.Abs(filepath.Join(*sources, "..", "suite.supp"))
	c := t.command(ctx, *yaklcheck, append([]string{"run", "--quiet", "--mode=" + mode, fmt.Sprintf("--error-exitcode=%d", findingsCode),
		"--suppressions=" + supp, "--stack=4"}, words...)...)
	// Some test whether blocks are aligned at 64, as they are without checks.
	c.Env = append(c.Env, "PORTABLE_MEMCHECK=precise=no")
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) } // which ends the program, too
	c.WaitDelay = 5 * time.Second
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "it did not end", true
	case err == nil:
		return "", true
	case !errors.As(err, &exit):
		return err.Error(), true
	}
	code := exit.ExitCode()
	said := output.String()
	if at := strings.Index(said, "yaklcheck: "); at >= 0 {
		said = said[at:]
	}
	if code == 2 && strings.Contains(said, "nothing was checked") {
		return "", false // it does not start the library, or takes it down in ways of its own
	}
	if code != findingsCode {
		if t.mayFail() {
			return "", true
		}
		// It may end so alone: a test of errors, or one that is skipped here.
		alone := t.command(ctx, words[0], words[1:]...)
		_ = alone.Run()
		if alone.ProcessState != nil && alone.ProcessState.ExitCode() == code {
			return "", true
		}
	}
	return fmt.Sprintf("it ended with %d\n%s", code, tail(said, 30)), true
}

// findingsCode is what no test ends with.
const findingsCode = 78

// command is a command as ctest would run it for this test.
func (t *testOf) command(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, arguments...)
	c.Env = append(os.Environ(), t.property("ENVIRONMENT")...)
	if folder := t.property("WORKING_DIRECTORY"); len(folder) > 0 {
		c.Dir = folder[0]
	}
	return c
}

func tail(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
