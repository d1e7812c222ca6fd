package findings

// This file is --gen-suppressions: for each finding, an entry that hides it. Entries have no line
// numbers, because lines move.

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// WriteSuppressions writes an entry for each finding.
func (r *Report) WriteSuppressions(to io.Writer) error {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "suppress %s\n  kind       %s\n", strings.ReplaceAll(f.Title(), "#", ""), f.Kind.Name)
		if f.Label != "" && !strings.Contains(f.Label, "#") {
			fmt.Fprintf(&b, "  label      %s\n", f.Label)
		}
		for _, word := range []string{"at", "allocated", "freed", "launched"} {
			site := f.site(roleNames[word])
			if site == nil {
				continue
			}
			for _, frame := range site.Shown(false) {
				if frame.Procedure != "" && !strings.ContainsAny(frame.Procedure, " #") {
					fmt.Fprintf(&b, "  %-10s %s  %s\n", word, frame.Procedure, plainBase(frame.File))
					break
				}
			}
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// plainBase is the last part of a path, its spaces as patterns.
func plainBase(path string) string {
	if path == "" {
		return "*"
	}
	return strings.NewReplacer(" ", "?", "#", "?").Replace(filepath.Base(path))
}
