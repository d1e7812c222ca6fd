package exec

// This file prints the table of kernels that ran on the host in place of a CUDA device.

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"libportable/internal/outside"
)

// Fallback is a label with launches for a CUDA device that ran on the host. Times are in nanoseconds. C counts (exec/launch/fallback.c).
type Fallback struct {
	Label                string
	Launches, Iterations int64
	Total, Max           int64
}

// FallbackReport is a table of the list, in its order; "": an empty list. noCompiler: the compiler of device versions in source was missing.
// The report ends with a line's end.
func FallbackReport(list []Fallback, noCompiler bool) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	var total, launches int64
	rule := strings.Repeat("_", ruleLength) + "\n"
	b.WriteString("******* Launches for the device that ran on the host *******\n" + rule)
	fmt.Fprintf(&b, "%-50s%-12s%-15s%-15s%-15s\n", "Label", "# launches", "Total time", "Max time", "Iterations")
	b.WriteString(rule)
	for _, f := range list {
		label := cut(outside.Clean(f.Label), labelCut)
		b.WriteString(label + strings.Repeat(" ", labelColumn-utf8.RuneCountInString(label)))
		fmt.Fprintf(&b, "%-12d%-15.6e%-15.6e%-15d\n", f.Launches, seconds(f.Total), seconds(f.Max), f.Iterations)
		total, launches = total+f.Total, launches+f.Launches
	}
	b.WriteString(rule)
	fmt.Fprintf(&b, "%-50s%-12d%-15.6e\n", "all", launches, seconds(total))
	if noCompiler {
		b.WriteString("These kernels have no version for the device, or one that is source, for which NVIDIA's compiler NVRTC was not found: install it (CUDA toolkit,\n" +
			"or the package libnvrtc), or say by PORTABLE_NVRTC_LIBRARY where it is. The slowest come first.\n")
	} else {
		b.WriteString("These kernels have no version for the device; the slowest come first.\n")
	}
	return b.String()
}
