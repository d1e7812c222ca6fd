//go:build !cuda

package cuda

import "libportable/internal/backend"

// In this file: what stands for the driver's calls where this program was built without them. No device is there to be visited, so they
// are not reached.

func (m Memory) take(uint64) (uintptr, error) { return 0, backend.ErrNoDevice }

func (m Memory) give(uintptr) error { return backend.ErrNoDevice }
