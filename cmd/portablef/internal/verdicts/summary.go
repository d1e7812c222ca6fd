package verdicts

import (
	"fmt"
	"strings"

	"libportable/internal/report"
)

// Summary is the numbers of a report.
type Summary struct {
	Nests    int `json:"nests"`
	Files    int `json:"files"`
	Parallel int `json:"parallel"`
	Asserted int `json:"asserted"` // among Parallel
	Refused  int `json:"refused"`
	Serial   int `json:"serial"`
	// Statements in nests, and those in parallel nests: nests weigh differently.
	NestStatements     int `json:"nest_statements"`
	ParallelStatements int `json:"parallel_statements"`
	// Nests that run on the device that was asked for, with their statements, and those that stay on the host. Both 0: no device was asked for.
	Device           int `json:"device,omitempty"`
	DeviceStatements int `json:"device_statements,omitempty"`
	HostOnly         int `json:"host_only,omitempty"`
	// Statements of the files, and those that are not understood.
	Statements int `json:"statements"`
	Unread     int `json:"unread"`
}

// Summary counts.
func (r *Report) Summary() (s Summary) {
	s.Nests, s.Files = len(r.Nests), len(r.Files)
	for _, n := range r.Nests {
		s.NestStatements += n.Statements
		switch n.Verdict {
		case Parallel:
			s.Parallel++
			s.ParallelStatements += n.Statements
			if n.Asserted {
				s.Asserted++
			}
			switch n.Device {
			case "":
			case OnHost:
				s.HostOnly++
			default:
				s.Device++
				s.DeviceStatements += n.Statements
			}
		case Refused:
			s.Refused++
		default:
			s.Serial++
		}
	}
	for _, f := range r.Files {
		s.Statements += f.Statements
		s.Unread += f.Unread
	}
	return s
}

func percent(part, of int) string {
	if of == 0 {
		return "100.0 %"
	}
	// Cut off, not rounded: 100.0 % says that all is there.
	return fmt.Sprintf("%d.%d %%", part*1000/of/10, part*1000/of%10)
}

// Line is the last line of a survey.
func (s Summary) Line() string {
	parts := []string{fmt.Sprintf("%d for the host", s.Parallel)}
	if s.Device+s.HostOnly > 0 {
		parts = []string{fmt.Sprintf("%d for host and device", s.Device), fmt.Sprintf("%d for the host only", s.HostOnly)}
	}
	if s.Refused > 0 || s.Parallel == 0 {
		parts = append(parts, fmt.Sprintf("%d refused", s.Refused))
	}
	if s.Serial > 0 {
		parts = append(parts, fmt.Sprintf("%d serial", s.Serial))
	}
	return fmt.Sprintf("%s in %s: %s; %s of %s read", report.Plural(s.Nests, "nest"), report.Plural(s.Files, "file"), strings.Join(parts, ", "),
		percent(s.Statements-s.Unread, s.Statements), report.Plural(s.Statements, "statement"))
}

// Rates is the line of a survey that weighs nests by their statements; "" without a nest.
func (s Summary) Rates() string {
	if s.Nests == 0 {
		return ""
	}
	text := fmt.Sprintf("%s of the nests run in parallel, %s of the statements in nests", percent(s.Parallel, s.Nests), percent(s.ParallelStatements, s.NestStatements))
	if s.Device+s.HostOnly > 0 {
		text += fmt.Sprintf("; %s and %s on the device", percent(s.Device, s.Nests), percent(s.DeviceStatements, s.NestStatements))
	}
	if s.Asserted > 0 {
		text += fmt.Sprintf("; %d of them by assertion", s.Asserted)
	}
	return text
}
