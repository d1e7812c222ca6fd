package main

import (
	"slices"
	"strings"

	"libportable/internal/spelling"
)

// most is how many names a suggestion has.
const most = 12

// suggestion is a sentence with names near to a wrong one.
func suggestion(word string, names []string) string {
	found := near(word, names)
	if len(found) == 0 {
		return "`ctest --test-dir build/test -N` lists all tests, `go list ./...` all packages"
	}
	return "near: " + strings.Join(found, ", ")
}

// near gives names that hold the word, or a part of it, or that are spelled like it. Names count without
// language and variants.
func near(word string, names []string) (found []string) {
	add := func(matches func(string) bool) {
		for _, n := range names {
			if len(found) < most && matches(n) && !slices.Contains(found, n) {
				found = append(found, n)
			}
		}
	}
	names = stems(names)
	if best := spelling.Nearest(word, names); best != "" {
		found = append(found, best)
	}
	word = strings.TrimPrefix(strings.TrimSuffix(word, "/"), "./")
	add(func(n string) bool { return strings.Contains(n, word) })
	parts := strings.FieldsFunc(word, func(r rune) bool { return r == '.' || r == '/' })
	if strings.Contains(word, "/") { // of packages, the first parts say little
		parts = parts[max(len(parts)-1, 0):]
	}
	for i, part := range parts {
		var like []string
		for _, n := range names {
			like = append(like, strings.FieldsFunc(n, func(r rune) bool { return r == '.' || r == '/' })...)
		}
		best := spelling.Nearest(part, like)
		if slices.Contains(like, part) {
			best = part
		}
		if best == "" {
			continue
		}
		parts[i] = best
		add(func(n string) bool { return strings.Contains(n, strings.Join(parts[:i+1], ".")) })
		add(func(n string) bool {
			return len(best) > 2 && slices.Contains(strings.FieldsFunc(n, func(r rune) bool { return r == '.' || r == '/' }), best)
		})
	}
	return found
}

// stems are the names without language and variants, each once: what precedes the language, or the first two parts of
// a name without one (ffi_tests/README.md).
func stems(names []string) (out []string) {
	for _, n := range names {
		if !strings.Contains(n, "/") {
			parts := strings.Split(n, ".")
			end := slices.IndexFunc(parts, func(p string) bool { return p == "c" || p == "cxx" || p == "fortran" })
			if end < 2 {
				end = min(2, len(parts))
			}
			n = strings.Join(parts[:end], ".")
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
