package findings

// This file writes the report as JSON. The names are a public format (docs/check/yaklcheck.md): within
// one version, fields are added, never renamed, and never change their meaning.

import (
	"fmt"
	"io"

	"libportable/cmd/yaklcheck/internal/trace"
	"libportable/internal/report"
)

// JSONVersion is the version of the format.
const JSONVersion = 1

type jsonReport struct {
	Schema      string        `json:"schema"`
	Version     int           `json:"version"`
	Tool        string        `json:"tool"`
	Program     string        `json:"program"`
	Summary     jsonSummary   `json:"summary"`
	Findings    []jsonFinding `json:"findings"`
	Processes   []jsonProcess `json:"processes"`
	Checkpoints []Checkpoint  `json:"checkpoints"`
	Notes       []string      `json:"notes"`
}

type jsonSummary struct {
	Findings   int            `json:"findings"`
	Suppressed int            `json:"suppressed"`
	ByKind     map[string]int `json:"by_kind"`
}

type jsonFinding struct {
	Number      int        `json:"number"`
	Kind        string     `json:"kind"`
	Level       string     `json:"level"`
	Title       string     `json:"title"`
	Text        string     `json:"text"`
	Hint        string     `json:"hint"`
	Label       string     `json:"label"`
	OtherLabel  string     `json:"other_label"`
	Access      string     `json:"access"` // read, write, ""
	AccessBytes uint64     `json:"access_bytes"`
	Distance    *int64     `json:"distance_bytes,omitempty"`
	BlockBytes  uint64     `json:"block_bytes"`
	Address     string     `json:"address"`
	Count       uint64     `json:"count"`
	Ranks       []int      `json:"ranks"`
	Processes   []int      `json:"processes"`
	Threads     int        `json:"threads"`
	Sites       []jsonSite `json:"sites"`
}

type jsonSite struct {
	Role   string      `json:"role"`
	Kernel string      `json:"kernel"`
	Frames []jsonFrame `json:"frames"`
}

type jsonFrame struct {
	Procedure string `json:"procedure"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Module    string `json:"module"`
	Offset    string `json:"offset"`
	Inlined   bool   `json:"inlined"`
	Owner     string `json:"owner"`
}

type jsonProcess struct {
	Process
	Allocations uint64 `json:"allocations"`
	HighWater   uint64 `json:"high_water_bytes"`
	LiveBytes   uint64 `json:"live_bytes"`
	LiveBlocks  uint64 `json:"live_blocks"`
}

var ownerJSON = map[Owner]string{User: "user", Library: "library", System: "system"}

// WriteJSON writes the report; tool is the version of yaklcheck.
func (r *Report) WriteJSON(to io.Writer, tool string) error {
	out := jsonReport{Schema: "yaklcheck-report", Version: JSONVersion, Tool: "yaklcheck " + tool, Program: r.Program,
		Summary:  jsonSummary{Findings: len(r.Findings), Suppressed: r.Suppressed, ByKind: map[string]int{}},
		Findings: []jsonFinding{}, Processes: []jsonProcess{}, Checkpoints: append([]Checkpoint{}, r.Checkpoints...),
		Notes: append([]string{}, r.Notes...)}
	for i, f := range r.Findings {
		out.Summary.ByKind[f.Kind.Name]++
		out.Findings = append(out.Findings, jsonOf(i+1, f))
	}
	for _, p := range r.Processes {
		j := jsonProcess{Process: p}
		if p.Finish != nil {
			j.Allocations, j.HighWater = p.Finish.Allocations, p.Finish.HighWater
			j.LiveBytes, j.LiveBlocks = p.Finish.LiveBytes, p.Finish.LiveBlocks
		}
		out.Processes = append(out.Processes, j)
	}
	return report.Encode(to, out)
}

func jsonOf(number int, f *Finding) jsonFinding {
	j := jsonFinding{Number: number, Kind: f.Kind.Name, Level: f.Kind.Level, Title: f.Title(), Text: f.Text, Hint: f.Hint(),
		Label: f.Label, OtherLabel: f.Other, AccessBytes: f.Access, BlockBytes: f.Block, Address: fmt.Sprintf("0x%x", f.Address),
		Count: f.Count, Ranks: append([]int{}, f.Ranks...), Processes: append([]int{}, f.PIDs...), Threads: f.Threads, Sites: []jsonSite{}}
	switch {
	case f.Flags&trace.FlagWrite != 0:
		j.Access = "write"
	case f.Flags&trace.FlagRead != 0:
		j.Access = "read"
	}
	if f.Kind.What == trace.OutOfBounds || f.Kind.What == trace.CanaryOverwritten {
		j.Distance = &f.Distance
	}
	for _, s := range f.Sites {
		site := jsonSite{Role: roles[s.Role].json, Kernel: s.Kernel, Frames: []jsonFrame{}}
		for _, frame := range s.Frames {
			site.Frames = append(site.Frames, jsonFrame{frame.Procedure, frame.File, frame.Line, frame.Module,
				fmt.Sprintf("0x%x", frame.Offset), frame.Inlined, ownerJSON[frame.Owner]})
		}
		j.Sites = append(j.Sites, site)
	}
	return j
}
