package main

// The words and the sizes of documents. In this file: phrases that documents do not use, with the terms to use; lines of README.md and
// docs/ARCHITECTURE.md; files of a folder. Not in this file: blocks, links (documents_test.go).

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// phrases are hard to understand for readers whose first language is not English. Each has the terms to use in its place.
var phrases = []struct{ phrase, use string }{
	{`who (?:watches|asks|waits|has it|led here)`, "observer, caller, waiter, holder, call stack"},
	{`(?:is|are|was|were) told|told once`, "is notified, is reported"},
	{`whose (?:is it|it is|an address)|who has it`, "owner, holder, owner lookup"},
	{`what there is|what is found|what it leads to`, "the list, finding, effect"},
	{`from end to end`, "byte span"},
	{`in vain`, "false positive"},
	{`(?:is|are) not moved along`, "broadcast axis"},
	{`(?:lie|lies|lying) on one another`, "overlap"},
	{`lying|where it lies`, "extent, placement"},
	{`run it was made in`, "run of the library"},
	{`nobody's|that is none|is none`, "without owner, invalid"},
	{`makes? no sense|senseless`, "is invalid"},
	{`the way of a launch`, "launch path"},
	{`ways? into Go`, "crossing, call into Go"},
	{`goes by way of`, "is staged through"},
	{`(?:do|does|did|can|could|cannot|to|not|host|device|devices|kernels|nobody|it|they) reach(?:es)?`, "to access, accessible"},
	{`gone`, "destroyed, released"},
	{`(?:give|gives|gave|given|giving) (?:it |them |that )?back`, "released, freed, returned"},
	{`is through|has passed|has come so far`, "has completed, completed up to"},
	{`no room`, "capacity, memory"},
	{`beside`, "as well as, next to"},
	{`by itself|by themselves`, "without X"},
	{`to be had`, "available; out of memory"},
	{`can not`, "cannot"},
	{`takes? (?:it|the error) out`, "pending error"},
	{`hidden`, "internal"},
	{`mend|mends|mended`, "fixed"},
	{`doors?`, "test hook"},
	{`from one to the next|from one element to the next`, "stride"},
	{`elsewhere`, "not accessible, in other places"},
}

// begin are words that begin no sentence.
var begin = regexp.MustCompile(`(?:^|[.:;!?] +)(?:What|Who|Whose|Of|Whoever|Whichever) [a-z]`)

var (
	codeOrTarget = regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)|<!--.*?-->|\\*[^*]+\\*")
	leading      = regexp.MustCompile(`^\s*(?:[*-]|\d+\.|#+)\s+`)
)

var compiled = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, p := range phrases {
		all = append(all, regexp.MustCompile(`(?i)(?:^|[^\pL])(?:`+p.phrase+`)(?:$|[^\pL])`))
	}
	return all
})

// dense gives the phrases of a text that documents do not use. Fences, code and quoted error texts in italics may have them.
func dense(text string) (found []string) {
	fenced := false
	lines := strings.Split(strings.ReplaceAll(text, "**", ""), "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if fenced {
			continue
		}
		plain := codeOrTarget.ReplaceAllString(line, "")
		both := plain // a phrase may be split over two lines
		if i+1 < len(lines) && !strings.HasPrefix(lines[i+1], "|") && !strings.HasPrefix(strings.TrimSpace(lines[i+1]), "```") {
			if next := codeOrTarget.ReplaceAllString(lines[i+1], ""); !leadingItem(next) {
				both = strings.TrimRight(plain, " ") + " " + strings.TrimLeft(next, " ")
			}
		}
		for n, p := range compiled() {
			if at := p.FindStringIndex(both); at != nil && at[0] < len(plain) {
				found = append(found, fmt.Sprintf("%d: %q: use: %s", i+1, strings.TrimSpace(both[at[0]:at[1]]), phrases[n].use))
			}
		}
		starts := i == 0 || strings.TrimSpace(lines[i-1]) == "" || leadingItem(line)
		for _, cell := range strings.Split(plain, "|") {
			cell = leading.ReplaceAllString(strings.TrimSpace(cell), "")
			at := begin.FindStringIndex(cell)
			if at != nil && (at[0] > 0 || starts || strings.Contains(line, "|")) && !strings.HasSuffix(cell, "?") {
				found = append(found, fmt.Sprintf("%d: a sentence begins so: %q", i+1, cell[at[0]:at[1]]))
			}
		}
	}
	return found
}

// leadingItem says whether a line begins a heading, an item of a list, or a row of a table.
func leadingItem(line string) bool {
	return strings.HasPrefix(line, "|") || leading.FindString(line) != ""
}

func TestDocumentsUsePlainWords(t *testing.T) {
	tree, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	names, err := documents(tree)
	require.NoError(t, err)
	checked := 0
	for _, name := range names {
		if name != "README.md" && name != "CHANGELOG.md" && !strings.HasPrefix(name, "docs/") && !strings.HasPrefix(name, "examples/") &&
			!strings.HasSuffix(name, "RATIONALE.md") {
			continue
		}
		checked++
		text, err := os.ReadFile(filepath.Join(tree, filepath.FromSlash(name)))
		require.NoError(t, err)
		for _, line := range dense(string(text)) {
			t.Errorf("%s:%s", name, line)
		}
	}
	require.Greater(t, checked, 60)
}

func TestDenseWordsAreFound(t *testing.T) {
	for _, text := range []string{"It can not do so.", "x\n\nWhat is lost is\nwritten.", "* Who asks is told.", "| a | Of all the first |", "Fine. What is read.",
		"a block is given\nback to the pool", "memory that the host does not\n  reach", "**nobody's**"} {
		require.NotEmpty(t, dense(text), text)
	}
	for _, text := range []string{"`can not` [a](beside.md)", "```\nWhat can not\n```", "It cannot do so.\nWhat for?", "the limit is reached", "<!-- run beside it -->", "* What now?"} {
		require.Empty(t, dense(text), text)
	}
}

// TestDocumentsAreShort also says that each page is in the list of its folder.
func TestDocumentsAreShort(t *testing.T) {
	tree, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	for name, most := range map[string]int{"README.md": 120, "docs/ARCHITECTURE.md": 250, "docs/how-it-works.md": 100} {
		text, err := os.ReadFile(filepath.Join(tree, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.LessOrEqual(t, strings.Count(string(text), "\n"), most, name)
	}
	err = filepath.WalkDir(filepath.Join(tree, "docs"), func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		entries, err := os.ReadDir(path)
		require.LessOrEqual(t, len(entries), 35, path)
		index, missing := os.ReadFile(filepath.Join(path, "README.md"))
		require.NoError(t, missing)
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".md") && e.Name() != "README.md" {
				require.Contains(t, string(index), "]("+e.Name()+")", "%s does not list it", path)
			}
		}
		return err
	})
	require.NoError(t, err)
}

// TestHowItWorksNamesFilesThatExist: each path between backticks is a file of the tree.
func TestHowItWorksNamesFilesThatExist(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "how-it-works.md"))
	require.NoError(t, err)
	files := 0
	for _, m := range code.FindAllStringSubmatch(string(text), -1) {
		if !pathInCode.MatchString(m[1]) {
			continue
		}
		info, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(m[1])))
		require.NoError(t, err)
		require.False(t, info.IsDir(), m[1])
		files++
	}
	require.Greater(t, files, 40)
}
