package instance

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libportable/gator"
)

// gate counts like the library's, for one call at a time.
type gate struct{ closed atomic.Bool }

func (g *gate) Close()      { g.closed.Store(true) }
func (g *gate) Open()       { g.closed.Store(false) }
func (g *gate) Await() bool { return g.closed.Load() }

// Threads that start and stop, change the team and make pools wait for one another in one order. A deadlock ends the test by its time limit.
func TestStartsAndStopsBesideEverything(t *testing.T) {
	var quiet sync.Mutex
	in := New(variables(nil), Fronts{Calls: &gate{}}, func(string) { quiet.Lock(); defer quiet.Unlock() })
	var all sync.WaitGroup
	end := time.Now().Add(300 * time.Millisecond)
	for _, once := range []func(){
		func() { require.NoError(t, in.Init(Request{})); require.NoError(t, in.Finalize()) },
		func() { require.NoError(t, in.GatorInit(Request{})); require.NoError(t, in.GatorFinalize()) },
		func() { _ = in.SetThreads(1); _ = in.SetThreads(2) },
		func() { _, _ = in.DefaultHandle(); _ = in.Running(); _, _, _ = in.Stream(0); in.Warn("once") },
		func() {
			if n, err := in.CreatePool(gator.Config{Name: "beside"}, 0); err == nil {
				_ = in.DestroyPool(n, false)
			}
		},
	} {
		all.Go(func() {
			for time.Now().Before(end) {
				once()
			}
		})
	}
	all.Wait()
	require.False(t, in.Running())
}
