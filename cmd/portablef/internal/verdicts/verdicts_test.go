package verdicts

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/report/sarifcheck"
)

// made is a report with each kind of nest.
func made() *Report {
	r := &Report{Command: "survey",
		Files: []File{{Name: "src/b.f90", Statements: 9000, Unread: 20}, {Name: "a.f90", Statements: 120}},
		Nests: []Nest{
			{Place: Place{"a.f90", 5, 3}, End: 9, Verdict: Serial, Loops: []string{"i"}, Statements: 2},
			{Place: Place{"src/b.f90", 77, 3}, End: 90, Verdict: Refused, Asked: true, Directive: "portable", Procedure: "sweep", Loops: []string{"i"}, Statements: 3,
				Refusals: []Refusal{{Place: Place{"src/b.f90", 79, 5}, Rule: "recurrence", Loop: "i",
					Text: "'x' has distance 1 in loop i: x(i-1) at line 79, x(i) at line 80", Remedy: "run loop j in parallel",
					Also: []Place{{"src/b.f90", 80, 5}}}}},
			{Place: Place{"src/b.f90", 12, 3}, End: 30, Verdict: Parallel, Procedure: "rates", Label: "rates:12", Loops: []string{"j", "i"}, Statements: 12,
				Private: []string{"depth", "c"}, Reductions: []Reduction{{"max", "big", []string{"k"}}}, Last: []string{"t"}, Sums: []Sum{{"+", "hist"}},
				Data:  []Datum{{"h", "read", []Use{{Place{"src/b.f90", 14, 9}, "h(i, j)", "read"}}}},
				Calls: []Call{{Place{"src/b.f90", 15, 9}, "flux", true}}, Overlaps: [][2]string{{"a", "b"}},
				Proofs: []Proof{{"j", "h", "equal index", Place{"src/b.f90", 14, 9}, Place{"src/b.f90", 16, 9}}}},
			{Place: Place{"src/b.f90", 14, 5}, End: 18, Verdict: Parallel, Asserted: true, Loops: []string{"k"}, Around: []string{"l"}, Statements: 4,
				Refusals: []Refusal{{Rule: "same-element", Loop: "l", Text: "'a' is written at line 15 with no index of loop l"}}},
			{Place: Place{"src/b.f90", 40, 3}, End: 44, Verdict: Refused, Loops: []string{"n"}, Statements: 1,
				Refusals: []Refusal{{Rule: "effect", Loop: "n", Text: "WRITE at line 41", Remedy: "move it behind the loop"}}},
		},
		Messages: []Message{{Place{"src/b.f90", 3, 1}, "warning", "the statement is not understood: no such word", ""}},
	}
	r.Sort()
	return r
}

func written(t *testing.T, f func(io.Writer, TextOptions) error, o TextOptions) string {
	var b strings.Builder
	require.NoError(t, f(&b, o))
	return b.String()
}

func TestSurvey(t *testing.T) {
	r := made()
	require.Equal(t, `src/b.f90:12:3 parallel j, i: private depth, c; last value of t; reduction max: big with k; sum + into hist
src/b.f90:14:5 parallel k: independent by assertion; loop l around it stays serial: same-element: 'a' is written at line 15 with no index of loop l
src/b.f90:40:3 refused n: effect: WRITE at line 41
src/b.f90:77:3 refused i: recurrence: 'x' has distance 1 in loop i: x(i-1) at line 79, x(i) at line 80
a.f90:5:3 serial i: it has no directive
src/b.f90:3:1: warning: the statement is not understood: no such word
40.0 % of the nests run in parallel, 72.7 % of the statements in nests; 1 of them by assertion
5 nests in 2 files: 2 for the host, 2 refused, 1 serial; 99.7 % of 9120 statements read
`, written(t, r.WriteSurvey, TextOptions{}))
	require.NotContains(t, written(t, r.WriteSurvey, TextOptions{Quiet: true}), "parallel j")
	require.Contains(t, written(t, (&Report{}).WriteSurvey, TextOptions{}), "0 nests in 0 files: 0 for the host, 0 refused; 100.0 % of 0 statements read")
}

func TestText(t *testing.T) {
	r := made()
	require.Equal(t, `src/b.f90:3:1: warning: the statement is not understood: no such word
src/b.f90:40:3: note: this loop stays serial: WRITE at line 41; move it behind the loop
src/b.f90:79:5: error: cannot run this loop in parallel: 'x' has distance 1 in loop i: x(i-1) at line 79, x(i) at line 80; run loop j in parallel
a.f90: note: 1 nest has no directive and stays serial (--auto takes those that are proved, --verbose lists them)
portablef: 5 nests in 2 files: 2 for the host, 2 refused, 1 serial; 99.7 % of 9120 statements read
`, written(t, r.WriteText, TextOptions{}))
	require.Contains(t, written(t, r.WriteText, TextOptions{Verbose: true}), "a.f90:5:3: note: this loop stays serial: it has no directive\n")
	quiet := written(t, r.WriteText, TextOptions{Quiet: true})
	require.Equal(t, 2, strings.Count(quiet, "\n"))
	require.Contains(t, quiet, "error: cannot run")
	require.Contains(t, written(t, r.WriteText, TextOptions{Color: true}), "\x1b[1;31merror:\x1b[0m cannot run")
}

func TestFailed(t *testing.T) {
	r := made()
	require.True(t, r.Failed(false))
	r.Nests = r.Nests[:3] // the refused one among them was not asked for
	require.False(t, r.Failed(false))
	require.True(t, r.Failed(true), "a warning counts with --strict")
	r.Messages[0].Level = "error"
	require.True(t, r.Failed(false))
}

func TestExplanation(t *testing.T) {
	r := made()
	require.Len(t, r.At("src/b.f90", 0), 4)
	require.Empty(t, r.At("src/b.f90", 31))
	require.Empty(t, r.At("b.f90", 77))
	inner := r.At("src/b.f90", 15)
	require.Len(t, inner, 1, "the innermost one")
	require.Equal(t, 14, inner[0].Line)
	var b strings.Builder
	require.NoError(t, WriteExplanation(&b, append(r.At("src/b.f90", 12), r.At("src/b.f90", 77)...)))
	require.Equal(t, `src/b.f90:12:3 parallel j, i: private depth, c; last value of t; reduction max: big with k; sum + into hist
  label 'rates:12', 12 statements
  read   h: h(i, j) at line 14
  calls flux at line 15: in none of the files, trusted
  compared at each launch: a and b may overlap
  no conflict in loop j: h, lines 14 and 16: equal index

src/b.f90:77:3 refused i: recurrence: 'x' has distance 1 in loop i: x(i-1) at line 79, x(i) at line 80
  asked for by: portable
  remedy: run loop j in parallel
`, b.String())
}

// TestJSON holds the names of the public format: a list is a list, also where it is empty.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, made().WriteJSON(&b, "0.1.0"))
	require.NotContains(t, b.String(), "null")
	var out map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &out))
	require.Equal(t, "portablef-report", out["schema"])
	require.EqualValues(t, JSONVersion, out["version"])
	keys := func(v any) (names []string) {
		for name := range v.(map[string]any) {
			names = append(names, name)
		}
		return names
	}
	require.ElementsMatch(t, []string{"schema", "version", "tool", "command", "summary", "files", "nests", "messages"}, keys(out))
	require.ElementsMatch(t, []string{"nests", "files", "parallel", "asserted", "refused", "serial", "nest_statements", "parallel_statements", "statements",
		"unread"}, keys(out["summary"]))
	nest := out["nests"].([]any)[0]
	require.ElementsMatch(t, []string{"file", "line", "column", "end_line", "verdict", "asked", "directive", "asserted", "procedure", "label", "loops", "around",
		"statements", "private", "last_values", "reductions", "sums", "data", "calls", "compared", "proofs", "refusals"}, keys(nest))
	refusal := out["nests"].([]any)[3].(map[string]any)["refusals"].([]any)[0]
	require.ElementsMatch(t, []string{"file", "line", "column", "rule", "loop", "text", "remedy", "also"}, keys(refusal))
	require.ElementsMatch(t, []string{"name", "output", "statements", "unread"}, keys(out["files"].([]any)[0]))
}

func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, made().WriteSARIF(&b, "0.1.0", "/home/u"))
	run := sarifcheck.Run(t, b.Bytes())
	levels := map[string]int{}
	for _, result := range run["results"].([]any) {
		result := result.(map[string]any)
		levels[result["ruleId"].(string)+" "+result["level"].(string)]++
	}
	require.Equal(t, map[string]int{"source warning": 1, "parallel none": 2, "effect note": 1, "recurrence error": 1}, levels)
	last := run["results"].([]any)[4].(map[string]any)
	region := last["locations"].([]any)[0].(map[string]any)["physicalLocation"].(map[string]any)["region"]
	require.Equal(t, map[string]any{"startLine": 79.0, "startColumn": 5.0}, region)
	require.Len(t, last["relatedLocations"], 2, "the loop, and the other reference")
}

func TestRulesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules {
		require.False(t, seen[r.Name], r.Name)
		seen[r.Name] = true
		require.NotEmpty(t, r.Title)
		require.NotEmpty(t, r.Help)
	}
	require.Equal(t, "new-rule", ruleNamed("new-rule").Name)
}
