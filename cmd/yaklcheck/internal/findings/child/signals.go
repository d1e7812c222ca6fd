package child

// This file names signals, and the end of a program whose trace has no end.

import (
	"fmt"
	"syscall"
)

// signalNames are the signals that end a program.
var signalNames = map[syscall.Signal]string{
	syscall.SIGHUP: "SIGHUP", syscall.SIGINT: "SIGINT", syscall.SIGQUIT: "SIGQUIT", syscall.SIGILL: "SIGILL", syscall.SIGTRAP: "SIGTRAP",
	syscall.SIGABRT: "SIGABRT", syscall.SIGBUS: "SIGBUS", syscall.SIGFPE: "SIGFPE", syscall.SIGKILL: "SIGKILL", syscall.SIGUSR1: "SIGUSR1",
	syscall.SIGSEGV: "SIGSEGV", syscall.SIGUSR2: "SIGUSR2", syscall.SIGPIPE: "SIGPIPE", syscall.SIGALRM: "SIGALRM", syscall.SIGTERM: "SIGTERM",
	syscall.SIGXCPU: "SIGXCPU", syscall.SIGXFSZ: "SIGXFSZ", syscall.SIGVTALRM: "SIGVTALRM", syscall.SIGPROF: "SIGPROF", syscall.SIGIO: "SIGIO",
	syscall.SIGSYS: "SIGSYS",
}

// signalName is "SIGTRAP (5)".
func signalName(s syscall.Signal) string {
	if name := signalNames[s]; name != "" {
		return fmt.Sprintf("%s (%d)", name, int(s))
	}
	return fmt.Sprintf("signal %d", int(s))
}

// Cause says why the program's own trace may have no end: "killed by SIGTRAP (5)".
func (e Ending) Cause() string {
	if e.Signal != 0 {
		return "killed by " + signalName(e.Signal)
	}
	return fmt.Sprintf("the process ended with code %d, by _exit, or could not write on", e.Code)
}

// CauseOfOthers explains the end of processes that the program has started, from its own end: mpirun and shells add 128
// to the number of a signal. "": unknown.
func (e Ending) CauseOfOthers() string {
	s := syscall.Signal(e.Code - 128)
	switch {
	case e.Signal != 0:
		return "the program that started it was killed by " + signalName(e.Signal)
	case signalNames[s] != "":
		return fmt.Sprintf("the program that started it ended with code %d, as after %s", e.Code, signalName(s))
	}
	return ""
}
