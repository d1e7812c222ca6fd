package fake

import (
	"math/rand/v2"
	"sync"

	"libportable/internal/backend"
)

// Device runs units one by one, in a random order, on goroutines: results that depend on the order or on the worker
// differ. Its kernels must be Go's, or C's that need little stack.
type Device struct{ N int }

var _ backend.Device = Device{}

func (Device) Name() string { return "fake" }

func (d Device) Workers() int { return d.N }

func (d Device) Launch(w backend.Work) {
	units := rand.Perm(int(w.Units))
	var group sync.WaitGroup
	for worker := range d.N {
		group.Go(func() {
			for i := worker; i < len(units) && !w.Failed(); i += d.N {
				w.Run(worker, int64(units[i]), int64(units[i])+1)
			}
		})
	}
	group.Wait()
}
