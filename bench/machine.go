package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// machine is a few lines on where this ran; no names.
func machine(peers []peer, rounds int) string {
	facts := []string{
		fmt.Sprintf("%s, %d cores, %s of memory", model(), runtime.NumCPU(), memory()),
		"measured on " + time.Now().Format(time.DateOnly),
	}
	if at := commit(); at != "" {
		facts = append(facts, at)
	}
	facts = append(facts,
		fmt.Sprintf("Linux %s, glibc %s", kernel(), lastWord(first("getconf", "GNU_LIBC_VERSION"))),
		fmt.Sprintf("gcc %s, gfortran %s, %s", first("gcc", "-dumpfullversion"), first("gfortran", "-dumpfullversion"), runtime.Version()))
	for _, p := range peers {
		if p.library != "" {
			facts = append(facts, p.name+" "+first("dpkg-query", "-W", "-f", "${Version}", p.debian))
		}
	}
	if rounds == 1 {
		facts = append(facts, "1 round")
	} else {
		facts = append(facts, fmt.Sprintf("%d rounds, of which the best counts", rounds))
	}
	return "- " + strings.Join(facts, "\n- ")
}

// commit names the commit of the sources, empty without a repository. Pages do not count as changes: the run before may have written them.
func commit() string {
	at := first("git", "rev-parse", "--short=10", "HEAD")
	if at == "?" {
		return ""
	}
	if first("git", "status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)docs") != "?" {
		at += " with changes"
	}
	return "commit " + at
}

// kernel is the number alone: what builders add to it can be a name.
func kernel() string {
	version, _, _ := strings.Cut(first("uname", "-r"), "-")
	return version
}

func model() string {
	for _, line := range lines("/proc/cpuinfo") {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

func memory() string {
	var kib float64
	for _, line := range lines("/proc/meminfo") {
		if n, _ := fmt.Sscanf(line, "MemTotal: %f kB", &kib); n == 1 {
			return fmt.Sprintf("%.0f GiB", kib/(1<<20))
		}
	}
	return "an unknown amount"
}

func lines(file string) []string {
	text, _ := os.ReadFile(file)
	return strings.Split(string(text), "\n")
}

// first is the first line that a command prints, "?" when there is no such command.
func first(command ...string) string {
	output, err := exec.Command(command[0], command[1:]...).Output()
	line, _, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
	if err != nil || line == "" {
		return "?"
	}
	return line
}

func lastWord(text string) string { return text[strings.LastIndex(text, " ")+1:] }
