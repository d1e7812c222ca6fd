package main

// This file is `yaklcheck [run] PROGRAM`: its options, the environment of the program, its exit
// code. folder.go has the folder of the traces, findings/child the life of the program, report.go
// the options of reports.

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"libportable/cmd/yaklcheck/internal/findings"
	"libportable/cmd/yaklcheck/internal/findings/child"
	"libportable/internal/settings"
)

func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "run a program under checks, and report (the default command)",
		ArgsUsage: "PROGRAM [ARGS]",
		Description: "The report comes after the program's output, on standard error.\n" +
			"Exit code: 1 if there are findings, else the program's; 2 if it could not be started or checked.",
		Flags:  runFlags(),
		Action: runAction,
	}
}

// runFlags are the flags of a run. Each call makes new ones, because a flag remembers its value.
func runFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "mode", Usage: "`MODE`: exact (guard pages and quarantine: the line of the access) or fast (canaries: reported later)", Category: "checks:"},
		&cli.StringFlag{Name: "guard", Usage: "`WHERE` the guard page is: end of the block, start, alternate, both (slow)", Category: "checks:"},
		&cli.Uint64Flag{Name: "sample", Usage: "guard one block of `N` only, for long runs", Category: "checks:"},
		&cli.StringFlag{Name: "budget", Usage: "address space and memory for guards and quarantine: `SIZE` as 2GB", Category: "checks:"},
		&cli.StringFlag{Name: "quarantine", Usage: "freed memory that is kept to find uses after free: `SIZE` as 1GB", Category: "checks:"},
		&cli.BoolFlag{Name: "fill", Usage: "write a pattern into new blocks, and report reads of it", Category: "checks:"},
		&cli.StringSliceFlag{Name: "checks", Usage: "further `CHECKS` of the library: launch, arrays, all", Category: "checks:"},
		&cli.IntFlag{Name: "stack", Usage: "show `N` frames of each place, 1 to 64 (without this option 1)", Category: "checks:"},
		&cli.StringFlag{Name: "trace-folder", Usage: "write the traces into `FOLDER` and keep them", Category: "report:"},
		&cli.BoolFlag{Name: "keep-trace", Usage: "keep the traces, in this folder", Category: "report:"},
	}, reportFlags()...)
}

func runAction(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("no program to run: yaklcheck [options] PROGRAM [ARGS]; `yaklcheck --help` lists the options")
	}
	o, err := reportOptions(c)
	if err != nil {
		return err
	}
	set, err := checkSettings(c, os.Getenv)
	if err != nil {
		return err
	}
	args := c.Args().Slice()
	path, err := child.Find(args[0])
	if err != nil {
		return err
	}
	folder, remove, err := traceFolder(c, args[0])
	if err != nil {
		return err
	}
	defer remove()
	end, found, err := tracedRun(path, args, folder, set, remove)
	if err != nil {
		return err
	}
	o.pid = end.PID
	o.ending = &findings.Ending{PID: end.PID, Cause: end.Cause(), Others: end.CauseOfOthers()}
	o.program = args[0]
	if len(found) == 0 {
		return fmt.Errorf("nothing was checked, the program %v: %s", end, child.WhyNoTrace(path))
	}
	return o.report(c, found, end.ExitCode())
}

// tracedRun runs a program whose findings go into traces in a folder, and returns the traces of this run.
func tracedRun(path string, args []string, folder string, set map[string]string, givenUp func()) (end child.Ending, found []string, err error) {
	if _, own := set[settings.Trace]; !own {
		set[settings.Trace] = filepath.Join(folder, "trace_%p.bin") + ",check"
	}
	before, err := traces(folder)
	if err != nil {
		return end, nil, err
	}
	if end, err = child.Run(path, args, set, givenUp); err != nil {
		return end, nil, err
	}
	found, err = traces(folder)
	return end, slices.DeleteFunc(found, func(path string) bool { return slices.Contains(before, path) }), err
}

// sizes are the sizes that the library reads (docs/build/environment.md).
var sizes = regexp.MustCompile(`(?i)^([0-9]+\.?[0-9]*|\.[0-9]+)([kmgt]?i?b?)$`)

// libraryFrames is the number of the library's own frames that may come before the program's; the report shows the
// program's only. mostFrames is the most that the library records.
const libraryFrames, mostFrames = 15, 64

// checkSettings is the environment of the program: the present one, changed by the command line.
func checkSettings(c *cli.Context, getenv func(string) string) (map[string]string, error) {
	allowed := map[string][]string{
		"mode":   {"fast", "exact"},
		"guard":  {"end", "start", "alternate", "both"},
		"checks": {"launch", "arrays", "all", "hash"},
	}
	memory := splitList(getenv(settings.Memcheck))
	for _, name := range []string{"mode", "guard", "sample", "budget", "quarantine", "stack"} {
		if !c.IsSet(name) {
			continue
		}
		value := fmt.Sprint(c.Value(name))
		if name == "stack" {
			value = strconv.Itoa(min(max(c.Int(name), 0)+libraryFrames, mostFrames))
		}
		if allowed[name] != nil && !slices.Contains(allowed[name], value) {
			return nil, fmt.Errorf("--%s=%s is invalid; use one of: %s", name, value, strings.Join(allowed[name], ", "))
		}
		if !sizes.MatchString(value) && allowed[name] == nil {
			return nil, fmt.Errorf("--%s=%s: a size is a number with or without kB, MB, GB", name, value)
		}
		memory = setOption(memory, name, value)
	}
	if n := c.Int("stack"); c.IsSet("stack") && (n < 1 || n > mostFrames) {
		return nil, fmt.Errorf("--stack=%d: from 1 to %d frames can be taken", n, mostFrames)
	}
	if c.Bool("fill") {
		memory = setOption(memory, "fill", "yes")
	}
	checks := splitList(getenv(settings.Check))
	for _, list := range append(c.StringSlice("checks"), "memory") {
		for _, word := range splitList(list) {
			if word != "memory" && !slices.Contains(allowed["checks"], word) {
				return nil, fmt.Errorf("--checks=%s is invalid; use one of: %s", word, strings.Join(allowed["checks"][:3], ", "))
			}
			if !slices.Contains(checks, word) {
				checks = append(checks, word)
			}
		}
	}
	set := map[string]string{settings.Check: strings.Join(checks, ",")}
	if len(memory) > 0 {
		set[settings.Memcheck] = strings.Join(memory, ",")
	}
	return set, nil
}

func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// setOption sets name=value in a list of such pairs.
func setOption(list []string, name, value string) []string {
	list = slices.DeleteFunc(list, func(pair string) bool { return strings.HasPrefix(pair, name+"=") })
	return append(list, name+"="+value)
}

// traces are the trace files in the folder, sorted.
func traces(folder string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(escapeGlob(folder), "trace_*.bin"))
	slices.Sort(found)
	return found, err
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// rank is the rank of this process as its launcher says it, or "".
func rank() string {
	return cmp.Or(os.Getenv("OMPI_COMM_WORLD_RANK"), os.Getenv("MV2_COMM_WORLD_RANK"), os.Getenv("PALS_RANKID"), os.Getenv("PMI_RANK"),
		os.Getenv("PMIX_RANK"), os.Getenv("SLURM_PROCID"))
}
