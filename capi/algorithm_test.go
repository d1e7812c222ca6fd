//go:build portable_test_hooks

package capi

// These tests check the turns of parts, and compare the verdicts of C and Go about calls on arrays.

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/instance"
)

// Parts whose threads come in any order: each is finished once, with the totals of the parts before it; those that came too early, at the end.
func TestTurnsOfPartsThatAreLate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for count := range int64(40) {
		turns := newTurns(count, 100)
		done := map[int64]int64{}
		for range count {
			require.NotEqual(t, int64(-1), turns.claim())
		}
		require.Equal(t, int64(-1), turns.claim())
		known := make([]bool, count)
		for _, p := range r.Perm(int(count)) {
			early := false
			for _, k := range known[:p] {
				early = early || !k
			}
			known[p] = true
			before, mine := turns.take(int64(p), int64(p)+1, false)
			require.Equal(t, !early, mine)
			if mine {
				done[int64(p)] = before
			}
		}
		from := int64(0)
		for {
			part, before := turns.left(&from)
			if part < 0 {
				break
			}
			require.NotContains(t, done, part)
			done[part] = before
		}
		require.Len(t, done, int(count))
		for p, before := range done {
			require.Equal(t, 100+p*(p+1)/2, before)
		}
		turns.free()
	}
}

// A part that no thread has worked out stops none for ever: it is left to the thread at it.
func TestTurnsOfAPartThatIsMissing(t *testing.T) {
	turns := newTurns(3, 0)
	defer turns.free()
	for range 3 {
		turns.claim()
	}
	_, mine := turns.take(1, 5, false)
	require.False(t, mine)
	from := int64(0)
	part, _ := turns.left(&from)
	require.Equal(t, int64(-1), part)
	before, mine := turns.take(0, 7, false)
	require.True(t, mine)
	require.Zero(t, before)
	part, before = turns.left(&from)
	require.Equal(t, []int64{1, 7}, []int64{part, before})
	part, _ = turns.left(&from)
	require.Equal(t, int64(-1), part)
}

// Threads that meet: nothing is lost and nothing done twice.
func TestTurnsOfThreads(t *testing.T) {
	const count = 64
	for round := range 300 {
		turns := newTurns(count, 0)
		var times, values [count]atomic.Int64
		var threads sync.WaitGroup
		for range 4 {
			threads.Add(1)
			go func() {
				defer threads.Done()
				finish := func(part, before int64) {
					times[part].Add(1)
					values[part].Store(before)
				}
				for part := turns.claim(); part >= 0; part = turns.claim() {
					if before, mine := turns.take(part, part*part, round%3 == 0); mine {
						finish(part, before)
					}
				}
				from := int64(0)
				for part, before := turns.left(&from); part >= 0; part, before = turns.left(&from) {
					finish(part, before)
				}
			}()
		}
		threads.Wait()
		sum := int64(0)
		for part := range int64(count) {
			require.Equal(t, int64(1), times[part].Load(), "part %d", part)
			require.Equal(t, sum, values[part].Load(), "part %d", part)
			sum += part * part
		}
		turns.free()
	}
}

const caseBytes = 160

// verdictCases is how many calls a test makes that compares verdicts: PORTABLE_CASES, or 100 000.
func verdictCases() int {
	cases, err := strconv.Atoi(os.Getenv("PORTABLE_CASES"))
	if err != nil || cases == 0 {
		return 100_000
	}
	return cases
}

// started runs the library until the test ends, on one thread, because the last error is that of a thread.
func started(t *testing.T) {
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	require.NoError(t, lib.Init(instance.Request{}))
	t.Cleanup(func() { require.NoError(t, lib.Finalize()) })
}

// Both sides give the same status to calls made at random. PORTABLE_CASES is their number.
func TestCallsHaveOneVerdict(t *testing.T) {
	cases := verdictCases()
	d := newCallCase()
	defer d.free()
	r := rand.New(rand.NewPCG(5, 6))
	var bytes [caseBytes]byte
	var seen [arrayCalls + 1]map[int]int
	for call := range seen {
		seen[call] = map[int]int{}
	}
	for i := range cases {
		for k := range bytes {
			bytes[k] = byte(r.Uint32())
		}
		call := i % len(seen)
		c, goes, text := d.verdicts(call, bytes[:])
		if c != goes {
			t.Fatalf("call %d of %x: C has %d, Go %d (%s)", call, bytes, c, goes, text)
		}
		seen[call][c]++
	}
	for call, counts := range seen {
		require.NotZero(t, counts[0], "of call %d none is ordinary", call)
		require.Greater(t, len(counts), 1, "of call %d none is refused", call)
	}
	t.Log(seen)
}

func FuzzCallsHaveOneVerdict(f *testing.F) {
	f.Add([]byte{0})
	for call := range arrayCalls + 1 {
		f.Add(append([]byte{byte(call)}, make([]byte, 40)...))
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) == 0 {
			return
		}
		d := newCallCase()
		defer d.free()
		c, goes, text := d.verdicts(int(bytes[0])%(arrayCalls+1), bytes[1:])
		require.Equal(t, c, goes, text)
	})
}
