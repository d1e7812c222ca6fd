package main

// This file holds the programs that scripts run: one that behaves like a program with the library,
// as its arguments say, and one that starts it as mpirun does.

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"libportable/cmd/yaklcheck/internal/trace"
)

// fakeModel does what its arguments say, in order.
func fakeModel() {
	var w *trace.Writer
	file := ""
	findings := uint64(0)
	found := func(f *trace.Finding) {
		findings++
		_ = w.Write(f)
	}
	start := func() {
		path, _, _ := strings.Cut(os.Getenv("PORTABLE_TRACE"), ",")
		file = strings.NewReplacer("%p", strconv.Itoa(os.Getpid()), "%r", os.Getenv("OMPI_COMM_WORLD_RANK")).Replace(path)
		to, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		if err != nil {
			fmt.Fprintln(os.Stderr, "model:", err)
			os.Exit(99)
		}
		w, _ = trace.NewWriter(to)
		folder, _ := os.Getwd()
		meta := &trace.Meta{Pairs: []trace.Pair{{Name: "pid", Value: strconv.Itoa(os.Getpid())}, {Name: "rank", Value: os.Getenv("OMPI_COMM_WORLD_RANK")},
			{Name: "size", Value: os.Getenv("OMPI_COMM_WORLD_SIZE")}, {Name: "exe", Value: folder + "/model"}, {Name: "cwd", Value: folder},
			{Name: "argv", Value: strings.Join(os.Args, "\x00")}}}
		_ = w.Write(meta)
		_ = w.Write(&trace.Module{Start: 0x1000, End: 0x2000, Bias: 0x1000, Path: "/no/such/model"})
		_ = w.Write(&trace.Stack{ID: 1, Flags: 1, PC: []uint64{0x1041, 0x1050}})
		_ = w.Write(&trace.Stack{ID: 2, PC: []uint64{0x1018}})
	}
	finish := func() {
		if w != nil {
			_ = w.Write(&trace.Finish{Findings: findings, Allocations: 12, HighWater: 4096})
		}
	}
	clock := uint64(1000)
	event := func(word, label string, at, bytes uint64) {
		clock += 1_000_000
		head := trace.Head{Thread: uint32(os.Getpid()), Time: clock}
		switch word {
		case "alloc":
			_ = w.Write(&trace.Alloc{Head: head, Address: at, Bytes: bytes, Label: label})
		case "free":
			_ = w.Write(&trace.Free{Head: head, Address: at, Bytes: bytes, Label: label})
		case "launch":
			_ = w.Write(&trace.Begin{Head: head, ID: clock, Work: 1, Count: 1000, Label: label})
			clock += 1_000_000
			head.Time = clock
			_ = w.Write(&trace.End{Head: head, ID: clock - 1_000_000, Work: 1, Label: label})
		}
	}
	for _, arg := range os.Args[1:] {
		word, value, _ := strings.Cut(arg, "=")
		switch word {
		case "start": // as portable_init does
			start()
		case "overrun":
			found(&trace.Finding{What: trace.OutOfBounds, Flags: trace.FlagWrite, AccessBytes: 8, Distance: 8, BlockBytes: 80000, HereStack: 1,
				AllocStack: 2, Count: 1, Label: "dt2d"})
		case "leak":
			found(&trace.Finding{What: trace.Leak, BlockBytes: 240000, AllocStack: 2, Count: 3, Label: "tmp"})
		case "crash":
			found(&trace.Finding{What: trace.Died, Text: "signal 11 (invalid memory access)", HereStack: 1, Count: 1})
			_ = w.Write(&trace.Finish{How: 2, Signal: 11})
			die(syscall.SIGSEGV)
		case "alloc", "free": // =LABEL,ADDRESS,BYTES: in a slab of 64 MB that does not exist
			label, rest, _ := strings.Cut(value, ",")
			address, size, _ := strings.Cut(rest, ",")
			at, _ := strconv.ParseUint(address, 0, 64)
			bytes, _ := strconv.ParseUint(size, 0, 64)
			event(word, label, at, bytes)
		case "launch":
			event(word, value, 0, 0)
		case "say":
			fmt.Println(value)
		case "complain":
			fmt.Fprintln(os.Stderr, value)
		case "env":
			fmt.Printf("%s=%s\n", value, strings.ReplaceAll(os.Getenv(value), strconv.Itoa(os.Getpid()), "PID"))
		case "args":
			fmt.Printf("%q\n", os.Args[1:])
		case "cat":
			_, _ = io.Copy(os.Stdout, os.Stdin)
		case "damage":
			damage(file)
		case "overwrite":
			_ = os.WriteFile(file, []byte(value), 0o666)
		case "wait": // for one signal
			signals := make(chan os.Signal, 1)
			signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2)
			fmt.Println("ready")
			fmt.Println("got", <-signals)
		case "hang": // until a signal ends it
			fmt.Println("ready")
			_, _ = bufio.NewReader(os.Stdin).ReadByte()
			select {}
		case "die":
			number, _ := strconv.Atoi(value)
			die(syscall.Signal(number))
		case "exit":
			code, _ := strconv.Atoi(value)
			finish()
			os.Exit(code)
		}
	}
	finish()
}

func die(number syscall.Signal) {
	signal.Reset(number)
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	if number == syscall.SIGSEGV { // Go's own handler would print goroutines
		number = syscall.SIGKILL
	}
	_ = syscall.Kill(os.Getpid(), number)
	select {}
}

// damage writes over the middle of a trace.
func damage(path string) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, _ = file.WriteString("12345678")
		_ = file.Close()
	}
}

// fakeLauncher is launcher -n N PROGRAM ARGS.
func fakeLauncher() {
	n, _ := strconv.Atoi(os.Args[2])
	var all []*exec.Cmd
	for rank := range n {
		command := exec.Command(os.Args[3], os.Args[4:]...)
		command.Env = append(os.Environ(), fmt.Sprint("OMPI_COMM_WORLD_RANK=", rank), fmt.Sprint("OMPI_COMM_WORLD_SIZE=", n))
		command.Stdout, command.Stderr = os.Stdout, os.Stderr
		_ = command.Start()
		all = append(all, command)
	}
	code := 0
	for _, command := range all {
		_ = command.Wait()
		code = max(code, command.ProcessState.ExitCode())
	}
	os.Exit(code)
}
