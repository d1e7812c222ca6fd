package exec

// These tests check the reports of timers and of fallbacks, as text and as JSON.

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
	require.Empty(t, FallbackReport(nil, true))
	list := []Fallback{
		{Label: "advect\n" + strings.Repeat("é", 60), Launches: 300, Iterations: 19200, Total: 513490000, Max: 5071500},
		{Label: "outer", Launches: 1, Iterations: 4, Total: 3319, Max: 3319},
	}
	text := FallbackReport(list, false)
	lines := strings.Split(text, "\n")
	require.Equal(t, "advect\\n"+strings.Repeat("é", 40)+"  300         5.134900e-01   5.071500e-03   19200          ", lines[4])
	require.Equal(t, "outer"+strings.Repeat(" ", 45)+"1           3.319000e-06   3.319000e-06   4              ", lines[5])
	require.Contains(t, text, "all"+strings.Repeat(" ", 47)+"301         5.134933e-01")
	require.Contains(t, text, "have no version for the device; the slowest")
	require.Contains(t, FallbackReport(list, true), "for which NVIDIA's compiler NVRTC was not found: install it")
	list[0].Why, list[1].Why = 1, 1|2
	text = FallbackReport(list, true)
	require.NotContains(t, text, "NVRTC")
	require.Contains(t, text, "PORTABLE_CHECK=hash; allocate it from the pool (gator_allocate, portable_alloc): advect\\n")
	require.Contains(t, text, "refused the generated version of these; its errors were printed at the first launch: outer.\nThe slowest come first.\n")
	list[1].Why = 0
	require.Contains(t, FallbackReport(list, false), ".\nThe others have no version for the device")
}
