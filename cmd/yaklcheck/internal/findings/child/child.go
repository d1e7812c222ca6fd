// Package child runs a program under checks: it looks for it, starts it with the environment that asks for them, hands on signals,
// and tells how it ended.
//
// In this package: the life of one child process. Not in it: what the program has written about itself (trace), and what
// is said of it (findings).
//
// The child stays in the process group of its parent: job control, ^C and ^Z of a terminal reach it as they do without us. Thread
// rule: one goroutine.
package child

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// Ending is how a program ended: by an exit code, or by a signal (0: none).
type Ending struct {
	PID    int
	Code   int
	Signal syscall.Signal
}

// ExitCode is the code by which a shell would tell of this end.
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

// Find returns the path of the program of that name, as a shell would find it, or what is wrong with it.
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
		return "", fmt.Errorf("%s can not be looked at: %w", name, statErr)
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder, not a program", name)
	case info.Mode()&0o111 == 0:
		return "", fmt.Errorf("%s is not executable (its mode is %v); if it is a program: chmod +x %s", name, info.Mode(), name)
	}
	return "", fmt.Errorf("%s can not be started: %w", name, err)
}

// handedOn are the signals that somebody sends to end, or to tell something to, the program that he sees as ours. Those by which a
// terminal stops and goes on are not among them: they reach the whole group, and have their usual effect on each.
var handedOn = []os.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGXCPU,
}

// previous is the channel of the run before.
var previous chan os.Signal

// Run starts the program at path with these arguments (the first is its name) and these settings beside our environment, and waits
// for its end. Standard input, output and error are ours. An error means that it has not been started.
//
// Signals that come after its end are dropped, but those of a terminal, which end this process when givenUp (nil: nothing) has tidied up.
func Run(path string, args []string, settings map[string]string, givenUp func()) (Ending, error) {
	command := &exec.Cmd{Path: path, Args: args, Env: environment(os.Environ(), settings),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	signals := make(chan os.Signal, 16)
	for _, s := range handedOn {
		if !signal.Ignored(s) { // under nohup, say: the child shall ignore it, too
			signal.Notify(signals, s)
		}
	}
	if previous != nil { // a run before this one: it is not its signals that come now
		signal.Stop(previous)
		close(previous)
	}
	previous = signals
	// Whoever reads the report may go away in the middle; that shall be an error of the write, and not end us before we have tidied up.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if err := command.Start(); err != nil {
		return Ending{}, explainStart(path, err)
	}
	waited := make(chan struct{})
	go func() {
		// What it says comes with the state; an error beside it is the exit code.
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

// late deals with what comes when the program has ended. It must not take the report: mpirun ends all ranks when the first one has failed. But who sits
// before a terminal may give up waiting.
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
		return fmt.Errorf("%s can not be started: it is no program of this kind of machine, and no script, which would begin with #! and its interpreter", path)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s can not be started: the interpreter that it names is missing (see `file %s`)", path, path)
	}
	return fmt.Errorf("%s can not be started: %w", path, err)
}

// environment sets settings in an environment.
func environment(environ []string, settings map[string]string) []string {
	var all []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if _, ours := settings[name]; !ours {
			all = append(all, pair)
		}
	}
	for name, value := range settings {
		all = append(all, name+"="+value)
	}
	return all
}

// sentByTerminal says whether a signal has come from the terminal, whose whole foreground group gets it, the child included. Sent
// on, it would come twice, which mpirun for one takes for impatience. Who sends such a signal to us alone, while we are in the
// foreground of a terminal, is not heard.
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
