package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A page is a document of docs/check: its text stays, and each part between <!-- NAME --> and <!-- end --> is a run's.
// In this file: these parts. Not in this file: what stands in them.
var part = regexp.MustCompile(`(?s)<!-- (\w+) -->\n.*?<!-- end -->`)

// fill gives the page with these parts; each must be in it once.
func fill(page string, parts map[string]string) (string, error) {
	found := map[string]bool{}
	var err error
	page = part.ReplaceAllStringFunc(page, func(old string) string {
		name := part.FindStringSubmatch(old)[1]
		text, known := parts[name]
		if !known || found[name] {
			err = fmt.Errorf("the page has the part %q, which is unknown or there twice", name)
		}
		found[name] = true
		return fmt.Sprintf("<!-- %s -->\n\n%s\n\n<!-- end -->", name, text)
	})
	for name := range parts {
		if err == nil && !found[name] {
			err = fmt.Errorf("the page has no part %q; write <!-- %s --> and <!-- end --> where it belongs", name, name)
		}
	}
	return page, err
}

// partOf is a part of a page, empty without it.
func partOf(page, name string) string {
	for _, p := range part.FindAllString(page, -1) {
		if strings.HasPrefix(p, "<!-- "+name+" -->") {
			return p
		}
	}
	return ""
}
