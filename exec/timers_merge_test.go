package exec

// These tests check packs of timers, and the reports of several processes.

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Timers of several processes: packed, unpacked, merged. Not in this file: how they are measured and sent (ffi_tests/timers, ffi_tests/mpi).

func TestMergedReport(t *testing.T) {
	rule := strings.Repeat("_", 124) + "\n"
	head := rule + fmt.Sprintf("%-50s%-10s%-12s%-15s%-15s%-15s%s\n", "Timer label", "# ranks", "# calls", "Min time", "Mean time", "Max time", "On rank") + rule
	foot := rule + "Times are what a rank spent in all its calls: the least, the mean and the largest of the ranks that have the timer.\n" +
		"The last column is the rank of the largest one.\n"
	line := func(label, numbers string) string { return fmt.Sprintf("%-50s%s\n", label, numbers) }
	work := func(total int64) []Timer {
		return []Timer{once("main", -1, 10*total), {Label: "step", Parent: 0, Count: 5, Total: total, Min: 1, Max: total}}
	}
	onThread := once("step", 0, ms)
	onThread.Parent, onThread.Thread = -1, 1
	for _, c := range []struct {
		name string
		list []Packed
		want string
	}{
		{"no rank", nil, "******* Timers of 0 ranks *******\n" + head + foot},
		{"one", []Packed{{Rank: -1, Timers: work(ms)}}, "******* Timers of 1 rank *******\n" + head +
			line("main", "1         1           1.000000e-02   1.000000e-02   1.000000e-02   0") +
			line("  step", "1         5           1.000000e-03   1.000000e-03   1.000000e-03   0") + foot},
		{"three", []Packed{{0, work(2 * ms)}, {1, work(6 * ms)}, {2, work(ms)}}, "******* Timers of 3 ranks *******\n" + head +
			line("main", "3         3           1.000000e-02   3.000000e-02   6.000000e-02   1") +
			line("  step", "3         15          1.000000e-03   3.000000e-03   6.000000e-03   1") + foot},
		{"not all have it", []Packed{{0, append(work(ms), once("output", 0, 7*ms))}, {1, work(ms)}}, "******* Timers of 2 ranks *******\n" + head +
			line("main", "2         2           1.000000e-02   1.000000e-02   1.000000e-02   0") +
			line("  step", "2         10          1.000000e-03   1.000000e-03   1.000000e-03   0") +
			line("  output", "1         1           7.000000e-03   7.000000e-03   7.000000e-03   0") + foot},
		{"threads of one rank", []Packed{{3, []Timer{once("step", -1, ms), onThread}}, {4, nil}}, "******* Timers of 2 ranks *******\n" + head +
			line("step", "1         2           2.000000e-03   2.000000e-03   2.000000e-03   3") + foot},
		{"before a reset", []Packed{{0, []Timer{{Label: "gone", Parent: -1}, once("stays", 0, ms)}}}, "******* Timers of 1 rank *******\n" + head +
			line("stays", "1         1           1.000000e-03   1.000000e-03   1.000000e-03   0") + foot},
		{"running and lost", []Packed{{0, nil}, {1, []Timer{{Label: "r", Parent: -1, Active: 1, Elapsed: ms, Lost: true}}}},
			"******* Timers of 2 ranks *******\nWARNING: timers were still active on 1 rank (rank 1 first). Results will be inaccurate\n" +
				"WARNING: a thread or a kernel ended while timers ran, on 1 rank (rank 1 first); they count until its end\n" + head +
				line("r", "1         1           1.000000e-03   1.000000e-03   1.000000e-03   1") + foot},
		{"odd labels", []Packed{{0, []Timer{once(strings.Repeat("x", 60)+"\n", -1, ms)}}}, "******* Timers of 1 rank *******\n" + head +
			line(strings.Repeat("x", 48), "1         1           1.000000e-03   1.000000e-03   1.000000e-03   0") + foot},
	} {
		t.Run(c.name, func(t *testing.T) {
			var sent []byte
			for _, p := range c.list {
				sent = append(sent, PackTimers(p)...)
			}
			list, err := UnpackTimers(sent)
			require.NoError(t, err)
			require.Equal(t, c.want, MergedReport(list))
		})
	}
}

type parsedMerged struct {
	Ranks, Running []int
	Timers         []parsedPlace
}

type parsedPlace struct {
	Label          string
	Ranks          int
	Calls          int64
	Min, Mean, Max float64
	MinRank        int `json:"min_rank"`
	MaxRank        int `json:"max_rank"`
	Timers         []parsedPlace
}

func parseMerged(t *testing.T, text string) (p parsedMerged) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&p), text)
	return p
}

func TestMergedJSON(t *testing.T) {
	require.Equal(t, parsedMerged{Ranks: []int{}, Running: []int{}, Timers: []parsedPlace{}}, parseMerged(t, MergedJSON(nil)))
	p := parseMerged(t, MergedJSON([]Packed{
		{2, []Timer{once("a\"\n", -1, 3), once("b", 0, 1)}},
		{0, []Timer{once("a\"\n", -1, 6_000_000_000), {Label: "b", Parent: 0, Active: 1, Elapsed: 5}}},
	}))
	require.Equal(t, parsedMerged{Ranks: []int{0, 2}, Running: []int{0}, Timers: []parsedPlace{
		{"a\"\n", 2, 2, 3e-9, 3.000000001, 6, 2, 0, []parsedPlace{{"b", 2, 2, 1e-9, 3e-9, 5e-9, 2, 0, []parsedPlace{}}}}}}, p)
}

// Text that was cut, or is something else, is refused.
func TestUnpackTimers(t *testing.T) {
	one := PackTimers(Packed{7, []Timer{once("main", -1, ms), once("step", 0, 5)}})
	two := append(append([]byte{}, one...), one...)
	list, err := UnpackTimers(two)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, 7, list[1].Rank)
	require.Equal(t, "step", list[1].Timers[1].Label)
	for n := range two {
		if n == 0 || n == len(one) {
			continue
		}
		_, err := UnpackTimers(two[:n])
		require.ErrorContains(t, err, "portable_timers_pack", n)
	}
	_, err = UnpackTimers(append(one[:len(one):len(one)], 0))
	require.ErrorContains(t, err, fmt.Sprintf("byte %d of %d", len(one), len(one)+1))
	bad := append([]byte{}, one...)
	bad[packHead] = 9 // a parent that comes later
	_, err = UnpackTimers(bad)
	require.ErrorContains(t, err, "byte 0")
}

// FuzzUnpackTimers reads anything: it is refused, or packed again to the same bytes and merged.
func FuzzUnpackTimers(f *testing.F) {
	f.Add(PackTimers(Packed{-1, nil}))
	f.Add(PackTimers(Packed{3, []Timer{once("main", -1, ms), {Label: "r\xff", Parent: 0, Active: 2, Elapsed: 9, Lost: true}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := UnpackTimers(b)
		if err != nil {
			return
		}
		var again []byte
		for _, p := range list {
			again = append(again, PackTimers(p)...)
		}
		if len(again) != len(b) {
			t.Fatalf("%d bytes became %d", len(b), len(again))
		}
		parseMerged(t, MergedJSON(list))
		if report := MergedReport(list); !strings.HasSuffix(report, ".\n") {
			t.Fatal(report)
		}
	})
}
