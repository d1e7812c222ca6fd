package show

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/yaklcheck/internal/trace"
)

// model writes the trace of a program that has fields for its whole life, work arrays in each step, and a few labels
// more than there are colours; n is its number of steps.
func model(t testing.TB, n int) string {
	path := filepath.Join(t.TempDir(), "model.trace")
	buffer := &bytes.Buffer{}
	w, err := trace.NewWriter(buffer)
	require.NoError(t, err)
	now := uint64(5_000_000_000)
	rng := rand.New(rand.NewPCG(1, 2))
	put := func(thread uint32, r trace.Record) {
		now += 500 + rng.Uint64N(3000)
		*r.When() = trace.Head{Thread: thread, Time: now}
		require.NoError(t, w.Write(r))
	}
	put(10, &trace.Meta{Pairs: []trace.Pair{{Name: "exe", Value: "/home/x/model"}, {Name: "argv", Value: "./model\x00input.nml"},
		{Name: "pid", Value: "10"}, {Name: "rank", Value: "3"}}})
	put(10, &trace.Module{Start: 0x1000, End: 0x2000, Bias: 0x1000, Path: "/no/such/model"})
	put(10, &trace.Stack{ID: 1, PC: []uint64{0x1042}})
	const base = 0x7f00_0000_0000
	put(10, &trace.Slab{What: trace.SlabReserved, Address: base, Bytes: 64 << 20, Pool: "default"})
	next := uint64(base)
	stack := uint32(0)
	block := func(label string, bytes uint64) *trace.Alloc {
		a := &trace.Alloc{Address: next, Bytes: bytes, Label: label, Stack: stack}
		next += (bytes + 127) &^ 127
		put(10, a)
		return a
	}
	free := func(a *trace.Alloc) { put(10, &trace.Free{Address: a.Address, Bytes: a.Bytes, Label: a.Label}) }
	for _, f := range []string{"h", "u", "v"} {
		block(f, 8<<20)
	}
	for i := range 20 {
		block(fmt.Sprintf("table %d", i), 10000)
	}
	work := next
	put(10, &trace.Begin{ID: 1, Work: trace.WorkRegion, Label: "time steps"})
	for step := range n {
		next = work
		stack = 1
		flux := block("flux", 4<<20)
		stack = 0
		var physics *trace.Alloc
		switch {
		case step%100 > 70:
			physics = block("physics", 12<<20)
		case step > n/2 && step%100 > 20 && step%100 < 40:
			physics = block("radiation", 11<<20)
		}
		id := uint64(step*3 + 10)
		put(10, &trace.Begin{ID: id, Work: 1, Count: 20000, Label: "update h"})
		now += 20_000
		put(10, &trace.End{ID: id, Work: 1, Label: "update h"})
		put(11, &trace.Begin{ID: id + 1, Work: 2, Count: 20000, Label: "max_stable_dt"})
		now += 5_000
		put(11, &trace.End{ID: id + 1, Work: 2, Status: -3, Label: "max_stable_dt"})
		put(10, &trace.Begin{ID: id + 2, Work: trace.WorkFence, Label: "fence"})
		put(10, &trace.End{ID: id + 2, Work: trace.WorkFence, Label: "fence"})
		free(flux)
		if physics != nil {
			free(physics)
		}
		if step == n/2 {
			put(10, &trace.Checkpoint{Label: "half", LiveBytes: 24 << 20})
		}
	}
	put(10, &trace.End{ID: 1, Work: trace.WorkRegion, Label: "time steps"})
	put(10, &trace.Free{Address: 0x99, Bytes: 8})
	put(10, &trace.Finish{})
	require.NoError(t, os.WriteFile(path, append(buffer.Bytes(), "cut"...), 0o666))
	return path
}

func loaded(t testing.TB, steps int) *Run {
	r, err := Load(model(t, steps))
	require.NoError(t, err)
	return r
}

func TestLoad(t *testing.T) {
	r := loaded(t, 200)
	require.Equal(t, "model, rank 3", r.Title())
	require.Equal(t, "./model input.nml", r.Command())
	require.Equal(t, 1, r.Orphans)
	require.EqualValues(t, 3, r.Skipped)
	require.Equal(t, []uint32{10, 11}, r.Threads)
	require.Equal(t, "main thread", r.ThreadName(0))
	require.Equal(t, "thread 11", r.ThreadName(1))
	require.Len(t, r.Work, 1+3*200)
	require.Equal(t, r.Length, r.Slabs[0].End, "a slab that was not released lasts to the end")
	for _, w := range r.Work {
		require.Less(t, w.Begin, w.End)
		require.False(t, w.Open)
	}
}

func TestMemory(t *testing.T) {
	r := loaded(t, 1000)
	m := r.Memory()
	require.Len(t, m.Peaks, 2, "peaks of the same labels are one")
	require.Zero(t, m.Highest)
	const always = 24<<20 + 20*10000
	require.EqualValues(t, always+16<<20, m.Peaks[0].Bytes)
	require.EqualValues(t, 25, m.Peaks[0].Blocks)
	require.Equal(t, "physics", r.Name(m.Peaks[0].ByLabel[0].Label))
	require.EqualValues(t, always+15<<20, m.Peaks[1].Bytes)
	require.Equal(t, "radiation", r.Name(m.Peaks[1].ByLabel[0].Label))
	// The bands add up, and are never more than the peak.
	for _, c := range m.Columns {
		var sum uint64
		for _, b := range c.Bands {
			sum += b
		}
		require.Equal(t, c.Bytes, sum)
		require.LessOrEqual(t, sum, m.Peaks[0].Bytes)
	}
	require.EqualValues(t, always, m.Columns[columns-1].Bytes-12<<20-4<<20, "the last step has physics")
	require.Len(t, m.Bands, bands+1)
	require.Equal(t, []string{"h", "u", "v", "flux"}, []string{r.Name(m.Bands[0]), r.Name(m.Bands[1]), r.Name(m.Bands[2]), r.Name(m.Bands[3])})
	require.Equal(t, "(others)", r.Name(m.Bands[bands]))
	var flux Use
	for _, u := range m.Uses {
		if r.Name(u.Label) == "flux" {
			flux = u
		}
	}
	require.EqualValues(t, 1000, flux.Allocations)
	require.EqualValues(t, 4000<<20, flux.Total)
	require.EqualValues(t, 4<<20, flux.Most)
	require.Zero(t, flux.Left)
}

// TestDamagedSizes: bytes that only a damaged trace has.
func TestDamagedSizes(t *testing.T) {
	r := loaded(t, 2)
	r.Events[0].Bytes = 1<<63 + 5
	require.NotEmpty(t, r.Memory().Peaks)
}

func TestLayouts(t *testing.T) {
	r := loaded(t, 1000)
	m := r.Memory()
	layouts := r.Layouts(m)
	require.Len(t, layouts, 1)
	l := layouts[0]
	require.EqualValues(t, 24<<20+20*10112+16<<20, l.Used)
	require.Equal(t, m.Peaks[0].Bytes, l.Live)
	require.Zero(t, l.Gaps)
	require.Equal(t, Cell{Band: 0, Fill: 4}, l.Cells[0][mapColumns-1], "h lies at the bottom for ever")
	top := map[uint8]bool{}
	for _, c := range l.Cells[rows-2] {
		top[c.Fill] = true
	}
	require.Equal(t, map[uint8]bool{0: true, 4: true}, top, "physics comes and goes at the top")
}

// TestGaps: memory that was freed between live blocks is a gap.
func TestGaps(t *testing.T) {
	r := &Run{Labels: []string{"a"}, Length: 100, Slabs: []Slab{{End: 100, Address: 0x10000, Bytes: 1 << 20}}}
	for i := range uint64(4) {
		r.Events = append(r.Events, Event{Time: i, Address: 0x10000 + i*8192, Bytes: 8000})
	}
	r.Events = append(r.Events, Event{Time: 50, Address: 0x10000 + 8192, Bytes: 8000, Free: true}, Event{Time: 60, Address: 0x10000 + 5*8192, Bytes: 16000})
	l := r.Layouts(r.Memory())[0]
	require.EqualValues(t, 2, l.Gaps)
	require.EqualValues(t, 8192+192, l.LargestGap)
	require.EqualValues(t, 5*8192+16000, l.Used)
}

func TestWork(t *testing.T) {
	r := loaded(t, 1000)
	sums := r.Sums()
	require.Equal(t, "time steps", r.Name(sums[0].Label))
	require.Equal(t, "update h", r.Name(sums[1].Label))
	require.EqualValues(t, 1000, sums[1].Count)
	require.EqualValues(t, 20_000_000, sums[1].Iterations)
	require.EqualValues(t, 1000, sums[2].Failed)
	lanes, left := r.Lanes(lanesOfThread)
	require.Zero(t, left)
	require.Len(t, lanes, 4)
	for _, l := range lanes {
		var busy uint64
		for _, b := range l.Busy {
			busy += b
		}
		require.InEpsilon(t, float64(l.Time), float64(busy), 0.01, r.Name(l.Label))
	}
	// Many labels and threads become few rows.
	many := &Run{Length: 1000, Meta: new(trace.Meta)}
	for i := range int32(20) {
		many.Labels = append(many.Labels, fmt.Sprint(i))
		many.Threads = append(many.Threads, uint32(i))
		for k := range int32(20) {
			many.Work = append(many.Work, Work{Begin: uint64(i), End: uint64(i + k), Label: k % 20, Thread: i})
		}
	}
	lanes, left = many.Lanes(lanesOfThread)
	require.Len(t, lanes, mostThreads*(lanesOfThread+1))
	require.Equal(t, 20-mostThreads, left)
	require.EqualValues(t, -1, lanes[lanesOfThread].Label)
	require.EqualValues(t, 10, lanes[lanesOfThread].Count)
}

func TestText(t *testing.T) {
	var text bytes.Buffer
	loaded(t, 1000).Text(&text)
	for _, want := range []string{
		"model, rank 3: ./model input.nml, 42.6 ms, 1408 blocks, 3001 launches and timers\n",
		"note: 3 bytes of the file are no records",
		"memory: at most 40.2 MB in 25 blocks, at 2.97 ms; 24.2 MB in 23 blocks still live at the end\n",
		"  peak 2, at 22.1 ms, 39.2 MB: radiation 11 MB, h 8 MB, u 8 MB, v 8 MB, flux 4 MB, and 20 others\n",
		"  label      blocks  all of them  most at once  at the peak  left at the end  made at\n",
		"  flux         1000      3.91 GB          4 MB         4 MB              0 B  /no/such/model+0x42\n",
		"  (1 other)       1      9.77 KB       9.77 KB      9.77 KB          9.77 KB\n",
		"  1     default  64 MB  8.09 us     40.2 MB  40.2 MB     0          0 B\n",
		"  max_stable_dt (1000 failed)  reduction   1000  7.01 ms  7.01 us   8.5 us    20000000         1000\n",
		"  half        21.2 ms  24 MB\n",
	} {
		require.Contains(t, text.String(), want)
	}
}

// TestPage: pictures are well formed, the page loads nothing, and its length does not grow with the run.
func TestPage(t *testing.T) {
	write := func(runs ...*Run) string {
		var page bytes.Buffer
		require.NoError(t, Page(&page, runs))
		return page.String()
	}
	r := loaded(t, 300)
	r.Meta.Pairs[1].Value = "./model\x00<script>&'\""
	short := write(r)
	pictures := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(short, -1)
	require.Len(t, pictures, 3)
	for _, p := range pictures {
		decoder := xml.NewDecoder(strings.NewReader(p))
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
		}
		require.NotContains(t, p, "NaN")
	}
	require.NotContains(t, short, "<script>")
	for _, loads := range []string{"src=", "href=", "url(", "@import"} {
		require.NotContains(t, short, loads)
	}
	require.Less(t, len(write(loaded(t, 10000))), 2*len(write(loaded(t, 1000))))
	require.Contains(t, write(r, r), "Memory and launches of 2 processes")
}

// TestLittle: traces with very few records give a page, and empty traces an error.
func TestLittle(t *testing.T) {
	_, err := Load(fileOf(t, &trace.Meta{}, &trace.Finding{}))
	require.ErrorIs(t, err, ErrNoEvents)
	for _, path := range []string{
		fileOf(t, &trace.Alloc{Address: 1, Bytes: 10}),
		fileOf(t, &trace.Alloc{Address: 1, Bytes: 0}, &trace.Alloc{Address: 1, Bytes: 0}),
		fileOf(t, &trace.Begin{ID: 1, Work: 1}),
		fileOf(t, &trace.End{ID: 1, Work: 1}, &trace.Begin{Head: trace.Head{Time: 5}, ID: 1, Work: 7}, &trace.End{ID: 1}),
		fileOf(t, &trace.Slab{What: trace.SlabReserved, Address: 0, Bytes: 100}, &trace.Alloc{Address: 1, Bytes: 10}, &trace.Slab{What: trace.SlabReleased}),
	} {
		r, err := Load(path)
		require.NoError(t, err)
		r.Text(io.Discard)
		require.NoError(t, Page(io.Discard, []*Run{r}))
	}
}

func TestWords(t *testing.T) {
	for bytes, want := range map[uint64]string{0: "0 B", 9999: "9999 B", 80000: "78.1 KB", 1 << 20: "1 MB", 1<<30 - 1<<20: "1023 MB", 3 << 29: "1.5 GB", 1 << 50: "1048576 GB"} {
		require.Equal(t, want, Size(bytes))
	}
	for ns, want := range map[uint64]string{0: "0 ns", 999: "999 ns", 1500: "1.5 us", 2_000_000: "2 ms", 90_000_000_000: "90 s"} {
		require.Equal(t, want, Span(ns))
	}
}

// BenchmarkMillion loads and draws a million records.
func BenchmarkMillion(b *testing.B) {
	path := model(b, 120_000)
	for b.Loop() {
		r, err := Load(path)
		require.NoError(b, err)
		require.NoError(b, Page(io.Discard, []*Run{r}))
	}
}

func TestSizeTicks(t *testing.T) {
	for most, want := range map[float64][]string{
		2.07e6: {"0 MB", "0.5 MB", "1 MB", "1.5 MB"}, 1: {"0 B", "0.2 B", "0.4 B", "0.6 B", "0.8 B", "1 B"}, 5 << 30: {"0 GB", "1 GB", "2 GB", "3 GB", "4 GB", "5 GB"},
	} {
		values, labels := sizeTicks(most)
		require.Equal(t, want, labels)
		require.LessOrEqual(t, values[len(values)-1], most*1.001)
	}
}
