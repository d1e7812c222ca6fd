package instance

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/exec"
)

// This file tests PORTABLE_PROFILE and where reports go. Not in this file: the form of reports (exec), the same with C
// (ffi_tests/timers).

func TestProfile(t *testing.T) {
	for value, want := range map[string]Profile{
		"": {}, " ": {}, "0": {}, "no": {}, "1": {Timers: 2, Report: true}, " Yes ": {Timers: 2, Report: true},
		"user":                     {Timers: 1, Report: true},
		"all":                      {Timers: 2, Report: true, AllRanks: true},
		"user,all":                 {Timers: 1, Report: true, AllRanks: true},
		"json=T.json":              {Timers: 2, JSON: "T.json"},
		"file = a b , JSON= c":     {Timers: 2, Text: "a b", JSON: "c"},
		"1,file=t,json=j":          {Timers: 2, Report: true, Text: "t", JSON: "j"},
		"user,json=/a/b=c/t.json,": {},
		"user,json=/a/b=c/t.json":  {Timers: 1, JSON: "/a/b=c/t.json"},
		"2":                        {}, "1,0": {}, "json": {}, "json=": {}, "xml=f": {}, "all=f": {},
	} {
		r := &reader{env: variables(map[string]string{"PORTABLE_PROFILE": value})}
		require.Equal(t, want, r.profile(), value)
		if want == (Profile{}) && value != "" && value != " " && value != "0" && value != "no" {
			require.Len(t, r.warnings, 1, value)
			require.Contains(t, r.warnings[0], "PORTABLE_PROFILE='"+value+"' is invalid")
		} else {
			require.Empty(t, r.warnings, value)
		}
	}
}

// written returns an instance whose reports are kept here.
func written(env map[string]string, own bool) (in *Instance, lines *[]string, files map[string]string) {
	lines, files = &[]string{}, map[string]string{}
	fronts := Fronts{
		Timing: func(int) {},
		Timers: func() ([]exec.Timer, bool) { return []exec.Timer{{Label: "main", Parent: -1, Count: 1}}, own },
		WriteFile: func(path, text string) error {
			if path == "bad" || path == "bad.4" {
				return errors.New("it is bad")
			}
			files[path] = text
			return nil
		},
	}
	return New(variables(env), fronts, func(line string) { *lines = append(*lines, line) }), lines, files
}

func TestReportsAtTheEnd(t *testing.T) {
	for _, c := range []struct {
		name, profile, rank string
		own                 bool
		begins              []string // the lines
		files               []string
	}{
		{"off", "0", "", true, nil, nil},
		{"one process", "1", "", true, []string{"******* Timers *******\n"}, nil},
		{"rank 0", "1", "0", true, []string{"******* Timers *******\n"}, nil},
		{"rank 4", "1", "4", true, nil, nil},
		{"all", "all", "4", true, []string{"** FOR RANK 4**\n******* Timers *******\n"}, nil},
		{"all of one", "all", "", true, []string{"******* Timers *******\n"}, nil},
		{"files", "file=a/b.c/t,json=j.json", "", true, nil, []string{"a/b.c/t", "j.json"}},
		{"files of a rank", "file=t.txt,json=d.e/j", "4", true, nil, []string{"t.4.txt", "d.e/j.4"}},
		{"a bad file", "file=bad,json=j", "4", true, []string{"portable: rank 4: warning: portable: bad argument: the timers cannot be written into 'bad.4': it is bad"}, []string{"j.4"}},
		{"hooks", "1,file=f", "", false, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := map[string]string{"PORTABLE_PROFILE": c.profile}
			if c.rank != "" {
				env["PMI_RANK"] = c.rank
			}
			in, lines, files := written(env, c.own)
			require.NoError(t, in.Init(Request{}))
			require.NoError(t, in.GatorInit(Request{}))
			require.NoError(t, in.Finalize())
			require.Empty(t, *lines, "a participant is still there")
			require.NoError(t, in.GatorFinalize())
			require.Len(t, *lines, len(c.begins), *lines)
			for i, begins := range c.begins {
				require.Contains(t, (*lines)[i], begins)
			}
			require.Len(t, files, len(c.files))
			for _, name := range c.files {
				require.Contains(t, files, name)
			}
		})
	}
}

func TestPrintTimers(t *testing.T) {
	in, lines, files := written(map[string]string{"PMI_RANK": "4", "PORTABLE_PROFILE": "user"}, true)
	require.NoError(t, in.Init(Request{}))
	require.NoError(t, in.PrintTimers(""))
	require.Empty(t, *lines)
	require.NoError(t, in.PrintTimers("t.JSON"))
	require.Contains(t, files["t.4.JSON"], `"rank": 4,`)
	require.NoError(t, in.PrintTimers("t"))
	require.Contains(t, files["t.4"], "******* Timers *******\n")
	require.ErrorIs(t, in.PrintTimers("bad"), ErrArgument)
	require.NoError(t, in.Finalize())
}

// The timers of several processes come out merged, at the place that was asked for.
func TestMerged(t *testing.T) {
	in, lines, files := written(map[string]string{"PORTABLE_PROFILE": "user"}, true)
	packs := append(in.PackTimers(), in.PackTimers()...)
	text, err := in.MergeTimers(packs, false)
	require.NoError(t, err)
	require.Contains(t, text, "Timers of 2 ranks")
	require.NoError(t, in.PrintMerged(packs, ""))
	require.Equal(t, []string{text[:len(text)-1]}, *lines)
	require.NoError(t, in.PrintMerged(packs, "a/times.JSON"))
	require.Contains(t, files["a/times.JSON"], `"ranks": [`)
	require.ErrorIs(t, in.PrintMerged(packs[1:], ""), ErrArgument)
	require.Len(t, *lines, 1)
}
