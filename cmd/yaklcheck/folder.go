package main

// This file manages the folder of a run's traces. A temporary folder is removed at the end, also if
// a signal ends yaklcheck. A yaklcheck that signal 9 killed leaves its folder; the next yaklcheck
// removes it.

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
)

// temporary begins the names of temporary folders. Each has a file lockFile, which its yaklcheck holds locked for life.
const temporary, lockFile = "yaklcheck-", "lock"

// traceFolder makes the folder of the traces; remove deletes it if it is temporary.
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
		err = fmt.Errorf("its name %q has a comma or %%, which PORTABLE_TRACE reserves; choose another one by --trace-folder=FOLDER or TMPDIR", folder)
	}
	if err != nil {
		return "", nil, fmt.Errorf("no folder for the traces: %w", err)
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

// lock makes the folder's lock. Some file systems have no locks; then no other yaklcheck treats the folder as left
// over.
func lock(folder string) (unlock func()) {
	file, err := os.CreateTemp(folder, lockFile)
	if err != nil {
		return func() {}
	}
	// The file gets its name only when it is locked.
	if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		_ = os.Rename(file.Name(), filepath.Join(folder, lockFile))
	}
	return func() { _ = file.Close() }
}

// sweep removes temporary folders that are left over: no yaklcheck holds the lock, and no program that writes there is
// alive.
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

// written reports whether a live process has a trace in the folder.
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
