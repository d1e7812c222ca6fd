package oracle

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/scope"
)

var (
	sources = flag.String("oracle.sources", "", "files to compare, separated as in PATH")
	alone   = flag.Bool("oracle.alone", false, "each of these files is a program of its own")
)

func compare(t *testing.T, names []string, flags []string, o scope.Options) *Report {
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("gfortran is not there")
	}
	report, err := Compare(names, t.TempDir(), flags, o)
	require.NoError(t, err)
	t.Log(report)
	for _, difference := range report.Differences {
		t.Error(difference)
	}
	return report
}

// TestSources compares the files of -oracle.sources.
func TestSources(t *testing.T) {
	names := filepath.SplitList(*sources)
	switch {
	case len(names) == 0:
		t.Skip("no -oracle.sources")
	case !*alone:
		require.NotZero(t, compare(t, names, nil, scope.Options{}).Files)
	default:
		for _, name := range names {
			compare(t, []string{name}, nil, scope.Options{})
		}
	}
}

// write puts a text into a file of its own.
func write(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// TestPrograms compares programs that have what the tool meets in real codes, and counts what was compared.
func TestPrograms(t *testing.T) {
	var names []string
	for name, text := range examples {
		names = append(names, write(t, name+".f90", text))
	}
	report := compare(t, names, nil, scope.Options{})
	if t.Skipped() {
		return
	}
	require.Equal(t, len(examples), report.Files, "gfortran refuses an example")
	require.Zero(t, report.NotAligned)
	for count, least := range map[int]int{report.Symbols: 70, report.Statements: 40, report.Types: 150, report.Conversions: 15, report.Constants: 90, report.Calls: 15} {
		require.GreaterOrEqual(t, count, least)
	}
}

// TestFails: the comparison finds what is wrong. Other options than the compiler's give other kinds and values.
func TestFails(t *testing.T) {
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("gfortran is not there")
	}
	rows := []struct{ name, text string }{
		{"symbol", "subroutine s\nreal x\nend\n"},
		{"conversion", "subroutine s(d)\nreal(8) d\nreal x\nd = x\nend\n"},
		{"constant", "subroutine s(d)\nreal(8) d\nd = 0.1\nend\n"},
		{"parameter", "subroutine s\nreal(8), parameter :: d = 0.1\nend\n"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			report, err := Compare([]string{write(t, "s.f90", row.text)}, t.TempDir(), nil, scope.Options{Real: 8})
			require.NoError(t, err)
			require.NotEmpty(t, report.Differences)
			report, err = Compare([]string{write(t, "s.f90", row.text)}, t.TempDir(), nil, scope.Options{})
			require.NoError(t, err)
			require.Empty(t, report.Differences)
		})
	}
}
