package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The suite of converted loops: in this file its peers, limits and tables. Not in this file: what is measured (loops/), the time
// that a conversion takes (convert.go).

const (
	serialLoop, openMP = "serial", "openmp" // as loops/loops.f90 prints them
	gfortran           = "gfortran -O2 -c"
)

var loopPeers = []peer{{name: pool}, {name: serialLoop}, {name: openMP}, {name: gfortran}}

var (
	nests     = []string{"saxpy", "5-point stencil", "columns", "sum", "maximum", intoArray}
	nestSizes = []string{"1000 elements", "100 000 elements", "4 000 000 elements"}
)

const middle, intoArray = "100 000 elements", "sum into an array"

const (
	triedOneThread = "The machine code of the loops is the same. A launch takes 0.15 us, of a reduction 0.27 us, and 0.15 us more behind a loop that reads 800 KB: " +
		"the code of the launch has left the cache then. OpenMP, which has no leaves, takes 1.08x for the maximum. Each further leaf takes 0.01 to 0.05 us: leaves of " +
		"16384 iterations took 1.10x, of 4096 1.17x, 64 leaves 1.39x. Still larger leaves would be too few for many threads."
	triedPartSums = "Half of the iterations add into a copy, so that the bits are the same on any number of threads. The user's statement took 1.01x, with other bits " +
		"than on two threads."
	triedOpenMP  = "Threads of OpenMP look for work for some 30 ms, ours for 40 us: after a pause ours are woken, and Linux then runs both threads on one processor for some 10 ms. Reductions of 1000 elements run as the plain loop."
	triedRaces   = "Linear references are compared in front of the loops. Each other access looks up the last iterations in a cell of 16 bytes, which takes 2 to 3 ns."
	triedOrder   = "The loops over pointers in the order of the rule have a body with the declaration t(k,i,j): the machine code is that of the source that declares it. A launch asks for the order once."
	triedConvert = "The tool reads all files of a call together, with all modules."
)

// atMost compares our value of a row with that of a peer.
func atMost(most float64, row, peer string) func(*results) (string, bool) {
	return func(r *results) (string, bool) {
		ratio := r.value(row, pool) / r.value(row, peer)
		if math.IsNaN(ratio) {
			return "", false
		}
		return fmt.Sprintf("%.2fx", ratio), ratio <= most*(1+noise)
	}
}

func loopLimits() (list []limit) {
	for _, nest := range nests {
		row, most, tried := nestRow(nest, middle, "1 thread"), 1.05, triedOneThread
		if nest == intoArray {
			most, tried = 1.15, triedPartSums
		}
		list = append(list, limit{row + ": time, of the serial loop's", fmt.Sprintf("%gx", most), atMost(most, row, serialLoop), tried})
	}
	for _, nest := range nests {
		for _, size := range nestSizes {
			row := nestRow(nest, size, "2 threads")
			list = append(list, limit{row + ": time, of OpenMP's", "1x", atMost(1, row, openMP), triedOpenMP})
		}
	}
	for _, nest := range nests {
		row := nestRow(nest, middle, "checked")
		list = append(list, limit{row + ": time, of the serial loop's", "8x", atMost(8, row, serialLoop), triedRaces})
	}
	list = append(list, limit{"all nests, " + middle + ", checked: time, of the serial loops'", "8x", together, triedRaces})
	list = append(list, limit{ruledOrder + ": time, of the order in the source's", "1.05x", ofRow(1.05, ruledOrder, sourceOrder), triedOrder},
		limit{ruledOrder + ": time, of the wrong order's", "1x", ofRow(1, ruledOrder, wrongOrder), triedOrder})
	list = append(list, modelLimits()...)
	for _, set := range sourceSets {
		list = append(list, limit{set.row() + ": time, of gfortran's", "1x", atMost(1, set.row(), gfortran), triedConvert})
	}
	return list
}

// The rows of loops/orders.f90: one program of columns and a stencil over t(i,j,k), whose loops want k first, in the wrong order of elements and in the
// order of a rule, and the same with t(k,i,j) in the source.
const (
	wrongOrder  = "columns and stencil, Fortran's order of t(i,j,k)"
	ruledOrder  = "columns and stencil, the rule layout@cpu=kij"
	sourceOrder = "columns and stencil, t(k,i,j) in the source"
)

// ofRow compares two of our rows.
func ofRow(most float64, row, other string) func(*results) (string, bool) {
	return func(r *results) (string, bool) {
		ratio := r.value(row, pool) / r.value(other, pool)
		if math.IsNaN(ratio) {
			return "", false
		}
		return fmt.Sprintf("%.2fx", ratio), ratio <= most*(1+noise)
	}
}

// orders measures storage orders on one thread.
func (r *results) orders(to io.Writer, build string, rounds int) error {
	program := filepath.Join(build, "bench_orders")
	if _, err := os.Stat(program); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(os.Stderr, "bench: bench_orders was not built, which needs C descriptors of Fortran; its rows are left out")
		return nil
	}
	from := len(r.rows)
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "bench: bench_orders, round %d of %d\n", round+1, rounds)
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), "PORTABLE_NUM_THREADS=1")
		if err := r.readAll(cmd, ""); err != nil {
			return err
		}
	}
	r.shares(to, "Wrong storage order, 1 thread", r.rows[from:])
	return nil
}

// together compares the checked nests, one after the other, with the plain ones.
func together(r *results) (string, bool) {
	var checked, plain float64
	for _, nest := range nests {
		row := nestRow(nest, middle, "checked")
		checked += r.value(row, pool)
		plain += r.value(row, serialLoop)
	}
	if math.IsNaN(checked + plain) {
		return "", false
	}
	return fmt.Sprintf("%.2fx", checked/plain), checked <= 8*(1+noise)*plain
}

func nestRow(nest, size, how string) string { return nest + ", " + size + ", " + how }

// loops measures the nests on one thread, on two and under the check for races, then conversion.
func loops(r *results, to io.Writer, wanted func(string) bool, build string, rounds int) error {
	runs := []struct {
		name, title, program, how string
		args, env                 []string
	}{
		{"nests", "Converted nests, 1 thread", "bench_loops", "1 thread", nil, []string{"PORTABLE_NUM_THREADS=1", "OMP_NUM_THREADS=1"}},
		{"nests", "Converted nests, 2 threads", "bench_loops", "2 threads", nil, []string{"PORTABLE_NUM_THREADS=2", "OMP_NUM_THREADS=2"}},
		{"races", "Under PORTABLE_CHECK=races", "bench_loops_checked", "checked", []string{"100000", "3"},
			[]string{"PORTABLE_NUM_THREADS=1", "OMP_NUM_THREADS=1", "PORTABLE_CHECK=races"}},
	}
	for _, run := range runs {
		if !wanted(run.name) {
			continue
		}
		from := len(r.rows)
		for round := range rounds {
			fmt.Fprintf(os.Stderr, "bench: %s, %s, round %d of %d\n", run.program, run.how, round+1, rounds)
			cmd := exec.Command(filepath.Join(build, run.program), run.args...)
			cmd.Env = append(os.Environ(), run.env...)
			if err := r.readAll(cmd, ", "+run.how); err != nil {
				return err
			}
		}
		r.shares(to, run.title, r.rows[from:], serialLoop, openMP)
	}
	if wanted("orders") {
		if err := r.orders(to, build, rounds); err != nil {
			return err
		}
	}
	if wanted("model") {
		if err := r.models(to, build, rounds); err != nil {
			return err
		}
	}
	if !wanted("conversion") {
		return nil
	}
	from := len(r.rows)
	if err := r.conversion(build, rounds); err != nil {
		return err
	}
	r.shares(to, "Conversion, processor time", r.rows[from:], gfortran)
	return nil
}

// readAll reads lines of a program that runs all peers in turn: the peer's name stands before a line as `read` has them.
func (r *results) readAll(cmd *exec.Cmd, suffix string) error {
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(output)), "\n") {
		name, rest, _ := strings.Cut(line, "\t")
		if err := r.line(cmd, rest, suffix, r.column(name)); err != nil {
			return err
		}
	}
	return nil
}

// column is that of a peer, -1 without one.
func (r *results) column(peer string) int {
	for i, p := range r.peers {
		if p.name == peer {
			return i
		}
	}
	return -1
}

// shares prints the first peer's time and how much it is of the others' times.
func (r *results) shares(to io.Writer, title string, rows []*row, others ...string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(to, "### %s\n\n| | %s |", title, r.peers[0].name)
	for _, other := range others {
		fmt.Fprintf(to, " of %s |", other)
	}
	fmt.Fprintf(to, "\n|---|%s\n", strings.Repeat("---|", 1+len(others)))
	for _, w := range rows {
		fmt.Fprintf(to, "| %s | %s |", w.name, figure(w.best[0], w.unit))
		for _, other := range others {
			fmt.Fprintf(to, " %.2fx |", w.best[0]/r.value(w.name, other))
		}
		fmt.Fprintln(to)
	}
	fmt.Fprintln(to)
}
