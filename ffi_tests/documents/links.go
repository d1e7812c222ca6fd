package main

// Links of documents: the files and headings that they lead to must be there. In this file: also paths of the tree
// between backticks. Not in this file: addresses in the network, which are not asked.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	link       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code       = regexp.MustCompile("`([^`\n]+)`")
	heading    = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	notInSlug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	pathInCode = regexp.MustCompile(`^[A-Za-z0-9_.*-]+(/[A-Za-z0-9_.*-]+)+/?$`)
)

// checkLinks gives a line for each link, and each path between backticks, that leads nowhere. A path is what begins
// with a folder of the tree; `*` in it stands for anything. Built files are not looked for.
func checkLinks(tree, document, text string) (faults []string) {
	here := filepath.Dir(filepath.Join(tree, filepath.FromSlash(document)))
	inFence := ""
	for i, line := range strings.Split(text, "\n") {
		if m := fence.FindStringSubmatch(strings.TrimRight(line, " ")); m != nil && (inFence == "" || strings.HasPrefix(m[2], inFence)) {
			if inFence == "" {
				inFence = m[2]
			} else {
				inFence = ""
			}
			continue
		}
		if inFence != "" {
			continue
		}
		fault := func(format string, args ...any) {
			faults = append(faults, fmt.Sprintf("%s:%d: %s", document, i+1, fmt.Sprintf(format, args...)))
		}
		for _, m := range link.FindAllStringSubmatch(line, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			path, anchor, _ := strings.Cut(m[1], "#")
			target := filepath.Join(tree, filepath.FromSlash(document))
			if path != "" {
				target = filepath.Join(here, filepath.FromSlash(path))
			}
			if _, err := os.Stat(target); err != nil {
				fault("the link %s leads nowhere", m[1])
			} else if anchor != "" && !hasAnchor(target, anchor) {
				fault("the link %s: there is no such heading", m[1])
			}
		}
		for _, m := range code.FindAllStringSubmatch(line, -1) {
			first, _, _ := strings.Cut(m[1], "/")
			if !pathInCode.MatchString(m[1]) || first == "build" || first == "out" {
				continue
			}
			if info, err := os.Stat(filepath.Join(tree, first)); err != nil || !info.IsDir() {
				continue
			}
			// share/portable is a folder of the prefix, whose sources are in the folders of fortran.
			inTree := strings.Replace(m[1], "share/portable/", "fortran/*/", 1)
			if found, err := filepath.Glob(filepath.Join(tree, filepath.FromSlash(inTree))); err == nil && len(found) == 0 {
				fault("there is no %s", m[1])
			}
		}
	}
	return faults
}

// hasAnchor compares as the usual renderers make anchors of headings.
func hasAnchor(file, anchor string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		slug := strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(m[1])), ""), " ", "-")
		if slug == anchor {
			return true
		}
	}
	return false
}
