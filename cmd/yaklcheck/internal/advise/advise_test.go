package advise

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/yaklcheck/internal/show"
	"libportable/cmd/yaklcheck/internal/trace"
)

// run makes a run with these blocks; a negative size frees the oldest live block of that size.
func run(meta map[string]string, sizes ...int64) *show.Run {
	r := &show.Run{Path: "model.trace", Labels: []string{""}, Meta: new(trace.Meta)}
	for name, value := range meta {
		r.Meta.Pairs = append(r.Meta.Pairs, trace.Pair{Name: name, Value: value})
	}
	next := uint64(1000)
	var live []show.Event
	for i, size := range sizes {
		if size >= 0 {
			e := show.Event{Time: uint64(i), Address: next, Bytes: uint64(size)}
			next += uint64(size) + 1
			live = append(live, e)
			r.Events = append(r.Events, e)
			continue
		}
		for k, e := range live {
			if e.Bytes == uint64(-size) {
				e.Time, e.Free = uint64(i), true
				r.Events = append(r.Events, e)
				live = append(live[:k], live[k+1:]...)
				break
			}
		}
	}
	return r
}

const mb = 1 << 20

func advice(t *testing.T, r *show.Run) (*Advice, string) {
	a, err := For(r)
	require.NoError(t, err)
	var text bytes.Buffer
	a.Text(&text)
	return a, text.String()
}

func TestFine(t *testing.T) {
	a, text := advice(t, run(map[string]string{"initial": "67108864", "grow": "0", "block": "128", "limit": "0", "pool": "yes"}, 10*mb, 20*mb, -10*mb, 5*mb))
	require.True(t, a.Fine)
	require.EqualValues(t, 30*mb, a.Peak)
	require.Contains(t, text, "The present settings are fine: 30 MB of memory for at most 30 MB in blocks, one slab.")
	require.Contains(t, text, "< present, best")
}

// TestSlabs: a pool that starts too small makes many slabs; one that starts large enough makes none.
func TestSlabs(t *testing.T) {
	var sizes []int64
	for range 400 {
		sizes = append(sizes, mb)
	}
	a, text := advice(t, run(map[string]string{"initial": "1048576", "grow": "1048576", "block": "128", "pool": "yes"}, sizes...))
	require.False(t, a.Fine)
	require.Equal(t, 399, a.Present.Slabs)
	require.Zero(t, a.Best.Slabs)
	require.Contains(t, text, "  export GATOR_INITIAL_MB=448\n  unset GATOR_GROW_MB\n")
	require.Contains(t, text, "399 slabs that were made while the run went on")
}

// TestGranule: a large granule wastes memory on many tiny blocks.
func TestGranule(t *testing.T) {
	var sizes []int64
	for range 100_000 {
		sizes = append(sizes, 40)
	}
	a, text := advice(t, run(map[string]string{"initial": "67108864", "grow": "0", "block": "1024", "pool": "yes"}, sizes...))
	require.EqualValues(t, 64, a.Best.Block)
	require.Contains(t, text, "  export GATOR_BLOCK_BYTES=64\n")
	require.Greater(t, a.Present.Touched, 10*a.Best.Touched)
	require.Contains(t, text, "This saves 90 MB of memory (8 MB instead of 98 MB)")
}

// TestSplit: an array that does not fit the rest of a slab leaves a gap; one large slab has none.
func TestSplit(t *testing.T) {
	var sizes []int64
	for range 10 {
		sizes = append(sizes, 33*mb)
	}
	a, text := advice(t, run(map[string]string{"initial": "67108864", "grow": "67108864", "block": "128", "pool": "yes", "limit": "419430400"}, sizes...))
	require.Equal(t, 9, a.Present.Slabs)
	require.EqualValues(t, 10*34*mb, a.Present.Touched)
	require.Zero(t, a.Best.Slabs)
	require.EqualValues(t, 330*mb, a.Best.Touched)
	require.Contains(t, text, "  export GATOR_INITIAL_MB=384\n")
	for _, o := range a.Outcomes[1:] {
		require.LessOrEqual(t, o.Mapped, uint64(400*mb), "what the limit forbids is not advised")
	}
}

func TestDisabled(t *testing.T) {
	_, text := advice(t, run(map[string]string{"pool": "false", "PORTABLE_HUGEPAGES": "no"}, 10*mb, 5000))
	require.Contains(t, text, "The run had no pool (GATOR_DISABLE)")
	require.Contains(t, text, "  export GATOR_INITIAL_MB=")
}

func TestNoBlocks(t *testing.T) {
	_, err := For(run(nil))
	require.ErrorIs(t, err, ErrNoBlocks)
	require.ErrorContains(t, err, "model.trace: it has no blocks of the default pool")
	other := run(nil, 100)
	other.Events[0].Pool = 7
	_, err = For(other)
	require.ErrorIs(t, err, ErrNoBlocks)
}

// TestRoom compares the classes with gator/front/magazine.c: rounding adds at most an eighth and a granule, and the size of a
// class is in that class.
func TestRoom(t *testing.T) {
	for _, block := range []uint64{64, 128, 4096} {
		for bytes := range uint64(roundedBelow + 10) {
			got := room(bytes, block)
			switch {
			case got < bytes, got > max(bytes+bytes/8+block, block), bytes >= roundedBelow && got != bytes,
				got < roundedBelow && room(got, block) != got, room(bytes+1, block) < got:
				t.Fatalf("room(%d, %d) is %d", bytes, block, got)
			}
		}
	}
	require.EqualValues(t, 9*128, room(8*128+1, 128))
	require.EqualValues(t, 18*128, room(16*128+1, 128))
}

// TestReplay: the touched memory is never less than the live blocks, and never more than the slabs.
func TestReplay(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var sizes, live []int64
	for range 3000 {
		if len(live) > 0 && rng.IntN(2) == 0 {
			k := rng.IntN(len(live))
			sizes = append(sizes, -live[k])
			live = append(live[:k], live[k+1:]...)
			continue
		}
		size := int64(1 + rng.Uint64N(1<<rng.IntN(24)))
		sizes, live = append(sizes, size), append(live, size)
	}
	a, _ := advice(t, run(map[string]string{"initial": "1048576", "PORTABLE_HUGEPAGES": "0"}, sizes...))
	require.EqualValues(t, smallPage, a.Page)
	for _, o := range a.Outcomes {
		require.GreaterOrEqual(t, o.High, a.Peak)
		require.GreaterOrEqual(t, o.Touched, a.Peak)
		require.LessOrEqual(t, o.Touched, o.Mapped+uint64(o.Slabs+1)*smallPage)
	}
	require.LessOrEqual(t, a.Best.Touched, a.Present.Touched+a.Present.Touched/50)
}

// TestPages: the bytes of a page are those of the run. Where it has more than 4 KiB, no slab gets huge pages.
func TestPages(t *testing.T) {
	for meta, page := range map[[2]string]uint64{{"page", ""}: hugePage, {"page", "4096"}: hugePage, {"page", "1"}: hugePage, {"page", "65537"}: hugePage, {"hugepages", "false"}: smallPage, {"page", "65536"}: 65536} {
		a, _ := advice(t, run(map[string]string{"initial": "1048576", meta[0]: meta[1]}, 100, 200000))
		require.Equal(t, page, a.Page, meta)
		require.Zero(t, a.Present.Touched%page)
	}
}

// BenchmarkMillion replays a million requests with one setting.
func BenchmarkMillion(b *testing.B) {
	var all []request
	for i := range int32(500_000) {
		all = append(all, request{bytes: 1000 + uint64(i)%5000, block: i})
		if i >= 1000 {
			all = append(all, request{block: i - 1000, free: true})
		}
	}
	for b.Loop() {
		_, err := replay(all, 500_000, Setting{Initial: 64 * mb, Block: 128}, hugePage)
		require.NoError(b, err)
	}
}
