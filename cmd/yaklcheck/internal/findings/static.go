package findings

import "libportable/cmd/yaklcheck/internal/symbols"

// This file makes findings without a run: of sources, of executables, of two runs in comparison.

// Place is where something is in a source.
type Place struct {
	Procedure, File string
	Line            int // 0 not known
}

// Told makes a finding from a sentence on the error and one on the remedy. Places without a file are left out. The
// findings of one report share the pointer to a kind.
func Told(kind *Kind, label, what, remedy string, here, declared Place) *Finding {
	f := &Finding{Kind: kind, Label: label, Text: what, Count: 1}
	if remedy != "" {
		f.Text += "\n" + remedy
	}
	for _, s := range []struct {
		role Role
		at   Place
	}{{Here, here}, {Declared, declared}} {
		if s.at.File != "" {
			f.Sites = append(f.Sites, Site{Role: s.role, Frames: []Frame{{Frame: symbols.Frame{Procedure: s.at.Procedure, File: s.at.File, Line: s.at.Line}}}})
		}
	}
	return f
}
