package replay

// These tests compare the order of a plan with that of its recording, for random recordings, and
// count the refusals.

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libportable/exec"
)

// recording is a random recording of some streams, whose last entry waits for all of them.
func recording(r *rand.Rand, streams int) (entries []Entry, last uint32) {
	at := make([]uint32, streams)
	add := func(e Entry) {
		entries = append(entries, e)
		at[e.Stream] = uint32(len(entries))
	}
	node := int32(0)
	for range r.IntN(60) {
		s := uint32(r.IntN(streams))
		if r.IntN(2) == 0 {
			add(Entry{Node: node, Stream: s, After: at[s]})
			node++
		} else if place := uint32(r.IntN(len(entries) + 1)); place != at[s] {
			add(Entry{Node: -1, Stream: s, After: at[s], Also: place})
		}
	}
	for s := 1; s < streams; s++ {
		if at[s] != at[0] {
			add(Entry{Node: -1, After: at[0], Also: at[s]})
		}
	}
	return entries, at[0]
}

// before gives for each item the ones before it; items are counted from 1 on.
func before(count int, of func(i int) [2]uint32) []map[uint32]bool {
	all := make([]map[uint32]bool, count+1)
	for i := 1; i <= count; i++ {
		all[i] = map[uint32]bool{}
		for _, n := range of(i - 1) {
			if n == 0 {
				continue
			}
			all[i][n] = true
			for m := range all[n] {
				all[i][m] = true
			}
		}
	}
	return all
}

func TestPlanKeepsTheOrder(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 30))
		entries, last := recording(r, 1+r.IntN(4))
		steps := make([]Step, len(entries))
		count, refused := Plan(entries, last, steps)
		require.Zero(t, refused.Status, refused.Text)
		recorded := before(len(entries), func(i int) [2]uint32 { return [2]uint32{entries[i].After, entries[i].Also} })
		planned := before(count, func(i int) [2]uint32 { return steps[i].Needs })
		entryOf, stepOf, nodes := map[int32]uint32{}, map[int32]uint32{}, 0
		for i, e := range entries {
			if e.Node >= 0 {
				entryOf[e.Node] = uint32(i + 1)
				nodes++
			}
		}
		for i, s := range steps[:count] {
			for _, n := range s.Needs {
				require.LessOrEqual(t, n, uint32(i), "a step comes after those that it needs")
			}
			if s.Node >= 0 {
				require.Zero(t, stepOf[s.Node])
				stepOf[s.Node] = uint32(i + 1)
			} else {
				require.NotEqual(t, s.Needs[0], s.Needs[1])
			}
		}
		require.Len(t, stepOf, nodes)
		inLane := map[uint32]uint32{}
		for i, s := range steps[:count] {
			if one := inLane[s.Lane]; one != 0 {
				require.True(t, planned[i+1][one], "seed %d: steps of a lane are ordered", seed)
			}
			inLane[s.Lane] = uint32(i + 1)
		}
		for a := range entryOf {
			for b := range entryOf {
				require.Equal(t, recorded[entryOf[b]][entryOf[a]], planned[stepOf[b]][stepOf[a]], "seed %d, nodes %d and %d", seed, a, b)
			}
		}
	}
}

// TestPlanOfADiamond has no joins where one node follows both streams, and none where a stream waits for what it has waited for.
func TestPlanOfADiamond(t *testing.T) {
	entries := []Entry{
		{Node: 0},                                // A
		{Node: 1, After: 1},                      // B
		{Node: 2, Stream: 1, After: 1},           // C, in a stream that joined at A
		{Node: -1, After: 2, Also: 3},            // the first stream waits for C
		{Node: -1, After: 4, Also: 1},            // and for A, which orders nothing
		{Node: 3, After: 5},                      // D
		{Node: -1, Stream: 1, After: 3, Also: 6}, // the second waits for D, and gets nothing
	}
	steps := make([]Step, len(entries))
	count, refused := Plan(entries, 6, steps)
	require.Zero(t, refused.Status, refused.Text)
	require.Equal(t, []Step{{0, [2]uint32{}, 0}, {1, [2]uint32{1}, 0}, {2, [2]uint32{1}, 1}, {-1, [2]uint32{2, 3}, 0}, {3, [2]uint32{4}, 0}}, steps[:count])
}

func TestPlanRefuses(t *testing.T) {
	steps := make([]Step, 3)
	_, refused := Plan([]Entry{{Node: 0}, {Node: 1, Stream: 1}}, 1, steps)
	require.Equal(t, exec.BadState, refused.Status)
	require.Contains(t, refused.Text, "nothing waits for the last work of one of the recorded streams (node 1, counted from 0)")
	_, refused = Plan([]Entry{{Node: 0, After: 1}}, 1, steps)
	require.Equal(t, exec.BadState, refused.Status)
}

// TestEachReasonHasAText goes through the numbers of C.
func TestEachReasonHasAText(t *testing.T) {
	for why := Fence; why <= Large; why++ {
		if why > Allocation && why < Stale {
			continue
		}
		c := Call{Call: "portable_graph_launch", Label: "a\x1b", Graph: 0xa, Why: why, At: 1, Count: 2}
		r := c.Refuse()
		require.NotZero(t, r.Status, why)
		require.NotContains(t, r.Text, "\x1b")
		require.Contains(t, r.Text, "portable_graph_launch 'a", why)
	}
	c := Call{Call: "portable_graph_begin", Missing: "graph_out"}
	require.Equal(t, exec.Refusal{Status: exec.BadArgument, Text: "portable_graph_begin: graph_out is NULL"}, c.Refuse())
	c = Call{Why: Large + 1}
	require.Zero(t, c.Refuse().Status)
}

// TestPlanOfManyJoins takes a moment where each join looks back over all of them.
func TestPlanOfManyJoins(t *testing.T) {
	const pairs = 50000
	entries := make([]Entry, 0, 2*pairs+2)
	entries = append(entries, Entry{Node: 0}, Entry{Node: 1, Stream: 1, After: 1})
	for i := range int32(pairs) { // the second stream waits for the first node again and again, and works
		at := uint32(len(entries))
		entries = append(entries, Entry{Node: -1, Stream: 1, After: at, Also: 1}, Entry{Node: i + 2, Stream: 1, After: at + 1})
	}
	steps := make([]Step, len(entries))
	began := time.Now()
	count, refused := Plan(entries, uint32(len(entries)), steps)
	require.Zero(t, refused.Status, refused.Text)
	require.Equal(t, pairs+2, count, "no join is left")
	require.Less(t, time.Since(began), 10*time.Second)
}
