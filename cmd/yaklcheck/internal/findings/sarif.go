package findings

// This file writes the report as SARIF 2.1.0, which web pages of code hosts show next to the lines.
// A finding is a result: its first place is the location, all places are stacks, and the life of a
// block - allocated, freed, used - is a code flow.
//
// Names of files below the folder of the program are relative to it, because a code host knows the
// files of a checkout by such names; SRCROOT stands for that folder.

import (
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"libportable/internal/report"
)

type object = report.Object

// WriteSARIF writes the report; tool is the version of yaklcheck, root the folder for relative names.
func (r *Report) WriteSARIF(to io.Writer, tool, root string) error {
	if root == "" && len(r.Processes) > 0 {
		root = r.Processes[0].Folder
	}
	s := sarif{&report.SARIF{Tool: "yaklcheck", Version: tool, Root: root, Notes: r.Notes}}
	for _, f := range r.Findings {
		s.Results = append(s.Results, s.result(f))
	}
	return s.Write(to)
}

type sarif struct{ *report.SARIF }

func text(words string) object { return report.Text(words) }

func (s *sarif) result(f *Finding) object {
	index := s.RuleIndex(report.Rule{ID: f.Kind.Name, Title: f.Kind.Title, Help: f.Kind.Hint, Level: f.Kind.Level})
	words := strings.Join(append([]string{f.Title()}, f.Details(false)...), "\n")
	for _, role := range []Role{Allocated, Freed, Other, Declared} {
		if site := f.site(role); site != nil && len(site.Shown(false)) > 0 {
			words += fmt.Sprintf("\n%s %s", roleWords(f, role), site.Shown(false)[0].Place(s.Root))
		}
	}
	if times := f.times(false); times != "" {
		words += "\n" + times
	}
	result := object{"ruleId": f.Kind.Name, "ruleIndex": index, "level": f.Kind.Level, "message": text(words), "occurrenceCount": f.Count,
		"locations": []object{}, "partialFingerprints": object{"yaklcheck/v1": s.fingerprint(f)}}
	var stacks, steps, locations []object
	for _, site := range f.Sites {
		if frames := s.frames(&site); len(frames) > 0 {
			stacks = append(stacks, object{"message": text(roleWords(f, site.Role)), "frames": frames})
		}
	}
	for _, role := range []Role{Here, Allocated, Freed, Other, Declared} {
		if location := s.location(f, role); location != nil {
			locations = append(locations, location)
		}
	}
	for _, role := range []Role{Declared, Allocated, Other, Freed, Here} {
		if location := s.location(f, role); location != nil {
			steps = append(steps, object{"location": location})
		}
	}
	if len(stacks) > 0 {
		result["stacks"] = stacks
	}
	// The first place is the location; the report lists the others with it.
	if len(locations) > 0 {
		result["locations"] = locations[:1]
	}
	if len(locations) > 1 {
		for i, related := range locations[1:] {
			related["id"] = i + 1
		}
		result["relatedLocations"] = locations[1:]
		result["codeFlows"] = []object{{"threadFlows": []object{{"locations": steps}}}}
	}
	return result
}

// location is the first user's frame of a site, or nil if it has no file.
func (s *sarif) location(f *Finding, role Role) object {
	site := f.site(role)
	if site == nil {
		return nil
	}
	for _, frame := range site.Shown(false) {
		if location := s.physical(&frame); location != nil {
			words := roleWords(f, role)
			if frame.Procedure != "" {
				words += " " + frame.Procedure
			}
			location["message"] = text(words)
			return location
		}
	}
	return nil
}

func (s *sarif) physical(frame *Frame) object {
	if frame.File == "" {
		return nil
	}
	physical := object{"artifactLocation": s.Artifact(frame.File)}
	if frame.Line > 0 {
		physical["region"] = object{"startLine": frame.Line}
	}
	location := logical(frame)
	location["physicalLocation"] = physical
	return location
}

// logical is the procedure of a frame.
func logical(frame *Frame) object {
	if frame.Procedure == "" {
		return object{}
	}
	return object{"logicalLocations": []object{{"name": frame.Procedure, "kind": "function"}}}
}

func (s *sarif) frames(site *Site) (frames []object) {
	for _, f := range site.Frames {
		location := s.physical(&f)
		if location == nil {
			location = logical(&f)
		}
		frame := object{"location": location}
		if f.Module != "" {
			frame["module"] = filepath.Base(f.Module)
		}
		frames = append(frames, frame)
	}
	return frames
}

// fingerprint is equal for the same finding of a later run, even if lines have moved.
func (s *sarif) fingerprint(f *Finding) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q", f.Kind.Name, f.Label, f.Other)
	for _, site := range f.Sites {
		for _, frame := range site.Shown(false) {
			fmt.Fprintf(h, "\n%d %s %s", site.Role, frame.Procedure, filepath.Base(frame.File))
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}
