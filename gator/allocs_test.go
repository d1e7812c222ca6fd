package gator

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend/paper"
)

// TestNoGoMemory: a hot call that allocates Go memory would start the garbage collector in the middle of a
// simulation's time step.
func TestNoGoMemory(t *testing.T) {
	p, err := New(Config{Source: paper.New(paper.Upwards, 0), Initial: mib})
	require.NoError(t, err)
	keep, err := p.Allocate(5000, "kept")
	require.NoError(t, err)
	id := p.Labels().ID("flux")
	waits, err := p.Allocate(100, "")
	require.NoError(t, err)
	pending := newFlag()
	require.NoError(t, p.Depend(waits, pending))
	require.NoError(t, p.Free(waits)) // from here on every call asks an event
	free := func(addr uintptr, err error) {
		if err == nil {
			err = p.Free(addr)
		}
		if err != nil {
			panic(err)
		}
	}
	for name, call := range map[string]func(){
		"without a label":  func() { free(p.Allocate(1000, "")) },
		"with a label":     func() { free(p.Allocate(1000, "flux")) },
		"of no bytes":      func() { free(p.Allocate(0, "flux")) },
		"in a class":       func() { free(p.AllocateRoom(1000, 1024, id)) },
		"number of labels": func() { p.Labels().ID("flux") },
		"find":             func() { _, _ = p.Find(keep + 100) },
		"starts":           func() { _ = p.Starts(keep) },
	} {
		require.Zero(t, testing.AllocsPerRun(200, call), name)
	}
	require.NoError(t, p.Check())
}
