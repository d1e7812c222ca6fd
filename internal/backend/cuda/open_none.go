//go:build !cuda

package cuda

import "libportable/internal/backend"

// Built says whether this build can use devices.
const Built = false

func look(Interface) (int, error) {
	return 0, none("this libportable was built without CUDA (in CMake: -DPORTABLE_CUDA=ON)")
}

// This file replaces the driver's calls in a build without them. There is no device, so no function here is called.

func (m Memory) take(uint64) (uintptr, error) { return 0, backend.ErrNoDevice }

func (m Memory) give(uintptr) error { return backend.ErrNoDevice }
