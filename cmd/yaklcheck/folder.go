package main

// In this file: the folder that a run's traces go to. A temporary one is removed at the end, also when a signal ends us; what a yaklcheck has left that
// was killed by signal 9 is removed by the next one.

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
)

// temporary is how names of temporary folders begin; lockFile is in each of them, locked as long as its yaklcheck lives.
const temporary, lockFile = "yaklcheck-", "lock"

// traceFolder makes the folder that the traces go to; remove takes it away again where nobody wants it.
func traceFolder(c *cli.Context, program string) (folder string, remove func(), err error) {
	remove = func() {}
	switch {
	case c.String("trace-folder") != "":
		folder = c.String("trace-folder")
		err = os.MkdirAll(folder, 0o777)
	case c.Bool("keep-trace"):
		folder, err = os.MkdirTemp(".", "yaklcheck-"+filepath.Base(program)+"-")
	default:
		sweep(os.TempDir())
		folder, err = os.MkdirTemp("", temporary)
		if err == nil {
			unlock, made := lock(folder), folder
			remove = func() {
				_ = os.RemoveAll(made)
				unlock()
			}
		}
	}
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err == nil && strings.ContainsAny(folder, ",%") {
		remove()
		err = fmt.Errorf("its name %q has a comma or %%, which have a meaning in PORTABLE_TRACE; another one: --trace-folder=FOLDER, or TMPDIR", folder)
	}
	if err != nil {
		return "", nil, fmt.Errorf("there is no folder for the traces: %w", err)
	}
	if c.Bool("keep-trace") || c.String("trace-folder") != "" {
		quiet := c.Bool("quiet")
		kept := folder
		remove = func() {
			if !quiet {
				fmt.Fprintf(c.App.ErrWriter, "yaklcheck: the traces are in %s; `yaklcheck merge %s/*` reports them again\n", kept, kept)
			}
		}
	}
	return folder, remove, nil
}

// lock makes the folder's lock. Where there is none, because the file system has none, nobody takes the folder for one that was left.
func lock(folder string) (unlock func()) {
	file, err := os.CreateTemp(folder, lockFile)
	if err != nil {
		return func() {}
	}
	// Under its name it is to be seen locked only.
	if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		_ = os.Rename(file.Name(), filepath.Join(folder, lockFile))
	}
	return func() { _ = file.Close() }
}

// sweep removes folders of ours that nobody uses any more: no yaklcheck has it locked, and no program that writes into it is alive.
func sweep(in string) {
	found, _ := filepath.Glob(filepath.Join(escapeGlob(in), temporary+"*", lockFile))
	for _, path := range found {
		folder := filepath.Dir(path)
		info, err := os.Lstat(folder)
		if err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && !written(folder) {
			_ = os.RemoveAll(folder)
		}
		_ = file.Close()
	}
}

// written says whether a process is alive that has a trace in the folder.
func written(folder string) bool {
	found, _ := traces(folder)
	below, _ := filepath.Glob(filepath.Join(escapeGlob(folder), "*", "trace_*.bin")) // of diff
	for _, path := range append(found, below...) {
		pid, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "trace_"), ".bin"))
		if err == nil && syscall.Kill(pid, 0) != syscall.ESRCH {
			return true
		}
	}
	return false
}
