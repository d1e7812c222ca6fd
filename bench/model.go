package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Whole programs, converted, next to the same sources on one thread and with OpenMP. In this file: their rows. Not in this file: the programs
// (examples/column_model, examples/river), single nests (loops.go).

// A wholeProgram is an example of three programs, which print their time, and the bits of their result.
type wholeProgram struct {
	row, name string
	namelist  string   // the first argument is a file with this text
	arguments []string // without a namelist
	share     float64  // of OpenMP's time, the goal on two threads
	tried     string
}

var models = []wholeProgram{
	{row: "column model, 2000 columns", name: "column_model", namelist: "&column_model columns = 2000, steps = 96, report_every = 96 /\n", share: 1.02,
		tried: "The nests are those of the source, most of them long. Short ones, a level at a time, are launches of 0.3 us."},
	{row: "river, 109 980 triangles", name: "river", arguments: []string{"time", "470", "117"}, share: 1,
		tried: "Both gather over the edges of each cell. Fluxes that are added by atomic operations, or colour after colour, are the rows of fluxes of edges."},
}

var (
	modelTime = regexp.MustCompile(`(?m)^time: +([0-9]*\.[0-9]+) s$`)
	modelBits = regexp.MustCompile(`(?m)^bits of the result: ([0-9A-F]+)$`)
)

// program is a model's program for a column of the table; "": there is none.
func (m wholeProgram) program(column string) string {
	switch column {
	case pool:
		return "example_" + m.name + "_loops"
	case serialLoop:
		return "plain_" + m.name
	case openMP:
		return m.name + "_openmp"
	}
	return ""
}

func (m wholeProgram) on(threads int) string {
	return fmt.Sprintf("%s, %d thread%s", m.row, threads, strings.Repeat("s", min(threads-1, 1)))
}

func modelLimits() (list []limit) {
	for _, m := range models {
		row := m.on(2)
		list = append(list, limit{row + ": time, of OpenMP's", fmt.Sprintf("%.4gx", m.share), atMost(m.share, row, openMP), m.tried})
	}
	return list
}

// models measures the programs of each model in turn. All of a model must have one result.
func (r *results) models(to io.Writer, build string, rounds int) error {
	from := len(r.rows)
	for _, m := range models {
		if _, err := os.Stat(filepath.Join(build, "examples", m.name, m.program(openMP))); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "bench: %s was not built; its rows are left out\n", m.program(openMP))
			continue
		}
		arguments := m.arguments
		if m.namelist != "" {
			file := filepath.Join(build, "bench_"+m.name+".nml")
			if err := os.WriteFile(file, []byte(m.namelist), 0o666); err != nil {
				return err
			}
			arguments = []string{file}
		}
		if err := r.model(m, filepath.Join(build, "examples", m.name), arguments, rounds); err != nil {
			return err
		}
	}
	r.shares(to, "Whole programs", r.rows[from:], serialLoop, openMP)
	return nil
}

func (r *results) model(m wholeProgram, folder string, arguments []string, rounds int) error {
	bits := ""
	for threads := 1; threads <= 2; threads++ {
		for round := range rounds {
			fmt.Fprintf(os.Stderr, "bench: %s, round %d of %d\n", m.on(threads), round+1, rounds)
			for _, p := range r.peers {
				if m.program(p.name) == "" {
					continue
				}
				cmd := exec.Command(filepath.Join(folder, m.program(p.name)), arguments...)
				cmd.Env = append(os.Environ(), fmt.Sprint("PORTABLE_NUM_THREADS=", threads), fmt.Sprint("OMP_NUM_THREADS=", threads))
				said, err := cmd.CombinedOutput()
				time, result := modelTime.FindSubmatch(said), modelBits.FindSubmatch(said)
				if err != nil || time == nil || result == nil || bits != "" && bits != string(result[1]) {
					return fmt.Errorf("%s: %v, bits %s expected:\n%s", cmd, err, bits, said)
				}
				bits = string(result[1])
				if err := r.line(cmd, m.on(threads)+"\t"+string(time[1])+"\ts", "", r.column(p.name)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
