package findings

// In this file: findings that no run has had: of sources, executables, or two runs beside each other.

// Place is where something is in a source.
type Place struct {
	Procedure, File string
	Line            int // 0 not known
}

// Told makes a finding of a sentence on what is wrong and one on what to do. Places without a file are left out. A kind is a pointer
// that the findings of one report share.
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
			f.Sites = append(f.Sites, Site{Role: s.role, Frames: []Frame{{Procedure: s.at.Procedure, File: s.at.File, Line: s.at.Line}}})
		}
	}
	return f
}
