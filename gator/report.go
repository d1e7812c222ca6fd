package gator

import (
	"fmt"
	"strings"

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
