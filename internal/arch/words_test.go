package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file holds the words of rooms that are written in plain English: phrases that a reader must
// read twice, each with the term to use instead. A room joins the list when it has none of them.

var plainRooms = []string{"cmd/yaklcheck", "internal/backend/paper", "internal/settings", "internal/spelling", "scripts/testone"}

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
}

// openings begin no sentence of a comment.
var openings = regexp.MustCompile(`(?:^\s*(?://|/\*|\*|!|#)\s*|//.*[.!] )(What|Who|Whose|Of) [a-z]`)

var inText = regexp.MustCompile(`\.(go|c|h|S|inc|f90|F90|sh|cmake|txt|js)$`)

func TestPlainEnglish(t *testing.T) {
	var patterns []*regexp.Regexp
	for _, p := range phrases {
		patterns = append(patterns, regexp.MustCompile(p.pattern))
	}
	looked := 0
	for _, room := range plainRooms {
		root := filepath.Join("..", "..")
		require.NoError(t, filepath.WalkDir(filepath.Join(root, room), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !inText.MatchString(path) {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			looked++
			name, _ := filepath.Rel(root, path)
			number := 0
			for line := range strings.Lines(string(text)) {
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
			return nil
		}))
	}
	require.Greater(t, looked, 100)
}
