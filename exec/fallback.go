package exec

// This file writes the text of the table of kernels that ran on the host in place of a CUDA device.

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"libportable/internal/outside"
)

// Fallback is a label with launches for a CUDA device that ran on the host. Times are in nanoseconds. C counts (exec/launch/fallback.c).
type Fallback struct {
	Label                string
	Launches, Iterations int64
	Total, Max           int64
	Why                  uint32 // bits of reasons; 0: there is no version, or no compiler
}

// reasons are texts for the bits of Why, in their order, which exec/launch/fallback.h defines.
var reasons = []string{
	"The device cannot access an array of these, and arrays are not copied in a stream, in a kernel, with PORTABLE_HOSTMEM=error or\nPORTABLE_CHECK=hash; allocate it from the pool (gator_allocate, portable_alloc): ",
	"The compiler of the device refused the generated version of these; its errors were printed at the first launch: ",
	"These met a NaN or -0.0 in a least or greatest value, and which one stays depends on the order on the host: ",
	"The device had no memory left for copies of the arrays of these; allocate the arrays from the pool, or make the problem smaller: ",
	"Directives of the program give these to the host (on(cpu), serial(gpu), self): ",
}

// mostNamed is the largest number of labels that are printed for a reason.
const mostNamed = 8

// FallbackReport is a table of the list, in its order; "": an empty list. missing are compilers of device versions in source that were not found, with
// remedies. The report ends with a line's end.
func FallbackReport(list []Fallback, missing []string) string {
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
	unexplained := slices.ContainsFunc(list, func(f Fallback) bool { return f.Why == 0 })
	for i, text := range reasons {
		var labels []string
		for _, f := range list {
			if f.Why>>i&1 != 0 {
				labels = append(labels, outside.Clean(f.Label))
			}
		}
		if n := len(labels); n > mostNamed {
			labels = append(labels[:mostNamed], fmt.Sprintf("and %d more", n-mostNamed))
		}
		if len(labels) > 0 {
			b.WriteString(text + strings.Join(labels, ", ") + ".\n")
		}
	}
	switch {
	case !unexplained:
		b.WriteString("The slowest come first.\n")
	case len(missing) > 0:
		b.WriteString("These kernels have no version for the device, or one that is source, for which " + strings.Join(missing, ";\n") +
			".\nThe slowest come first.\n")
	case slices.ContainsFunc(list, func(f Fallback) bool { return f.Why != 0 }):
		b.WriteString("The others have no version for the device; the slowest come first.\n")
	default:
		b.WriteString("These kernels have no version for the device; the slowest come first.\n")
	}
	return b.String()
}
