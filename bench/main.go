// Command bench runs the benchmark programs of this folder against their peers, side by side in one run,
// and prints tables of ratios. In this file: which peers, the rounds, the table. Not in this file: what is
// measured (the programs in the folders beside it).
//
// usage: bench -build DIR [-rounds N] [-out FILE]
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// peer is one allocator: the argument of the program, and what its environment gets.
type peer struct {
	name, allocator string
	env             []string
	library         string // preloaded; the peer is left out where it is not installed
}

var peers = []peer{
	{name: "portable", allocator: "portable"},
	{name: "portable, no fast path", allocator: "portable", env: []string{"PORTABLE_FASTPATH=0"}},
	{name: "glibc", allocator: "malloc"},
	{name: "glibc, tuned", allocator: "malloc", env: []string{
		"GLIBC_TUNABLES=glibc.malloc.trim_threshold=4294967296:glibc.malloc.mmap_threshold=4294967296:glibc.malloc.top_pad=67108864"}},
	{name: "jemalloc", allocator: "malloc", library: "libjemalloc.so.2"},
	{name: "mimalloc", allocator: "malloc", library: "libmimalloc.so.2"},
}

var phases = []string{"live", "one", "arrays", "threads", "work"}

// row is one measurement; best holds the best value of each peer over the rounds.
type row struct {
	name, unit string
	best       []float64
}

func main() {
	build := flag.String("build", "build/release", "the build folder that holds bench_pool")
	rounds := flag.Int("rounds", 3, "how often each phase is run for each peer")
	out := flag.String("out", "", "a file that gets the tables too")
	flag.Parse()
	if err := run(*build, *rounds, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(build string, rounds int, out string) error {
	var to io.Writer = os.Stdout
	if out != "" {
		f, err := os.Create(out)
		if err != nil {
			return err
		}
		defer f.Close()
		to = io.MultiWriter(os.Stdout, f)
	}
	program := filepath.Join(build, "bench_pool")
	present := installed()
	fmt.Fprintf(to, "%s\n\n", machine())
	for _, phase := range phases {
		var rows []*row
		for round := range rounds {
			for i, p := range present {
				fmt.Fprintf(os.Stderr, "bench: %s, round %d of %d, %s\n", phase, round+1, rounds, p.name)
				if err := measure(program, p, i, len(present), phase, &rows); err != nil {
					return err
				}
			}
		}
		table(to, present, rows)
	}
	return nil
}

// measure runs one phase with one peer and keeps the best values.
func measure(program string, p peer, column, columns int, phase string, rows *[]*row) error {
	cmd := exec.Command(program, p.allocator, phase)
	cmd.Env = append(os.Environ(), p.env...)
	if p.library != "" {
		cmd.Env = append(cmd.Env, "LD_PRELOAD="+p.library)
	}
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s %s with %s: %w", program, phase, p.name, err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		field := strings.Split(lines.Text(), "\t")
		value, err := strconv.ParseFloat(field[1], 64)
		if err != nil {
			return err
		}
		r := find(rows, field[0], field[2], columns)
		if math.IsNaN(r.best[column]) || better(r.unit, value, r.best[column]) {
			r.best[column] = value
		}
	}
	return nil
}

// better knows that rates are good when high and times when low.
func better(unit string, a, b float64) bool {
	if strings.HasSuffix(unit, "/s") {
		return a > b
	}
	return a < b
}

func find(rows *[]*row, name, unit string, columns int) *row {
	for _, r := range *rows {
		if r.name == name {
			return r
		}
	}
	r := &row{name, unit, make([]float64, columns)}
	for i := range r.best {
		r.best[i] = math.NaN()
	}
	*rows = append(*rows, r)
	return r
}

// installed leaves out the peers that the system has not.
func installed() (present []peer) {
	cache, _ := exec.Command("/sbin/ldconfig", "-p").Output()
	for _, p := range peers {
		if p.library == "" || bytes.Contains(cache, []byte(p.library+" ")) {
			present = append(present, p)
			continue
		}
		fmt.Fprintf(os.Stderr, "bench: %s is left out, %s is not installed\n", p.name, p.library)
	}
	return present
}

// table prints the value of the first peer and, for each other, how many times better the first is.
func table(to io.Writer, present []peer, rows []*row) {
	fmt.Fprintf(to, "| | %s |", present[0].name)
	for _, p := range present[1:] {
		fmt.Fprintf(to, " %s |", p.name)
	}
	fmt.Fprintf(to, "\n|---|%s\n", strings.Repeat("---|", len(present)))
	for _, r := range rows {
		fmt.Fprintf(to, "| %s | %.4g %s |", r.name, r.best[0], r.unit)
		for i := range present[1:] {
			fmt.Fprintf(to, " %s |", ratio(r, i+1))
		}
		fmt.Fprintln(to)
	}
	fmt.Fprintln(to)
}

func ratio(r *row, i int) string {
	a, b := r.best[0], r.best[i]
	if a == 0 || b == 0 {
		return fmt.Sprintf("%.4g", b)
	}
	if strings.HasSuffix(r.unit, "/s") {
		a, b = b, a
	}
	return fmt.Sprintf("%.2fx", b/a)
}

// machine is one line on where this ran; no names.
func machine() string {
	model := runtime.GOARCH
	if cpuinfo, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.SplitSeq(string(cpuinfo), "\n") {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	gcc, _ := exec.Command("gcc", "-dumpfullversion").Output()
	return fmt.Sprintf("%s, %d cores, %s, gcc %s", model, runtime.NumCPU(), runtime.Version(), strings.TrimSpace(string(gcc)))
}
