package directives

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// nestAt makes a parallel nest whose DO begins at the first occurrence of mark.
func nestAt(text, mark string, alone, fixed bool) (*tree.File, *nest.Nest) {
	offset := strings.Index(text, mark)
	line := 1 + strings.Count(text[:offset], "\n")
	at := token.Pos{Line: int32(line), Offset: int32(offset), Column: int32(offset - strings.LastIndex(text[:offset], "\n"))}
	do := &tree.Do{Variable: "i"}
	do.Where = token.Span{From: at}
	do.Line = &source.Line{Span: token.Span{From: at}, Alone: alone, Lines: [2]int32{at.Line, at.Line}}
	f := &tree.File{Source: &source.File{Text: []byte(text), Fixed: fixed}}
	return f, &nest.Nest{File: f, Verdict: nest.Parallel, Outer: do, Loops: []nest.Loop{{Do: do, Variable: &scope.Symbol{Name: "i"}}}}
}

func TestInsert(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x = 1\n  do i = 1, n\n  end do\n", "x = 1\n  !$portable parallel\n  do i = 1, n\n  end do\n"},
		{"do i = 1, n; end do", "!$portable parallel\ndo i = 1, n; end do"},
		{"\tdo i = 1, n\r\nend do\r\n", "\t!$portable parallel\r\n\tdo i = 1, n\r\nend do\r\n"},
	} {
		f, n := nestAt(c.text, "do i", true, false)
		change := Change{Old: f.Source.Text}
		change.add(f, n, false)
		require.Equal(t, c.want, string(change.New()))
	}
	f, n := nestAt("      do i = 1, n\n", "do i", true, true)
	change := Change{Old: f.Source.Text}
	change.add(f, n, false)
	require.Equal(t, "!$portable parallel\n      do i = 1, n\n", string(change.New()), "fixed form: column 1")

	f, n = nestAt("x = 1; do i = 1, n\n", "do i", false, false)
	change = Change{Old: f.Source.Text}
	change.add(f, n, false)
	require.Empty(t, change.Insertions)
	require.Equal(t, "another statement or a macro stands on the line of the loop", change.Left[0].Reason)
}

func TestClauses(t *testing.T) {
	_, n := nestAt("do i", "do i", true, false)
	inner := &scope.Symbol{Name: "j"}
	n.Loops = append(n.Loops, nest.Loop{Variable: inner})
	n.Private = []*scope.Symbol{inner, {Name: "depth"}, {Name: "c"}}
	n.Reductions = []nest.Reduction{{Symbol: &scope.Symbol{Name: "s"}, Operator: "+"}}
	require.Equal(t, "!$portable parallel collapse(2) private(depth, c) reduction(+: s)", text(n, true, false))
	require.Equal(t, "!$portable parallel", text(n, false, false))
	n.Private = append(n.Private, &scope.Symbol{Name: strings.Repeat("x", 40)})
	require.Equal(t, "!$portable parallel", text(n, true, true), "it would be too long for fixed form")
}

// TestDiff: the program patch makes the new text of the old one.
func TestDiff(t *testing.T) {
	var text strings.Builder
	for i := range 60 {
		if i%20 == 2 || i%20 == 5 || i == 59 {
			text.WriteString("  do i = 1, n\n")
		} else {
			text.WriteString("x = 1\n")
		}
	}
	old := strings.TrimSuffix(text.String(), "\n") // without an end of the last line
	change := Change{Name: "a.f90", Old: []byte(old)}
	offset := 0
	for number, line := range strings.SplitAfter(old, "\n") {
		if strings.Contains(line, "do i") {
			change.Insertions = append(change.Insertions, Insertion{Line: number + 1, Offset: offset, Text: "  !$portable parallel\n"})
		}
		offset += len(line)
	}
	require.Len(t, change.Insertions, 7)
	require.Empty(t, (&Change{Old: []byte(old)}).Diff())
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("there is no patch")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "a.f90")
	require.NoError(t, os.WriteFile(path, []byte(old), 0o666))
	command := exec.Command(patch, "-p0")
	command.Dir, command.Stdin = folder, strings.NewReader(change.Diff())
	said, err := command.CombinedOutput()
	require.NoError(t, err, string(said)+change.Diff())
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(change.New()), string(got))
}
