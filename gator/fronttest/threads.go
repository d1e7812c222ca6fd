package fronttest

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/gator"
)

const workers, rounds, twice = 4, 1500, 100

// Threads runs goroutines that free each other's blocks, while another one looks. Then two threads free one block, one of them past the front by
// free: exactly one of them succeeds.
func Threads(t *testing.T, a gator.Allocator, free func(addr uintptr) error) {
	passed, stop := make(chan uintptr, 64), make(chan struct{})
	var users, lookers sync.WaitGroup
	for g := range uint64(workers) {
		users.Go(func() { use(t, a, g, passed) })
	}
	lookers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			a.Stats()
			a.Each(func(gator.Block) bool { return true })
			if err := a.Check(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	users.Wait()
	close(stop)
	lookers.Wait()
	for range twice {
		addr, err := a.Allocate(1000, "twice")
		require.NoError(t, err)
		second := make(chan error)
		go func() { second <- free(addr) }()
		first, other := a.Free(addr), <-second
		require.NotEqual(t, first == nil, other == nil, "%v, %v", first, other)
	}
	require.NoError(t, a.Check())
	st := a.Stats()
	require.Zero(t, st.InUse+st.Blocks+st.Occupied+st.WaitBlocks)
	require.EqualValues(t, workers*rounds+twice, st.Allocations)
	require.EqualValues(t, workers*rounds+twice, st.Frees)
}

// use is one of the users; its events are done when it ends.
func use(t *testing.T, a gator.Allocator, seed uint64, passed chan uintptr) {
	random := rand.New(rand.NewPCG(seed, 9))
	for range rounds {
		addr, err := a.Allocate(uint64(random.IntN(4)*1500), labels[random.IntN(len(labels))])
		if err != nil {
			t.Error(err)
			return
		}
		if random.IntN(20) == 0 {
			on := &event{}
			if err := a.Depend(addr, on); err != nil {
				t.Error(err)
			}
			defer on.done.Store(true)
		}
		passed <- addr
		if err := a.Free(<-passed); err != nil {
			t.Error(err)
		}
	}
}
