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
type gate struct{ closing atomic.Int64 }

func (g *gate) Close(closing int64)      { g.closing.Store(closing) }
func (g *gate) Open()                    { g.closing.Store(0) }
func (g *gate) Await(closing int64) bool { return g.closing.Load() == closing }

// watchedGate is a gate with the test's own Await.
type watchedGate struct {
	gate
	await func(closing int64) bool
}

func (g *watchedGate) Await(closing int64) bool { return g.await(closing) }

// A finalize that has waited for calls does not stop the library in a later closing, for which no thread has waited
// yet.
func TestAStopKeepsToItsClosing(t *testing.T) {
	var in *Instance
	var awaited []int64
	var other error
	second, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	g := &watchedGate{}
	g.await = func(closing int64) bool {
		awaited = append(awaited, closing)
		switch len(awaited) {
		case 1: // it opens, calls begin, and another finalize closes it again before this one has seen it
			require.NoError(t, in.Init(Request{}))
			require.NoError(t, in.Finalize())
			all.Go(func() { other = in.Finalize() })
			<-second
		case 2:
			close(second)
			<-release
		case 3:
			require.True(t, in.Running())
			close(release)
		}
		return true
	}
	in = New(variables(nil), Fronts{Calls: g}, func(string) {})
	require.NoError(t, in.Init(Request{}))
	own := in.Finalize()
	require.Len(t, awaited, 3, "the library has been stopped in a closing that this finalize has not waited for")
	all.Wait()
	// Both waited for the second closing, and one participant was left: either of them stops the library, the other one gets an error.
	failed := own
	if own == nil {
		failed = other
	}
	require.ErrorIs(t, failed, ErrState)
	require.True(t, own == nil || other == nil)
	require.False(t, in.Running())
	require.Equal(t, []int64{1, 2, 2}, awaited)
}

// Threads that start and stop the library, change the team and make pools wait for one another in one order. A deadlock
// exceeds the test's time limit.
func TestStartsAndStopsBesideEverything(t *testing.T) {
	var quiet sync.Mutex
	in := New(variables(nil), Fronts{Calls: &gate{}}, func(string) { quiet.Lock(); defer quiet.Unlock() })
	var all sync.WaitGroup
	end := time.Now().Add(300 * time.Millisecond)
	for _, once := range []func(){
		func() { require.NoError(t, in.Init(Request{})); require.NoError(t, in.Finalize()) },
		func() { require.NoError(t, in.GatorInit(Request{})); require.NoError(t, in.GatorFinalize()) },
		func() { _ = in.SetThreads(1); _ = in.SetThreads(2) },
		func() { _, _ = in.DefaultHandle(); _ = in.Running(); _, _, _, _ = in.Stream(0); in.Warn("once") },
		func() {
			if n, err := in.CreatePool(gator.Config{Name: "other"}, 0); err == nil {
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
