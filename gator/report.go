package gator

import (
	"fmt"
	"strings"
)

// Report is what a person wants to read of an allocator: its numbers, then the bytes of each label.
func Report(a Allocator) string {
	s := a.Stats()
	var b strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&b, "  %-22s %v\n", name, value) }
	fmt.Fprintf(&b, "%s\n", a.Name())
	line("in use", fmt.Sprintf("%s in %d blocks", exact(s.InUse), s.Blocks))
	line("high water", exact(s.HighWater))
	line("reserved", fmt.Sprintf("%s in %d slabs", exact(s.Reserved), s.Slabs))
	if s.Limit > 0 {
		line("limit", exact(s.Limit))
	}
	line("free", exact(s.Free))
	line("largest gap", exact(s.LargestGap))
	line("fragmentation", fmt.Sprintf("%.3f", s.Fragmentation()))
	if s.WaitBlocks > 0 {
		line("waiting for streams", fmt.Sprintf("%s in %d blocks", exact(s.Waiting), s.WaitBlocks))
	}
	line("allocations", s.Allocations)
	line("frees", s.Frees)
	for i, l := range ByLabel(a.Blocks()) {
		if i == 0 {
			fmt.Fprintf(&b, "  bytes by label\n")
		}
		name := l.Label
		if name == "" {
			name = "(no label)"
		}
		fmt.Fprintf(&b, "    %-20s %s in %d blocks\n", name, exact(l.Bytes), l.Blocks)
	}
	return b.String()
}
