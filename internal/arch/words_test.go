package arch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// This file holds the words of the tree, which is written in plain English: phrases that a reader must
// read twice, each with the term to use instead; and the form of the heads of files, of rooms in lists.
// Documents have a test of their own (ffi_tests/documents).

// plainRooms are rooms whose heads have the form: folders, or files of rooms that do not have it as a whole.
var plainRooms = []string{
	"arrays", "bench", "capi", "cmake", "exec", "cmd/portablef", "cmd/yaklcheck", "examples", "internal/command", "internal/report", "internal/script", "internal/arch", "internal/backend", "internal/edge", "internal/gen", "internal/handle",
	"internal/instance", "internal/observe", "internal/outside", "internal/settings", "internal/spelling", "internal/stacks",
	"packaging", "scripts", "share",
}

// plainHeads are rooms whose heads alone are held to the form.
var plainHeads = []string{"internal/guard", "internal/memcheck", "internal/team", "internal/tracing"}

// phrases are unambiguous: no good sentence has them. Each match contains one of the words, which are searched first:
// regular expressions alone take seconds for the whole tree.
var phrases = []struct{ pattern, words, instead string }{
	{`\bcan not\b`, "can not", "cannot"},
	{`\bto be had\b`, "to be had", "available; out of memory, threads, ..."},
	{`\b[Nn]obody('s)?\b`, "obody", "no thread, no process, without owner, unknown"},
	{`\b[Ww]ho(ever)? (watches|waits|asks|has it|led)\b`, "watches|waits|asks|has it|led", "observer, waiter, caller, owner"},
	{`\b[Ww]hose (an? (address|block)|is)\b`, "hose a|hose is", "owner lookup, owner"},
	{`\bin vain\b`, "in vain", "false positive"},
	{`\bwhat there is\b`, "what there is", "the set, the list"},
	{`\b(that|name|it) (is|are) none\b|\bmakes? no sense\b|\bsenseless\b`, "is none|are none|no sense|senseless", "is invalid"},
	{`\b(are|is|was|were|be|and|then) told\b|\btold (once|of|about)\b`, "told", "is notified, is reported, is printed"},
	{`\bfrom end to end\b`, "from end to end", "byte span"},
	{`\b(lie|lies|lying) (on|over) (one another|each other)\b`, "one another|each other", "overlap"},
	{`\bway into Go\b|\bthe way of a launch\b`, "way into Go|way of a launch", "crossing, launch path"},
	{`\bgoes by way of\b`, "goes by way of", "is staged through"},
	{`\bhas come so far\b|\bis through with\b`, "come so far|through with", "completed up to, has completed"},
	{`\bfrom one to the next\b`, "from one to the next", "stride"},
	{`\b(is|are|was) mended\b`, "mended", "fixed"},
	{`\b(is|are|were|be) given back\b`, "given back", "freed, released"},
	{`\banew\b`, "anew", "again"},
	{`\bbeside\b`, "beside", "as well as, next to"},
	{`\bby (itself|themselves)\b`, "by itself|by themselves", "alone, without X"},
	{`\bg[ai]v(e|es|ing|en) (it |them )?back\b`, " back", "free, release"},
	{`\b(is|are|was|were|has|have) gone\b`, " gone", "destroyed, released, stale"},
	{`\b[Ww]hoever\b|\b([Ss]ome|[Aa]ny|[Ee]very)body\b`, "hoever|body", "caller, user, any thread"},
	{`\bmend(s|ed|ing)?\b`, "mend", "fix"},
	{`\bmoved along\b`, "moved along", "broadcast axis"},
	{`\blooks? whether\b`, "whether", "tests, asks"},
	{`\bcomes? of it\b`, "of it", "the result"},
	{`\bfor want of\b`, "for want of", "without"},
	{`\bwhere there is none\b|\b(0|-1|NULL) for none\b`, "there is none|for none", "if there is no X"},
	{`\bwhat (is|was) (there|left)\b`, "what is|what was", "the contents, the rest"},
}

// openings begin no sentence of a comment.
var openings = regexp.MustCompile(`(?:^\s*(?://|/\*|\*|!>?|#)\s*|(?://|/\*|^\s*(?:\*|!>?|#)).*[.!] )(What|Who|Whose|Of) [a-z]`)

// hasOne says whether a line has one of the words, which a bar separates.
func hasOne(line, words string) bool {
	for w := range strings.SplitSeq(words, "|") {
		if strings.Contains(line, w) {
			return true
		}
	}
	return false
}

var inText = regexp.MustCompile(`\.(go|c|h|S|inc|f90|F90|sh|cmake|txt|js|cu|cpp|hpp|tmpl|in|awk|supp)$`)

// isScript says that a file without an extension is a script.
func isScript(path string, text []byte) bool {
	return filepath.Ext(path) == "" && strings.HasPrefix(string(text), "#!")
}

// eachText visits the text files below the rooms. Outputs of builds and files of tools are not of the tree.
func eachText(t *testing.T, rooms []string, visit func(name, text string)) {
	root := filepath.Join("..", "..")
	looked := 0
	for _, room := range rooms {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, room), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(root, path)
			if d.IsDir() && (strings.HasPrefix(name, "build") || name == "out" || name != "." && strings.HasPrefix(d.Name(), ".")) {
				return filepath.SkipDir
			}
			if d.IsDir() || d.Name() == "words_test.go" {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil || !inText.MatchString(path) && !isScript(path, text) {
				return err
			}
			looked++
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
	eachText(t, []string{"."}, func(name, text string) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			var hints []string
			for i, p := range patterns {
				if !hasOne(line, phrases[i].words) {
					continue
				}
				if phrase := p.FindString(line); phrase != "" {
					hints = append(hints, fmt.Sprintf("'%s'; say: %s", phrase, phrases[i].instead))
				}
			}
			if hasOne(line, "What |Who |Whose |Of ") {
				if word := openings.FindStringSubmatch(line); word != nil {
					hints = append(hints, fmt.Sprintf("a sentence begins with '%s'; begin with its subject", word[1]))
				}
			}
			if len(hints) > 0 {
				t.Errorf("%s:%d: %s", name, number, strings.Join(hints, "; "))
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
			strings.Contains(name, "/testdata/") || strings.HasPrefix(name, "internal/gen/") || strings.HasPrefix(name, "capi/include/") {
			return // files of a package have its comment; generated text has the form of its module; heads of public headers are reference
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

// longest is how many lines a file of code has at most: so much a reader keeps in mind.
const longest = 500

// longFiles are longer on purpose.
var longFiles = map[string]int{
	"fortran/arrays/portable_halo.F90": 530, // users compile this one file with their MPI, and half of it is reference
}

func TestFilesAreShort(t *testing.T) {
	looked := 0
	eachText(t, []string{"."}, func(name, text string) {
		looked++
		most := longest
		if n, is := longFiles[name]; is {
			most = n
		}
		if lines := strings.Count(text, "\n"); lines > most {
			t.Errorf("%s has %d lines; the most are %d: split it by theme", name, lines, most)
		}
	})
	require.Greater(t, looked, 1000)
}
