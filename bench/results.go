package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// row is one measurement; best holds the best value of each peer over the rounds, NaN without a value.
type row struct {
	name, unit string
	best       []float64
}

// results are all rows of a run.
type results struct {
	peers []peer
	rows  []*row
}

func newResults(present []peer) *results { return &results{peers: present} }

// read runs a program and keeps the best values of its lines: name, value and unit, separated by tabs.
func (r *results) read(cmd *exec.Cmd, column int) error {
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		if err := r.line(cmd, lines.Text(), "", column); err != nil {
			return err
		}
	}
	return nil
}

// line keeps the value of one line; the suffix goes behind its name.
func (r *results) line(cmd *exec.Cmd, text, suffix string, column int) error {
	field := strings.Split(text, "\t")
	if len(field) != 3 || column < 0 {
		return fmt.Errorf("%s: no name, value and unit in %q", strings.Join(cmd.Args, " "), text)
	}
	value, err := strconv.ParseFloat(field[1], 64)
	if err == nil {
		r.keep(field[0]+suffix, field[2], column, value)
	}
	return err
}

// keep notes a value if it is the first or better than the noted one.
func (r *results) keep(name, unit string, column int, value float64) {
	w := r.find(name)
	if w == nil {
		w = &row{name, unit, make([]float64, len(r.peers))}
		for i := range w.best {
			w.best[i] = math.NaN()
		}
		r.rows = append(r.rows, w)
	}
	if math.IsNaN(w.best[column]) || better(unit, value, w.best[column]) {
		w.best[column] = value
	}
}

func (r *results) find(name string) *row {
	for _, w := range r.rows {
		if w.name == name {
			return w
		}
	}
	return nil
}

// value is the best of a peer, NaN without one.
func (r *results) value(name, peer string) float64 {
	if w := r.find(name); w != nil {
		for i, p := range r.peers {
			if p.name == peer {
				return w.best[i]
			}
		}
	}
	return math.NaN()
}

// better knows that rates are good when high and times when low.
func better(unit string, a, b float64) bool {
	if isRate(unit) {
		return a > b
	}
	return a < b
}

func isRate(unit string) bool {
	return strings.HasSuffix(unit, "pair/s") || strings.HasSuffix(unit, "B/s") || strings.HasSuffix(unit, "FLOP/s")
}

// table prints the value of the first peer and, for each other that has one, how many times better the first is.
func (r *results) table(to io.Writer, title string, rows []*row) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(to, "### %s\n\n| | %s |", title, r.peers[0].name)
	var others []int
	for i, p := range r.peers[1:] {
		if slices.ContainsFunc(rows, func(w *row) bool { return !math.IsNaN(w.best[i+1]) }) {
			others = append(others, i+1)
			fmt.Fprintf(to, " %s |", p.name)
		}
	}
	fmt.Fprintf(to, "\n|---|%s\n", strings.Repeat("---|", 1+len(others)))
	for _, w := range rows {
		fmt.Fprintf(to, "| %s | %s |", w.name, figure(w.best[0], w.unit))
		for _, i := range others {
			fmt.Fprintf(to, " %s |", w.cell(i))
		}
		fmt.Fprintln(to)
	}
	fmt.Fprintln(to)
}

// list prints rows that have no peers.
func (r *results) list(to io.Writer, title string, rows []*row) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(to, "### %s\n\n| | |\n|---|---|\n", title)
	for _, w := range rows {
		fmt.Fprintf(to, "| %s | %s |\n", w.name, figure(w.best[0], w.unit))
	}
}

// cell is how many times better the first peer is where that makes sense and there is one, else the value itself.
func (w *row) cell(i int) string {
	a, b := w.best[0], w.best[i]
	switch {
	case math.IsNaN(b):
		return ""
	case math.IsNaN(a):
		return figure(b, w.unit)
	case a == 0 || b == 0 || !(isRate(w.unit) || strings.Contains(w.unit, "s")) || strings.HasPrefix(w.unit, "per"):
		return number(b)
	case isRate(w.unit):
		a, b = b, a
	}
	return fmt.Sprintf("%.2fx", b/a)
}

func figure(value float64, unit string) string {
	if math.IsNaN(value) {
		return ""
	}
	return number(value) + " " + unit
}

// number has three digits and no exponent.
func number(v float64) string {
	if v >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
