package verdicts

// This file writes the report as SARIF 2.1.0 (package report): refusals, messages, and nests that run
// in parallel as results of the kind pass.

import (
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"libportable/internal/report"
)

// WriteSARIF writes the report; tool is the version of portablef, root the folder for relative names.
func (r *Report) WriteSARIF(to io.Writer, tool, root string) error {
	s := &report.SARIF{Tool: "portablef", Version: tool, Root: root, Columns: "unicodeCodePoints"}
	for _, m := range r.Messages {
		s.Results = append(s.Results, r.message(s, m))
	}
	for _, n := range r.Nests {
		switch {
		case n.Verdict == Parallel:
			s.Results = append(s.Results, r.pass(s, n))
		case n.Verdict == Refused:
			for i := range n.Refusals {
				s.Results = append(s.Results, r.refusal(s, n, &n.Refusals[i]))
			}
		}
	}
	s.Notes = append(s.Notes, r.Summary().Line())
	return s.Write(to)
}

func (r *Report) message(s *report.SARIF, m Message) report.Object {
	rule := report.Rule{ID: "source", Title: "A message about a source", Level: "warning"}
	return report.Object{"ruleId": rule.ID, "ruleIndex": s.RuleIndex(rule), "level": m.Level, "message": report.Text(sentence(m.Text, m.Remedy)),
		"locations": []report.Object{location(s, m.Place, "")}, "partialFingerprints": fingerprint(rule.ID, m.File, m.Text)}
}

func (r *Report) pass(s *report.SARIF, n Nest) report.Object {
	rule := report.Rule{ID: "parallel", Title: "The loop runs in parallel", Level: "none"}
	return report.Object{"ruleId": rule.ID, "ruleIndex": s.RuleIndex(rule), "kind": "pass", "level": "none", "message": report.Text(n.line()),
		"locations": []report.Object{location(s, n.Place, n.Procedure)}, "partialFingerprints": fingerprint(rule.ID, n.File, n.Procedure+strings.Join(n.Loops, ","))}
}

func (r *Report) refusal(s *report.SARIF, n Nest, f *Refusal) report.Object {
	known := ruleNamed(f.Rule)
	rule := report.Rule{ID: known.Name, Title: known.Title, Help: known.Help, Level: "error"}
	level := "note"
	if n.Asked {
		level = "error"
	}
	result := report.Object{"ruleId": rule.ID, "ruleIndex": s.RuleIndex(rule), "level": level,
		"message":   report.Text("cannot run this loop in parallel: " + sentence(f.Text, f.Remedy)),
		"locations": []report.Object{location(s, f.at(n), n.Procedure)}, "partialFingerprints": fingerprint(rule.ID, n.File, n.Procedure+f.Loop)}
	var related []report.Object
	for i, at := range append([]Place{n.Place}, f.Also...) {
		if at.Line == 0 {
			continue
		}
		other := location(s, at, "")
		other["id"] = i + 1
		if i == 0 {
			other["message"] = report.Text("the loop")
		}
		related = append(related, other)
	}
	if len(related) > 0 {
		result["relatedLocations"] = related
	}
	return result
}

func location(s *report.SARIF, at Place, procedure string) report.Object {
	physical := report.Object{"artifactLocation": s.Artifact(at.File)}
	if at.Line > 0 {
		region := report.Object{"startLine": at.Line}
		if at.Column > 0 {
			region["startColumn"] = at.Column
		}
		physical["region"] = region
	}
	out := report.Object{"physicalLocation": physical}
	if procedure != "" {
		out["logicalLocations"] = []report.Object{{"name": procedure, "kind": "function"}}
	}
	return out
}

// fingerprint is equal for the same result of a later run, even if lines have moved.
func fingerprint(rule, file, text string) report.Object {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", rule, filepath.Base(file), text))
	return report.Object{"portablef/v1": fmt.Sprintf("%x", sum[:16])}
}
