package gator

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/fake"
)

// TestThreads runs everything at once. The blocks are Go memory and are written by their owners, so that the
// race detector sees a block that two own.
func TestThreads(t *testing.T) {
	const slab = 256 << 10
	source := fake.New(0)
	p, err := New(Config{Source: source, Initial: slab, Limit: slab, Block: 64}) // one slab: its memory is at hand
	require.NoError(t, err)
	base := p.slabs[0].base
	memory := source.Bytes(base)
	write := func(addr uintptr, bytes uint64, mark byte) {
		b := memory[addr-base:][:bytes]
		for i := 0; i < len(b); i += 64 {
			b[i] = mark
		}
	}
	failures := make(chan error, 100)
	const workers, rounds = 4, 2500
	var done [workers]uint64 // allocations that succeeded
	var users, lookers sync.WaitGroup
	for g := range uint64(workers) {
		users.Go(func() {
			random := rand.New(rand.NewPCG(g, 11))
			mine := map[uintptr]uint64{}
			free := func(addr uintptr, bytes uint64) {
				if bytes > 0 && memory[addr-base] != byte(g) {
					failures <- fmt.Errorf("another thread wrote into block %#x of worker %d", addr, g)
				}
				delete(mine, addr)
				if err := p.Free(addr); err != nil {
					failures <- err
				}
			}
			for range rounds {
				bytes := uint64(random.IntN(4000))
				addr, err := p.Allocate(bytes, labels[random.IntN(len(labels))])
				switch {
				case err == nil:
					done[g]++
					write(addr, bytes, byte(g))
					mine[addr] = bytes
				case !errors.Is(err, ErrMemory):
					failures <- err
				}
				for addr, bytes := range mine {
					if len(mine) < 10 && random.IntN(2) == 0 {
						break
					}
					if random.IntN(8) == 0 {
						event := newFlag()
						if err := p.Depend(addr, event); err != nil {
							failures <- err
						}
						free(addr, bytes)
						write(addr, bytes, 99) // a stream may write until its event is done
						event.complete()
						continue
					}
					free(addr, bytes)
				}
			}
			for addr, bytes := range mine {
				free(addr, bytes)
			}
		})
	}
	stop := make(chan struct{})
	lookers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := p.Check(); err != nil {
				failures <- err
				return
			}
			if st := p.Stats(); st.Occupied+st.Free != slab || st.InUse > st.Occupied {
				failures <- fmt.Errorf("stats that do not fit: %+v", st)
				return
			}
			blocksOf(p)
			_, _ = p.Find(base + 1000)
			_ = p.Free(base + 1) // never the start of a block
			_, _ = p.Trim()
		}
	})
	users.Wait()
	close(stop)
	lookers.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	require.NoError(t, p.Check())
	total := done[0] + done[1] + done[2] + done[3]
	require.Greater(t, total, uint64(workers*rounds/2), "the test does what it says")
	st := p.Stats()
	require.Equal(t, Stats{Slabs: 1, HighWater: st.HighWater, Reserved: slab, Limit: slab, Free: slab, LargestGap: slab,
		Allocations: total, Frees: total}, st)
	require.NoError(t, p.Close())
	require.Zero(t, source.Used())
}

// TestThreadsGrowAndTrim makes and drops slabs all the time.
func TestThreadsGrowAndTrim(t *testing.T) {
	for name, make := range allocators {
		t.Run(name, func(t *testing.T) {
			source := fake.New(0)
			a := make(t, Config{Source: source, Initial: 4096, Grow: 4096})
			var group sync.WaitGroup
			for g := range uint64(4) {
				group.Go(func() {
					random := rand.New(rand.NewPCG(g, 13))
					for range 1000 {
						addr, err := a.Allocate(uint64(random.IntN(10_000)), "")
						if err == nil {
							err = a.Free(addr)
						}
						if err == nil && random.IntN(5) == 0 {
							_, err = a.Trim()
						}
						if err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			group.Wait()
			require.NoError(t, a.Check())
			st := a.Stats()
			require.EqualValues(t, 4000, st.Allocations)
			require.EqualValues(t, 4000, st.Frees)
			require.Zero(t, st.Occupied)
			_, err := a.Trim()
			require.NoError(t, err)
			require.LessOrEqual(t, source.Used(), uint64(4096))
			require.NoError(t, a.Close())
			require.Zero(t, source.Used())
		})
	}
}
