//go:build portable_test_hooks

package handle

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func put[T any](t *testing.T, table *Table[T], value T) uint64 {
	n, ok := table.Put(value)
	require.True(t, ok)
	return n
}

func TestTable(t *testing.T) {
	var table, other Table[string]
	_, ok := table.Get(0)
	require.False(t, ok, "0 is nothing")
	a, b := put(t, &table, "a"), put(t, &table, "b")
	require.NotEqual(t, a, b)
	require.ElementsMatch(t, []uint64{a, b}, table.All())
	_, ok = other.Get(a)
	require.False(t, ok, "a handle of another table")
	v, ok := table.Take(a)
	require.True(t, ok)
	require.Equal(t, "a", v)
	_, ok = table.Take(a)
	require.False(t, ok, "taken twice")
	c := put(t, &table, "c") // takes the place of a
	require.Equal(t, uint32(a), uint32(c))
	_, ok = table.Get(a)
	require.False(t, ok, "a stale handle must not reach c")
	v, ok = table.Get(c)
	require.True(t, ok)
	require.Equal(t, "c", v)
	table.Take(b)
	v, ok, more := table.At(int(uint32(c)))
	require.True(t, ok && more)
	require.Equal(t, "c", v)
	_, ok, more = table.At(int(uint32(b)))
	require.True(t, !ok && more)
	_, ok, more = table.At(slotsAtMost)
	require.True(t, !ok && !more)
	for _, n := range []uint64{0, 99, a + 1<<32, c + 1<<33, c + 1<<60, uint64(uint32(c)), ^uint64(0)} {
		_, ok = table.Get(n)
		require.False(t, ok, "%#x", n)
	}
	table.Take(c)
	require.Empty(t, table.All())
}

// A handle of Go and one of C have one format: the kind, an odd count, and the number of the slot.
func TestOneFormat(t *testing.T) {
	var table Table[int]
	pool, record := put(t, &table, 1), takeRecord()
	event := publish(record)
	for handle, kind := range map[uint64]uint64{pool: 6, event: 3} {
		require.Equal(t, kind, handle>>60)
		require.Equal(t, uint64(1), handle>>32&1)
		require.Less(t, handle&0xffffffff, uint64(slotsAtMost))
	}
	require.True(t, isPoolInC(pool))
	require.Nil(t, find(pool), "a handle of another kind")
	require.False(t, isPoolInC(event))
	_, ok := table.Get(event)
	require.False(t, ok)
	table.Take(pool)
	require.False(t, isPoolInC(pool))
	require.NotNil(t, retract(event))
	give(record)
}

func TestRecords(t *testing.T) {
	r := takeRecord()
	n := publish(r)
	require.Equal(t, r, find(n))
	require.Equal(t, r, hold(n))
	require.Equal(t, r, retract(n))
	require.Nil(t, retract(n), "one thread gets it")
	require.Nil(t, find(n))
	require.Nil(t, hold(n))
	give(r)
	s := takeRecord()
	require.NotEqual(t, r, s, "a thread holds r")
	release(r)
	require.Equal(t, r, takeRecord())
	again := publish(r)
	require.NotEqual(t, n, again)
	require.Nil(t, find(n), "stale")
	retract(again)
	wear(r)
	require.True(t, isWorn(r))
	give(r)
	require.NotEqual(t, r, takeRecord(), "its next handle would be one that was there before")
}

// Threads create, read and forget values; each handle finds its own value, or is stale.
func TestThreads(t *testing.T) {
	var table Table[int]
	var threads sync.WaitGroup
	var shared sync.Map
	for i := range 4 {
		threads.Add(1)
		go func() {
			defer threads.Done()
			for k := range 2000 {
				value := i<<32 | k
				n, ok := table.Put(value)
				if !ok {
					t.Error("no handle")
					return
				}
				shared.Store(i, [2]uint64{n, uint64(value)})
				if other, ok := shared.Load((i + 1) % 4); ok {
					pair := other.([2]uint64)
					if v, ok := table.Get(pair[0]); ok && uint64(v) != pair[1] {
						t.Errorf("%#x gives %#x, not %#x", pair[0], v, pair[1])
					}
				}
				if v, ok := table.Take(n); !ok || v != value {
					t.Errorf("%#x gives %#x, not %#x", n, v, value)
				}
			}
		}()
	}
	threads.Wait()
	require.Empty(t, table.All())
}

func TestAllSlotsInUse(t *testing.T) {
	var table Table[int]
	n := 0
	for {
		if _, ok := table.Put(n); !ok {
			break
		}
		n++
	}
	require.Equal(t, slotsAtMost, n)
	for _, handle := range table.All() {
		_, ok := table.Take(handle)
		require.True(t, ok)
	}
	table.Take(put(t, &table, 1))
}
