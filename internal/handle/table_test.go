package handle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	var table Table[string]
	_, ok := table.Get(0)
	require.False(t, ok, "0 is nothing")
	a, b := table.Put("a"), table.Put("b")
	require.NotZero(t, a)
	require.NotEqual(t, a, b)
	require.Equal(t, []uint64{a, b}, table.All())
	v, ok := table.Take(a)
	require.True(t, ok)
	require.Equal(t, "a", v)
	_, ok = table.Take(a)
	require.False(t, ok, "taken twice")
	c := table.Put("c") // takes a's place
	_, ok = table.Get(a)
	require.False(t, ok, "a stale number must not reach c")
	v, ok = table.Get(c)
	require.True(t, ok)
	require.Equal(t, "c", v)
	table.Take(b)
	v, ok, more := table.At(0)
	require.True(t, ok && more)
	require.Equal(t, "c", v)
	_, ok, more = table.At(1)
	require.True(t, !ok && more)
	_, ok, more = table.At(2)
	require.True(t, !ok && !more)
	for _, n := range []uint64{0, 99, a + 1<<33, ^uint64(0)} {
		_, ok = table.Get(n)
		require.False(t, ok, "%#x", n)
	}
}
