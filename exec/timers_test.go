package exec

// These tests check the reports of timers and of fallbacks, as text and as JSON, packs of timers, and the reports of several processes.

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Reports and JSON of timers that are made up here. Not in this file: what C measures (ffi_tests/timers).

const ms = 1_000_000

func once(label string, parent int, total int64) Timer {
	return Timer{Label: label, Parent: parent, Count: 1, Total: total, Last: total, Min: total, Max: total}
}

// The layout is YAKL's, to the last blank: programs read it.
func TestTimerReport(t *testing.T) {
	rule := strings.Repeat("_", 104) + "\n"
	head := rule + "Timer label                                       # calls     Total time     Min time       Max time       \n" + rule
	foot := rule + "The ~ character beginning a timer label indicates it has multiple parent timers.\n" +
		"Thus, those timers will likely not accumulate like you expect them to.\n"
	line := func(label, numbers string) string { return fmt.Sprintf("%-50s%s\n", label, numbers) }
	const one = "1           1.000000e-03   1.000000e-03   1.000000e-03   "
	on := func(thread int, timer Timer) Timer {
		timer.Thread = thread
		return timer
	}
	for _, c := range []struct {
		name   string
		timers []Timer
		want   string
	}{
		{"nothing", nil, "******* Timers *******\n" + head + foot},
		{"a tree", []Timer{
			once("main", -1, 1234567*1000),
			{Label: "tend", Parent: 0, Count: 10, Total: 500 * ms, Min: 40 * ms, Max: 60 * ms},
			once("deep", 1, ms),
		}, "******* Timers *******\n" + head +
			line("main", "1           1.234567e+00   1.234567e+00   1.234567e+00   ") +
			line("  tend", "10          5.000000e-01   4.000000e-02   6.000000e-02   ") +
			line("    deep", one) + foot},
		{"several parents", []Timer{once("a", -1, ms), once("x", 0, ms), once("b", -1, ms), once("x", 2, ms), once("y", 3, ms)},
			"******* Timers *******\n" + head + line("a", one) +
				line("  ~x", "2           2.000000e-03   1.000000e-03   1.000000e-03   ") + line("    y", one) + line("b", one) + foot},
		{"each in the other", []Timer{once("a", -1, ms), once("b", 0, ms), once("b", -1, ms), once("a", 2, ms)},
			"******* Timers *******\n" + head + line("~a", "2           2.000000e-03   1.000000e-03   1.000000e-03   ") +
				line("  ~b", "2           2.000000e-03   1.000000e-03   1.000000e-03   ") + foot},
		{"before a reset", []Timer{{Label: "gone", Parent: -1}, {Label: "gone too", Parent: 0}, once("stays", 1, ms)},
			"******* Timers *******\n" + head + line("stays", one) + foot},
		{"running", []Timer{{Label: "main", Parent: -1, Active: 1, Elapsed: ms}, {Label: "r", Parent: 0, Active: 2, Elapsed: 3 * ms, Count: 1, Min: 2 * ms, Max: 2 * ms}},
			"******* Timers *******\nWARNING: printing timers while some are still active. Results will be inaccurate\nStill active: main, r\n" + head +
				line("main", one) + line("  r", "3           3.000000e-03   2.000000e-03   3.000000e-03   ") + foot},
		{"threads", []Timer{once("a", -1, ms), on(1, Timer{Label: "none", Parent: -1}), on(3, Timer{Label: "b", Parent: -1, Lost: true, Count: 1, Total: ms, Min: ms, Max: ms})},
			"******* Timers for thread 0 *******\n" + head + line("a", one) + foot + "\n******* Timers for thread 3 *******\n" +
				"WARNING: a thread or a kernel ended while timers ran; they count until its end\n" + head + line("b", one) + foot},
		{"odd labels", []Timer{once(strings.Repeat("x", 60), -1, ms), once("h\u00f6he\n\xff", 0, ms)},
			"******* Timers *******\n" + head + line(strings.Repeat("x", 48), one) + line("  h\u00f6he\\n\\xff", one) + foot},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, TimerReport(c.timers)) })
	}
}

// parsed is what a program gets that reads the JSON.
type parsed struct {
	Rank    *int
	Threads []struct {
		Thread int
		Timers []parsedTimer
	}
}

type parsedTimer struct {
	Label                 string
	Calls                 int64
	Total, Last, Min, Max float64
	Running               int
	Timers                []parsedTimer
}

func parse(t *testing.T, text string) (p parsed) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&p), text)
	return p
}

func TestTimerJSON(t *testing.T) {
	require.Equal(t, parsed{Threads: parse(t, TimerJSON(nil, -1)).Threads}, parse(t, TimerJSON(nil, -1)))
	timers := []Timer{once("a\"\\\n\xff\u00e9", -1, 1), {Label: "gone", Parent: 0}, once("b", 1, 1234567890123), {Label: "a", Thread: 2, Parent: -1, Active: 1, Elapsed: 5 * ms}}
	p := parse(t, TimerJSON(timers, 3))
	require.Equal(t, 3, *p.Rank)
	require.Len(t, p.Threads, 2)
	a := p.Threads[0].Timers[0]
	require.Equal(t, "a\"\\\n\ufffd\u00e9", a.Label)
	require.Equal(t, 1e-9, a.Total)
	require.Equal(t, []parsedTimer{{Label: "b", Calls: 1, Total: 1234.567890123, Last: 1234.567890123, Min: 1234.567890123, Max: 1234.567890123, Timers: []parsedTimer{}}}, a.Timers)
	require.Equal(t, 2, p.Threads[1].Thread)
	require.Equal(t, 1, p.Threads[1].Timers[0].Running)
	require.Equal(t, 0.005, p.Threads[1].Timers[0].Max)
}

// FuzzTimers makes trees of any shape, with any labels: nothing that was measured is lost, each line has its columns.
func FuzzTimers(f *testing.F) {
	f.Add(int64(1), 10, "main")
	f.Add(int64(2), 60, "a\nb\xff")
	f.Add(int64(3), 300, strings.Repeat("long", 30))
	f.Fuzz(func(t *testing.T, seed int64, n int, label string) {
		random := rand.New(rand.NewSource(seed))
		labels := []string{label + "1", label + "2", "x" + label, "y"}
		var timers []Timer
		var calls int64
		for i, first := 0, 0; i < n%400; i++ {
			if random.Intn(20) == 0 {
				first = i // the next thread
			}
			timer := Timer{Label: labels[random.Intn(len(labels))], Parent: -1, Thread: first}
			if i > first && random.Intn(4) > 0 {
				timer.Parent = first + random.Intn(i-first)
			}
			timer.Count, timer.Active = int64(random.Intn(3)), random.Intn(8)/7
			timer.Total, timer.Max = timer.Count*5, timer.Count*5
			calls += timer.Count + int64(timer.Active)
			timers = append(timers, timer)
		}
		var sum func(list []parsedTimer) int64
		sum = func(list []parsedTimer) (n int64) {
			for _, p := range list {
				n += p.Calls + sum(p.Timers)
			}
			return n
		}
		var got int64
		for _, thread := range parse(t, TimerJSON(timers, 0)).Threads {
			got += sum(thread.Timers)
		}
		require.Equal(t, calls, got)
		got = 0
		within := 0 // rules of the table seen
		for _, line := range strings.Split(TimerReport(timers), "\n") {
			switch {
			case line != "" && strings.Trim(line, "_") == "":
				within++
			case within%3 == 2:
				require.Equal(t, 50+12+3*15, utf8.RuneCountInString(line), line)
				var one int64
				columns := []rune(line)
				_, err := fmt.Sscan(string(columns[50:62]), &one)
				require.NoError(t, err)
				got += one
			}
		}
		require.Equal(t, calls, got)
	})
}

func TestFallbackReport(t *testing.T) {
	missing := []string{"NVIDIA's compiler NVRTC was not found: install it", "AMD's compiler hiprtc was not found: install it"}
	require.Empty(t, FallbackReport(nil, missing))
	list := []Fallback{
		{Label: "advect\n" + strings.Repeat("é", 60), Launches: 300, Iterations: 19200, Total: 513490000, Max: 5071500},
		{Label: "outer", Launches: 1, Iterations: 4, Total: 3319, Max: 3319},
	}
	text := FallbackReport(list, nil)
	lines := strings.Split(text, "\n")
	require.Equal(t, "advect\\n"+strings.Repeat("é", 40)+"  300         5.134900e-01   5.071500e-03   19200          ", lines[4])
	require.Equal(t, "outer"+strings.Repeat(" ", 45)+"1           3.319000e-06   3.319000e-06   4              ", lines[5])
	require.Contains(t, text, "all"+strings.Repeat(" ", 47)+"301         5.134933e-01")
	require.Contains(t, text, "have no version for the device; the slowest")
	require.Contains(t, FallbackReport(list, missing), "for which NVIDIA's compiler NVRTC was not found: install it;\nAMD's compiler hiprtc was not found: install it.\n")
	list[0].Why, list[1].Why = 1, 1|2
	text = FallbackReport(list, missing)
	require.NotContains(t, text, "NVRTC")
	require.Contains(t, text, "PORTABLE_CHECK=hash; allocate it from the pool (gator_allocate, portable_alloc): advect\\n")
	require.Contains(t, text, "refused the generated version of these; its errors were printed at the first launch: outer.\nThe slowest come first.\n")
	list[1].Why = 0
	require.Contains(t, FallbackReport(list, nil), ".\nThe others have no version for the device")
	list[0].Why, list[1].Why = 16, 16
	require.Contains(t, FallbackReport(list, nil), "give these to the host (on(cpu), serial(gpu), self): advect\\n"+strings.Repeat("é", 60)+", outer.\nThe slowest")
}

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
