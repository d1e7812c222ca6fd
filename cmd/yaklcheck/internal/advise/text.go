package advise

import (
	"fmt"
	"io"
	"strings"

	"libportable/cmd/yaklcheck/internal/show"
	"libportable/internal/report"
)

// Text writes the advice.
func (a *Advice) Text(to io.Writer) {
	fmt.Fprintf(to, "%s: %s, at most %s at once\n", a.Run.Title(), report.Plural(a.Blocks, "block"), show.Size(a.Peak))
	fmt.Fprintln(to)
	t := &show.Table{Heads: []string{fmt.Sprintf("%-30s", "setting"), ">    memory", ">address space", "> slabs", ">most in use", ""}}
	for _, o := range a.Outcomes {
		mark := ""
		switch {
		case o.Setting == a.Best.Setting && o.Setting == a.Present.Setting:
			mark = "< present, best"
		case o.Setting == a.Best.Setting:
			mark = "< best"
		case o.Setting == a.Present.Setting:
			mark = "< present"
		}
		t.Add(o.Setting.String(), show.Size(o.Touched), show.Size(o.Mapped), fmt.Sprint(o.Slabs+1), show.Size(o.High), mark)
	}
	t.Write(to)
	fmt.Fprintln(to)
	for _, line := range a.lines() {
		fmt.Fprintln(to, line)
	}
}

// String names a setting by its sizes: first slab, further slabs, granule.
func (s Setting) String() string {
	grow := "doubling"
	if s.Grow > 0 {
		grow = "+" + show.Size(s.Grow)
	}
	return fmt.Sprintf("%s %s, granule %d", show.Size(s.Initial), grow, s.Block)
}

// lines are the sentences of the advice.
func (a *Advice) lines() (lines []string) {
	if a.Fine {
		return append(lines, fmt.Sprintf("The present settings are fine: %s of memory for at most %s in blocks, %s.",
			show.Size(a.Present.Touched), show.Size(a.Peak), slabsMade(a.Present.Slabs)))
	}
	if !a.Pool {
		lines = append(lines, "The run had no pool (GATOR_DISABLE); these settings are for a run with one.")
	}
	lines = append(lines, "Set:")
	b, p := a.Best, a.Present
	if b.Initial != p.Initial || !a.Pool {
		lines = append(lines, fmt.Sprintf("  export GATOR_INITIAL_MB=%d", b.Initial>>20))
	}
	if b.Grow != p.Grow {
		if b.Grow == 0 {
			lines = append(lines, "  unset GATOR_GROW_MB")
		} else {
			lines = append(lines, fmt.Sprintf("  export GATOR_GROW_MB=%d", b.Grow>>20))
		}
	}
	if b.Block != p.Block {
		lines = append(lines, fmt.Sprintf("  export GATOR_BLOCK_BYTES=%d", b.Block))
	}
	var saves []string
	if p.Touched > b.Touched {
		saves = append(saves, fmt.Sprintf("%s of memory (%s instead of %s)", show.Size(p.Touched-b.Touched), show.Size(b.Touched), show.Size(p.Touched)))
	}
	if p.Slabs > b.Slabs {
		saves = append(saves, report.Count(p.Slabs-b.Slabs, "slab that was", "slabs that were")+" made while the run went on")
	}
	if p.Mapped > b.Mapped {
		saves = append(saves, fmt.Sprintf("%s of address space", show.Size(p.Mapped-b.Mapped)))
	}
	if len(saves) > 0 {
		lines = append(lines, "This saves "+strings.Join(saves, ", ")+".")
	}
	return append(lines, "A program's own settings (initial_mb and others) win over the environment: change them there.")
}

func slabsMade(n int) string {
	if n == 0 {
		return "one slab"
	}
	return report.Plural(n, "slab") + " made while the run went on"
}
