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

// A whole model, converted, next to the same sources on one thread and with OpenMP. In this file: its rows. Not in this file: the model
// (examples/column_model), single nests (loops.go).

const triedModel = "The nests are those of the source, most of them long. Short ones, a level at a time, are launches of 0.3 us."

var modelPrograms = map[string]string{pool: "example_column_model_loops", serialLoop: "plain_column_model", openMP: "column_model_openmp"}

var (
	modelTime = regexp.MustCompile(`(?m)^time: +([0-9]*\.[0-9]+) s$`)
	modelBits = regexp.MustCompile(`(?m)^bits of the result: ([0-9A-F]+)$`)
)

func modelRow(threads int) string {
	return fmt.Sprintf("column model, 2000 columns, %d thread%s", threads, strings.Repeat("s", min(threads-1, 1)))
}

func modelLimit() limit {
	row := modelRow(2)
	return limit{row + ": time, of OpenMP's", "1.02x", atMost(1.02, row, openMP), triedModel}
}

// model measures the three programs in turn. All must have one result.
func (r *results) model(to io.Writer, build string, rounds int) error {
	folder := filepath.Join(build, "examples", "column_model")
	if _, err := os.Stat(filepath.Join(folder, modelPrograms[openMP])); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(os.Stderr, "bench: the column model was not built; its rows are left out")
		return nil
	}
	namelist := filepath.Join(build, "bench_column_model.nml")
	if err := os.WriteFile(namelist, []byte("&column_model columns = 2000, steps = 96, report_every = 96 /\n"), 0o666); err != nil {
		return err
	}
	from, bits := len(r.rows), ""
	for threads := 1; threads <= 2; threads++ {
		for round := range rounds {
			fmt.Fprintf(os.Stderr, "bench: %s, round %d of %d\n", modelRow(threads), round+1, rounds)
			for _, p := range r.peers {
				if modelPrograms[p.name] == "" {
					continue
				}
				cmd := exec.Command(filepath.Join(folder, modelPrograms[p.name]), namelist)
				cmd.Env = append(os.Environ(), fmt.Sprint("PORTABLE_NUM_THREADS=", threads), fmt.Sprint("OMP_NUM_THREADS=", threads))
				said, err := cmd.CombinedOutput()
				time, result := modelTime.FindSubmatch(said), modelBits.FindSubmatch(said)
				if err != nil || time == nil || result == nil || bits != "" && bits != string(result[1]) {
					return fmt.Errorf("%s: %v, bits %s expected:\n%s", cmd, err, bits, said)
				}
				bits = string(result[1])
				if err := r.line(cmd, modelRow(threads)+"\t"+string(time[1])+"\ts", "", r.column(p.name)); err != nil {
					return err
				}
			}
		}
	}
	r.shares(to, "A whole model", r.rows[from:], serialLoop, openMP)
	return nil
}
