package present

import "sync"

// Span is the host memory from the first to the last element of an array: Start to End-1. Unit is the size of an element.
type Span struct {
	Start, End    uintptr
	Unit          uint64
	Read, Written bool
	Name          string
}

func (s Span) overlaps(e *entry) bool { return s.Start < e.End && e.Start < s.End }
func (s Span) within(e *entry) bool   { return s.Start >= e.Start && s.End <= e.End }

// Clause says which copies of an array a region leaves out.
type Clause uint8

// The clauses. An array without one is copied as its use needs.
const (
	Derived Clause = iota
	In
	Out   // what the array holds before the region is not wanted
	InOut // as Derived
	Local // what it holds before and behind the region is not wanted
)

// Memory is that of devices, and of the host for what a device got.
type Memory interface {
	Allocate(device int, bytes uint64, label string) (uintptr, error)
	Free(device int, block uintptr) error
	Host(bytes uint64) uintptr // 0: there is none left
	FreeHost(block uintptr)
}

// Copy is one copy of an array between host and device; Up: to the device. Unit is the size of what comes back at a time.
type Copy struct {
	Start       uintptr
	Bytes, Unit uint64
	There       uintptr
	Device      int
	Up          bool
	Before      uintptr // host memory with what the device has of an exposed array; the copy keeps it so. 0: of others
	Region      string
	Name        string
}

// entry is an array of a region. host and device: that side is current.
type entry struct {
	Span
	region       *region
	clause       Clause
	shared       bool // procedures elsewhere may use it by another name
	block        uintptr
	at           int // device of the block
	host, device bool
	fresh        bool // no content is wanted yet
	away         bool // its memory may have been freed
	entered      int  // how often Enter added it, without Exit
	exposed      bool // a procedure that is not seen had it, and may write elements until another such procedure returns
	before       uintptr
}

func (e *entry) there() uintptr { return e.block + e.Start%align }

// align keeps the alignment of each element on the device.
const align = 256

type region struct {
	label  string
	thread uint64
}

// Entered is the label of the region of arrays that Enter adds.
const Entered = "enter data"

// Table is the regions that are open. Threads: safe.
type Table struct {
	Memory  Memory
	mu      sync.Mutex
	regions []*region
	entries []*entry
	paused  map[uint64]int
	plan    *Plan
}

// Open opens a region. Close ends the last one of its label and thread.
func (t *Table) Open(label string, thread uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.regions = append(t.regions, &region{label: label, thread: thread})
}

// Counts are the numbers of open regions and of their arrays.
func (t *Table) Counts() (regions, entries int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.regions), len(t.entries)
}

// Add adds an array to the innermost region of the thread. An array that is present stays in the region that has it. One that overlaps others in part
// is left out: launches copy it.
func (t *Table) Add(thread uint64, s Span, clause Clause, shared bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := t.innermost(thread, ""); i >= 0 {
		t.add(t.regions[i], s, clause, shared)
	}
}

// add gives the new entry; nil: there is none.
func (t *Table) add(r *region, s Span, clause Clause, shared bool) *entry {
	if s.Start >= s.End {
		return nil
	}
	t.drop(s)
	for _, e := range t.entries {
		if s.overlaps(e) {
			return nil
		}
	}
	e := &entry{Span: s, region: r, clause: clause, shared: shared, host: true, fresh: clause == Out || clause == Local}
	t.entries = append(t.entries, e)
	return e
}

// Enter adds an array that stays until Exit was called as often. Procedures elsewhere may use it.
func (t *Table) Enter(thread uint64, s Span) {
	t.mu.Lock()
	if i := t.innermost(thread, Entered); i < 0 {
		t.regions = append([]*region{{label: Entered, thread: thread}}, t.regions...)
	}
	for _, e := range t.entries {
		if s.within(e) && e.entered > 0 && !e.away {
			e.entered++
			t.mu.Unlock()
			return
		}
	}
	if e := t.add(t.regions[t.innermost(thread, Entered)], s, InOut, true); e != nil {
		e.entered = 1
	}
	t.mu.Unlock()
}

// drop forgets arrays whose memory was freed, and now is that of s.
func (t *Table) drop(s Span) {
	var kept []*entry
	for _, e := range t.entries {
		if !e.away || !s.overlaps(e) {
			kept = append(kept, e)
			continue
		}
		t.free(e)
	}
	t.entries = kept
}

func (t *Table) innermost(thread uint64, label string) int {
	for i := len(t.regions) - 1; i >= 0; i-- {
		if r := t.regions[i]; r.thread == thread && (r.label == label || label == "" && r.label != Entered) {
			return i
		}
	}
	return -1
}

// Pause keeps launches of the thread from the copies, until Resume: procedures without source may use the arrays.
func (t *Table) Pause(thread uint64) { t.step(thread, 1) }

// Resume ends the last Pause.
func (t *Table) Resume(thread uint64) { t.step(thread, -1) }

func (t *Table) step(thread uint64, by int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.paused == nil {
		t.paused = map[uint64]int{}
	}
	if t.paused[thread] = max(0, t.paused[thread]+by); t.paused[thread] == 0 {
		delete(t.paused, thread)
	}
}

// Stay says that the memory of an array is where it was before Leave, if it is.
func (t *Table) Stay(s Span) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.entries {
		if e.away && e.Start == s.Start && e.End == s.End {
			e.away = false
		}
	}
}

// End frees all memory, and empties the table: the program ends, also inside of a region.
func (t *Table) End() {
	t.mu.Lock()
	for _, e := range t.entries {
		t.free(e)
	}
	t.mu.Unlock()
	t.Forget()
}

// free frees the memory of an array.
func (t *Table) free(e *entry) (err error) {
	if e.block != 0 {
		err = t.Memory.Free(e.at, e.block)
	}
	if e.before != 0 {
		t.Memory.FreeHost(e.before)
	}
	e.block, e.before = 0, 0
	return err
}

// Forget empties the table without copies; the library starts.
func (t *Table) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.regions, t.entries, t.paused, t.plan = nil, nil, nil, nil
}
