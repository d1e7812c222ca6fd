// Package compare finds the first difference of two runs: launch, array and index. It reads the
// sums of blocks that PORTABLE_CHECK=hash has written into their traces, and dumps (dump.go). It
// compares the n-th step of a label with the other run's n-th step of that label, and leaves out
// steps that only one run has. Sums are of bits: NaN equals the same NaN, -0 differs from 0. The
// command runs the programs and prints. Threads: one goroutine.
package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"libportable/cmd/yaklcheck/internal/trace"
)

// Key names a block: the label, and the place among the live blocks of that label, by age, from 0.
type Key struct {
	Label string
	Place uint32
}

// Sum is the checksum of a block.
type Sum struct {
	Bytes, Sum uint64
	Part       uint64   // bytes of each part
	Parts      []uint64 // their sums
}

// step is a launch or checkpoint of one run.
type step struct {
	number  uint64
	label   string
	changed map[Key]Sum
	blocks  uint64
}

// Run holds the sums of one run.
type Run struct {
	Path  string
	steps []step
}

// ErrNoSums means that a trace has no sums.
var ErrNoSums = errors.New("it has no sums of blocks: run the program with PORTABLE_CHECK=hash")

// ErrNoSteps means that a run has reached no launch and no checkpoint.
var ErrNoSteps = errors.New("the run reached no launch and no checkpoint, after which blocks are compared: call checkpoint('step'), or find out why it ended early")

// Load takes the steps of a trace.
func Load(f *trace.File) (*Run, error) {
	r := &Run{Path: f.Path}
	now := step{changed: map[Key]Sum{}}
	for _, record := range f.Records {
		h, ok := record.(*trace.Hash)
		if !ok {
			continue
		}
		if h.Launch < now.number || len(now.changed) > 0 && h.Launch != now.number { // the end of that step was not written
			now = step{changed: map[Key]Sum{}}
		}
		now.number, now.label = h.Launch, h.At
		if h.Block != "" || len(h.Parts) > 0 {
			now.changed[Key{h.Block, h.Index}] = Sum{h.Bytes, h.Sum, h.Part, h.Parts}
			continue
		}
		now.blocks = h.Bytes
		r.steps = append(r.steps, now)
		now = step{number: now.number, changed: map[Key]Sum{}}
	}
	if len(r.steps) == 0 && strings.Contains(f.Meta.Value("PORTABLE_CHECK"), "hash") {
		return nil, fmt.Errorf("%s: %w", f.Path, ErrNoSteps)
	}
	if len(r.steps) == 0 {
		return nil, fmt.Errorf("%s: %w", f.Path, ErrNoSums)
	}
	return r, nil
}

// Difference is the first difference of two runs.
type Difference struct {
	At         string // label of the launch or checkpoint
	Nth        int    // counts the steps of that label, from 1
	Block      Key
	StepA      uint64 // its number in each run
	StepB      uint64
	BytesA     uint64
	BytesB     uint64
	First, End uint64 // offsets in bytes: the part with the first difference
	Others     []Key  // further blocks that differ at that step
}

// Result is the result of a comparison.
type Result struct {
	First    *Difference // nil: none
	Compared int         // steps
	OnlyA    int         // steps that the other run does not have
	OnlyB    int
	Missing  []string // labels of blocks that only one run has, in the order of their first step
}

type nth struct {
	label string
	n     int
}

// Runs compares two runs.
func Runs(a, b *Run) (r Result) {
	// The steps of b by label and number give the index of each.
	places := map[nth]int{}
	counts := map[string]int{}
	for i, s := range b.steps {
		counts[s.label]++
		places[nth{s.label, counts[s.label]}] = i
	}
	counts = map[string]int{}
	stateA, stateB := map[Key]Sum{}, map[Key]Sum{}
	keysA, keysB := keysOf(a), keysOf(b)
	suspects := map[Key]bool{}
	apply := func(s step, state map[Key]Sum, others map[Key]bool) {
		for k, v := range s.changed {
			state[k] = v
			suspects[k] = true
			if !others[k] && !slices.Contains(r.Missing, k.Label) {
				r.Missing = append(r.Missing, k.Label)
			}
		}
	}
	done := 0
	for _, s := range a.steps {
		counts[s.label]++
		apply(s, stateA, keysB)
		at, there := places[nth{s.label, counts[s.label]}]
		if !there || at < done { // the steps are in another order: there is no partner
			r.OnlyA++
			continue
		}
		for ; done <= at; done++ {
			apply(b.steps[done], stateB, keysA)
		}
		r.Compared++
		r.First = differing(stateA, stateB, suspects)
		if r.First != nil {
			r.First.At, r.First.Nth, r.First.StepA, r.First.StepB = s.label, counts[s.label], s.number, b.steps[at].number
			return r
		}
		clear(suspects)
	}
	r.OnlyB = len(b.steps) - r.Compared
	return r
}

func keysOf(r *Run) map[Key]bool {
	keys := map[Key]bool{}
	for _, s := range r.steps {
		for k := range s.changed {
			keys[k] = true
		}
	}
	return keys
}

// differing is the first suspect, by label and place, that differs.
func differing(a, b map[Key]Sum, suspects map[Key]bool) (d *Difference) {
	var keys []Key
	for k := range suspects {
		x, inA := a[k]
		y, inB := b[k]
		if inA && inB && (x.Sum != y.Sum || x.Bytes != y.Bytes) {
			keys = append(keys, k)
		}
	}
	if keys == nil {
		return nil
	}
	slices.SortFunc(keys, func(a, b Key) int { return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Place, b.Place)) })
	x, y := a[keys[0]], b[keys[0]]
	d = &Difference{Block: keys[0], Others: keys[1:], BytesA: x.Bytes, BytesB: y.Bytes, End: min(x.Bytes, y.Bytes)}
	if x.Part == y.Part && x.Part > 0 && x.Bytes == y.Bytes {
		for i := range min(len(x.Parts), len(y.Parts)) {
			if x.Parts[i] != y.Parts[i] {
				d.First, d.End = uint64(i)*x.Part, min(uint64(i+1)*x.Part, x.Bytes)
				break
			}
		}
	}
	return d
}
