package main

// In this file: `yaklcheck [run] PROGRAM`: the options, the settings that the program gets, its exit code. Not in this
// file: the folder of the traces (folder.go), the life of the child (internal/memcheck/child), the report's options (report.go).

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

	"libportable/internal/memcheck"
	"libportable/internal/memcheck/child"
)

func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "run a program under checks, and report (what yaklcheck does without a command)",
		ArgsUsage: "PROGRAM [ARGS]",
		Description: "The program's output and exit code are its own; the report comes after it, on standard error.\n" +
			"Exit code: 1 where there are findings, else the program's; 2: it could not be started or checked.",
		Flags:  runFlags(),
		Action: runAction,
	}
}

// runFlags are those of a run. Each call gives its own: a flag remembers what was set.
func runFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "mode", Usage: "`MODE`: exact (guard pages and quarantine: the line of the access) or fast (canaries: told afterwards)", Category: "checks:"},
		&cli.StringFlag{Name: "guard", Usage: "`WHERE` the guard page is: end of the block, start, alternate, both (slow)", Category: "checks:"},
		&cli.Uint64Flag{Name: "sample", Usage: "guard one block of `N` only, for long runs", Category: "checks:"},
		&cli.StringFlag{Name: "budget", Usage: "address space and memory for guards and quarantine, `SIZE` as 2GB", Category: "checks:"},
		&cli.StringFlag{Name: "quarantine", Usage: "memory given back that is kept to find uses after free, `SIZE` as 1GB", Category: "checks:"},
		&cli.BoolFlag{Name: "fill", Usage: "write a pattern into new blocks, and tell where it is read", Category: "checks:"},
		&cli.StringSliceFlag{Name: "checks", Usage: "further `CHECKS` of the library: launch, arrays, all", Category: "checks:"},
		&cli.IntFlag{Name: "stack", Usage: "show `N` frames of each place (1 to 64; without it 1), and take as many more as the library's own may be", Category: "checks:"},
		&cli.StringFlag{Name: "trace-folder", Usage: "write the traces into `FOLDER`, and leave them there", Category: "report:"},
		&cli.BoolFlag{Name: "keep-trace", Usage: "leave the traces in this folder", Category: "report:"},
	}, reportFlags()...)
}

func runAction(c *cli.Context) error {
	if c.NArg() == 0 {
		return errors.New("there is no program to run: yaklcheck [options] PROGRAM [ARGS]; `yaklcheck --help` lists the options")
	}
	o, err := reportOptions(c)
	if err != nil {
		return err
	}
	settings, err := settings(c, os.Getenv)
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
	settings["PORTABLE_TRACE"] = filepath.Join(folder, "trace_%p.bin") + ",check"
	before, err := traces(folder)
	if err != nil {
		return err
	}
	end, err := child.Run(path, args, settings, remove)
	if err != nil {
		return err
	}
	o.pid = end.PID
	o.ending = &memcheck.Ending{PID: end.PID, Cause: end.Cause(), Others: end.CauseOfOthers()}
	o.program = args[0]
	found, err := traces(folder)
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(path string) bool { return slices.Contains(before, path) })
	if len(found) == 0 {
		return fmt.Errorf("nothing was checked, the program %v: %s", end, child.WhyNoTrace(path))
	}
	return o.report(c, found, end.ExitCode())
}

// sizes are those that the library reads (docs/build/environment.md).
var sizes = regexp.MustCompile(`(?i)^([0-9]+\.?[0-9]*|\.[0-9]+)([kmgt]?i?b?)$`)

// libraryFrames is how many frames of the library's own may stand before the program's, which alone are shown; mostFrames is how many the
// library takes at most.
const libraryFrames, mostFrames = 15, 64

// settings is what the program's environment gets: what it has, with what the command line says instead.
func settings(c *cli.Context, getenv func(string) string) (map[string]string, error) {
	allowed := map[string][]string{
		"mode":   {"fast", "exact"},
		"guard":  {"end", "start", "alternate", "both"},
		"checks": {"launch", "arrays", "all", "hash"},
	}
	memory := splitList(getenv("PORTABLE_MEMCHECK"))
	for _, name := range []string{"mode", "guard", "sample", "budget", "quarantine", "stack"} {
		if !c.IsSet(name) {
			continue
		}
		value := fmt.Sprint(c.Value(name))
		if name == "stack" {
			value = strconv.Itoa(min(max(c.Int(name), 0)+libraryFrames, mostFrames))
		}
		if allowed[name] != nil && !slices.Contains(allowed[name], value) {
			return nil, fmt.Errorf("--%s=%s: there are %s", name, value, strings.Join(allowed[name], ", "))
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
	checks := splitList(getenv("PORTABLE_CHECK"))
	for _, list := range append(c.StringSlice("checks"), "memory") {
		for _, word := range splitList(list) {
			if word != "memory" && !slices.Contains(allowed["checks"], word) {
				return nil, fmt.Errorf("--checks=%s: there are %s", word, strings.Join(allowed["checks"][:3], ", "))
			}
			if !slices.Contains(checks, word) {
				checks = append(checks, word)
			}
		}
	}
	set := map[string]string{"PORTABLE_CHECK": strings.Join(checks, ",")}
	if len(memory) > 0 {
		set["PORTABLE_MEMCHECK"] = strings.Join(memory, ",")
	}
	return set, nil
}

func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// setOption sets name=value in a list of such.
func setOption(list []string, name, value string) []string {
	list = slices.DeleteFunc(list, func(pair string) bool { return strings.HasPrefix(pair, name+"=") })
	return append(list, name+"="+value)
}

// traces are the files in the folder, in order.
func traces(folder string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(escapeGlob(folder), "trace_*.bin"))
	slices.Sort(found)
	return found, err
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// rank is the place of this process in a parallel program, as its launcher says, or "".
func rank() string {
	return cmp.Or(os.Getenv("OMPI_COMM_WORLD_RANK"), os.Getenv("MV2_COMM_WORLD_RANK"), os.Getenv("PALS_RANKID"), os.Getenv("PMI_RANK"),
		os.Getenv("PMIX_RANK"), os.Getenv("SLURM_PROCID"))
}
