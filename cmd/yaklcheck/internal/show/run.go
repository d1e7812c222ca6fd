package show

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"libportable/cmd/yaklcheck/internal/trace"
	"libportable/internal/outside"
)

// This file reads a trace as events in order, and matches each with the event that it ends.

// Run is one process, as its trace describes it.
type Run struct {
	Path    string
	Meta    *trace.Meta
	Labels  []string // events have the index
	Events  []Event  // allocations and frees of blocks, in order
	Work    []Work   // launches, fences and regions, in the order of their begin
	Slabs   []Slab   // in the order of their creation
	Marks   []Mark   // checkpoints
	Notes   []string
	Threads []uint32 // events have the index
	Length  uint64   // time of the last record
	Skipped int64    // bytes of the file that belong to no record
	Orphans int      // frees of blocks that are not in the trace
	numbers map[string]int32
	stacks  *trace.File // what names of stacks need
}

// Event is the allocation or the free of a block.
type Event struct {
	Time           uint64
	Address, Bytes uint64
	Label          int32
	Stack          uint32
	Pool           uint64
	Free           bool
}

// Work is a launch, a fence or a region: its kind is one of trace.Work... or that of a launch.
type Work struct {
	Begin, End uint64
	Kind       uint32
	Label      int32
	Thread     int32
	Count      int64
	Failed     bool
	Open       bool // the run ended before the work did
}

// Slab is memory that a pool had from Begin to End.
type Slab struct {
	Begin, End     uint64
	Address, Bytes uint64
	Pool           string
}

// Mark is a checkpoint.
type Mark struct {
	Time  uint64
	Label string
	Bytes uint64
}

// ErrNoEvents means that a trace has findings only.
var ErrNoEvents = errors.New("it has no blocks and no launches: it was made for checks; make one by `yaklcheck trace PROGRAM`")

// loader keeps the state that matching needs.
type loader struct {
	*Run
	first   uint64
	begun   bool
	live    map[uint64]int // the event that allocated the block
	open    map[openWork]int
	threads map[uint32]int32
}

type openWork struct {
	region bool
	id     uint64
}

// Load reads the trace of that name.
func Load(path string) (*Run, error) {
	l := &loader{Run: &Run{Path: path, Meta: new(trace.Meta), numbers: map[string]int32{},
		stacks: &trace.File{Meta: new(trace.Meta), Stacks: map[uint32]*trace.Stack{}}}, live: map[uint64]int{}, open: map[openWork]int{},
		threads: map[uint32]int32{}}
	r, err := trace.Each(path, l.add)
	if err != nil {
		return nil, err
	}
	if len(l.Events) == 0 && len(l.Work) == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrNoEvents)
	}
	for _, i := range l.open {
		l.Work[i].End, l.Work[i].Open = l.Length, true
	}
	for i := range l.Slabs {
		if l.Slabs[i].End == 0 {
			l.Slabs[i].End = l.Length
		}
	}
	if n := r.Starts(); n > 1 {
		l.Notes = append(l.Notes, fmt.Sprintf("%d runs have written into this file: %%p in PORTABLE_TRACE gives each process one of its own", n))
	}
	l.Skipped = r.Skipped()
	return l.Run, nil
}

func (l *loader) add(record trace.Record) {
	h := record.When()
	if !l.begun {
		l.first, l.begun = h.Time, true
	}
	now := max(h.Time, l.first) - l.first
	// A thread takes the time before it writes, so records may be slightly out of order. Pictures need them in order.
	now = max(now, l.Length)
	l.Length = now
	switch r := record.(type) {
	case *trace.Meta:
		l.Meta, l.stacks.Meta = r, r
	case *trace.Module:
		l.stacks.Modules = append(l.stacks.Modules, r)
	case *trace.Stack:
		l.stacks.Stacks[r.ID] = r
	case *trace.Note:
		l.Notes = append(l.Notes, outside.Clean(r.Text))
	case *trace.Alloc:
		l.drop(r.Address, now) // the trace has lost its free
		l.live[r.Address] = len(l.Events)
		l.Events = append(l.Events, Event{now, r.Address, r.Bytes, l.number(outside.Clean(r.Label)), r.Stack, r.Pool, false})
	case *trace.Free:
		if !l.drop(r.Address, now) {
			l.Orphans++
		}
	case *trace.Slab:
		l.slab(r, now)
	case *trace.Begin:
		l.open[openWork{r.Work == trace.WorkRegion, r.ID}] = len(l.Work)
		l.Work = append(l.Work, Work{Begin: now, End: now, Kind: r.Work, Label: l.number(outside.Clean(r.Label)), Thread: l.thread(h.Thread), Count: r.Count})
	case *trace.End:
		k := openWork{r.Work == trace.WorkRegion, r.ID}
		if i, ok := l.open[k]; ok {
			l.Work[i].End, l.Work[i].Failed = now, r.Status != 0
			delete(l.open, k)
		}
	case *trace.Checkpoint:
		l.Marks = append(l.Marks, Mark{now, outside.Clean(r.Label), r.LiveBytes})
	}
}

// drop ends the life of the block at an address, if there is one.
func (l *loader) drop(address, now uint64) bool {
	i, ok := l.live[address]
	if !ok {
		return false
	}
	delete(l.live, address)
	e := l.Events[i]
	e.Time, e.Free = now, true
	l.Events = append(l.Events, e)
	return true
}

func (l *loader) slab(r *trace.Slab, now uint64) {
	if r.What == trace.SlabReserved {
		l.Slabs = append(l.Slabs, Slab{Begin: now, Address: r.Address, Bytes: r.Bytes, Pool: outside.Clean(r.Pool)})
		return
	}
	for i := len(l.Slabs) - 1; i >= 0; i-- {
		if s := &l.Slabs[i]; s.Address == r.Address && s.End == 0 {
			s.End = max(now, 1)
			// Its live blocks end with it.
			for address := range l.live {
				if address-s.Address < s.Bytes {
					l.drop(address, now)
				}
			}
			return
		}
	}
}

// number is the index of a label.
func (r *Run) number(label string) int32 {
	return indexed(r.numbers, &r.Labels, label)
}

func (l *loader) thread(id uint32) int32 { return indexed(l.threads, &l.Threads, id) }

// indexed is the index of an element in a list, where a new one goes to the end.
func indexed[E comparable](known map[E]int32, list *[]E, element E) int32 {
	n, ok := known[element]
	if !ok {
		n = int32(len(*list))
		known[element] = n
		*list = append(*list, element)
	}
	return n
}

// Name is the label of that index, for output.
func (r *Run) Name(label int32) string {
	if label < 0 {
		return "(others)"
	}
	if r.Labels[label] == "" {
		return "(no label)"
	}
	return r.Labels[label]
}

// ThreadName distinguishes the main thread from the others.
func (r *Run) ThreadName(thread int32) string {
	if strconv.FormatUint(uint64(r.Threads[thread]), 10) == r.Meta.Value("pid") {
		return "main thread"
	}
	return fmt.Sprintf("thread %d", r.Threads[thread])
}

// Title is the program and its rank.
func (r *Run) Title() string {
	name := outside.Clean(filepath.Base(r.Meta.Value("exe")))
	if name == "." {
		name = outside.Clean(filepath.Base(r.Path))
	}
	if rank := r.Meta.Value("rank"); rank != "" {
		name += ", rank " + outside.Clean(rank)
	}
	return name
}

// Command is the command line of the program.
func (r *Run) Command() string {
	return outside.Clean(strings.ReplaceAll(r.Meta.Value("argv"), "\x00", " "))
}
