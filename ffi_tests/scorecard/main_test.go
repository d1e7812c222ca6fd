package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMarks(t *testing.T) {
	all, err := parse("a.f90", `
  ! fault one: what is wrong [guard=start]
    a(0) = 1 !~ out-of-bounds
  ! clean two: nothing
    b = 1
  ! fault three: a shared line
    c = 1 !~ three use-after-free; one leak
`)
	require.NoError(t, err)
	require.Equal(t, []mark{{"out-of-bounds", 3}, {"leak", 7}}, all[0].marks)
	require.Equal(t, []string{"--guard=start"}, all[0].options)
	require.Equal(t, "what is wrong", all[0].what)
	require.True(t, all[1].clean)
	for text, want := range map[string]string{
		"! fault a: x\n":                   `"a" has no mark`,
		"! clean a: x\n i = 1 !~ leak\n":   `no fault "a"`,
		" i = 1 !~ a b c\n":                "not understood",
		"! fault a: x\n i = 1 !~ b leak\n": `no fault "b"`,
	} {
		_, err := parse("a.f90", text)
		require.ErrorContains(t, err, want)
	}
}

// TestSources: the sources are as many cases as are promised, of the kinds that yaklcheck has.
func TestSources(t *testing.T) {
	all, err := cases("programs")
	require.NoError(t, err)
	faults, clean := 0, 0
	names := map[string]bool{}
	for _, f := range all {
		require.False(t, names[f.name], f.name)
		names[f.name] = true
		if f.clean {
			clean++
		} else {
			faults++
		}
	}
	require.GreaterOrEqual(t, faults, 60)
	require.GreaterOrEqual(t, clean, 20)
	require.NotEmpty(t, some(all))
	require.Less(t, len(some(all)), 45)
	t.Log(faults, clean, len(some(all)))
}

func TestJudge(t *testing.T) {
	f := &fault{source: "a.c", marks: []mark{{"out-of-bounds", 7}}}
	at := func(kind string, line int) (one found) {
		one.Kind = kind
		one.Sites = append(one.Sites, struct {
			Role   string
			Frames []struct {
				File  string
				Line  int
				Owner string
			}
		}{Role: "here"})
		one.Sites[0].Frames = append(one.Sites[0].Frames, struct {
			File  string
			Line  int
			Owner string
		}{"/src/a.c", line, "user"})
		return one
	}
	for word, findings := range map[string][]found{
		"line":         {at("out-of-bounds", 7)},
		"found":        {at("out-of-bounds", 8)},
		"later":        {at("overwritten-end", 9)},
		"-":            {},
		"false report": {at("out-of-bounds", 7), at("double-free", 7)},
	} {
		r := result{findings: findings}
		r.judge(f)
		require.Equal(t, word, r.word(f))
		require.Equal(t, word != "line", r.failure(f, "exact") != "", word)
	}
	r := result{findings: []found{at("leak", 7)}}
	clean := &fault{clean: true}
	r.judge(clean)
	require.NotEmpty(t, r.failure(clean, "fast"))
}
