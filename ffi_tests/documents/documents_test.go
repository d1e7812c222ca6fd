package main

// Tests of what the reader and the comparisons of this room must see, without anything installed. In this file: that nothing
// slips through. Not in this file: the examples themselves (ctest runs them).

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	blocks, err := parse("d.md", "text\n\n<!-- given: a.f90 as b.f90;\n     c.f90 -->\n<!-- needs: mpirun -->\n\n```fortran title\n  x = 1\n```\n* item\n\n  ~~~~ SH\n  ls\n  ~~~\n  ~~~~\n")
	require.NoError(t, err)
	require.Equal(t, []block{
		{document: "d.md", line: 7, language: "fortran", text: "  x = 1\n", directives: map[string]string{keyGiven: "a.f90 as b.f90; c.f90", keyNeeds: "mpirun"}},
		{document: "d.md", line: 12, language: "sh", text: "ls\n~~~\n", directives: map[string]string{}},
	}, blocks)
	for text, fault := range map[string]string{
		"a\n```sh\nls\n":                     "d.md:2: the fence is not closed",
		"<!-- not runn: why -->\n```\n```":   `d.md:1: there is no directive "not runn"`,
		"<!-- needs: x -->\ntext\n":          "d.md:2: a directive stands above text",
		"text\n\n    call gator_init()\n":    "d.md:3: an example by indentation",
		"# heading\n\n\tcall gator_init()\n": "d.md:3: an example by indentation",
	} {
		_, err := parse("d.md", text)
		require.ErrorContains(t, err, fault, text)
	}
	_, err = parse("d.md", "- item\n\n      of the item\n<!-- a note: to authors -->")
	require.ErrorContains(t, err, "there is no directive", "a colon makes a directive")
	_, err = parse("d.md", "- item\n\n      of the item\n<!-- a note -->\n")
	require.NoError(t, err)
}

// Every block of the documents has a handling; the test that runs them says so too, but later.
func TestEveryBlockOfTheTreeIsKnown(t *testing.T) {
	tree, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	names, err := documents(tree)
	require.NoError(t, err)
	require.Contains(t, names, "docs/start/ten-minutes.md")
	require.Contains(t, names, "examples/shallow_water/README.md")
	r := &runner{tree: tree}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(tree, name))
		require.NoError(t, err)
		blocks, err := parse(name, string(text))
		require.NoError(t, err)
		require.Empty(t, checkLinks(tree, name, string(text)))
		for _, b := range blocks {
			if len(b.directives[keyNotRun]+b.directives[keyRunBy]+b.directives[keyOutput]+b.directives[keyPaths]+b.directives[keyDiff]) == 0 {
				_, _, err := r.handler(b)
				require.NoError(t, err, b.place())
			}
		}
	}
}

// TestNoHeadingTwice finds sections that are in a document twice. A link to the second one leads to the first.
func TestNoHeadingTwice(t *testing.T) {
	tree, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	names, err := documents(tree)
	require.NoError(t, err)
	require.Greater(t, len(names), 40)
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(tree, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Empty(t, repeated(string(text)), name)
	}
	require.Equal(t, []string{"## b"}, repeated("# a\n## b\n```sh\n# a\n```\n## b\n"))
}

// repeated gives the headings that stand twice in a text. A line in a fence that begins with a number sign is no heading.
func repeated(text string) (twice []string) {
	seen, fenced := map[string]bool{}, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
		}
		if fenced || !strings.HasPrefix(line, "#") {
			continue
		}
		if seen[line] {
			twice = append(twice, line)
		}
		seen[line] = true
	}
	return twice
}

func TestUnknownLanguageFails(t *testing.T) {
	r := &runner{seen: map[string]*once{}}
	for _, language := range []string{"", "text", "diff", "cobol"} {
		o, _ := r.do(block{document: "d.md", line: 1, language: language}, nil)
		require.ErrorContains(t, o.err, "nothing here knows how to run", language)
	}
	o, _ := r.do(block{language: "cobol", directives: map[string]string{keyNotRun: "no compiler"}}, nil)
	require.NoError(t, o.err)
	require.Equal(t, "no compiler", o.why)
	o, _ = r.do(block{language: "sh", directives: map[string]string{keyNeeds: "no-such-tool-anywhere"}}, nil)
	require.Equal(t, "there is no no-such-tool-anywhere on this machine", o.why)
	o, _ = r.do(block{language: "text", directives: map[string]string{keyOutput: "the example above"}}, nil)
	require.ErrorContains(t, o.err, "no example above was run")
}

func TestWrap(t *testing.T) {
	for text, want := range map[string]string{
		"call gator_report()\n":                            "program example\nuse gator_mod\nimplicit none\ncall gator_init()\ncall gator_report()\ncall gator_finalize()\nend program\n",
		"use a\nuse b\n\ninteger :: n = &\n  3\nn = 4\n":   "program example\nuse a\nuse b\nimplicit none\n\ninteger :: n = &\n  3\ncall gator_init()\nn = 4\ncall gator_finalize()\nend program\n",
		"use gator_mod\ncall gator_init(config=c)\n":       "program example\nuse gator_mod\nimplicit none\ncall gator_init(config=c)\nend program\n",
		"! note\nmodule m\nend module\nprogram p\nend\n":   "! note\nmodule m\nend module\nprogram p\nend\n",
		"pure elemental function f(x)\nend function f\n":   "pure elemental function f(x)\nend function f\n",
		"real(8), pointer :: h(:)\n! then\nnullify(h)\n\n": "program example\nuse gator_mod\nimplicit none\nreal(8), pointer :: h(:)\n! then\ncall gator_init()\nnullify(h)\ncall gator_finalize()\nend program\n",
	} {
		got, _ := wrapFortran(text)
		require.Equal(t, want, got)
	}
	got, main := wrapC("#include <a.h>\nint x;\nif (x) {\n  f();\n}\n")
	require.True(t, main)
	require.Equal(t, "#include <a.h>\nint main(void) {\nint x;\nif (x) {\n  f();\n}\nreturn 0;\n}\n", got)
	got, main = wrapC("static int f(void) {\n  return 1;\n}\n")
	require.False(t, main)
	require.Equal(t, "static int f(void) {\n  return 1;\n}\n", got)
	require.Equal(t, "project(x)\n", wrapCMake("project(x)\n"))
	require.Equal(t, []string{"model"}, cmakePrograms(wrapCMake("find_package(portable)\n")))
	require.Equal(t, []string{"other"}, cmakePrograms(wrapCMake("add_executable(other a.c)\n")))
}

func TestFixtures(t *testing.T) {
	exists := func(name string) bool { return name == "model.f90" || name == "plain.f90" }
	list, err := fixtures("plain.f90 as model.f90; plain.f90 as model", "gfortran model.f90 other.f90", exists)
	require.NoError(t, err)
	require.Equal(t, []fixture{{"plain.f90", "model.f90"}, {"plain.f90", "model"}}, list)
	list, err = fixtures("", "gfortran model.f90 other.f90 model.f90", exists)
	require.NoError(t, err)
	require.Equal(t, []fixture{{"model.f90", "model.f90"}}, list)
	_, err = fixtures("other.f90", "", exists)
	require.ErrorContains(t, err, "there is no other.f90")
	_, err = fixtures("plain.f90 model.f90", "", exists)
	require.ErrorContains(t, err, "FILE as NAME")
}

func TestCompareOutput(t *testing.T) {
	said := "start\nportable: 1 block at 0x7f00\n  time 3.25 ms in /home/x/a.f90\nend\n"
	for _, good := range []string{"portable: 1 block at 0x1\n time 1.5 ms in /tmp/b.f90\n", "start\n...\nend", "portable: 1 block at 0x7f00"} {
		require.NoError(t, compareOutput(good, said), good)
	}
	for _, bad := range []string{"portable: 2 block at 0x7f00", "start\nend", "end\nstart", "nothing", "time 3.25 s in /tmp"} {
		require.Error(t, compareOutput(bad, said), bad)
	}
}

func TestPathsAndDiff(t *testing.T) {
	tree := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(tree, "share", "docs"), 0o777))
	for name, text := range map[string]string{"share/docs/a.md": "# One heading, `code`\n", "plain.f90": "a\nallocate(x)\nb\n", "pool.f90": "a\ncall take(x)\nb\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(tree, name), []byte(text), 0o666))
	}
	require.NoError(t, checkPaths("share/docs/   notes, a.md\n  plain.f90 or plain.so, .so.0\n  share/*\n", tree))
	for _, bad := range []string{"no file here", "share/docs/ b.md", "share/none", "pool.f9"} {
		require.Error(t, checkPaths(bad, tree), bad)
	}
	r := &runner{tree: tree}
	diff := func(text string) error {
		return r.checkDiff(block{document: "README.md", text: text, directives: map[string]string{keyDiff: "plain.f90 pool.f90"}})
	}
	require.NoError(t, diff(" a\n-  allocate(x)\n+  call take(x)\n...\n b\n"))
	for _, bad := range []string{"-a\n", "+allocate(x)\n", " b\n a\n", "-allocate(y)\n"} {
		require.Error(t, diff(bad), bad)
	}
	text := "[a](share/docs/a.md#one-heading-code) [n](http://x.y/z) `share/docs/*.md` `share/none.md` `no/such` [b](share/b.md)\n```sh\n`share/none`\n```\n[c](share/docs/a.md#two)\n"
	require.Equal(t, []string{"README.md:1: the link share/b.md leads nowhere", "README.md:1: there is no share/none.md",
		"README.md:5: the link share/docs/a.md#two: there is no such heading"}, checkLinks(tree, "README.md", text))
}

func TestPlaceholders(t *testing.T) {
	r := &runner{prefix: "/p", libdir: "lib64"}
	for text, want := range map[string]string{
		"gcc -IP/include -LP/lib/x P/lib/a.a":                          "gcc -I/p/include -L/p/lib64/x /p/lib64/a.a",
		"A=PREFIX/lib/pkgconfig":                                       "A=/p/lib64/pkgconfig",
		"-DCMAKE_PREFIX_PATH=/where/portable/is\n--s=/usr/local/share": "-DCMAKE_PREFIX_PATH=/p\n--s=/p/share",
		"$(P) xP/a cp P":                                               "$(P) xP/a cp /p",
	} {
		require.Equal(t, want, r.placed(text))
	}
}

func TestVerdicts(t *testing.T) {
	const survey = `{"nests": [{"line": 1, "verdict": "parallel"}, {"line": 3, "verdict": "refused", "refusals": [{"rule": "effect"}]}]}`
	for source, want := range map[string]string{
		"do i = 1, n ! parallel\nend do\ndo ! refused: effect":     "",
		"do i = 1, n ! parallel\nend do\ndo ! parallel":            `says "parallel" of line 3, portablef says "refused: effect"`,
		"do i = 1, n ! parallel\nend do\ndo":                       "line 3 has no comment",
		"do ! parallel\ndo ! parallel\ndo ! refused: effect":       `of line 2, portablef says ""`,
		"do ! parallel\nend do\ndo ! refused: effect-of-something": `says "refused: effect-of-something"`,
	} {
		err := compareVerdicts(source, survey)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, wanted %q", source, err, want)
		}
	}
	if compareVerdicts("do", `{"nests": []}`) == nil || compareVerdicts("do ! parallel", "no JSON") == nil {
		t.Error("a block without a comment, or without a survey, was accepted")
	}
}
