package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// This file holds the words of rooms that are written in plain English: phrases that a reader must
// read twice, each with the term to use instead, and the form of the heads of files. A room joins
// the list when it has none of them.

// plainRooms are folders, or files of rooms that are not plain as a whole.
var plainRooms = []string{
	"bench", "cmake", "cmd/portablef", "cmd/yaklcheck", "examples", "internal/command", "internal/report", "internal/script", "internal/arch", "internal/backend", "internal/edge", "internal/gen", "internal/handle",
	"internal/instance", "internal/observe", "internal/outside", "internal/settings", "internal/spelling", "internal/stacks",
	"packaging", "scripts", "share",
}

// plainHeads are rooms whose heads alone are held to the form.
var plainHeads = []string{"internal/guard", "internal/memcheck", "internal/team", "internal/tracing"}

// quoted are texts of errors in rooms that are not plain yet, which programs of tests and the stub
// repeat. A text that changes there leaves this list.
var quoted = []string{
	`the layout \"kjk\" makes no sense`, "and nobody has said so", "the owner is nobody''s", "can not be wrapped", "the number of threads can not be changed",
	"the memory of this array was given back", "the memory was given back", "and its memory is gone",
}

// phrases are unambiguous: no good sentence has them.
var phrases = []struct{ pattern, instead string }{
	{`\bcan not\b`, "cannot"},
	{`\bto be had\b`, "available; out of memory, threads, ..."},
	{`\b[Nn]obody('s)?\b`, "no thread, no process, without owner, unknown"},
	{`\b[Ww]ho(ever)? (watches|waits|asks|has it|led)\b|\bwhose is it\b`, "observer, waiter, caller, owner"},
	{`\b[Ww]hose an? (address|block)\b`, "owner lookup"},
	{`\bin vain\b`, "false positive"},
	{`\bwhat there is\b`, "the set, the list"},
	{`\b(that|name|it) is none\b|\bmakes? no sense\b|\bsenseless\b`, "is invalid"},
	{`\b(are|is|was|were|be|and|then) told\b|\btold (once|of|about)\b`, "is notified, is reported, is printed"},
	{`\bfrom end to end\b`, "byte span"},
	{`\b(lie|lies|lying) (on|over) (one another|each other)\b`, "overlap"},
	{`\bway into Go\b|\bthe way of a launch\b`, "crossing, launch path"},
	{`\bgoes by way of\b`, "is staged through"},
	{`\bhas come so far\b|\bis through with\b`, "completed up to, has completed"},
	{`\bfrom one to the next\b`, "stride"},
	{`\b(is|are|was) mended\b`, "fixed"},
	{`\b(is|are|were|be) given back\b`, "freed, released"},
	{`\banew\b`, "again"},
	{`\bbeside\b`, "as well as, next to"},
	{`\bby (itself|themselves)\b`, "alone, without X"},
	{`\bg[ai]v(e|es|ing|en) (it |them )?back\b`, "free, release"},
	{`\b(is|are|was|were|has|have) gone\b`, "destroyed, released, stale"},
	{`\b[Ww]hoever\b|\b([Ss]ome|[Aa]ny|[Ee]very)body\b`, "caller, user, any thread"},
	{`\bmend(s|ed|ing)?\b`, "fix"},
	{`\bmoved along\b`, "broadcast axis"},
	{`\blooks? whether\b`, "tests, asks"},
	{`\bcomes? of it\b`, "the result"},
	{`\bfor want of\b`, "without"},
	{`\bwhere there is none\b|\b(0|-1|NULL) for none\b`, "if there is no X"},
	{`\bwhat (is|was) (there|left)\b`, "the contents, the rest"},
}

// openings begin no sentence of a comment.
var openings = regexp.MustCompile(`(?:^\s*(?://|/\*|\*|!>?|#)\s*|(?://|/\*|^\s*(?:\*|!>?|#)).*[.!] )(What|Who|Whose|Of) [a-z]`)

var inText = regexp.MustCompile(`\.(go|c|h|S|inc|f90|F90|sh|cmake|txt|js|cu|cpp|hpp|tmpl|in|awk|supp)$`)

// isScript says that a file without an extension is a script.
func isScript(path string, text []byte) bool {
	return filepath.Ext(path) == "" && strings.HasPrefix(string(text), "#!")
}

// eachText visits the text files below the rooms.
func eachText(t *testing.T, rooms []string, visit func(name, text string)) {
	root := filepath.Join("..", "..")
	looked := 0
	for _, room := range rooms {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, room), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "words_test.go" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil || !inText.MatchString(path) && !isScript(path, text) {
				return err
			}
			looked++
			name, _ := filepath.Rel(root, path)
			visit(name, string(text))
			return nil
		}))
	}
	require.Greater(t, looked, len(rooms))
}

func TestPlainEnglish(t *testing.T) {
	var patterns []*regexp.Regexp
	for _, p := range phrases {
		patterns = append(patterns, regexp.MustCompile(p.pattern))
	}
	eachText(t, plainRooms, func(name, text string) {
		for _, q := range quoted {
			text = strings.ReplaceAll(text, q, "")
		}
		number := 0
		for line := range strings.Lines(text) {
			number++
			for i, p := range patterns {
				if found := p.FindString(line); found != "" {
					t.Errorf("%s:%d: '%s'; say: %s", name, number, found, phrases[i].instead)
				}
			}
			if found := openings.FindStringSubmatch(line); found != nil {
				t.Errorf("%s:%d: a sentence begins with '%s'; begin with its subject", name, number, found[1])
			}
		}
	})
}

// head is the comment with which a file begins, in lines: of C, of Go as the comment of its package, else of the first line.
func head(name, text string) (lines []string) {
	for _, line := range strings.Split(text, "\n") {
		switch {
		case len(lines) == 0 && (line == "" || strings.HasPrefix(line, "#!") || strings.HasPrefix(line, "//go:build")):
			continue
		case strings.HasPrefix(line, "//"), strings.HasPrefix(line, "/*"), strings.HasPrefix(line, " *"), strings.HasPrefix(line, "# "), line == "#", strings.HasPrefix(line, "! "):
			lines = append(lines, line)
		default:
			return lines
		}
		if strings.HasSuffix(line, "*/") {
			return lines
		}
	}
	return lines
}

// seeFirst is a head whose first words send the reader to another file.
var seeFirst = regexp.MustCompile(`^\S+ \S+ - see `)

// TestHeads: the head of a file says first what the file does, in at most 6 lines of 100 columns.
func TestHeads(t *testing.T) {
	found := 0
	eachText(t, append(plainHeads, plainRooms...), func(name, text string) {
		if strings.HasSuffix(name, ".go") && !strings.HasPrefix(text, "// Package") || strings.HasSuffix(name, ".tmpl") ||
			strings.Contains(name, "/testdata/") || strings.HasPrefix(name, "internal/gen/") {
			return // files of a package have its comment; generated text has the form of the module that it is part of
		}
		lines := head(name, text)
		if len(lines) > 0 {
			found++
		}
		if len(lines) > 6 {
			t.Errorf("%s: its head has %d lines; at most 6", name, len(lines))
		}
		for i, line := range lines {
			if utf8.RuneCountInString(line) > 100 {
				t.Errorf("%s: line %d of its head has %d columns; at most 100", name, i+1, utf8.RuneCountInString(line))
			}
		}
		if len(lines) > 0 && seeFirst.MatchString(lines[0]) {
			t.Errorf("%s: its head begins with 'see'; say first what the file does", name)
		}
	})
	require.Greater(t, found, 200)
}
