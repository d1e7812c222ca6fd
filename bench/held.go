package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file compares saved runs: which limits held in each of them. A run is a folder with its pages, as `make bench OUT=folder` writes it.

var limitRow = regexp.MustCompile(`(?m)^\| (.+) \| ([^|]+) \| ([^|]*) \| (holds|\*\*MISSES\*\*|not measured) \|$`)

// held is a limit over several runs.
type held struct {
	what, need       string
	figures, verdict []string // by run
}

// heldLimits reads the same page of several runs. A limit that a run lacks was not measured there.
func heldLimits(pages []string) (all []*held) {
	for run, page := range pages {
		for _, row := range limitRow.FindAllStringSubmatch(partOf(page, "limits"), -1) {
			i := slices.IndexFunc(all, func(h *held) bool { return h.what == row[1] })
			if i < 0 {
				i = len(all)
				all = append(all, &held{what: row[1], figures: make([]string, len(pages)), verdict: slices.Repeat([]string{notMeasured}, len(pages))})
			}
			all[i].need, all[i].figures[run], all[i].verdict[run] = row[2], row[3], row[4]
		}
	}
	return all
}

// in counts the runs with this verdict.
func (h *held) in(verdict string) (count int) {
	for _, v := range h.verdict {
		if v == verdict {
			count++
		}
	}
	return count
}

// heldPage lists the limits of a page that at least one run missed, or that at least one run did not measure.
func heldPage(title string, runs, pages []string) string {
	w := &strings.Builder{}
	all := heldLimits(pages)
	var missed, unmeasured []*held
	for _, h := range all {
		switch {
		case h.in(missesVerdict) > 0:
			missed = append(missed, h)
		case h.in(notMeasured) > 0:
			unmeasured = append(unmeasured, h)
		}
	}
	fmt.Fprintf(w, "## %s\n\n%d of %d limits held in each of %d runs; %d were missed in at least one; %d were not measured in each.\n\n",
		title, len(all)-len(missed)-len(unmeasured), len(all), len(runs), len(missed), len(unmeasured))
	for run, page := range pages {
		var facts []string
		for i, fact := range factRow.FindAllStringSubmatch(partOf(page, "machine"), -1) {
			for _, begin := range []string{"measured on", "commit", "other programs"} {
				if i == 0 || strings.HasPrefix(fact[1], begin) {
					facts = append(facts, fact[1])
					break
				}
			}
		}
		fmt.Fprintf(w, "- %s: %s\n", runs[run], strings.Join(facts, "; "))
	}
	for _, list := range []struct {
		title string
		rows  []*held
	}{{"Missed", missed}, {"Not measured in each run", unmeasured}} {
		if len(list.rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n### %s\n\n| what | limit | %s | missed in |\n|---|---|%s\n", list.title, strings.Join(runs, " | "), strings.Repeat("---|", len(runs)+1))
		for _, h := range list.rows {
			fmt.Fprintf(w, "| %s | %s |", h.what, h.need)
			for run := range runs {
				switch h.verdict[run] {
				case holdsVerdict:
					fmt.Fprintf(w, " %s |", h.figures[run])
				case missesVerdict:
					fmt.Fprintf(w, " **%s** |", h.figures[run])
				default:
					fmt.Fprintf(w, " %s |", notMeasured)
				}
			}
			fmt.Fprintf(w, " %d of %d |\n", h.in(missesVerdict), len(runs))
		}
	}
	return w.String()
}

// heldRuns compares the pages of these folders. A page that none of them has is left out.
func heldRuns(folders []string) (string, error) {
	if len(folders) < 2 {
		return "", fmt.Errorf("-held needs the folders of two or more runs, and got %d; save each run by `make bench OUT=folder`", len(folders))
	}
	var texts []string
	for _, c := range chartTitles {
		var pages, without []string
		for _, folder := range folders {
			page, err := os.ReadFile(filepath.Join(folder, c.page))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				without = append(without, folder)
				continue
			case err != nil:
				return "", err
			case !limitRow.MatchString(partOf(string(page), "limits")):
				return "", fmt.Errorf("%s has no limits", filepath.Join(folder, c.page))
			}
			pages = append(pages, string(page))
		}
		if len(pages) == 0 {
			continue
		}
		if len(without) > 0 {
			return "", fmt.Errorf("the run %s has no page %s, which another run has", strings.Join(without, " and the run "), c.page)
		}
		texts = append(texts, heldPage(c.title, folders, pages))
	}
	if len(texts) == 0 {
		return "", fmt.Errorf("none of the folders %s has a page of benchmarks", strings.Join(folders, ", "))
	}
	return strings.Join(texts, "\n"), nil
}
