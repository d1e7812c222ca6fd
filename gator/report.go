package gator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"libportable/internal/backend"
	"libportable/internal/outside"
)

// Count is a number and what it counts: "1 block", "2 blocks".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Report is what a person wants to read of an allocator: its numbers, then the bytes of each label.
func Report(a Allocator) string {
	s := a.Stats()
	var b strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&b, "  %-22s %v\n", name, value) }
	fmt.Fprintf(&b, "%s\n", outside.Clean(a.Name()))
	line("in use", exact(s.InUse)+" in "+Count(int(s.Blocks), "block"))
	line("high water", exact(s.HighWater))
	line("reserved", exact(s.Reserved)+" in "+Count(int(s.Slabs), "slab"))
	if s.Limit > 0 {
		line("limit", exact(s.Limit))
	}
	line("free", exact(s.Free))
	line("largest gap", exact(s.LargestGap))
	line("fragmentation", fmt.Sprintf("%.3f", s.Fragmentation()))
	if s.WaitBlocks > 0 {
		line("waiting for streams", exact(s.Waiting)+" in "+Count(int(s.WaitBlocks), "block"))
	}
	line("allocations", s.Allocations)
	line("frees", s.Frees)
	for i, l := range ByLabel(a) {
		if i == 0 {
			fmt.Fprintf(&b, "  bytes by label\n")
		}
		name := outside.Clean(l.Label)
		if name == "" {
			name = "(no label)"
		}
		fmt.Fprintf(&b, "    %-20s %s in %s\n", name, exact(l.Bytes), Count(int(l.Blocks), "block"))
	}
	return b.String()
}

// topLabels is how many labels an out-of-memory text names.
const topLabels = 5

// MemoryError says why there is no memory, and what to do.
type MemoryError struct {
	Pool  string
	Bytes uint64 // asked for
	Label string
	Stats Stats
	Top   []LabelUse // the labels that hold most, largest first
	Cause error      // why the pool could not grow
}

// Unwrap makes it an ErrMemory that also shows its cause.
func (e *MemoryError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrMemory}
	}
	return []error{ErrMemory, e.Cause}
}

func (e *MemoryError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "out of memory: %s has no %s%s", e.Pool, exact(e.Bytes), labelled(e.Label))
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %v", e.Cause)
	}
	limit := "none"
	if e.Stats.Limit > 0 {
		limit = exact(e.Stats.Limit)
	}
	fmt.Fprintf(&b, "\n  in use %s in %s, reserved %s, limit %s", exact(e.Stats.InUse), Count(int(e.Stats.Blocks), "block"), exact(e.Stats.Reserved), limit)
	fmt.Fprintf(&b, "\n  free %s, largest gap %s", exact(e.Stats.Free), exact(e.Stats.LargestGap))
	if e.Stats.Waiting > 0 {
		fmt.Fprintf(&b, ", waiting for streams %s", exact(e.Stats.Waiting))
	}
	for i, l := range e.Top {
		if i == 0 {
			b.WriteString("\n  biggest labels:")
		}
		name := outside.Clean(l.Label)
		if name == "" {
			name = "(no label)"
		}
		fmt.Fprintf(&b, "\n    %-24s %s in %s", name, exact(l.Bytes), Count(int(l.Blocks), "block"))
	}
	return b.String()
}

// exact is a size that a person can read and a program can compare.
func exact(bytes uint64) string {
	const mib = 1 << 20
	if bytes < mib {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%d bytes (%.1f MiB)", bytes, float64(bytes)/mib)
}

func memoryError(pool string, bytes uint64, label string, stats Stats, each func(func(Block) bool), cause error) error {
	if errors.Is(cause, backend.ErrDevice) { // it is not memory that is missing
		return fmt.Errorf("%s has no %s%s: %w", pool, exact(bytes), labelled(label), cause)
	}
	var sums Sums
	each(func(b Block) bool { sums.Add(b); return true })
	top := sums.Largest()
	if errors.Is(cause, backend.ErrRefused) { // other causes say themselves what to do
		advice := "ask for less, or look at ulimit -v and the memory limit of the job"
		var of interface{ Advice() string } // of memory that is not the host's
		if errors.As(cause, &of) {
			advice = of.Advice()
		}
		cause = fmt.Errorf("%w; %s", cause, advice)
	}
	return &MemoryError{pool, bytes, label, stats, top[:min(len(top), topLabels)], cause}
}

// LabelUse is what the blocks of one label hold.
type LabelUse struct {
	Label  string
	Bytes  uint64
	Blocks uint64
}

// Sums adds blocks up by label. Its size depends on the number of labels, which is limited, and not on the number of blocks.
type Sums struct {
	at   map[string]int
	uses []LabelUse
}

// Add counts one more block.
func (s *Sums) Add(b Block) {
	i, ok := s.at[b.Label]
	if !ok {
		if s.at == nil {
			s.at = map[string]int{}
		}
		i = len(s.uses)
		s.at[b.Label] = i
		s.uses = append(s.uses, LabelUse{Label: b.Label})
	}
	s.uses[i].Bytes += b.Bytes
	s.uses[i].Blocks++
}

// Largest gives the sums, the largest first.
func (s *Sums) Largest() []LabelUse {
	slices.SortFunc(s.uses, func(a, b LabelUse) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Label, b.Label))
	})
	s.at = nil // the places have changed
	return s.uses
}

// ByLabel sums the blocks of an allocator by label, the largest first.
func ByLabel(a Allocator) []LabelUse {
	var sums Sums
	a.Each(func(b Block) bool { sums.Add(b); return true })
	return sums.Largest()
}
