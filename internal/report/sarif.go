package report

// This file writes logs in SARIF 2.1.0, which web pages of code hosts show next to the lines. A
// command fills Results with objects of the standard; the rest of the log is made here.

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// Object is an object of SARIF.
type Object = map[string]any

// Rule is a rule of a tool. Its results have its ID.
type Rule struct {
	ID, Title string
	Help      string // the remedy, without a full stop; "": none
	Level     string // error, warning, note, none
}

// SARIF is a log of one run.
type SARIF struct {
	Tool, Version string
	Root          string // files below it have relative names, because code hosts know them so; "": none have
	Columns       string // the kind of columns; "": utf16CodeUnits
	Notes         []string
	Results       []Object

	rules map[Rule]int
	list  []Object
}

// Text is a message.
func Text(words string) Object { return Object{"text": words} }

// RuleIndex is the number of a rule. It adds a new one.
func (s *SARIF) RuleIndex(r Rule) int {
	if index, known := s.rules[r]; known {
		return index
	}
	if s.rules == nil {
		s.rules = map[Rule]int{}
	}
	rule := Object{"id": r.ID, "name": camel(r.ID), "shortDescription": Text(r.Title), "defaultConfiguration": Object{"level": r.Level}}
	if r.Help != "" {
		rule["help"] = Text(strings.ToUpper(r.Help[:1]) + r.Help[1:] + ".")
	}
	s.rules[r] = len(s.list)
	s.list = append(s.list, rule)
	return s.rules[r]
}

func camel(name string) string {
	var b strings.Builder
	for _, part := range strings.Split(name, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// Artifact is the location of a file: relative to SRCROOT, or its whole path.
func (s *SARIF) Artifact(path string) Object {
	if filepath.IsAbs(path) {
		short, err := filepath.Rel(s.Root, path)
		if s.Root == "" || err != nil || strings.HasPrefix(short, "..") {
			return Object{"uri": fileURI(path)}
		}
		path = short
	}
	return Object{"uri": (&url.URL{Path: path}).String(), "uriBaseId": "SRCROOT"}
}

func fileURI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// Write writes the log.
func (s *SARIF) Write(to io.Writer) error {
	notifications := []Object{}
	for _, note := range s.Notes {
		notifications = append(notifications, Object{"level": "note", "message": Text(note)})
	}
	invocation := Object{"executionSuccessful": true}
	if len(notifications) > 0 {
		invocation["toolExecutionNotifications"] = notifications
	}
	driver := Object{"name": s.Tool, "rules": append([]Object{}, s.list...)}
	if s.Version != "" {
		driver["version"] = s.Version
	}
	columns := s.Columns
	if columns == "" {
		columns = "utf16CodeUnits"
	}
	run := Object{"tool": Object{"driver": driver}, "invocations": []Object{invocation}, "results": append([]Object{}, s.Results...), "columnKind": columns}
	if s.Root != "" {
		run["originalUriBaseIds"] = Object{"SRCROOT": Object{"uri": fileURI(s.Root + "/")}}
	}
	return Encode(to, Object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []Object{run}})
}
