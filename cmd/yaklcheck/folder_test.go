package main

// This file tests what remains in the temporary folder, whatever ends yaklcheck.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// begun starts yaklcheck with these arguments in a folder, whose tmp is its temporary one.
func begun(t *testing.T, dir string, errors *os.File, arguments ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	for _, name := range []string{"yaklcheck", "model"} {
		_ = os.Symlink(self, filepath.Join(dir, name))
	}
	_ = os.Mkdir(filepath.Join(dir, "tmp"), 0o777)
	c := exec.Command(filepath.Join(dir, "yaklcheck"), arguments...)
	c.Dir, c.Env = dir, []string{"PATH=/usr/bin:/bin", "TMPDIR=" + filepath.Join(dir, "tmp"), "HOME=" + dir}
	if errors != nil {
		c.Stderr = errors
	}
	require.NoError(t, c.Start())
	return c
}

// soon waits until a condition holds.
func soon(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 2000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it did not come to pass that", what)
}

func left(dir string) []string {
	found, _ := filepath.Glob(filepath.Join(dir, "tmp", "*"))
	return found
}

// traced is the process that has a trace in the temporary folder; 0: none yet.
func traced(dir string) int {
	found, _ := filepath.Glob(filepath.Join(dir, "tmp", "*", "trace_*.bin"))
	if len(found) == 0 {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(found[0]), "trace_"), ".bin"))
	return pid
}

// TestSignalWhileReporting: the program has ended, and the report waits for a reader. ^C then ends yaklcheck, and its
// folder is removed.
func TestSignalWhileReporting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	reader, err := syscall.Open(filepath.Join(dir, "pipe"), syscall.O_RDWR|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	require.NoError(t, err)
	defer syscall.Close(reader)
	for err == nil { // a reader has it open and does not read; it is full
		_, err = syscall.Write(reader, make([]byte, 4096))
	}
	require.Equal(t, syscall.EAGAIN, err)
	c := begun(t, dir, nil, "--output=pipe", "./model", "start", "leak")
	pid := 0
	soon(t, "the program writes a trace", func() bool { pid = traced(dir); return pid != 0 })
	soon(t, "the program ends", func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH })
	ended := make(chan error)
	go func() { ended <- c.Wait() }()
	// A signal that comes before yaklcheck has noticed the end is handed on to no process.
	for {
		_ = c.Process.Signal(syscall.SIGINT)
		select {
		case <-ended:
			require.Equal(t, syscall.SIGINT, c.ProcessState.Sys().(syscall.WaitStatus).Signal())
			require.Empty(t, left(dir))
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// TestNobodyReadsTheReport: yaklcheck removes the folder if the pipe of the report is closed.
func TestNobodyReadsTheReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	c := begun(t, dir, w, "./model", "start", "leak")
	require.NoError(t, w.Close())
	_ = c.Wait()
	require.Equal(t, cannot, c.ProcessState.ExitCode())
	require.Empty(t, left(dir))
}

// TestKilled: signal 9 leaves the folder. The next run removes it, but not while the program that was started is alive
// and writes there.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := begun(t, dir, nil, "./model", "start", "hang")
	pid := 0
	soon(t, "the program writes a trace", func() bool { pid = traced(dir); return pid != 0 })
	again := func() {
		next := begun(t, dir, nil, "--quiet", "./model", "start")
		require.NoError(t, next.Wait())
	}
	again()
	require.Len(t, left(dir), 1, "that of a yaklcheck that is alive")
	require.NoError(t, c.Process.Kill())
	_ = c.Wait()
	again()
	require.Len(t, left(dir), 1, "its program is alive")
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	soon(t, "the program has ended", func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH })
	// Other folders stay.
	other := filepath.Join(dir, "tmp", temporary+"of-mine")
	require.NoError(t, os.Mkdir(other, 0o777))
	again()
	require.Equal(t, []string{other}, left(dir))
}
