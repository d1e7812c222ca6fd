package findings

// This file makes a report from traces: each record becomes a finding with its places, equal ones
// become one, in a fixed order.

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"libportable/cmd/yaklcheck/internal/trace"
	"libportable/internal/outside"
	"libportable/internal/report"
)

// Collect makes the report of these traces.
func Collect(files []*trace.File, o Options) *Report {
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b *trace.File) int {
		return cmp.Or(cmp.Compare(RankOf(a), RankOf(b)), strings.Compare(a.Path, b.Path))
	})
	c := collector{options: o, report: &Report{Program: o.Program}, known: map[string]*Finding{}, threads: map[*Finding]map[[2]int]bool{},
		places: map[placeOf]counted{}}
	for i, f := range files {
		c.file(i, f)
	}
	r := c.report
	if len(r.Processes) > 0 && filepath.Base(r.Program) != filepath.Base(r.Processes[0].Executable) {
		// A launcher or script was called, or the trace does not say.
		var names []string
		for _, p := range r.Processes {
			addOnce(&names, p.Program)
		}
		r.Program = strings.Join(names, ", ")
	}
	for f, threads := range c.threads {
		f.Threads = len(threads)
	}
	if o.LeakCheck == "summary" {
		c.sumLeaks()
	}
	slices.SortStableFunc(r.Findings, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(a.order.leaksLast(), b.order.leaksLast()), cmp.Compare(a.order.process, b.order.process),
			bytesOfLeaks(b, a), cmp.Compare(a.order.time, b.order.time))
	})
	r.Findings = slices.DeleteFunc(r.Findings, func(f *Finding) bool {
		if o.Suppressions.match(f, r.Program) {
			r.Suppressed++
			return true
		}
		return false
	})
	c.missingRanks()
	return r
}

// bytesOfLeaks orders leaks by their bytes, and treats other findings as equal.
func bytesOfLeaks(a, b *Finding) int {
	if a.order.leak && b.order.leak {
		return cmp.Compare(a.Block, b.Block)
	}
	return 0
}

// leaksLast is 1 for a leak, and 0 for other findings.
func (o order) leaksLast() int {
	if o.leak {
		return 1
	}
	return 0
}

type collector struct {
	options Options
	report  *Report
	known   map[string]*Finding
	threads map[*Finding]map[[2]int]bool // process and thread
	places  map[placeOf]counted
}

// placeOf is a place in one process.
type placeOf struct {
	process int
	place   string
}

// counted is a finding of a place, and how often it happened there.
type counted struct {
	finding *Finding
	count   uint64
}

func number(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}

// RankOf is the rank of the process of a trace, or -1.
func RankOf(f *trace.File) int { return number(f.Meta.Value("rank"), -1) }

func (c *collector) file(index int, f *trace.File) {
	p := Process{Trace: f.Path, Executable: f.Meta.Value("exe"), Folder: f.Meta.Value("cwd"), PID: number(f.Meta.Value("pid"), 0),
		Rank: RankOf(f), Size: number(f.Meta.Value("size"), 0), Mode: "exact", Guard: "end", Finish: f.Finish}
	for pair := range strings.SplitSeq(f.Meta.Value("PORTABLE_MEMCHECK"), ",") {
		switch name, value, _ := strings.Cut(pair, "="); name {
		case "mode":
			p.Mode = value
		case "guard":
			p.Guard = value
		}
	}
	p.Program, _, _ = strings.Cut(f.Meta.Value("argv"), "\x00")
	p.Program = outside.Clean(p.Program)
	if p.Program == "" {
		p.Program = cmp.Or(outside.Clean(p.Executable), filepath.Base(f.Path))
	}
	switch {
	case f.Finish == nil:
		p.Ended = c.withoutEnd(p.PID)
	case f.Finish.How == finishSignal:
		p.Ended = fmt.Sprintf("it died of signal %d (%v)", f.Finish.Signal, syscall.Signal(f.Finish.Signal))
	}
	c.report.Processes = append(c.report.Processes, p)
	// A crash is a finding with more details.
	if p.Ended != "" && !slices.ContainsFunc(f.Records, func(r trace.Record) bool { found, is := r.(*trace.Finding); return is && found.What == trace.Died }) {
		c.note(p, p.Ended)
	}
	if f.Skipped > 0 {
		c.note(p, fmt.Sprintf("%d bytes of its trace %s are damaged and were skipped", f.Skipped, f.Path))
	}
	if f.Starts > 1 {
		c.note(p, fmt.Sprintf("%d runs wrote into one trace, %s; their findings are reported together", f.Starts, f.Path))
	}
	s := sitesOf(f, c.options.Symbols)
	for _, record := range f.Records {
		switch record := record.(type) {
		case *trace.Finding:
			if record.What == trace.Died && p.Finish != nil && p.Finish.How == finishFinalize {
				c.survived(p, s, record)
				continue
			}
			c.finding(index, p, s, record)
		case *trace.Checkpoint:
			c.report.Checkpoints = append(c.report.Checkpoints, Checkpoint{record.Label, p.Rank, record.LiveBytes, record.LiveBlocks})
		case *trace.Note:
			c.note(p, record.Text)
		}
	}
	if s.symbols != nil {
		for _, hint := range s.symbols.Hints() {
			addOnce(&c.report.Notes, hint)
		}
	}
}

// withoutEnd explains why the trace of a process has no end, as far as that is known.
func (c *collector) withoutEnd(pid int) string {
	const text = "its trace has no end: "
	const unknown = text + "it was killed, ended by _exit, could not write on, or still runs"
	switch e := c.options.Ending; {
	case e == nil || e.PID != pid && e.Others == "":
		return unknown
	case e.PID == pid:
		return text + e.Cause
	default:
		return unknown + "; " + e.Others
	}
}

// The ends of a process, in trace.Finish.
const (
	finishFinalize = 1
	finishSignal   = 2
)

// survived is a signal that the program's own handler has handled: the program reached its finalize.
func (c *collector) survived(p Process, s *sites, t *trace.Finding) {
	where := ""
	if site, ok := s.site(Here, t.HereStack); ok {
		where = " at " + site.Shown(false)[0].Place(s.folder)
	}
	c.note(p, cmp.Or(t.Text, "a signal")+where+" was caught by a handler of the program's, which went on")
}

// note keeps a note of several processes once.
func (c *collector) note(p Process, text string) {
	if p.Rank >= 0 {
		text = fmt.Sprintf("rank %d: %s", p.Rank, text)
	} else if p.Ended == text {
		text = fmt.Sprintf("process %d: %s", p.PID, text)
	}
	addOnce(&c.report.Notes, text)
}

// addOnce adds an element to a list that does not have it.
func addOnce[E comparable](list *[]E, element E) {
	if !slices.Contains(*list, element) {
		*list = append(*list, element)
	}
}

func (c *collector) finding(index int, p Process, s *sites, t *trace.Finding) {
	if t.What == trace.Leak && c.options.LeakCheck == "no" {
		return
	}
	f := &Finding{Kind: KindOf(t.What), Flags: t.Flags, Label: printable(t.Label), Other: printable(t.OtherLabel), Text: outside.Lines(t.Text), Access: t.AccessBytes,
		Distance: t.Distance, Block: t.BlockBytes, Address: t.Address, Start: t.BlockStart, Count: max(1, t.Count),
		order: order{index, t.What == trace.Leak, t.Time}}
	for _, role := range []struct {
		role  Role
		stack uint32
	}{{Here, t.HereStack}, {Allocated, t.AllocStack}, {Freed, t.FreeStack}, {Other, t.OtherStack}} {
		if site, ok := s.site(role.role, role.stack); ok {
			f.Sites = append(f.Sites, site)
		}
	}
	if t.What == trace.Leak && t.Label == servedLabel && !s.isLost(t.AllocStack) {
		return
	}
	if t.What == trace.CanaryOverwritten && t.HereStack == t.FreeStack {
		f.Sites = slices.DeleteFunc(f.Sites, func(s Site) bool { return s.Role == Freed }) // at the place where it was seen
	}
	place := placeOf{index, f.place()}
	if t.Flags&trace.FlagCountedOnly != 0 {
		// The number of times at this place, if they were not written one by one.
		if first := c.places[place]; first.finding != nil && first.count < f.Count {
			first.finding.Count += f.Count - first.count
			c.places[place] = counted{first.finding, f.Count}
			return
		}
	}
	key := f.key()
	first := c.known[key]
	if first == nil {
		first = f
		c.known[key] = f
		c.report.Findings = append(c.report.Findings, f)
		c.threads[f] = map[[2]int]bool{}
	} else {
		first.add(f)
	}
	c.places[place] = counted{first, c.places[place].count + f.Count}
	c.threads[first][[2]int{index, int(t.Thread)}] = true
	if p.Rank >= 0 {
		addOnce(&first.Ranks, p.Rank)
	}
	addOnce(&first.PIDs, p.PID)
}

// printable is a label without bytes that disturb a terminal or end a line of a file of suppressions, where `?` stands
// for any character.
func printable(label string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, label)
}

// key is equal for findings that are one.
func (f *Finding) key() string {
	text := ""
	if f.titleIsText() {
		text = f.Text // other texts have addresses, which differ from process to process
	}
	return fmt.Sprintf("%q %q %s", f.Other, text, f.place())
}

// place is kind, label and places of a finding, which the library distinguishes.
func (f *Finding) place() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d %q", f.Kind.Name, f.Flags&(trace.FlagRead|trace.FlagWrite), f.Label)
	for _, s := range f.Sites {
		fmt.Fprintf(&b, "\n%d %q", s.Role, s.Kernel)
		for _, frame := range s.Frames {
			switch {
			case frame.Owner != User:
				// The position of an instruction inside memset or the library does not matter.
				fmt.Fprintf(&b, "\n%s %s", filepath.Base(frame.Module), frame.Procedure)
			case frame.Line > 0:
				fmt.Fprintf(&b, "\n%s %s:%d", frame.Procedure, frame.File, frame.Line)
			default:
				fmt.Fprintf(&b, "\n%s %s %x", frame.Module, frame.Procedure, frame.Offset)
			}
		}
	}
	return b.String()
}

// add adds a finding of the same kind and places.
func (f *Finding) add(more *Finding) {
	f.Varies = f.Varies || f.Distance != more.Distance || f.Access != more.Access || !f.order.leak && f.Block != more.Block
	f.Count += more.Count
	if f.order.leak {
		f.Block += more.Block
	}
}

// sumLeaks replaces all leaks by one finding.
func (c *collector) sumLeaks() {
	var all *Finding
	places := 0
	c.report.Findings = slices.DeleteFunc(c.report.Findings, func(f *Finding) bool {
		if !f.order.leak {
			return false
		}
		if c.options.Suppressions.match(f, c.report.Program) {
			c.report.Suppressed++
			return true
		}
		places++
		if all == nil {
			whole := *f
			all = &whole
			return true
		}
		all.add(f)
		for _, rank := range f.Ranks {
			addOnce(&all.Ranks, rank)
		}
		return true
	})
	if places == 0 {
		return
	}
	slices.Sort(all.Ranks)
	all.Label, all.Sites = "", nil
	all.Text = fmt.Sprintf("allocated at %s; --leak-check=full lists them", report.Plural(places, "place"))
	c.report.Findings = append(c.report.Findings, all)
}

// missingRanks reports ranks without a trace.
func (c *collector) missingRanks() {
	size, seen := 0, map[int]bool{}
	for _, p := range c.report.Processes {
		size = max(size, p.Size)
		if p.Rank >= 0 {
			seen[p.Rank] = true
		}
	}
	var missing []int
	for rank := range size {
		if !seen[rank] {
			missing = append(missing, rank)
		}
	}
	if size > 1 && len(seen) > 1 && len(missing) > 0 {
		c.report.Notes = append(c.report.Notes, fmt.Sprintf("%s of %d left no trace here; on several nodes: --trace-folder on a file "+
			"system that they share, and hand the variables PORTABLE_CHECK, PORTABLE_MEMCHECK and PORTABLE_TRACE on to them", ranges("rank", missing), size))
	}
}
