package main

// In this file: the programs of all tests under yaklcheck. None has a fault but those that are about faults: what they do wrong on purpose is
// in suite.supp, by program. A test that ends otherwise than without yaklcheck is told, too.

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
	"slices"
	"strings"
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
	"c.alloc":                       "it counts slabs, of which blocks under guard need none",
	"c.pool":                        "it counts slabs, of which blocks under guard need none",
	"c.source":                      "it counts the slabs that a pool takes from the program, and blocks under guard are in none",
	"c.start":                       "it looks how large the first slab is",
	"c.environment":                 "it looks how large the first slab is",
	"watch.verbose":                 "it counts slabs, of which blocks under guard need none",
	"faults.sources":                "it counts the slabs that a pool takes from the program, and blocks under guard are in none",
	"faults.system":                 "it looks how much the kernel gives under a limit, which the guards' range of addresses is a part of",
	"faults.arrays":                 "it counts what is mapped",
	"arrays.twins_f":                "it takes any PORTABLE_CHECK for that of arrays",
	"allocate.malloc.GATOR_DISABLE": "it asks that nothing is served, and under checks ALLOCATE is",
	"guest.quiet":                   "it counts switches between threads, which closing pages makes",
}

// fits says whether a test is a program of the build folder that is run as it is, and not one that measures checks themselves.
func (t *testOf) fits(build string) bool {
	if len(t.Command) == 0 || !strings.HasPrefix(t.Command[0], build+"/") {
		return false
	}
	parts := strings.Split(t.Name, ".")
	if otherwise[strings.Join(parts[:min(2, len(parts))], ".")] != "" || otherwise[t.Name] != "" {
		return false
	}
	labels := t.property("LABELS")
	for _, label := range []string{"slowpath", "consumer", "long", "scorecard", "memcheck", "misuse"} {
		if slices.Contains(labels, label) {
			return false
		}
	}
	return !strings.HasPrefix(t.Name, "memcheck.") && len(t.property("WILL_FAIL")) == 0
}

// runSuite gives the exit code.
func runSuite(build string) int {
	build, err := filepath.Abs(build)
	var text []byte
	if err == nil {
		text, err = exec.Command("ctest", "--test-dir", build, "--show-only=json-v1").Output()
	}
	var list struct{ Tests []testOf }
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scorecard: the tests can not be listed:", err)
		return 2
	}
	run, failed := 0, 0
	wanted, err := regexp.Compile("^(" + *only + ")")
	if err != nil {
		fmt.Fprintln(os.Stderr, "scorecard:", err)
		return 2
	}
	for _, t := range list.Tests {
		if !t.fits(build) || !wanted.MatchString(t.Name) {
			continue
		}
		if _, err := os.Stat(t.Command[0]); err != nil {
			continue // not built
		}
		run++
		if problem := underYaklcheck(&t); problem != "" {
			failed++
			fmt.Printf("FAILED %s: %s\n", t.Name, problem)
		} else if *verbose {
			fmt.Println("ok", t.Name)
		}
	}
	fmt.Printf("%d passed, %d failed\n", run-failed, failed)
	if failed > 0 || run == 0 {
		return 1
	}
	return 0
}

// underYaklcheck runs one test, and says what is wrong.
func underYaklcheck(t *testOf) string {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	supp, _ := filepath.Abs(filepath.Join(*sources, "..", "suite.supp")) // a test has a folder of its own
	words := append([]string{"--quiet", fmt.Sprintf("--error-exitcode=%d", findingsCode), "--suppressions=" + supp, "--stack=4"}, t.Command...)
	c := t.command(ctx, *yaklcheck, words...)
	// Some look whether blocks are aligned at 64, as they are without checks.
	c.Env = append(c.Env, "PORTABLE_MEMCHECK=precise=no")
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "it did not end"
	case err == nil:
		return ""
	case !errors.As(err, &exit):
		return err.Error()
	}
	code := exit.ExitCode()
	said := output.String()
	if at := strings.Index(said, "yaklcheck: "); at >= 0 {
		said = said[at:]
	}
	if code == 2 && strings.Contains(said, "nothing was checked") {
		return "" // it does not start the library, or takes it down in ways of its own
	}
	if code != findingsCode {
		// It may end so by itself: a test of errors, or one that is skipped here.
		alone := t.command(ctx, t.Command[0], t.Command[1:]...)
		_ = alone.Run()
		if alone.ProcessState != nil && alone.ProcessState.ExitCode() == code {
			return ""
		}
	}
	return fmt.Sprintf("it ended with %d\n%s", code, tail(said, 30))
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
