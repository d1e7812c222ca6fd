// Package child runs a program under checks: finds it, starts it with an environment, forwards
// signals and reports its end (child.go), examines a program without a trace (linked.go), names
// signals (signals.go). The child stays in its parent's process group, so that job control, ^C and
// ^Z reach it. Not here: the trace (package trace), the report (findings). Threads: one goroutine.
package child

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Ending is the end of a program: by an exit code, or by a signal (0: none).
type Ending struct {
	PID    int
	Code   int
	Signal syscall.Signal
}

// ExitCode is the code that a shell gives for this end.
func (e Ending) ExitCode() int {
	if e.Signal != 0 {
		return 128 + int(e.Signal)
	}
	return e.Code
}

// String is for sentences: "ended with code 3", "died of signal 15 (terminated)".
func (e Ending) String() string {
	if e.Signal != 0 {
		return fmt.Sprintf("died of signal %d (%v)", int(e.Signal), e.Signal)
	}
	return fmt.Sprintf("ended with code %d", e.Code)
}

// Find returns the path of the program of that name, as a shell finds it, or an error that says what is wrong.
func Find(name string) (string, error) {
	path, err := exec.LookPath(name)
	switch {
	case err == nil || errors.Is(err, exec.ErrDot):
		return path, nil
	case !strings.Contains(name, "/"):
		text := fmt.Sprintf("there is no program %q in PATH", name)
		if here, err := os.Stat(name); err == nil && here.Mode().IsRegular() {
			text += fmt.Sprintf("; the one in this folder is ./%s", name)
		} else if err == nil && here.IsDir() {
			text = fmt.Sprintf("%s is a folder, not a program", name)
		}
		return "", errors.New(text)
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no program %s", name)
	}
	info, statErr := os.Stat(name)
	switch {
	case statErr != nil:
		return "", fmt.Errorf("%s cannot be examined: %w", name, statErr)
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder, not a program", name)
	case info.Mode()&0o111 == 0:
		return "", fmt.Errorf("%s is not executable (its mode is %v); if it is a program: chmod +x %s", name, info.Mode(), name)
	}
	return "", fmt.Errorf("%s cannot be started: %w", name, err)
}

// handedOn are the signals that a user or launcher sends to the program through yaklcheck. The signals by which a
// terminal stops and continues programs are not among them: they reach the whole group, and have their usual effect on
// each process.
var handedOn = []os.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGXCPU,
}

// previous is the channel of the previous run.
var previous chan os.Signal

// Run starts the program at path with these arguments (the first is its name) and these settings added to our
// environment, and waits for its end. Standard input, output and error are ours. An error means that the program was
// not started.
//
// Signals after its end are dropped, except those of a terminal: these call givenUp (nil: nothing) and then end this
// process.
func Run(path string, args []string, settings map[string]string, givenUp func()) (Ending, error) {
	command := &exec.Cmd{Path: path, Args: args, Env: environment(os.Environ(), settings),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	signals := make(chan os.Signal, 16)
	for _, s := range handedOn {
		if !signal.Ignored(s) { // under nohup, for example: the child ignores it, too
			signal.Notify(signals, s)
		}
	}
	if previous != nil { // signals of this run are not for the previous one
		signal.Stop(previous)
		close(previous)
	}
	previous = signals
	// The reader of the report may close the pipe early. That must be an error of the write, and must not end us before
	// we have cleaned up.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if err := command.Start(); err != nil {
		return Ending{}, explainStart(path, err)
	}
	waited := make(chan struct{})
	go func() {
		// The state has the exit code; the error repeats it.
		_ = command.Wait()
		close(waited)
	}()
	for {
		select {
		case s := <-signals:
			if !sentByTerminal(s) {
				// It may have ended meanwhile.
				_ = command.Process.Signal(s)
			}
		case <-waited:
			go late(signals, givenUp)
			return ending(command.ProcessState), nil
		}
	}
}

// late handles signals after the end of the program. They must not stop the report: mpirun ends all ranks after the
// first one has failed. But a user at a terminal may give up waiting.
func late(signals <-chan os.Signal, givenUp func()) {
	for s := range signals {
		if s != syscall.SIGINT && s != syscall.SIGQUIT {
			continue
		}
		if givenUp != nil {
			givenUp()
		}
		signal.Reset(s)
		_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
	}
}

func ending(state *os.ProcessState) Ending {
	e := Ending{PID: state.Pid(), Code: state.ExitCode()}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.Code, e.Signal = 0, status.Signal()
	}
	return e
}

func explainStart(path string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s cannot be started: it is neither a program for this kind of machine nor a script that begins with #! and its interpreter", path)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be started: the interpreter that it names is missing (see `file %s`)", path, path)
	}
	return fmt.Errorf("%s cannot be started: %w", path, err)
}

// environment changes settings in an environment.
func environment(environ []string, settings map[string]string) []string {
	all := slices.DeleteFunc(slices.Clone(environ), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		_, ours := settings[name]
		return ours
	})
	for name, value := range settings {
		all = append(all, name+"="+value)
	}
	return all
}

// sentByTerminal reports whether a signal has come from the terminal. The whole foreground group gets such a signal,
// the child included. Forwarded, it would come twice, and mpirun takes a second one for impatience. A signal of this
// kind that another process sends to yaklcheck alone, in the foreground of a terminal, is lost.
func sentByTerminal(s os.Signal) bool {
	if s != syscall.SIGINT && s != syscall.SIGQUIT {
		return false
	}
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return false
	}
	return inForeground(string(stat))
}

// inForeground reads /proc/self/stat: PID (NAME) state ppid pgrp session tty_nr tpgid.
func inForeground(stat string) bool {
	_, rest, ok := strings.Cut(stat[strings.LastIndex(stat, ")")+1:], " ")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 6 {
		return false
	}
	group, err := strconv.Atoi(fields[2])
	foreground, err2 := strconv.Atoi(fields[5])
	return err == nil && err2 == nil && group == foreground
}
